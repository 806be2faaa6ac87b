import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import type { Page } from 'playwright-core'

import { metadata, relations } from '../support/records/entities.ts'
import { adminToken } from '../support/services/start.ts'
import { shiftOf } from './layout-shift.ts'
import { accessibilityFaults, openStage, rulesOfColours } from './stage.ts'

/* The site of a house in a browser: the example of a theatre, with the sample catalogue. */

const stage = await openStage(
  { after },
  { ANONYMOUS_ACCESS: 'read', SITE: join(import.meta.dirname, '../../deploy/sites/theatre.json') }
)

const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
await stage.service.create({
  type: 'performance',
  metadata: metadata({ start: tomorrow, url: 'https://tickets.example/1' }),
  relations: relations({ refProduction: 'PR-HAMLET' })
})

/** Maximum size of a page with its typefaces, as sent, in bytes, without pictures of records. */
const maxBytes = 60_000

/** Opens a page with nothing in the cache. Returns the bytes over the line by kind. */
async function load(page: Page, path: string): Promise<Readonly<Record<string, number>>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.clearBrowserCache')
  const kinds = new Map<string, string>()
  const bytes: Record<string, number> = {}
  session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type))
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId) ?? 'Other'
    bytes[kind] = (bytes[kind] ?? 0) + encodedDataLength
  })
  await page.goto(stage.url + path, { waitUntil: 'networkidle' })
  await session.detach()
  return bytes
}

describe('the site of a house', { skip: stage.skip }, () => {
  it('is accessible in both themes and fits the window', async t => {
    const { page, complaints } = await stage.visit(t, { token: undefined })
    t.after(() => page.close())
    for (const width of [1280, 390, 320]) {
      await page.setViewportSize({ width, height: 800 })
      for (const path of ['/de/', '/fr/find?q=hamlet']) {
        await page.emulateMedia({ colorScheme: 'light' })
        await page.goto(stage.url + path)
        assert.deepEqual(await accessibilityFaults(page), [], `${path} at ${width}`)
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, `${path} at ${width}`)
        await page.emulateMedia({ colorScheme: 'dark' })
        assert.deepEqual(await accessibilityFaults(page, ...rulesOfColours), [], `${path} at ${width}, dark`)
      }
    }
    assert.deepEqual(complaints, [])
  })

  it('has the colours of the house and its own typefaces, in few bytes, and does not move', async t => {
    const { page } = await stage.visit(t, { token: undefined })
    t.after(() => page.close())
    for (const path of ['/en/', '/en/find?q=hamlet', '/en/record/PR-HAMLET', '/en/record/W-HAMLET']) {
      const { Image: _pictures, ...bytes } = await load(page, path)
      const sum = Object.values(bytes).reduce((all, each) => all + each, 0)
      assert.ok(sum <= maxBytes, `${path}: ${JSON.stringify(bytes)}`)
      assert.ok((bytes.Script ?? 0) <= 20_000, `${path}: ${bytes.Script} bytes of script`)
      const { shift, moved } = await shiftOf(page)
      assert.ok(shift < 0.01, `${path}: a layout shift of ${shift}: ${moved.join()}`)
    }
    await page.goto(`${stage.url}/en/`)
    const button = page.locator('.week .button').first()
    assert.equal(await button.evaluate(each => getComputedStyle(each).backgroundColor), 'rgb(138, 32, 51)')
    await page.evaluate(() => document.fonts.ready)
    assert.ok(await page.evaluate(() => document.fonts.check('600 20px "Libretto Serif"')))
  })

  it('is whole without a script', async t => {
    const { page } = await stage.visit(t, { token: undefined })
    t.after(() => page.close())
    await page.route('**/*.js', route => route.abort())
    await page.goto(`${stage.url}/nl/`)
    await page.getByRole('heading', { name: 'Hamlet' }).waitFor()
    await page.getByRole('link', { name: 'Tickets' }).first().waitFor()
    await page.getByRole('heading', { name: 'Lees eerst het stuk' }).waitFor()
    await page.getByRole('searchbox').fill('couperus')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/nl\/find\?q=couperus/)
    await page.getByText('resultaten').first().waitFor()
  })

  it('keeps the language that a reader has chosen', async t => {
    const { page } = await stage.visit(t, { token: undefined })
    t.after(() => page.close())
    await page.goto(stage.url)
    await page.getByRole('link', { name: 'FR', exact: true }).click()
    await page.getByRole('link', { name: 'Bibliothèque' }).click()
    await page.waitForURL(/\/fr\/find/)
    await page.locator('.results a').first().click()
    await page.waitForURL(/\/fr\/record\//)
    assert.equal(await page.locator('html').getAttribute('lang'), 'fr')
  })

  it('has titles from right to left beside their covers', async t => {
    const { page } = await stage.visit(t, { token: undefined })
    t.after(() => page.close())
    await stage.service.create({
      type: 'work_word',
      metadata: [{ key: 'title', value: 'ألف ليلة وليلة', lang: 'ar' }]
    })
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(`${stage.url}/en/find?q=${encodeURIComponent('ليلة')}`)
    const [cover, title] = [
      page.locator('.results .entry-cover').first(),
      page.locator('.results > li > div > a').first()
    ]
    const [left, text] = [await cover.boundingBox(), await title.boundingBox()]
    assert.ok(left && text && text.x - (left.x + left.width) < 40, JSON.stringify({ left, text }))
  })

  it('gives way to the application, which has no language in its address', async t => {
    const { page } = await stage.visit(t, { token: adminToken })
    t.after(() => page.close())
    await page.goto(`${stage.url}/nl/record/W-HAMLET`)
    await page.waitForURL(`${stage.url}/record/W-HAMLET`)
    await page.getByRole('heading', { name: 'Hamlet' }).first().waitFor()
  })
})
