import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import type { Locator, Page } from 'playwright-core'

import { startReceiver } from '../support/services/receiver.ts'
import { becomes, isFocused as has, openStage, settled, type Visit } from './stage.ts'

/*
 * All tasks of the page by the keyboard alone; no test uses a pointer. The element with the focus
 * must show it, be in sight and not be covered, at every press of Tab on the way.
 */

const stage = await openStage({ after }, { WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.0/8' })
const { service } = stage
// One window for all of it: it is closed with the browser.
const visit = (stage.skip === false ? await stage.visit({ after: () => {} }) : undefined) as Visit

const read = async (id: string) => (await service.get(`/entities/${id}`)).body
const fieldOf = (entity: { metadata: { key: string; value: unknown }[] }, key: string) =>
  entity.metadata.find(each => each.key === key)?.value
const create = async (type: string, key: string, value: string) =>
  (await service.create({ type, metadata: [{ key, value }] })).id

/** Waits for a message in the strip below the content; the page itself may have the same words. */
const said = (page: Page, text: string | RegExp) => page.locator('.toasts').getByText(text).waitFor()

/** The hands of somebody without a mouse. */
function handsOn(page: Page) {
  const press = (...keys: readonly string[]) =>
    keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())
  const type = (text: string) => page.keyboard.type(text)

  /** Goes on with Tab until this has the focus. */
  const tabTo = async (wanted: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') => {
    await settled(page)
    await wanted.first().waitFor({ state: 'attached' })
    const passed: string[] = []
    // Looked for once: to look for it by its name with every press costs more than the press.
    let elements = await wanted.elementHandles()
    for (;;) {
      const { isThere, isGone, what, fault } = await page.evaluate(lookAtFocus, elements)
      if (isGone) {
        elements = await wanted.elementHandles()
        continue
      }
      if (isThere || passed.length > 0) assert.equal(fault, undefined, `${what}: ${fault}`)
      if (isThere) return
      passed.push(what)
      assert.ok(passed.length < 250, `${wanted} is never reached; passed ${passed.join(' | ')}`)
      await press(key)
    }
  }
  /** Chooses one of the options that a combobox offers for what is typed into it. */
  const pick = async (text: string, name: string | RegExp) => {
    await type(text)
    const option = page
      .locator(`[role=listbox]:is([aria-busy=false], [data-of=${JSON.stringify(text)}])`)
      .getByRole('option', { name })
      .first()
    await option.waitFor()
    await settled(page)
    for (let presses = 0; (await option.getAttribute('aria-selected')) !== 'true'; presses++) {
      assert.ok(presses < 30, `${name} cannot be chosen`)
      await press('ArrowDown')
    }
    await press('Enter')
  }
  return { press, type, tabTo, pick, enter: (wanted: Locator) => tabTo(wanted).then(() => press('Enter')) }
}

/**
 * In the page: whether one of these has the focus; else what has; and what is wrong with how that
 * shows.
 */
function lookAtFocus(wanted: readonly Node[]) {
  const element = document.activeElement as HTMLElement
  const isThere = wanted.includes(element)
  const isGone = wanted.length === 0 || wanted.some(each => !each.isConnected)
  const label = element instanceof HTMLInputElement ? element.labels?.[0] : undefined
  const name = element.getAttribute('aria-label') ?? (element.innerText || label?.innerText) ?? ''
  const what = `${element.tagName} ${element.getAttribute('type') ?? ''} ${name.slice(0, 40)}`
  const seen = (fault?: string) => ({ isThere, isGone, what, fault })
  // Between the end of the page and its beginning a browser has the focus itself; a page that was
  // just gone to has it as a whole.
  if (element === document.body || element.tagName === 'MAIN') return seen()
  // An element that is too small to see is represented by its label.
  const isTiny = element.getBoundingClientRect().width <= 1
  const shown = isTiny && label ? label : element
  const style = getComputedStyle(shown)
  const { left, right, top, bottom, width, height } = shown.getBoundingClientRect()
  if (style.outlineStyle === 'none' || Number.parseFloat(style.outlineWidth) < 1) return seen('no outline')
  if (width <= 1 || height <= 1) return seen('nothing to see')
  if (bottom <= 0 || right <= 0 || top >= innerHeight || left >= innerWidth) return seen('out of sight')
  const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2
  const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2
  const above = document.elementFromPoint(x, y)
  const isOwn = above !== null && (shown.contains(above) || above.contains(shown))
  return seen(isOwn ? undefined : `behind ${above?.outerHTML.slice(0, 120)}`)
}

describe('by the keyboard alone', { skip: stage.skip }, () => {
  it('one finds, opens, changes, saves and takes back', async () => {
    const id = await create('venue', 'name', 'Toetsenzaal')
    const { page, go } = visit
    const { press, type, tabTo, pick, enter } = handsOn(page)
    await go('/')
    const box = page.getByRole('combobox', { name: 'Search the catalogue' })
    await press('/')
    await has(box)
    await pick('hamlt', /^All results/)
    const productions = page.getByRole('checkbox', { name: 'Productions' })
    await tabTo(productions)
    await press('Space')
    await page.waitForURL(/type=production/)
    await page.getByRole('checkbox', { name: 'Productions', checked: true }).waitFor()
    await has(productions)
    await enter(page.getByRole('link', { name: /^Hamlet/ }))
    await page.getByRole('heading', { level: 1, name: 'Hamlet', exact: true }).waitFor()

    // A suggestion leads to a record at once.
    await press('/')
    await has(box)
    await pick('toetsenz', /^Toetsenzaal/)
    await page.getByRole('heading', { level: 1, name: 'Toetsenzaal', exact: true }).waitFor()
    await enter(page.getByRole('link', { name: 'Edit' }))
    await tabTo(page.getByLabel('Capacity'))
    await type('91')
    await press('Enter')
    await said(page, 'Toetsenzaal was saved')
    assert.equal(fieldOf(await read(id), 'capacity'), 91)
    await press('Control+z')
    await said(page, 'Undone')
    assert.equal(fieldOf(await read(id), 'capacity'), undefined)
  })

  it('one relates a record to others that are found or made on the way, and takes that back', async () => {
    const [hall, production] = [
      await create('venue', 'name', 'Pianozaal'),
      await create('production', 'title', 'Op toetsen')
    ]
    const { id } = await service.create({
      type: 'performance',
      metadata: [{ key: 'start', value: '2026-12-01T20:00:00+01:00' }],
      relations: [{ type: 'refProduction', key: production }]
    })
    const { page, walk } = visit
    const { pick, tabTo, enter } = handsOn(page)
    await walk(`/record/${id}/edit`)
    const venues = page.getByRole('combobox', { name: /venue/i })
    await tabTo(venues)
    await pick('pianoz', /^Pianozaal/)
    await page.locator('.picked').getByText('Pianozaal').waitFor()
    await tabTo(venues)
    await pick('Zaal zonder muis', /Zaal zonder muis/)
    await page.locator('.picked').getByText('Zaal zonder muis').waitFor()
    await enter(page.getByRole('button', { name: 'Save', exact: true }))
    await said(page, /was saved/)
    const [, first, second] = (await read(id)).relations
    assert.equal(first.key, hall)
    assert.equal(fieldOf(await read(second.key), 'name'), 'Zaal zonder muis')
    await enter(page.getByRole('button', { name: 'Undo' }))
    await said(page, 'Undone')
    assert.equal((await read(id)).relations.length, 1)
    // The record that was made with the form is gone with it.
    await becomes(async () => (await service.get(`/entities/${second.key}`)).status, 404)
  })

  it('one merges two records, choosing what stays, and takes that back', async () => {
    const [stays, goes] = [await create('venue', 'name', 'Klavierzaal'), await create('venue', 'name', 'Clavierzaal')]
    const { page, walk } = visit
    const { pick, tabTo, enter, press } = handsOn(page)
    await walk(`/record/${stays}`)
    await enter(page.getByRole('button', { name: 'More', exact: true }))
    await enter(page.getByRole('link', { name: 'Merge' }))
    await tabTo(page.getByRole('combobox', { name: /Search for Klavierzaal/ }))
    await pick('clavier', /^Clavierzaal/)
    await tabTo(page.getByRole('combobox', { name: 'Name', exact: true }))
    await press('ArrowDown')
    await page.getByText('No other record refers to the merged record').waitFor()
    await enter(page.getByRole('button', { name: 'Merge', exact: true }))
    await said(page, 'Merged into')
    assert.equal((await read(goes)).id, stays)
    assert.equal(fieldOf(await read(stays), 'name'), 'Clavierzaal')
    await press('Control+z')
    await said(page, 'Undone')
    assert.equal((await read(goes)).id, goes)
  })

  it('one describes a work, its expression and its manifestation in one go', async () => {
    const { page, walk } = visit
    const { tabTo, enter, type, press } = handsOn(page)
    await walk('/new')
    await enter(page.getByRole('link', { name: /work, expression/i }))
    await tabTo(page.getByRole('textbox', { name: /^Title/ }).first())
    await type('Zonder muis')
    await tabTo(page.getByRole('textbox', { name: 'ISBN' }).first())
    await type('9789041711014')
    await press('Enter')
    await said(page, 'Zonder muis was added')
    const { body } = await service.filter([{ type: 'text', key: 'properties.title.value', value: 'Zonder muis' }])
    assert.equal(body.count, 3)
  })

  it('one brings a file to a production', async () => {
    const id = await create('production', 'title', 'Met een rider')
    const { page, go } = visit
    const { tabTo, press } = handsOn(page)
    // Asked for long before it is needed: the browser would show a window of its own to a key that
    // is quicker than that.
    const rider = { name: 'rider.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n') }
    page.once('filechooser', chooser => chooser.setFiles(rider))
    await go(`/record/${id}`)
    const category = page.locator('.drop-place select')
    await tabTo(category)
    while ((await category.inputValue()) !== 'rider') await press('ArrowDown')
    await tabTo(page.getByLabel('Choose files'))
    await press('Enter')
    await said(page, 'rider.pdf was added')
    const { results } = (await service.get(`/entities/${id}/mediafiles`)).body
    assert.equal(fieldOf(results[0], 'mediafile_type'), 'rider')
  })

  it('one makes and revokes tokens, makes webhooks, and comes back to where one was after each dialog', async t => {
    const receiver = await startReceiver(t)
    const { page, walk } = visit
    const { tabTo, enter, press, type } = handsOn(page)
    await walk('/')
    await enter(page.getByRole('link', { name: 'Manage' }))
    const newToken = page.getByRole('button', { name: 'New token' })
    await enter(newToken)
    await has(page.getByLabel('Name'))
    await type('kiosk zonder muis')
    await tabTo(page.getByRole('checkbox', { name: 'write' }))
    await press('Space', 'Enter')
    await page.locator('.secret').waitFor()
    await press('Escape')
    const row = page.getByRole('row', { name: /kiosk zonder muis/ })
    await row.filter({ hasText: /read.*write/s }).waitFor()
    await has(newToken)
    await enter(row.getByRole('button', { name: 'Revoke' }))
    await enter(page.getByRole('dialog').getByRole('button', { name: 'Revoke' }))
    await said(page, 'kiosk zonder muis was revoked')

    await enter(page.getByRole('link', { name: 'Webhooks' }))
    await enter(page.getByRole('button', { name: 'New webhook' }))
    await has(page.getByLabel('Address', { exact: true }))
    await type(receiver.url)
    await press('Enter')
    await page.locator('.secret').waitFor()
    await enter(page.getByRole('dialog').getByRole('button', { name: 'Close' }).last())
    await page.getByRole('button', { name: 'Send a test' }).waitFor()
    assert.equal((await service.get('/webhooks')).body.length, 1)

    // The way out.
    await tabTo(page.getByRole('button', { name: 'Signed in as' }), 'Shift+Tab')
    await press('Enter')
    await enter(page.getByRole('button', { name: 'Sign out' }))
    await page.getByLabel('Token', { exact: true }).waitFor()
    assert.deepEqual(visit.complaints, [])
  })
})
