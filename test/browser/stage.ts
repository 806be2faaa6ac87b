import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterEach } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'

import { type Browser, type BrowserContext, chromium, type Locator, type Page, type Request } from 'playwright-core'

import { loadSample } from '../../src/cli/sample.ts'
import { buildPage } from '../../web/build.ts'
import { findProgram, needDebian } from '../support/machines/debian.ts'
import { listen } from '../support/services/listen.ts'
import { adminToken, start, type Teardown, type TestService } from '../support/services/start.ts'
import { slowDown, slowness, startSlowLine } from './slow-line.ts'

/*
 * A real browser, Chromium unless another is named, that looks at the real page of a real service
 * with the sample catalogue.
 */

/**
 * Milliseconds that something may take to be there. A machine that is ten times as busy as usual
 * needs a while; PATIENCE makes it shorter while a test is being written.
 */
const patience = Number(process.env.PATIENCE ?? 120_000) * slowness

export interface Stage {
  /** Why there is no browser here, or false: for the `skip` of a suite. */
  readonly skip: string | false
  readonly service: TestService
  readonly url: string
  /**
   * Gives a tab to somebody who has a token already, unless it is said that they have none. One
   * after the other has it, and finds nothing in it but what the browser has loaded already.
   */
  visit(t: Teardown, options?: VisitOptions): Promise<Visit>
}

type Language = 'en' | 'nl' | 'fr'

export interface VisitOptions {
  readonly token?: string | undefined
  readonly language?: Language
}

export interface Visit {
  readonly page: Page
  /** Goes to an address of the page, and waits until it is there. */
  go(path: string): Promise<void>
  /**
   * Follows a link, without loading the page again: recent queries are not repeated. Closes
   * messages.
   */
  walk(path: string): Promise<void>
  /** Opens another tab in the same window; what the first keeps in it is there. */
  another(path: string): Promise<Page>
  /**
   * Complaints of the browser: errors in the console, uncaught exceptions, violated policies,
   * requests to other hosts.
   */
  readonly complaints: string[]
}

/** A browser that Playwright can drive. */
export interface Engine {
  /** Returns the reason why it is not here, or false. Installs it where that is possible. */
  whyNot(): string | false
  launch(): Promise<SharedBrowser>
}

/** A browser for one stage. */
export type SharedBrowser = Pick<Browser, 'isConnected' | 'newContext' | 'close'>

/** Starts a service with the sample catalogue and the page. Gone when the tests are over. */
export async function startCatalogue(t: Teardown, environment: Record<string, string> = {}) {
  await buildPage()
  const service = await start(t, environment)
  await loadSample(service.libretto)
  const port = await listen(service)
  return { service, url: `http://127.0.0.1:${slowness > 1 ? await startSlowLine(t, port) : port}` }
}

/** Everything that a test in the browser needs. Gone when the tests are over. */
export async function openStage(
  t: Teardown,
  environment: Record<string, string> = {},
  engine: Engine = chromiumEngine
): Promise<Stage> {
  const skip = engine.whyNot()
  const { service, url } = await startCatalogue(t, environment)
  const launched = skip === false ? await engine.launch() : undefined
  t.after(() => launched?.close())
  const windows = new Map<Language, Promise<Window>>()
  describePagesOfFailures(windows)
  const windowFor = (language: Language): Promise<Window> => {
    if (!launched) throw new Error('There is no browser')
    const known = windows.get(language) ?? openWindow(launched, language)
    windows.set(language, known)
    return known
  }
  let visits = 0

  return {
    skip,
    service,
    url,
    async visit(test, options = {}) {
      const { token, language } = { token: adminToken, language: 'en' as const, ...options }
      const { context, free } = await windowFor(language)
      const before = await context.cookies()
      await context.clearCookies()
      const visit: ThisVisit = { number: ++visits, token }
      await context.addCookies([{ name: visitCookie, value: encodeURIComponent(JSON.stringify(visit)), url }])
      const open = async () => {
        const page = await context.newPage()
        if (slowness > 1) await slowDown(page)
        return page
      }
      const page = free.splice(0).find(each => !each.isClosed()) ?? (await open())
      test.after(async () => {
        if (launched?.isConnected() !== true) return
        if (await isCleared(page)) free.push(page)
        // A visit that began before continues.
        await context.addCookies(before.filter(({ name }) => name === visitCookie))
      })
      return {
        page,
        complaints: listenTo(page, url),
        go: path => go(page, url + path),
        walk: path => walk(page, path),
        async another(path) {
          const beside = await open()
          test.after(() => beside.close())
          await beside.goto(url + path)
          return beside
        }
      }
    }
  }
}

