import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { readMarc } from '#formats/marc/read-marc.ts'
import { controlNumberOf, findControlValue, isDataField, type MarcRecord } from '#formats/marc/record.ts'
import { marcFile, saltRoad } from '../support/records/marc-files.ts'
import { assertProblem } from '../support/records/write-cases.ts'
import { importWithRemarks } from '../support/services/import-file.ts'
import { adminToken, start, type TestService } from '../support/services/start.ts'

/*
 * Publications, authorities and holdings in one file of MARC: a catalogue that imports it has the
 * same records.
 */

const old = await start({ after })
const all = 'include=authorities,holdings'

const books = marcFile({
  ...saltRoad,
  rhymes: '100 1# $aLind, Eva\n245 10 $aRhymes /$cEva Lind.\n852 8# $aGent$bOost$jA 12$p84$xNot shown',
  shelves: `100 1# $aLind, Eva\n245 10 $aShelves /$cEva Lind.
852 8# $81$aGent$jB 1
876 ## $81.1$p91$jLost$tCopy 1
876 ## $81.2$p92$j Here
852 8# $82$aLeuven$jB 2
853 20 $82$av.$i(year)
863 40 $82.1$a1-12$i1990-2001`,
  'rhymes-h': 'LDR/06 x\n004 original\n852 ## $aLeuven$hB 7$p85'
})
const authorities = marcFile({
  lind: 'LDR/06 z\n100 1# $aLind, Eva\n400 1# $aLinde, Eva\n670 ## $aRhymes, 1999\n678 0# $aWrites for children',
  salt: 'LDR/06 z\n150 ## $aSalt\n550 ## $wg$aMinerals\n680 ## $iThe one on tables',
  alone: 'LDR/06 z\n100 1# $aReader, Alone\n400 1# $aR., A.'
})

const importFile = (service: TestService, payload: Buffer | string, type = 'application/octet-stream') =>
  importWithRemarks(service, payload, { query: '?agency=NL-Test', type })

async function exported(query: string, service = old): Promise<MarcRecord[]> {
  const records: MarcRecord[] = []
  for await (const reading of readMarc([await bytesOf(query, service)])) {
    assert.equal(reading.outcome, 'record', query)
    if (reading.outcome === 'record') records.push(reading.record)
  }
  return records
}

async function bytesOf(query: string, service = old): Promise<Buffer> {
  const { statusCode, rawPayload, body } = await service.app.inject({
    method: 'GET',
    url: `/export?${query}`,
    headers: { authorization: `Bearer ${adminToken}` }
  })
  assert.equal(statusCode, 200, body)
  return rawPayload
}

const isHoldings = ({ leader }: MarcRecord) => 'uvxy'.includes(leader[6] ?? '')
const isAuthority = ({ leader }: MarcRecord) => leader[6] === 'z'
const tagsOf = ({ fields }: MarcRecord) => fields.map(({ tag }) => tag)

/** The records of a service, without their ids: relations have the names of their targets. */
async function contentOf(service: TestService): Promise<string[]> {
  const entities: Entity[] = (await service.get('/export?format=ndjson&sources=0')).text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
  const nameOf = ({ type, metadata }: Entity) => [type, ...metadata.map(({ key, value }) => `${key} ${value}`)].sort()
  const byId = new Map(entities.map(each => [each.id, nameOf(each)]))
  return entities
    .map(each =>
      JSON.stringify([
        ...nameOf(each),
        ...each.relations.map(({ type, key, metadata = [] }) => [type, byId.get(key), metadata].flat().sort()).sort()
      ])
    )
    .sort()
}

interface Entity {
  readonly id: string
  readonly type: string
  readonly metadata: readonly { readonly key: string; readonly value: unknown }[]
  readonly relations: readonly { readonly type: string; readonly key: string; readonly metadata?: unknown[] }[]
}

async function one(type: string, key: string, value: string): Promise<Entity> {
  const { body } = await old.filter([
    { type: 'type', value: type },
    { type: 'selection', key: [key], value, match_exact: true }
  ])
  assert.equal(body.count, 1, value)
  return body.results[0]
}

const edit = async ({ id }: Entity, key: string, value: string) =>
  assert.equal((await old.patch(`/entities/${id}`, { metadata: [{ key, value }] })).status, 200)

