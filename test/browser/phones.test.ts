import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { accessibilityFaults, openStage, settled } from './stage.ts'

/* The page on phones, and at 400 % zoom: 320 by 256 px. */

const stage = await openStage({ after })
const { service } = stage

const paths = [
  '/',
  '/find?q=hamlet',
  '/browse',
  '/record/W-HAMLET',
  '/record/M-REINEKE1999',
  '/record/PERS-SHAKESPEARE',
  '/record/W-HAMLET/edit',
  '/record/W-HAMLET/history',
  '/new',
  '/new/publication',
  '/manage/tokens',
  '/manage/webhooks',
  '/manage/site',
  '/manage/imports'
]

describe('narrow windows', { skip: stage.skip }, () => {
  for (const width of [390, 320])
    it(`have no sideways scrolling at ${width} px, also with long words`, async t => {
      const { page, go, walk } = await stage.visit(t)
      t.after(() => page.close())
      await page.setViewportSize({ width, height: 700 })
      const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(3)
      const { id } = await service.create({ type: 'work_word', metadata: [{ key: 'title', value: long }] })
      await go('/')
      const wide: string[] = []
      for (const path of [...paths, `/record/${id}`]) {
        await walk(path)
        const scrolls = await page.evaluate(() => document.documentElement.scrollWidth)
        if (scrolls > width) wide.push(`${path}: ${scrolls} px`)
      }
      assert.deepEqual(wide, [])
      assert.deepEqual(await accessibilityFaults(page), [])
    })

  it('show the filters above the results', async t => {
    const { page, go } = await stage.visit(t)
    t.after(() => page.close())
    await page.setViewportSize({ width: 390, height: 844 })
    await go('/find?q=hamlet')
    await page.getByRole('button', { name: 'Filters' }).click()
    const panel = await page.getByRole('complementary', { name: 'Filters' }).boundingBox()
    assert.ok(panel && panel.y < 844, `the filters begin at ${panel?.y} px`)
  })

  it('say which record stays in a merge', async t => {
    const { page, go } = await stage.visit(t)
    t.after(() => page.close())
    await page.setViewportSize({ width: 390, height: 844 })
    const make = async (name: string) =>
      (await service.create({ type: 'venue', metadata: [{ key: 'name', value: name }] })).id
    const [stays, goes] = [await make('Hall one'), await make('Hall two')]
    await go(`/record/${stays}/merge?with=${goes}`)
    await page.locator('thead').getByText('Stays').waitFor()
    await page.locator('thead').getByText('Is merged away').waitFor()
    await page.locator('tbody .merge-side').getByText('Is merged away').first().waitFor()
  })

  it('leave at least half of a window of 256 px to the form', async t => {
    const { page, go } = await stage.visit(t)
    t.after(() => page.close())
    await page.setViewportSize({ width: 320, height: 256 })
    await go('/record/W-HAMLET/edit')
    await page
      .getByRole('textbox', { name: /^Title/ })
      .first()
      .scrollIntoViewIfNeeded()
    await page.evaluate(() => scrollTo(0, 600))
    await settled(page)
    const covered = await page.evaluate(() => {
      const points = Array.from({ length: 64 }, (_, index) => index * 4 + 2)
      return points.filter(y => document.elementFromPoint(160, y)?.closest('.shell, .form-foot, .toasts')).length / 64
    })
    assert.ok(covered <= 0.5, `${Math.round(covered * 100)} % is covered`)
  })

  it('have touch targets of at least 24 px among the facts of a record', async t => {
    const { page, go } = await stage.visit(t)
    t.after(() => page.close())
    await page.setViewportSize({ width: 390, height: 844 })
    await go('/record/M-REINEKE1999')
    const heights = await page
      .locator('.facts a')
      .evaluateAll(links => links.map(link => link.getBoundingClientRect().height))
    assert.ok(heights.length > 0)
    assert.deepEqual(
      heights.filter(height => height < 24),
      []
    )
  })
})
