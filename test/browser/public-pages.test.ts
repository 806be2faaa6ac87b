import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import type { Page } from 'playwright-core'

import { findWebPage } from '#http/web-page.ts'
import { errorPage } from '#pages/error-page.ts'
import { localeOf } from '#pages/locale.ts'
import { plainTemplate, writeDocument } from '#pages/page.ts'
import { plainSite } from '#pages/site.ts'
import { adminToken } from '../support/services/start.ts'
import { shiftOf } from './layout-shift.ts'
import { accessibilityFaults, openStage, rulesOfColours, scriptBytes } from './stage.ts'

/* The pages for readers without an account, in a browser. */

const stage = await openStage({ after }, { ANONYMOUS_ACCESS: 'read' })

const paths = [
  '/',
  '/find?q=hamlet',
  '/record/W-HAMLET',
  '/record/M-HAMLETEN2016',
  '/record/PR-HAMLET',
  '/record/PF-HAMLET01',
  '/record/PERS-SHAKESPEARE',
  '/record/SEA-20262027',
  '/record/VE-LINDE',
  '/record/CO-HALFLICHT',
  '/programme?when=week',
  '/programme?when=today&date=2026-01-16',
  '/record/NO-SUCH',
  '/nothing',
  `/find?cursor=${'x'.repeat(300)}`
]

/** Maximum size of the scripts of a page, as sent, in bytes. */
const maxScriptBytes = 20_000

/** Checks that a page has no sideways scrolling. */
async function fits(page: Page, path: string) {
  const scrolls = await page.evaluate(() => document.documentElement.scrollWidth)
  const width = page.viewportSize()?.width ?? 0
  assert.ok(scrolls <= width, `${path}: ${scrolls} px at ${width}`)
}

