import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { type Browser, chromium } from 'playwright-core'

import { untilIndexed } from './finding.ts'
import {
  commonWord,
  findSamples,
  manifestationIds,
  prepareProgramme,
  rareWord,
  scratchFolder
} from './support/catalogue-file.ts'
import { worst } from './support/generate-programme.ts'
import { ownCheckout, type ServerProcess, startLibretto, usageOf } from './support/processes.ts'
import { median, printTable, type RunOptions } from './support/report.ts'

/** A slow mobile line: 1.6 Mbit/s, with 150 ms to the service and back. */
const line = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }

/** A phone has a processor that is this many times slower. */
const slowness = 4

const paths = [
  '/',
  '/find?q=hamlet',
  '/record/W-HAMLET',
  '/record/M-HAMLETEN2016',
  '/record/PR-HAMLET',
  '/record/PERS-SHAKESPEARE',
  '/record/SEA-20262027'
]

export const findChromium = () =>
  ['/usr/bin/chromium', '/usr/bin/chromium-headless-shell'].find(path => existsSync(path))

export async function run(options: RunOptions) {
  const { parts = ['opening', 'cost'] } = options
  if (parts.includes('opening')) await openPages(options, publicPages)
  if (!parts.includes('cost')) return
  await using service = await openCosts(options.database ?? (await prepareProgramme(options.manifestations)))
  const rounds: PageCost[][] = []
  for (let round = 0; round < options.rounds; round++) rounds.push(await service.ask())
  const rows = (rounds[0] ?? []).map(({ page }, place) => {
    const middle = (of: 'made' | 'cached') => median(rounds.map(costs => costs[place]?.[of] ?? Number.NaN))
    return [page, middle('made').toFixed(0), middle('cached').toFixed(1)]
  })
  printTable(['page', 'processor ms, made', 'from memory'], rows)
}

interface Opened {
  readonly paths: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** With a token it is the application that is opened. */
  readonly token?: string
}

export const publicPages: Opened = { paths, environment: { ANONYMOUS_ACCESS: 'read' } }

/** How soon pages of the sample catalogue are seen on a slow line, and how much of them moves. */
export async function openPages(options: RunOptions, opened: Opened) {
  await using visits = await openVisits(opened)
  if (visits === undefined) return console.log('There is no Chromium; nothing was measured\n')
  const rounds: Measured[][] = []
  for (let round = 0; round < options.rounds; round++) rounds.push(await visits.ask())
  const rows = opened.paths.map((path, place) => {
    const middle = (of: keyof Measured) => median(rounds.map(pages => pages[place]?.[of] ?? Number.NaN))
    const kilobytes = (['script', 'all', 'pictures'] as const).map(of => (middle(of) / 1000).toFixed(1))
    return [path, middle('lcp').toFixed(0), middle('cls').toFixed(3), String(middle('requests')), ...kilobytes]
  })
  printTable(['page', 'LCP p50 ms', 'CLS p50', 'requests', 'script kB', 'all kB', 'pictures kB'], rows)
}

/**
 * Starts a service on the sample catalogue, and a browser that opens its pages round by round;
 * undefined where there is no browser.
 */
export async function openVisits({ paths, environment = {}, token }: Opened, checkout = ownCheckout) {
  const executablePath = findChromium()
  if (executablePath === undefined) return undefined
  const { status } = spawnSync(process.execPath, ['web/build.ts'], { cwd: checkout, stdio: 'inherit' })
  if (status !== 0) throw new Error(`The page of ${checkout} was not built`)
  await using opening = new AsyncDisposableStack()
  const database = join(scratchFolder(), 'sample.db')
  const service = opening.use(await startLibretto(database, { SAMPLE_DATA: '1', ...environment }, { checkout }))
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
  opening.defer(() => browser.close())
  const visit = (path: string) => open(browser, `http://127.0.0.1:${service.port}${path}`, token)
  // Once for nothing: the first page of a browser takes it a second more than any other.
  for (const path of paths.slice(0, 2)) await visit(path)
  const all = opening.move()
  return {
    servers: [service],
    async ask(): Promise<Measured[]> {
      const pages: Measured[] = []
      for (const path of paths) pages.push(await visit(path))
      return pages
    },
    [Symbol.asyncDispose]: () => all.disposeAsync()
  }
}

/** Requests for each page in a round. */
const requests = 5

/**
 * Processor time of the service for a page, in milliseconds; undefined for a page that it does not
 * have.
 */
interface PageCost {
  readonly page: string
  readonly made: number | undefined
  readonly cached: number | undefined
}

