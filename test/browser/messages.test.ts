import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import type { Page } from 'playwright-core'

import { becomes, openStage } from './stage.ts'

const stage = await openStage({ after })
const { service } = stage

/**
 * In the page: the controls that do not scroll away and that a message lies over, at any of 15
 * points.
 */
function findCovered() {
  const covered: string[] = []
  for (const element of document.querySelectorAll<HTMLElement>('.form-foot button, .shell :is(a, button, input)')) {
    const { left, top, width, height } = element.getBoundingClientRect()
    if (width === 0 || height === 0) continue
    for (const x of [0.1, 0.3, 0.5, 0.7, 0.9])
      for (const y of [0.2, 0.5, 0.8]) {
        const hit = document.elementFromPoint(left + width * x, top + height * y)
        if (hit?.closest('.toast button')) covered.push(element.innerText || element.tagName)
      }
  }
  return [...new Set(covered)]
}

/** Whether each of 35 points of a button, without its round corners, hits the button itself. */
const isWhole = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).evaluate(element => {
    const { left, top, width, height } = element.getBoundingClientRect()
    return [0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9].every(x =>
      [0.15, 0.3, 0.5, 0.7, 0.85].every(y =>
        element.contains(document.elementFromPoint(left + width * x, top + height * y))
      )
    )
  })

describe('messages', { skip: stage.skip }, () => {
  for (const [width, height] of [
    [1440, 900],
    [1024, 768],
    [390, 844],
    [320, 640]
  ] as const)
    it(`lie over no button at ${width} px, and a click on Save saves`, async t => {
      const { page, go } = await stage.visit(t)
      t.after(() => page.close())
      await page.setViewportSize({ width, height })
      // A form that is longer than the window: its foot with the buttons stays at the lower edge.
      const { id } = await service.create({ type: 'production', metadata: [{ key: 'title', value: `Show ${width}` }] })
      await go(`/record/${id}/edit`)
      const name = page.getByRole('textbox', { name: /^Title/ }).first()
      await name.fill(`Play ${width}`)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('button', { name: 'Undo' }).waitFor()
      await page.getByRole('link', { name: 'Edit' }).click()
      await name.fill(`Opera ${width}`)
      await becomes(() => isWhole(page, 'Save'), true)
      assert.equal(await isWhole(page, 'Cancel'), true)
      assert.deepEqual(await page.evaluate(findCovered), [])
      const save = await page.getByRole('button', { name: 'Save', exact: true }).boundingBox()
      assert.ok(save)
      await page.mouse.click(save.x + save.width * 0.1, save.y + save.height * 0.85)
      await page.getByText(`Opera ${width} was saved`).waitFor()
      assert.equal((await service.get(`/entities/${id}`)).body.version, 3)
    })

  it('stand beside each other, and each undoes its own change', async t => {
    const { page, go } = await stage.visit(t)
    t.after(() => page.close())
    const make = (name: string) => service.create({ type: 'person', metadata: [{ key: 'name', value: name }] })
    const ids = [(await make('First')).id, (await make('Second')).id]
    await go('/')
    for (const id of ids) {
      // Without a reload, as a link leads there.
      await page.evaluate(to => {
        history.pushState({ idx: 1 }, '', to)
        dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
      }, `/record/${id}/edit`)
      await page.getByRole('textbox', { name: /^Name/ }).first().fill(`Changed ${id}`)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText(`Changed ${id} was saved`).waitFor()
    }
    const first = page.locator('.toast').filter({ hasText: `Changed ${ids[0]} was saved` })
    await first.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone').waitFor()
    const nameOf = async (id: string) => (await service.get(`/entities/${id}`)).body.metadata[0].value
    assert.deepEqual(await Promise.all(ids.map(nameOf)), ['First', `Changed ${ids[1]}`])
  })

  it('end by themselves, also those with Undo', async t => {
    const { page, go } = await stage.visit(t)
    t.after(() => page.close())
    await page.clock.install()
    const { id } = await service.create({ type: 'person', metadata: [{ key: 'name', value: 'Short' }] })
    await go(`/record/${id}/edit`)
    await page.getByRole('textbox', { name: /^Name/ }).first().fill('Shorter')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Shorter was saved').waitFor()
    await page.mouse.move(0, 0)
    await page.clock.runFor(60_000)
    await becomes(() => page.locator('.toast').count(), 0)
    await becomes(() => page.evaluate(() => getComputedStyle(document.body).paddingBottom), '0px')
  })
})
