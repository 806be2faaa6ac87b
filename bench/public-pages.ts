import { existsSync, mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { type Browser, chromium } from 'playwright-core'

import { buildPage } from '../web/build.ts'
import { untilIndexed } from './finding.ts'
import { commonWord, findSamples, manifestationIds, prepareProgramme, rareWord } from './support/catalogue-file.ts'
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

/** This version, and the one of another checkout, which has its packages and its page. */
const versionsOf = ({ checkout }: RunOptions) => [
  ...(checkout === undefined ? [] : [{ name: 'before', checkout: resolve(checkout) }]),
  { name: 'now', checkout: ownCheckout }
]

export const findChromium = () =>
  ['/usr/bin/chromium', '/usr/bin/chromium-headless-shell'].find(path => existsSync(path))

export async function run(options: RunOptions) {
  const { parts = ['opening', 'cost'] } = options
  if (parts.includes('opening')) await openPages(options, { paths, environment: { ANONYMOUS_ACCESS: 'read' } })
  if (parts.includes('cost')) await costOfPages(options)
}

interface Opened {
  readonly paths: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** With a token it is the application that is opened. */
  readonly token?: string
}

/** How soon pages of the sample catalogue are seen on a slow line, and how much of them moves. */
export async function openPages(options: RunOptions, { paths, environment = {}, token }: Opened) {
  const executablePath = findChromium()
  if (executablePath === undefined) return console.log('There is no Chromium; nothing was measured\n')
  await buildPage()
  using folder = mkdtempDisposableSync(join(tmpdir(), 'libretto-public-pages-'))
  await using services = new AsyncDisposableStack()
  const versions: { readonly name: string; readonly url: string }[] = []
  for (const { name, checkout } of versionsOf(options)) {
    const database = join(folder.path, `${name}.db`)
    const service = await startLibretto(database, { SAMPLE_DATA: '1', ...environment }, { checkout })
    versions.push({ name, url: `http://127.0.0.1:${services.use(service).port}` })
  }
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
  try {
    const rows: string[][] = []
    // Once for nothing: the first page of a browser takes it a second more than any other.
    for (const { url } of versions) for (const path of paths.slice(0, 2)) await open(browser, url + path, token)
    for (const path of paths) {
      const measured = new Map(versions.map(({ name }) => [name, [] as Measured[]]))
      // In turns, so that both meet the same machine.
      for (let round = 0; round < options.rounds; round++)
        for (const { name, url } of versions) measured.get(name)?.push(await open(browser, url + path, token))
      for (const [name, all] of measured) {
        const middle = (of: keyof Measured) => median(all.map(each => each[of]))
        const kilobytes = (['script', 'all', 'pictures'] as const).map(of => (middle(of) / 1000).toFixed(1))
        const counted = [middle('lcp').toFixed(0), middle('cls').toFixed(3), String(middle('requests'))]
        rows.push([path, name, ...counted, ...kilobytes])
      }
    }
    const names = ['page', 'version', 'LCP p50 ms', 'CLS p50', 'requests', 'script kB', 'all kB', 'pictures kB']
    printTable(names, rows)
  } finally {
    await browser.close()
  }
}

/** Requests for each page in a round. */
const requests = 5

/** Measures the processor time of the service for pages of a large catalogue. */
async function costOfPages(options: RunOptions) {
  const database = options.database ?? (await prepareProgramme(options.manifestations))
  await using services = new AsyncDisposableStack()
  const versions: (ServerProcess & { readonly name: string })[] = []
  const environment = { ANONYMOUS_ACCESS: 'read', QUERY_DEADLINE: '10000' }
  for (const { name, checkout } of versionsOf(options))
    versions.push({ ...services.use(await startLibretto(database, environment, { checkout })), name })
  for (const version of versions) await untilIndexed(version)
  const rows: string[][] = []
  // All once for nothing, as for a service that has run for a while: the first pages of a process
  // take up to twice as long.
  for (const [, path] of pagesOf(database)) for (const version of versions) await costOf(version, [path])
  for (const [what, path] of pagesOf(database)) {
    const costs = new Map(versions.map(({ name }) => [name, { made: [] as number[], cached: [] as number[] }]))
    for (let round = 0; round < options.rounds; round++)
      for (const version of versions) {
        const cost = costs.get(version.name)
        if (round === 0) await costOf(version, [path])
        // Each to another address, so that the page is made.
        const others = Array.from({ length: requests }, (_, at) => `utm_content=${round}-${at}`)
        cost?.made.push(
          await costOf(
            version,
            others.map(each => `${path}${path.includes('?') ? '&' : '?'}${each}`)
          )
        )
        cost?.cached.push(
          await costOf(
            version,
            Array.from({ length: requests }, () => path)
          )
        )
      }
    for (const [name, { made, cached }] of costs)
      rows.push([what, name, median(made).toFixed(0), median(cached).toFixed(1)])
  }
  printTable(['page', 'version', 'processor ms, made', 'from memory'], rows)
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
