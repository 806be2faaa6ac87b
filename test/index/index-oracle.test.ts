import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'

import type { Entity } from '#domain/entity/entity.ts'
import { readFacetPath } from '#domain/filter/filter-path.ts'
import { createModel } from '#domain/record-types/model.ts'
import { readOrder } from '#domain/filter/order.ts'
import { foldFilter } from '#domain/filter/filter.ts'
import { readClientFilters as readFilters } from '#compat/filter/client-filter-reader.ts'
import { indexWords } from '#domain/search/index-words.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { type Base, buildBase, Columns } from '#index/base.ts'
import { CatalogueIndex } from '#index/catalogue-index.ts'
import type { Tuning } from '#index/current-documents.ts'
import { toIndexedDocument } from '#index/document.ts'
import { find, type FindAnswer, type FindQuery } from '#index/find.ts'
import { mergeBases } from '#index/merge.ts'
import { forEachCommon } from '#index/relevant.ts'
import { add, emptySet } from '#index/sets.ts'
import { readSnapshot } from '#index/snapshot.ts'
import { howMany, seed } from '../support/records/chance.ts'
import { testStore } from '../support/databases/database.ts'
import {
  aCataloguePlan,
  aQuestion,
  type CataloguePlan,
  filtersByKind,
  type GeneratedQuestion,
  referringFacets,
  someFacets,
  toBody
} from '../support/records/generators.ts'
import {
  countValues,
  countValuesOfGroups,
  evaluate,
  evaluateGroups,
  type FilterObject,
  type Kept,
  testedElsewhere
} from '../support/oracles/naive-evaluator.ts'
import { snapshotBytes, snapshotIn } from '../support/records/snapshot-bytes.ts'

/*
 * The index alone, compared with a naive evaluator written from docs/interface/. A part of each
 * catalogue is in the base and the rest in the delta, in every proportion, so that both together
 * answer each query.
 */

const model = createModel(builtInRecordTypes)
const catalogues = howMany({ quick: 3, short: 7, long: 300, onPostgres: 0 })
const questionsEach = howMany({ quick: 25, short: 80, long: 500, onPostgres: 0 })

/** Each of two ways to the same result is taken always, never, or as usual. */
const tunings: readonly (Tuning | undefined)[] = [
  { sourceCost: 0, pullFactor: 0, denseShare: 0, sortedShare: 0 },
  {
    sourceCost: Number.POSITIVE_INFINITY,
    pullFactor: Number.POSITIVE_INFINITY,
    denseShare: Number.POSITIVE_INFINITY,
    sortedShare: Number.POSITIVE_INFINITY
  },
  undefined
]

interface Written extends Kept {
  readonly number: number
}

/** The writes in order: a document, or the uuid of a deleted one. */
type Step = { readonly kept: Written } | { readonly removed: string }

