import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { marcFile, saltRoad } from '../support/marc-files.ts'
import { accessibilityFaults, becomes, openStage, settled, type Visit } from './stage.ts'
import { countingUser } from './user.ts'

/* Tasks of cataloguers, each with the clicks and keys that it takes. */

const stage = await openStage({ after })
const { service } = stage

/** One window for all: what was loaded once is there for the next. */
const shared = stage.skip === false ? await stage.visit({ after }) : undefined
const visit = (): Visit => shared ?? assert.fail('there is no browser')

const idOf = (url: string) => decodeURIComponent(/\/record\/([^/]+)$/.exec(new URL(url).pathname)?.[1] ?? '')
const read = async (id: string) => (await service.get(`/entities/${id}`)).body
const keysOf = async (id: string, type: string) =>
  (await read(id)).relations
    .filter((each: { type: string }) => each.type === type)
    .map(({ key }: { key: string }) => key)
const create = async (type: string, fields: Record<string, unknown>, relations: Record<string, string> = {}) =>
  (
    await service.create({
      type,
      metadata: Object.entries(fields).map(([key, value]) => ({ key, value })),
      relations: Object.entries(relations).map(([relation, key]) => ({ type: relation, key }))
    })
  ).id

describe('a cataloguer', { skip: stage.skip }, () => {
  it('adds an edition to an expression of a work, which is chosen already', async () => {
    const { page, go } = visit()
    const user = countingUser(page)
    const [expression] = (await service.get('/entities/W-HAMLET/tree')).body.expressions
    await go('/record/W-HAMLET')
    await user.click(page.locator('.levels-tree > ul > li').first().getByRole('link', { name: 'Add edition' }))
    await user.click(page.getByRole('textbox', { name: /^Title/ }))
    await user.type('Hamlet, a new printing')
    await user.press('Control+s')
    await page.waitForURL(/\/record\/[^/]+$/)
    assert.deepEqual(await keysOf(idOf(page.url()), 'refExpressions'), [expression.id])
    user.tookAtMost(2, 23)
  })

  it('adds a translation to a work, with its edition', async () => {
    const { page, walk } = visit()
    const user = countingUser(page)
    await walk('/record/W-HAMLET')
    await user.click(page.getByRole('link', { name: 'Add translation' }))
    await page.locator('.step').first().getByText('Hamlet', { exact: true }).waitFor()
    await user.click(
      page
        .locator('.step')
        .nth(1)
        .getByRole('textbox', { name: /^Title/ })
    )
    await user.type('Hamleto')
    await user.press('Control+s')
    await page.waitForURL(/\/record\/[^/]+$/)
    const { work, expression } = (await service.get(`/entities/wem/${idOf(page.url())}`)).body
    assert.equal(expression.metadata.title.value, 'Hamleto')
    assert.equal(work.metadata.title.value, 'Hamlet')
    user.tookAtMost(2, 8)
  })

  it('describes a new printing of an old translation, without a second expression', async () => {
    const { page, walk } = visit()
    const user = countingUser(page)
    const { expressions } = (await service.get('/entities/W-HAMLET/tree')).body
    const translation = expressions.find((each: { metadata: { title: { value: string } } }) =>
      each.metadata.title.value.startsWith('Hamleto')
    )
    await walk('/new/publication?refWork=W-HAMLET')
    await user.choose(page.getByLabel('Of which expression?'), translation.id)
    await user.click(page.getByRole('textbox', { name: 'ISBN' }))
    await user.type('9789097580792')
    assert.deepEqual(await accessibilityFaults(page), [])
    await user.press('Control+s')
    await page.waitForURL(/\/record\/[^/]+$/)
    const made = await read(idOf(page.url()))
    assert.deepEqual(await keysOf(made.id, 'refExpressions'), [translation.id])
    assert.equal((await service.get('/entities/W-HAMLET/tree')).body.expressions.length, expressions.length)
    user.tookAtMost(3, 14)
  })

  it('makes a record like another, without its ISBN', async () => {
    const { page, walk } = visit()
    const user = countingUser(page)
    await walk('/record/M-REINEKE1999')
    await user.click(page.getByRole('link', { name: 'Duplicate' }))
    const original = await read('M-REINEKE1999')
    const title = original.metadata.find(({ key }: { key: string }) => key === 'title').value
    const field = page.getByRole('textbox', { name: /^Title/ }).first()
    await becomes(() => field.inputValue(), title)
    assert.equal(await page.getByRole('textbox', { name: 'ISBN' }).first().inputValue(), '')
    await page.getByText('Already in the catalogue with this name or ISBN').waitFor()
    await user.press('Control+s')
    await page.waitForURL(url => /\/record\/[^/]+$/.test(url.pathname) && !url.pathname.endsWith('M-REINEKE1999'))
    assert.equal((await read(idOf(page.url()))).relations.length, original.relations.length)
    user.tookAtMost(1, 1)
  })

  it('begins a record with a template', async () => {
    const { page, walk } = visit()
    const user = countingUser(page)
    await walk('/new/venue')
    await page.getByRole('textbox', { name: 'City', exact: true }).fill('Mechelen')
    await page.getByRole('textbox', { name: 'Country', exact: true }).fill('BE')
    await user.click(page.getByRole('button', { name: 'Save as template' }))
    await user.type('Hall in Mechelen')
    assert.deepEqual(await accessibilityFaults(page), [])
    await user.press('Enter')
    await page.getByText('The template Hall in Mechelen was stored').waitFor()
    assert.ok(!page.url().includes('/record/'), 'the form of the record is not saved')
    await page.reload()
    await page.getByRole('button', { name: 'Discard draft' }).click()
    assert.equal(await page.getByRole('textbox', { name: 'City', exact: true }).inputValue(), '')
    await user.choose(page.getByLabel('Template'), 'Hall in Mechelen')
    assert.equal(await page.getByRole('textbox', { name: 'City', exact: true }).inputValue(), 'Mechelen')
    await user.click(page.getByRole('textbox', { name: /^Name/ }))
    await user.type('Nova')
    await user.press('Control+s')
    await page.getByRole('heading', { level: 1, name: 'Nova' }).waitFor()
    user.tookAtMost(4, 22)
  })

  it('classifies a work by browsing ZIZO, and finds classes by their code and path', async () => {
    const id = await create('work_word', { title: 'A work without a class' })
    const { page, walk } = visit()
    const user = countingUser(page)
    await walk(`/record/${id}/edit`)
    await user.click(page.getByRole('button', { name: /^Browse ZIZO/ }))
    const dialog = page.getByRole('dialog')
    await user.click(dialog.getByRole('button', { name: 'Narrower: Kunst en cultuur' }))
    await user.click(dialog.getByRole('button', { name: 'Narrower: Podiumkunsten' }))
    await dialog.getByText('K21', { exact: true }).waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    await user.click(dialog.getByRole('button', { name: 'Theater', exact: true }))
    const zizo = page.locator('[data-field=refZizos]')
    await zizo.locator('.picked').getByText('Theater').waitFor()
    // The list of the field has the code and the classes above each.
    await user.click(zizo.getByRole('combobox'))
    await user.type('toneelt')
    await user.click(
      page.getByRole('option', { name: /Toneelteksten K211, L31.* Kunst en cultuur › Podiumkunsten › Theater/ })
    )
    // SISO has codes only, and no levels.
    await user.click(page.getByRole('button', { name: /^Browse SISO/ }))
    await dialog.getByText('Engels').first().waitFor()
    await user.click(dialog.getByRole('button', { name: '851.6' }))
    await user.press('Control+s')
    await page.getByText('A work without a class was saved').waitFor()
    assert.deepEqual(await keysOf(id, 'refZizos'), ['ZIZO-THEATER', 'ZIZO-TONEELTEKST'])
    assert.deepEqual(await keysOf(id, 'refSisos'), ['SISO-NEDE1'])
    user.tookAtMost(8, 8)
  })

  it('tells people of the same name apart by their dates, and puts them in order', async () => {
    const [older, younger] = [
      await create('person', { name: 'Smit, Jan', life_dates: '1820-1890' }),
      await create('person', { name: 'Smit, Jan', life_dates: '1950-' })
    ]
    const id = await create('work_word', { title: 'By two of one name' }, { refAuthors: older })
    const { page, walk } = visit()
    const user = countingUser(page)
    await walk(`/record/${id}/edit`)
    await user.click(page.getByRole('combobox', { name: 'Search for People' }))
    await user.type('smit jan')
    // The one who is there already is not offered.
    await user.click(page.getByRole('option', { name: /^Smit, Jan 1950-/ }))
    await user.click(page.getByRole('button', { name: 'Move Smit, Jan up' }))
    await user.press('Control+s')
    await page.getByText('By two of one name was saved').waitFor()
    assert.deepEqual(await keysOf(id, 'refAuthors'), [younger, older])
    user.tookAtMost(3, 9)
  })

  it('sets a relation of a range of records, clears it, and undoes that', async () => {
    const genre = await create('genre', { name: 'Marsh opera' })
    const old = await create('genre', { name: 'Old genre' })
    const ids: string[] = []
    for (const name of ['a', 'b', 'c', 'd'])
      ids.push(await create('work_word', { title: `Marshland ${name}` }, { refGenres: old }))
    const genres = () => Promise.all(ids.map(id => keysOf(id, 'refGenres')))
    const { page, walk } = visit()
    const user = countingUser(page)
    await walk('/find?q=marshland&sort=title')
    await user.click(page.getByRole('button', { name: 'Select', exact: true }))
    await user.click(page.getByLabel('Select Marshland a'))
    await user.click(page.getByLabel('Select Marshland c'), { modifiers: ['Shift'] })
    await page.getByText('3 selected').waitFor()
    await user.click(page.getByRole('button', { name: 'Edit', exact: true }))
    await user.choose(page.getByLabel('Which field?'), 'Genres')
    await user.choose(page.getByLabel('What should happen?'), 'Set the relation (replaces all current ones)')
    await user.click(page.getByRole('combobox', { name: 'Search for Genres' }))
    await user.type('marsh')
    await user.click(page.getByRole('option', { name: /Marsh opera/ }))
    await user.click(page.getByRole('button', { name: 'Preview' }))
    await user.click(page.getByRole('button', { name: 'Change 3 records' }))
    await page.getByText('3 records were changed').waitFor()
    assert.deepEqual(await genres(), [[genre], [genre], [genre], [old]])
    await user.click(page.getByRole('button', { name: 'Undo all' }))
    await page.getByText('3 records were restored').waitFor()
    assert.deepEqual(await genres(), [[old], [old], [old], [old]])
    user.tookAtMost(13, 5)

    await walk('/find/change?q=marshland')
    await page.getByLabel('Which field?').selectOption('Genres')
    await page.getByLabel('What should happen?').selectOption('Clear the relation')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('button', { name: 'Change 4 records' }).click()
    await page.getByText('4 records were changed').waitFor()
    assert.deepEqual(await genres(), [[], [], [], []])
  })

  it('changes the description of a production', async () => {
    const id = await create('production', { title: 'Without words' })
    const { page, walk } = visit()
    const user = countingUser(page)
    await walk(`/record/${id}`)
    await user.click(page.getByRole('link', { name: 'Edit' }))
    await user.click(page.getByRole('textbox', { name: 'Short description' }))
    await user.type('A ')
    await user.press('Control+b')
    await user.type('bold')
    await user.press('Control+b')
    await user.type(' show')
    await user.press('Control+s')
    await page.getByText('Without words was saved').waitFor()
    assert.equal((await read(id)).metadata.at(-1).value, '<p>A <strong>bold</strong> show</p>')
    user.tookAtMost(2, 14)
  })

  it('imports a file after a preview, and sees the MARC record of an edition and where it came from', async () => {
    service.libretto.imports.start(error => assert.fail(String(error)))
    const { page, walk } = visit()
    const user = countingUser(page)
    await walk('/new')
    await user.click(page.getByRole('link', { name: /Import a file/ }))
    await user.giveFile(page.locator('input[type=file]'), {
      name: 'salt road.mrc',
      mimeType: 'application/marc',
      buffer: marcFile(saltRoad)
    })
    await user.click(page.getByRole('button', { name: 'Preview', exact: true }))
    await page.locator('.preview-lines > li').nth(3).waitFor()
    await user.click(page.getByRole('button', { name: 'Import now' }))
    await page.getByRole('link', { name: 'Show the new records' }).waitFor()
    const [edition] = (
      await service.filter([
        { type: 'search', value: 'salt road' },
        { type: 'type', value: 'manifestation' }
      ])
    ).body.results
    await walk(`/record/${edition.id}`)
    await user.click(page.getByText('MARC record and origin'))
    await page.locator('.marc tr', { hasText: '245' }).getByText('The salt road').first().waitFor()
    await page.locator('.origin').getByRole('link', { name: 'Salt road' }).first().waitFor()
    await settled(page)
    assert.deepEqual(await accessibilityFaults(page), [])
    // The import is named as such, not by its code.
    await page.locator('.record-foot').getByText('Added by an import').waitFor()
    assert.equal(await page.getByText('import:').count(), 0)
    await user.click(page.getByRole('link', { name: 'Show the import' }))
    await page.getByRole('heading', { level: 1, name: 'salt road.mrc' }).waitFor()
    user.tookAtMost(6, 0)
  })
})

describe('forms', { skip: stage.skip }, () => {
  it('show records with the same name or ISBN while one types', async () => {
    const { page, walk } = visit()
    await walk('/new/manifestation_word')
    await page.getByRole('textbox', { name: 'ISBN' }).first().fill('90-9758-078-1')
    await page.locator('.duplicates').getByText('M-REINEKE1999').waitFor()
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
