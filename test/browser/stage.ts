import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'

import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

import { loadSample } from '../../src/cli/sample.ts'
import { buildPage } from '../../web/build.ts'
import { findProgram, needDebian } from '../support/debian.ts'
import { listen } from '../support/listen.ts'
import { adminToken, start, type Teardown, type TestService } from '../support/start.ts'

/* A real Chromium that looks at the real page of a real service with the sample catalogue. */

export interface Stage {
  /** Why there is no browser here, or false: for the `skip` of a suite. */
  readonly skip: string | false
  readonly service: TestService
  readonly url: string
  /** Opens a window of its own, as somebody who has a token already, unless it is said that they have none. */
  visit(t: Teardown, options?: VisitOptions): Promise<Visit>
}

export interface VisitOptions {
  readonly token?: string | undefined
  readonly language?: 'en' | 'nl' | 'fr'
  readonly theme?: 'light' | 'dark'
  readonly width?: number
}

export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  /** Goes to an address of the page, and waits until it is there. */
  go(path: string): Promise<void>
  /** What the browser complained of: errors in the console, scripts that threw, policies that were broken, requests to other hosts. */
  readonly complaints: string[]
}

/** Everything that a test in the browser needs. Gone when the tests are over. */
export async function openStage(t: Teardown, environment: Record<string, string> = {}): Promise<Stage> {
  const skip = whyNoBrowser()
  await buildPage()
  const service = await start(t, environment)
  await loadSample(service.libretto)
  const url = `http://127.0.0.1:${await listen(service)}`
  const launched = skip === false ? await launch() : undefined
  t.after(() => launched?.close())

  return {
    skip,
    service,
    url,
    async visit(test, options = {}) {
      const { language = 'en', theme = 'light', width = 1280 } = options
      const token = 'token' in options ? options.token : adminToken
      if (!launched) throw new Error('There is no browser')
      const context = await launched.newContext({
        viewport: { width, height: 900 },
        locale: { en: 'en-GB', nl: 'nl-BE', fr: 'fr-BE' }[language],
        timezoneId: 'Europe/Brussels',
        colorScheme: theme,
        reducedMotion: 'reduce'
      })
      test.after(() => context.close())
      // A busy machine needs a while.
      context.setDefaultTimeout(30_000)
      if (token !== undefined)
        await context.addInitScript(kept => {
          if (sessionStorage.getItem('visited') === null) sessionStorage.setItem('libretto-token', kept)
          sessionStorage.setItem('visited', 'yes')
        }, token)
      const page = await context.newPage()
      return { page, context, complaints: listenTo(page, url), go: path => go(page, url + path) }
    }
  }
}

function whyNoBrowser(): string | false {
  let why: string | false = false
  const tell = (reason?: string) => {
    why = reason ?? 'there is no chromium'
  }
  if (findBrowser() === undefined) needDebian({ skip: tell }, ['chromium-headless-shell', 'fonts-liberation'])
  return why
}

/** Chromium without the parts that make its windows costs half as much, and shows pages with the same engine. */
const findBrowser = () => findProgram('chromium-headless-shell') ?? findProgram('chromium')

async function launch(): Promise<Browser> {
  const executablePath = findBrowser()
  if (executablePath === undefined) throw new Error('There is no chromium')
  // As root, as in a container, Chromium refuses to start with its own walls up.
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
}

async function go(page: Page, address: string) {
  await page.goto(address)
  await settled(page)
}

/** Resolves when the page is there and nothing that it asked for is on its way. */
export async function settled(page: Page) {
  await page.locator('main[data-fetching="0"]:not(:has(.late)), .sign-in').waitFor()
}

function listenTo(page: Page, url: string): string[] {
  const complaints: string[] = []
  page.on('console', message => {
    // That something was refused is what some tests are about; the page tells it, and so does the browser.
    if (message.type() === 'error' && !/status of 4\d\d|net::ERR_/.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', error => complaints.push(String(error)))
  page.on('request', request => {
    if (!request.url().startsWith(url) && !request.url().startsWith('blob:')) complaints.push(`asked ${request.url()}`)
  })
  return complaints
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds wrong with the page as it is now, a line for each: by all its rules, or only by those that are named. */
export async function accessibilityFaults(page: Page, ...rules: readonly string[]): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate(async only => {
    const { axe: checker } = globalThis as unknown as {
      axe: {
        run(
          options: object
        ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>
      }
    }
    const { violations } = await checker.run(only.length > 0 ? { runOnly: only } : {})
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary.slice(0, 300)}`)
    )
  }, rules)
}
