import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'

import { marcFile, saltRoad } from '../support/records/marc-files.ts'
import { importWithRemarks, workOn } from '../support/services/import-file.ts'
import { adminToken, start, type TestService } from '../support/services/start.ts'

/*
 * A catalogue that moves by its export in NDJSON: the one that imports the file gives the same MARC
 * as the one that wrote it, and knows the files of both.
 */

const [old, moved] = [await start({ after }), await start({ after })]

const fixture = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url))

const importFile = (service: TestService, payload: Buffer | string, query = '') =>
  importWithRemarks(service, payload, { query, type: 'application/octet-stream' })

async function exported(service: TestService, format: string, token = adminToken): Promise<Buffer> {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await service.app.inject({ method: 'GET', url: `/export?format=${format}`, headers })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.rawPayload
}

interface Line {
  readonly type?: string
  readonly source?: { readonly kind: string; readonly record?: string }
}
const linesOf = (file: Buffer): Line[] =>
  file
    .toString()
    .split('\n')
    .filter(Boolean)
    .map(each => JSON.parse(each))

const books = marcFile({
  ...saltRoad,
  rhymes:
    '084 ## $aHdb.01=c$2kssb\n100 1# $aLind, Eva\n245 10 $aRhymes /$cEva Lind.\n362 0# $aNr 1\n852 ## $aGent$hA 12$p84',
  plain: '245 10 $aRhymes\n100 1# $aLind, E.'
})
const unsure = marcFile({
  dated: '100 1# $aVerhoeven, Mila,$d1911-1984\n245 14 $aThe lighthouse /$cMila Verhoeven.',
  near: '100 1# $aVerhoeven, Mila,$d1911-1984\n245 14 $aThe lighthouses /$cMila Verhoeven.',
  tower: '100 1# $aOkafor, Ben\n245 14 $aThe watchtower /$cBen Okafor.',
  towers: '100 1# $aOkafor, Ben\n245 14 $aThe watchtowers /$cBen Okafor.'
})
const csvMapping = {
  agency: 'NL-Csv',
  columns: {
    nr: 'name',
    naam: { level: 'manifestation', key: 'title' },
    wie: { level: 'work', relation: 'refAuthors', role: 'aut' }
  }
}
const mods = `<modsCollection xmlns="http://www.loc.gov/mods/v3"><mods><titleInfo><title>The quay</title></titleInfo>
  <name type="personal"><namePart>Okafor, Ben</namePart></name><recordInfo><recordIdentifier>m1</recordIdentifier></recordInfo></mods></modsCollection>`
const turtle = `@prefix bf: <http://id.loc.gov/ontologies/bibframe/> .
<http://example.org/i1> a bf:Instance ; bf:title [ a bf:Title ; bf:mainTitle "The lock" ] ;
  bf:instanceOf [ a bf:Work ; bf:contribution [ bf:agent [ <http://www.w3.org/2000/01/rdf-schema#label> "Okafor, Ben" ] ] ] .
`
const holdings = `=LDR  00000nx  a2200000   4500
=001  held
=004  original
=852  \\\\$aLeuven$hB 7$p85
`
const authorities = `=LDR  00000nz  a2200000n  4500
=001  a1
=100  1\\$aRoerdomp, Saar,$d1950-
=400  1\\$aR., S.
`
const query = (name: string, value: unknown) => `?${name}=${encodeURIComponent(JSON.stringify(value))}`

/** The files of the library, each with the options of its import. */
const files: readonly (readonly [name: string, file: Buffer | string, options: string])[] = [
  ['MARC 21', books, '?agency=NL-Test'],
  ['unsure', unsure, '?agency=NL-Test'],
  ['holdings', holdings, '?agency=NL-Test'],
  ['authorities', authorities, ''],
  ['.mrk', fixture('fixtures/marc/made-marc21.mrk'), ''],
  ['UNIMARC', fixture('fixtures/marc/made-unimarc.mrk'), ''],
  ['ONIX', fixture('fixtures/onix/three.xml'), ''],
  ['CSV', 'nr,naam,wie\n1,Het veer,"Okafor, Ben"\n', query('mapping', csvMapping)],
  ['PICA+', '003@ $0123456789\n021A $aDie @Salzstraße\n028A $7gnd/118540238$AVerhoeven$DMila\n', ''],
  ['MODS', mods, ''],
  ['Turtle', turtle, '?format=turtle'],
  [
    'rows',
    fixture('../examples/programmes/schouwburg.csv'),
    query('mapping', JSON.parse(fixture('../examples/programmes/schouwburg-mapping.json').toString()))
  ]
]

/** The MARC of a service, without the times of changes in records that it composes. */
const marcOf = async (service: TestService) =>
  (await exported(service, 'marcxml')).toString().replaceAll(/<controlfield tag="005">[^<]*</g, '')

