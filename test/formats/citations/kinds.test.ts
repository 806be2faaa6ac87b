import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, describe, it } from 'node:test'

import { loadSample } from '../../../src/cli/sample.ts'
import { metadata } from '../../support/records/entities.ts'
import { needDebian } from '../../support/machines/debian.ts'
import { type CitedItem, readCitation } from '../../support/oracles/read-citations.ts'
import { start } from '../../support/services/start.ts'

/* The kind of publication that a citation names, and its makers. */

const service = await start({ after }, { PUBLIC_URL: 'https://catalogue.example.org' })
await loadSample(service.libretto)

type Values = Readonly<Record<string, string>>
type Maker = readonly [name: string, role: string, type?: 'person' | 'corporation']

let count = 0

/** A publication of one expression of one work, with the makers of the work. */
async function publish(
  [workType, expressionType, type]: readonly [string, string, string],
  given: {
    work?: Values
    expression?: Values
    manifestation?: Values
    makers?: readonly Maker[]
    genre?: string
    publisher?: string
  }
): Promise<string> {
  const number = ++count
  const makers = []
  for (const [name, role, makerType = 'person'] of given.makers ?? []) {
    const { id } = await service.create({ type: makerType, metadata: metadata({ name }) })
    makers.push({ type: 'refAuthors', key: id, metadata: [{ key: 'role', value: role }] })
  }
  const related = async (relation: string, relatedType: string, name: string | undefined) =>
    name === undefined
      ? []
      : [{ type: relation, key: (await service.create({ type: relatedType, metadata: metadata({ name }) })).id }]
  const title = `Title ${number}`
  const work = await service.create({
    type: workType,
    metadata: metadata({ title, ...given.work }),
    relations: [...makers, ...(await related('refGenres', 'genre', given.genre))]
  })
  const expression = await service.create({
    type: expressionType,
    metadata: metadata({ title, ...given.expression }),
    relations: [{ type: 'refWork', key: work.id }]
  })
  const manifestation = await service.create({
    type,
    metadata: metadata({ title, ...given.manifestation }),
    relations: [
      { type: 'refExpressions', key: expression.id },
      ...(await related('refPublishers', 'publisher', given.publisher))
    ]
  })
  return manifestation.id
}

const textOf = async (id: string, format: string) => (await service.get(`/entities/${id}?format=${format}`)).text

async function cite(id: string): Promise<{ csl: CitedItem; ris: string; bibtex: string }> {
  const [csl, ris, bibtex] = await Promise.all(['csl', 'ris', 'bibtex'].map(format => textOf(id, format)))
  for (const [format, text] of Object.entries({ ris, bibtex })) assert.equal(readCitation(format, text ?? '').id, id)
  return { csl: readCitation('csl', csl ?? ''), ris: ris ?? '', bibtex: bibtex ?? '' }
}

const kindsOf = ({ csl, ris, bibtex }: Awaited<ReturnType<typeof cite>>) => [
  csl.type,
  /^TY {2}- (\w+)/.exec(ris)?.[1],
  /^@(\w+)/.exec(bibtex)?.[1]
]

