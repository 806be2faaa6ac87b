import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { becomes, keepBack, openStage, type Visit } from './stage.ts'

/* The page is true about itself: that it loads, that it did not save, how many there are. */

const stage = await openStage({ after })
const { service } = stage
const shared = stage.skip === false ? await stage.visit({ after }) : undefined
const looking = (): Visit => shared ?? assert.fail('there is no browser')
if (shared) await shared.go('/new')

/** Milliseconds after which people notice that they wait. */
const noticed = 300

describe('the page', { skip: stage.skip }, () => {
  it('says that it loads after 300 ms, and not before', async t => {
    const { page } = await stage.visit(t)
    const answer = await keepBack(page, /\/entities\/W-HAMLET\/tree/)
    await page.goto(`${stage.url}/record/W-HAMLET`)
    const loading = page.locator('.late').first()
    await loading.waitFor({ state: 'attached' })
    const opacityAt = (time: number) =>
      loading.evaluate((element, at) => {
        const [animation] = element.getAnimations()
        if (!animation) return 'no animation'
        animation.pause()
        animation.currentTime = at
        return getComputedStyle(element).opacity
      }, time)
    assert.equal(await opacityAt(noticed - 1), '0')
    assert.equal(await opacityAt(noticed + 101), '1')
    answer.letGo()
    await becomes(() => page.locator('.late').count(), 0)
  })

  it('says offline that nothing was saved and nothing will be by itself, and is true to that', async t => {
    const { id } = await service.create({ type: 'venue', metadata: [{ key: 'name', value: 'De Vonk' }] })
    const { page, go } = await stage.visit(t)
    await go(`/record/${id}/edit`)
    await page.getByLabel('Capacity').fill('77')
    await page.context().setOffline(true)
    t.after(() => page.context().setOffline(false))
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await save.click()
    await page.getByText('changes are not sent by themselves').first().waitFor()
    const sent: string[] = []
    page.on('request', request => request.method() === 'PUT' && sent.push(request.url()))
    await page.context().setOffline(false)
    // An answer that the page asks for after it is online again has come.
    await page.evaluate(() => fetch('/health/ready').then(answer => answer.text()))
    assert.deepEqual(sent, [])
    assert.equal((await service.get(`/entities/${id}`)).body.version, 1)
    assert.equal(await page.getByLabel('Capacity').inputValue(), '77')

    await save.click()
    await page.getByText('De Vonk was saved').waitFor()
    assert.equal((await service.get(`/entities/${id}`)).body.version, 2)
  })

  it('counts what it shows: entries, and beside them the records that they were found from', async () => {
    const { page, walk } = looking()
    await walk('/find?q=hamlet')
    const filters = [{ type: 'search', value: 'hamlet' }]
    const { count: records } = (await service.filter(filters, '?limit=0')).body as { count: number }
    const { count: entries } = (await service.filter(filters, '?limit=0&group_by=work')).body as { count: number }
    assert.ok(entries < records)
    await page.getByRole('heading', { level: 1, name: `${entries} results`, exact: true }).waitFor()
    await page.getByText(`from ${records} records`, { exact: true }).waitFor()
    await walk('/find?q=hamlet&view=records')
    await page.getByRole('heading', { level: 1, name: `${records} records`, exact: true }).waitFor()
  })

  it('puts what is done daily first, and what is done rarely under one button', async () => {
    const { page, walk } = looking()
    await walk('/record/W-HAMLET')
    const actions = page.locator('.record-actions')
    const first = actions.locator('> :is(a, button)').first()
    assert.equal(await first.innerText(), 'Edit')
    assert.match((await first.getAttribute('class')) ?? '', /\bprimary\b/)
    assert.equal(await actions.locator('.primary').count(), 1)
    for (const name of ['Duplicate', 'Export', 'Merge', 'Delete']) {
      const action = actions.locator('.menu').getByText(name, { exact: true })
      assert.equal(await action.count(), 1, name)
      assert.equal(await action.isVisible(), false, name)
    }
    assert.ok((await actions.locator(':is(a, button):visible').count()) <= 5)
    await actions.getByRole('button', { name: 'More' }).click()
    await actions.getByRole('button', { name: 'Delete' }).waitFor()
  })

  it('gives a form the width: two fields beside each other, which fill it', async () => {
    const { page, walk } = looking()
    await walk('/record/PR-HAMLET/edit')
    const [form, ...fields] = await page.locator('form.change, form.change > .field').evaluateAll(all =>
      all.map(each => {
        const { left, right, top } = each.getBoundingClientRect()
        return { left, right, top, width: right - left, all: document.querySelector('main')?.clientWidth ?? 0 }
      })
    )
    assert.ok(form)
    assert.ok(form.width > 0.85 * form.all, `${form.width} of ${form.all}`)
    const rows = Map.groupBy(fields, ({ top }) => Math.round(top))
    assert.ok([...rows.values()].some(({ length }) => length === 2))
    assert.ok(Math.max(...fields.map(({ right }) => right)) > form.right - 2)
  })
})
