import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { adminToken } from '../support/services/start.ts'
import { accessibilityFaults, openStage, scriptBytes } from './stage.ts'

/* The reference of the interface, in a browser: search, examples, trying out. */

const stage = await openStage({ after })

/** Maximum size of the scripts of the page, as sent, in bytes; ready-made viewers have 218,000. */
const maxScriptBytes = 10_000

describe('the reference of the interface', { skip: stage.skip }, () => {
  it('is searched, shows an example of each operation, and tries operations out', async t => {
    const { page, complaints } = await stage.visit(t, { token: undefined })
    t.after(() => page.close())
    const elsewhere: string[] = []
    page.on('request', request => {
      if (!request.url().startsWith(stage.url)) elsewhere.push(request.url())
    })
    await page.goto(`${stage.url}/docs`, { waitUntil: 'networkidle' })
    const bytes = await scriptBytes(page)
    assert.ok(bytes > 0 && bytes <= maxScriptBytes, `${bytes} bytes of script`)

    // Search, from the keyboard: only what has all the words is left.
    await page.getByRole('searchbox').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('ready process')
    await page.getByText(/^\d+ found$/).waitFor()
    for (const text of await page.locator('article:visible').allTextContents())
      assert.match(text, /ready[\s\S]*process|process[\s\S]*ready/i)
    await page.getByRole('searchbox').fill('/entities/filter')
    const filter = page.locator('article[data-method="POST"][data-path="/entities/filter"]')
    await filter.waitFor()
    assert.equal(await page.locator('article[data-path="/health/ready"]').isVisible(), false)

    // The navigation shows the same, and leads to it.
    const links = page.getByRole('navigation', { name: 'Operations' }).getByRole('link')
    assert.equal(await links.filter({ hasText: 'Check that the process runs' }).count(), 0)
    await links.filter({ hasText: 'Search entities' }).first().click()
    assert.match(page.url(), /#postEntitiesFilter$/)

    // The example in each language, and the same request tried out.
    await filter.getByText('Example', { exact: true }).click()
    for (const [language, expected] of [
      ['Shell', /^curl -X POST "\$BASE\/entities\/filter\?limit=1[\s\S]*"value":"production"/],
      ['TypeScript', /libretto\.send\('POST \/entities\/filter', \{\n {2}query: /],
      ['Python', /session\.post\(\n {4}f"\{base\}\/entities\/filter"/]
    ] as const) {
      await page.getByLabel('Code').selectOption(language)
      assert.match((await filter.locator('pre.code:visible').textContent()) ?? '', expected)
    }
    assert.match((await filter.locator('pre:visible').last().textContent()) ?? '', /"count": 2,/)

    // The body as a tree: a branch that refers to a schema opens, from the keyboard too.
    await filter.getByText('Body', { exact: true }).click()
    const branch = filter.locator('details[data-of="Filter"] > summary').first()
    await branch.focus()
    await page.keyboard.press('Enter')
    await filter.locator('.tree .tree').getByText('match_exact', { exact: true }).first().waitFor()
    await page.getByLabel(/^Token/).fill(adminToken)
    await filter.getByRole('button', { name: 'Try it' }).click()
    await filter.getByRole('textbox', { name: 'limit', exact: true }).fill('2')
    await filter.getByRole('button', { name: 'Send' }).click()
    await filter.locator('.try output').filter({ hasText: /^200/ }).waitFor()
    const answer = JSON.parse((await filter.locator('.try pre').textContent()) ?? '')
    assert.ok(answer.count > 0 && answer.results[0].type === 'production', JSON.stringify(answer))

    // The operations that were found have parts of every kind; all 140 would take minutes.
    assert.deepEqual(await accessibilityFaults(page), [])

    // A path with a parameter, and a problem.
    await page.getByRole('searchbox').fill('')
    const one = page.locator('article[data-method="GET"][data-path="/entities/{id}"]')
    await one.getByRole('button', { name: 'Try it' }).click()
    await one.getByLabel('id (required)').fill('NO-SUCH')
    await one.getByRole('button', { name: 'Send' }).click()
    await one.locator('.try output').filter({ hasText: /^404/ }).waitFor()
    assert.match((await one.locator('.try pre').textContent()) ?? '', /"code": "not_found"/)

    assert.deepEqual(elsewhere, [])
    assert.deepEqual(
      complaints.filter(each => !each.includes('404')),
      []
    )
  })

  it('fits a phone', async t => {
    const { page } = await stage.visit(t, { token: undefined })
    t.after(() => page.close())
    await page.setViewportSize({ width: 360, height: 700 })
    await page.goto(`${stage.url}/docs`)
    await page.getByRole('searchbox').waitFor()
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360)
  })
})
