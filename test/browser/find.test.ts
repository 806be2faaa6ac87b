import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import type { Page } from 'playwright-core'

import { openStage, settled } from './stage.ts'

const stage = await openStage({ after })

const boxOf = (page: Page) => page.getByRole('combobox', { name: 'Search the catalogue' })

describe('finding', { skip: stage.skip }, () => {
  const countOf = async (filters: unknown[]) => (await stage.service.filter(filters, '?limit=0')).body.count as number

  it('shows results as one types, with the exact count, and the box keeps what is typed', async t => {
    const { page, go, complaints } = await stage.visit(t)
    await go('/find')
    const all = await countOf([])
    await page.getByRole('heading', { name: `${all} records` }).waitFor()
    const box = boxOf(page)
    await box.pressSequentially('reinek', { delay: 30 })

    await page.getByRole('link', { name: 'Reineke Fuchs' }).first().waitFor()
    await page.waitForURL(/\?q=reinek$/)
    assert.equal(await box.inputValue(), 'reinek')
    assert.equal(await box.evaluate(element => element === document.activeElement), true)
    assert.deepEqual(complaints, [])
  })

  it('never shows an empty list between two answers', async t => {
    const { page, go } = await stage.visit(t)
    await go('/find?q=ham')
    await page.getByRole('list', { name: 'Find' }).waitFor()
    const emptied = await page.evaluateHandle(() => {
      const seen = { times: 0 }
      new MutationObserver(() => {
        if (document.querySelectorAll('.results .result').length === 0) seen.times++
      }).observe(document.body, { childList: true, subtree: true })
      return seen
    })
    await boxOf(page).press('End')
    await boxOf(page).pressSequentially('let', { delay: 40 })
    await page.waitForURL(/\?q=hamlet$/)
    await settled(page)
    assert.equal(await emptied.evaluate(seen => seen.times), 0)
  })

  it('works by the keyboard alone: from the page to the box, the results, a record, and back', async t => {
    const { page, go } = await stage.visit(t)
    await go('/find')
    await page.keyboard.press('/')
    await page.keyboard.type('max havelaar')
    await page
      .getByRole('link', { name: /^Max Havelaar/ })
      .first()
      .waitFor()
    await settled(page)
    await page.keyboard.press('ArrowDown')
    // The address waits for a pause in the typing, but not when somebody turns to something else.
    assert.match(page.url(), /max\+havelaar/)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    const name = await page.evaluate(() => document.activeElement?.querySelector('.result-name')?.textContent)
    await page.keyboard.press('Enter')

    await page.getByRole('heading', { level: 1, name: name ?? '' }).waitFor()
    await page.goBack()
    await page.waitForURL(/max\+havelaar/)
    await page
      .getByRole('link', { name: /^Max Havelaar/ })
      .first()
      .waitFor()
    await settled(page)
    assert.equal(await boxOf(page).inputValue(), 'max havelaar')
  })

  it('suggests records while one is elsewhere, and opens the one that is chosen by the arrow keys', async t => {
    const { page, go } = await stage.visit(t)
    await go('/')
    await boxOf(page).fill('graansilo')
    const option = page.getByRole('option', { name: /De Graansilo/ })
    await option.waitFor()
    while ((await option.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown')
    assert.equal(await boxOf(page).getAttribute('aria-activedescendant'), await option.getAttribute('id'))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'De Graansilo' }).waitFor()
  })

  it('narrows by kind, language and year; the address says all of it and can be shared', async t => {
    const { page, go } = await stage.visit(t)
    await go('/find')
    await page.getByLabel('Editions').check()
    await page.getByLabel('Dutch', { exact: true }).check()
    await page.getByLabel('From').fill('1990')
    await page.waitForURL(/from=1990/)
    const expected = await countOf([
      { type: 'type', value: 'manifestation' },
      { type: 'selection', key: 'relations.refLanguages.key', value: ['LANG-NLD'], match_exact: true },
      { type: 'number', key: 'properties.year_of_publication.value', value: { min: 1990 } }
    ])
    assert.ok(expected > 0)
    await page.getByRole('heading', { name: `${expected} records` }).waitFor()

    const shared = await stage.visit(t)
    await shared.page.goto(page.url())
    await shared.page.getByRole('heading', { name: `${expected} records` }).waitFor()
    assert.ok(await shared.page.getByLabel('Dutch', { exact: true }).isChecked())
    await shared.page.getByRole('button', { name: 'Take away the filter Dutch' }).click()
    await shared.page.waitForURL(address => !address.search.includes('language'))

    // Each choice was a step.
    await page.goBack()
    await page.locator('.chip').filter({ hasText: '1990' }).waitFor({ state: 'detached' })
    await settled(page)
    assert.equal(await page.getByLabel('From').inputValue(), '')
    assert.equal(new URL(page.url()).search, '?type=manifestation&languages=LANG-NLD')
    await page.goBack()
    assert.equal(new URL(page.url()).search, '?type=manifestation')
    await page.getByRole('checkbox', { name: 'Dutch', exact: true, checked: false }).waitFor()
  })

  it('takes steps as quickly as somebody makes them: none is lost, and none brings them back', async t => {
    const { page, go } = await stage.visit(t)
    await go('/find')
    await page.evaluate(() => {
      const choose = (name: string) => document.querySelector<HTMLElement>(`[aria-label=${name}]`)?.click()
      choose('Works')
      choose('Editions')
      document.querySelector<HTMLElement>('a.home')?.click()
    })
    await page.getByRole('heading', { name: 'What changed' }).waitFor()
    await settled(page)
    assert.equal(new URL(page.url()).pathname, '/')
    for (const search of ['?type=work%2Cmanifestation', '?type=work', '']) {
      await page.goBack()
      assert.equal(new URL(page.url()).search, search)
    }
  })

  it('shows beside each choice how many there are, exactly, also of those not chosen', async t => {
    const { page, go } = await stage.visit(t)
    await go('/find?q=hamlet&type=work')
    const shown = (name: string) => page.locator('.check').filter({ has: page.getByLabel(name, { exact: true }) })
    for (const [name, type] of [
      ['Works', 'work'],
      ['Editions', 'manifestation'],
      ['Productions', 'production']
    ] as const) {
      const count = await countOf([
        { type: 'search', value: 'hamlet' },
        { type: 'type', value: type }
      ])
      assert.equal(await shown(name).locator('.count').innerText(), String(count), name)
    }
  })

  it('finds what was misspelt', async t => {
    const { page, go } = await stage.visit(t)
    await go('/find?q=max%20havelar')
    await page
      .getByRole('link', { name: /^Max Havelaar/ })
      .first()
      .waitFor()
  })

  it('goes on to the end, each record once', async t => {
    const { page, go } = await stage.visit(t)
    await go('/find?type=performance&sort=newest')
    const count = await countOf([{ type: 'type', value: 'performance' }])
    const more = page.getByRole('button', { name: 'Show more' })
    const asked: string[] = []
    page.on('request', request => {
      const next = new URL(request.url()).searchParams.get('cursor')
      if (next !== null) asked.push(next)
    })
    // What comes next is asked for when its button comes into sight, and not again when it is pressed.
    const isAskedFor = page.waitForRequest(/cursor=/)
    await more.scrollIntoViewIfNeeded()
    await isAskedFor
    await settled(page)
    for (let shown = 30; shown < count; shown += 30) {
      await more.click()
      await page
        .locator('.result')
        .nth(Math.min(shown + 30, count) - 1)
        .waitFor()
    }
    await more.waitFor({ state: 'detached' })
    const addresses = await page.locator('.result a').evaluateAll(links => links.map(link => link.getAttribute('href')))
    assert.equal(new Set(addresses).size, count)
    assert.equal(addresses.length, count)
    assert.equal(asked.length, Math.ceil(count / 30) - 1)
  })

  it('says that nothing matches, and how to go on', async t => {
    const { page, go } = await stage.visit(t)
    await go('/find?q=xyzzyplugh')
    await page.getByRole('heading', { name: 'Nothing matches “xyzzyplugh”' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).last().click()
    await page.getByRole('heading', { name: `${await countOf([])} records` }).waitFor()
  })

  it('says that the service does not answer, and recovers', async t => {
    const { page, go } = await stage.visit(t)
    await go('/')
    await page.route('**/entities/filter*', route => route.abort())
    await boxOf(page).fill('hamlet')
    await page.keyboard.press('Enter')
    await page.getByText('The service does not answer').waitFor()
    await page.unroute('**/entities/filter*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page
      .getByRole('link', { name: /^Hamlet/ })
      .first()
      .waitFor()
  })

  it('reads what was typed as text: stars and quotes do no harm', async t => {
    const { page, go, complaints } = await stage.visit(t)
    for (const text of ['*', '"', '%', '<b>x', "' OR 1=1 --", '*ham*let*']) {
      await go(`/find?q=${encodeURIComponent(text)}`)
      await page
        .locator('.found-count')
        .filter({ hasText: /record/ })
        .waitFor()
    }
    assert.deepEqual(complaints, [])
  })
})
