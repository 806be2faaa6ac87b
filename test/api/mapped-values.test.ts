import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { authorityAddress, malformedAmong } from '#domain/values/authority-link.ts'
import { marcFile } from '../support/records/marc-files.ts'
import { importWithRemarks } from '../support/services/import-file.ts'
import { start } from '../support/services/start.ts'

/* Values of files that are stored as what they are, or left out with a remark. */

const service = await start({ after })

async function importFile(payload: Buffer | string, query = '') {
  const { remarks, ...done } = await importWithRemarks(service, payload, { query, type: 'application/octet-stream' })
  return { ...done, remarks: remarks.flatMap((each: { remarks: string[] }) => each.remarks) }
}

const valuesOf = async (id: string, key: string) =>
  (await service.get(`/entities/${id}`)).body.metadata
    .filter((each: { key: string }) => each.key === key)
    .map((each: { value: unknown }) => each.value)

describe('A parallel title', () => {
  const shelf = {
    after: '245 10 $aGréckokatolícky kalendár =$bHrekokatolyćkyj kalendar /$cX.',
    before: '245 10 $aDas Recht$b= Le droit : Kommentar = The law',
    subtitled: '245 10 $aThe tide :$bE = mc2 and other songs',
    varying: '245 10 $aDe zee\n246 31 $aLa mer'
  }

  it('is no subtitle, and finds its publication', async () => {
    await importFile(marcFile(shelf))
    const found = async (id: string) => [await valuesOf(id, 'subtitle'), await valuesOf(id, 'parallel_title')]
    assert.deepEqual(await found('after'), [[], ['Hrekokatolyćkyj kalendar']])
    assert.deepEqual(await found('before'), [[], ['Le droit : Kommentar', 'The law']])
    assert.deepEqual(await found('subtitled'), [['E = mc2 and other songs'], []])
    assert.deepEqual(await found('varying'), [[], ['La mer']])
    const { body } = await service.filter([{ type: 'search', value: 'hrekokatolyckyj' }])
    assert.deepEqual(
      body.results.map((each: { identifiers: string[] }) => each.identifiers.includes('after')),
      [true]
    )
  })

  it('is in every format', async () => {
    const work = await service.create({ type: 'work_word', metadata: [{ key: 'title', value: 'De zee' }] })
    const expression = await service.create({
      type: 'expression_word',
      metadata: [{ key: 'title', value: 'De zee' }],
      relations: [{ key: work.id, type: 'refWork' }]
    })
    const { id } = await service.create({
      type: 'manifestation_word',
      metadata: [
        { key: 'title', value: 'De zee' },
        { key: 'parallel_title', value: 'La mer' }
      ],
      relations: [{ key: expression.id, type: 'refExpressions' }]
    })
    for (const [format, said] of [
      ['marcxml', /<datafield tag="246" ind1="3" ind2="1">\s*<subfield code="a">La mer/],
      ['turtle', /La mer/]
    ] as const)
      assert.match((await service.get(`/entities/${id}?format=${format}`)).text, said)
    const harvested = (prefix: string) =>
      service.get(`/oai?verb=GetRecord&metadataPrefix=${prefix}&identifier=oai:libretto.invalid:${id}`)
    assert.match((await harvested('mods')).text, /<titleInfo type="translated">\s*<title>La mer/)
    assert.match((await harvested('oai_dc')).text, /<dc:title>La mer</)
  })
})

