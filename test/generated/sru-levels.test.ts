import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import type { Entity } from '#domain/entity/entity.ts'
import { loadSample } from '../../src/cli/sample.ts'
import { evaluate, type FilterObject, type Kept } from '../support/oracles/naive-evaluator.ts'
import { createChance, howMany, seed } from '../support/records/chance.ts'
import { createBook, aPerson, metadata } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'

/*
 * A search by SRU is met by the levels of a publication together. A second evaluator, written from
 * the documents, says what the same choices find as filters.
 */

const service = await start({ after })
await loadSample(service.libretto)

const relation = (type: string, { id }: { id: string }) => ({ key: id, type })
const author = await service.create(aPerson('Ibsen-Quist, Ada'))
const translator = await service.create(aPerson('Overzetter, Bo'))
const language = await service.create({ type: 'language', metadata: metadata({ name: 'Kleinfries', code: 'qfy' }) })
const other = await service.create({ type: 'language', metadata: metadata({ name: 'Grootfries', code: 'qgf' }) })
const book = await createBook(service, {
  work: {
    fields: { title: 'Gesprekken', year: '1871' },
    relations: [relation('refAuthors', author), relation('refLanguages', other)]
  },
  expression: { relations: [relation('refAuthors', translator), relation('refLanguages', language)] },
  manifestation: { fields: { title: 'Praatjes', year_of_publication: '1990' } }
})
/** Another edition of the same text. */
const later = await service.create({
  type: 'manifestation_word',
  metadata: metadata({ title: 'Praatjes', year_of_publication: '2005' }),
  relations: [{ type: 'refExpressions', key: book.expression }]
})