/** The records of a service: what each is, without the versions and authors of its changes. */
const contentOf = async (service: TestService) =>
  linesOf(await exported(service, 'ndjson&sources=0')).map(line => ({ ...line, version: 0, audit: undefined }))

describe('A catalogue that moves by its export', () => {
  let file: Buffer
  before(async () => {
    for (const [name, each, options] of files) {
      const { counts, remarks } = await importFile(old, each, options)
      // One row of the example is wrong on purpose.
      const isGood = counts.created > 0 && counts.unreadable === (name === 'rows' ? 1 : 0)
      assert.ok(isGood, `${name}: ${JSON.stringify(remarks)}`)
    }
    // People change a publication, an author of another, and merge two works.
    const [rhymes] = await titled(old, 'Rhymes')
    await old.patch(`/entities/${rhymes}`, { metadata: [{ key: 'title', value: 'Rhymes and songs' }] })
    const [lind] = await named(old, 'Lind, Eva')
    await old.patch(`/entities/${lind}`, { metadata: [{ key: 'name', value: 'Lind-Aerts, Eva' }] })
    const [question] = await questions(old)
    assert.equal(
      (await old.post(`/imports/${question?.job}/review`, [{ question: question?.id, verdict: 'same' }])).status,
      200
    )
    file = await exported(old, 'ndjson')
    const { counts, remarks } = await importFile(moved, file)
    assert.deepEqual([counts.unreadable, remarks], [0, []])
    assert.equal(counts.sources, linesOf(file).filter(each => each.source !== undefined).length)
  })

  it('has the same records', async () => {
    assert.deepEqual(await contentOf(moved), await contentOf(old))
  })

  it('gives the same MARC, byte for byte, with edited and unedited records', async () => {
    const text = await marcOf(moved)
    assert.equal(text, await marcOf(old))
    // Unedited records are there as they came.
    const whole = (await exported(moved, 'marc21')).toString()
    const unedited = [books, unsure]
      .flatMap(each => each.toString().split('\u001d'))
      .filter(each => /2nd ed|Ben/.test(each))
    assert.equal(unedited.length, 4)
    for (const record of unedited) assert.ok(whole.includes(record), record)
    for (const said of ['Hdb.01=c', 'Rhymes and songs', 'Lind-Aerts, Eva', 'Nr 1']) assert.ok(text.includes(said), said)
  })

  it('exports the same lines again', async () => {
    const sources = async (service: TestService) =>
      linesOf(await exported(service, 'ndjson')).flatMap(each => each.source ?? [])
    assert.deepEqual(await sources(moved), await sources(old))
  })

  it('has the open review questions', async () => {
    const asked = async (service: TestService) => (await questions(service)).map(each => each.explanation).sort()
    assert.ok((await asked(old)).length > 0)
    assert.deepEqual(await asked(moved), await asked(old))
  })

  it('has the answered questions, and lists none of them twice', async () => {
    const answered = async (service: TestService) =>
      (await questions(service, '?settled=1')).map(each => [each.explanation, each.settled?.verdict])
    assert.equal((await answered(old)).length, 1)
    assert.deepEqual(await answered(moved), await answered(old))
    await importFile(moved, file)
    assert.deepEqual(await answered(moved), await answered(old))
  })

  for (const [name, each, options] of files)
    it(`knows the records of a file that it never had: ${name}`, async () => {
      const { counts } = await importFile(moved, each, options)
      assert.deepEqual([counts.created, counts.updated, counts.deleted], [0, 0, 0])
      assert.ok(counts.unchanged > 0)
    })

  it('changes by the next file like the other one, and keeps the edits of people', async () => {
    const next = Buffer.from(
      books.toString('latin1').replaceAll('2nd ed.', '3rd ed.').replace('Nr 1', 'Nr 2'),
      'latin1'
    )
    const outcomes = await Promise.all([old, moved].map(each => importFile(each, next, '?agency=NL-Test')))
    assert.deepEqual(outcomes[1]?.counts, outcomes[0]?.counts)
    assert.equal(outcomes[1]?.counts.updated, 2)
    assert.deepEqual(await contentOf(moved), await contentOf(old))
    assert.equal(await marcOf(moved), await marcOf(old))
    assert.ok((await marcOf(moved)).includes('Rhymes and songs'))
  })

  it('finds the works of new records among those that came', async () => {
    const third = marcFile({
      third: '100 1# $aVerhoeven, Mila,$d1911-1984\n245 14 $aThe salt road /$cMila Verhoeven.\n250 ## $a4th ed.'
    })
    assert.equal((await importFile(moved, third)).counts.joined_works, 1)
  })

  it('leaves out the sources where that is asked for, and from readers who may not see them', async () => {
    const kinds = async (service: TestService, query: string, token?: string) =>
      new Set(linesOf(await exported(service, query, token)).map(each => each.source?.kind ?? 'entity'))
    assert.deepEqual(
      [...(await kinds(old, 'ndjson'))],
      ['entity', 'record', 'authority', 'holdings', 'row', 'settled', 'answer']
    )
    assert.deepEqual([...(await kinds(old, 'ndjson&sources=0'))], ['entity'])
    assert.deepEqual([...(await kinds(old, 'ndjson', await old.tokenWith('read:manifestation')))], ['entity'])
    const ofPublications = ['manifestation', 'expression', 'work', 'person', 'corporation', 'subject', 'publisher']
    assert.deepEqual(
      [...(await kinds(old, 'ndjson', await old.tokenWith(...ofPublications.map(each => `read:${each}`))))],
      ['entity']
    )
    // A part of the catalogue has the source records of its publications, and the names in them.
    assert.deepEqual([...(await kinds(old, 'ndjson&type=manifestation'))], ['entity', 'authority', 'record'])
    assert.deepEqual([...(await kinds(old, 'ndjson&type=person'))], ['entity'])
  })

  it('is empty again after an undo, and takes the file a second time', async t => {
    const service = await start(t)
    const { id } = await importFile(service, file)
    assert.equal((await service.post(`/imports/${id}/undo`, undefined)).status, 202)
    await workOn(service, id)
    assert.deepEqual(linesOf(await exported(service, 'ndjson')), [])
    assert.equal((await importFile(service, books, '?agency=NL-Test')).counts.created, 6)
  })

  it('previews the file, takes the entities of an older export, and says which lines do not fit', async t => {
    const service = await start(t)
    const preview = await importFile(service, file, '?preview=1')
    assert.equal(preview.counts.unreadable, 0)
    assert.deepEqual(linesOf(await exported(service, 'ndjson')), [])
    const lines = file.toString().split('\n').filter(Boolean)
    const sources = lines.filter(each => each.startsWith('{"source"'))
    const [first = ''] = sources
    const { source } = JSON.parse(first)
    const early = await importFile(service, `${first}\n`, '?format=ndjson')
    assert.match(early.remarks[0].remarks.join(), /There is no record "M-/)
    const older = await importFile(service, lines.filter(each => !each.startsWith('{"source"')).join('\n'))
    assert.deepEqual([older.counts.unreadable, older.counts.sources], [0, 0])
    const wrong: readonly (readonly [unknown, RegExp])[] = [
      [7, /source\/kind: Must be one of/],
      [{ kind: 'toString' }, /source\/kind: Must be one of/],
      [{ ...source, works: 'none' }, /source\/works: must be array/],
      [{ ...source, more: 1 }, /source.*more|additional/],
      [{ ...source, bytes: '!' }, /source\/bytes: Not a record in the format "iso2709"/],
      [{ ...source, format: 'ndjson' }, /source\/bytes: Not a record in the format "ndjson"/],
      [{ ...source, options: { items: { x: 1 } } }, /source\/options: /],
      [{ ...source, manifestation_id: source.works[0].work_id }, /is a work_word, not a manifestation/],
      [{ kind: 'row', key: 'id 1', id: source.manifestation_id, metadata: [{}], relations: [] }, /source\/metadata\/0/],
      [{ ...source, record: 'a\0b' }, /NUL/]
    ]
    for (const [given, message] of wrong) {
      const done = await importFile(service, `${JSON.stringify({ source: given })}\n`, '?format=ndjson')
      assert.deepEqual([done.counts.unreadable, done.counts.sources], [1, 0], JSON.stringify(given)?.slice(0, 80))
      assert.match(done.remarks[0].remarks.join(), message)
    }
    const taken = await importFile(service, sources.join('\n'), '?format=ndjson')
    assert.deepEqual([taken.counts.unreadable, taken.counts.sources], [0, sources.length])
  })
})

interface ListedQuestion {
  readonly job: string
  readonly id: string
  readonly explanation: string
  readonly settled?: { readonly verdict: string }
}

/** The review questions of all imports, by default the open ones. */
async function questions(service: TestService, query = ''): Promise<ListedQuestion[]> {
  const { body: imports } = await service.get('/imports')
  const pages = imports.map(async ({ id: job }: { id: string }) =>
    (await service.get(`/imports/${job}/review${query}`)).body.questions.map((each: object) => ({ ...each, job }))
  )
  return (await Promise.all(pages)).flat()
}

async function titled(service: TestService, title: string): Promise<string[]> {
  const { body } = await service.filter([
    { type: 'type', value: 'manifestation' },
    { type: 'selection', key: ['title'], value: title, match_exact: true }
  ])
  return body.results.map((each: { id: string }) => each.id)
}

async function named(service: TestService, name: string): Promise<string[]> {
  const { body } = await service.filter([
    { type: 'type', value: 'person' },
    { type: 'selection', key: ['name'], value: name, match_exact: true }
  ])
  return body.results.map((each: { id: string }) => each.id)
}
