import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import type { Page } from 'playwright-core'

import { accessibilityFaults, becomes, openStage, type Visit } from './stage.ts'

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
  '/manage/imports',
  '/manage/imports/new',
  '/record/W-NOWHERE',
  '/manage/nowhere'
]

/**
 * What is wrong with the pages, by how they are looked at: each is gone to once, and looked at
 * twice. Phones have a file of their own.
 */
const faults = { light: [] as string[], dark: [] as string[], policies: [] as string[], squeezed: [] as string[] }

/**
 * What the pages are called: that they are others, and not one that was looked at again and again.
 */
const titles = new Set<string>()

async function look({ page, complaints }: Visit, name: string) {
  const tell = (list: string[], found: readonly string[]) => list.push(...found.map(fault => `${name}: ${fault}`))
  titles.add(await page.locator('h1').first().innerText())
  tell(faults.squeezed, await squeezedHeadings(page))
  tell(faults.light, await accessibilityFaults(page))
  await page.emulateMedia({ colorScheme: 'dark' })
  // In the other theme only the colours differ.
  tell(faults.dark, await accessibilityFaults(page, 'color-contrast'))
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
      await visit.go('/')
      for (const address of addresses) {
        await visit.walk(address)
        await look(visit, address)
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
