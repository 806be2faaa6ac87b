import { fileURLToPath } from 'node:url'

import { chromium, type Page } from 'playwright-core'

import { buildPage } from '../web/build.ts'
import { commonWord, findSamples, prepareCatalogue, rareWord } from './support/catalogue-file.ts'
import { adminToken, startLibretto } from './support/processes.ts'
import { findChromium, openPages } from './public-pages.ts'
import { printTable, type RunOptions } from './support/report.ts'

/**
 * How long people wait for the page: from the key or the click to the result on the screen, in a
 * real Chromium, beside the bare answer of the service to the very same question in the same run.
 */
export async function run(options: RunOptions) {
  const { rounds, manifestations: size, parts = ['opening', 'interactions'] } = options
  const executablePath = findChromium()
  if (executablePath === undefined) return console.log('There is no Chromium; nothing was measured\n')
  if (parts.includes('opening')) await openPages(options, staffPages)
  if (!parts.includes('interactions')) return
  const database = await prepareCatalogue(size)
  await buildPage()
  await using libretto = await startLibretto(database)
  const url = `http://127.0.0.1:${libretto.port}`
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' })
    await page.addInitScript(`sessionStorage.setItem('libretto-token', '${adminToken}')`)
    await page.addInitScript({ path: fileURLToPath(new URL('./support/watch-page.js', import.meta.url)) })
    const visitor = createVisitor(page, url)
    // Once for nothing: the scripts are loaded, and the service has warmed up.
    await visitAll(visitor, database)
    visitor.forget()
    for (let round = 0; round < rounds; round++) await visitAll(visitor, database)
    report(visitor.taken)
  } finally {
    await browser.close()
  }
}

/** Pages that are opened first, with nothing in the cache. */
export const staffPages = {
  paths: ['/', '/find?q=hamlet', '/record/W-HAMLET', '/record/PR-HAMLET', '/record/PR-HAMLET/edit'],
  token: adminToken
}

type Visitor = ReturnType<typeof createVisitor>

async function visitAll(visitor: Visitor, database: string) {
  const { authorName } = findSamples(database)
  const [surname = ''] = authorName.split(' ').toReversed()
  for (const [kind, text] of [
    ['type a rare word', rareWord],
    ['type a common word', commonWord],
    ['type an author', surname],
    ['type a word with a slip', 'geschidenis']
  ] as const) {
    await visitor.open('/find')
    await visitor.type(kind, text)
  }
  await visitor.open(`/find?q=${rareWord}`)
  await visitor.click('toggle a filter', '.filters input[type=checkbox]', 'find')
  await visitor.reach('.result a')
  await visitor.click('open a record', '.result a', 'record')
  await visitor.open(`/find?q=${commonWord}`)
  await visitor.reach('.show-more')
  await visitor.click('show more', '.show-more', 'more')
  await visitor.open('/manage/tokens')
  await visitor.type('suggestions', commonWord, 'suggestions')
}

type Awaited = 'find' | 'record' | 'more' | 'suggestions'

interface Taken {
  readonly kind: string
  /** Milliseconds until it was painted, and until the bare answer was there. */
  readonly page: number
  readonly bare: number
}

/** A visitor of the page. Records the time of each interaction, and of the bare request. */
function createVisitor(page: Page, url: string) {
  const taken: Taken[] = []
  let asked: { readonly method: string; readonly path: string; readonly body: string | null } | undefined
  page.on('request', request => {
    const path = request.url().slice(url.length)
    // The question whose answer is waited for, not what is counted beside it.
    const isFilter = path.startsWith('/entities/filter') && !/[?&](facets=|limit=0)/.test(path)
    const isNames = request.postData()?.includes('"type":"id"')
    if ((isFilter && !isNames) || path.startsWith('/suggest') || /^\/entities\/[^/?]+\?resolve/.test(path))
      asked = { method: request.method(), path, body: request.postData() }
  })

  const askBare = async () => {
    if (!asked) return Number.NaN
    const { method, path, body } = asked
    const started = performance.now()
    const answer = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${adminToken}`,
        ...(body === null ? {} : { 'content-type': 'application/json' })
      },
      body
    })
    await answer.arrayBuffer()
    return performance.now() - started
  }

  const settle = () => page.waitForSelector('main[data-fetching="0"]')

  const measure = async (kind: string, awaited: Awaited, act: () => Promise<void>) => {
    const painted = page.evaluate<number>(`whenPainted('${awaited}')`)
    // The watch is set before anything happens.
    await page.evaluate('undefined')
    await act()
    const milliseconds = await painted
    // Nothing else is going on while the bare question is asked.
    await settle()
    taken.push({ kind, page: milliseconds, bare: await askBare() })
  }

  return {
    taken,
    forget: () => taken.splice(0),
    async open(path: string) {
      await page.goto(url + path)
      await settle()
    },
    async type(kind: string, text: string, awaited: Awaited = 'find') {
      await page.focus('.search-box input')
      // A single letter finds next to everything, as nobody expects anything of it; the measured
      // ones follow.
      await page.keyboard.type(text.slice(0, 2))
      await settle()
      for (const letter of text.slice(2)) await measure(kind, awaited, () => page.keyboard.press(letter))
    },
    /** Somebody sees something and reaches for it, which takes half a second at least. */
    async reach(selector: string) {
      await page.locator(selector).first().hover()
      await page.waitForTimeout(500)
      await settle()
    },
    async click(kind: string, selector: string, awaited: Awaited) {
      await page.waitForSelector(selector)
      await measure(kind, awaited, () => page.locator(selector).first().click())
    }
  }
}

/** Milliseconds: what is quicker seems to be there at once. */
const aim = 100
const written = (figure: number) => figure.toFixed(figure < 10 ? 1 : 0)

function report(taken: readonly Taken[]) {
  const kinds = [...Map.groupBy(taken, ({ kind }) => kind), ['all', taken] as const]
  console.log(
    `From the key or click to the result on the screen, and the bare answer to the same question; aim ${aim} ms\n`
  )
  printTable(
    ['interaction', 'times', 'p50 ms', 'p95 ms', 'under 100 ms', 'bare p50 ms', 'bare p95 ms', 'p50 to bare'],
    kinds.map(([kind, all]) => {
      const page = all.map(each => each.page)
      const bare = all.map(each => each.bare).filter(each => !Number.isNaN(each))
      const inTime = page.filter(each => each < aim).length / page.length
      return [
        kind,
        String(all.length),
        ...[at(page, 0.5), at(page, 0.95)].map(written),
        `${Math.round(inTime * 100)} %`,
        ...[at(bare, 0.5), at(bare, 0.95)].map(written),
        `${(at(page, 0.5) / at(bare, 0.5)).toFixed(1)} ×`
      ]
    })
  )
}

const at = (values: readonly number[], share: number) =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Number.NaN
