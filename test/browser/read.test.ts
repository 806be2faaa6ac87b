import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import type { Page } from 'playwright-core'

import { becomes, openStage, settled, type Visit } from './stage.ts'

// Visitors may read here, and people who are signed in see the same pages.
const stage = await openStage({ after }, { ANONYMOUS_ACCESS: 'read' })

/**
 * One tab for those who only look: what they look at stays as it is, so what was asked once still
 * holds.
 */
const shared = stage.skip === false ? await stage.visit({ after }) : undefined
if (shared) await shared.go('/new')
const looking = (): Visit => shared ?? assert.fail('there is no browser')

/**
 * Asks the service itself for the works of a class and of all classes beneath it, level by level.
 */
async function worksBeneath(id: string): Promise<readonly string[]> {
  const idsOf = async (type: string, relation: string, key: string): Promise<string[]> => {
    const filters = [
      { type: 'type', value: type },
      { type: 'selection', key: `relations.${relation}.key`, value: [key], match_exact: true }
    ]
    const { results } = (await stage.service.filter(filters, '?limit=1000')).body as { results: { id: string }[] }
    return results.map(each => each.id)
  }
  const works = new Set(await idsOf('work', 'refZizos', id))
  for (const narrower of await idsOf('zizo', 'refParentZizo', id))
    for (const work of await worksBeneath(narrower)) works.add(work)
  return [...works]
}

/** Checks that all performances to come are shown, and the past ones when they are opened. */
async function seesAllPerformances(page: Page, key: string, id: string) {
  const filters = [
    { type: 'type', value: 'performance' },
    { type: 'selection', key, value: [id], match_exact: true }
  ]
  const { count } = (await stage.service.filter(filters)).body as { count: number }
  await page.getByRole('heading', { name: `Performances ${count}`, exact: true }).waitFor()
  const past = page.locator('details.past')
  if ((await past.getAttribute('open')) === null) await past.locator('summary').click()
  await page.waitForFunction(wanted => document.querySelectorAll('.performance').length === wanted, count)
}