/**
 * A window, and the tabs in it that nobody uses: to open another costs as much as to load the page
 * twice.
 */
interface Window {
  readonly context: BrowserContext
  readonly free: Page[]
}

/** Prints where the tabs are and what they say when a test fails. */
function describePagesOfFailures(windows: ReadonlyMap<Language, Promise<Window>>) {
  const describePage = async (page: Page) => {
    const said = await page.evaluate(() =>
      ['.toasts', '.fault', ':focus'].map(selector =>
        [...document.querySelectorAll<HTMLElement>(selector)].map(each =>
          selector === ':focus' ? each.outerHTML.slice(0, 200) : each.innerText
        )
      )
    )
    return `${page.url()} says ${JSON.stringify(said)}`
  }
  afterEach(async context => {
    // A hook of a whole suite is called with that suite, which cannot tell.
    if (!('passed' in context) || context.passed) return
    for (const { context: window } of await Promise.all(windows.values()))
      for (const page of window.pages()) console.log(await describePage(page).catch(String))
  })
}

/**
 * The cookie that identifies a visit. The first page that sees another value deletes what was
 * stored for the earlier visit.
 */
const visitCookie = 'visit'

interface ThisVisit {
  readonly number: number
  readonly token: string | undefined
}

async function openWindow(browser: SharedBrowser, language: Language): Promise<Window> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: { en: 'en-GB', nl: 'nl-BE', fr: 'fr-BE' }[language],
    timezoneId: 'Europe/Brussels',
    colorScheme: 'light',
    reducedMotion: 'reduce'
  })
  context.setDefaultTimeout(patience)
  await context.addInitScript(name => {
    const text = document.cookie.split('; ').find(each => each.startsWith(`${name}=`))
    if (text === undefined) return
    const { number, token } = JSON.parse(decodeURIComponent(text.slice(name.length + 1))) as ThisVisit
    for (const storage of [localStorage, sessionStorage]) {
      if (Number(storage.getItem(name)) >= number) continue
      storage.clear()
      storage.setItem(name, String(number))
      if (storage === sessionStorage && token !== undefined) storage.setItem('libretto-token', token)
    }
  }, visitCookie)
  return { context, free: [] }
}

/** Leaves a tab as if nobody had used it. Gives whether that was possible. */
async function isCleared(page: Page): Promise<boolean> {
  try {
    for (const event of ['console', 'pageerror', 'request', 'filechooser', 'download'] as const)
      page.removeAllListeners(event)
    await page.unrouteAll()
    await page.emulateMedia({ colorScheme: 'light' })
    // A page that stayed open would still load its last scripts: in the next visit.
    await page.goto('about:blank')
    return true
  } catch {
    await page.close()
    return false
  }
}

/** Debian's Chromium. */
export const chromiumEngine: Engine = {
  whyNot() {
    let why: string | false = false
    const skip = (reason?: string) => {
      why = reason ?? 'there is no chromium'
    }
    if (findBrowser() === undefined) needDebian({ skip }, ['chromium-headless-shell', 'fonts-liberation'])
    return why
  },
  launch() {
    const executablePath = findBrowser()
    if (executablePath === undefined) throw new Error('There is no chromium')
    // As root, as in a container, Chromium refuses to start with its own walls up.
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
    return shareBrowser(() => chromium.launch({ executablePath, args }))
  }
}

const shared: { browser?: Promise<Browser>; stages: number } = { stages: 0 }

/**
 * Gives the stages of one process the same browser, in which each has windows of its own. The last
 * that leaves it closes it.
 */