/** Starts a service whose pages of a large catalogue are asked for round by round. */
export async function openCosts(database: string, checkout = ownCheckout) {
  const environment = { ANONYMOUS_ACCESS: 'read', QUERY_DEADLINE: '10000' }
  const service = await startLibretto(database, environment, { checkout })
  await untilIndexed(service)
  const pages = pagesOf(database)
  const missing = new Set<string>()
  // All once for nothing, as for a service that has run for a while: the first pages of a process
  // take up to twice as long.
  for (const [, path] of pages) {
    const response = await fetch(`http://127.0.0.1:${service.port}${path}`)
    await response.arrayBuffer()
    if (response.status !== 200) missing.add(path)
  }
  let asked = 0
  return {
    servers: [service],
    async ask(): Promise<PageCost[]> {
      const costs: PageCost[] = []
      for (const [page, path] of pages) {
        if (missing.has(path)) {
          costs.push({ page, made: undefined, cached: undefined })
          continue
        }
        // Each to another address, so that the page is made.
        const others = Array.from(
          { length: requests },
          () => `${path}${path.includes('?') ? '&' : '?'}utm_content=${asked++}`
        )
        const same = Array.from({ length: requests }, () => path)
        const made = await costOf(service, others)
        // The first puts the page into memory.
        await costOf(service, [path])
        costs.push({ page, made, cached: await costOf(service, same) })
      }
      return costs
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]()
  }
}

/** The processor time of the service for one of these requests, in milliseconds. */
async function costOf({ pid, port }: ServerProcess, addresses: readonly string[]): Promise<number> {
  const before = usageOf(pid).processor
  for (const address of addresses) {
    const response = await fetch(`http://127.0.0.1:${port}${address}`)
    if (response.status !== 200) throw new Error(`${address} was answered ${response.status}`)
    await response.arrayBuffer()
  }
  return (usageOf(pid).processor - before) / addresses.length
}

/** Pages of every kind in a generated catalogue. */
function pagesOf(database: string): (readonly [what: string, path: string])[] {
  const { author, authorName, publisher, language } = findSamples(database)
  const [edition = ''] = manifestationIds(database).slice(-1000)
  return [
    ['first page', '/'],
    ['everything', '/find'],
    [`a common word (${commonWord})`, `/find?q=${commonWord}`],
    [`a rare word (${rareWord})`, `/find?q=${rareWord}`],
    ['the name of an author', `/find?q=${encodeURIComponent(authorName)}`],
    ['works of an author', `/find?by=refAuthors:${author}`],
    ['the largest publisher', `/find?by=refPublishers:${publisher}`],
    ['editions', '/find?type=manifestation'],
    ['page of an author', `/record/${author}`],
    ['page of the largest publisher', `/record/${publisher}`],
    ['page of the largest language', `/record/${language}`],
    ['page of an edition', `/record/${edition}`],
    ['a work in 2,400 editions with 5,198 copies', `/record/${worst.work}`],
    ['an edition with 400 copies', `/record/${worst.edition}`],
    ['a library with 6,500 copies', `/record/${worst.library}`],
    ['results of that library', `/find?libraries=${worst.library}`],
    ['a production with 500 nights', `/record/${worst.production}`],
    ['a season with 60 shows, 2,860 nights', `/record/${worst.season}`],
    ['a venue with half of the nights', `/record/${worst.venue}`],
    ['a company with 60 shows', `/record/${worst.company}`],
    ['a week of performances', '/programme?when=week&date=2026-11-23'],
    ['productions', '/find?type=production'],
    [`feed of a common word (${commonWord})`, `/feed.atom?q=${commonWord}`]
  ]
}

export interface Measured {
  readonly lcp: number
  readonly cls: number
  readonly requests: number
  /** Bytes over the line. */
  readonly script: number
  readonly pictures: number
  /** Without pictures. */
  readonly all: number
}

/**
 * Opens a page for the first time, with nothing in the cache, on a slow line. With a token it is
 * the application.
 */
export async function open(browser: Browser, address: string, token?: string): Promise<Measured> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', line)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowness })
  const kinds = new Map<string, string>()
  const bytes = { script: 0, pictures: 0, all: 0 }
  let requests = 0
  session.on('Network.requestWillBeSent', ({ request }) => {
    if (request.url.startsWith('http')) requests++
  })
  session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type))
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId)
    bytes[kind === 'Image' ? 'pictures' : 'all'] += encodedDataLength
    if (kind === 'Script') bytes.script += encodedDataLength
  })
  if (token !== undefined) await page.addInitScript(`sessionStorage.setItem('libretto-token', '${token}')`)
  await page.goto(address, { waitUntil: 'networkidle' })
  // The application is still starting while nothing is sent.
  if (token !== undefined) await page.waitForSelector('main:not(.opening)')
  const seen = await page.evaluate<{ lcp: number; cls: number }>(watch)
  await context.close()
  return { ...seen, requests, ...bytes }
}

/** Runs in the page: gives what its observers have seen after half a second more. */
const watch = `new Promise(resolve => {
  const seen = { lcp: 0, cls: 0 }
  const observe = (type, note) =>
    new PerformanceObserver(list => list.getEntries().forEach(note)).observe({ type, buffered: true })
  observe('largest-contentful-paint', ({ startTime }) => { seen.lcp = startTime })
  observe('layout-shift', ({ value }) => { seen.cls += value })
  setTimeout(() => resolve(seen), 500)
})`
