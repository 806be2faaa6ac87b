import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import type { Page } from 'playwright-core'

import { accessibilityFaults, becomes, isFocused, keepBack, openStage, settled, type Visit } from './stage.ts'

// Visitors may read here, and people who are signed in see the same pages.
const stage = await openStage({ after }, { ANONYMOUS_ACCESS: 'read' })

/**
 * One tab for those who only look: nothing here changes a record, so what was asked once still
 * holds.
 */
const shared = stage.skip === false ? await stage.visit({ after }) : undefined
if (shared) await shared.go('/find')
const looking = (): Visit => shared ?? assert.fail('there is no browser')

const boxOf = (page: Page) => page.getByRole('combobox', { name: 'Search the catalogue' })
const countShown = (page: Page, count: number, what = 'record') =>
  page.getByRole('heading', { name: count === 1 ? `1 ${what}` : `${count} ${what}s`, exact: true }).waitFor()
/** Waits for the number of works, productions and other records that are shown. */
const entriesShown = (page: Page, count: number) => countShown(page, count, 'result')
/** Waits until the address of the page ends so. */
const addressIs = (page: Page, wanted: string) =>
  page.waitForURL(({ pathname, search }) => pathname + search === wanted)

describe('finding', { skip: stage.skip }, () => {
  const countOf = async (filters: unknown[], query = '') =>
    (await stage.service.filter(filters, `?limit=0${query}`)).body.count as number
  const worksOf = (filters: unknown[]) => countOf(filters, '&group_by=work')

  it('shows results as one types, with the exact count, and the box keeps what is typed', async () => {
    const { page, walk, complaints } = looking()
    await walk('/find')
    await entriesShown(page, await worksOf([]))
    const box = boxOf(page)
    await box.pressSequentially('reinek', { delay: 30 })

    await page.getByRole('link', { name: 'Reineke Fuchs' }).first().waitFor()
    await addressIs(page, '/find?q=reinek')
    await settled(page)
    assert.equal(await box.inputValue(), 'reinek')
    await isFocused(box)
    assert.deepEqual(complaints, [])
  })

  it('never shows an empty list between two answers', async t => {
    const { page, go } = await stage.visit(t)
    await go('/find?q=ham')
    await page.locator('.results .result').first().waitFor()
    const emptied = await page.evaluateHandle(() => {
      const seen = { times: 0 }
      new MutationObserver(() => {
        if (document.querySelectorAll('.results .result').length === 0) seen.times++
      }).observe(document.body, { childList: true, subtree: true })
      return seen
    })
    await boxOf(page).press('End')
    await boxOf(page).pressSequentially('let', { delay: 40 })
    await page.locator('.found[data-of="/find?q=hamlet"]').waitFor()
    await settled(page)
    assert.equal(await emptied.evaluate(seen => seen.times), 0)
  })

  it('works by the keyboard alone: from the page to the box, the results, a record, and back', async () => {
    const { page, walk } = looking()
    await walk('/find')
    await page.keyboard.press('/')
    await isFocused(boxOf(page))
    await page.keyboard.type('max havelaar')
    // The results belong to the whole text, not to a part of it.
    const found = page.locator('.found[data-of="/find?q=max+havelaar"]')
    await found.waitFor()
    await settled(page)
    await page.keyboard.press('ArrowDown')
    // The address waits for a pause in the typing, but not when somebody turns to something else.
    await addressIs(page, '/find?q=max+havelaar')
    const results = found.locator('.result a')
    await isFocused(results.nth(0))
    await page.keyboard.press('ArrowDown')
    await isFocused(results.nth(1))
    await page.keyboard.press('ArrowUp')
    await isFocused(results.nth(0))
    const name = await results.nth(0).locator('.result-name').innerText()
    assert.match(name, /^Max Havelaar/)
    await page.keyboard.press('Enter')

    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    await page.goBack()
    await addressIs(page, '/find?q=max+havelaar')
    await found.waitFor()
    await settled(page)
    assert.equal(await boxOf(page).inputValue(), 'max havelaar')
  })

  it('suggests records while one is elsewhere, and opens the one that is chosen by the arrow keys', async () => {
    const { page, walk } = looking()
    await walk('/')
    await boxOf(page).fill('graansilo')
    const option = page.locator('.suggestions[data-of="graansilo"]').getByRole('option', { name: /De Graansilo/ })
    await option.waitFor()
    while ((await option.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown')
    assert.equal(await boxOf(page).getAttribute('aria-activedescendant'), await option.getAttribute('id'))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'De Graansilo' }).waitFor()
  })

  it('opens no other record than the one that was chosen, when other suggestions take their place', async () => {
    const { page, walk } = looking()
    await walk('/')
    await boxOf(page).fill('hamlet')
    await page.locator('.suggestions[data-of="hamlet"]').getByRole('option').nth(1).waitFor()
    const answer = await keepBack(page, '**/suggest?*')
    await boxOf(page).fill('duinzaal')
    await answer.isAsked()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: /^Hamlet/, selected: true }).waitFor()
    answer.letGo()
    await page.locator('.suggestions[data-of="duinzaal"]').waitFor()
    await page.keyboard.press('Enter')
    await addressIs(page, '/find?q=duinzaal')
  })

  it('narrows by kind, language and year; the address says all of it and can be shared', async () => {
    const { page, walk, another } = looking()
    await walk('/find')
    await page.getByLabel('Editions').check()
    await page.getByLabel('Dutch', { exact: true }).check()
    await page.getByLabel('From').fill('1990')
    await addressIs(page, '/find?type=manifestation&languages=LANG-NLD&from=1990')
    const expected = await countOf([
      { type: 'type', value: 'manifestation' },
      {
        type: 'together',
        key: 'edition',
        value: [
          { type: 'selection', key: 'relations.refLanguages.key', value: ['LANG-NLD'], match_exact: true },
          {
            type: 'number',
            key: ['properties.year_of_publication.value', 'properties.year.value'],
            value: { min: 1990 }
          }
        ]
      }
    ])
    assert.ok(expected > 0)
    await countShown(page, expected)

    const other = await another('/find?type=manifestation&languages=LANG-NLD&from=1990')
    await countShown(other, expected)
    await other.getByRole('checkbox', { name: 'Dutch', exact: true, checked: true }).waitFor()
    await other.getByRole('button', { name: 'Remove the filter Dutch' }).click()
    await addressIs(other, '/find?type=manifestation&from=1990')

    // Each choice was a step.
    await page.goBack()
    await addressIs(page, '/find?type=manifestation&languages=LANG-NLD')
    await page.locator('.chip').filter({ hasText: '1990' }).waitFor({ state: 'detached' })
    await settled(page)
    assert.equal(await page.getByLabel('From').inputValue(), '')
    await page.goBack()
    await addressIs(page, '/find?type=manifestation')
    await page.getByRole('checkbox', { name: 'Dutch', exact: true, checked: false }).waitFor()
  })

  it('takes steps as quickly as somebody makes them: none is lost, and none brings them back', async () => {
    const { page, walk } = looking()
    await walk('/find')
    await page.evaluate(() => {
      const choose = (name: string) => document.querySelector<HTMLElement>(`[aria-label=${name}]`)?.click()
      choose('Works')
      choose('Editions')
      document.querySelector<HTMLElement>('a.home')?.click()
    })
    await page.getByRole('heading', { name: 'What changed' }).waitFor()
    await settled(page)
    await addressIs(page, '/')
    for (const search of ['?type=work%2Cmanifestation', '?type=work', '']) {
      await page.goBack()
      await addressIs(page, `/find${search}`)
    }
  })

  it('shows beside each choice how many there are, exactly, also of those not chosen', async () => {
    const { page, walk } = looking()
    await walk('/find?q=hamlet&type=work')
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
      await shown(name)
        .locator('.count')
        .filter({ hasText: new RegExp(`^${count}$`) })
        .waitFor()
    }
  })

  it('finds what was misspelt', async () => {
    const { page, walk } = looking()
    await walk('/find?q=max%20havelar')
    await page
      .getByRole('link', { name: /^Max Havelaar/ })
      .first()
      .waitFor()
  })

  it('goes on to the end, each record once', async () => {
    const { page, walk } = looking()
    const count = await countOf([{ type: 'type', value: 'performance' }])
    const more = page.getByRole('button', { name: 'Show more' })
    const asked: string[] = []
    page.on('request', request => {
      const next = new URL(request.url()).searchParams.get('cursor')
      if (next !== null) asked.push(next)
    })
    // The next results are requested when the button comes near, and not again when it is pressed.
    const isAskedFor = page.waitForRequest(/cursor=/)
    await walk('/find?type=performance&sort=newest')
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

  it('shows each work once, with its author, languages and years, and unfolds its editions', async () => {
    const { page, walk, complaints } = looking()
    await stage.service.create({
      type: 'performance',
      metadata: [{ key: 'start', value: '2090-01-01T20:00:00Z' }],
      relations: [{ type: 'refProduction', key: 'PR-HAMLET' }]
    })
    await walk('/find?q=hamlet')
    const hamlet = page.locator('.entry').filter({ has: page.locator('a[href="/record/W-HAMLET"]') })
    await hamlet.getByText('Shakespeare, William · 1603').waitFor()
    await hamlet.getByText('Dutch, English, French · 1623–2022').waitFor()
    await becomes(
      () =>
        page
          .locator('.entry', { hasText: /^Hamlet/ })
          .getByText('Expression: text')
          .count(),
      0
    )
    const { count } = (await stage.service.get('/entities/W-HAMLET/tree')).body as { count: number }
    await hamlet
      .locator('summary')
      .filter({ hasText: `${count} editions` })
      .click()
    await becomes(() => hamlet.locator('.entry-editions li').count(), count)
    await hamlet.getByRole('link', { name: /2016 · .*Edition: computer file/ }).waitFor()
    // A production has its company and its next performance.
    const production = page.locator('.entry').filter({ has: page.locator('a[href="/record/PR-HAMLET"]') })
    await production.locator('.result-facts').getByText('Gezelschap Halflicht', { exact: true }).waitFor()
    await production.getByText(/^Next: /).waitFor()
    await page.getByText(/^from \d+ records?$/).waitFor()
    // An edition found by its ISBN is named under its work.
    await walk('/find?q=9097580781')
    await page
      .locator('.entry')
      .filter({ hasText: 'Reineke Fuchs' })
      .getByRole('link', { name: /1999.*90-9758-078-1/ })
      .waitFor()
    await page.getByLabel('Grouped by work').uncheck()
    await addressIs(page, '/find?q=9097580781&view=records')
    await page.locator('.result:not(.entry)').first().waitFor()
    assert.deepEqual(complaints, [])
  })

  it('narrows by author, publisher, venue and status, each counted when it is unfolded', async () => {
    const { page, walk } = looking()
    await walk('/find')
    for (const [legend, name, query, filter] of [
      ['People', 'Shakespeare, William', 'authors=PERS-SHAKESPEARE', ['relations.refAuthors.key', 'PERS-SHAKESPEARE']],
      [
        'Publishers',
        'Strandpale Press',
        'publishers=PUB-STRANDPALE',
        ['relations.refPublishers.key', 'PUB-STRANDPALE']
      ],
      ['Venues', 'De Graansilo', 'venues=VE-GRAANSILO', ['relations.refVenues.key', 'VE-GRAANSILO']],
      ['Status', 'Published', 'status=published', ['properties.status.value', 'published']]
    ] as const) {
      await walk('/find')
      const unfold = page.getByRole('button', { name: legend, exact: true, expanded: false })
      if (await unfold.isVisible()) await unfold.click()
      const group = page.getByRole('group', { name: legend, exact: true })
      await group.locator('.check').first().waitFor()
      const all = group.getByRole('button', { name: /^Show all/ })
      if (await all.isVisible()) await all.click()
      await group.getByRole('checkbox', { name, exact: true }).check()
      await addressIs(page, `/find?${query}`)
      const chosen = { type: 'selection', key: filter[0], value: [filter[1]], match_exact: true }
      await entriesShown(page, await worksOf([{ type: 'together', key: 'edition', value: [chosen] }]))
    }
  })

  it('says that nothing matches, and how to go on', async () => {
    const { page, walk } = looking()
    await walk('/find?q=xyzzyplugh')
    await page.getByRole('heading', { name: 'Nothing matches “xyzzyplugh”' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).last().click()
    await entriesShown(page, await worksOf([]))
  })

  it('offers other searches where nothing matches: without a word, in another spelling, without a filter', async () => {
    const { page, walk, complaints } = looking()
    await walk('/find?q=havelaar+xyzzyq')
    await page.getByRole('link', { name: 'Without “xyzzyq”' }).click()
    await addressIs(page, '/find?q=havelaar')
    await page.getByRole('link', { name: 'Max Havelaar' }).first().waitFor()

    await walk('/find?q=havelaar&type=venue')
    await page.getByRole('link', { name: 'Without the filter “Kind”' }).click()
    await addressIs(page, '/find?q=havelaar&view=records')

    await walk('/find?q=havelaar&from=1400&to=1401')
    await page.getByRole('link', { name: 'Without the filter “Year”' }).click()
    await addressIs(page, '/find?q=havelaar')
    assert.deepEqual(complaints, [])
  })

  it('says that the service does not answer, and recovers', async () => {
    const { page, walk } = looking()
    await walk('/')
    await page.route('**/entities/filter*', route => route.abort())
    await boxOf(page).fill('macbeth')
    await page.keyboard.press('Enter')
    // The lists of the start page may say the same before the search does.
    await page.locator('.found').getByText('The service does not answer').first().waitFor()
    await page.unroute('**/entities/filter*')
    await page.locator('.found').getByRole('button', { name: 'Try again' }).click()
    await page
      .getByRole('link', { name: /^Macbeth/ })
      .first()
      .waitFor()
  })

  it('saves a search, and opens, renames, shares and deletes it; the empty box offers it', async t => {
    const { page, go, walk, complaints } = await stage.visit(t)
    await go('/find?q=hamlet&type=work')
    await page.getByRole('button', { name: 'Saved searches' }).click()
    const dialog = page.getByRole('dialog', { name: 'Saved searches' })
    await dialog.getByLabel('Name').fill('Works about Hamlet')
    await dialog.getByRole('button', { name: 'Save this search' }).click()
    const saved = dialog.getByRole('link', { name: 'Works about Hamlet', exact: true })
    await saved.waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    assert.equal(
      await dialog.getByRole('link', { name: 'Feed of “Works about Hamlet”' }).getAttribute('href'),
      '/feed.atom?q=hamlet&type=work'
    )
    await dialog.getByRole('button', { name: 'Rename “Works about Hamlet”' }).click()
    const field = dialog.locator('.saved-list').getByLabel('Name')
    await isFocused(field)
    await field.fill('Hamlets')
    await field.press('Enter')
    await dialog.getByRole('checkbox', { name: 'Share “Hamlets” with colleagues' }).click()
    const colleague = await stage.service.tokenWith('read')
    const shared = () => stage.service.get('/saved_searches', { token: colleague })
    await becomes(
      async () => (await shared()).body.results.map((each: { address: string }) => each.address),
      ['/find?q=hamlet&type=work']
    )
    await page.keyboard.press('Escape')

    await walk('/')
    await boxOf(page).focus()
    await page.getByRole('option', { name: /^Hamlets/ }).click()
    await addressIs(page, '/find?q=hamlet&type=work')
    await page.getByRole('button', { name: 'Saved searches' }).click()
    await dialog.getByRole('button', { name: 'Delete “Hamlets”' }).click()
    await dialog.getByText('There are none yet.').waitFor()
    assert.equal((await shared()).body.count, 0)
    assert.deepEqual(complaints, [])
  })

  it('offers the last searches of this browser in the empty box', async t => {
    const { page, go, walk } = await stage.visit(t)
    await go('/find?q=macbeth')
    await page.waitForFunction(() => localStorage.getItem('libretto-searches')?.includes('macbeth'))
    await walk('/')
    await boxOf(page).focus()
    await page.getByRole('option', { name: /^macbeth/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await addressIs(page, '/find?q=macbeth')
  })

  it('keeps the selection while one of it is opened, and gives it an address', async t => {
    const { page, go } = await stage.visit(t)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await go('/find?q=hamlet&type=work')
    await page.getByRole('button', { name: 'Select', exact: true }).click()
    await page.locator('.result').first().getByRole('checkbox').check()
    await page.getByText('1 selected').waitFor()
    const link = page.locator('.result a').first()
    const href = await link.getAttribute('href')
    await link.click()
    await page.waitForURL(url => url.pathname === href)
    await page.goBack()
    await page.getByText('1 selected').waitFor()
    assert.equal(await page.locator('.result').first().getByRole('checkbox').isChecked(), true)
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByText('The address of the selection is copied.').waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    assert.equal(copied, `${stage.url}/find?ids=${href?.split('/').at(-1)}&view=records`)
    await page.locator('.selection-bar').getByRole('button', { name: 'Edit' }).click()
    await page.waitForURL(/\/find\/change\?ids=/)
    await page.getByRole('heading', { level: 1, name: /1 record/ }).waitFor()
    await page.goto(copied)
    await countShown(page, 1)
    // A selection that is too large for an address is not taken for all records.
    await page.goto(`${stage.url}/find/change?chosen=1`)
    await page.getByText('No records are selected').waitFor()
  })

  it('prints results without buttons, in dark ink', async t => {
    const { page, go } = await stage.visit(t)
    await go('/find?q=hamlet')
    await page.locator('.result').first().waitFor()
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    for (const gone of ['.shell', '.filters', '.found-head button', '.found-head select'])
      assert.equal(await page.locator(gone).first().isVisible(), false, gone)
    assert.equal(await page.locator('.result').first().isVisible(), true)
    const ink = await page
      .locator('.result-name')
      .first()
      .evaluate(each => getComputedStyle(each).color)
    assert.match(ink, /^rgb\((?:\d|[1-5]\d), /)
  })

  it('reads what was typed as text: stars and quotes do no harm', async () => {
    const { page, walk, complaints } = looking()
    for (const text of ['*', '"', '%', '<b>x', "' OR 1=1 --", '*ham*let*']) {
      const address = `/find?${new URLSearchParams({ q: text })}`
      await walk(address)
      const found = page.locator(`.found[data-of=${JSON.stringify(address)}]`)
      await found
        .locator('.found-count')
        .filter({ hasText: /record|result/ })
        .waitFor()
    }
    assert.deepEqual(complaints, [])
  })
})
