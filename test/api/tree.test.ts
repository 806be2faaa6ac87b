import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aPerson, aRecord, createBook, idsOf, metadata, relations } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'

const service = await start({ after })
const { create, get } = service

interface TreeLevel {
  readonly id: string
  readonly manifestations: readonly { readonly id: string }[]
}
const treeOf = async (work: string, query = '') => {
  const answer = await get(`/entities/${encodeURIComponent(work)}/tree${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
/** Ids of expressions, each with those of the manifestations shown under it. */
const outline = (tree: { expressions: readonly TreeLevel[] }) =>
  tree.expressions.map(expression => [expression.id, expression.manifestations.map(each => each.id)])

/** A work with expressions that have so many manifestations each. */
const workWith = async (...counts: number[]) => {
  const work = await create(aRecord('work_word', { title: 'Hamlet' }))
  const expressions = []
  for (const [index, count] of counts.entries()) {
    const { id } = await create(aRecord('expression_word', { title: `Expression ${index}` }, { refWork: work.id }))
    const manifestations: string[] = []
    for (let edition = 0; edition < count; edition++) {
      const title = `Edition ${index}.${edition}`
      manifestations.push((await create(aRecord('manifestation_word', { title }, { refExpressions: id }))).id)
    }
    expressions.push([id, manifestations] as const)
  }
  return { work: work.id, expressions }
}

describe('GET /entities/{work_id}/tree', () => {
  it('answers the work, its expressions, and their manifestations, in the order of creation', async () => {
    const { work, expressions } = await workWith(2, 0, 1)

    const tree = await treeOf(work)

    assert.equal(tree.work.id, work)
    assert.deepEqual(outline(tree), expressions)
  })

  it('answers exactly work, expressions, count, skip and limit, and next when there are more', async () => {
    const { work } = await workWith(2)

    assert.deepEqual(Object.keys(await treeOf(work)).sort(), ['count', 'expressions', 'limit', 'skip', 'work'])
    assert.deepEqual(Object.keys(await treeOf(work, '?limit=1')).sort(), [
      'count',
      'expressions',
      'limit',
      'next',
      'skip',
      'work'
    ])
  })

  it('gives each record its id, type, metadata and relations, resolved as in WEM', async () => {
    const author = await create(aPerson('Shakespeare, William'))
    const language = await create(aRecord('language', { name: 'Dutch', code: 'nld' }))
    const publisher = await create(aRecord('publisher', { name: 'Querido' }))
    const book = await createBook(service, {
      work: { relations: relations({ refAuthors: author.id }) },
      expression: { relations: relations({ refLanguages: language.id }) },
      manifestation: { fields: { year_of_publication: 1991 }, relations: relations({ refPublishers: publisher.id }) }
    })
    const wem = (await get(`/entities/wem/${book.manifestation}`)).body

    const tree = await treeOf(book.work)

    assert.deepEqual(tree.work, { id: book.work, ...wem.work })
    const [{ manifestations, ...expression }] = tree.expressions
    assert.deepEqual(expression, { id: book.expression, ...wem.expression })
    assert.deepEqual(manifestations, [{ id: book.manifestation, ...wem.manifestation }])
    assert.equal(manifestations[0].relations[publisher.id].value, 'Querido')
    assert.equal(manifestations[0].metadata.year_of_publication.value, '1991')
  })

  it('shows an anthology under each of its expressions of the work', async () => {
    const { work, expressions } = await workWith(1, 1)
    const [one, two] = expressions
    const both = await create(
      aRecord('manifestation_word', { title: 'Both' }, { refExpressions: [String(one?.[0]), String(two?.[0])] })
    )

    const tree = await treeOf(work)

    assert.deepEqual(outline(tree), [
      [one?.[0], [...(one?.[1] ?? []), both.id]],
      [two?.[0], [...(two?.[1] ?? []), both.id]]
    ])
  })

  it('reaches the further expressions of an anthology, which WEM leaves out', async () => {
    const first = await createBook(service)
    const second = await createBook(service)
    const { id } = await create(
      aRecord('manifestation_word', { title: 'Two' }, { refExpressions: [first.expression, second.expression] })
    )

    assert.deepEqual(outline(await treeOf(second.work)), [[second.expression, [second.manifestation, id]]])
  })

  it('leaves out what belongs to other works', async () => {
    const { work } = await workWith(1)
    await workWith(3)
    const production = await create(aRecord('production', { title: 'Staged' }, { refWorks: work }))

    const tree = await treeOf(work)

    assert.equal(tree.count, 1)
    assert.equal(JSON.stringify(tree).includes(production.id), false)
  })

  it('answers a work without expressions', async () => {
    const { work } = await workWith()

    const tree = await treeOf(work)

    assert.deepEqual([tree.expressions, tree.count, tree.skip, tree.limit], [[], 0, 0, 20])
  })

  it('shows what was written a moment ago', async () => {
    const { work, expressions } = await workWith(1)
    await treeOf(work)

    const { id } = await create(
      aRecord('manifestation_word', { title: 'New' }, { refExpressions: String(expressions[0]?.[0]) })
    )
    await service.patch(`/entities/${work}`, { metadata: metadata({ title: 'Renamed' }) })

    const tree = await treeOf(work)
    assert.deepEqual(outline(tree), [[expressions[0]?.[0], [expressions[0]?.[1][0], id]]])
    assert.equal(tree.work.metadata.title.value, 'Renamed')
  })

  for (const type of ['work_music', 'work_map', 'work_computer_file']) {
    it(`takes a ${type}, by any identifier`, async () => {
      const work = await create(aRecord(type, { title: 'Named' }, {}, { identifiers: [`any name/${type}`] }))

      assert.equal((await treeOf(`any name/${type}`)).work.id, work.id)
      assert.equal((await treeOf(work._id)).work.type, type)
    })
  }
})

describe('The pages of GET /entities/{work_id}/tree', () => {
  it('are of manifestations; all expressions are always shown', async () => {
    const { work, expressions } = await workWith(3, 2, 4)
    const all = expressions.flatMap(([, manifestations]) => manifestations)

    const tree = await treeOf(work, '?skip=2&limit=4')

    assert.deepEqual([tree.count, tree.skip, tree.limit], [9, 2, 4])
    assert.deepEqual(
      idsOf(tree.expressions),
      expressions.map(([id]) => id)
    )
    assert.deepEqual(
      tree.expressions.flatMap((expression: TreeLevel) => idsOf(expression.manifestations)),
      all.slice(2, 6)
    )
  })

  it('give every manifestation exactly once when next is followed to the end', async () => {
    const { work, expressions } = await workWith(3, 2, 4)
    const seen: string[] = []

    let url: string | undefined = `/entities/${work}/tree?limit=2`
    while (url !== undefined) {
      const { body }: Awaited<ReturnType<typeof get>> = await get(url)
      seen.push(...body.expressions.flatMap((expression: TreeLevel) => idsOf(expression.manifestations)))
      url = body.next
    }

    assert.deepEqual(
      seen,
      expressions.flatMap(([, manifestations]) => manifestations)
    )
  })

  it('have 20 manifestations where limit is left out, and none with limit 0', async () => {
    const { work } = await workWith(22)

    const tree = await treeOf(work)
    assert.equal(tree.expressions[0].manifestations.length, 20)
    assert.ok(tree.next)
    assert.equal('next' in (await treeOf(work, '?limit=22')), false)
    const none = await treeOf(work, '?limit=0')
    assert.deepEqual([none.count, none.expressions[0].manifestations], [22, []])
    assert.equal('next' in none, false)
  })

  for (const query of ['limit=1001', 'limit=-1', 'skip=-1', 'limit=x']) {
    it(`answer 400 to ${query}`, async () => {
      const { work } = await workWith()

      const answer = await get(`/entities/${work}/tree?${query}`)

      assert.equal(answer.status, 400)
      assert.equal(answer.body.errors[0].pointer, query.split('=')[0])
    })
  }
})

describe('What GET /entities/{work_id}/tree refuses', () => {
  it('answers 404 for an unknown id, and for what is not a work', async () => {
    const { expression, manifestation } = await createBook(service)
    const person = await create(aPerson())

    for (const id of ['W-NOWHERE', expression, manifestation, person.id]) {
      const answer = await get(`/entities/${id}/tree`)
      assert.equal(answer.status, 404)
      assert.equal(answer.body.type, '/problems/not-found')
    }
  })

  it('answers 401 without a token', async () => {
    const { work } = await workWith()

    assert.equal((await get(`/entities/${work}/tree`, { token: undefined })).status, 401)
  })
})