describe('public pages', { skip: stage.skip }, () => {
  for (const width of [1440, 320])
    it(`are accessible at ${width} px in both themes, and fit the window`, async t => {
      const { page } = await stage.visit(t, { token: undefined })
      t.after(() => page.close())
      await page.setViewportSize({ width, height: 800 })
      for (const path of paths) {
        await page.emulateMedia({ colorScheme: 'light' })
        await page.goto(stage.url + path)
        await fits(page, path)
        assert.deepEqual(await accessibilityFaults(page), [], path)
        await page.emulateMedia({ colorScheme: 'dark' })
        assert.deepEqual(await accessibilityFaults(page, ...rulesOfColours), [], path)
      }
    })

  it('fit the window at 390 px', async t => {
    const { page } = await stage.visit(t, { token: undefined })
    t.after(() => page.close())
    await page.setViewportSize({ width: 390, height: 800 })
    for (const path of paths) {
      await page.goto(stage.url + path)
      await fits(page, path)
    }
  })

  it('are printed with the name of the house and all that can be read, in dark ink', async t => {
    const { page } = await stage.visit(t, { token: undefined })
    t.after(() => page.close())
    await page.setViewportSize({ width: 720, height: 1000 })
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    for (const path of ['/en/record/PR-HAMLET', '/en/record/W-HAMLET', '/en/find?q=hamlet']) {
      await page.goto(stage.url + path)
      for (const gone of ['.menu', '.languages', 'form[role="search"]', '.public-footer', '.button', '[data-keep]'])
        for (const each of await page.locator(gone).all()) assert.equal(await each.isVisible(), false, path + gone)
      assert.equal(await page.locator('.brand').isVisible(), true)
      const ink = await page.locator('h1').evaluate(each => getComputedStyle(each).color)
      assert.match(ink, /^rgb\((?:\d|[1-5]\d), /, path)
    }
    await page.goto(`${stage.url}/en/record/PR-HAMLET`)
    assert.ok((await page.locator('.night').count()) > 1)
    // Parts that are folded on a screen are printed.
    assert.equal(await page.locator('.cast details > :not(summary)').first().isVisible(), true)
    const [picture, next] = await Promise.all(
      ['.record-picture', '.next-when'].map(each => page.locator(each).boundingBox())
    )
    assert.ok(picture && picture.x + picture.width <= 720, 'The picture is cut off')
    assert.ok(next && next.x < picture.x, 'The next performance does not stand beside the picture')
  })

  it('have a letter on a cover that is too small for the title', async t => {
    const { page } = await stage.visit(t, { token: undefined })
    t.after(() => page.close())
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(`${stage.url}/en/record/W-HAMLET`)
    const sizeOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate(each => Number.parseFloat(getComputedStyle(each, '::first-letter').fontSize))
    assert.ok((await sizeOf('.editions .made-title')) >= 20)
    assert.equal(
      await page
        .locator('.editions .made-title')
        .first()
        .evaluate(each => getComputedStyle(each).fontSize),
      '0px'
    )
    assert.ok((await sizeOf('.record-picture .made-title')) >= 12)
  })

  it('load little script, and find a record with the keyboard', async t => {
    const { page, complaints } = await stage.visit(t, { token: undefined })
    t.after(() => page.close())
    await page.goto(`${stage.url}/record/W-HAMLET`, { waitUntil: 'networkidle' })
    const bytes = await scriptBytes(page)
    assert.ok(bytes > 0 && bytes <= maxScriptBytes, `${bytes} bytes of script`)
    await page.getByRole('combobox', { name: 'Search' }).fill('couperus')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/find\?q=couperus/)
    await page.getByRole('status').waitFor()
    assert.deepEqual(complaints, [])
  })

  it('lead from result to result, and keep a list that can be sent and exported', async t => {
    const { page, complaints } = await stage.visit(t, { token: undefined })
    t.after(() => page.close())
    await page.goto(`${stage.url}/nl/find?q=hamlet`)
    const results = page.locator('.results > li > div > a')
    const names = await results.allTextContents()
    assert.ok(names.length > 2)
    for (const _ of [1, 2])
      await page.getByRole('button', { name: 'Zet op mijn lijst', pressed: false }).first().click()
    await results.first().click()
    const around = page.getByRole('navigation', { name: 'Rond dit record' })
    await around.getByRole('link', { name: 'Volgende' }).click()
    await page.getByRole('heading', { level: 1, name: names[1] ?? '' }).waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    await around.getByRole('link', { name: 'Vorige' }).click()
    await page.getByRole('heading', { level: 1, name: names[0] ?? '' }).waitFor()
    await around.getByRole('link', { name: 'Resultaten' }).click()
    await page.waitForURL(/\/find\?q=hamlet/)
    await around.getByRole('link', { name: 'Mijn lijst (2)' }).click()
    await page.waitForURL(/\/nl\/find\?ids=/)
    assert.deepEqual((await results.allTextContents()).toSorted(), names.slice(0, 2).toSorted())
    const file = await page.getByRole('link', { name: 'Downloaden: RIS' }).getAttribute('href')
    assert.equal((await fetch(new URL(file ?? '', stage.url))).status, 200)
    await page.getByRole('button', { name: 'Op mijn lijst' }).first().click()
    await around.getByRole('link', { name: 'Mijn lijst (1)' }).waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    assert.deepEqual(complaints, [])
  })

  it('suggest records while one types, for the keyboard and the mouse', async t => {
    const { page, complaints } = await stage.visit(t, { token: undefined })
    t.after(() => page.close())
    for (const path of ['/', '/find?q=x&lang=nl']) {
      await page.goto(stage.url + path)
      const box = page.getByRole('combobox', { name: /^(?:Search|Zoeken)$/ })
      await box.fill('graansil')
      const option = page.getByRole('option', { name: /De Graansilo/ })
      await option.waitFor()
      assert.equal(await box.getAttribute('aria-expanded'), 'true')
      assert.deepEqual(await accessibilityFaults(page), [], path)
      await page.keyboard.press('Escape')
      await option.waitFor({ state: 'detached' })
      assert.equal(await box.getAttribute('aria-expanded'), 'false')
      await box.press('o')
      await option.waitFor()
      await page.keyboard.press('ArrowDown')
      await page.getByRole('option', { selected: true }).waitFor()
      assert.equal(
        await box.getAttribute('aria-activedescendant'),
        await page.getByRole('option').first().getAttribute('id')
      )
      if (path === '/') await page.keyboard.press('Enter')
      else await option.click()
      await page.getByRole('heading', { level: 1, name: 'De Graansilo' }).waitFor()
      assert.match(new URL(page.url()).pathname, path === '/' ? /^\/record\// : /^\/nl\/record\//)
    }
    assert.deepEqual(complaints, [])
  })

  it('find where suggestions cannot be had', async t => {
    const { page } = await stage.visit(t, { token: undefined })
    t.after(() => page.close())
    await page.goto(stage.url)
    const box = page.getByRole('combobox', { name: 'Search' })
    await page.route('**/suggest?*', route => route.fulfill({ status: 503, json: {} }))
    const refused = page.waitForResponse('**/suggest?*')
    await box.fill('hamlet')
    await refused
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/find\?q=hamlet/)
  })

  it('do not move while they load', async t => {
    const { page } = await stage.visit(t, { token: undefined })
    t.after(() => page.close())
    await page.goto(`${stage.url}/record/PR-HAMLET`, { waitUntil: 'networkidle' })
    const { shift, moved } = await shiftOf(page)
    assert.ok(shift < 0.05, `a layout shift of ${shift}: ${moved.join()}`)
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

  it('are loaded again by themselves after an error that passes, but not under the application', async t => {
    for (const token of [undefined, adminToken]) {
      const { page } = await stage.visit(t, { token })
      await page.clock.install()
      let loads = 0
      await page.route(`${stage.url}/find`, async route => {
        loads++
        if (loads > 1) return route.fallback()
        return route.fulfill({ status: 503, contentType: 'text/html; charset=utf-8', body: indexingPage })
      })
      await page.goto(`${stage.url}/find`)
      if (token === undefined) {
        await page.getByRole('heading', { name: 'The catalogue is being prepared' }).waitFor()
        assert.deepEqual(await accessibilityFaults(page), [])
        await page.clock.fastForward(10_000)
        await page.getByRole('status').waitFor()
        assert.equal(loads, 2)
      } else {
        await page.locator('main[data-fetching="0"]').waitFor()
        await page.clock.fastForward(60_000)
        await page.locator('main[data-fetching="0"]').waitFor()
        assert.equal(loads, 1)
      }
      await page.close()
    }
  })
})

/** The page that readers get while the index is built. */
const indexingPage = (() => {
  const template = findWebPage(join(import.meta.dirname, '../../web/dist'))?.publicTemplate
  const locale = localeOf('en')
  const made = errorPage('indexing', { path: '/find', base: '', requestId: 'x-1' }, locale)
  return writeDocument(template ?? plainTemplate, made, locale, {
    publicUrl: stage.url,
    site: plainSite('Libretto')
  })
})()
