import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import fc from 'fast-check'

import { writeBibtex } from '#formats/citations/bibtex.ts'
import { type Citation, type CitedName, citedRoles, kindOfCitation } from '#formats/citations/citation.ts'
import { writeCslJson } from '#formats/citations/csl-json.ts'
import { writeRis } from '#formats/citations/ris.ts'
import { readSeries, splitName } from '#formats/description/statements.ts'
import { howMany } from '../../support/records/chance.ts'
import { readCitation } from '../../support/oracles/read-citations.ts'

const address = 'https://catalogue.example.org/entities/M-1'

function aCitation(given: Partial<Omit<Citation, 'names'>> & { names?: Partial<Citation['names']> } = {}): Citation {
  const nobody = Object.fromEntries(citedRoles.map(role => [role, []])) as unknown as Citation['names']
  return {
    id: 'M-1',
    kind: kindOfCitation('manifestation_word'),
    title: 'Hamlet',
    publisher: undefined,
    place: undefined,
    year: undefined,
    edition: undefined,
    isbns: [],
    issn: undefined,
    series: undefined,
    pages: undefined,
    language: undefined,
    originalTitle: undefined,
    ...given,
    names: { ...nobody, ...given.names }
  }
}

const readers = {
  bibtex: (citation: Citation) => readCitation('bibtex', writeBibtex(citation)),
  ris: (citation: Citation) => readCitation('ris', writeRis(citation, address)),
  csl: (citation: Citation) => readCitation('csl', writeCslJson(citation))
}

describe('A citation', () => {
  it('is read back with its parts, names and roles, in each format', () => {
    const citation = aCitation({
      title: 'Hamlet: Prins van Denemarken',
      names: {
        author: [{ family: 'Shakespeare', given: 'William' }],
        editor: [{ family: 'King', given: 'Martin Luther', suffix: 'Jr.' }],
        translator: [{ family: 'Oldenkamp', given: 'Marit' }]
      },
      publisher: 'Zaallicht',
      place: 'Gent',
      year: '2019',
      edition: '1e druk',
      isbns: ['9789097640191'],
      series: { title: 'Speelteksten', number: '12' }
    })
    for (const [format, read] of Object.entries(readers)) {
      const item = read(citation)
      assert.equal(item.id, 'M-1', format)
      assert.equal(item.type, 'book', format)
      assert.equal(item.title, citation.title, format)
      assert.deepEqual(
        item.author?.map(each => ({ ...each })),
        [{ family: 'Shakespeare', given: 'William' }],
        format
      )
      assert.equal(item.publisher, 'Zaallicht', format)
      assert.equal(item['publisher-place'], 'Gent', format)
      assert.deepEqual(item.issued, { 'date-parts': [[2019]] }, format)
      assert.equal(item.edition, '1e druk', format)
      assert.equal(String(item.ISBN), '9789097640191', format)
      assert.equal(item['collection-title'], 'Speelteksten', format)
    }
    assert.deepEqual(readers.csl(citation).translator, [{ family: 'Oldenkamp', given: 'Marit' }])
    assert.deepEqual(readers.ris(citation).translator, [{ family: 'Oldenkamp', given: 'Marit' }])
    assert.match(writeBibtex(citation), /^ {2}translator = \{Oldenkamp, Marit\},$/m)
    assert.match(writeBibtex(citation), /^ {2}editor = \{King, Jr\., Martin Luther\},$/m)
    assert.match(writeRis(citation, address), /^ED {2}- King, Martin Luther, Jr\.\r$/m)
  })

  it('keeps names that are one whole', () => {
    const names: readonly CitedName[] = [
      { literal: 'Multatuli' },
      { literal: 'Toneelschap Beumer and Drost, the Hague' },
      { family: 'Van and Tot', given: 'Jan' }
    ]
    const { author } = readers.bibtex(aCitation({ names: { author: names } }))

    assert.equal(author?.length, 3)
    assert.deepEqual(Object.values(author?.[1] ?? {}), ['Toneelschap Beumer and Drost, the Hague'])
    assert.deepEqual(readers.csl(aCitation({ names: { author: names } })).author, names)
  })

  it('shows what LaTeX would take for commands as it is', () => {
    for (const title of ['100 % of R&D', 'C# and $5', 'a_b^c~d', '\\alpha', 'Dialogue – ‘ça’', 'É tudo “verdade”'])
      assert.equal(readers.bibtex(aCitation({ title })).title, title)
    assert.match(
      writeBibtex(aCitation({ title: 'a & b % c $ d # e _ f ~ g ^ h \\ i' })),
      / title = \{a \\& b \\% c \\\$ d \\# e \\_ f \\textasciitilde\{\} g \\textasciicircum\{\} h \\textbackslash\{\} i\}/
    )
    assert.match(
      writeBibtex(aCitation({ title: 'brace } open {' })),
      /title = \{brace \\textbraceright\{\} open \\textbraceleft\{\}\}/
    )
  })

  it('is never broken by what its texts hold', () => {
    const word = fc.stringMatching(/^[a-z{}\\%$#&_~^"@,=() -]{1,20}$/).filter(text => text.trim() !== '')
    fc.assert(
      fc.property(word, word, word, (title, family, literal) => {
        const citation = aCitation({
          title,
          names: { author: [{ family, given: 'A' }, { literal }] },
          publisher: literal
        })
        const bibtex = writeBibtex(citation)
        let depth = 0
        for (const letter of bibtex) {
          if (letter === '{') depth++
          if (letter === '}') depth--
          assert.ok(depth >= 0)
        }
        assert.equal(depth, 0)
        assert.equal(readers.bibtex(citation).id, 'M-1')
        assert.equal(
          writeRis(citation, address)
            .split('\r\n')
            .filter(line => /^[A-Z][A-Z0-9] {2}- /.test(line)).length,
          8
        )
        assert.equal(readers.csl(citation).title, title)
      }),
      { numRuns: howMany({ quick: 60, short: 200, long: 5000, onPostgres: 200 }) }
    )
  })
})

describe('Statements', () => {
  it('give the parts of names and series', () => {
    assert.deepEqual(splitName('Shakespeare, William'), { family: 'Shakespeare', given: 'William' })
    assert.deepEqual(splitName('King, Martin Luther, Jr.'), { family: 'King', given: 'Martin Luther', suffix: 'Jr.' })
    assert.equal(splitName('Multatuli'), undefined)
    assert.equal(splitName('Willem,'), undefined)
    assert.deepEqual(readSeries('Speelteksten ; 12'), { title: 'Speelteksten', number: '12' })
    assert.deepEqual(readSeries('Speelteksten'), { title: 'Speelteksten', number: undefined })
  })
})
