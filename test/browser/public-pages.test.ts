import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { adminToken } from '../support/start.ts'
import { accessibilityFaults, openStage, scriptBytes } from './stage.ts'

/* The pages for readers without an account, in a browser. */

const stage = await openStage({ after }, { ANONYMOUS_ACCESS: 'read' })

const paths = [
  '/',
  '/find?q=hamlet',
  '/record/W-HAMLET',
  '/record/M-HAMLETEN2016',
  '/record/PR-HAMLET',
  '/record/NO-SUCH'
]

/** Maximum size of the scripts of a page, as sent, in bytes. */
const maxScriptBytes = 60_000

describe('public pages', { skip: stage.skip }, () => {
  for (const colorScheme of ['light', 'dark'] as const)
    it(`are accessible and fit the window at 1440, 390 and 320 px, ${colorScheme}`, async t => {
      const { page } = await stage.visit(t, { token: undefined })
      t.after(() => page.close())
      await page.emulateMedia({ colorScheme })
      const wide: string[] = []
      for (const width of [1440, 390, 320]) {
        await page.setViewportSize({ width, height: 800 })
        for (const path of paths) {
          await page.goto(stage.url + path)
          const scrolls = await page.evaluate(() => document.documentElement.scrollWidth)
          if (scrolls > width) wide.push(`${path}: ${scrolls} px at ${width}`)
          if (width !== 390) assert.deepEqual(await accessibilityFaults(page), [], path)
        }
      }
      assert.deepEqual(wide, [])
    })

  it('load little script, and find a record with the keyboard', async t => {
    const { page, complaints } = await stage.visit(t, { token: undefined })
    t.after(() => page.close())
    await page.goto(`${stage.url}/record/W-HAMLET`, { waitUntil: 'networkidle' })
    const bytes = await scriptBytes(page)
    assert.ok(bytes > 0 && bytes <= maxScriptBytes, `${bytes} bytes of script`)
    await page.getByRole('searchbox').fill('couperus')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/find\?q=couperus/)
    await page.getByRole('status').waitFor()
    assert.deepEqual(complaints, [])
  })

  it('do not move while they load', async t => {
    const { page } = await stage.visit(t, { token: undefined })
    t.after(() => page.close())
    await page.goto(`${stage.url}/record/PR-HAMLET`, { waitUntil: 'networkidle' })
    const shift = await page.evaluate(
      () =>
        new Promise<number>(resolve => {
          let sum = 0
          new PerformanceObserver(list => {
            for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value
          }).observe({ type: 'layout-shift', buffered: true })
          setTimeout(() => resolve(sum), 300)
        })
    )
    assert.ok(shift < 0.05, `a layout shift of ${shift}`)
  })

  it('give way to the application for a reader who is signed in', async t => {
    const { page } = await stage.visit(t, { token: adminToken })
    t.after(() => page.close())
    await page.goto(`${stage.url}/record/W-HAMLET`)
    await page.evaluate(token => sessionStorage.setItem('libretto-token', token), adminToken)
    await page.goto(`${stage.url}/record/W-HAMLET`)
    await page
      .getByRole('link', { name: /edit/i })
      .or(page.getByRole('button', { name: /edit/i }))
      .first()
      .waitFor()
  })
})
