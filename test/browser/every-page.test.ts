import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'

import type { Page } from 'playwright-core'

import { buildService } from '../../src/main.ts'
import type { Teardown } from '../support/services/start.ts'
import { accessibilityFaults, becomes, openStage, rulesOfColours, settled, type Visit, walk } from './stage.ts'

const stage = await openStage({ after })

/** An address of each kind of page. */
const addresses = [
  '/',
  '/find?q=hamlet&type=work,manifestation',
  '/find?q=xyzzyplugh',
  '/browse',
  '/find/change?q=hamlet&type=work',
  '/find/duplicates',
  '/record/W-HAMLET',
  '/record/M-REINEKE1999',
  '/record/PERS-SHAKESPEARE',
  '/record/ZIZO-TONEELTEKST',
  '/record/VE-GRAANSILO',
  '/record/SEA-20262027',
  '/record/PR-HAMLET',
  '/record/PR-LOOKINGGLASS',
  '/record/PR-HAMLET/history',
  '/record/PR-HAMLET/edit',
  '/record/PERS-GOETHE/merge?with=PERS-AUSTEN',
  '/new',
  '/new/performance',
  '/new/publication',
  '/manage/tokens',
  '/manage/webhooks',
  '/manage/site',
  '/manage/imports',
  '/manage/imports/new',
  '/manage/imports/copy',
  '/record/W-NOWHERE',
  '/manage/nowhere'
]

/**
 * Faults of the pages, by the way they are shown: each page is opened once and examined twice.
 * Phones have a separate file.
 */
const faults = { light: [] as string[], dark: [] as string[], policies: [] as string[], squeezed: [] as string[] }

/** The titles of the pages: they show that different pages were examined, not one repeatedly. */
const titles = new Set<string>()

/** The time on the clock of the pages: they say how long ago something was. */
const now = Date.now()

/** Where everything is and how it looks, by address: a line for each element. */
const layouts = new Map<string, readonly string[]>()

const layoutOf = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('body, #page *')].map(element => {
      const { x, y, width, height } = element.getBoundingClientRect()
      const style = getComputedStyle(element)
      const looks = [
        ...['color', 'background-color', 'font-family', 'font-size', 'font-weight', 'line-height', 'display'],
        ...['margin', 'padding', 'border', 'text-decoration-line', 'list-style-type', 'overflow-wrap', 'gap']
      ].map(name => style.getPropertyValue(name))
      const name = `${element.localName}.${element.getAttribute('class') ?? ''} "${element.textContent?.slice(0, 30)}"`
      return [name, ...[x, y, width, height].map(Math.round), ...looks].join(' | ')
    })
  )

/**
 * Takes the typefaces out of a page. A browser shows them from the second visit on, if it has read
 * them by then, so two visits may differ by them.
 */
const withoutTypefaces = (page: Page) =>
  page.evaluate(() => {
    for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets])
      for (let at = sheet.cssRules.length - 1; at >= 0; at--)
        if (sheet.cssRules[at] instanceof CSSFontFaceRule) sheet.deleteRule(at)
  })

/** The first element of a page that is not as it was there before. */
async function differenceAt(page: Page, address: string): Promise<string | undefined> {
  const [lines, others] = [layouts.get(address) ?? [], await layoutOf(page)]
  const at = Array.from({ length: Math.max(lines.length, others.length) }).findIndex((_, i) => lines[i] !== others[i])
  return at === -1 ? undefined : `${address}: ${lines[at]}\nbecame ${others[at]}`
}

/** A service on the same catalogue that lets visitors read. Returns its address. */
async function serveVisitors(t: Teardown): Promise<string> {
  const { libretto } = stage.service
  const app = await buildService({ ...libretto, config: { ...libretto.config, anonymousAccess: ['read'] } })
  t.after(() => app.close())
  await app.listen({ port: 0, host: '127.0.0.1' })
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}