describe('An export of publications, authorities and holdings in one file', () => {
  before(async () => {
    for (const file of [books, authorities]) assert.deepEqual((await importFile(old, file)).remarks, [])
    await edit(await one('manifestation', 'title', 'Rhymes'), 'extent', '24 p.')
    await edit(await one('person', 'name', 'Lind, Eva'), 'biography', 'Writes for children, and for others')
    await edit(await one('item', 'barcode', '92'), 'status', 'On loan')
    const [library, host] = [
      await one('library', 'code', 'Leuven'),
      await one('manifestation', 'title', 'The ferry house')
    ]
    await old.create({
      type: 'item',
      metadata: [
        { key: 'shelf_mark', value: 'C 3' },
        { key: 'volume', value: 'v. 2' }
      ],
      relations: [
        { type: 'refManifestation', key: host.id },
        { type: 'refLibrary', key: library.id }
      ]
    })
  })

  it('has each copy in a holdings record, which names its publication by its number', async () => {
    for (const format of ['marc21', 'marcxml', 'marcjson', 'mrk']) {
      const records = await exported(`format=${format}&${all}`)
      let publication: MarcRecord | undefined
      const holdings = records.filter(isHoldings)
      assert.equal(holdings.length, 5, format)
      for (const each of records) {
        if (!isHoldings(each)) {
          publication = each
          assert.ok(!tagsOf(each).some(tag => tag === '852' || tag === '876'), format)
          continue
        }
        assert.equal(findControlValue(each, '004'), publication && controlNumberOf(publication))
        assert.equal(findControlValue(each, '003'), publication && findControlValue(publication, '003'))
        assert.equal(tagsOf(each).filter(tag => tag === '852').length, 1)
        const isMade = controlNumberOf(each)?.startsWith('IT-')
        assert.equal(findControlValue(each, '008')?.length, isMade ? 32 : 40)
      }
      const text = JSON.stringify(holdings)
      for (const kept of ['Not shown', 'Copy 1', 'On loan', '1-12', '(year)', 'C 3'])
        assert.ok(text.includes(kept), kept)
    }
  })

  it('has each authority once: all of them, or those that the publications name', async () => {
    const namesIn = (records: readonly MarcRecord[]) =>
      records
        .filter(isAuthority)
        .flatMap(({ fields }) => fields.find(each => isDataField(each) && /^1[0-9]{2}$/.test(each.tag)) ?? [])
        .flatMap(field => (isDataField(field) ? [field.subfields[0]?.value.replace(/,$/, '')] : []))
        .sort()
    const everyone = await exported('format=marcauth')
    const whole = namesIn(await exported(`format=marcxml&${all}`))
    assert.deepEqual(whole, namesIn(everyone))
    assert.equal(new Set(whole).size, whole.length)
    assert.ok(whole.includes('Reader, Alone'))
    const { id } = await one('manifestation', 'title', 'Shelves')
    const part = await exported(`format=marc21&ids=${id}&include=authorities`)
    assert.deepEqual(namesIn(part), ['Lind, Eva'])
    assert.equal(part.filter(each => !isAuthority(each)).length, 1)
    assert.equal((await exported(`format=marcxml&ids=${id}`)).length, 1)
  })

  it('gives another catalogue the same records, with the edits, and changes nothing twice', async t => {
    for (const format of ['marc21', 'marcxml']) {
      const moved = await start(t)
      const file = await bytesOf(`format=${format}&${all}`)
      const { counts, remarks } = await importFile(moved, file)
      assert.deepEqual([counts.unreadable, counts.failed ?? 0, remarks], [0, 0, []])
      assert.deepEqual(await contentOf(moved), await contentOf(old))
      const again = await importFile(moved, file)
      assert.deepEqual([again.counts.created, again.counts.updated, again.counts.deleted], [0, 0, 0])
      assert.deepEqual(await contentOf(moved), await contentOf(old))
    }
  })

  it('adds no copy that was made here where it came from', async () => {
    const before = await contentOf(old)
    const { id } = await one('manifestation', 'title', 'The ferry house')
    const file = await bytesOf(`format=marc21&ids=${id}&${all}`)
    assert.ok(file.includes('C 3'))
    const { counts } = await importFile(old, file)
    assert.deepEqual([counts.created, counts.deleted, counts.unreadable], [0, 0, 0])
    assert.deepEqual(await contentOf(old), before)
  })

  it('is offered for MARC only, by names that are known', async () => {
    for (const [query, said] of [
      ['format=csv&include=holdings', /"csv" cannot include "holdings"; use marc21/],
      ['format=marcxml&include=media', /"marcxml" cannot include "media"; use ndjson/],
      ['format=marcxml&include=holding', /did you mean "holdings"/]
    ] as const) {
      const answer = await old.get(`/export?${query}`)
      assertProblem(answer, 'invalid')
      assert.match(answer.body.detail, said)
    }
  })
})
