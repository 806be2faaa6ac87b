import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { brotliCompressSync } from 'node:zlib'

import { metadata, relations } from '../support/records/entities.ts'
import { createMany } from '../support/services/create-many.ts'
import { start } from '../support/services/start.ts'

/*
 * Pages for readers of a work with 2,400 editions and of a production with 300 nights: they show
 * all of them, stay small, and cost about as much as those of a work with one page of editions.
 */

const service = await start({ after }, { ANONYMOUS_ACCESS: 'read' })

const editionsOfPage = 50
const [few, many, nights] = [editionsOfPage, 2400, 300]

/** Maximum bytes of a page as sent; styles, script and typefaces take the rest of 60 kB. */
const maxBytes = 20_000

/** Maximum time for a page of the large work, as a multiple of that for the small one. */
const maxRatio = 4

/** Creates a work in four languages with so many editions. Returns the ids of the editions. */
async function createWork(name: string, count: number): Promise<string[]> {
  const languages = ['dut', 'eng', 'fre', 'ger']
  const editions = Array.from({ length: count }, (_, at) => `M-${name}${at}`)
  await createMany(service, [
    { id: `W-${name}`, type: 'work_word', metadata: metadata({ title: `Printed ${count} times` }) },
    ...languages.flatMap(code => [
      { id: `LANG-${name}${code}`, type: 'language', metadata: metadata({ name: code, code }) },
      {
        ...{ id: `E-${name}${code}`, type: 'expression_word', metadata: metadata({ title: `Printed in ${code}` }) },
        relations: relations({ refWork: `W-${name}`, refLanguages: `LANG-${name}${code}` })
      }
    ]),
    ...editions.map((id, at) => ({
      ...{ id, type: 'manifestation_word' },
      metadata: metadata({ title: `Print ${at}`, year_of_publication: String(1500 + (at % 500)) }),
      relations: relations({ refExpressions: `E-${name}${languages[at % languages.length]}` })
    }))
  ])
  return editions
}

const small = await createWork('FEW', few)
const large = await createWork('MANY', many)
await createMany(service, [
  { id: 'PR-RUN', type: 'production', metadata: metadata({ title: 'A long run' }) },
  ...Array.from({ length: nights }, (_, at) => ({
    ...{ id: `PF-RUN${at}`, type: 'performance' },
    metadata: metadata({ start: new Date(Date.UTC(2090, 0, 1, 19) + at * 86_400_000).toISOString() }),
    relations: relations({ refProduction: 'PR-RUN' })
  }))
])

/** Reads a page and those after it. Returns the ids with a prefix, and the largest size. */
async function walk(first: string, prefix: string) {
  const ids: string[] = []
  const seen = new Set<string>()
  const texts: string[] = []
  for (let at: string | undefined = first; at !== undefined; ) {
    const { status, text }: { status: number; text: string } = await service.get(at, { token: undefined })
    assert.equal(status, 200, at)
    assert.ok(!seen.has(text), `${at} is a page that was read before`)
    seen.add(text)
    texts.push(text)
    ids.push(...[...text.matchAll(/href="\/record\/([^"/?#]+)"/g)].flatMap(([, id = '']) => id))
    at = /<a rel="next" href="([^"#]+)/.exec(text)?.[1]?.replaceAll('&amp;', '&')
  }
  // To compress every page would cost ten times as much as to make them.
  const largest = texts.toSorted((one, other) => other.length - one.length).slice(0, 4)
  const bytes = Math.max(...largest.map(text => brotliCompressSync(text).length))
  return { ids: new Set(ids.filter(each => each.startsWith(prefix))), bytes }
}

describe('The pages of very large records', () => {
  for (const [what, path, prefix, expected] of [
    ['2,400 editions of a work', '/record/W-MANY', 'M-MANY', large],
    ['300 nights of a production', '/record/PR-RUN', 'PF-RUN', Array.from({ length: nights }, (_, at) => `PF-RUN${at}`)]
  ] as const)
    it(`show all ${what}, and none is large`, async t => {
      const { ids, bytes } = await walk(path, prefix)
      assert.deepEqual(ids, new Set(expected))
      t.diagnostic(`the largest has ${bytes} bytes`)
      assert.ok(bytes <= maxBytes, `${bytes} bytes`)
    })

  it('say how many editions a work has, in which languages, and narrow to one', async () => {
    const { text } = await service.get('/record/W-MANY', { token: undefined })
    assert.match(text, /class="work-lead">2,400 editions in 4 languages</)
    const { text: english } = await service.get('/record/W-MANY?in=LANG-MANYeng', { token: undefined })
    assert.match(english, /1 to 50 of 600</)
  })

  it('cost about as much as those of small ones', async t => {
    assert.equal(small.length, few)
    const timeOf = async (path: string) => {
      const from = performance.now()
      assert.equal((await service.get(path, { token: undefined })).status, 200)
      return performance.now() - from
    }
    // In turns, each at an address of its own, so that the page is made.
    const times = { few: [] as number[], many: [] as number[], last: [] as number[] }
    for (let round = 0; round < 9; round++) {
      times.few.push(await timeOf(`/record/W-FEW?utm_content=${round}`))
      times.many.push(await timeOf(`/record/W-MANY?utm_content=${round}`))
      times.last.push(await timeOf(`/record/W-MANY?skip=${many - editionsOfPage}&utm_content=${round}`))
    }
    const least = (all: readonly number[]) => Math.min(...all)
    const ratio = Math.max(least(times.many), least(times.last)) / least(times.few)
    t.diagnostic(`${ratio.toFixed(1)} times as long`)
    assert.ok(ratio <= maxRatio, `${ratio} times as long: ${JSON.stringify(times)}`)
  })
})
