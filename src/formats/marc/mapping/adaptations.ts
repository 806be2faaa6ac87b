import { formInWords } from '#domain/clustering/title-forms.ts'
import type {
  ContentForm,
  ExpressionDraft,
  LinkDraft,
  RelationDraft,
  WorkDraft
} from '../../description/description.ts'
import { isCollectiveTitle, titleKey } from '../../description/keys.ts'

/*
 * Films, plays, comics and other works that are made after a work of somebody else. Some records
 * name that work, with words or in an added entry. Others only enter its author, and have its
 * title.
 */

/** Words in $i by which a record names the work that it was made after. */
export const introducesBasis =
  /^(?:(?:freely |loosely )?based (?:up)?on|after|(?:\p{L}+ ){0,4}(?:adaptation|version|dramati[sz]ation|noveli[sz]ation) of|(?:\p{L}+ ){0,2}(?:adapted|dramati[sz]ed) from|remake of|gebaseerd op|naar|(?:\p{L}+ )?bewerking van|d['’]après|adaptation (?:\p{L}+ )?(?:de|du|d['’])|basierend auf|nach|verfilmung von|bearbeitung von|basert på|bygger på|baserad på|efter|basado en|adaptación de|basato su|adattamento di)(?!\p{L})/iu

/** Roles of added entries that the author of an original may have. */
const possibleRoles: ReadonlySet<string> = new Set(['ant', 'aut', 'cre', 'ctb', 'oth'])

/** Kinds of content that works of words are adapted to. */
const adaptedContent: readonly ContentForm[] = ['moving image', 'notated music', 'performed music']

/** Forms that works are adapted to, in the words of a uniform title or a subtitle. */
const adaptedForms: ReadonlySet<string> = new Set(['screenplay', 'graphic novel', 'drama', 'radio play', 'libretto'])

interface Described {
  readonly work: WorkDraft
  readonly expression: ExpressionDraft
  readonly subtitle: string
}

/** Tests whether a work may be made after another: a film, music, a play, a comic. */
export function isOfAdaptedForm({ work, expression, subtitle }: Described): boolean {
  if (expression.keys.forms.some(each => adaptedContent.includes(each))) return true
  const isAdapter = ({ role }: RelationDraft) => role?.code === 'adp'
  if (work.relations.some(isAdapter) || expression.relations.some(isAdapter)) return true
  return [work.keys.form ?? '', subtitle].some(text => adaptedForms.has(formInWords(text) ?? ''))
}

/** Tests for an added entry of somebody who may have written the original. */
const isAddedAuthor = ({ relation, role, from }: RelationDraft) =>
  relation === 'refAuthors' && from.tag.startsWith('7') && possibleRoles.has(role?.code ?? '')

const isOfOriginal = ({ role }: RelationDraft) => role?.code === 'ant'

/**
 * The works that the record has the title of and enters the author of, beside its own: that author
 * is called the author of the original, or the work is of a form that works are adapted to.
 */
export function readBasis(described: Described): LinkDraft[] {
  const { work, expression } = described
  const added: RelationDraft[] = []
  for (const list of [work.relations, expression.relations])
    for (const each of list) if (isAddedAuthor(each)) added.push(each)
  if (added.length === 0) return []
  // Most records have no such entry, so that words for a form are looked for in few.
  const isAdapted = added.some(each => !isOfOriginal(each)) && isOfAdaptedForm(described)
  const authors = added.filter(each => isAdapted || isOfOriginal(each))
  if (authors.length === 0) return []
  const titles = work.keys.titles.filter(({ kind }) => ['uniform', 'original', 'proper'].includes(kind))
  const links = titles.flatMap(({ text, from }) => {
    // `Hobbit (Motion picture : 1977)`
    const title = text.replace(/(?<!\s)\s+\([^()]*\)\.?$/, '')
    const key = titleKey(title, 0, undefined)
    if (key === '' || isCollectiveTitle(key)) return []
    return authors.map(({ target }): LinkDraft => {
      const name = target.metadata.find(each => each.key === 'name')?.value ?? ''
      const author = {
        name,
        key: target.key,
        birthYear: target.birthYear,
        role: 'aut',
        identifiers: target.identifiers
      }
      const numbers = { control: [], issn: [], isbn: [] }
      return { kind: 'based on', title, titleKey: key, author, identifiers: [], numbers, from }
    })
  })
  return links.slice(0, maxBases)
}

/** Maximum works of the added entries; more are no single adaptation. */
const maxBases = 12
