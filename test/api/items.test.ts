import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { readMarc } from '#formats/marc/read-marc.ts'
import { isDataField, type MarcField } from '#formats/marc/record.ts'
import { marcFile } from '../support/records/marc-files.ts'
import { importPayload, workOn } from '../support/services/import-file.ts'
import { adminToken, start } from '../support/services/start.ts'
import { assertValid } from '../support/oracles/validate-xml.ts'

/* Copies that libraries hold: items of MARC records and of holdings records. */

const service = await start({ after })

interface Item {
  readonly id: string
  readonly metadata: Readonly<Record<string, { readonly value: string; readonly values?: readonly string[] }>>
  readonly relations: Readonly<Record<string, { readonly type: string; readonly value: string; readonly code: string }>>
}

const importFile = (payload: Buffer | string, query = '') => importPayload(service, payload, { query })

async function undo(id: string) {
  assert.equal((await service.post(`/imports/${id}/undo`, undefined)).status, 202)
  await workOn(service, id)
}

const itemsOf = async (id: string): Promise<Item[]> => (await service.get(`/entities/wem/${id}?items=1`)).body.items

const plain = ({ metadata, relations }: Item): Record<string, unknown> => ({
  ...Object.fromEntries(Object.entries(metadata).map(([key, { value, values }]) => [key, values ?? value])),
  ...(Object.keys(relations).length === 0 ? {} : { library: Object.values(relations).map(({ code }) => code)[0] })
})

async function titled(title: string): Promise<string> {
  const { body } = await service.filter([
    { type: 'type', value: 'manifestation' },
    { type: 'selection', key: ['title'], value: title, match_exact: true }
  ])
  assert.equal(body.count, 1, title)
  return body.results[0].id
}

const lineOf = (field: MarcField) =>
  isDataField(field)
    ? `${field.tag} ${field.subfields.map(({ code, value }) => `$${code}${value}`).join('')}`
    : `${field.tag} ${field.value}`

async function marcOf(id: string): Promise<string[]> {
  const { text } = await service.get(`/entities/${id}?format=marcxml`)
  for await (const reading of readMarc([Buffer.from(text)], { form: 'marcxml' }))
    if (reading.outcome === 'record') return reading.record.fields.map(lineOf)
  return []
}

const shelf = {
  tide: `245 10 $aThe tide
852 0# $81$aBE-GNT$bWest$cReading room$hPZ 3$i.T5$zSigned by the author
852 0# $82$aBE-GNT$bOost$hPZ 3$p7001
876 ## $81.1$p5001$jAvailable$3vol. 1
876 ## $81.2$p5002$jOn loan$3vol. 2`,
  plain: '245 10 $aA plain book'
}

