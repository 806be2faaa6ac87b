import assert from 'node:assert/strict'

import type { MarcField, MarcRecord } from '#formats/marc/record.ts'
import type { Chance } from '../records/chance.ts'
import type { MadeRecord } from '../records/table-records.ts'
import type { TestService } from '../services/start.ts'
import {
  type Edit,
  editedDoor,
  editInTurns,
  editSource,
  everyDoor,
  foldOf,
  idsByNumber,
  lineOf
} from './round-trips.ts'

/*
 * The same for items: publications with items in their own record and in holdings records. One item
 * of each is edited in the model, and one field in its record.
 */

const data = (tag: string, indicators: string, ...subfields: [code: string, value: string][]): MarcField => ({
  tag,
  indicators,
  subfields: subfields.map(([code, value]) => ({ code, value }))
})

/** Fields of items, in each of the ways in which records have them. */
const ways: readonly ((word: () => string) => MarcField[])[] = [
  word => [data('852', '1 ', ['a', 'NL-1'], ['b', 'Main'], ['h', word()], ['i', word()], ['x', word()], ['z', word()])],
  word => [
    data('852', '8 ', ['8', '1'], ['a', 'NL-2'], ['c', word()], ['j', word()], ['x', word()]),
    data('876', '  ', ['8', '1.1'], ['j', word()], ['p', word()], ['x', word()]),
    data('876', '  ', ['8', '1.2'], ['3', word()], ['p', word()], ['x', word()])
  ],
  word => [
    data('852', '8 ', ['8', '1'], ['a', 'NL-3'], ['j', word()], ['x', word()]),
    data('866', '41', ['8', '1'], ['a', word()], ['x', word()])
  ],
  word => [
    data('852', '8 ', ['8', '1'], ['a', 'NL-4'], ['j', word()], ['x', word()]),
    data('853', '20', ['8', '1'], ['a', 'v.'], ['i', '(year)']),
    data('863', '40', ['8', '1.1'], ['a', '1-12'], ['i', '1990-2001'], ['x', word()])
  ]
]

/** Publications, each with a holdings record, or with items in its own record. */
export function heldRecords(count: number, chance: Chance): { publications: MadeRecord[]; records: MarcRecord[] } {
  let made = 0
  const word = () => `${chance.pick(['shelf', 'été', 'война'])} q${made++}z`
  const publications: MadeRecord[] = []
  const records: MarcRecord[] = []
  for (let index = 0; index < count; index++) {
    const number = `held-${index}`
    const fields: MarcField[] = [
      { tag: '001', value: number },
      { tag: '003', value: 'XX' },
      { tag: '008', value: '260101s1999    ne            000 0 dut d' },
      data('245', '10', ['a', `Title ${word()}`]),
      data('500', '  ', ['a', word()])
    ]
    const held = ways[index % ways.length]?.(word) ?? []
    const isApart = Math.floor(index / ways.length) % 2 === 0
    const record = { leader: '00000nam a2200000 a 4500', fields: isApart ? fields : [...fields, ...held] }
    publications.push({ number, record })
    records.push(record)
    if (isApart)
      records.push({
        leader: '00000nx  a2200000zn 4500',
        fields: [
          { tag: '001', value: `${number}-h` },
          { tag: '003', value: 'XX' },
          { tag: '004', value: number },
          ...held
        ]
      })
  }
  return { publications, records }
}

interface ShownItem {
  readonly id: string
  readonly metadata: Readonly<Record<string, { readonly value: string }>>
}

const withoutLink = (line: string) => line.replace(/\$8[^$]*/, '')

async function editItem(
  { get, patch }: TestService,
  id: string,
  shown: MarcRecord,
  chance: Chance
): Promise<Edit | undefined> {
  const { items }: { items: ShownItem[] } = (await get(`/entities/wem/${id}?items=1`)).body
  const item = chance.pickOr<ShownItem | undefined>(items, undefined)
  const chosen = chance.pickOr(Object.entries(item?.metadata ?? {}), undefined)
  if (item === undefined || chosen === undefined) return undefined
  const [key, { value: was }] = chosen
  const value = `${was} changed${chance.below(1_000_000)}`
  const answer = await patch(`/entities/${item.id}`, { metadata: [{ key, value }] })
  assert.equal(answer.status, 200, answer.text)
  const old = foldOf(was)
  const values = Object.values(item.metadata).map(each => String(each.value))
  const pieces = new Set(shown.fields.map(lineOf).map(withoutLink))
  /** A copy that is no longer where the copies beside it are: its 876 has another link only. */
  const isRelinked = (line: string) =>
    /^876.*\$8/.test(line) &&
    pieces.has(withoutLink(line)) &&
    [...line.matchAll(/\$[^8]([^$]*)/g)].some(([, each = '']) => values.includes(each))
  return {
    says: `${key} of ${item.id}: "${was}" becomes "${value}"`,
    explains: (line, which) => {
      const text = foldOf(line.slice(7).replaceAll(/\$./g, ' '))
      if (!/^8[5-7]/.test(line)) return false
      if (isRelinked(line)) return true
      // The part of a shelf mark that stands in another subfield stays.
      if (which === 'gone') return text.includes(old.split('q')[0] ?? '')
      return text.includes(`changed${value.split('changed')[1]}`)
    }
  }
}

/** Edits one item of each publication in the model, and a field in its record, in both orders. */
export async function editHeld(service: TestService, made: readonly MadeRecord[], chance: Chance): Promise<number> {
  const numbers = new Set(made.map(each => each.number))
  const ids = new Map([...(await idsByNumber(service))].filter(([number]) => numbers.has(number)))
  assert.equal(ids.size, made.length)
  return editInTurns(ids, {
    door: editedDoor,
    readDoors: (sample, moment) => everyDoor(service, sample, { moment }),
    inModel: (id, record) => editItem(service, id, record, chance),
    inSource: (id, record) => editSource(service, id, record, chance)
  })
}