describe('The kind of a citation', () => {
  it('is that of a recording for music that is played, and of a score for music that is written', async () => {
    const types = ['work_music', 'expression_music', 'manifestation_music'] as const
    const recording = await cite(
      await publish(types, {
        expression: { content_type: 'performed music' },
        makers: [
          ['Davis, Miles', 'performer'],
          ['Rodgers, Richard', 'composer']
        ]
      })
    )
    assert.deepEqual(kindsOf(recording), ['song', 'SOUND', 'misc'])
    assert.match(recording.ris, /^AU {2}- Rodgers, Richard\r$/m)
    assert.match(recording.ris, /^N1 {2}- Performer: Davis, Miles\r$/m)
    assert.match(recording.bibtex, /editorb = \{Davis, Miles\},\n {2}editorbtype = \{performer\}/)
    const played = await publish(types, {
      manifestation: { material_type: 'audio disc' },
      makers: [['Davis, Miles', 'performer']]
    })
    assert.match((await cite(played)).bibtex, /author = \{Davis, Miles\}/)
    assert.doesNotMatch((await cite(played)).bibtex, /editorb/)
    const score = await publish(types, { expression: { content_type: 'notated music' } })
    assert.deepEqual(kindsOf(await cite(score)), ['musical_score', 'MUSIC', 'misc'])
  })

  it('is a book for e-books and audiobooks, with the narrator, and software for programs only', async () => {
    const words = ['work_word', 'expression_word'] as const
    const ebook = await publish([...words, 'manifestation_computer_file'], {
      manifestation: { material_type: 'e-book' }
    })
    assert.deepEqual(kindsOf(await cite(ebook)), ['book', 'EBOOK', 'book'])
    const online = await publish([...words, 'manifestation_word'], {
      manifestation: { material_type: 'online resource' }
    })
    assert.deepEqual(kindsOf(await cite(online)), ['book', 'EBOOK', 'book'])
    const audiobook = await cite(
      await publish(['work_word', 'listening', 'manifestation_computer_file'], {
        expression: { content_type: 'spoken word' },
        makers: [
          ['Austen, Jane', 'author'],
          ['Lind, Eva', 'narrator']
        ]
      })
    )
    assert.deepEqual(kindsOf(audiobook), ['book', 'SOUND', 'book'])
    assert.equal(audiobook.csl.medium, 'audiobook')
    assert.match(audiobook.ris, /^N1 {2}- Narrator: Lind, Eva\r$/m)
    assert.match(audiobook.bibtex, /editora = \{Lind, Eva\},\n {2}editoratype = \{narrator\}/)
    const program = await publish(['work_computer_file', 'expression_computer_file', 'manifestation_computer_file'], {})
    assert.deepEqual(kindsOf(await cite(program)), ['software', 'COMP', 'misc'])
    const printed = await publish([...words, 'manifestation_word'], { manifestation: { material_type: 'volume' } })
    assert.deepEqual(kindsOf(await cite(printed)), ['book', 'BOOK', 'book'])
  })

  it('is a thesis where the genre says so, with the university', async () => {
    const thesis = await cite(
      await publish(['work_word', 'expression_word', 'manifestation_word'], {
        genre: 'Academic theses',
        makers: [
          ['Peeters, An', 'author'],
          ['Universiteit Gent', 'dgg', 'corporation']
        ]
      })
    )
    assert.deepEqual(kindsOf(thesis), ['thesis', 'THES', 'phdthesis'])
    assert.equal(thesis.csl.publisher, 'Universiteit Gent')
    assert.match(thesis.bibtex, / {2}school = \{Universiteit Gent\}/)
  })

  it('has the director of a film as its maker, not the composer', async () => {
    const film = await cite(
      await publish(['work_footage', 'expression_footage', 'manifestation_footage'], {
        makers: [
          ['Rota, Nino', 'composer'],
          ['Fellini, Federico', 'director']
        ]
      })
    )
    assert.match(film.ris, /^AU {2}- Fellini, Federico\r$/m)
    assert.match(film.bibtex, /author = \{Fellini, Federico\}/)
    assert.doesNotMatch(film.bibtex, /Rota/)
    assert.deepEqual(film.csl.director, [{ family: 'Fellini', given: 'Federico' }])
  })
})

describe('A citation of a real record', () => {
  const book = ['work_word', 'expression_word', 'manifestation_word'] as const
  const awkward = [
    "Abrantès, Laure Junot, duchesses, d'",
    'Smith, John (of Leeds, England), Sir, baronet',
    'King, Martin Luther, Jr.',
    'Black and White, Ann'
  ]

  it('takes no name apart at the wrong comma', async () => {
    const { bibtex, ris, csl } = await cite(
      await publish(book, { makers: awkward.map(name => [name, 'author'] as const) })
    )
    const list = /author = \{(.*)\},?\n/.exec(bibtex)?.[1] ?? ''
    const names = list.split(' and ')
    assert.equal(csl.author?.length, awkward.length)
    assert.equal((readCitation('bibtex', bibtex).author ?? []).length, awkward.length)
    // A name has two commas at most, within braces and outside: family, suffix, given.
    for (const name of list.replaceAll(/ and (?=[^{}]*\})/g, ' ').split(' and '))
      assert.ok(name.split(',').length <= 3, name)
    assert.ok(names.length >= awkward.length)
    for (const line of ris.split('\r\n').filter(each => each.startsWith('AU')))
      assert.ok(line.split(',').length <= 3, line)
  })

  it('names no publisher that nobody knows, and no original that is not one', async () => {
    for (const publisher of ['éditeur non identifié', '[s.n.]', 's.n.', 'publisher not identified'])
      assert.equal((await cite(await publish(book, { publisher }))).csl.publisher, undefined, publisher)
    assert.equal((await cite(await publish(book, { publisher: 'Sn. Verlag' }))).csl.publisher, 'Sn. Verlag')
    const { csl } = await cite('M-TREURSPELEN1987')
    assert.equal(csl['original-title'], undefined)
    const translated = await cite('M-HAMLETNL2019')
    assert.match(translated.bibtex, / {2}language = \{dutch\}/)
  })

  it('is read by pybtex', async t => {
    if (!needDebian(t, ['python3-pybtex'])) return
    const ids = [
      await publish(book, { makers: awkward.map(name => [name, 'author'] as const) }),
      ...((await service.get('/entities?type=manifestation&limit=1000')).body as { id: string }[]).map(({ id }) => id)
    ]
    const file = (await Promise.all([...new Set(ids)].map(id => textOf(id, 'bibtex')))).join('\n')
    const script = [
      'import sys',
      'from pybtex.database import parse_bytes',
      'found = parse_bytes(sys.stdin.buffer.read(), "bibtex")',
      'print(len(found.entries), sum(len(p) for e in found.entries.values() for p in e.persons.values()))'
    ].join('\n')
    const program = '/usr/bin/python3'
    const [entries, persons] = execFileSync(program, ['-c', script], { input: file })
      .toString()
      .trim()
      .split(' ')
      .map(Number)
    assert.equal(entries, new Set(ids).size)
    assert.ok(Number(persons) > 60)
  })
})
