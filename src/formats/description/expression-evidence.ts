import type { ExpressionEvidence, PersonEvidence } from '#domain/clustering/evidence.ts'
import { textKey } from '#domain/clustering/title-key.ts'
import type { ExpressionDraft, RecordDescription, WorkDraft } from './description.ts'
import { cues, isAuthor, namesAfter, personsIn } from './persons.ts'

/** Texts of the manifestation that evidence is drawn from. */
export interface RecordTexts {
  readonly title: string
  readonly subtitle: string
  readonly edition: string
  readonly responsibility: string
  readonly material: string
}

export function textsOf({ manifestation }: RecordDescription): RecordTexts {
  const texts = { title: '', subtitle: '', edition: '', responsibility: '', material_type: '' }
  for (const { key, value } of manifestation.metadata) {
    if (!Object.hasOwn(texts, key)) continue
    const name = key as keyof typeof texts
    texts[name] = texts[name] === '' ? String(value) : `${texts[name]} ; ${value}`
  }
  const { material_type: material, ...others } = texts
  return { ...others, material }
}

/** Words for a version whose text is not the author's. */
const versions: readonly (readonly [version: string, words: RegExp])[] = [
  ['abridged', /\babridge?(?:d|ment)\b|\bverkort|\babrege|\bgekurzt|\bforkortet|\bcondensed\b/],
  ['retold', /\bretold\b|\bnaverteld|\bnacherzahlt|\bgjenfortalt|\bretelling\b|\badapted (?:for|from|by)\b/],
  ['dramatised', /\bdramati[sz]ed|\bfull cast|\bhoorspel|\bhorspiel|\bradio play/],
  ['simplified', /\bsimplified\b|\beasy reader|\bvereenvoudigd|\bgraded reader/]
]

/** The evidence of an expression, from its draft and the texts of its manifestation. */
export function expressionOf(
  draft: ExpressionDraft,
  { keys: work }: WorkDraft,
  texts: RecordTexts
): ExpressionEvidence {
  const { keys, relations } = draft
  const words = textKey(`${texts.edition} ; ${texts.subtitle} ; ${texts.responsibility}`)
  const by = (...codes: string[]) =>
    personsIn(relations, each => isAuthor(each) && codes.includes(each.role?.code ?? ''))
  const forms = formsOf(keys.forms, texts)
  const isHeard = forms.some(each => each === 'spoken' || each === 'performed music')
  const orStated = (entered: PersonEvidence[], cue: RegExp) =>
    entered.length > 0 ? entered : namesAfter(cue, texts.responsibility)
  const translators = orStated(by('trl'), cues.translators)
  const { originalLanguages, titles } = work
  // An indicator alone is wrong as often as right.
  const isTranslation =
    translators.length > 0 ||
    (keys.isTranslation &&
      (originalLanguages.length > 0 ||
        titles.some(each => each.kind === 'original' || each.kind === 'original in a note')))
  return {
    languages: keys.languages,
    forms,
    translators,
    voices: isHeard ? orStated(by('nrt', 'spk', 'prf', 'act', 'vac', 'sng', 'ctb'), cues.readers) : [],
    adapters: by('adp', 'abr'),
    isTranslation,
    originals: keys.isTranslation ? originalLanguages : [],
    version: [
      // Such words about a film are about the way it was made.
      ...(forms.includes('moving image') ? [] : versions.filter(([, pattern]) => pattern.test(words))).map(
        ([each]) => each
      ),
      ...(keys.version === undefined ? [] : [keys.version])
    ]
  }
}

/** Forms by words for the material, for records whose leader and content types give only text. */
const materials: readonly (readonly [form: string, words: RegExp])[] = [
  ['moving image', /motion picture|video|(?<!micro)film|\bdvd|\bmov\b/i],
  [
    'spoken',
    /read text|sound recording|audio ?book|audio ?disc|audiocassette|lydbok|lydopptak|talking book|luisterboek|livre audio|hörbuch/i
  ],
  ['still image', /manga|comic|graphic novel/i]
]

/** The forms of an expression, corrected by the words for its material. */
export function formsOf(forms: readonly string[], { material, subtitle, edition }: RecordTexts): readonly string[] {
  // Pictures beside words are illustrations, unless it is a comic.
  const isComic = /manga|comic|graphic novel|\bstrips?\b/i.test(`${material} ; ${subtitle} ; ${edition}`)
  if (forms.includes('text') && forms.includes('still image') && !isComic)
    return forms.filter(each => each !== 'still image')
  const [only] = forms
  // A disc that comes with a volume does not count.
  const isOther = only === 'text' && forms.length === 1 && !/\bvolume\b/i.test(material)
  const found = isOther ? materials.find(([, words]) => words.test(material)) : undefined
  return found === undefined ? forms : [found[0]]
}
