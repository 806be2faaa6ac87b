import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import type { Page } from 'playwright-core'

import { openStage } from './stage.ts'
import { taskEngines } from './tasks/engines.ts'
import { describeReaders } from './tasks/reader.ts'

describeReaders('Chromium', taskEngines.Chromium, ['with'])

const stage = await openStage({ after }, { ANONYMOUS_ACCESS: 'read' })

/** The largest number of presses of Tab that lead to a place in a page. */
const maxTabs = 200

/** Presses Tab until the focus is on an element, which must be seen to have it. */
async function tabTo(page: Page, selector: string) {
  for (let presses = 0; presses < maxTabs; presses++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(wanted => {
      const element = document.activeElement
      if (!(element instanceof HTMLElement) || element === document.body) return undefined
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
      const isMarked = (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none'
      return { isWanted: element.matches(wanted), isMarked, html: element.outerHTML.slice(0, 120) }
    }, selector)
    assert.ok(focused, `the focus left the page before ${selector}`)
    assert.ok(focused.isMarked, `nobody sees the focus on ${focused.html}`)
    if (focused.isWanted) return
  }
  assert.fail(`${selector} was not reached`)
}

describe('a reader with a keyboard only', { skip: stage.skip }, () => {
  it('skips the header, searches, opens a work, an edition and its citations, and a show with its dates', async t => {
    const { page } = await stage.visit(t, { token: undefined })
    t.after(() => page.close())
    await page.goto(`${stage.url}/en/`)
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate(() => document.activeElement?.className), 'skip')
    await page.keyboard.press('Enter')
    await page.waitForURL(/#content$/)
    await tabTo(page, 'input[name="q"]')
    await page.keyboard.type('hamlet')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/find\?q=hamlet/)
    await tabTo(page, '.narrow summary')
    await page.keyboard.press('Enter')
    await page.locator('.narrow details[open]').first().waitFor()
    await tabTo(page, '.results a[href$="/record/W-HAMLET"]')
    await page.keyboard.press('Enter')
    await page.waitForURL(/W-HAMLET$/)
    await tabTo(page, '.edition a')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/record\/M-/)
    await tabTo(page, 'a[href="#cite"]')
    await page.keyboard.press('Enter')
    await page.waitForURL(/#cite$/)
    await tabTo(page, '.cite a[download]')
    await page.goto(`${stage.url}/en/record/PR-HAMLET`)
    await tabTo(page, '.nights a[href*="when=past"], .nights a[href$="calendar.ics"]')
  })
})