describe('The items of MARC records', () => {
  it('are read from 852, with those of 876 that belong to it', async () => {
    const job = await importFile(marcFile(shelf))
    assert.deepEqual([job.counts.created, job.counts.unreadable], [2, 0])
    assert.deepEqual(job.entities.item, { created: 3, updated: 0, deleted: 0 })
    const west = {
      library: 'BE-GNT/West',
      location: 'Reading room',
      shelf_mark: 'PZ 3 .T5',
      note: 'Signed by the author'
    }
    assert.deepEqual((await itemsOf(await titled('The tide'))).map(plain), [
      { ...west, barcode: '5001', volume: 'vol. 1', status: 'Available' },
      { ...west, barcode: '5002', volume: 'vol. 2', status: 'On loan' },
      { library: 'BE-GNT/Oost', shelf_mark: 'PZ 3', barcode: '7001' }
    ])
  })

  it('stand beside the WEM only where they are asked for, and in the tree', async () => {
    const id = await titled('The tide')
    const [{ body: wem }, { body: more }] = [
      await service.get(`/entities/wem/${id}`),
      await service.get(`/entities/wem/${id}?items=1`)
    ]
    assert.deepEqual(Object.keys(wem), ['work', 'expression', 'manifestation'])
    const { items, ...rest } = more
    assert.deepEqual(rest, wem)
    const { body: entity } = await service.get(`/entities/${id}?resolve=1`)
    const [expressionId] = entity.relations.filter((each: { type: string }) => each.type === 'refExpressions')
    const { body: expression } = await service.get(`/entities/${expressionId.key}`)
    const tree = await service.get(`/entities/${expression.relations[0].key}/tree?items=1`)
    assert.deepEqual(tree.body.expressions[0].manifestations[0].items, items)
    const without = await service.get(`/entities/${expression.relations[0].key}/tree`)
    assert.equal(without.body.expressions[0].manifestations[0].items, undefined)
    assert.equal((await service.get(`/entities/wem/${id}?items=1&version=1`)).status, 400)
  })

  it('find the publications at a branch, and count them', async () => {
    await importFile(marcFile({ sea: '245 10 $aThe sea\n852 ## $aBE-GNT$bOost$p7002\n852 ## $aBE-GNT$bOost$p7003' }))
    const key = 'referring.ref_manifestation.ref_library.value'
    const books = [{ type: 'type', value: 'manifestation' }]
    const { facets } = (await service.filter(books, `?facets=${key}`)).body
    assert.deepEqual(
      facets[key].map(({ label, count }: { label: string; count: number }) => [label, count]),
      [
        ['BE-GNT/Oost', 2],
        ['BE-GNT/West', 1]
      ]
    )
    const at = async (value: string) =>
      (await service.filter([...books, { type: 'selection', key: [key], value, match_exact: true }])).body.count
    assert.deepEqual([await at(facets[key][0].value), await at(facets[key][1].value)], [2, 1])
    const byBarcode = [{ type: 'selection', key: ['referring.ref_manifestation.barcode.value'], value: '5002' }]
    assert.deepEqual(
      (await service.filter(byBarcode)).body.results.map(({ id }: { id: string }) => id),
      [await titled('The tide')]
    )
    const unknown = await service.get('/entities?facets=referring.ref_manifestation.barcode.value')
    assert.equal(unknown.status, 400)
  })

  it('do not exist for a token that may not read them', async () => {
    const token = await service.tokenWith('read:manifestation', 'read:expression', 'read:work', 'read:library')
    const id = await titled('The tide')
    const get = (url: string) => service.get(url, { token })
    assert.deepEqual((await get(`/entities/wem/${id}?items=1`)).body.items, [])
    const key = 'referring.ref_manifestation.ref_library.value'
    assert.deepEqual((await get(`/entities?facets=${key}&envelope=1`)).body.facets[key], [])
    const byBarcode = [{ type: 'selection', key: ['referring.ref_manifestation.barcode.value'], value: '5002' }]
    assert.equal((await service.post('/entities/filter', byBarcode, { token })).body.count, 0)
    assert.doesNotMatch((await get(`/entities/${id}?format=marcxml`)).text, /5002/)
  })

  it('are those of local fields by a mapping', async () => {
    const local = {
      local: '245 10 $aLocal\n852 ## $aElsewhere\n949 ## $aD 531$i3000$lCIR$mHUNT\n949 ## $aD 532$i3001$mHUNT'
    }
    await importFile(marcFile(local))
    const id = await titled('Local')
    assert.deepEqual((await itemsOf(id)).map(plain), [{ library: 'Elsewhere' }])
    const mapping = { '949': { a: 'shelf_mark', i: 'barcode', l: 'location', m: 'library' } }
    const again = await importFile(marcFile(local), `?items=${encodeURIComponent(JSON.stringify(mapping))}`)
    assert.equal(again.counts.updated, 1)
    assert.deepEqual((await itemsOf(id)).map(plain), [
      { library: 'HUNT', shelf_mark: 'D 531', location: 'CIR', barcode: '3000' },
      { library: 'HUNT', shelf_mark: 'D 532', barcode: '3001' }
    ])
    // Alma and Aleph write codes in capital letters.
    const alma = await importFile(
      marcFile({ alma: '245 10 $aAlma\nITM ## $MHUNT$b3002$cD 533' }),
      `?items=${encodeURIComponent('{"ITM":{"M":"library","b":"barcode","c":"shelf_mark"}}')}`
    )
    assert.equal(alma.counts.created, 1)
    assert.deepEqual((await itemsOf(await titled('Alma'))).map(plain), [
      { library: 'HUNT', shelf_mark: 'D 533', barcode: '3002' }
    ])
    for (const wrong of ['{', '[]', '{"001":{"a":"barcode"}}', '{"949":{"ab":"barcode"}}', '{"949":{"a":"price"}}']) {
      const { statusCode } = await service.app.inject({
        method: 'POST',
        url: `/imports?items=${encodeURIComponent(wrong)}`,
        headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/marc' },
        payload: marcFile(local)
      })
      assert.equal(statusCode, 400, wrong)
    }
  })

  it('of local fields are changed where they stand, and keep what the mapping does not name', async () => {
    const mapping = { '952': { a: 'library', c: 'location', o: 'shelf_mark', p: 'barcode', z: 'note' } }
    const lines = `245 10 $aKoha
952 ## $aCPL$bCPL$cGEN$d2020-01-01$oD 541$p4001$yBK$zOld note
952 ## $aCPL$bCPL$oD 542$p4002$yCR$8REF
952 ## $aCPL$bCPL$oD 543$p4003$yBK`
    await importFile(marcFile({ koha: lines }), `?items=${encodeURIComponent(JSON.stringify(mapping))}`)
    const id = await titled('Koha')
    const [first, second, third] = await itemsOf(id)
    const branch = await service.create({
      type: 'library',
      metadata: [
        { key: 'code', value: 'MPL' },
        { key: 'name', value: 'M' }
      ]
    })
    const edit = async (item: Item | undefined, body: unknown) =>
      assert.equal((await service.patch(`/entities/${item?.id}`, body)).status, 200)
    const before = await marcOf(id)
    await edit(first, { metadata: [{ key: 'shelf_mark', value: 'D 600' }] })
    await edit(first, {
      metadata: [
        { key: 'note', value: '' },
        { key: 'location', value: 'REF' }
      ]
    })
    await edit(second, { metadata: [{ key: 'note', value: 'Signed' }] })
    const { body } = await service.get(`/entities/${second?.id}`)
    const relations = body.relations.map((each: { type: string }) =>
      each.type === 'refLibrary' ? { type: each.type, key: branch.id } : each
    )
    assert.equal((await service.put(`/entities/${second?.id}`, { ...body, relations })).status, 200)
    await service.delete(`/entities/${third?.id}`)
    const local = (line: string) => line.startsWith('952')
    const after = await marcOf(id)
    assert.deepEqual(after.filter(local), [
      '952 $aCPL$bCPL$cREF$d2020-01-01$oD 600$p4001$yBK',
      '952 $aMPL$bCPL$oD 542$p4002$yCR$8REF$zSigned'
    ])
    const others = (list: string[]) => list.filter(each => !local(each) && !each.startsWith('005'))
    assert.deepEqual(others(after), others(before))
    // A value without a subfield in the mapping is written in 876.
    await edit(first, { metadata: [{ key: 'status', value: 'Lost' }] })
    assert.ok((await marcOf(id)).some(each => each.startsWith('876') && each.includes('$jLost')))
  })

  it('keep the edits of people, and are deleted with their record', async () => {
    const id = await titled('The tide')
    const [first] = await itemsOf(id)
    await service.patch(`/entities/${first?.id}`, { metadata: [{ key: 'status', value: 'Lost' }] })
    const job = await importFile(marcFile({ tide: shelf.tide.replace('PZ 3$i.T5', 'PZ 4').replace('7001', '7009') }))
    assert.deepEqual(job.entities.item, { created: 1, updated: 2, deleted: 1 })
    const items = await itemsOf(id)
    assert.deepEqual(
      items.map(plain).map(({ shelf_mark, status, barcode }) => [shelf_mark, status, barcode]),
      [
        ['PZ 4', 'Lost', '5001'],
        ['PZ 4', 'On loan', '5002'],
        ['PZ 3', undefined, '7009']
      ]
    )
    await undo(job.id)
    assert.deepEqual(
      (await itemsOf(id)).map(plain).map(({ shelf_mark, status, barcode }) => [shelf_mark, status, barcode]),
      [
        ['PZ 3 .T5', 'Lost', '5001'],
        ['PZ 3 .T5', 'On loan', '5002'],
        ['PZ 3', undefined, '7001']
      ]
    )
    const { id: made } = await importFile(marcFile({ gone: '245 10 $aSoon gone\n852 ## $aShortlived$p1' }))
    const gone = await titled('Soon gone')
    const [item] = await itemsOf(gone)
    await undo(made)
    assert.equal((await service.get(`/entities/${gone}`)).status, 404)
    assert.equal((await service.get(`/entities/${item?.id}`)).status, 404)
  })

  it('are exported: as they came where nothing changed, and with what changed otherwise', async () => {
    const id = await titled('The tide')
    const [lost] = await itemsOf(id)
    const fields = (await marcOf(id)).filter(line => /^8[57]/.test(line))
    assert.deepEqual(fields, [
      '852 $81$aBE-GNT$bWest$cReading room$hPZ 3$i.T5$zSigned by the author',
      '852 $82$aBE-GNT$bOost$hPZ 3$p7001',
      '876 $81.1$p5001$jLost$3vol. 1',
      '876 $81.2$p5002$jOn loan$3vol. 2'
    ])
    const mods = await service.get('/export?format=mods')
    assert.match(mods.text, /<physicalLocation>BE-GNT\/West<\/physicalLocation>/)
    assert.match(mods.text, /<shelfLocator>PZ 3 .T5<\/shelfLocator>/)
    await assertValid(mods.text)
    const turtle = await service.get(`/entities/${lost?.id}?format=turtle`)
    assert.match(turtle.text, /bf:itemOf/)
    assert.match(turtle.text, /bf:heldBy/)
    const { id: bare } = (
      await service.post('/entities', {
        type: 'item',
        metadata: [{ key: 'barcode', value: '9000' }],
        relations: [{ type: 'refManifestation', key: await titled('A plain book') }]
      })
    ).body
    assert.ok((await marcOf(await titled('A plain book'))).includes('852 $p9000'))
    await service.delete(`/entities/${bare}`)
    assert.equal(
      (await marcOf(await titled('A plain book'))).some(line => line.startsWith('852')),
      false
    )
  })
})

