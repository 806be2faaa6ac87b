import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { openStage } from './stage.ts'

const stage = await openStage({ after })

describe('reading', { skip: stage.skip }, () => {
  it('shows a work with its expressions and their editions, each level further in', async t => {
    const { page, go, complaints } = await stage.visit(t)
    await go('/record/W-HAMLET')
    const tree = (await stage.service.get('/entities/W-HAMLET/tree?limit=1000')).body
    await page.getByRole('heading', { level: 1, name: 'Hamlet' }).waitFor()
    await page.locator('.level-manifestation').first().waitFor()

    for (const [level, count] of [
      ['work', 1],
      ['expression', tree.expressions.length],
      ['manifestation', tree.count]
    ] as const)
      assert.equal(await page.locator(`.level-${level}`).count(), count, level)
    const left = async (level: string) => (await page.locator(`.level-${level}`).first().boundingBox())?.x ?? 0
    assert.ok((await left('work')) < (await left('expression')))
    assert.ok((await left('expression')) < (await left('manifestation')))
    await page.getByText(`5 expressions · ${tree.count} editions`).waitFor()
    assert.deepEqual(complaints, [])
  })

  it('shows a manifestation with its expression and its work, every relation a way to go on', async t => {
    const { page, go } = await stage.visit(t)
    await go('/record/M-REINEKE1999')
    await page.getByText('90-9758-078-1').first().waitFor()
    for (const label of ['Manifestation', 'Expression', 'Work'])
      await page
        .locator('.rung')
        .filter({ has: page.getByText(label, { exact: true }) })
        .first()
        .waitFor()
    await page.locator('.rung.level-work').getByRole('link', { name: 'Goethe, Johann Wolfgang von' }).click()
    await page.getByRole('heading', { level: 1, name: 'Goethe, Johann Wolfgang von' }).waitFor()
  })

  it('shows a person with their works and what is played of them', async t => {
    const { page, go } = await stage.visit(t)
    await go('/record/PERS-SHAKESPEARE')
    const count = (
      await stage.service.filter([
        { type: 'type', value: 'work' },
        { type: 'selection', key: 'relations.refAuthors.key', value: ['PERS-SHAKESPEARE'], match_exact: true }
      ])
    ).body.count
    await page.getByRole('heading', { name: `Works ${count}` }).waitFor()
    await page
      .getByRole('list', { name: 'Works' })
      .getByRole('link', { name: /^Macbeth/ })
      .click()
    await page.getByRole('heading', { level: 1, name: 'Macbeth' }).waitFor()
  })

  it('shows a classification as a hierarchy that opens where one is', async t => {
    const { page, go } = await stage.visit(t)
    await go('/record/ZIZO-TONEELTEKST')
    const hierarchy = page.locator('.hierarchy')
    for (const name of ['Kunst en cultuur', 'Podiumkunsten', 'Theater', 'Toneelteksten'])
      await hierarchy.getByRole('link', { name, exact: true }).waitFor()
    assert.equal(
      await hierarchy.getByRole('link', { name: 'Toneelteksten', exact: true }).getAttribute('aria-current'),
      'page'
    )
    await hierarchy.getByRole('button', { name: 'Narrower: Kunst en cultuur' }).click()
    await hierarchy.getByRole('link', { name: 'Theater', exact: true }).waitFor({ state: 'detached' })
  })

  it('shows a production with its readiness, its texts and when it is played', async t => {
    const { page, go } = await stage.visit(t)
    await go('/record/PR-HAMLET')
    const { categories } = (await stage.service.get('/entities/PR-HAMLET/readiness')).body as {
      categories: { declared: string; done: boolean; agrees: boolean }[]
    }
    const wanted = categories.filter(({ declared }) => declared !== 'not_applicable')
    const ready = wanted.filter(({ done, agrees }) => done && agrees)
    await page.getByText(`${ready.length} of ${wanted.length} ready`).first().waitFor()
    assert.equal(await page.locator('.stage').count(), categories.length)
    assert.match(await page.locator('.stage').filter({ hasText: 'Reviews' }).innerText(), /Partly/)
    assert.equal(await page.locator('.prose strong').first().innerText(), 'Halflicht')
    const { count } = (
      await stage.service.filter([
        { type: 'selection', key: 'relations.refProduction.key', value: ['PR-HAMLET'], match_exact: true }
      ])
    ).body
    await page.locator('.performance').first().waitFor()
    assert.equal(await page.locator('.performance').count(), count)
  })

  it('shows a venue with what plays there', async t => {
    const { page, go } = await stage.visit(t)
    await go('/record/VE-GRAANSILO')
    await page.getByRole('heading', { name: /^Productions \d+/ }).waitFor()
    await page.getByRole('heading', { name: /^Performances \d+/ }).waitFor()
  })

  it('shows the history with what each version changed, and restores an older one', async t => {
    const { page, go } = await stage.visit(t)
    await stage.service.patch('/entities/VE-KADE', { metadata: [{ key: 'capacity', value: 4321 }] })
    await go('/record/VE-KADE')
    await page.getByRole('link', { name: 'History' }).click()
    const row = page.getByRole('row', { name: /Capacity/ }).first()
    assert.match(await row.innerText(), /4,321/)
    await page.getByRole('button', { name: 'Restore this version' }).last().click()
    await page.getByText('Version 1 was restored').waitFor()
    const kade = (await stage.service.get('/entities/VE-KADE')).body
    assert.equal(kade.version, 3)
    assert.notEqual(kade.metadata.find((each: { key: string }) => each.key === 'capacity')?.value, 4321)
  })

  it('speaks Dutch to who speaks Dutch, and remembers another choice', async t => {
    const { page, go } = await stage.visit(t, { language: 'nl' })
    await go('/record/PR-HAMLET')
    await page.getByRole('heading', { name: /Stand van het materiaal/ }).waitFor()
    assert.equal(await page.evaluate(() => document.documentElement.lang), 'nl')
    await page.getByRole('button', { name: 'Aangemeld als' }).click()
    await page.getByLabel('Taal').selectOption('English')
    await page.getByRole('heading', { name: /Readiness/ }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: /Readiness/ }).waitFor()
  })

  it('says what is not there', async t => {
    const { page, go } = await stage.visit(t)
    await go('/record/W-NOWHERE')
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor()
  })
})
