import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { becomes, openStage, settled } from './stage.ts'

/*
 * Lists that are longer than one page of the service: each says how many there are, shows more when
 * asked, and where that helps can be filtered.
 */

// Visitors may read here, and people who are signed in see the same pages.
const stage = await openStage({ after }, { ANONYMOUS_ACCESS: 'read' })
const { service } = stage

const expressionCount = 40
const editionsOfEach = 62
const performanceCount = 450

/** Writes entities as one batch, all of them or none. */
async function write(entities: readonly object[]) {
  const lines = entities.map(entity => ({ op: 'create', ...entity }))
  const { status, text } = await service.post('/entities/batch?atomic=1', lines)
  assert.equal(status, 200, text.slice(0, 500))
  const failed = (JSON.parse(text) as { status: number }[]).find(each => each.status >= 300)
  assert.equal(failed, undefined, JSON.stringify(failed))
}
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)
const meta = (values: Readonly<Record<string, unknown>>) =>
  Object.entries(values).map(([key, value]) => ({ key, value }))

before(async () => {
  await write([
    { id: 'W-LONG', type: 'work_word', metadata: meta({ title: 'The long work' }) },
    ...numbers(expressionCount).map(each => ({
      id: `E-LONG${each}`,
      type: 'expression_word',
      metadata: meta({ title: `Expression ${each}` }),
      relations: [{ type: 'refWork', key: 'W-LONG' }]
    })),
    ...numbers(expressionCount * editionsOfEach).map(each => ({
      id: `M-LONG${each}`,
      type: 'manifestation_word',
      metadata: meta({ title: `Edition ${each}`, year_of_publication: String(1500 + (each % 500)) }),
      relations: [{ type: 'refExpressions', key: `E-LONG${Math.floor(each / editionsOfEach)}` }]
    })),
    { id: 'PRD-LONG', type: 'production', metadata: meta({ title: 'The long run' }) },
    ...numbers(performanceCount).map(each => ({
      id: `PERF-LONG${each}`,
      type: 'performance',
      metadata: meta({ start: new Date(Date.UTC(2090, 0, 1, 19) + each * 86_400_000).toISOString() }),
      relations: [{ type: 'refProduction', key: 'PRD-LONG' }]
    }))
  ])
  await service.create({ id: 'PERS-LONG', type: 'person', metadata: meta({ name: 'Version 0' }) })
  for (const each of numbers(70))
    await service.patch('/entities/PERS-LONG', { metadata: meta({ name: `Version ${each + 1}` }) })
})

describe('long lists', { skip: stage.skip }, () => {
  it('tell of each expression of a work with 2,480 editions how many it has', async t => {
    const { page, go, complaints } = await stage.visit(t)
    await go('/record/W-LONG')
    await page.getByText('40 expressions · 2,480 editions').waitFor()
    await becomes(() => page.getByText(`${editionsOfEach} editions`, { exact: true }).count(), expressionCount)
    assert.equal(await page.getByText('No edition yet').count(), 0)

    const last = page.locator('.levels-tree > ul > li').last()
    await last.locator('summary').click()
    await last.getByText(`25 of ${editionsOfEach}`).waitFor()
    for (const shown of [50, editionsOfEach]) {
      await last.getByRole('button', { name: /Show more/ }).click()
      await becomes(() => last.locator('.level-manifestation').count(), shown)
    }
    assert.equal(await last.getByRole('button', { name: /Show more/ }).count(), 0)
    assert.deepEqual(complaints, [])
  })

  it('filter the editions of a work', async t => {
    const { page, go } = await stage.visit(t)
    await go('/record/W-LONG')
    await page.getByRole('searchbox', { name: /Filter editions/ }).fill('Edition 2345')
    await becomes(() => page.locator('.level-manifestation').count(), 1)
    await page.locator('.level-manifestation').getByRole('link', { name: 'Edition 2345', exact: true }).waitFor()
    await becomes(() => page.locator('.level-expression').count(), 1)
    await page.getByRole('searchbox', { name: /Filter editions/ }).fill('Edition 99999')
    await page.getByText('Nothing matches “Edition 99999”').waitFor()
  })

  it('show the edition of the page in the tree of its work', async t => {
    const { page, go } = await stage.visit(t)
    await go('/record/M-LONG2000')
    // Its title is the heading; in the tree it is told from others by its year.
    await page.locator('.levels-tree [aria-current=page][href$="/M-LONG2000"]').getByText('1500').waitFor()
  })

  it('show all performances of a production, page by page', async t => {
    const { page, go } = await stage.visit(t)
    await go('/record/PRD-LONG')
    await page.getByRole('heading', { name: `Performances ${performanceCount}` }).waitFor()
    await page.getByText(`100 of ${performanceCount}`).waitFor()
    for (const shown of [200, 300, 400, performanceCount]) {
      await page.getByRole('button', { name: 'Show more: Performances' }).click()
      await becomes(() => page.locator('.performance').count(), shown)
    }
    assert.equal(await page.getByRole('button', { name: 'Show more: Performances' }).count(), 0)
  })

  it('show every version of a record', async t => {
    const { page, go } = await stage.visit(t)
    await go('/record/PERS-LONG/history')
    await page.getByText('50 of 71').waitFor()
    await page.getByRole('button', { name: 'Show more' }).click()
    await becomes(() => page.locator('.history > ol > li').count(), 71)
  })

  it('show more choices in a picker, and say how many there are', async t => {
    const { page, go } = await stage.visit(t)
    await go('/new/performance')
    const picker = page.getByRole('combobox', { name: /production/i })
    await picker.focus()
    const list = page.getByRole('listbox', { name: /production/i })
    await list.getByRole('option').first().waitFor()
    await settled(page)
    const more = list.getByRole('option', { name: /^8 of \d+/ })
    await more.waitFor()
    assert.equal(await list.getByRole('option').count(), 9)
    await more.click()
    await becomes(async () => (await list.getByRole('option').count()) > 20, true)
  })
})