describe('Holdings records', () => {
  const holdings = {
    h1: 'LDR/06 x\n004 tide\n852 ## $aBE-BRU$bNoord$hT 12$p8001',
    h2: 'LDR/06 y\n004 nobody\n852 ## $aBE-BRU$p8002',
    h3: 'LDR/06 x\n852 ## $aBE-BRU$p8003'
  }

  it('give items to the publication that they name, and say which they cannot place', async () => {
    const job = await importFile(marcFile(holdings))
    assert.deepEqual([job.counts.created, job.counts.unreadable], [1, 2])
    const remarks = (await service.get(`/imports/${job.id}/remarks`)).body
    assert.match(remarks[0].remarks.join(), /no record "nobody"/)
    assert.match(remarks[1].remarks.join(), /without the number of its publication/)
    const id = await titled('The tide')
    assert.deepEqual((await itemsOf(id)).map(plain).at(-1), {
      library: 'BE-BRU/Noord',
      shelf_mark: 'T 12',
      barcode: '8001'
    })
    assert.ok((await marcOf(id)).includes('852 $aBE-BRU$bNoord$hT 12$p8001'))
    const again = await importFile(marcFile({ h1: holdings.h1 }))
    assert.deepEqual([again.counts.unchanged, again.counts.updated], [1, 0])
  })

  it('belong to the publication right before them where they name none, as in answers of SRU', async () => {
    const answer = Buffer.concat([
      marcFile({ sru: '003 DE-600\n245 10 $aJournal of tides' }),
      marcFile({ s1: 'LDR/06 y\n852 ## $aDE-1$p9001', s2: 'LDR/06 y\n852 ## $aDE-12$p9002' })
    ])
    const job = await importFile(answer)
    assert.deepEqual([job.counts.created, job.counts.unreadable], [3, 0])
    assert.deepEqual((await itemsOf(await titled('Journal of tides'))).map(plain), [
      { library: 'DE-1', barcode: '9001' },
      { library: 'DE-12', barcode: '9002' }
    ])
  })

  it('change, and are undone', async () => {
    const id = await titled('The tide')
    const before = await itemsOf(id)
    const changed = await importFile(marcFile({ h1: holdings.h1.replace('T 12', 'T 13') }))
    assert.equal(changed.counts.updated, 1)
    assert.equal(plain((await itemsOf(id)).at(-1) as Item).shelf_mark, 'T 13')
    await undo(changed.id)
    assert.deepEqual(await itemsOf(id), before)
    // A publication whose holdings came with another file stays.
    const both = await importFile(marcFile({ both: '245 10 $aBoth', h9: 'LDR/06 x\n004 both\n852 ## $aBE-BRU$p8009' }))
    assert.equal(both.counts.created, 2)
    const made = await titled('Both')
    assert.equal((await itemsOf(made)).length, 1)
    await undo(both.id)
    assert.equal((await service.get(`/entities/${made}`)).status, 404)
  })
})
