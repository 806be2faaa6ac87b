import { table } from '#domain/table.ts'
import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import { textOf } from '#domain/search/index-values.ts'
import { readIsbn } from '#domain/values/isbn.ts'
import { readLink } from '#domain/values/link.ts'
import { type Publication, type PublicationLevel, type RelatedEntity, relatedBy } from '#domain/entity/publication.ts'
import { formOf } from '../description/content-forms.ts'
import { roleCodeOf } from '../description/role-codes.ts'
import { hostStatements } from '../description/linked-titles.ts'
import { seriesStatements } from '../description/series.ts'
import { pagesIn, readHost, readSeries, splitName } from '../description/statements.ts'
import {
  type Citation,
  type CitationKind,
  type CitedName,
  type CitedRole,
  citedRoles,
  kindOfCitation,
  nameForms,
  otherKinds
} from './citation.ts'

/** By the code of the role. */
const roleByCode: Readonly<Record<string, CitedRole>> = table({
  ...{
    aut: 'author',
    cre: 'author',
    aus: 'author',
    lbt: 'author',
    art: 'author',
    pht: 'author',
    ctg: 'author',
    prg: 'author'
  },
  ...{ edt: 'editor', com: 'editor', pbd: 'editor', trl: 'translator', ill: 'illustrator', cmp: 'composer' },
  ...{ drt: 'director', fmd: 'director', nrt: 'narrator', prf: 'performer', act: 'performer', sng: 'performer' }
})

/** Makes a citation of a publication. */
export function toCitation(publication: Publication): Citation {
  const { manifestation, expressions } = publication
  const works = expressions.flatMap(({ work }) => work ?? [])
  const { entity } = manifestation
  const [series] = seriesStatements(manifestation)
  const [host] = hostStatements(manifestation)
  const [extent = ''] = textsOf(entity, 'extent')
  const [subtitle] = textsOf(entity, 'subtitle')
  const [title = entity.id] = textsOf(entity, 'title')
  const isTranslation = expressions.some(each => peopleOf(each, 'author').some(({ role }) => role === 'translator'))
  // With several works in one publication, none is the one that was translated.
  const work = works.length === 1 && isTranslation ? works[0] : undefined
  const originals = work ? [...textsOf(work.entity, 'original_title'), ...textsOf(work.entity, 'title')] : []
  const expressionTitles = expressions.flatMap(each => textsOf(each.entity, 'title'))
  const originalTitle = originals.find(each => each !== title && !expressionTitles.includes(each))
  const kind = kindOf(publication)
  return {
    id: entity.id,
    kind,
    title: subtitle === undefined ? title : `${title}: ${subtitle}`,
    names: collectNames([
      ...works.flatMap(each => peopleOf(each, 'author')),
      // People named at these levels without a role may have done anything.
      ...expressions.flatMap(each => peopleOf(each, undefined)),
      ...peopleOf(manifestation, undefined)
    ]),
    publisher: (kind.isThesis ? universityOf(publication) : undefined) ?? knownName(manifestation, 'refPublishers'),
    place: knownName(manifestation, 'refPlaces'),
    year: textsOf(entity, 'year_of_publication')[0],
    edition: textsOf(entity, 'edition')[0],
    isbns: [...new Set(textsOf(entity, 'isbn').map(each => readIsbn(each)?.comparable ?? each))],
    issn: textsOf(entity, 'issn')[0],
    series: series === undefined ? undefined : readSeries(series),
    host: host === undefined ? undefined : readHost(host),
    pages: pagesIn(extent),
    language: languageOf([manifestation, ...expressions]),
    summary: textsOf(entity, 'summary')[0],
    link: textsOf(entity, 'link')
      .map(each => readLink(each).address)
      .find(each => /^https?:/i.test(each)),
    originalTitle,
    originalYear: work && textsOf(work.entity, 'year')[0]
  }
}

/** Words for carriers and genres in the main languages of our records. */
const words = {
  heard: /audio|\bcds?\b|sound (?:disc|recording)|\blps?\b|vinyl|cassette|grammofoon|schallplatte|disque/i,
  spoken: /spoken|voorgelezen|gesproken|luisterboek|audiob|hörbuch|livre audio/i,
  performed: /performed|uitgevoerd|aufgeführt|exécutée/i,
  notated: /notated|genoteerd|bladmuziek|partitu|score|noten/i,
  electronic: /online|e-?bo[eo]k|computer|electronic|elektronisch|électronique|epub|pdf|web/i,
  issue: /\b(?:vol|no|nr|jrg|jg|bd|année|volume|issue|nummer)\b|\d\s*\(\d{4}\)/i,
  thesis: /\b(?:thes[ie]s|dissertations?|proefschrift(?:en)?|thèses?|hochschulschrift(?:en)?)\b/i
} as const

