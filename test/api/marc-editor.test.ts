import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { writeIso2709 } from '#formats/marc/iso2709.ts'
import { writeMarcXml } from '#formats/marc/marcxml.ts'
import { readMarc } from '#formats/marc/read-marc.ts'
import type { MarcRecord } from '#formats/marc/record.ts'
import { marcFile } from '../support/records/marc-files.ts'
import { importPayload, workOn } from '../support/services/import-file.ts'
import { start } from '../support/services/start.ts'

/* Records that are begun in the MARC editor, and the interface that the editor uses. */

const service = await start({ after })
const { get } = service

interface MarcJson {
  leader: string
  fields: Record<string, string | { ind1: string; ind2: string; subfields: Record<string, string>[] }>[]
}

/** A record in MARC-in-JSON, from lines such as `245 10 $aTitle`. */
function marc(lines: string, leader = '00000nam a2200000   4500'): MarcJson {
  const fields = lines.split('\n').map(line => {
    const [tag, rest] = [line.slice(0, 3), line.slice(4)]
    if (tag.startsWith('00')) return { [tag]: rest }
    const subfields = rest
      .slice(4)
      .split('$')
      .map(each => ({ [each.slice(0, 1)]: each.slice(1) }))
    return { [tag]: { ind1: rest[0]?.replace('#', ' ') ?? ' ', ind2: rest[1]?.replace('#', ' ') ?? ' ', subfields } }
  })
  return { leader, fields }
}

const types = { json: 'application/marc+json', xml: 'application/marcxml+xml', iso: 'application/marc' } as const

const create = (body: unknown, query = '', more: { token?: string; headers?: Record<string, string> } = {}) =>
  service.post(`/entities${query}`, body, {
    ...more,
    headers: { 'content-type': types.json, ...more.headers }
  })

const toRecord = async (given: MarcJson): Promise<MarcRecord> => {
  for await (const reading of readMarc([Buffer.from(JSON.stringify(given))], { form: 'json' }))
    if (reading.outcome === 'record') return reading.record
  assert.fail('no record')
}
const fieldOf = (record: { metadata: { key: string; value: unknown }[] }, key: string) =>
  record.metadata.find(each => each.key === key)?.value
const entity = async (id: string) => (await get(`/entities/${id}`)).body
const sourceOf = async (id: string): Promise<MarcJson> => (await get(`/entities/${id}/source`)).body
const outcomesIn = (answer: { body: { records: { type: string; outcome: string }[] } }) =>
  answer.body.records.map(each => `${each.type} ${each.outcome}`)
const workOf = async (id: string): Promise<string> => {
  const related = (of: { relations: { type: string; key: string }[] }, type: string) =>
    of.relations.find(each => each.type === type)?.key ?? ''
  return related(await entity(related(await entity(id), 'refExpressions')), 'refWork')
}