describe('A number of an authority file', () => {
  it('is checked: placeholders and wrong check digits are no identifiers', () => {
    const good = {
      '(isni)0000 0001 2103 2683': 'https://isni.org/isni/0000000121032683',
      '(orcid)0000-0002-1825-0097': 'https://orcid.org/0000-0002-1825-0097',
      '(orcid)0000000218250097': 'https://orcid.org/0000-0002-1825-0097',
      '(viaf)1234': 'http://viaf.org/viaf/1234',
      '(DE-588)118540238': 'https://d-nb.info/gnd/118540238',
      '(gnd)46107-6': 'https://d-nb.info/gnd/46107-6',
      '(gnd)10180945X': 'https://d-nb.info/gnd/10180945X',
      '(wikidata)Q42': 'http://www.wikidata.org/entity/Q42',
      '(DLC)n 79021164': 'http://id.loc.gov/authorities/names/n79021164',
      'https://isni.org/isni/0000000121032683': 'https://isni.org/isni/0000000121032683',
      'http://viaf.org/viaf/1234/': 'http://viaf.org/viaf/1234/',
      'https://example.org/0': 'https://example.org/0'
    }
    for (const [given, address] of Object.entries(good)) assert.equal(authorityAddress(given), address, given)
    for (const file of ['isni', 'orcid', 'viaf', 'gnd', 'wikidata', 'dlc', 'bnf', 'geonames'])
      for (const number of ['--', '-', ' ', '?', '.', 'n.a.', 'n/a', 'none', '0', '000', '0000 0000 0000 0000']) {
        const text = `(${file})${number}`
        assert.deepEqual([authorityAddress(text), malformedAmong([text])], [undefined, [text]], text)
      }
    for (const wrong of [
      '(isni)0000000121032684',
      '(orcid)0000-0002-1825-0098',
      '(viaf)12a',
      '(gnd)Lind',
      '(DE-588)118540239',
      '(gnd)46107-5',
      'https://isni.org/isni/x',
      'https://isni.org/isni/',
      'http://viaf.org/viaf/0',
      'https://orcid.org/0000-0000-0000-0000',
      'https://d-nb.info/gnd/118540239',
      '(gnd)https://d-nb.info/gnd/'
    ])
      assert.deepEqual([authorityAddress(wrong), malformedAmong([wrong])], [undefined, [wrong]], wrong)
    for (const text of ['n/a', '--', '0', 'xxxx', '(DE-101)0', '(local)none'])
      assert.deepEqual(malformedAmong([text]), [text])
    // A number of the Library of Congress without its letters has no address.
    assert.equal(authorityAddress('(lc)79'), undefined)
    for (const text of ['18', '(lc)79', '(DE-101)118540238', '(local)A0', 'urn:x:0'])
      assert.deepEqual(malformedAmong([text]), [], text)
  })

  it('is left out of the record with a remark if it is malformed', async () => {
    const authority = '=LDR  00000nz  a2200000n  4500\n=001  a1\n=024  7\\$a--$2isni\n=100  1\\$aPeeters, Jan\n'
    const { counts, remarks } = await importFile(authority)
    assert.deepEqual([counts.created, remarks], [1, ['"(isni)--" is no number of this file; left out']])
    assert.equal((await service.get(`/entities/${encodeURIComponent('https://isni.org/isni/')}`)).status, 404)
    const record = marcFile({ named: '100 1# $aPeeters, Jan$0(isni)--$0(viaf)1234\n245 10 $aX' })
    assert.deepEqual((await importFile(record, '?agency=NL')).remarks, [
      '"(isni)--" is no number of this file; left out'
    ])
  })
})

