import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aPng } from '../support/media.ts'
import { accessibilityFaults, becomes, openStage, settled } from './stage.ts'
import { countingUser } from './user.ts'

/* Tasks of people at a library, each with the clicks and keys that it takes. */

const stage = await openStage({ after })
const { service } = stage

const create = async (type: string, key: string, value: string) =>
  (await service.create({ type, metadata: [{ key, value }] })).id
const fieldOf = async (id: string, key: string) =>
  (await service.get(`/entities/${id}`)).body.metadata.find((each: { key: string }) => each.key === key)?.value

describe('at a library', { skip: stage.skip }, () => {
  it('one finds a book by a title with a typo', async t => {
    const { page, go } = await stage.visit(t)
    const user = countingUser(page)
    await go('/')
    await user.press('/')
    await user.type('max havelar')
    await user.press('Enter')
    await page.locator('.found[data-of="/find?q=max+havelar"]').waitFor()
    const entry = page.locator('.entry').filter({ has: page.getByText('Work: text') })
    await user.click(entry.getByRole('link', { name: /^Max Havelaar/ }).first())
    await page.getByRole('heading', { level: 1, name: 'Max Havelaar' }).waitFor()
    await page.locator('.record-makers').getByRole('link', { name: 'Multatuli' }).waitFor()
    user.tookAtMost(1, 13)
  })

  it('one sees all Dutch translations of a work', async t => {
    const { page, go } = await stage.visit(t)
    const user = countingUser(page)
    await go('/find?q=hamlet')
    await user.click(page.getByRole('checkbox', { name: 'Expressions' }))
    await page.waitForURL(/type=expression/)
    await user.click(page.getByRole('checkbox', { name: 'Dutch', exact: true }))
    const { count } = (
      await service.filter([
        { type: 'search', value: 'hamlet' },
        { type: 'type', value: 'expression' },
        { type: 'selection', key: 'relations.refLanguages.key', value: ['LANG-NLD'], match_exact: true }
      ])
    ).body
    await page.getByRole('heading', { name: `${count} records`, exact: true }).waitFor()
    user.tookAtMost(2, 0)
  })

  it('one describes a new book, with a translator who is not in the catalogue yet', async t => {
    const { page, go } = await stage.visit(t)
    const user = countingUser(page)
    await go('/')
    await user.click(page.getByRole('link', { name: 'Add', exact: true }))
    await user.click(page.getByRole('link', { name: /work, expression/i }))
    await user.click(page.getByRole('textbox', { name: /^Title/ }).first())
    await user.type('Een nieuw boek')
    const people = page
      .locator('.step')
      .nth(1)
      .getByRole('combobox', { name: /People/ })
    await user.click(people)
    await user.type('Vertaler, Nieuwe')
    await user.click(page.getByRole('option', { name: /Vertaler, Nieuwe/ }).filter({ hasText: /Person/ }))
    await user.click(page.getByLabel('Role: Vertaler, Nieuwe'))
    await user.type('translator')
    await user.press('Control+s')
    await page.getByRole('heading', { level: 1, name: 'Een nieuw boek' }).waitFor()
    await page.locator('.rung.level-expression').getByText('translator').waitFor()
    user.tookAtMost(6, 41)
    // The title stands once, in the heading.
    await settled(page)
    assert.equal(await page.locator('.rung').getByText('Een nieuw boek', { exact: true }).count(), 0)
    assert.deepEqual(await accessibilityFaults(page), [])
  })

  it('one merges two records, and undoes it from the history', async t => {
    const [stays, goes] = [await create('venue', 'name', 'Zaal Een'), await create('venue', 'name', 'Zaal Eén')]
    const { page, go } = await stage.visit(t)
    const user = countingUser(page)
    await go(`/record/${stays}`)
    await user.click(page.getByRole('link', { name: 'Merge' }))
    await user.click(page.getByRole('combobox', { name: /Search for/ }))
    await user.type('zaal eén')
    await user.click(page.getByRole('option', { name: /^Zaal Eén/ }))
    await page.getByText('No other record refers to the merged record').waitFor()
    await user.click(page.getByRole('button', { name: 'Merge', exact: true }))
    await page.getByText('Merged into').waitFor()
    assert.equal((await service.get(`/entities/${goes}`)).body.id, stays)
    await page.goto(`${stage.url}/record/${stays}`)
    await user.click(page.getByRole('link', { name: 'History' }))
    await user.click(page.getByRole('button', { name: /Undo|Separate|Unmerge/ }))
    await becomes(async () => (await service.get(`/entities/${goes}`)).body.id, goes)
    user.tookAtMost(6, 8)
  })

  it('one changes a record and goes back to an earlier version', async t => {
    const id = await create('venue', 'name', 'Zaal Terug')
    const { page, go } = await stage.visit(t)
    const user = countingUser(page)
    await go(`/record/${id}`)
    await user.click(page.getByRole('link', { name: 'Edit' }))
    await user.click(page.getByLabel('Capacity'))
    await user.type('91')
    await user.press('Control+s')
    await page.getByText('Zaal Terug was saved').waitFor()
    assert.equal(await fieldOf(id, 'capacity'), 91)
    await user.click(page.getByRole('link', { name: 'History' }))
    await user.click(page.getByRole('button', { name: 'Restore this version' }))
    await becomes(() => fieldOf(id, 'capacity'), undefined)
    user.tookAtMost(4, 3)
  })

  it('one gives a person a portrait with a text for those who cannot see it', async t => {
    const id = await create('person', 'name', 'Portret, Paula')
    const { page, go, complaints } = await stage.visit(t)
    const user = countingUser(page)
    await go(`/record/${id}`)
    await user.click(page.getByLabel('Describe the picture'))
    await user.type('Paula at her desk')
    await user.giveFile(page.locator('.drop-place input[type=file]'), {
      name: 'paula.png',
      mimeType: 'image/png',
      buffer: aPng(400, 400)
    })
    const portrait = page.locator('.record-head').getByRole('img', { name: 'Paula at her desk' })
    await portrait.waitFor()
    user.tookAtMost(2, 17)
    assert.deepEqual(await accessibilityFaults(page), [])
    // Small pictures are sent, not the originals.
    const asked: string[] = []
    page.on('request', request => asked.push(request.url()))
    await page.goto(`${stage.url}/find?q=paula`)
    await page.locator('.entry img').waitFor()
    assert.ok(asked.some(url => url.includes('/thumbnail?width=160')))
    assert.ok(!asked.some(url => url.includes('/content')))
    assert.deepEqual(complaints, [])
  })

  it('one reads roles and languages in one’s own language', async t => {
    const { page, go } = await stage.visit(t, { language: 'nl' })
    await go('/record/PR-HAMLET')
    await page.locator('.role', { hasText: 'toneelschrijver' }).waitFor()
    await page.locator('.facts').getByText('Nederlands', { exact: true }).first().waitFor()
    assert.equal(await page.getByText('/icons/nl.svg').count(), 0)
  })
})