describe('the index', { skip: testStore === 'postgres' && 'The index alone has no database' }, () => {
  it('finds, counts, orders and pages as a naive evaluator does', () => {
    let asked = 0
    for (let number = 0; number < catalogues; number++) {
      const [plan] = fc.sample(aCataloguePlan, { seed: seed + number, numRuns: 1 })
      const steps = stepsOf(plan as CataloguePlan)
      const split = Math.round(steps.length * ([0, 1, 0.5, 0.8, 0.3][number % 5] ?? 0))
      const { index, kept } = indexOf(steps, split, tunings[number % tunings.length])
      fc.assert(
        fc.property(aQuestion(kept.map(({ entity }) => entity)), given => {
          checkQuestion(index, kept, given)
          checkPages(index, kept, given)
          asked++
        }),
        { seed: seed + number, numRuns: questionsEach, includeErrorInReport: true }
      )
    }
    console.log(`${catalogues} catalogues, ${asked} filter lists (SEED=${seed})`)
  })

  it('is asked with every kind of filter but those that have tests of their own', () => {
    const [plan] = fc.sample(aCataloguePlan, { seed: 1, numRuns: 1 })
    const { kept } = indexOf(stepsOf(plan as CataloguePlan), 0)
    const entities = kept.map(({ entity }) => entity)
    const kinds = fc
      .sample(aQuestion(entities), { seed: 1, numRuns: 300 })
      .flatMap(({ filters }) =>
        foldFilter<string[]>(readFilters(model, filters).filter, (filter, inner) => [filter.kind, ...inner.flat()])
      )
    const generated = Object.keys(filtersByKind(entities)).filter(kind => !testedElsewhere.some(each => each === kind))
    assert.deepEqual([...new Set(kinds)].sort(), generated.sort())
  })

  it('finds a publication by the words of its text, its work and their makers, by either way', () => {
    const steps = [
      madeOf(1, 'person', { name: 'Zwanenburg, Ada' }, {}),
      madeOf(2, 'work_word', { title: 'Water' }, { refAuthors: 'X-1' }),
      madeOf(3, 'expression_word', { title: 'Aqua' }, { refWork: 'X-2' }),
      madeOf(4, 'manifestation_word', { title: 'Boek' }, { refExpressions: ['X-3', 'X-6'] }),
      madeOf(5, 'work_word', { title: 'Wijn' }, {}),
      madeOf(6, 'expression_word', { title: 'Vinum' }, { refWork: 'X-5' })
    ]
    const found = {
      ...{ zwanenburg: 4, 'boek zwanenburg': 1, 'zwanenburg aqua': 2, 'zwanenburg boek aqua water': 1 },
      ...{ wijn: 3, vinum: 2, 'water wijn': 1, 'zwanenburg vinum': 1 }
    }
    for (const tuning of tunings)
      for (let split = 0; split <= steps.length; split++)
        for (const [text, wanted] of Object.entries(found)) {
          const { index, kept } = indexOf(steps, split, tuning)
          const filters: FilterObject[] = [{ type: 'search', value: text }]
          assert.equal(evaluate(kept, filters).length, wanted)
          checkQuestion(index, kept, { filters, orderBy: '', asc: 1, skip: 0, limit: 10 })
        }
  })

  it('finds the relevant documents in the list of a word, however long it is', () => {
    const numbers = fc.uniqueArray(fc.nat(2999), { maxLength: 60 }).map(all => Uint32Array.from(all).sort())
    const list = fc.tuple(fc.nat(2999), fc.integer({ min: 1, max: 7 })).map(([first, step]) => {
      const all = Array.from({ length: 3000 }, (_, number) => number)
      return Uint32Array.from(all.filter(number => number >= first && number % step === 0))
    })
    fc.assert(
      fc.property(numbers, list, fc.nat(), (numbers, list, first) => {
        const set = emptySet(3000)
        for (const number of numbers) add(set, number)
        const start = first % (list.length + 1)
        const found: number[] = []
        forEachCommon(list, start, list.length, { set, numbers }, place => found.push(list[place] as number))
        assert.deepEqual(
          found,
          [...numbers].filter(number => list.indexOf(number, start) >= 0)
        )
      }),
      { seed, numRuns: 300 }
    )
  })

  it('is right after every change', () => {
    const reversed = [
      madeOf(1, 'manifestation_word', { title: 'Boek' }, { refExpressions: 'X-2' }),
      madeOf(2, 'expression_word', { title: 'Aqua' }, { refWork: 'X-3' }),
      madeOf(3, 'work_word', { title: 'Water' }, { refAuthors: 'X-4' }),
      madeOf(4, 'person', { name: 'Zwanenburg, Ada' }, {}),
      { removed: uuidOf(3) },
      madeOf(3, 'work_word', { title: 'Wijn' }, { refAuthors: 'X-4' }),
      madeOf(4, 'person', { name: 'Eikenhout, Ada' }, {}),
      // One gives up an identifier that others lead to, and another takes it.
      madeOf(5, 'work_word', { title: 'Druif' }, {}, ['alias']),
      madeOf(2, 'expression_word', { title: 'Aqua' }, { refWork: 'alias' }),
      madeOf(5, 'work_word', { title: 'Druif' }, {}),
      madeOf(3, 'work_word', { title: 'Wijn' }, {}, ['alias'])
    ] as const
    const search = (value: string): FilterObject[] => [{ type: 'search', value }]
    const byAuthor: FilterObject[] = [
      { type: 'selection', key: 'properties.ref_authors.value', value: ['X-4'], match_exact: true }
    ]
    for (const tuning of tunings)
      for (let split = 0; split <= reversed.length; split++)
        forEachState(reversed, split, tuning, (index, kept) => {
          for (const filters of [...['zwanenburg', 'eikenhout', 'wijn', 'druif', 'boek ada'].map(search), byAuthor])
            checkQuestion(index, kept, { filters, orderBy: '', asc: 1, skip: 0, limit: 10 })
        })
    for (let number = 0; number < Math.ceil(catalogues / 4); number++) {
      const [plan] = fc.sample(aCataloguePlan, { seed: seed + 5000 + number, numRuns: 1 })
      const steps = stepsOf(plan as CataloguePlan)
      const split = Math.round((steps.length * (number % 3)) / 3)
      forEachState(steps, split, tunings[number % tunings.length], (index, kept, at) => {
        const questions = aQuestion(kept.map(({ entity }) => entity))
        for (const given of fc.sample(questions, { seed: seed + at, numRuns: 4 })) checkQuestion(index, kept, given)
      })
    }
  })

  it('goes on by the last change as it was at the beginning, while records are changed and deleted', () => {
    let pages = 0
    for (let number = 0; number < catalogues; number++) {
      const [plan] = fc.sample(aCataloguePlan, { seed: seed + 11_000 + number, numRuns: 1 })
      const steps = stepsOf(plan as CataloguePlan).map([retimed, onTheSameDay][number % 2] ?? retimed)
      const stamps = steps.flatMap(step => ('kept' in step ? [step.kept.entity.audit.updated.at] : []))
      const types = [...new Set(steps.flatMap(step => ('kept' in step ? [step.kept.entity.type] : [])))]
      const since: FilterObject = {
        type: 'date',
        key: 'audit.updated.at',
        value: { min: stamps[Math.floor(stamps.length / 3)] ?? '2024-01-01' }
      }
      const ofType: FilterObject = { type: 'type', value: types[0] ?? 'person' }
      for (const [at, filters] of [[], [since], [ofType], [ofType, since]].entries())
        for (const asc of [0, 1] as const) {
          const walk = walkWhileChanging(filters, asc, at % 2 === 0 ? undefined : types.slice(0, 2))
          forEachState(steps, Math.round(steps.length / 3), tunings[(number + at) % tunings.length], walk.goOn)
          pages += walk.pages
        }
    }
    assert.ok(pages > catalogues * 25, `${pages} pages`)
  })

  it('pages through records that share titles or have none, with some of them changed', () => {
    const title = (at: number): Record<string, string> => (at % 9 === 0 ? {} : { title: `T ${(at * 7) % 5}` })
    const record = (number: number, at: number, changed: number): Step => {
      const step = madeOf(number, number % 4 === 0 ? 'person' : 'work_word', { note: `${at % 3}`, ...title(at) }, {})
      return 'kept' in step ? { kept: { ...step.kept, changed } } : step
    }
    const created = Array.from({ length: 60 }, (_, at) => record(at + 1, at, at + 1))
    const steps = [...created, ...[5, 17, 36, 44].map((number, at) => record(number, number + 3, 61 + at))]
    const ofType: FilterObject = { type: 'type', value: 'work_word' }
    for (const tuning of tunings)
      for (const split of [60, 40, steps.length]) {
        const { index, kept } = indexOf(steps, split, tuning)
        for (const orderBy of ['title', 'title,note', 'title,date_updated', 'date_updated', 'note,title'])
          for (const asc of [0, 1] as const)
            for (const filters of [[], [ofType]])
              for (const limit of [3, 4, 50]) {
                const given = { filters, orderBy, asc, skip: limit % 4, limit }
                checkQuestion(index, kept, given)
                checkPages(index, kept, given)
              }
      }
  })

  it('finds all times in a range, however the order of times differs from that of changes', () => {
    const size = 5000
    const orders: Readonly<Record<string, (number: number) => number>> = {
      'as the changes': number => number,
      'against them': number => size - number,
      'without order': number => (number * 7919) % size,
      'many at once': number => number >> 10
    }
    for (const [name, timeOf] of Object.entries(orders)) {
      const documents = Array.from({ length: size }, (_, at) => madeAt(at + 1, timeOf(at)))
      const builder = buildBase()
      // Numbers without a document, and changes in another order than that of creation.
      const isThere = ({ number }: Written) => number % 11 > 0
      for (const each of documents.filter(isThere))
        builder.add(toIndexedDocument(model, each.entity, each.number, each.changed))
      const index = new CatalogueIndex(model, builder.done(size * 2))
      const changed = documents.filter(each => isThere(each) && each.number % 97 === 0)
      const now = changed.map(({ number }) => madeAt(number, timeOf((number * 31) % size)))
      const added = [size + 1, size + 2].map(number => madeAt(number, timeOf(number - size)))
      const written = [...now.filter((_, at) => at % 3 > 0), ...added]
      index.apply({
        change: size * 2 + 1,
        written: written.map(each => toIndexedDocument(model, each.entity, each.number, each.changed)),
        removed: changed.filter((_, at) => at % 3 === 0).map(({ entity }) => entity._id)
      })
      const kept = [...documents.filter(each => isThere(each) && !changed.includes(each)), ...written]
      for (const key of ['audit.updated.at', 'audit.created.at'])
        for (const [min, max] of [
          [0, size],
          [size - 20, size],
          [0, 20],
          [size / 2, size],
          [0, size / 2],
          [1200, 1300],
          [size + 1, size + 2]
        ] as const) {
          const value = { min: new Date(min * 1000).toISOString(), max: new Date(max * 1000).toISOString() }
          const filters: FilterObject[] = [{ type: 'date', key, value }]
          const given = { filters, orderBy: 'date_updated', asc: 0, skip: 0, limit: size } as const
          const timesOf = ({ entity }: Written) =>
            Date.parse(key === 'audit.updated.at' ? entity.audit.updated.at : entity.audit.created.at) / 1000
          const expected = kept
            .filter(each => timesOf(each) >= min && timesOf(each) <= max)
            .sort((one, other) => other.changed - one.changed)
          assert.deepEqual(
            ask(index, questionOf(given)).numbers,
            expected.map(each => each.number),
            `${name}: ${key} from ${min} to ${max}`
          )
        }
    }
  })

  it('finds nothing through records that may not be read', () => {
    let found = 0
    for (let number = 0; number < Math.ceil(catalogues / 3); number++) {
      const [plan] = fc.sample(aCataloguePlan, { seed: seed + 4000 + number, numRuns: 1 })
      const steps = stepsOf(plan as CataloguePlan)
      const split = Math.round((steps.length * (number % 4)) / 3)
      const { index, kept } = indexOf(steps, split, tunings[number % tunings.length])
      const words = [...new Set(kept.flatMap(({ entity }) => [...indexWords(model, entity).keys()]))].filter(
        word => !word.startsWith('=')
      )
      const types = [...new Set(kept.map(({ entity }) => entity.type))]
      if (words.length === 0) continue
      fc.assert(
        fc.property(
          fc.array(fc.tuple(fc.constantFrom(...words), fc.integer({ min: 0, max: 3 })), { minLength: 1, maxLength: 3 }),
          fc.subarray(types),
          (typed, readableTypes) => {
            const text = typed.map(([word, cut]) => shortened(word, cut)).join(' ')
            const given = {
              filters: [{ type: 'search', value: text }],
              orderBy: '',
              asc: 1,
              skip: 0,
              limit: 50
            } as const
            const readable = kept.filter(({ entity }) => readableTypes.includes(entity.type))
            const expected = evaluate(readable, given.filters)
            const answer = ask(index, { ...questionOf(given), readableTypes })
            assert.equal(answer.count, expected.length, text)
            assert.deepEqual(
              answer.numbers.map(each => index.idOf(each)),
              expected.slice(0, 50),
              text
            )
            found += expected.length
          }
        ),
        { seed: seed + number, numRuns: questionsEach, includeErrorInReport: true }
      )
    }
    assert.ok(found > catalogues, `${found} found`)
  })

  it('counts facets as a naive evaluator does', () => {
    for (let number = 0; number < Math.ceil(catalogues / 4); number++) {
      const [plan] = fc.sample(aCataloguePlan, { seed: seed + 7000 + number, numRuns: 1 })
      const steps = stepsOf(plan as CataloguePlan)
      const { index, kept } = indexOf(steps, Math.round((steps.length * (number % 4)) / 3))
      fc.assert(
        fc.property(
          aQuestion(kept.map(({ entity }) => entity)),
          someFacets,
          fc.integer({ min: 1, max: 9 }),
          ({ filters }, paths, limit) => {
            const all = [...paths, ...referringFacets]
            const facets = { paths: all.map(path => readFacetPath(path) as never), limit }
            const found = ask(index, { ...questionOf({ filters, orderBy: '', asc: 1, skip: 0, limit: 0 }), facets })
            all.forEach((path, at) => {
              assert.deepEqual(found.facets?.[at], countValues(kept, filters, path, limit), path)
            })
          }
        ),
        { seed: seed + number, numRuns: questionsEach, includeErrorInReport: true }
      )
    }
  })

  it('counts values that many documents have, over all, most and few of them', () => {
    const steps = Array.from({ length: 60 }, (_, at) =>
      madeOf(
        at + 1,
        'work_word',
        { note: ['rood', 'groen', 'blauw'][at % 3] as string, title: `${at % 7}` },
        {
          refSubjects: [`X-${(at % 5) + 1}`, `X-${(at % 4) + 6}`]
        }
      )
    )
    const paths = ['properties.note.value', 'properties.ref_subjects.value']
    const facets = { paths: paths.map(path => readFacetPath(path) as never), limit: 9 }
    const titled = (value: string[]): FilterObject => ({
      type: 'selection',
      key: 'properties.title.value',
      value,
      match_exact: true
    })
    for (const split of [60, 55, 0]) {
      const { index, kept } = indexOf(steps, split)
      for (const filters of [[], [titled(['1'])], [{ ...titled(['1']), match_not: true }], [titled(['1', '2', '3'])]]) {
        const found = ask(index, { ...questionOf({ filters, orderBy: '', asc: 1, skip: 0, limit: 0 }), facets })
        paths.forEach((path, at) => {
          assert.deepEqual(found.facets?.[at], countValues(kept, filters, path, 9), path)
        })
      }
    }
  })

  it('counts a related record once for a document, by whatever names it is led to', () => {
    const steps = [
      madeOf(1, 'person', { name: 'Ada' }, {}, ['ada', 'lovelace']),
      madeOf(2, 'work_word', { title: 'Een' }, { refAuthors: ['ada', 'X-1', 'nobody', 'ada', 'nobody'] }),
      madeOf(3, 'work_word', { title: 'Twee' }, { refAuthors: ['lovelace', 'nobody', 'ada'] }),
      madeOf(4, 'work_word', { title: 'Drie' }, { refAuthors: ['countess', 'X-1'] }),
      // Another name leads to the same person now, and one of theirs to nothing.
      madeOf(1, 'person', { name: 'Ada' }, {}, ['countess', 'lovelace']),
      { removed: uuidOf(1) }
    ]
    const path = 'properties.ref_authors.value'
    const facets = { paths: [readFacetPath(path) as never], limit: 5 }
    for (let split = 0; split <= steps.length; split++)
      forEachState(steps, split, undefined, (index, kept) => {
        const question = questionOf({ filters: [], orderBy: '', asc: 1, skip: 0, limit: 0 })
        assert.deepEqual(ask(index, { ...question, facets }).facets, [countValues(kept, [], path, 5)])
      })
  })

  it('reads phrases, refused words and alternatives as an evaluator written from the documents does', () => {
    let found = 0
    for (let number = 0; number < Math.ceil(catalogues / 2); number++) {
      const [plan] = fc.sample(aCataloguePlan, { seed: seed + 6000 + number, numRuns: 1 })
      const steps = stepsOf(plan as CataloguePlan)
      const { index, kept } = indexOf(
        steps,
        Math.round((steps.length * (number % 4)) / 3),
        tunings[number % tunings.length]
      )
      const texts = kept
        .flatMap(({ entity }) => entity.metadata.flatMap(({ value }) => (typeof value === 'string' ? [value] : [])))
        .map(text => text.match(/[\p{L}\p{N}]+/gu) ?? [])
        .filter(words => words.length > 0)
      if (texts.length === 0) continue
      const words = fc
        .tuple(fc.constantFrom(...texts), fc.nat(), fc.integer({ min: 1, max: 3 }))
        .map(([of, first, length]) => of.slice(first % of.length, (first % of.length) + length))
      const signs = fc.constantFrom('', '', '-', '"', '-"', ' OR ', 'NOT ', ' | -', 'by ', '-', '" ')
      const text = fc
        .array(fc.tuple(signs, words, fc.constantFrom(' ', ' ', '" ', '-', ' OR ')), { minLength: 1, maxLength: 3 })
        .map(pieces => pieces.map(([before, said, after]) => `${before}${said.join(' ')}${after}`).join(''))
      fc.assert(
        fc.property(text, value => {
          const filters: FilterObject[] = [{ type: 'search', value }]
          checkQuestion(index, kept, { filters, orderBy: '', asc: 1, skip: 0, limit: 50 })
          found += evaluate(kept, filters).length
        }),
        { seed: seed + number, numRuns: questionsEach, includeErrorInReport: true }
      )
    }
    assert.ok(found > catalogues, `${found} found`)
  })

  it('reads initials, letters between symbols and small words with OR as the evaluator does', () => {
    const names = [
      ...['J. R. R. Tolkien', 'JRR Tolkien', 'Tolkien, J.R.', 'ᶬ⌶🜤ᾯ', 'ᶬᾯ', 'De Å van een fin', 'Fin', 'Å'],
      ...['0日本x＊y', '𞄀⑥𘡱履', 'B4c d', '日-本']
    ]
    const steps = names.flatMap((name, at) => [
      madeOf(2 * at + 1, 'person', { name }, {}),
      madeOf(2 * at + 2, 'work_word', { title: name }, {})
    ])
    const terms = [
      ...names,
      'jrr',
      'j r r',
      'jr',
      'ᾯᶬ',
      'a',
      'fin',
      'de-fin',
      'e-mail',
      '日本xy',
      '履-',
      'b4c-d',
      '日本'
    ]
    const texts = [...terms, ...terms.flatMap(one => terms.map(other => `${one} OR ${other} ${one}`))]
    for (const split of [0, steps.length]) {
      const { index, kept } = indexOf(steps, split)
      for (const value of [...texts, ...terms.flatMap(term => [`-${term}`, `"${term}"`, `de ${term}`])])
        checkQuestion(index, kept, { filters: [{ type: 'search', value }], orderBy: '', asc: 1, skip: 0, limit: 20 })
    }
    const { index, kept } = indexOf(steps, steps.length)
    const found = (value: string) => {
      const filters: FilterObject[] = [{ type: 'search', value }]
      return ask(index, questionOf({ filters, orderBy: '', asc: 1, skip: 0, limit: 20 })).count
    }
    assert.equal(found('jrr tolkien'), 3, 'both persons, and the work that is called so')
    assert.equal(found('日本xy'), 1, 'initials do not begin with a character that is a word')
    assert.equal(found('𞄀⑥𘡱履-'), 2, 'a hyphen joins what is on both of its sides')
    assert.equal(found('b4c-d'), 2, 'a word with a digit is one part')
    assert.equal(found('a OR fin a'), kept.filter(({ entity }) => /\bfin\b|Å/i.test(JSON.stringify(entity))).length)
  })

  it('groups by work as a naive evaluator does, and finds nothing through hidden records', () => {
    let withParts = 0
    for (let number = 0; number < Math.ceil(catalogues / 2); number++) {
      const [plan] = fc.sample(aCataloguePlan, { seed: seed + 8000 + number, numRuns: 1 })
      const steps = stepsOf(plan as CataloguePlan)
      const { index, kept } = indexOf(steps, Math.round((steps.length * (number % 4)) / 3))
      const types = [...new Set(kept.map(({ entity }) => entity.type))]
      fc.assert(
        fc.property(
          aQuestion(kept.map(({ entity }) => entity)),
          fc.option(fc.subarray(types), { nil: undefined }),
          fc.integer({ min: 1, max: 7 }),
          someFacets,
          (given, readableTypes, limit, paths) => {
            const readable = readableTypes ? onlyOf(kept, readableTypes) : kept
            const expected = evaluateGroups(readable, given.filters, given.orderBy, given.asc === 1)
            const question = { ...questionOf(given), skip: 0, limit, readableTypes }
            const facets = { paths: paths.map(path => readFacetPath(path) as never), limit: 5 }
            let answer = ask(index, { ...question, facets, groupBy: { facets: 'groups' } })
            assert.equal(answer.count, expected.length)
            assert.equal(answer.countRecords, evaluate(readable, given.filters).length)
            paths.forEach((path, at) => {
              assert.deepEqual(answer.facets?.[at], countValuesOfGroups(readable, given.filters, path, 5), path)
            })
            for (let at = 0; ; at += limit) {
              assert.deepEqual(groupsIn(index, answer), expected.slice(at, at + limit), `the page at ${at}`)
              assert.equal(answer.hasMore, at + limit < expected.length)
              if (answer.first && at > 0) {
                const from = { position: answer.first, backwards: true }
                const before = ask(index, { ...question, groupBy: { facets: 'groups' }, from })
                assert.deepEqual(groupsIn(index, before), expected.slice(at - limit, at), `back from ${at}`)
              }
              if (!answer.hasMore || !answer.last) break
              const from = { position: answer.last, backwards: false }
              answer = ask(index, { ...question, groupBy: { facets: 'groups' }, from })
            }
            withParts += expected.filter(({ expression, manifestation }) => expression ?? manifestation).length
          }
        ),
        { seed: seed + number, numRuns: questionsEach, includeErrorInReport: true }
      )
    }
    assert.ok(withParts > catalogues, `${withParts} groups with parts`)
  })

  it('is the same base, byte for byte, merged from parts and changes or built from the documents', () => {
    for (let number = 0; number < catalogues * 4; number++) {
      const [plan] = fc.sample(aCataloguePlan, { seed: seed + 10_000 + number, numRuns: 1 })
      const steps = stepsOf(plan as CataloguePlan)
      for (const share of [1, 0.9, 0.8]) mergedBase(steps, Math.round(steps.length * share))
    }
  })

  it('is the same after it was written to a snapshot and read again, and refuses one that was changed', () => {
    const [plan] = fc.sample(aCataloguePlan, { seed: seed + 9000, numRuns: 1 })
    const steps = stepsOf(plan as CataloguePlan)
    const { index, kept } = indexOf(steps, steps.length)
    const bytes = snapshotBytes(index.base, 'this database')
    const read = readSnapshot(snapshotIn(bytes), 'this database')
    assert.ok(read)
    const again = new CatalogueIndex(model, read)
    fc.assert(
      fc.property(aQuestion(kept.map(({ entity }) => entity)), given => checkQuestion(again, kept, given)),
      { seed, numRuns: questionsEach }
    )
    assert.equal(readSnapshot(snapshotIn(bytes), 'another database'), undefined)
    assert.equal(readSnapshot(snapshotIn(bytes.subarray(0, bytes.length - 1)), 'this database'), undefined)
    assert.equal(readSnapshot(snapshotIn(new Uint8Array(0)), 'this database'), undefined)
    fc.assert(
      fc.property(fc.nat({ max: bytes.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = bytes.slice()
        damaged[at] = (damaged[at] as number) ^ change
        assert.equal(readSnapshot(snapshotIn(damaged), 'this database'), undefined, `a changed byte at ${at}`)
      }),
      { seed, numRuns: 200 }
    )
  })
})

/** The records of some types, without relations to others. */
function onlyOf(kept: readonly Written[], types: readonly string[]): readonly Written[] {
  const isHidden = ({ entity }: Written) => !types.includes(entity.type)
  const hidden = new Set(kept.filter(isHidden).flatMap(({ entity }) => entity.identifiers))
  return kept
    .filter(each => !isHidden(each))
    .map(each => {
      const relations = each.entity.relations.filter(({ key }) => !hidden.has(key))
      return { ...each, entity: { ...each.entity, relations } }
    })
}

function groupsIn(index: CatalogueIndex, { groups = [] }: FindAnswer) {
  return groups.map(({ position, head, expression, manifestation, part, languages, ...rest }) => ({
    ...rest,
    head: index.idOf(head),
    ...(expression === undefined ? {} : { expression: index.idOf(expression) }),
    ...(manifestation === undefined ? {} : { manifestation: index.idOf(manifestation) }),
    ...(part === undefined ? {} : { part: index.idOf(part) }),
    languages: languages.map(each => index.idOf(each))
  }))
}

/** A step with times against the order of changes, as a clock that was set back gives. */
const retimed = (step: Step): Step =>
  'kept' in step ? withTimes(step, at => new Date(2 * 1_704_412_800_000 - Date.parse(at)).toISOString()) : step

/** A step with the same times as others of its day. */
const onTheSameDay = (step: Step): Step =>
  'kept' in step ? withTimes(step, at => `${at.slice(0, 10)}T00:00:00.000Z`) : step

function withTimes({ kept }: { readonly kept: Written }, change: (at: string) => string): Step {
  const { created, updated } = kept.entity.audit
  const audit = { created: { ...created, at: change(created.at) }, updated: { ...updated, at: change(updated.at) } }
  return { kept: { ...kept, entity: { ...kept.entity, audit } } }
}

/** A record that was created and changed at a second, and with another number of its change. */
function madeAt(number: number, second: number): Written {
  const step = madeOf(number, 'person', { name: `N ${number}` }, {})
  assert.ok('kept' in step)
  const at = new Date(second * 1000).toISOString()
  const { kept } = withTimes({ kept: step.kept }, () => at) as { kept: Written }
  return { ...kept, changed: number % 2 === 0 ? number : 5000 + number }
}

/**
 * A walk by the last change, a page at each state of an index. Records stand where they stood when
 * it began; those that match no more, or did not exist then, are left out.
 */
function walkWhileChanging(filters: readonly FilterObject[], asc: 0 | 1, readableTypes: readonly string[] | undefined) {
  const limit = 3
  const sign = asc === 1 ? 1 : -1
  let begun: { readonly order: readonly Written[]; readonly at: number; readonly last: FindAnswer['last'] } | undefined
  const walk = {
    pages: 0,
    goOn(index: CatalogueIndex, kept: readonly Written[]) {
      const order = begun?.order ?? [...kept].sort((one, other) => (one.changed - other.changed) * sign)
      const known = new Map(order.map(each => [each.number, each.changed]))
      const page = (from: FindQuery['from']) =>
        find(
          index,
          {
            ...questionOf({ filters, orderBy: 'date_updated', asc, skip: 0, limit }),
            ...(from ? { from } : {}),
            readableTypes
          },
          numbers => new Map(numbers.flatMap(each => (known.has(each) ? [[each, known.get(each) as number]] : []))),
          () => []
        )
      const readable = readableTypes ? onlyOf(kept, readableTypes) : kept
      const matching = new Set(evaluate(readable, filters))
      const isFound = ({ entity }: Written) => matching.has(entity.id)
      const expected = order.slice(begun?.at ?? 0).filter(isFound)
      const answer = page(begun?.last && { position: begun.last, backwards: false })
      walk.pages++
      assert.equal(answer.count, matching.size)
      assert.deepEqual(
        answer.numbers,
        expected.slice(0, limit).map(each => each.number)
      )
      assert.equal(answer.hasMore, expected.length > limit)
      if (begun && answer.first) {
        const first = order.findIndex(each => each.number === answer.numbers[0])
        const before = order.slice(0, first).filter(isFound).slice(-limit)
        assert.deepEqual(
          page({ position: answer.first, backwards: true }).numbers,
          before.map(each => each.number)
        )
      }
      const end = order.findIndex(each => each.number === answer.numbers.at(-1)) + 1
      begun = answer.hasMore ? { order, at: end, last: answer.last } : undefined
    }
  }
  return walk
}

const uuidOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

function madeOf(
  number: number,
  type: string,
  metadata: Readonly<Record<string, string>>,
  relations: Readonly<Record<string, string | readonly string[]>>,
  furtherIdentifiers: readonly string[] = []
): Step {
  const uuid = uuidOf(number)
  const stamp = { at: new Date(number).toISOString(), by: 'token:0' }
  const entity: Entity = {
    id: `X-${number}`,
    _id: uuid,
    _key: `X-${number}`,
    type,
    version: 1,
    metadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
    relations: Object.entries(relations).flatMap(([type, keys]) => [keys].flat().map(key => ({ type, key }))),
    identifiers: [uuid, `X-${number}`, ...furtherIdentifiers],
    audit: { created: stamp, updated: stamp }
  }
  return { kept: { entity, created: number, changed: number, number } }
}

function stepsOf(plan: CataloguePlan): Step[] {
  const steps: Step[] = []
  const alive: Written[] = []
  let clock = 0
  const stamp = (by: string) => ({ at: new Date(1_704_412_800_000 + ++clock * 7_200_000).toISOString(), by })
  for (const planned of plan.entities) {
    const taken = new Set(alive.flatMap(({ entity }) => entity.identifiers))
    const body = toBody(
      planned,
      alive.map(({ entity }) => entity)
    )
    const number = alive.length + 1
    const uuid = uuidOf(number)
    const id = body.id === undefined || taken.has(body.id) ? `X-${1000 - number}` : body.id
    const created = stamp(`token:${clock % 3}`)
    const entity: Entity = {
      id,
      _id: uuid,
      _key: id,
      type: body.type,
      version: 1,
      metadata: body.metadata,
      relations: body.relations,
      identifiers: [uuid, id, ...body.identifiers.filter(each => !taken.has(each) && each !== id)],
      audit: { created, updated: created }
    }
    const kept = { entity, created: number, changed: clock, number }
    alive.push(kept)
    steps.push({ kept })
  }
  const gone = new Set<number>()
  for (const change of plan.changes) {
    const at = change.at % Math.max(1, alive.length)
    const before = alive[at]
    if (!before || gone.has(at)) continue
    if (change.kind === 'delete') {
      gone.add(at)
      clock++
      steps.push({ removed: before.entity._id })
      continue
    }
    const metadata = [
      ...before.entity.metadata.filter(({ key }) => key !== change.key),
      { key: change.key, value: change.value }
    ]
    const updated = stamp('token:late')
    const kept = {
      ...before,
      entity: { ...before.entity, metadata, audit: { ...before.entity.audit, updated } },
      changed: clock
    }
    alive[at] = kept
    steps.push({ kept })
  }
  return steps
}

/**
 * An index whose base knows the first steps, and its delta the others, taken in a few at a time.
 */
function indexOf(steps: readonly Step[], split: number, tuning?: Tuning) {
  let last: { readonly index: CatalogueIndex; readonly kept: readonly Written[] } | undefined
  forEachState(steps, split, tuning, (index, kept) => (last = { index, kept }), 3)
  assert.ok(last)
  return last
}

/** Calls back with the index after the first steps, and then after every few. */
function forEachState(
  steps: readonly Step[],
  split: number,
  tuning: Tuning | undefined,
  check: (index: CatalogueIndex, kept: readonly Written[], at: number) => void,
  together = 1
) {
  const documents = new Map<string, Written>()
  const inOrder = () => [...documents.values()].sort((one, other) => one.number - other.number)
  const take = takeInto(documents)
  for (const step of steps.slice(0, split)) take(step)
  const base = split % 3 === 0 ? baseOf(inOrder(), split) : mergedBase(steps, split)
  let index = new CatalogueIndex(model, base, tuning)
  check(index, inOrder(), split)
  for (let at = split; at < steps.length; at += together) {
    const batch = steps.slice(at, at + together)
    for (const step of batch) take(step)
    const uuids = new Set(batch.map(step => ('removed' in step ? step.removed : step.kept.entity._id)))
    index.apply({
      change: at + batch.length,
      written: [...uuids].flatMap(uuid => {
        const kept = documents.get(uuid)
        return kept ? [toIndexedDocument(model, kept.entity, kept.number, kept.changed)] : []
      }),
      removed: [...uuids].filter(uuid => !documents.has(uuid))
    })
    if (at % 3 > 0) index = withNewerBase(index, steps, Math.max(split, at - 1), tuning)
    check(index, inOrder(), at + batch.length)
  }
}

/** The same index on a base of more steps, with the changes since that were applied already. */
function withNewerBase(index: CatalogueIndex, steps: readonly Step[], change: number, tuning: Tuning | undefined) {
  const documents = new Map<string, Written>()
  for (const step of steps.slice(0, change)) takeInto(documents)(step)
  const inOrder = [...documents.values()].sort((one, other) => one.number - other.number)
  const newer = new CatalogueIndex(model, baseOf(inOrder, change), tuning)
  newer.apply(index.changesSince(change))
  return newer
}

const takeInto = (documents: Map<string, Written>) => (step: Step) => {
  if ('removed' in step) documents.delete(step.removed)
  else documents.set(step.kept.entity._id, step.kept)
}

function baseOf(documents: readonly Written[], change: number): Base {
  const builder = buildBase()
  for (const { entity, number, changed } of documents) builder.add(toIndexedDocument(model, entity, number, changed))
  return builder.done(change)
}

/**
 * The base after some steps, merged from two bases as they were after half of them, and one of the
 * changes since. It is the one that would be built.
 */
function mergedBase(steps: readonly Step[], split: number): Base {
  const half = split >> 1
  const documents = new Map<string, Written>()
  const inOrder = () => [...documents.values()].sort((one, other) => one.number - other.number)
  for (const step of steps.slice(0, half)) takeInto(documents)(step)
  // Neighbours, or every other document.
  const isFirst = (number: number) => (split % 2 === 0 ? number * 2 < documents.size : number % 2 === 0)
  const parts = [true, false].map(first =>
    baseOf(
      inOrder().filter(each => isFirst(each.number) === first),
      half
    )
  )
  for (const step of steps.slice(half, split)) takeInto(documents)(step)
  const changed = new Set(
    steps.slice(half, split).map(step => ('removed' in step ? step.removed : step.kept.entity._id))
  )
  const since = baseOf(
    inOrder().filter(({ entity }) => changed.has(entity._id)),
    split
  )
  const merged = mergeBases(parts, { bases: [since], changed }, split, [])
  assert.deepEqual(comparable(merged), comparable(baseOf(inOrder(), split)))
  return merged
}

/** A base without the order of its keys and of its table of names. */
function comparable({ columnKeys, columns, names, ...rest }: Base) {
  const { table, ...otherNames } = names
  return { ...rest, names: otherNames, columns: new Map(new Columns({ columnKeys, columns })) }
}

/** A word without some of its last letters; a short one stays as it is. */
function shortened(word: string, cut: number): string {
  const letters = [...word]
  return letters.length > 5 ? letters.slice(0, letters.length - cut).join('') : word
}

function questionOf({ filters, orderBy, asc, skip, limit }: GeneratedQuestion): FindQuery {
  const filter = readFilters(model, filters).filter
  const order = readOrder(orderBy, asc === 1, filter)
  assert.ok(order)
  return { filter, order, skip, limit, readableTypes: undefined, counted: true }
}

const ask = (index: CatalogueIndex, question: FindQuery): FindAnswer =>
  find(
    index,
    question,
    () => new Map(),
    () => []
  )

function checkQuestion(index: CatalogueIndex, kept: readonly Written[], given: GeneratedQuestion) {
  const expected = evaluate(kept, given.filters, given.orderBy, given.asc === 1)
  const answer = ask(index, questionOf(given))
  assert.equal(answer.count, expected.length)
  assert.deepEqual(
    answer.numbers.map(number => index.idOf(number)),
    expected.slice(given.skip, given.skip + given.limit)
  )
  assert.equal(answer.hasMore, given.limit > 0 && given.skip + given.limit < expected.length)
}

/** Goes on by the places that answers give, forward to the end and back again. */
function checkPages(index: CatalogueIndex, kept: readonly Written[], given: GeneratedQuestion) {
  const limit = (given.limit % 7) + 1
  const expected = evaluate(kept, given.filters, given.orderBy, given.asc === 1)
  const question = { ...questionOf(given), skip: 0, limit }
  let answer = ask(index, question)
  for (let at = 0; ; at += limit) {
    assert.deepEqual(
      answer.numbers.map(number => index.idOf(number)),
      expected.slice(at, at + limit),
      `the page at ${at}`
    )
    if (answer.first && at > 0) {
      const before = ask(index, { ...question, from: { position: answer.first, backwards: true } })
      assert.deepEqual(
        before.numbers.map(number => index.idOf(number)),
        expected.slice(at - limit, at),
        `back from the page at ${at}`
      )
      assert.equal(before.hasMore, at > limit)
    }
    assert.equal(answer.hasMore, at + limit < expected.length)
    if (!answer.hasMore || !answer.last) break
    answer = ask(index, { ...question, from: { position: answer.last, backwards: false } })
  }
}