describe('A placeholder for a number', () => {
  const author = '100 1# $aLind, Mila,$d1950-$0(DE-588)0'
  const shelf = {
    p1: `020 ## $a0000000000\n022 ## $a0000-0000\n024 7# $an/a$2doi\n035 ## $a(OCoLC)0\n${author}\n240 10 $aKelp$0(viaf)--\n245 10 $aKelp`,
    p2: `020 ## $a0000000000\n035 ## $a(OCoLC)0\n${author}\n240 10 $aThe weir keeper$0(viaf)--\n245 10 $aThe weir keeper`
  }

  it('is no number of a publication, a work or a person, and makes no two things one', async () => {
    const { counts, remarks } = await importFile(marcFile(shelf))
    assert.equal(counts.created, 2)
    assert.ok(remarks.includes('"0000000000" is not a valid ISBN'), remarks.join('\n'))
    assert.ok(remarks.includes('"(DE-588)0" is no number of this file; left out'), remarks.join('\n'))
    const works = new Set<string>()
    for (const id of Object.keys(shelf)) {
      for (const key of ['isbn', 'issn', 'other_number', 'identifier'])
        assert.deepEqual(await valuesOf(id, key), [], `${id} ${key}`)
      const work = (await service.get(`/entities/${id}/origin`)).body.links[0].work_id
      works.add(work)
      assert.deepEqual(await valuesOf(work, 'identifier'), [], id)
      const { relations } = (await service.get(`/entities/${work}`)).body
      const person = relations.find((each: { type: string }) => each.type === 'refAuthors').key
      assert.deepEqual(await valuesOf(person, 'identifier'), [], id)
    }
    assert.equal(works.size, 2)
    // The source record keeps what it came with.
    assert.match((await service.get('/entities/p1?format=marcxml')).text, />\(OCoLC\)0</)
  })

  it('is no number of an authority record', async () => {
    const authority = (id: string, name: string) =>
      `=LDR  00000nz  a2200000n  4500\n=001  ${id}\n=024  7\\$a0000 0000 0000 0000$2isni\n=035  \\\\$an/a\n=100  1\\$a${name}\n\n`
    const { counts, remarks } = await importFile(authority('n1', 'Reed, Ada') + authority('n2', 'Rush, Bo'))
    assert.deepEqual(
      [counts.created, [...new Set(remarks)].sort()],
      [
        2,
        ['"(isni)0000 0000 0000 0000" is no number of this file; left out', '"n/a" is no number of this file; left out']
      ]
    )
  })
})

describe('An age', () => {
  const mapping = encodeURIComponent(
    JSON.stringify({
      records: [{ type: 'production', id: 'age-{nr}', fields: { title: 'title', age_category: 'age' } }]
    })
  )
  const ages: readonly (readonly [string, string | undefined])[] = [
    ['6+', '6+'],
    ['vanaf 6 jaar', '6+'],
    ['6-', '6+'],
    ['12', '12+'],
    ['alle leeftijden', 'all'],
    ['6-12', '6-12'],
    ['6 tot 12 jaar', '6-12'],
    ['-12', '0-12'],
    ['tot 12 jaar', '0-12'],
    ['bis 6', '0-6'],
    ["jusqu'à 6 ans", '0-6'],
    ['12-6', undefined],
    ['6-12-18', undefined],
    ['volwassenen', undefined]
  ]

  it('is the lowest one or a range; any other text is left out, and reported', async () => {
    const rows = ages.map(([age], index) => `${index},Show ${index},"${age}"`)
    const { counts, remarks } = await importFile(['nr,title,age', ...rows].join('\n'), `?mapping=${mapping}`)
    assert.equal(counts.created, ages.length)
    for (const [index, [age, stored]] of ages.entries()) {
      assert.deepEqual(await valuesOf(`age-${index}`, 'age_category'), stored === undefined ? [] : [stored], age)
      assert.equal(
        remarks.some((each: string) => each.includes(`"${age}"`)),
        stored === undefined,
        age
      )
    }
  })
})

describe('A field that is not mapped', () => {
  it('is in the report of the import, once for each kind, with its count', async () => {
    const shelf = {
      one: '245 10 $aRhymes$kManuscript\n362 0# $aNr 1$zOn the cover',
      other: '245 10 $aSongs$kManuscript'
    }
    for (const query of ['?preview=1', '']) {
      const { not_mapped: notMapped } = await importFile(marcFile(shelf), query)
      assert.deepEqual(notMapped, {
        kinds: [
          { name: '245 $k', count: 2 },
          { name: '362 $z', count: 1 }
        ],
        others: 0
      })
    }
  })
})
