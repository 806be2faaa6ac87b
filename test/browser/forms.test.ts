import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { accessibilityFaults, becomes, openStage, settled, type Visit } from './stage.ts'
import { recordTools } from './tasks/task.ts'

// Visitors may read here, and people who are signed in see the same pages.
const stage = await openStage({ after }, { ANONYMOUS_ACCESS: 'read' })
const { service } = stage
const { create, read } = recordTools(service)

/** One window for all: what was loaded once is there for the next. */
const shared = stage.skip === false ? await stage.visit({ after }) : undefined
if (shared) await shared.go('/')
const visit = (): Visit => shared ?? assert.fail('there is no browser')

describe('the list of likely duplicates', { skip: stage.skip }, () => {
  it('leads to a merge, and records are said to be different and taken back', async () => {
    const { page, go } = visit()
    const [one, other, third] = [
      await create('person', { name: 'Dubbel, D.', life_dates: '1900-1980' }),
      await create('person', { name: 'DUBBEL, D.', life_dates: '1900–1980' }),
      await create('person', { name: 'Dubbel, D', life_dates: '1900-1980' })
    ]
    const differentFrom = async () =>
      (await read(third)).relations
        .filter(({ type }: { type: string }) => type === 'refDifferentFrom')
        .map(({ key }: { key: string }) => key)
    await go('/')
    await page.getByRole('link', { name: 'Likely duplicates' }).click()
    await page.getByLabel('Kind').selectOption('person')
    const group = page.locator('.duplicate-group', { hasText: one })
    await group.getByText('Equal name: Dubbel, D.').waitFor()
    assert.equal(await group.locator('li').count(), 3)
    await settled(page)
    assert.deepEqual(await accessibilityFaults(page), [])
    await group.getByRole('button', { name: `Different: ${third} is another record` }).click()
    await becomes(() => group.locator('li').count(), 2)
    assert.deepEqual((await differentFrom()).sort(), [one, other].sort())
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await becomes(() => group.locator('li').count(), 3)
    assert.deepEqual(await differentFrom(), [])
    await group.getByRole('link', { name: `Merge ${other} into ${one}` }).click()
    await page.waitForURL(new RegExp(`/record/${one}/merge`))
    await page.locator('.merge-table').getByText('DUBBEL, D.').first().waitFor()
  })

  it('joins terms of two schemes, which are not offered for merging, and takes it back', async () => {
    const { page, go } = visit()
    const number = 'http://www.wikidata.org/entity/Q146'
    const [cats, katze] = [
      await create('subject', { name: 'Cats', scheme: 'lcsh', identifier: number }),
      await create('subject', { name: 'Katze', scheme: 'gnd', identifier: number })
    ]
    const sameAs = async () =>
      (await read(katze)).relations.map(({ type, key }: { type: string; key: string }) => `${type} ${key}`)
    await go('/find/duplicates?reason=identifier')
    const group = page.locator('.duplicate-group', { hasText: katze })
    await group.getByText(`Equal number of an authority file: ${number.toLowerCase()} (95 %)`).waitFor()
    assert.equal(await group.getByRole('checkbox').count(), 0)
    assert.equal(await group.getByRole('link', { name: /^Merge/ }).count(), 0)
    await settled(page)
    assert.deepEqual(await accessibilityFaults(page), [])
    await group.getByRole('button', { name: `Same: ${katze} means the same in another scheme` }).click()
    await becomes(() => group.count(), 0)
    assert.deepEqual(await sameAs(), [`refSameAs ${cats}`])
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await becomes(() => group.count(), 1)
    assert.deepEqual(await sameAs(), [])
  })

  it('merges many groups by the keyboard after a preview, and takes all of it back', async () => {
    const { page, go, complaints } = visit()
    const pairs: [string, string][] = []
    for (const name of ['Menigte, Anna', 'Menigte, Bert'])
      pairs.push([
        await create('person', { name, note: `Note on ${name}` }),
        await create('person', { name, life_dates: '1901-1980' })
      ])
    const before = await Promise.all(pairs.flat().map(read))
    const isThere = async (id: string) => (await read(id)).id === id
    await go('/find/duplicates?type=person&reason=similar')
    await page.getByLabel('Score of at least').selectOption('95')
    for (const [one] of pairs) {
      await page.getByRole('checkbox', { name: new RegExp(`${one}$`) }).focus()
      await page.keyboard.press('Space')
    }
    // The record with the dates stays, of the second pair.
    const [, [one = '', other = ''] = []] = pairs
    await page.getByRole('radio', { name: `${one} stays` }).focus()
    await page.keyboard.press('ArrowDown')
    assert.equal(await page.getByRole('radio', { name: `${other} stays` }).isChecked(), true)
    await settled(page)
    assert.deepEqual(await accessibilityFaults(page), [])
    await page.getByRole('button', { name: 'Preview' }).focus()
    await page.keyboard.press('Enter')
    const table = page.locator('.many-changes > table > tbody > tr')
    await becomes(() => table.count(), 2)
    assert.match(await table.nth(0).innerText(), /Menigte, Anna[\s\S]*Life dates\s+1901-1980/)
    assert.match(await table.nth(1).innerText(), new RegExp(`${other}[\\s\\S]*${one}[\\s\\S]*Note on Menigte, Bert`))
    assert.deepEqual(await accessibilityFaults(page), [])
    assert.ok((await Promise.all(pairs.flat().map(isThere))).every(Boolean))
    await page.getByRole('button', { name: 'Merge 2 records' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('2 records were merged').waitFor()
    assert.deepEqual(await Promise.all(pairs.flat().map(isThere)), [true, false, false, true])

    // After leaving the page, too.
    await go('/find/duplicates')
    await page.getByText('Your last bulk change: Merge duplicates, 2 records').waitFor()
    await page.getByRole('button', { name: 'Undo all' }).click()
    await page.getByText('2 records were restored').waitFor()
    const after = await Promise.all(pairs.flat().map(read))
    assert.deepEqual(
      after.map(({ metadata, relations }) => [metadata, relations]),
      before.map(({ metadata, relations }) => [metadata, relations])
    )
    assert.deepEqual(complaints, [])
  })
})

describe('forms', { skip: stage.skip }, () => {
  it('show records with the same name or ISBN while one types', async () => {
    const { page, walk } = visit()
    await walk('/new/manifestation_word')
    await page.getByRole('textbox', { name: 'ISBN' }).first().fill('90-9758-078-1')
    await page.locator('.duplicates').getByText('M-REINEKE1999').waitFor()
  })

  it('show them while one changes a record, but not the record itself', async () => {
    const { page, walk } = visit()
    const first = await create('person', { name: 'Evenbeeld, E.' })
    const other = await create('person', { name: 'Anders, E.' })
    await walk(`/record/${other}/edit`)
    const name = page.getByRole('textbox', { name: /^Name/ }).first()
    await name.fill('Evenbeeld, E.')
    await page.locator('.duplicates').getByText(first).waitFor()
    await name.fill('Anders, E.')
    await becomes(() => page.locator('.duplicates').count(), 0)
  })

  it('take times by the clock of the venue, whichever is chosen first, and say whose clock it is', async () => {
    const { page, walk } = visit()
    const hall = await create('venue', { name: 'Harbor Hall', country: 'US' })
    await walk(`/record/${hall}/edit`)
    const zone = page.getByLabel('Time zone')
    await zone.fill('New York')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Write a time zone as Europe/Brussels.').first().waitFor()
    assert.equal(await page.locator('datalist option[value="America/New_York"]').count(), 1)
    await zone.fill('America/New_York')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(new RegExp(`/record/${hall}$`))

    const show = await create('production', { title: 'An evening far away' })
    await walk('/new/performance')
    await page.getByLabel(/^Start/).fill('2090-07-01T20:00')
    await page.getByText('Local time: UTC').first().waitFor()
    for (const [label, name] of [
      [/production/i, 'An evening far away'],
      [/venue/i, 'Harbor Hall']
    ] as const) {
      await page.getByRole('combobox', { name: label }).fill(name)
      // Not the choice to add one, which is there before the answer on a slow machine.
      await page.getByRole('option', { name: new RegExp(`^${name}`) }).click()
    }
    await page.getByText('Local time: New York').first().waitFor()
    assert.equal(await page.getByLabel(/^Start/).inputValue(), '2090-07-01T20:00')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: /An evening far away · 1 Jul 2090, 20:00/ }).waitFor()
    const { body } = await service.get(`/entities/${show}/references`)
    const made = await read(body.results[0].id)
    assert.equal(made.metadata.find(({ key }: { key: string }) => key === 'start')?.value, '2090-07-01T20:00:00-04:00')

    // A stored time is shown and changed by the same clock.
    await walk(`/record/${made.id}/edit`)
    await becomes(() => page.getByLabel(/^Start/).inputValue(), '2090-07-01T20:00')
    await walk(`/record/${show}`)
    await page.getByText('Local time: New York').waitFor()
    await page.locator('.performance-hour', { hasText: '20:00 New York' }).waitFor()
  })

  it('add no record by Enter in an empty field, nor while an input method composes', async () => {
    const { page, walk } = visit()
    await walk('/new/performance')
    const picker = page.getByRole('combobox', { name: /production/i })
    await picker.focus()
    await page.locator('[role=option]').first().waitFor()
    await settled(page)
    await page.keyboard.press('Enter')
    assert.equal(await page.locator('.picked li').count(), 0)

    await picker.fill('hamlet')
    await page.locator('[role=listbox][aria-busy=false]').getByRole('option').first().waitFor()
    await picker.dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true })
    assert.equal(await page.locator('.picked li').count(), 0)
    await page.keyboard.press('Enter')
    await becomes(() => page.locator('.picked li').count(), 1)
    // A screen reader is told how many there are, and that there is none.
    const venues = page.getByRole('combobox', { name: /venue/i })
    await venues.fill('graansilo')
    await page.locator('[data-field=refVenues] [role=status]').filter({ hasText: 'choice' }).waitFor()
    await venues.fill('xyzzyplugh')
    await page
      .locator('[data-field=refVenues] [role=status]')
      .filter({ hasText: 'Nothing matches “xyzzyplugh”' })
      .waitFor()
  })

  it('leave no record behind that was described in a form that is not saved', async () => {
    const people = async () => (await service.filter([{ type: 'type', value: 'person' }], '?limit=0')).body.count
    const before = await people()
    const { page, walk } = visit()
    await walk('/new/work_word')
    await page.getByRole('combobox', { name: 'Search for People' }).fill('Orphan, Olive')
    await page.getByRole('option', { name: /Add “Orphan, Olive” Person/ }).click()
    await page.locator('.picked').getByText('created when you save').waitFor()
    assert.equal(await people(), before)
    // The draft knows her, and a refused form does not create her.
    await page.reload()
    await page.locator('.picked').getByText('Orphan, Olive').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.locator('.form-foot .fault').first().waitFor()
    assert.equal(await page.getByRole('textbox', { name: /^Title/ }).getAttribute('aria-invalid'), 'true')
    assert.equal(await people(), before)
    await page.getByRole('textbox', { name: /^Title/ }).fill('By Olive')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'By Olive' }).waitFor()
    assert.equal(await people(), before + 1)
  })

  it('join the changes of others with new records of their own', async () => {
    const id = await create('work_word', { title: 'Of two hands' })
    const { page, walk } = visit()
    await walk(`/record/${id}/edit`)
    await page.getByRole('combobox', { name: 'Search for People' }).fill('Hand, Second')
    await page.getByRole('option', { name: /Add “Hand, Second” Person/ }).click()
    await service.patch(`/entities/${id}`, { metadata: [{ key: 'year', value: '1999' }] })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Of two hands was saved').waitFor()
    const { metadata, relations } = await read(id)
    assert.ok(metadata.some(({ value }: { value: unknown }) => value === '1999'))
    assert.equal((await read(relations[0].key)).metadata[0].value, 'Hand, Second')
  })

  it('list their keys by ?', async () => {
    const { page, walk } = visit()
    await walk('/')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Save the form').waitFor()
    await page.keyboard.press('Escape')
  })
})