async function find(cql: string, database = ''): Promise<string[]> {
  const found: string[] = []
  for (let start = 1; ; start += 100) {
    const query = `query=${encodeURIComponent(cql)}&recordSchema=json&maximumRecords=100&startRecord=${start}`
    const { status, text } = await service.get(`/sru${database}?version=1.2&operation=searchRetrieve&${query}`)
    assert.equal(status, 200, text)
    assert.doesNotMatch(text, /info:srw\/diagnostic/, cql)
    found.push(...[...text.matchAll(/<zs:recordData>\{.*?&quot;id&quot;:&quot;(.*?)&quot;/g)].map(([, id = '']) => id))
    if (found.length >= Number(/numberOfRecords>(\d+)</.exec(text)?.[1])) return found.sort()
  }
}

describe('A search by SRU', () => {
  it('finds publications of which the levels meet it together', async () => {
    for (const cql of [
      'title = praatjes and creator = "ibsen-quist" and date = 1990',
      'title = gesprekken and creator = overzetter and date = 1990 and language = qfy',
      'creator = "ibsen-quist" and creator = overzetter and date = 1990',
      'creator = "ibsen-quist" not date = 2005',
      'creator = "ibsen-quist" and date <> 2005',
      '(date = 1990 or date = 1991) and language = qfy',
      'gesprekken and date = 1990'
    ])
      assert.deepEqual(await find(cql), [book.manifestation], cql)
    for (const cql of [
      'creator = "ibsen-quist" and date = 1871',
      'creator = "ibsen-quist" and language = qgf',
      'creator = "ibsen-quist" and date = 1990 not language = qfy'
    ])
      assert.deepEqual(await find(cql), [], cql)
    assert.deepEqual(await find('creator = overzetter not date = 1990'), [later.id])
  })

  it('finds works and texts of which one edition meets it', async () => {
    for (const cql of [
      'creator = "ibsen-quist" and language = qfy and date = 1990',
      'title = gesprekken and title = praatjes',
      'creator = overzetter and date = 2005',
      'creator = "ibsen-quist" not date = 1900',
      'creator = "ibsen-quist" and (date = 1900 or language = qfy)'
    ]) {
      assert.deepEqual(await find(cql, '/work'), [book.work], cql)
      assert.deepEqual(await find(cql, '/expression'), [book.expression], cql)
    }
    for (const cql of ['creator = "ibsen-quist" not date = 1990', 'creator = overzetter and date = 1999'])
      for (const database of ['/work', '/expression']) assert.deepEqual(await find(cql, database), [], cql)
    assert.deepEqual(await find('language = qfy and date = 1871', '/work'), [])
  })

  it('finds performances and items by what they belong to', async () => {
    assert.deepEqual(await find('title = hamlet', '/performance').then(({ length }) => length > 0), true)
    const item = await service.create({
      type: 'item',
      metadata: metadata({ shelf_mark: 'QFY 1' }),
      relations: [{ type: 'refManifestation', key: later.id }]
    })
    assert.deepEqual(await find('creator = "ibsen-quist"', '/item'), [item.id])
  })
})

/** Choices, each as a clause and as a filter; the same fields, at whatever level they are. */
const selection = (key: string, value: string) =>
  ({ type: 'selection', key, value: [value], match_exact: true }) as const
const named = (index: string, relationType: string) => ({
  clauseOf: (name: string) => `${index} == "${name.replaceAll('"', '')}"`,
  filterOf: (id: string): FilterObject => selection(`relations.${relationType}.key`, id),
  relationType
})
const indexes = [
  named('dc.creator', 'refAuthors'),
  named('dc.publisher', 'refPublishers'),
  named('dc.subject', 'refSubjects'),
  named('bib.genre', 'refGenres')
]

describe('Random searches by SRU', () => {
  it('find the publications and the works that one edition with its levels makes a match', async () => {
    const { body } = await service.post('/entities/filter?limit=1000&order_by=date_created', [])
    const records = body.results as Entity[]
    const catalogue = records.map((entity, at): Kept => ({ entity, created: at, changed: at }))
    const byId = new Map(records.map(each => [each.id, each]))
    const nameOf = (id: string) => String(byId.get(id)?.metadata.find(({ key }) => key === 'name')?.value)
    const idsOf = (name: string) => records.filter(({ id }) => nameOf(id) === name).length
    const above = (entity: Entity): Entity[] =>
      entity.relations
        .filter(({ type }) => ['refExpressions', 'refWork'].includes(type))
        .flatMap(({ key }) => {
          const owner = byId.get(key)
          return owner ? [owner, ...above(owner)] : []
        })
    const editions = records.filter(({ type }) => type.startsWith('manifestation'))
    const chance = createChance(seed)
    const choicesOf = (edition: Entity) => {
      const line = [edition, ...above(edition)]
      const related = indexes.flatMap(({ clauseOf, filterOf, relationType }) =>
        line
          .flatMap(({ relations }) => relations.filter(({ type }) => type === relationType))
          .filter(({ key }) => byId.has(key) && idsOf(nameOf(key)) === 1 && !/[*?^\\]/.test(nameOf(key)))
          .map(({ key }) => ({ clause: clauseOf(nameOf(key)), filter: filterOf(key) }))
      )
      const year = edition.metadata.find(({ key }) => key === 'year_of_publication')?.value
      const years = year === undefined ? [] : [Number(year)]
      return [
        ...related,
        ...years.map(each => ({
          clause: `bib.dateIssued within "${each - 2} ${each + 2}"`,
          filter: {
            type: 'number',
            key: 'properties.year_of_publication.value',
            value: { min: each - 2, max: each + 2 }
          } as const
        }))
      ]
    }
    let found = 0
    for (let at = howMany({ quick: 15, short: 60, long: 5000, onPostgres: 20 }); at > 0; at--) {
      const choices = Array.from({ length: 1 + chance.below(3) }, (_, place) => {
        // Most choices are of the same edition, so that something is found.
        const edition = editions[(place > 0 && chance.oneIn(3) ? chance.below(editions.length) : at) % editions.length]
        const possible = edition ? choicesOf(edition) : []
        return possible[chance.below(Math.max(1, possible.length))]
      }).filter(each => each !== undefined)
      if (choices.length === 0) continue
      const cql = choices.map(({ clause }) => clause).join(' and ')
      const together: FilterObject = { type: 'together', key: 'edition', value: choices.map(({ filter }) => filter) }
      for (const level of ['manifestation', 'work']) {
        const expected = evaluate(catalogue, [together, { type: 'type', value: level }], 'id')
        // The evaluator goes both ways; a publication is found by what it has or is part of.
        assert.deepEqual(await find(cql, `/${level}`), expected.sort(), `${level}: ${cql}`)
        found += expected.length
      }
    }
    assert.ok(found > 0)
  })
})
