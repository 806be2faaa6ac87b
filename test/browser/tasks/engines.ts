import { readFileSync } from 'node:fs'

import type { Page } from 'playwright-core'

import { adminToken, type Teardown, type TestService } from '../../support/services/start.ts'
import { firefoxEngine } from '../firefox.ts'
import { chromiumEngine, type Engine, openStage, settled, startCatalogue, walk } from '../stage.ts'
import { openWebKit, whyNoWebKit } from '../webdriver.ts'
import { openWebKitPage } from '../webkit-page.ts'

/** A service with the sample catalogue, and a browser. */
export interface Place {
  readonly service: TestService
  readonly url: string
  /** Opens a window in a language, with the start page in it. */
  visit(t: Teardown, language: 'en' | 'nl'): Promise<Visit>
  /** Opens a window for a reader without an account. */
  read(t: Teardown): Promise<Page>
}

export interface Visit {
  readonly page: Page
  /** Follows a link to an address, without loading the page again. */
  go(path: string): Promise<void>
  /** Acts, and returns the bytes of the file that the page then offers, as Latin-1. */
  download(act: () => Promise<void>): Promise<string>
  /** Errors that the browser reported. */
  readonly complaints: string[]
}

export interface TaskEngine {
  whyNot(): string | false
  open(t: Teardown, environment: Record<string, string>): Promise<Place>
}

/**
 * Takes the file that the page hands to the browser. The protocols of Firefox and WebKit do not
 * report downloads of files that a page made.
 */
async function takeInPage(page: Page, act: () => Promise<void>): Promise<string> {
  await page.evaluate(() => {
    Reflect.deleteProperty(globalThis, 'taken')
    const { createObjectURL } = URL
    URL.createObjectURL = file => {
      const isOffered = file instanceof Blob && !file.type.startsWith('image/')
      if (isOffered) {
        URL.createObjectURL = createObjectURL
        void file.arrayBuffer().then(bytes => {
          const taken = Array.from(new Uint8Array(bytes), byte => String.fromCodePoint(byte)).join('')
          Object.assign(globalThis, { taken })
        })
      }
      return createObjectURL.call(URL, file)
    }
  })
  await act()
  await page.waitForFunction(() => 'taken' in globalThis)
  return page.evaluate(() => (globalThis as unknown as { taken: string }).taken)
}

/** Takes the file that the browser stores. */
async function takeFromBrowser(page: Page, act: () => Promise<void>): Promise<string> {
  const offered = page.waitForEvent('download')
  await act()
  return readFileSync(await (await offered).path(), 'latin1')
}

const byPlaywright = (engine: Engine, take: typeof takeInPage): TaskEngine => ({
  whyNot: engine.whyNot,
  async open(t, environment) {
    const { service, url, visit } = await openStage(t, environment, engine)
    return {
      service,
      url,
      read: async test => (await visit(test, { token: undefined })).page,
      async visit(test, language) {
        const { page, go, walk: follow, complaints } = await visit(test, { language })
        await go('/')
        return {
          page,
          go: async path => {
            // A window behind another has no focus.
            await page.bringToFront()
            await follow(path)
          },
          download: act => take(page, act),
          complaints
        }
      }
    }
  }
})

/** WebKit has one window. It reports no errors of the console over its protocol. */
const webkitEngine: TaskEngine = {
  whyNot: whyNoWebKit,
  async open(t, environment) {
    const { service, url } = await startCatalogue(t, environment)
    const webkit = await openWebKit(t)
    const page = openWebKitPage(t, webkit)
    const load = async (language: string) => {
      await webkit.go(url)
      await webkit.run(
        `sessionStorage.setItem("libretto-token", arguments[0])
        localStorage.setItem("libretto-language", arguments[1])`,
        adminToken,
        language
      )
      await webkit.go(url)
      await settled(page)
    }
    return {
      service,
      url,
      read: async () => page,
      async visit(test, language) {
        await load(language)
        if (language !== 'en') test.after(() => load('en'))
        return { page, go: path => walk(page, path), download: act => takeInPage(page, act), complaints: [] }
      }
    }
  }
}

export const taskEngines = {
  Chromium: byPlaywright(chromiumEngine, takeFromBrowser),
  Firefox: byPlaywright(firefoxEngine, takeInPage),
  WebKit: webkitEngine
}
