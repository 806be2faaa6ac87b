import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { marcFile } from '../support/records/marc-files.ts'
import { importPayload } from '../support/services/import-file.ts'
import { start } from '../support/services/start.ts'

/* Holdings in words, of publications in parts and of electronic ones, and the order of shelves. */

const service = await start({ after }, { PUBLIC_URL: 'https://catalogue.example.org', ANONYMOUS_ACCESS: 'read' })

const serial = (name: string, holdings: string) => ({
  [name]: `LDR/07 s\n022 ## $a2049-3630\n245 00 $aJournal of ${name}`,
  [`${name}-h`]: `LDR/06 y\n004 ${name}\n852 ## $aNorth$cStacks$jPer 12\n${holdings}`
})

interface Item {
  readonly id: string
  readonly metadata: readonly { readonly key: string; readonly value: unknown }[]
}

/** The values of the item that a holdings record gives, by its key. */
async function heldOf(name: string, holdings: string): Promise<Readonly<Record<string, unknown[]>>> {
  const job = await importPayload(service, marcFile(serial(name, holdings)))
  assert.equal(job.state, 'done')
  const { body } = await service.filter([
    { type: 'search', value: `journal ${name}` },
    { type: 'type', value: 'item' }
  ])
  const items: Item[] = body.results
  assert.equal(items.length, 1, name)
  const entries = Object.entries(Object.groupBy(items[0]?.metadata ?? [], ({ key }) => key))
  return Object.fromEntries(entries.map(([key, own = []]) => [key, own.map(({ value }) => value)]))
}

const captions = '853 20 $81$av.$bno.$i(year)$j(month)'

describe('A holdings record', () => {
  const cases = {
    runs: ['863 40 $81.1$a1-12$i1990-2001', 'v.1 (1990)-v.12 (2001)'],
    open: ['863 40 $81.1$a5-$i1994-', 'v.5 (1994)-'],
    single: ['863 40 $81.1$a3$b4$i1992$j07', 'v.3:no.4 (1992/07)'],
    gaps: ['863 40 $81.1$a1-2$i1990-1991\n863 40 $81.2$a4$i1993', 'v.1 (1990)-v.2 (1991), v.4 (1993)'],
    years: ['863 40 $81.1$i1990-2001', '1990-2001'],
    told: ['863 40 $81.1$a1-12$i1990-2001\n866 #0 $80$a1 to 12, all', '1 to 12, all']
  } as const

  it('says in words which volumes and years there are', async () => {
    for (const [name, [fields, words]] of Object.entries(cases))
      assert.deepEqual((await heldOf(name, `${captions}\n${fields}`)).volume, [words], name)
  })

  it('says which supplements and indexes there are, each with its title', async () => {
    const fields = `${captions}
854 20 $82$av.$oSupplement
863 40 $81.1$a1-2
864 40 $82.1$a1
865 41 $83.1$a1-2$oIndex`
    assert.deepEqual((await heldOf('supplements', fields)).volume, ['v.1-v.2, Supplement: v.1, Index: 1-2'])
  })

  it('of an electronic resource has its address, its coverage and its licence', async () => {
    const held = await heldOf('access', '856 40 $uhttps://example.org/j$31998 to 2004\n845 ## $aMembers only')
    assert.deepEqual(held.link, ['https://example.org/j'])
    assert.deepEqual(held.volume, ['1998 to 2004'])
    assert.deepEqual(held.licence, ['Members only'])
    const { body } = await service.filter([
      { type: 'search', value: 'journal access' },
      { type: 'type', value: 'manifestation' }
    ])
    const { id } = body.results[0]
    const page = (await service.get(`/record/${id}`, { token: undefined })).text
    for (const words of ['href="https://example.org/j"', '1998 to 2004', 'Members only'])
      assert.ok(page.includes(words))
    const marc = (await service.get(`/entities/${id}?format=marcxml`)).text
    assert.match(marc, /<subfield code="u">https:\/\/example\.org\/j</)
    assert.match(marc, /<subfield code="h">Members only</)
    assert.doesNotMatch(JSON.stringify(body.results[0].metadata), /Members only/)
  })
})