describe('A new record in MARC', () => {
  const dyke = (name: string) =>
    `100 1# $aVerhoeven, Mila,$d1911-1984\n245 14 $aThe ${name} :$ba novel /$cMila Verhoeven.\n264 #1 $aGent :$bDe Kade,$c1951.`

  it('becomes a publication with its text, work and author, in each form of MARC', async () => {
    const bodies = {
      json: marc(dyke('dyke in json')),
      xml: writeMarcXml(await toRecord(marc(dyke('dyke')))),
      iso: writeIso2709(await toRecord(marc(dyke('dyke in iso'))))
    }
    for (const [form, body] of Object.entries(bodies)) {
      const answer = await create(body, '', { headers: { 'content-type': types[form as keyof typeof types] } })
      assert.equal(answer.status, 201, answer.text)
      assert.equal(answer.headers.location, `/entities/${answer.body.id}`)
      assert.match(String(fieldOf(await entity(answer.body.id), 'title')), /^The dyke/)
      assert.equal(fieldOf(await entity(await workOf(answer.body.id)), 'title'), fieldOf(answer.body, 'title'))
    }
    const { body } = await service.filter([
      { type: 'type', value: 'person' },
      { type: 'selection', key: ['name'], value: 'Verhoeven, Mila', match_exact: true }
    ])
    assert.equal(body.count, 1)
  })

  it('is shown in a dry run, which writes nothing, and can be read and edited afterwards', async () => {
    const given = marc(`${dyke('lock')}\n084 ## $aHdb$2kssb`)
    const trial = await create(given, '?dry_run=1')
    assert.equal(trial.status, 200, trial.text)
    assert.deepEqual(
      outcomesIn(trial).filter(each => each.startsWith('manifestation')),
      ['manifestation_word created']
    )
    assert.equal((await get(`/entities/${trial.body.id}`)).status, 404)
    const { body } = await create(given)
    const source = await sourceOf(body.id)
    assert.deepEqual(source, given)
    const edited = { ...source, fields: source.fields.filter(each => !('084' in each)) }
    const answer = await service.put(`/entities/${body.id}`, edited, {
      headers: { 'content-type': types.json, 'if-match': `"${body.version}"` }
    })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(await sourceOf(body.id), edited)
  })

  it('joins the work of the records that are here, as in an import', async () => {
    const first = (await create(marc(dyke('sluice')))).body
    const second = await create(marc(dyke('sluice').replace('1951', '1962')))
    assert.equal(second.status, 201, second.text)
    assert.equal(await workOf(second.body.id), await workOf(first.id))
    assert.ok(!outcomesIn(second).includes('work created'))
    assert.match((await get(`/entities/${second.body.id}/origin`)).text, /author/)
  })

  it('is refused where the record is here already, and the answer names it', async () => {
    const numbered = marc(`001 100\n003 TEST\n${dyke('pier')}`)
    const { body } = await create(numbered)
    for (const given of [numbered, marc(`001 100\n003 TEST\n${dyke('other pier')}`)]) {
      const refused = await create(given)
      assert.equal(refused.status, 409, refused.text)
      assert.equal(refused.body.code, 'identifier_taken')
      assert.equal(refused.body.id, body.id)
      assert.match(refused.text, /\(TEST\)100 is here already/)
    }
    assert.equal(fieldOf(await entity(body.id), 'title'), 'The pier')
    // A record without a number is known by its content, and one of an import counts too.
    await create(marc(dyke('groyne')))
    assert.equal((await create(marc(dyke('groyne')))).status, 409)
    await importPayload(service, marcFile({ 200: '003 TEST\n245 10 $aThe imported' }))
    assert.equal((await create(marc('001 200\n003 TEST\n245 10 $aThe imported'))).status, 409)
    // And a record of this catalogue that was made in a form.
    const metadata = [{ key: 'title', value: 'Made in a form' }]
    const work = await service.create({ type: 'work_word', metadata })
    const text = await service.create({
      type: 'expression_word',
      metadata,
      relations: [{ type: 'refWork', key: work.id }]
    })
    const made = await service.create({
      type: 'manifestation_word',
      metadata,
      relations: [{ type: 'refExpressions', key: text.id }]
    })
    const own = JSON.parse((await get(`/entities/${made.id}?format=marcjson`)).text)
    const refused = await create(own)
    assert.deepEqual([refused.status, refused.body.id], [409, made.id], refused.text)
  })

  it('warns of a publication that may be the same, and of faults in its fields', async () => {
    const lines = '020 ## $a9789025701017\n245 10 $aThe twin $zx'
    const { body } = await create(marc('020 ## $a9789025701017\n245 10 $aThe twin'))
    const { warnings } = (await create(marc(lines), '?dry_run=1')).body
    assert.deepEqual(
      warnings.map((each: { code: string; value?: string; pointer: string }) => [each.code, each.value, each.pointer]),
      [
        ['duplicate', body.id, '/metadata'],
        ['doubtful_value', undefined, '/fields/1']
      ]
    )
  })

  it('is checked position by position in its fixed fields', async () => {
    const fixed = (value: string) => `008 ${value}`
    const lines = `${fixed('261109s1951    be a    x     000 q dut d')}\n007 vd xvaiqc\n245 10 $aThe positions`
    const { warnings } = (await create(marc(lines, '00000nax a2200000   4500'), '?dry_run=1')).body
    assert.deepEqual(
      warnings.map(({ pointer, message }: { pointer: string; message: string }) => `${pointer} ${message}`),
      [
        '/leader Position 7 of LDR (Bibliographic level) cannot be "x"',
        '/fields/0 Position 23 of 008 (Form of item) cannot be "x"',
        '/fields/0 Position 33 of 008 (Literary form) cannot be "q"',
        '/fields/1 Position 3 of 007 (Colour) cannot be "x"',
        '/fields/1 Position 8 of 007 (Channels) cannot be "c"'
      ]
    )
    const filled = `${fixed(`261109${'|'.repeat(34)}`)}\n007 v${'|'.repeat(8)}\n245 10 $aThe filled positions`
    assert.deepEqual((await create(marc(filled), '?dry_run=1')).body.warnings, [])
  })

  it('asks what is not sure, on the list of open questions', async () => {
    const lighthouse = (number: number) => marc(`${dyke('lighthouse')}\n500 ## $aNumber ${number}.`)
    const [first] = [(await create(lighthouse(1))).body, (await create(lighthouse(2))).body]
    assert.equal((await service.post(`/entities/${first.id}/split`, {})).status, 200)
    const third = (await create(lighthouse(3))).body
    const job = third.audit.created.by.replace('import:', '')
    const { questions } = (await get(`/imports/${job}/review`)).body
    assert.ok(questions.length > 0)
    const listed = (await get('/imports?questions=1')).body.map((each: { id: string }) => each.id)
    assert.ok(listed.includes(job), `${job} is not in ${listed}`)
  })

  it('is the same record when its file is imported later', async () => {
    const { body } = await create(marc('001 300\n003 TEST\n245 10 $aThe weir'))
    const again = await importPayload(service, marcFile({ 300: '003 TEST\n245 10 $aThe new weir' }))
    assert.deepEqual([again.counts.created, again.counts.updated], [0, 1])
    assert.equal(fieldOf(await entity(body.id), 'title'), 'The new weir')
  })

  it('is undone as an import is, and in its history it has the job', async () => {
    const { body } = await create(marc(`${dyke('culvert')}\n650 #0 $aCulverts of this test`))
    const job = body.audit.created.by.replace('import:', '')
    assert.equal((await get(`/imports/${job}`)).body.counts.created, 1)
    assert.equal((await service.post(`/imports/${job}/undo`, undefined)).status, 202)
    assert.equal((await workOn(service, job)).state, 'undone')
    assert.equal((await get(`/entities/${body.id}`)).status, 404)
    const { body: found } = await service.filter([{ type: 'text', value: 'Culverts of this test' }])
    assert.equal(found.count, 0)
    assert.equal((await create(marc(`${dyke('culvert')}\n650 #0 $aCulverts of this test`))).status, 201)
  })

  it('is created once for an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'editor-1' }
    const first = await create(marc(dyke('jetty')), '', { headers })
    const second = await create(marc(dyke('jetty')), '', { headers })
    assert.deepEqual([second.status, second.body], [201, first.body])
    assert.equal((await create(marc(dyke('another jetty')), '', { headers })).body.code, 'key_reused')
  })

  it('may be in UNIMARC, and is read in UNIMARC again', async () => {
    const leader = '00000nam0 2200000   450 '
    const lines =
      '001 u1\n100 ## $a20260101d1951    u  y0frey50      ba\n101 0# $afre\n200 1# $aLa digue$fMila Verhoeven\n210 ## $aGand$cDe Kade$d1951\n700 #1 $aVerhoeven$bMila$f1911-1984'
    const { status, body, text } = await create(marc(lines, leader))
    assert.equal(status, 201, text)
    assert.equal(fieldOf(body, 'title'), 'La digue')
    const source = await sourceOf(body.id)
    assert.deepEqual(source, marc(lines, leader))
    const edited = JSON.parse(JSON.stringify(source).replace('La digue', 'La digue haute'))
    const answer = await service.put(`/entities/${body.id}`, edited, {
      headers: { 'content-type': types.json, 'if-match': '*' }
    })
    assert.equal(fieldOf(answer.body, 'title'), 'La digue haute')
  })

  it('may be an authority record: of somebody new, or of somebody whom records name', async () => {
    const leader = '00000nz  a2200000n  4500'
    const answer = await create(marc('001 a1\n003 TEST\n100 1# $aDijk, Jan van$d1900-1970\n670 ## $aHis Dykes', leader))
    assert.equal(answer.status, 201, answer.text)
    assert.deepEqual([answer.body.type, fieldOf(answer.body, 'name')], ['person', 'Dijk, Jan van'])
    await create(marc('100 1# $aSluis, Ada\n245 10 $aLocks and keys'))
    const named = await create(marc('001 a2\n003 TEST\n100 1# $aSluis, Ada\n670 ## $aHer Locks', leader))
    assert.equal(named.status, 201, named.text)
    assert.deepEqual(outcomesIn(named), ['person updated'])
    const nothingNew = await create(marc('001 a3\n003 TEST\n100 1# $aSluis, Ada', leader))
    assert.deepEqual([nothingNew.status, nothingNew.body.id], [201, named.body.id], nothingNew.text)
    const refused = await create(marc('001 a1\n003 TEST\n100 1# $aAnother, Name', leader))
    assert.deepEqual([refused.status, refused.body.id], [409, answer.body.id])
    const job = answer.body.audit.created.by.replace('import:', '')
    await service.post(`/imports/${job}/undo`, undefined)
    await workOn(service, job)
    assert.equal((await get(`/entities/${answer.body.id}`)).status, 404)
  })

  it('needs the rights of imports', async () => {
    const token = await service.tokenWith('read', 'write:manifestation')
    const refused = await create(marc(dyke('secret')), '', { token })
    assert.equal(refused.body.code, 'forbidden')
  })

  it('is refused when it cannot be stored whole: the answer says what, where and why', async () => {
    const bad: [unknown, RegExp][] = [
      ['{"leader": ', /ends within an object/],
      ['', /empty|no MARC/i],
      [marc('245 10 $aShort', 'short'), /leader/],
      [[marc('245 10 $aOne'), marc('245 10 $aTwo')], /2 records/],
      [marc('500 ## $aA note alone'), /245 \$a is missing/],
      [marc('245 10 $aGone', '00000dam a2200000   4500'), /position 05/],
      [marc('001 h1\n004 100\n852 ## $aNorth', '00000nx  a2200000   4500'), /holdings record/],
      [marc('670 ## $aNo name', '00000nz  a2200000n  4500'), /authority record without a name/],
      [{ ...marc('245 10 $aX'), fields: [{ '5000': 'x' }] }, /5000/],
      [marc(`245 10 $a${'x'.repeat(2_000_000)}`), /characters|limit|large|long/i],
      [{ leader: '00000nam a2200000   4500', fields: [{ '245': null }] }, /245/],
      [{ leader: '00000nam a2200000   4500', fields: 'many' }, /fields/]
    ]
    for (const [body, message] of bad) {
      const answer = await create(body)
      assert.ok(answer.status === 400 || answer.status === 413, `${answer.status} ${answer.text.slice(0, 300)}`)
      assert.match(answer.text, message)
    }
    const hostile = await create(
      Buffer.from('<!DOCTYPE x [<!ENTITY a "aaaa">]><record><leader>&a;</leader></record>'),
      '',
      { headers: { 'content-type': types.xml } }
    )
    assert.equal(hostile.status, 400, hostile.text)
  })

  it('keeps markup and control characters out of the page, and in the record', async () => {
    const { body } = await create(marc('245 10 $a<script>alert(1)</script>\n520 ## $a<img src=x onerror=alert(1)>'))
    assert.equal(fieldOf(body, 'title'), '<script>alert(1)</script>')
    assert.doesNotMatch(JSON.stringify(fieldOf(body, 'description') ?? ''), /<img|onerror=/)
    assert.match(JSON.stringify(await sourceOf(body.id)), /<script>/)
  })
})
