import type { Literature, NameKind, RecordEvidence } from '#domain/clustering/evidence.ts'
import { isVolume } from '#domain/clustering/title-forms.ts'
import type { Origin, TitleKey } from '../../description/description.ts'
import { readEvidence, type RecordFacts } from '../../description/evidence.ts'
import { isDataField, type MarcRecord } from '../record.ts'
import { readContents } from './contents.ts'
import type { MarcDescription } from './describe-record.ts'
import { firstPart, joinTitle, partsOf, placesOf } from './values.ts'

/** The evidence that clustering needs about a MARC record. */
export const readMarcEvidence = (record: MarcRecord, description: MarcDescription, name: string): RecordEvidence =>
  readEvidence(description, name, factsOf(record, description))

const wordWork = 'work_word'

function factsOf({ fields }: MarcRecord, { dialect, works }: MarcDescription): RecordFacts {
  const isMarc21 = dialect === 'marc21'
  const mainEntry = isMarc21 ? /^1/ : /^7[01]0/
  const links = linksOf(fields)
  const areLinked = (one: Pick<Origin, 'index'>, other: Origin) =>
    links.get(one.index)?.some(each => links.get(other.index)?.includes(each)) ?? false
  const parts = ({ from }: TitleKey, codes: string) => {
    const field = fields[from.index]
    return field === undefined ? [] : partsOf(field, codes)
  }
  return {
    titleWithoutVolumes(title) {
      const { text } = title
      // Volumes of recordings are albums of their own.
      if (works[0]?.type !== wordWork || parts(title, 'p').length > 0) return text
      const numbers = parts(title, 'n')
      if (numbers.length === 0 || !numbers.every(each => isVolume(each.value))) return text
      const [main] = parts(title, 'a')
      return (main && joinTitle([main.value])) || text
    },

    isSelection: title => title.kind === 'uniform' && parts(title, 'kl').some(each => /selections/i.test(each.value)),

    partOf: title => parts(title, 'p').at(-1)?.value,

    originOf({ from }, titles) {
      const field = fields[from.index]
      if (from.tag === '880' && field !== undefined && isDataField(field))
        return inOtherScript[(firstPart(field, '6') ?? '').slice(0, 3)]
      // 740 has any title that has to do with the publication; only one that is linked to the
      // uniform title ($8) is a name of the work.
      const isName = titles.some(each => each.kind === 'uniform' && areLinked(each.from, from))
      return from.tag === '740' && !isName ? 'related' : undefined
    },

    linkedTo: ({ from }) =>
      fields.flatMap((field, index) =>
        isDataField(field) && field.tag === '740' && areLinked({ index }, from) ? [firstPart(field, 'a') ?? ''] : []
      ),

    namesVersion: title => title.kind === 'uniform' && parts(title, isMarc21 ? 'l' : 'm').length > 0,

    formOf({ from }) {
      const field = fields[from.index]
      return field !== undefined && isDataField(field) ? (firstPart(field, 'k') ?? '') : ''
    },

    contents() {
      const codes = isMarc21 ? { text: 'a', title: 't', name: 'r' } : { text: 'a' }
      return fields
        .filter(each => each.tag === (isMarc21 ? '505' : '327'))
        .flatMap(each => readContents(each, codes).map(({ title }) => title))
    },

    literature() {
      if (works[0]?.type !== wordWork) return undefined
      const coded = fields.find(each => each.tag === (isMarc21 ? '008' : '105'))
      if (coded === undefined) return undefined
      return isMarc21 ? marc21Literature[placesOf(coded, '33')] : unimarcLiterature[placesOf(coded, '11')]
    },

    isOfReproduction: number =>
      number.length >= 4 &&
      isMarc21 &&
      fields.some(
        each => each.tag === '533' || (each.tag === '001' && !isDataField(each) && each.value.endsWith(number))
      ),

    isMainEntry: ({ from }) => mainEntry.test(from.tag)
  }
}

/** The titles that a field 880 repeats in another script, by the tag in its $6. */
const inOtherScript: Readonly<Record<string, NameKind | undefined>> = { 245: 'proper', 240: 'uniform', 130: 'uniform' }

type Codes = Readonly<Record<string, Literature | undefined>>

/** Codes of literary forms: fiction, comic strips, novels, short stories; dramas; poetry. */
const marc21Literature: Codes = { 1: 'fiction', c: 'fiction', f: 'fiction', j: 'fiction', d: 'drama', p: 'poetry' }
const unimarcLiterature: Codes = { a: 'fiction', f: 'fiction', b: 'drama', g: 'poetry' }

/**
 * The link numbers ($8) of each field, by its position: fields with a number in common belong
 * together. The sequence after the full stop does not count.
 */
function linksOf(fields: MarcRecord['fields']): Map<number, string[]> {
  const links = new Map<number, string[]>()
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index]
    if (field === undefined || !isDataField(field) || !field.subfields.some(each => each.code === '8')) continue
    const own = partsOf(field, '8').map(({ value }) => value.split(/[.\\/]/, 1)[0] ?? '')
    if (own.length > 0) links.set(index, own)
  }
  return links
}