describe('A holdings record that was imported', () => {
  const lines = `004 kept
852 1# $aNorth$cStacks$hPer$i12$xBought
853 20 $81$av.$bno.$i(year)$j(month)
854 20 $82$av.$oSupplement
863 40 $81.1$a1-12$i1990-2001$xBound
864 40 $82.1$a1$zTorn
583 ## $aChecked$c2020`
  const linesIn = (text: string) =>
    text
      .split(/\r?\n/)
      .filter(line => line.startsWith('='))
      .map(line =>
        line.startsWith('=00') ? line.replace(/^=(...) */, '$1 ') : line.replace(/^=(...) {2}(..)/, '$1 $2 ')
      )
      .map(line => line.replaceAll('\\', '#'))
  const held = (text: string) => linesIn(text).filter(line => /^(?:8[5-7]|583)/.test(line))
  const publication = async (name: string) => {
    const { body } = await service.filter([
      { type: 'search', value: `journal ${name}` },
      { type: 'type', value: 'manifestation' }
    ])
    return body.results[0].id
  }
  const itemsOf = async (id: string) => (await service.get(`/entities/wem/${id}?items=1`)).body.items
  const exported = async (id: string, query = '') => (await service.get(`/export?format=mrk&ids=${id}${query}`)).text
  const recordsOf = async (id: string) => (await exported(id, '&include=holdings')).split('=LDR').slice(1)
  const kept = lines.split('\n').filter(line => /^8/.test(line))

  it('comes out as it came in, in a record of its own and in that of its publication', async () => {
    const shelf = { kept: 'LDR/07 s\n245 00 $aJournal of kept', 'kept-h': `LDR/06 y\n${lines}` }
    await importPayload(service, marcFile(shelf))
    const id = await publication('kept')
    assert.deepEqual(held(await exported(id)), kept)
    const own = (await recordsOf(id)).at(-1) ?? ''
    assert.deepEqual(held(own), ['583 ## $aChecked$c2020', ...kept])
    for (const line of ['001 kept-h', '004 kept']) assert.ok(linesIn(own).includes(line), line)
    const again = await importPayload(service, marcFile(shelf))
    assert.deepEqual([again.counts.unchanged, again.counts.updated], [2, 0])
    const changed = await importPayload(service, marcFile({ 'kept-h': `LDR/06 y\n${lines.replace('2020', '2021')}` }))
    assert.equal(changed.counts.updated, 1)
    assert.match(await exported(id, '&include=holdings'), /\$c2021/)
  })

  it('has the edits of its copies, and stands beside other copies', async () => {
    const id = await publication('kept')
    const [item] = await itemsOf(id)
    await service.patch(`/entities/${item.id}`, { metadata: [{ key: 'shelf_mark', value: 'Per 13' }] })
    assert.deepEqual(held(await exported(id)), [kept[0]?.replace('$i12', '$i13'), ...kept.slice(1)])
    await service.create({
      type: 'item',
      metadata: [{ key: 'shelf_mark', value: 'X 1' }],
      relations: [{ type: 'refManifestation', key: id }]
    })
    const beside = held(await exported(id))
    assert.deepEqual(beside, [
      '852 1# $81$aNorth$cStacks$hPer$i13$xBought',
      '852 8# $jX 1',
      '853 20 $81$av.$bno.$i(year)$j(month)',
      '854 20 $81$av.$oSupplement',
      '863 40 $81.1$a1-12$i1990-2001$xBound',
      '864 40 $81.1$a1$zTorn'
    ])
    const apart = await recordsOf(id)
    assert.equal(apart.length, 3)
    assert.deepEqual(held(apart[0] ?? ''), [])
    assert.ok(held(apart[1] ?? '').includes('854 20 $82$av.$oSupplement'))
    assert.deepEqual(held(apart[2] ?? ''), ['852 8# $jX 1'])
    await service.delete(`/entities/${item.id}`)
    assert.deepEqual(held(await exported(id)), ['852 8# $jX 1'])
    assert.equal((await recordsOf(id)).length, 2)
  })
})

describe('A shelf', () => {
  const marks = ['Per 2', 'Per 10', 'QA9 .C5', 'QA76.1 .B25', 'QA76.1 .B3', 'QA76.9 .A1']
  const classes = { zinc: '546.661', air: '84', tin: '546.7', gold: '546.66 Au 9', lead: '546.66 Au 12' }

  it('is browsed in the order of its marks, by the interface', async () => {
    const library = await service.create({ type: 'library', metadata: [{ key: 'name', value: 'Shelves' }] })
    const host = (await service.filter([{ type: 'type', value: 'manifestation' }])).body.results[0].id
    for (const mark of marks.toReversed())
      await service.create({
        type: 'item',
        metadata: [{ key: 'shelf_mark', value: mark }],
        relations: [
          { type: 'refManifestation', key: host },
          { type: 'refLibrary', key: library.id }
        ]
      })
    const onShelf = [{ type: 'selection', key: ['relations.refLibrary.key'], value: [library.id] }]
    const markOf = ({ metadata }: Item) => metadata[0]?.value
    const { body } = await service.filter(onShelf, '?order_by=shelf_order&asc=1')
    assert.deepEqual(body.results.map(markOf), marks)
    const narrowed = [...onShelf, { type: 'text', key: 'shelf_mark', value: 'QA76*' }]
    const part = await service.filter(narrowed, '?order_by=shelf_order&asc=1')
    assert.deepEqual(part.body.results.map(markOf), marks.slice(3))
  })

  it('is browsed by readers in the order of class numbers', async () => {
    const records = Object.entries(classes).map(([name, number]) => [
      name,
      `082 04 $a${number}\n245 00 $aMetals: ${name}`
    ])
    await importPayload(service, marcFile(Object.fromEntries(records)))
    const page = await service.get('/find?q=metals&type=manifestation&sort=shelf', { token: undefined })
    const titles = [...page.text.matchAll(/Metals: (\w+)/g)].map(([, name]) => name)
    assert.deepEqual([...new Set(titles)], ['air', 'gold', 'lead', 'zinc', 'tin'])
  })
})
