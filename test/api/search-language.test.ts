import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { aManifestation, anExpression, aWork, metadata, relations } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'

/* The language of the search box; test/index/index-oracle.test.ts compares it with an evaluator. */

const service = await start({ after })

async function found(value: string, ...others: readonly unknown[]): Promise<string[]> {
  const { status, body, text } = await service.filter([{ type: 'search', value }, ...others], '?limit=100')
  assert.equal(status, 200, text)
  const ids = body.results.map(({ id }: { id: string }) => id)
  assert.equal(body.count, ids.length)
  return ids
}

const works = { type: 'type', value: 'work' }
const ofWorks = async (value: string) => (await found(value, works)).sort()

describe('the search language', () => {
  before(async () => {
    const person = (id: string, name: string, ...others: readonly string[]) =>
      service.create({
        id,
        type: 'person',
        metadata: [...metadata({ name }), ...others.map(value => ({ key: 'non_preferred_name', value }))]
      })
    const work = (id: string, title: string, fields: Record<string, string>, author?: string, subject?: string) =>
      service.create({
        ...aWork(title, { id }),
        metadata: metadata({ title, ...fields }),
        relations: [
          ...(author === undefined ? [] : relations({ refAuthors: author })),
          ...(subject === undefined ? [] : relations({ refSubjects: subject }))
        ]
      })
    await person('P-T', 'Twain, Mark', 'Clemens, Samuel Langhorne')
    await person('P-S', 'Shakespeare, William')
    await person('P-M', 'Murasaki Shikibu', '紫式部')
    await service.create({ id: 'S-1', type: 'subject', metadata: metadata({ name: 'Denemarken' }) })
    await work('W-TOM', 'The adventures of Tom Sawyer', { year: '1876' }, 'P-T')
    await work('W-SAW', 'Sawyer and Tom', { year: '1990' })
    await work('W-HAM', 'Hamlet', { year: '1603' }, 'P-S', 'S-1')
    await work('W-MAC', 'Macbeth', { year: '1606' }, 'P-S')
    await work('W-SHA', 'Shakespeare in Denmark', { year: '1995' })
    await work('W-GEN', '源氏物語', { year: '1008' }, 'P-M')
    await work('W-MAIL', 'Love by e-mail', { year: '1999' })
    await service.create(anExpression('W-HAM', 'Hamlet', { id: 'E-1' }))
    await service.create({
      ...aManifestation('E-1', 'Hamlet', { id: 'M-1' }),
      metadata: metadata({ title: 'Hamlet', isbn: '9789025363789', year_of_publication: '1995' })
    })
    await service.create({
      id: 'PR-1',
      type: 'production',
      metadata: metadata({ title: 'Avond', description: '<p>Mid<b>zomer</b>nacht</p><p>droom</p>' })
    })
  })

  it('finds words in their order in quotes', async () => {
    assert.deepEqual(await ofWorks('tom sawyer'), ['W-SAW', 'W-TOM'])
    assert.deepEqual(await ofWorks('"tom sawyer"'), ['W-TOM'])
    assert.deepEqual(await ofWorks('“Tom Sáwyer”'), ['W-TOM'])
    assert.deepEqual(await ofWorks('"sawyer tom"'), [])
    assert.deepEqual(await found('"shakespeare william"', { type: 'type', value: 'manifestation' }), ['M-1'])
  })

  it('leaves out what has a word with a minus sign, or after NOT', async () => {
    assert.deepEqual(await ofWorks('shakespeare -hamlet'), ['W-MAC', 'W-SHA'])
    assert.deepEqual(await ofWorks('shakespeare NOT hamlet'), ['W-MAC', 'W-SHA'])
    assert.deepEqual(await ofWorks('sawyer -"tom sawyer"'), ['W-SAW'])
    assert.deepEqual(await ofWorks('-author:shakespeare -sawyer -e-mail'), ['W-GEN', 'W-SHA'])
  })

  it('finds either of two alternatives, the best first', async () => {
    assert.deepEqual(await ofWorks('hamlet OR macbeth'), ['W-HAM', 'W-MAC'])
    assert.deepEqual(await ofWorks('hamlet | "tom sawyer"'), ['W-HAM', 'W-TOM'])
    assert.deepEqual(await ofWorks('shakespeare hamlet OR macbeth'), ['W-HAM', 'W-MAC'])
    assert.deepEqual(await ofWorks('year:1603 OR title:sawyer'), ['W-HAM', 'W-SAW', 'W-TOM'])
    assert.deepEqual(await found('denmark OR shakespeare', works), ['W-HAM', 'W-MAC', 'W-SHA'])
  })

  it('looks for words in one field, at every level', async () => {
    assert.deepEqual(await ofWorks('title:shakespeare'), ['W-SHA'])
    assert.deepEqual(await ofWorks('author:shakes'), ['W-HAM', 'W-MAC'])
    assert.deepEqual(await ofWorks('author:"william shakespeare"'), [])
    assert.deepEqual(await ofWorks('author:"Shakespeare, William" title:mac'), ['W-MAC'])
    assert.deepEqual(await ofWorks('subject:denemarken'), ['W-HAM'])
    assert.deepEqual(await ofWorks('onderwerp:denemarken'), ['W-HAM'])
    assert.deepEqual(await ofWorks('title:源氏'), ['W-GEN'])
    assert.deepEqual(await found('author:shakespeare', { type: 'type', value: 'manifestation' }), ['M-1'])
    assert.deepEqual(await found('isbn:978-90-253-6378-9'), ['M-1'])
    assert.deepEqual(await found('isbn:97890253'), ['M-1'])
  })

  it('looks for years and periods', async () => {
    assert.deepEqual(await ofWorks('year:1990-1999'), ['W-MAIL', 'W-SAW', 'W-SHA'])
    assert.deepEqual(await ofWorks('year:1995'), ['W-SHA'])
    assert.deepEqual(await ofWorks('year:-1100'), ['W-GEN'])
    assert.deepEqual(await ofWorks('year:1996-'), ['W-MAIL'])
    assert.deepEqual(await found('hamlet year:1995'), ['M-1'])
  })

  it('finds the works of a person by other names, in other scripts too', async () => {
    assert.deepEqual(await ofWorks('samuel clemens'), ['W-TOM'])
    assert.deepEqual(await ofWorks('author:clemens'), ['W-TOM'])
    assert.deepEqual(await ofWorks('紫式部'), ['W-GEN'])
    assert.deepEqual(await ofWorks('author:紫式部 源氏'), ['W-GEN'])
  })

  it('does not require small words, but puts first what has them', async () => {
    assert.deepEqual(await ofWorks('macbeth by william shakespeare'), ['W-MAC'])
    assert.deepEqual(await found('sawyer and tom', works), ['W-SAW', 'W-TOM'])
    assert.deepEqual(await ofWorks('the'), ['W-TOM'])
  })

  it('finds words with hyphens without them, and words across markup', async () => {
    for (const text of ['e-mail', 'email', 'E‑Mail', 'e mail']) assert.deepEqual(await ofWorks(text), ['W-MAIL'], text)
    assert.deepEqual(await found('midzomernacht'), ['PR-1'])
    assert.deepEqual(await found('"midzomernacht droom"'), ['PR-1'])
    assert.deepEqual(await found('nachtdroom'), [])
  })

  it('takes every text for a search', async () => {
    for (const text of ['"', 'hamlet "', '"hamlet', '-', '- hamlet', '--hamlet', 'OR', 'OR hamlet', 'hamlet OR', '""'])
      assert.ok(!text.includes('hamlet') || (await ofWorks(text)).includes('W-HAM'), text)
    assert.deepEqual(await ofWorks('HAMLET OR MACBETH'), [])
    assert.deepEqual(await ofWorks('title: hamlet'), [])
    assert.deepEqual(await ofWorks('hamlet:'), ['W-HAM'])
    for (const text of ['title:', 'year:', 'year:abc', 'author:""', '"-"', 'a:b:c', '|', 'NOT', '-"']) await found(text)
    await found(`-a ${'-b OR "c d" '.repeat(30)}`)
  })

  it('is paged by cursors', async () => {
    const filters = [{ type: 'search', value: 'shakespeare -macbeth OR -hamlet "william"' }]
    const all = (await service.filter(filters, '?limit=100')).body.results
    let page = (await service.filter(filters, '?limit=1')).body
    const walked = [...page.results]
    while (page.next !== undefined) {
      page = (await service.post(page.next, filters)).body
      walked.push(...page.results)
    }
    assert.deepEqual(walked, all)
  })
})