async function look({ page, complaints }: Visit, name: string) {
  const tell = (list: string[], found: readonly string[]) => list.push(...found.map(fault => `${name}: ${fault}`))
  titles.add(await page.locator('h1').first().innerText())
  tell(faults.squeezed, await squeezedHeadings(page))
  tell(faults.light, await accessibilityFaults(page))
  await page.emulateMedia({ colorScheme: 'dark' })
  tell(faults.dark, await accessibilityFaults(page, ...rulesOfColours))
  await page.emulateMedia({ colorScheme: 'light' })
  tell(faults.policies, complaints.splice(0))
}

/** Headings that take several lines because something beside them leaves too little room. */
const squeezedHeadings = (page: Page) =>
  page.locator('h1').evaluateAll(headings => {
    const isSqueezed = (heading: Element) => {
      const { width, height } = heading.getBoundingClientRect()
      return width < 300 && height > 1.5 * Number.parseFloat(getComputedStyle(heading).lineHeight)
    }
    return headings.filter(isSqueezed).map(heading => heading.textContent ?? '')
  })

describe('every page', { skip: stage.skip }, () => {
  before(async () => {
    // Each leaves before the next comes, who has the same tab then.
    {
      await using leaving = new AsyncDisposableStack()
      const visit = await stage.visit({ after: clear => leaving.defer(async () => clear()) })
      await visit.page.clock.setFixedTime(now)
      await visit.go('/')
      for (const address of addresses) {
        await visit.walk(address)
        await look(visit, address)
        await visit.page.locator('main:not(.opening)').waitFor()
        await withoutTypefaces(visit.page)
        layouts.set(address, await layoutOf(visit.page))
      }
    }
    await using leaving = new AsyncDisposableStack()
    const stranger = await stage.visit({ after: clear => leaving.defer(async () => clear()) }, { token: undefined })
    await stranger.go('/')
    await look(stranger, 'signing in')
  })

  it('is another than the one before', () => assert.ok(titles.size >= addresses.length - 2, [...titles].join(', ')))

  it('has no fault that axe finds in the light theme', () => assert.deepEqual(faults.light, []))

  it('has no fault that axe finds in the dark theme', () => assert.deepEqual(faults.dark, []))

  it('leaves room for its heading', () => assert.deepEqual(faults.squeezed, []))

  it('breaks no policy, and throws nothing', () => assert.deepEqual(faults.policies, []))

  it('looks the same where visitors may read, and their page with its style was loaded first', async t => {
    const url = await serveVisitors(t)
    const { page } = await stage.visit(t)
    await page.clock.setFixedTime(now)
    // Each of these comes from another page for visitors.
    const loaded = ['/', '/find?q=hamlet&type=work,manifestation', '/record/W-HAMLET', '/record/W-NOWHERE']
    for (const address of addresses) {
      if (loaded.includes(address)) {
        await page.goto(url + address)
        await settled(page)
      } else await walk(page, address)
      await withoutTypefaces(page)
      await becomes(() => differenceAt(page, address), undefined)
    }
    assert.ok([...layouts.values()].every(lines => lines.length > 20))
  })

  it('is found faulty when it is: a picture without a text, a script inside', async t => {
    const { page, go, complaints } = await stage.visit(t)
    await go('/')
    await page.evaluate(() => document.querySelector('main')?.append(document.createElement('img')))
    assert.ok((await accessibilityFaults(page)).some(fault => fault.startsWith('image-alt')))
    await page.evaluate(() => {
      const script = document.createElement('script')
      try {
        script.text = 'globalThis.broken = true'
      } catch {
        // The policy of Trusted Types refuses already to say it.
      }
      document.body.append(script)
    })
    assert.equal(await page.evaluate(() => 'broken' in globalThis), false)
    await becomes(async () => complaints.some(each => /TrustedScript|Content Security Policy/i.test(each)), true)
  })
})
