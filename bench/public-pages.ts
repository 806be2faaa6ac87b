import { existsSync, mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type Browser, chromium } from 'playwright-core'

import { buildPage } from '../web/build.ts'
import { commonWord, findSamples, prepareCatalogue, rareWord } from './support/catalogue-file.ts'
import { startLibretto, usageOf } from './support/processes.ts'
import { median, printTable, type RunOptions } from './support/report.ts'

/** A slow mobile line: 1.6 Mbit/s, with 150 ms to the service and back. */
const line = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }

/** A phone has a processor that is this many times slower. */
const slowness = 4

const paths = ['/', '/find?q=hamlet', '/record/W-HAMLET', '/record/M-HAMLETEN2016', '/record/PR-HAMLET']

export async function run(options: RunOptions) {
  await openPages(options)
  await costOfPages(options)
}

/** How soon a reader without an account sees a page on a slow line, and how much of it moves. */
async function openPages({ rounds }: RunOptions) {
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-headless-shell'].find(path => existsSync(path))
  if (executablePath === undefined) return console.log('There is no Chromium; nothing was measured\n')
  await buildPage()
  using folder = mkdtempDisposableSync(join(tmpdir(), 'libretto-public-pages-'))
  await using libretto = await startLibretto(join(folder.path, 'sample.db'), {
    ANONYMOUS_ACCESS: 'read',
    SAMPLE_DATA: '1'
  })
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
  try {
    const url = `http://127.0.0.1:${libretto.port}`
    const rows: string[][] = []
    for (const path of paths) {
      const measured: Measured[] = []
      for (let round = 0; round < rounds; round++) measured.push(await open(browser, url + path))
      rows.push([
        path,
        ...[median(measured.map(each => each.lcp)).toFixed(0), median(measured.map(each => each.cls)).toFixed(3)],
        ...[median(measured.map(each => each.script)), median(measured.map(each => each.all))].map(bytes =>
          (bytes / 1000).toFixed(1)
        )
      ])
    }
    printTable(['page', 'LCP p50 ms', 'CLS p50', 'script kB', 'all kB'], rows)
  } finally {
    await browser.close()
  }
}

/** Requests for each page in a round. */
const requests = 5

/** Measures the processor time of the service for pages of a large catalogue. */
async function costOfPages({ rounds, manifestations, database: given }: RunOptions) {
  const database = given ?? (await prepareCatalogue(manifestations))
  await using service = await startLibretto(database, { ANONYMOUS_ACCESS: 'read', QUERY_DEADLINE: '10000' })
  const url = `http://127.0.0.1:${service.port}`
  const { author, authorName, publisher } = findSamples(database)
  const rows: string[][] = []
  for (const [name, path] of [
    ['first page', '/'],
    ['everything', '/find'],
    [`a common word (${commonWord})`, `/find?q=${commonWord}`],
    [`a rare word (${rareWord})`, `/find?q=${rareWord}`],
    ['the name of an author', `/find?q=${encodeURIComponent(authorName)}`],
    ['an author', `/find?by=refAuthors:${author}`],
    ['the biggest publisher', `/find?by=refPublishers:${publisher}`],
    ['editions', '/find?type=manifestation'],
    [`feed of a common word (${commonWord})`, `/feed.atom?q=${commonWord}`]
  ] as const) {
    const get = async (address: string) => {
      const response = await fetch(url + address)
      if (response.status !== 200) throw new Error(`${address} was answered ${response.status}`)
      await response.arrayBuffer()
    }
    await get(path)
    /** The processor time of a request, each to another address where the page is to be made. */
    const costOf = async (isMade: boolean) => {
      const costs: number[] = []
      for (let round = 0; round < rounds; round++) {
        const before = usageOf(service.pid).processor
        for (let request = 0; request < requests; request++)
          await get(isMade ? `${path}${path.includes('?') ? '&' : '?'}utm_content=${round}-${request}` : path)
        costs.push((usageOf(service.pid).processor - before) / requests)
      }
      return median(costs)
    }
    rows.push([name, (await costOf(true)).toFixed(0), (await costOf(false)).toFixed(1)])
  }
  printTable(['page', 'processor ms, made', 'from memory'], rows)
}

export interface Measured {
  readonly lcp: number
  readonly cls: number
  /** Bytes over the line. */
  readonly script: number
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
  let [script, all] = [0, 0]
  session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type))
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    all += encodedDataLength
    if (kinds.get(requestId) === 'Script') script += encodedDataLength
  })
  if (token !== undefined) await page.addInitScript(`sessionStorage.setItem('libretto-token', '${token}')`)
  await page.goto(address, { waitUntil: 'networkidle' })
  // The application is still starting while nothing is sent.
  if (token !== undefined) await page.waitForSelector('main:not(.opening)')
  const seen = await page.evaluate<{ lcp: number; cls: number }>(watch)
  await context.close()
  return { ...seen, script, all }
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