describe('reading', { skip: stage.skip }, () => {
  it('shows a work with its expressions and their editions, each level further in', async () => {
    const { page, walk, complaints } = looking()
    await walk('/record/W-HAMLET')
    const tree = (await stage.service.get('/entities/W-HAMLET/tree?limit=1000')).body
    await page.getByRole('heading', { level: 1, name: 'Hamlet', exact: true }).waitFor()
    await page.getByText(`5 expressions · ${tree.count} editions`).waitFor()

    for (const [level, count] of [
      ['work', 1],
      ['expression', tree.expressions.length],
      ['manifestation', tree.count]
    ] as const)
      await becomes(() => page.locator(`.level-${level}`).count(), count)
    const left = async (level: string) => (await page.locator(`.level-${level}`).first().boundingBox())?.x ?? 0
    assert.ok((await left('work')) < (await left('expression')))
    assert.ok((await left('expression')) < (await left('manifestation')))
    assert.deepEqual(complaints, [])
  })

  it('shows the copies that libraries hold of an edition, each a way to its record', async () => {
    const { create, delete: remove } = stage.service
    const library = await create({ type: 'library', metadata: [{ key: 'name', value: 'Branch West' }] })
    const item = await create({
      type: 'item',
      metadata: [{ key: 'shelf_mark', value: 'RE 1' }],
      relations: [
        { type: 'refManifestation', key: 'M-REINEKE1999' },
        { type: 'refLibrary', key: library.id }
      ]
    })
    const { page, walk } = looking()
    await walk('/record/M-REINEKE1999')
    await page.getByRole('heading', { name: 'Items 1', exact: true }).waitFor()
    const row = page.getByRole('row', { name: 'Branch West RE 1' })
    await row.getByRole('link', { name: 'Branch West' }).click()
    await page.waitForURL(`**/record/${item.id}`)
    for (const { id } of [item, library]) await remove(`/entities/${id}`)
  })

  it('lists the volumes of a series in the order of their numbers, each with its number', async () => {
    const { create, delete: remove, get } = stage.service
    const series = await create({ type: 'series', metadata: [{ key: 'name', value: 'Quay classics' }] })
    const { relations } = (await get('/entities/M-HAMLETEN1981')).body
    const texts = relations.filter(({ type }: { type: string }) => type === 'refExpressions')
    const volumes = []
    for (const number of ['10', '9', '2'])
      volumes.push(
        await create({
          type: 'manifestation_word',
          metadata: [{ key: 'title', value: `Volume ${number}` }],
          relations: [...texts, { type: 'refSeries', key: series.id, metadata: [{ key: 'number', value: number }] }]
        })
      )
    const { page, walk } = looking()
    await walk(`/record/${series.id}`)
    await page.getByRole('heading', { name: 'Volumes 3', exact: true }).waitFor()
    const rows = await page.locator('tbody tr').allInnerTexts()
    assert.deepEqual(
      rows.map(row => /^\d+\s+Volume \d+/.exec(row)?.[0].replaceAll(/\s+/g, ' ')),
      ['2 Volume 2', '9 Volume 9', '10 Volume 10']
    )
    await page.getByRole('link', { name: 'Volume 10', exact: true }).click()
    await page.getByText('Quay classics ; 10').first().waitFor()
    for (const { id } of [...volumes, series]) await remove(`/entities/${id}`)
  })

  it('shows a manifestation with its expression and its work, every relation a way to go on', async () => {
    const { page, walk } = looking()
    await walk('/record/M-REINEKE1999')
    await page.getByText('90-9758-078-1').first().waitFor()
    for (const label of ['Edition', 'Expression', 'Work'])
      await page
        .locator('.rung')
        .filter({ has: page.getByText(label, { exact: true }) })
        .first()
        .waitFor()
    // The tree calls the levels by the same names, and marks names with their language.
    await page
      .locator('.levels-tree .level-label', { hasText: /^Edition$/ })
      .first()
      .waitFor()
    assert.equal(await page.getByText('Manifestation', { exact: true }).count(), 0)
    await page.locator('.levels-tree bdi').first().waitFor()
    await page.locator('.rung.level-work').getByRole('link', { name: 'Goethe, Johann Wolfgang von' }).click()
    await page.getByRole('heading', { level: 1, name: 'Goethe, Johann Wolfgang von' }).waitFor()
  })

  it('marks names with their language and direction, and shows no codes of roles and languages', async () => {
    const { page, walk } = looking()
    const { service } = stage
    const name = (key: string, value: string, lang: string) => ({ metadata: [{ key, value, lang }] })
    const author = await service.create({ type: 'person', ...name('name', 'שלום, מאיר', 'he') })
    const work = await service.create({
      type: 'work_word',
      metadata: [...name('title', 'הגדה של פסח', 'he').metadata, ...name('subtitle', 'ألف ليلة', 'ar').metadata],
      relations: [{ type: 'refAuthors', key: author.id }]
    })
    await walk(`/record/${work.id}`)
    await page.locator('.record-makers a[lang="he"]').waitFor()
    await page.locator('h1[lang="he"]').waitFor()
    await page.locator('.record-subtitle[lang="ar"]').waitFor()
    await page.locator('.targets a[lang="he"]').waitFor()
    const undirected = await page.evaluate(() => {
      const texts = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT)
      const found: string[] = []
      while (texts.nextNode()) {
        const { textContent, parentElement } = texts.currentNode
        if (/[\u0590-\u06ff]/.test(textContent ?? '') && !parentElement?.closest('[dir]')) found.push(textContent ?? '')
      }
      return found
    })
    assert.deepEqual(undirected, [])

    await walk('/record/M-HAMLETEN2016')
    await page.locator('.targets').getByRole('link', { name: 'editor', exact: true }).waitFor()
    const texts = await page.locator('main .facts').allInnerTexts()
    assert.doesNotMatch(texts.join('\n'), /\b(?:eng|edt|aut|dut)\b/)
  })

  it('shows a person with their works and what is played of them', async () => {
    const { page, walk } = looking()
    await walk('/record/PERS-SHAKESPEARE')
    const count = (
      await stage.service.filter([
        { type: 'type', value: 'work' },
        { type: 'selection', key: 'relations.refAuthors.key', value: ['PERS-SHAKESPEARE'], match_exact: true }
      ])
    ).body.count
    await page.getByRole('heading', { name: `Works ${count}`, exact: true }).waitFor()
    await page
      .getByRole('list', { name: 'Works' })
      .getByRole('link', { name: /^Macbeth/ })
      .click()
    await page.getByRole('heading', { level: 1, name: 'Macbeth' }).waitFor()
  })

  it('shows a classification as a hierarchy that opens where one is, with how many works each class has', async () => {
    const { page, walk } = looking()
    await walk('/record/ZIZO-TONEELTEKST')
    const hierarchy = page.locator('.hierarchy').first()
    for (const name of ['Kunst en cultuur', 'Podiumkunsten', 'Theater', 'Toneelteksten', 'Taal en literatuur'])
      await hierarchy.getByRole('link', { name, exact: true }).waitFor()
    assert.equal(
      await hierarchy.getByRole('link', { name: 'Toneelteksten', exact: true }).getAttribute('aria-current'),
      'page'
    )
    await hierarchy.getByRole('button', { name: 'Narrower: Kunst en cultuur' }).click()
    await hierarchy.getByRole('link', { name: 'Theater', exact: true }).waitFor({ state: 'detached' })
  })

  it('lets one browse from the broadest classes to the works beneath them', async t => {
    const { page, go } = await stage.visit(t)
    const asked: string[] = []
    page.on('request', request => asked.push(request.postData() ?? ''))
    await go('/')
    await page.getByRole('link', { name: 'Browse' }).click()
    const beneath = (await worksBeneath('ZIZO-KUNST')).length
    const row = page.locator('.branch').filter({ hasText: 'Kunst en cultuur' })
    await row.getByRole('link', { name: `${beneath} works` }).waitFor()
    // A level that is not open is not asked for.
    assert.ok(!asked.some(body => body.includes('ZIZO-PODIUM')))
    await row.getByRole('button', { name: 'Narrower: Kunst en cultuur' }).click()
    await page.getByRole('link', { name: 'Podiumkunsten', exact: true }).waitFor()
    await row.getByRole('link', { name: `${beneath} works` }).click()
    await page.getByRole('heading', { level: 1, name: `${beneath} records`, exact: true }).waitFor()
  })

  it('shows a production with its readiness, its texts and when it is played', async () => {
    const { page, walk } = looking()
    await walk('/record/PR-HAMLET')
    const { categories } = (await stage.service.get('/entities/PR-HAMLET/readiness')).body as {
      categories: { declared: string; done: boolean; agrees: boolean }[]
    }
    const wanted = categories.filter(({ declared }) => declared !== 'not_applicable')
    const ready = wanted.filter(({ done, agrees }) => done && agrees)
    await page.getByText(`${ready.length} of ${wanted.length} ready`).first().waitFor()
    // The one thing that does not go together is told in words.
    await page.getByText('Social media: declared “Complete”, but there is no file.').waitFor()
    await becomes(() => page.locator('.stage').count(), categories.length)
    await page.locator('.stage').filter({ hasText: 'Reviews' }).filter({ hasText: 'Partly' }).waitFor()
    await becomes(() => page.locator('.stage-bad').count(), 1)
    await page.locator('.prose strong').first().getByText('Halflicht', { exact: true }).waitFor()
    await seesAllPerformances(page, 'relations.refProduction.key', 'PR-HAMLET')
  })

  it('shows a venue, a company and a season with what plays there', async () => {
    const { page, walk } = looking()
    await walk('/record/VE-GRAANSILO')
    await page.getByRole('heading', { name: /^Productions \d+/ }).waitFor()
    await seesAllPerformances(page, 'relations.refVenues.key', 'VE-GRAANSILO')
    await page.locator('.performance').filter({ hasText: 'Hamlet' }).first().waitFor()
    await walk('/record/CO-HALFLICHT')
    await seesAllPerformances(page, 'properties.ref_production.ref_companies.value', 'CO-HALFLICHT')
    await walk('/record/SEA-20262027')
    await page.getByRole('heading', { name: 'Readiness' }).waitFor()
  })

  it('shows the history with what each version changed, and restores an older one', async t => {
    const { page, go } = await stage.visit(t)
    await stage.service.patch('/entities/VE-KADE', { metadata: [{ key: 'capacity', value: 4321 }] })
    await go('/record/VE-KADE')
    await page.getByRole('link', { name: 'History' }).click()
    await page
      .getByRole('row', { name: /Capacity/ })
      .first()
      .filter({ hasText: '4,321' })
      .waitFor()
    await page.getByRole('button', { name: 'Restore this version' }).last().click()
    await page.getByText('Version 1 was restored').waitFor()
    const kade = (await stage.service.get('/entities/VE-KADE')).body
    assert.equal(kade.version, 3)
    assert.notEqual(kade.metadata.find((each: { key: string }) => each.key === 'capacity')?.value, 4321)
  })

  it('begins with what needs attention and what changed, and draws what it can also say', async t => {
    const { page, go, complaints } = await stage.visit(t)
    await go('/record/VE-DUINZAAL/edit')
    await page.getByLabel('Address', { exact: true }).fill('Strandweg 1')
    await page.waitForFunction(() => localStorage.getItem('libretto-draft:VE-DUINZAAL')?.includes('Strandweg 1'))
    await stage.service.patch('/entities/VE-TERP', { metadata: [{ key: 'capacity', value: 99 }] })
    await go('/')
    const attention = page.locator('.attention')
    await attention.getByRole('link', { name: 'De Duinzaal' }).waitFor()
    await attention.getByText('The media of 3 productions do not match their declared status').waitFor()
    await attention.getByRole('link', { name: 'Hamlet', exact: true }).waitFor()
    await page.locator('.recent li').first().getByRole('link', { name: 'Podium De Terp' }).waitFor()

    // The numbers in the chart add up to the number of records.
    const all = (await stage.service.filter([], '?limit=0')).body.count as number
    await page.getByText(`${all} records added in the last twelve months`).waitFor()
    const growth = page.locator('.chart').filter({ hasText: 'added in the last twelve months' })
    await growth.getByText('As a table').click()
    await growth.locator('td').last().waitFor()
    const numbers = await growth.locator('td').allInnerTexts()
    assert.equal(
      numbers.reduce((sum, text) => sum + Number(text.replace(',', '')), 0),
      all
    )

    await settled(page)
    const season = page.locator('.season-readiness')
    if ((await season.count()) > 0) {
      const contradictory = season.getByRole('link', { name: /contradictory/ })
      const count = Number(/\d+/.exec(await contradictory.innerText())?.[0])
      await contradictory.click()
      await page.getByRole('heading', { level: 1, name: new RegExp(`^${count} records?$`) }).waitFor()
    }
    assert.deepEqual(complaints, [])
  })

  it('speaks Dutch to who speaks Dutch, and remembers another choice', async t => {
    const { page, go } = await stage.visit(t, { language: 'nl' })
    await go('/record/PR-HAMLET')
    await page.getByRole('heading', { name: /Stand van het materiaal/ }).waitFor()
    const language = () => page.evaluate(() => document.documentElement.lang)
    await becomes(language, 'nl')
    await page.getByRole('button', { name: 'Aangemeld als' }).click()
    await page.getByLabel('Taal').selectOption('Français')
    await page.getByRole('heading', { name: /État du matériel/ }).waitFor()
    await becomes(language, 'fr')
    await page.getByLabel('Langue').selectOption('English')
    await page.getByRole('heading', { name: /Readiness/ }).waitFor()
    await becomes(language, 'en')
    await page.reload()
    await page.getByRole('heading', { name: /Readiness/ }).waitFor()
  })

  it('says what is not there', async () => {
    const { page, walk } = looking()
    await walk('/record/W-NOWHERE')
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
    await walk('/new/performances')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  })
})
