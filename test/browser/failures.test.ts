import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import type { Page } from 'playwright-core'

import { problemKinds } from '../../src/http/reply/errors.ts'
import { problemsEn } from '../../web/src/i18n/problems-en.ts'
import { problemsFr } from '../../web/src/i18n/problems-fr.ts'
import { problemsNl } from '../../web/src/i18n/problems-nl.ts'
import { openStage, settled } from './stage.ts'

/* The page when the service fails or refuses, and the way back for the user. */

const stage = await openStage({ after })
const { service } = stage

const busy = {
  status: 503,
  contentType: 'application/problem+json',
  body: JSON.stringify({
    type: '/problems/unavailable',
    title: 'Unavailable',
    status: 503,
    code: 'unavailable',
    detail: 'Others asked before, and no turn came within 2000 ms'
  })
}
/** Answers all filters with 503. */
const failFilters = (page: Page) => page.route('**/entities/filter**', route => route.fulfill(busy))

describe('problems', () => {
  it('have a sentence for every code of the service, in each language', () => {
    const codes = Object.keys(problemKinds).toSorted()
    for (const sentences of [problemsEn, problemsNl, problemsFr])
      assert.deepEqual(Object.keys(sentences).toSorted(), codes)
  })
})

describe('parts that fail', { skip: stage.skip }, () => {
  for (const [path, sections] of [
    ['/', ['Readiness', 'In the catalogue']],
    ['/record/PERS-SHAKESPEARE', ['People']],
    ['/record/PRD-HAMLET', ['Performances']]
  ] as const)
    it(`are named on ${path}, with the reason and a way to try again`, async t => {
      const { page, go } = await stage.visit(t)
      t.after(() => page.close())
      await failFilters(page)
      const target = path === '/record/PRD-HAMLET' ? `/record/${await aProduction()}` : path
      await page.goto(stage.url + target)
      const notes = page.getByRole('alert').filter({ hasText: 'could not be loaded.' })
      await notes.first().waitFor()
      if (path !== '/record/PERS-SHAKESPEARE')
        for (const section of sections) await notes.filter({ hasText: section }).first().waitFor()
      await notes.first().getByText('The service is busy or starting. Try again in a moment.').waitFor()
      assert.equal(await page.getByText('no turn came').count(), 0)

      await page.unrouteAll()
      for (let left = await notes.count(); left > 0; left = await notes.count()) {
        await notes.first().getByRole('button', { name: 'Try again' }).click()
        await settled(page)
      }
      await go(target)
      assert.equal(await notes.count(), 0)
    })

  it('are tried again by themselves when the service says when', async t => {
    const { page } = await stage.visit(t)
    t.after(() => page.close())
    let refused = 0
    await page.route('**/entities/filter**', route => {
      if (refused >= 3) return route.continue()
      refused++
      return route.fulfill({ ...busy, headers: { 'retry-after': '1' } })
    })
    await page.goto(`${stage.url}/find?q=hamlet`)
    await page.locator('.result').first().or(page.locator('.results li').first()).waitFor()
    assert.equal(refused, 3)
    assert.equal(await page.getByRole('alert').count(), 0)
  })
})

/** A production of the sample. */
const aProduction = async () =>
  ((await service.filter([{ type: 'type', value: 'production' }], '?limit=1')).body as { results: { id: string }[] })
    .results[0]?.id ?? ''

describe('the way back', { skip: stage.skip }, () => {
  const aPerson = async (name: string) =>
    (await service.create({ type: 'person', metadata: [{ key: 'name', value: name }] })).id

  it('leads from the address of a deleted record to the record', async t => {
    const id = await aPerson('Deleted, Dora')
    await service.call('DELETE', `/entities/${id}`)
    const { page } = await stage.visit(t)
    await page.goto(`${stage.url}/record/${id}`)
    await page.getByRole('heading', { name: 'This record was deleted' }).waitFor()
    await page.getByRole('link', { name: 'History' }).waitFor()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('heading', { level: 1, name: 'Deleted, Dora' }).waitFor()
    assert.equal((await service.get(`/entities/${id}`)).status, 200)
  })

  it('leads from the history of a record to the records before a merge', async t => {
    const [survivor, victim] = [await aPerson('Stays, Sam'), await aPerson('Goes, Gus')]
    await service.post(`/entities/${survivor}/merge`, { victim_id: victim })
    assert.equal((await service.get(`/entities/${victim}`)).body.id, survivor)
    const { page, go } = await stage.visit(t)
    await go(`/record/${survivor}/history`)
    await page.getByText(`${victim} was merged into this record.`).waitFor()
    await page.getByRole('button', { name: 'Undo merge' }).click()
    await page.getByText('Undone').waitFor()
    assert.equal((await service.get(`/entities/${victim}`)).body.id, victim)
    await settled(page)
    assert.equal(await page.getByRole('button', { name: 'Undo merge' }).count(), 0)
  })

  it('shows the warnings of the service about what was saved', async t => {
    const { page, go } = await stage.visit(t)
    await go('/record/M-REINEKE1999/edit')
    await page.getByRole('textbox', { name: 'ISBN' }).first().fill('12345')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText(/Saved, with a warning: .*ISBN/).waitFor()
  })

  for (const [language, save, value, said] of [
    [
      'nl',
      'Bewaren',
      '23456',
      'Aanvaard, met een opmerking: ISBN: “23456” lijkt niet juist; het is bewaard zoals getypt'
    ],
    ['fr', 'Enregistrer', '54321', 'Accepté, avec une remarque: ISBN : « 54321 » semble inexact']
  ] as const)
    it(`shows the warnings of the service in the language of the page: ${language}`, async t => {
      const { page, go } = await stage.visit(t, { language })
      await go('/record/M-REINEKE1999/edit')
      await page.getByRole('textbox', { name: 'ISBN' }).first().fill(value)
      await page.getByRole('button', { name: save, exact: true }).click()
      await page.getByText(said).waitFor()
    })
})
