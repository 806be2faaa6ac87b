import type { Entity, Json, MetadataEntry, Relation } from '#domain/entity/entity.ts'

/*
 * Records that are as bad as possible for an index, in one dimension each. A shape has records of
 * `size` in all, whose bytes grow in proportion to it.
 */

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

/** The content of one record. */
export interface ShapeContent {
  readonly metadata?: readonly MetadataEntry[]
  readonly relations?: readonly Relation[]
  readonly identifiers?: readonly string[]
}

/** The id of the record that relations of shapes lead to. */
export const centre = 'PR-CENTRE'

const to = (type: string, key = centre): Relation => ({ type, key })
const noted = (key: string, value: Json, lang?: string): MetadataEntry => ({
  key,
  value,
  ...(lang === undefined ? {} : { lang })
})
const nested = (levels: number): Json => (levels === 0 ? 'deep' : { inner: nested(levels - 1) })

export const hostileShapes: Readonly<Record<string, (size: number) => ShapeContent[]>> = {
  'types of relations in a record': size => [{ relations: times(size, at => to(`refType${at}`)) }],
  'types of relations in several records': size =>
    times(size / 100, record => ({ relations: times(100, at => to(`refType${record}x${at}`)) })),
  'relations of one type in a record': size => [{ relations: times(size, at => to('refOthers', `PR-${at}`)) }],
  'relations to one record': size => times(size, () => ({ relations: [to('refOther')] })),
  'relations of several types to one record': size =>
    times(size / 50, () => ({ relations: times(50, at => to(`refType${at}`)) })),
  'metadata keys in a record': size => [{ metadata: times(size, at => noted(`key-${at}`, `v${at}`)) }],
  'metadata keys in several records': size =>
    times(size / 100, record => ({ metadata: times(100, at => noted(`key-${record}-${at}`, `v${at}`)) })),
  'values of one key in a record': size => [{ metadata: times(size, at => noted('note', `value ${at}`)) }],
  'values in a list': size => [
    {
      metadata: [
        noted(
          'codes',
          times(size, at => `code-${at}`)
        )
      ]
    }
  ],
  'equal values of one key': size => [{ metadata: times(size, () => noted('note', 'the same value')) }],
  'languages of one key': size => [{ metadata: times(size, at => noted('note', `v${at}`, `x-${at.toString(36)}`)) }],
  'identifiers of a record': size => [{ identifiers: times(size, at => `identifier-${at}`) }],
  'words in a value': size => [{ metadata: [noted('note', times(size, at => `word${at}`).join(' '))] }],
  'letters in a word': size => [{ metadata: [noted('note', 'x'.repeat(size * 8))] }],
  'long values with a common beginning': size =>
    times(size / 50, at => ({ metadata: [noted('note', `${'begin '.repeat(80)}${at}`)] })),
  'levels in values': size => [{ metadata: times(size / 10, at => noted('note', [nested(24), at])) }],
  'numbers and moments': size => [
    { metadata: times(size, at => noted('note', at % 2 === 0 ? at : `2026-01-01T00:00:${at % 60}Z`)) }
  ]
}

const stamp = { at: '2026-01-01T00:00:00.000Z', by: 'test' }

/** Productions with the contents of a shape, and the one that relations lead to. */
export function entitiesOf(contents: readonly ShapeContent[]): Entity[] {
  const of = ({ metadata = [], relations = [], identifiers = [] }: ShapeContent, at: number, id: string): Entity => {
    const uuid = `0199a000-0000-7000-8000-${String(at).padStart(12, '0')}`
    const named = [noted('title', `Record ${at}`), ...metadata]
    const audit = { created: stamp, updated: stamp }
    const names = [uuid, id, ...identifiers]
    return {
      id,
      _id: uuid,
      _key: id,
      type: 'production',
      version: 1,
      metadata: named,
      relations,
      identifiers: names,
      audit
    }
  }
  return [of({}, 0, centre), ...contents.map((content, at) => of(content, at + 1, `PR-S${at}`))]
}