/** The kind of a publication, by its type, its carrier and its contents. */
function kindOf({ manifestation, expressions }: Publication): CitationKind {
  const { entity } = manifestation
  const usual = kindOfCitation(entity.type)
  const carrier = textsOf(entity, 'material_type').join(' ')
  const contents = expressions.flatMap(each => textsOf(each.entity, 'content_type'))
  const content = contents.join(' ')
  const forms = contents.flatMap(each => formOf(each)?.form ?? [])
  const isMusic = entity.type.endsWith('_music') || expressions.some(each => each.entity.type.endsWith('_music'))
  const isText = !isMusic && expressions.length > 0 && expressions.every(each => textual.test(each.entity.type))
  const isNotated = forms.includes('notated music') || words.notated.test(`${content} ${carrier}`)
  const isPerformed = forms.includes('performed music') || words.performed.test(content) || words.heard.test(carrier)
  if (isMusic) return isPerformed && !isNotated ? otherKinds.recording : usual
  if (forms.includes('spoken') || words.spoken.test(`${content} ${carrier}`)) return otherKinds.audiobook
  const genres = expressions.flatMap(({ work }) => relatedBy(work, 'refGenres').flatMap(each => nameOf(each) ?? []))
  const [host] = hostStatements(manifestation)
  if (host !== undefined && /_(?:word|serial)$/.test(entity.type))
    return words.issue.test(host) ? otherKinds.article : otherKinds.chapter
  const isThesis = textsOf(entity, 'thesis').length > 0 || genres.some(each => words.thesis.test(each))
  if (isText && isThesis) return otherKinds.thesis
  if (isText && /_(?:word|computer_file)$/.test(entity.type) && words.electronic.test(carrier))
    return otherKinds['e-book']
  return usual
}

const textual = /_word$|reading$/

const degreeGranting = /^(?:dgg|degree[ -]granting institution)$/i

/**
 * The institution that granted the degree (dgg) of a thesis, or the one in its dissertation note:
 * `Thesis (Ph. D.)--Harvard University, 1995`.
 */
function universityOf({ manifestation, expressions }: Publication): string | undefined {
  const levels = [...expressions.flatMap(({ work }) => work ?? []), ...expressions, manifestation]
  const all = levels.flatMap(level => relatedBy(level, 'refAuthors'))
  const granting = all.find(({ metadata }) =>
    metadata.some(({ key, value }) => key === 'role' && degreeGranting.test(textOf(value)))
  )
  const [note = ''] = textsOf(manifestation.entity, 'thesis')
  return nameOf(granting) ?? /(?:--|—| ; )\s*([^,;—]+?)(?:,| ;|$)/.exec(note.slice(0, maxNoteLength))?.[1]
}

/** Maximum characters of a note that are searched: the pattern takes quadratic time. */
const maxNoteLength = 1_000

/** Matches names that stand for an unknown one: `[s.n.]`, `éditeur non identifié`. */
const unknownName =
  /^\W*(?:s\.? ?[nl]|sine (?:nomine|loco))\W*$|\b(?:not identified|non identifiée?|niet ge[iï]dentificeerd|nicht (?:ermittelbar|identifizierbar))\W*$/i

/** The first known name under a relation. */
const knownName = (level: PublicationLevel, relation: string): string | undefined =>
  relatedBy(level, relation)
    .flatMap(each => nameOf(each) ?? [])
    .find(name => !unknownName.test(name))

interface Person {
  readonly role: CitedRole
  readonly entity: Entity
}

function peopleOf(level: PublicationLevel, withoutRole: CitedRole | undefined): Person[] {
  return relatedBy(level, 'refAuthors').flatMap(({ entity, metadata }) => {
    const named = metadata.filter(({ key }) => key === 'role').map(({ value }) => textOf(value))
    const roles = named.length === 0 ? [withoutRole] : named.map(role => roleByCode[roleCodeOf(role) ?? ''])
    return roles.flatMap(role => (role === undefined ? [] : [{ role, entity }]))
  })
}

/** Each name once in each role, in the order of the levels. */
function collectNames(people: readonly Person[]): Citation['names'] {
  const names = Object.fromEntries(
    citedRoles.map(role => {
      const ofRole = new Map(people.filter(each => each.role === role).map(({ entity }) => [entity.id, entity]))
      return [role, [...ofRole.values()].flatMap(toName)]
    })
  )
  return names as unknown as Citation['names']
}

function toName(entity: Entity): CitedName[] {
  const [name] = textsOf(entity, 'name')
  if (name === undefined) return []
  return [(Object.hasOwn(nameForms, entity.type) ? splitName(name) : undefined) ?? { literal: name }]
}

const nameOf = (related: RelatedEntity | undefined) => related && textsOf(related.entity, 'name')[0]

/** The language of a publication in one language; undefined for several. */
function languageOf(levels: readonly PublicationLevel[]): string | undefined {
  for (const level of levels) {
    const codes = relatedBy(level, 'refLanguages').flatMap(({ entity }) => textsOf(entity, 'code').slice(0, 1))
    if (codes.length > 1) return undefined
    const [code] = codes
    if (code === undefined) continue
    try {
      return Intl.getCanonicalLocales(code)[0]
    } catch {
      return undefined
    }
  }
  return undefined
}

/** The texts of a field on one line each, without empty ones. */
const textsOf = (entity: Pick<Entity, 'metadata'>, key: string): string[] =>
  valuesOf(entity, key)
    .map(value =>
      textOf(value)
        .replaceAll(/[\s\p{Cc}]+/gu, ' ')
        .trim()
    )
    .filter(text => text !== '')