async function shareBrowser(launch: () => Promise<Browser>): Promise<SharedBrowser> {
  shared.stages++
  shared.browser ??= launch()
  const browser = await shared.browser
  const opened: BrowserContext[] = []
  let isClosed = false
  return {
    isConnected: () => !isClosed && browser.isConnected(),
    async newContext(options) {
      const context = await browser.newContext(options)
      opened.push(context)
      return context
    },
    async close() {
      isClosed = true
      for (const context of opened) await context.close()
      if (--shared.stages > 0) return
      delete shared.browser
      await browser.close()
    }
  }
}

/**
 * Chromium without the parts that make its windows costs half as much, and shows pages with the
 * same engine.
 */
const findBrowser = () => findProgram('chromium-headless-shell') ?? findProgram('chromium')

async function go(page: Page, address: string) {
  await page.goto(address)
  await settled(page)
}

/** Goes to an address as a link of the page does. Messages are closed. */
export async function walk(page: Page, path: string) {
  await page.evaluate(to => {
    for (const close of document.querySelectorAll<HTMLElement>('.toast > button:last-child')) close.click()
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    // As the page itself writes it: each entry has a key of its own.
    history.pushState({ usr: null, key: crypto.randomUUID(), idx: (history.state?.idx ?? 0) + 1 }, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
  }, path)
  await settled(page)
}

/** Resolves when the page is there and nothing that it asked for is on its way. */
export async function settled(page: Page) {
  const there = page.locator('main[data-fetching="0"]:not(:has(.late)), .sign-in form')
  do {
    await there.waitFor()
    // A list requests more results once its last rows have been drawn.
    await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve))))
  } while (!(await there.isVisible()))
}

/** Keeps back what the page asks of these addresses, until it is let go. */
export async function keepBack(
  page: Page,
  addresses: string | RegExp,
  isMeant: (request: Request) => boolean = () => true
) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const asked: Request[] = []
  await page.route(addresses, async route => {
    if (isMeant(route.request())) {
      asked.push(route.request())
      await promise
    }
    // A request that the page gave up cannot go on.
    await route.fallback().catch(() => {})
  })
  return {
    isAsked: () => becomes(async () => asked.length > 0, true),
    // The route stays: without routes the browser stops passing on requests, and one that is on its
    // way at that moment could be lost.
    letGo: resolve
  }
}

/** Waits until one of these has the focus, also in a window that is not the active one. */
export const isFocused = (wanted: Locator) =>
  becomes(() => wanted.evaluateAll(all => all.some(each => each === document.activeElement)), true)

/** Waits until what is read is this: for what can be read at any moment, also before it is so. */
export async function becomes<Value>(read: () => Promise<Value>, wanted: Value) {
  const end = Date.now() + patience
  for (;;) {
    const value = await read()
    if (isDeepStrictEqual(value, wanted)) return
    if (Date.now() > end) assert.deepEqual(value, wanted)
    await sleep(20)
  }
}

function listenTo(page: Page, url: string): string[] {
  const complaints: string[] = []
  page.on('console', message => {
    // That something was refused is what some tests are about; the page tells it, and so does the
    // browser.
    if (message.type() === 'error' && !/status of 4\d\d|net::ERR_/.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', error => complaints.push(String(error)))
  page.on('request', request => {
    if (!request.url().startsWith(url) && !request.url().startsWith('blob:')) complaints.push(`asked ${request.url()}`)
  })
  return complaints
}

/** Size in bytes of the scripts that the page has loaded, as the browser counts it. */
export const scriptBytes = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(each => new URL(each.name).pathname.endsWith('.js'))
      .reduce((sum, each) => sum + (each as PerformanceResourceTiming).decodedBodySize, 0)
  )

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules of axe about colours: only they can find something else in the other theme. */
export const rulesOfColours = ['color-contrast', 'link-in-text-block']

/**
 * Returns the faults that axe finds on the current page, one line each: by all its rules, or only
 * by the given ones.
 */
export async function accessibilityFaults(page: Page, ...rules: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
  return page.evaluate(async only => {
    const { axe: checker } = globalThis as unknown as {
      axe: {
        run(
          options: object
        ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>
      }
    }
    // Passed rules are not described, which saves about a tenth of the time.
    const { violations } = await checker.run({
      resultTypes: ['violations'],
      ...(only.length > 0 ? { runOnly: only } : {})
    })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary.slice(0, 300)}`)
    )
  }, rules)
}
