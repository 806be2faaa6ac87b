import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, describe, it } from 'node:test'

import type { Locator, Page, Request } from 'playwright-core'

import { marcFile } from '../support/records/marc-files.ts'
import { aPng } from '../support/records/media.ts'
import { importPayload, workOn } from '../support/services/import-file.ts'
import { accessibilityFaults, becomes, isFocused, keepBack, openStage, settled, type Visit } from './stage.ts'

const stage = await openStage({ after })
const { service } = stage

/** One tab for those who begin with a record of their own: nothing of another is in their way. */
const shared = stage.skip === false ? await stage.visit({ after }) : undefined
if (shared) await shared.go('/new')
const atWork = (): Visit => shared ?? assert.fail('there is no browser')

const read = async (id: string) => (await service.get(`/entities/${id}`)).body
const fieldOf = (entity: { metadata: { key: string; value: unknown }[] }, key: string) =>
  entity.metadata.find(each => each.key === key)?.value
const aVenue = async (name: string) =>
  (
    await service.create({
      type: 'venue',
      metadata: [
        { key: 'name', value: name },
        { key: 'city', value: 'Gent' }
      ]
    })
  ).id
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()
/** Saves a record, and goes to the start page before that is answered. */
const leaveWhileSaving = async (page: Page, id: string) => {
  const answer = await keepBack(page, `**/entities/${id}`, asked => asked.method() === 'PUT')
  await save(page)
  await answer.isAsked()
  await page.getByRole('link', { name: 'Libretto', exact: true }).click()
  await page.getByRole('heading', { name: 'What changed' }).waitFor()
  answer.letGo()
}
const pathOfRecord = /\/record\/([^/]+)$/
/** The record whose page is shown, as soon as one is. */
const idShown = async (page: Page) => {
  await page.waitForURL(({ pathname }) => pathOfRecord.test(pathname))
  return decodeURIComponent(pathOfRecord.exec(new URL(page.url()).pathname)?.[1] ?? '')
}
/** Waits until a field holds this. */
const holds = (field: Locator, value: string) => becomes(() => field.inputValue(), value)

describe('changing a record', { skip: stage.skip }, () => {
  it('saves what was typed, says so, and takes it back when asked', async () => {
    const id = await aVenue('De Kring')
    const { page, walk, complaints } = atWork()
    await walk(`/record/${id}`)
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByLabel('Capacity').fill('250')
    await page.getByLabel('City', { exact: true }).fill('Aalst')
    await save(page)

    await page.getByText('De Kring was saved').waitFor()
    const saved = await read(id)
    assert.equal(fieldOf(saved, 'capacity'), 250)
    assert.equal(fieldOf(saved, 'city'), 'Aalst')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone').waitFor()
    assert.deepEqual((await read(id)).metadata, (await service.get(`/entities/${id}?version=1`)).body.metadata)
    assert.deepEqual(complaints, [])
  })

  it('shows what is wrong where it is wrong, and goes there', async () => {
    const { page, walk } = atWork()
    await walk('/new/production')
    await page.getByRole('textbox', { name: 'Subtitle' }).fill('without a title')
    await page.getByLabel('Duration').fill('-5')
    await save(page)

    await page.getByText('2 things need your attention').waitFor()
    const title = page.getByRole('textbox', { name: /^Title/ })
    assert.equal(await title.getAttribute('aria-invalid'), 'true')
    assert.equal(await page.getByLabel('Duration').getAttribute('aria-invalid'), 'true')
    const noteOf = async (control: Locator) =>
      page.locator(`[id="${await control.getAttribute('aria-describedby')}"]`).innerText()
    assert.equal(await noteOf(page.getByLabel('Duration')), 'This has to be 0 or more.')
    await isFocused(title)
    await title.fill('With a title')
    await page.getByLabel('Duration').fill('75')
    await save(page)
    await page.getByText('With a title was added').waitFor()

    await walk('/new/performance')
    await save(page)
    await page.getByText('2 things need your attention').waitFor()
    const production = page.getByRole('combobox', { name: 'Search for Production' })
    for (const control of [page.getByLabel('Start'), production])
      assert.equal(await noteOf(control), 'Required: this cannot be empty.')
  })

  it('keeps what was typed when the tab is closed, and lets it be thrown away', async t => {
    const id = await aVenue('De Bron')
    const { page, go, another } = await stage.visit(t)
    await go(`/record/${id}/edit`)
    await page.getByLabel('Address', { exact: true }).fill('Dorpsstraat 1')
    await page.waitForFunction(
      key => localStorage.getItem(key)?.includes('Dorpsstraat 1') === true,
      `libretto-draft:${id}`
    )
    await page.close()

    const again = await another(`/record/${id}/edit`)
    const address = again.getByLabel('Address', { exact: true })
    await again.getByText('Your unsaved draft was restored').waitFor()
    await holds(address, 'Dorpsstraat 1')
    assert.equal((await read(id)).version, 1)
    await again.getByRole('button', { name: 'Discard draft' }).click()
    await holds(address, '')

    // Three levels in one go are kept too, also when somebody leaves at the very moment.
    await again.goto(`${stage.url}/new/publication`)
    const title = again.getByRole('textbox', { name: /^Title/ })
    await title.nth(1).fill('Half af')
    await again.reload()
    await again.getByText('Your unsaved draft was restored').waitFor()
    await holds(title.nth(1), 'Half af')
    await again.getByRole('button', { name: 'Discard draft' }).click()
    await holds(title.nth(1), '')
  })

  it('joins what two people changed in different fields', async () => {
    const id = await aVenue('De Samenloop')
    const { page, walk } = atWork()
    await walk(`/record/${id}/edit`)
    await service.patch(`/entities/${id}`, { metadata: [{ key: 'phone', value: '09 123' }] })
    await page.getByLabel('Capacity').fill('90')
    await save(page)

    await page.getByText('De Samenloop was saved').waitFor()
    const joined = await read(id)
    assert.equal(fieldOf(joined, 'phone'), '09 123')
    assert.equal(fieldOf(joined, 'capacity'), 90)
  })

  it('begins a form that is opened again with the record as it is then', async () => {
    const { page, go, walk } = atWork()
    const id = await aVenue('De Herhaling')
    await go(`/record/${id}/edit`)
    assert.equal(await page.getByLabel('City', { exact: true }).inputValue(), 'Gent')
    await walk('/')
    await service.patch(`/entities/${id}`, { metadata: [{ key: 'city', value: 'Aalst' }] })
    await walk(`/record/${id}/edit`)
    assert.equal(await page.getByLabel('City', { exact: true }).inputValue(), 'Aalst')
  })

  it('brings nobody back who went elsewhere while it was being saved, and keeps no draft of it', async () => {
    const id = await aVenue('De Doorloper')
    const { page, walk } = atWork()
    await walk(`/record/${id}/edit`)
    await page.getByLabel('Capacity').fill('60')
    await leaveWhileSaving(page, id)
    await page.getByText('De Doorloper was saved').waitFor()
    await settled(page)
    assert.equal(new URL(page.url()).pathname, '/')
    assert.equal(fieldOf(await read(id), 'capacity'), 60)
    assert.equal(await page.evaluate(key => localStorage.getItem(key), `libretto-draft:${id}`), null)
  })

  it('tells those who went elsewhere that it was not saved, and keeps the draft', async () => {
    const id = await aVenue('De Wegloper')
    const { page, walk } = atWork()
    await walk(`/record/${id}/edit`)
    await page.getByLabel('Capacity').fill('70')
    await page.route(`**/entities/${id}`, route =>
      route.request().method() === 'PUT' ? route.abort() : route.fallback()
    )
    await leaveWhileSaving(page, id)
    await page.getByText('Your changes were not saved, and are kept as a draft.').waitFor()
    assert.equal((await read(id)).version, 1)
    await walk(`/record/${id}/edit`)
    await page.getByText('Your unsaved draft was restored').waitFor()
    await holds(page.getByLabel('Capacity'), '70')
    await page.getByRole('button', { name: 'Discard draft' }).click()
  })

  it('says that a record was saved although the page cannot be brought up to date', async () => {
    const id = await aVenue('De Wachter')
    const { page, walk } = atWork()
    await walk(`/record/${id}/edit`)
    await page.getByLabel('Capacity').fill('80')
    const late = await keepBack(page, `**/entities/${id}`, asked => asked.method() === 'GET')
    await save(page)
    await page.getByText('De Wachter was saved').waitFor()
    await late.isAsked()
    late.letGo()
    assert.equal(fieldOf(await read(id), 'capacity'), 80)
  })

  it('loses nothing that is typed on while it is being saved, nor while a record is being made', async () => {
    const id = await aVenue('De Doorschrijver')
    const { page, walk } = atWork()
    await walk(`/record/${id}/edit`)
    const city = page.getByLabel('City', { exact: true })
    await city.fill('Aal')
    const change = await keepBack(page, `**/entities/${id}`, asked => asked.method() === 'PUT')
    await save(page)
    await change.isAsked()
    await city.fill('Aalst')
    change.letGo()
    await page.getByText('De Doorschrijver was saved').waitFor()
    await settled(page)
    assert.equal(fieldOf(await read(id), 'city'), 'Aal')
    await holds(city, 'Aalst')
    await save(page)
    await becomes(async () => fieldOf(await read(id), 'city'), 'Aalst')
    assert.equal(await idShown(page), id)

    await walk('/new/venue')
    await page.getByLabel(/^Name/).fill('De Nieuwbouw')
    const making = await keepBack(page, '**/entities', asked => asked.method() === 'POST')
    await save(page)
    await making.isAsked()
    await city.fill('Lier')
    making.letGo()
    await page.getByText('Your unsaved draft was restored').waitFor()
    await holds(city, 'Lier')
    await save(page)
    await page.getByText('De Nieuwbouw was saved').waitFor()
    const made = await read(await idShown(page))
    assert.equal(fieldOf(made, 'city'), 'Lier')
    assert.equal(made.version, 2)
  })

  it('shows field by field what two people changed differently, and keeps what is chosen', async () => {
    const id = await aVenue('De Botsing')
    const { page, walk } = atWork()
    await walk(`/record/${id}/edit`)
    await service.patch(`/entities/${id}`, {
      metadata: [
        { key: 'city', value: 'Brugge' },
        { key: 'phone', value: '050 1' },
        { key: 'country', value: 'BE' }
      ]
    })
    await page.getByLabel('City', { exact: true }).fill('Kortrijk')
    await page.getByLabel('Telephone', { exact: true }).fill('056 2')
    await save(page)

    const dialog = page.getByRole('dialog', { name: 'Somebody else saved first' })
    await dialog.waitFor()
    assert.equal(await dialog.getByRole('group').count(), 2)
    await dialog.getByRole('group', { name: 'City' }).getByLabel('Yours').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('De Botsing was saved').waitFor()
    const settledOn = await read(id)
    assert.equal(fieldOf(settledOn, 'city'), 'Kortrijk')
    assert.equal(fieldOf(settledOn, 'phone'), '050 1')
    assert.equal(fieldOf(settledOn, 'country'), 'BE')
    assert.equal(settledOn.version, 3)
  })

  it('writes text with markup as it will look, and only what the service keeps', async () => {
    const { page, walk, complaints } = atWork()
    const made = await service.create({ type: 'production', metadata: [{ key: 'title', value: 'Met tekst' }] })
    await walk(`/record/${made.id}/edit`)
    const editor = page.getByRole('textbox', { name: 'Credits' })
    await editor.click()
    await page.keyboard.type('Regie: ')
    await page.keyboard.press('Control+b')
    await page.keyboard.type('Ilse')
    await page.keyboard.press('Control+b')
    await page.keyboard.press('Enter')
    await page.getByRole('toolbar', { name: 'Credits' }).getByRole('button', { name: 'List', exact: true }).click()
    await page.keyboard.type('licht')
    await page.keyboard.press('Enter')
    await page.keyboard.type('geluid')
    // Pasted markup is parsed, not run; elements that the service would remove are not inserted.
    // Text that is typed in another field at the same moment is not lost.
    const subtitle = await page.getByRole('textbox', { name: 'Subtitle' }).elementHandle()
    await editor.evaluate((element, other) => {
      const data = new DataTransfer()
      data.setData(
        'text/html',
        '<p>plak<img src=x onerror="globalThis.hasRun=1"><script>globalThis.hasRun=1</script></p>'
      )
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(other, 'meteen')
      other?.dispatchEvent(new Event('input', { bubbles: true }))
    }, subtitle)
    await save(page)

    await page.getByText('Met tekst was saved').waitFor()
    const saved = await read(made.id)
    assert.equal(
      fieldOf(saved, 'credits'),
      '<p>Regie: <strong>Ilse</strong></p><ul><li>licht</li><li>geluidplak</li></ul>'
    )
    assert.equal(fieldOf(saved, 'subtitle'), 'meteen')
    assert.equal(await page.evaluate(() => 'hasRun' in globalThis), false)
    // Chromium tells of a handler in what was pasted when it is read, although nothing could run
    // there.
    assert.deepEqual(
      complaints.splice(0).filter(each => !/^Executing inline event handler violates/.test(each)),
      []
    )
  })

  it('shows as text what the right control cannot show, markup as source, and changes nothing of it', async () => {
    const { page, walk } = atWork()
    const table = '<table><tbody><tr><td>een</td></tr></tbody></table>'
    const made = await service.create({
      type: 'production',
      metadata: [
        { key: 'title', value: 'Met tabel' },
        { key: 'premiere_date', value: '2026-11-14T20:00:00Z' },
        { key: 'credits', value: table }
      ]
    })
    await walk(`/record/${made.id}/edit`)
    const source = page.getByRole('textbox', { name: 'Credits' })
    await holds(source, table)
    assert.equal(await page.getByLabel('Premiere').inputValue(), '2026-11-14T20:00:00Z')
    await page.getByRole('textbox', { name: 'Subtitle' }).fill('en meer')
    await save(page)
    await page.getByText('Met tabel was saved').waitFor()
    const saved = await read(made.id)
    assert.equal(fieldOf(saved, 'credits'), table)
    assert.equal(fieldOf(saved, 'premiere_date'), '2026-11-14T20:00:00Z')
  })

  it('keeps everything that it does not show: unknown fields, further members, identifiers', async () => {
    const made = await service.create({
      type: 'venue',
      identifiers: ['urn:x:kept'],
      metadata: [
        { key: 'name', value: 'De Bewaarder', lang: 'nl', source: 'hand' },
        { key: 'shelf_mark', value: { nested: [1, 2] } }
      ]
    })
    const { page, walk } = atWork()
    await walk(`/record/${made.id}/edit`)
    await page.getByLabel('City', { exact: true }).fill('Gent')
    await save(page)
    await page.getByText('De Bewaarder was saved').waitFor()
    const saved = await read(made.id)
    assert.deepEqual(saved.metadata.slice(0, 2), made.metadata)
    assert.deepEqual(saved.identifiers, made.identifiers)
  })

  it('deletes after asking, says what else loses something, and brings it back', async () => {
    const id = await aVenue('De Verdwijning')
    const { page, walk } = atWork()
    await walk(`/record/${id}`)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('De Verdwijning was deleted').waitFor()
    assert.equal((await service.get(`/entities/${id}`)).status, 404)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('heading', { level: 1, name: 'De Verdwijning', exact: true }).waitFor()
    assert.equal((await service.get(`/entities/${id}`)).status, 200)
  })
})

describe('adding', { skip: stage.skip }, () => {
  it('makes work, expression and manifestation in one go, and the author with them', async () => {
    const { page, walk, complaints } = atWork()
    await walk('/new')
    await page.getByRole('link', { name: 'A publication with its work' }).click()
    const step = (name: string) => page.locator('.step').filter({ has: page.getByRole('heading', { name }) })
    await step('1. The work')
      .getByRole('textbox', { name: /^Title/ })
      .fill('Het nieuwe verhaal')
    await step('1. The work').getByRole('combobox', { name: 'Search for People' }).fill('Nieuweling, Nora')
    await page.getByRole('option', { name: /Add “Nieuweling, Nora” Person/ }).click()
    await step('1. The work').locator('.picked').getByText('Nieuweling, Nora').waitFor()
    // She can be chosen again in the same form, and is made once, when it is saved.
    await step('2. The expression').getByRole('combobox', { name: 'Search for People' }).fill('nieuweling')
    await page.getByRole('option', { name: /^Nieuweling, Nora/ }).click()
    const nora = [
      { type: 'search', value: 'nieuweling nora' },
      { type: 'type', value: 'person' }
    ]
    assert.equal((await service.filter(nora)).body.count, 0)
    await step('2. The expression').getByRole('combobox', { name: 'Search for Languages' }).fill('Dutch')
    await page
      .locator('.suggestion')
      .filter({ hasText: /^Dutch/ })
      .click()
    await step('3. The edition').getByRole('textbox', { name: 'ISBN' }).fill('978-90-9758-160-9')
    await step('3. The edition').getByLabel('Year of publication').fill('2026')
    await save(page)

    await page.getByText('Het nieuwe verhaal was added').waitFor()
    const { body: wem } = await service.get(`/entities/wem/${await idShown(page)}`)
    assert.equal(wem.work.metadata.title.value, 'Het nieuwe verhaal')
    assert.equal(wem.expression.metadata.title.value, 'Het nieuwe verhaal')
    assert.equal(wem.manifestation.metadata.isbn.value, '978-90-9758-160-9')
    assert.ok(Object.values(wem.work.relations).some(each => (each as { value: string }).value === 'Nieuweling, Nora'))
    assert.equal((await service.filter(nora)).body.count, 1)
    await page.getByRole('button', { name: 'Undo' }).first().click()
    await page.getByText('Undone').waitFor()
    assert.equal((await service.filter(nora)).body.count, 0)
    assert.equal(
      (await service.filter([{ type: 'text', key: 'properties.title.value', value: 'Het nieuwe verhaal' }])).body.count,
      0
    )
    assert.deepEqual(complaints, [])
  })

  it('makes nothing at all when one of the three is refused', async () => {
    const { page, walk } = atWork()
    const before = (await service.filter([], '?limit=0')).body.count
    await walk('/new/publication')
    await page.getByRole('textbox', { name: 'ISBN' }).fill('978-90-9758-160-9')
    await save(page)
    await page.locator('.form-foot .fault').first().waitFor()
    assert.equal(
      await page
        .getByRole('textbox', { name: /^Title/ })
        .first()
        .getAttribute('aria-invalid'),
      'true'
    )
    assert.equal((await service.filter([], '?limit=0')).body.count, before)
  })

  it('works by the keyboard alone', async () => {
    const { page, walk } = atWork()
    await walk('/new/person')
    const name = page.getByLabel(/^Name/)
    await name.waitFor()
    while (!(await name.evaluate(element => element === document.activeElement))) await page.keyboard.press('Tab')
    await page.keyboard.type('Toetsenbord, Tine')
    await page.keyboard.press('Enter')
    await page.getByText('Toetsenbord, Tine was added').waitFor()
    assert.equal(fieldOf(await read(await idShown(page)), 'name'), 'Toetsenbord, Tine')
  })
})

describe('merging', { skip: stage.skip }, () => {
  it('shows both side by side with what will happen, merges, and takes it back', async () => {
    const [stays, goes] = [await aVenue('Zaal Een'), await aVenue('Zaal 1')]
    await service.patch(`/entities/${goes}`, { metadata: [{ key: 'phone', value: '09 999' }] })
    const production = await service.create({
      type: 'production',
      metadata: [{ key: 'title', value: 'In twee zalen' }],
      relations: [{ type: 'refVenues', key: goes }]
    })
    const { page, walk } = atWork()
    await walk(`/record/${stays}`)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('link', { name: 'Merge' }).click()
    await page.getByRole('combobox', { name: /Search for Zaal Een/ }).fill('Zaal 1')
    await page.getByRole('option', { name: /^Zaal 1/ }).click()
    await page.getByText('1 reference will lead here instead').waitFor()
    assert.equal((await read(goes)).id, goes)
    const asked: string[] = []
    const note = (request: Request) => asked.push(request.url())
    page.on('request', note)
    await page.getByRole('button', { name: 'Merge', exact: true }).click()

    await page.getByText('Merged into Zaal Een').waitFor()
    page.off('request', note)
    assert.deepEqual(
      asked.filter(url => url.includes('dry_run')),
      [],
      'what is merged is merged again'
    )
    assert.equal((await read(goes)).id, stays)
    assert.equal(fieldOf(await read(stays), 'phone'), '09 999')
    assert.deepEqual((await read(production.id)).relations, [{ type: 'refVenues', key: stays }])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone').waitFor()
    await settled(page)
    assert.equal((await read(goes)).id, goes)
    assert.deepEqual((await read(production.id)).relations, [{ type: 'refVenues', key: goes }])
  })
})

describe('media of a production', { skip: stage.skip }, () => {
  /** The smallest picture there is. */
  const picture = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64'
  )

  it('takes a poster, shows it, changes the readiness, and takes it back', async () => {
    const made = await service.create({
      type: 'production',
      metadata: [
        { key: 'title', value: 'Met affiche' },
        { key: 'posters_status', value: 'complete' }
      ]
    })
    const { page, walk, complaints } = atWork()
    await walk(`/record/${made.id}`)
    const posters = page.locator('.stage').filter({ hasText: 'Posters' })
    await posters.getByText('0 files').waitFor()
    await page.getByText('0 of 8 ready').first().waitFor()
    await page.getByLabel('Choose files').setInputFiles({ name: 'affiche.png', mimeType: 'image/png', buffer: picture })

    await page.getByText('affiche.png was added').waitFor()
    await posters.getByText('1 file').waitFor()
    await page.getByText('1 of 8 ready').first().waitFor()
    const shown = page.locator('.media-file img')
    await shown.waitFor()
    await page.waitForFunction(() => (document.querySelector('.media-file img') as HTMLImageElement).naturalWidth === 1)
    assert.equal((await service.get(`/entities/${made.id}/mediafiles`)).body.count, 1)
    await page.getByRole('link', { name: 'affiche.png' }).click()
    await page.getByRole('heading', { level: 1, name: 'affiche.png' }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).click()
    ])
    assert.deepEqual(await readFile(await download.path()), picture)
    await page.goBack()
    await posters.getByText('1 file').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone').waitFor()
    await posters.getByText('0 files').waitFor()
    assert.deepEqual(complaints, [])
  })

  it('takes files that are dropped', async () => {
    const made = await service.create({ type: 'production', metadata: [{ key: 'title', value: 'Gedropt' }] })
    const { page, walk } = atWork()
    await walk(`/record/${made.id}`)
    const transfer = await page.evaluateHandle(() => {
      const data = new DataTransfer()
      data.items.add(new File(['een rider'], 'rider.txt', { type: 'text/plain' }))
      return data
    })
    await page.locator('.drop-place select').selectOption('Technical information')
    await page.locator('.drop-place').dispatchEvent('drop', { dataTransfer: transfer })
    await page.getByText('rider.txt was added').waitFor()
    const { results } = (await service.get(`/entities/${made.id}/mediafiles?category=rider`)).body
    assert.equal(results.length, 1)
  })

  for (const type of ['person', 'venue', 'library'])
    it(`takes a picture of a ${type}, which stands in its heading and can be cropped`, async () => {
      const { id } = await service.create({ type, metadata: [{ key: 'name', value: `With a picture (${type})` }] })
      const { page, walk } = atWork()
      await walk(`/record/${id}`)
      await page.getByLabel('Describe the picture').fill(`The ${type}`)
      const file = { name: `${type}.png`, mimeType: 'image/png', buffer: aPng(60, 60) }
      await page.locator('.drop-place input[type=file]').setInputFiles(file)
      await page
        .locator('.record-head')
        .getByRole('img', { name: `The ${type}` })
        .waitFor()
      await page.getByRole('button', { name: /^Crop / }).waitFor()
    })
})

describe('a stored picture', { skip: stage.skip }, () => {
  it('is cropped freely by the keyboard alone, and the crop is undone', async () => {
    const { id } = await service.create({ type: 'venue', metadata: [{ key: 'name', value: 'Cropped by keys' }] })
    const { page, walk } = atWork()
    await walk(`/record/${id}`)
    const file = { name: 'stage.png', mimeType: 'image/png', buffer: aPng(200, 100) }
    await page.locator('.drop-place input[type=file]').setInputFiles(file)
    const crop = page.getByRole('button', { name: 'Crop stage.png' })
    await crop.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Crop the picture' })
    await becomes(() => dialog.getByRole('button', { name: 'Crop and add' }).isDisabled(), false)
    await dialog.getByLabel('Shape').selectOption('Free')
    for (const [slider, presses] of [
      ['Width', 50],
      ['Height', 20]
    ] as const) {
      await dialog.getByRole('slider', { name: slider, exact: true }).focus()
      for (let press = 0; press < presses; press++) await page.keyboard.press('ArrowLeft')
    }
    await page.keyboard.press('Enter')
    await page.getByText('stage.png (cropped) was added').waitFor()
    const sizes = async () =>
      (await service.get(`/entities/${id}/mediafiles`)).body.results
        .map(({ metadata }: { metadata: { key: string; value: unknown }[] }) =>
          ['width', 'height'].map(name => metadata.find(({ key }) => key === name)?.value).join(' × ')
        )
        .toSorted()
    assert.deepEqual(await sizes(), ['100 × 80', '200 × 100'])
    // The last message is the first in the strip.
    const undo = page.getByRole('button', { name: 'Undo' })
    await undo.first().click()
    await page.getByText('Undone').first().waitFor()
    assert.deepEqual(await sizes(), ['200 × 100'])
    await undo.click()
    await page.getByText('Undone').nth(1).waitFor()
    assert.deepEqual(await sizes(), [])
  })
})

describe('editing the MARC record of an edition', { skip: stage.skip }, () => {
  /** Imports a record, and opens its editor from the page of the edition. */
  async function openEditor(page: Page, walk: Visit['walk'], name: string) {
    const lines = `020 ## $a9789025701017\n084 ## $aHdb$2kssb\n245 14 $aThe ${name} /$cMila Verhoeven.\n264 #1 $aGent :$bDe Kade,$c1951.`
    await importPayload(service, marcFile({ [name]: lines }), { query: '?agency=PAGE' })
    const { id } = (await service.get(`/entities/${encodeURIComponent(`(PAGE)${name}`)}`)).body
    await walk(`/record/${id}`)
    await page.getByText('MARC record and origin').click()
    await page.getByRole('link', { name: 'Edit MARC' }).click()
    const area = page.getByLabel('Fields, one on each line')
    await area.waitFor()
    const replace = async (from: RegExp, to: string) => area.fill((await area.inputValue()).replace(from, to))
    return { id: String(id), area, replace }
  }
  const check = (page: Page) => page.getByRole('button', { name: 'Check', exact: true }).click()
  const marcOf = async (id: string) => (await service.get(`/entities/${id}?format=marcjson`)).text

  it('checks the text, shows what would change, saves by the keyboard, and takes it back', async () => {
    const { page, walk, complaints } = atWork()
    const { id, area, replace } = await openEditor(page, walk, 'ferry')
    const before = await marcOf(id)
    await replace(/^245.*$/m, '245 19 $aThe raft /$cMila Verhoeven, $dx')
    await replace(/\$aHdb/, '$aCosts 5{dollar}')
    await check(page)
    await page.getByText('Field 245 has no subfield $d').waitFor()
    await page.getByRole('heading', { name: 'Changes in the catalogue' }).waitFor()
    await page.locator('.marc-check .became', { hasText: 'The raft' }).first().waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    await page.locator('.marc-check li', { hasText: 'subfield $d' }).getByRole('button').click()
    await isFocused(area)
    await page.locator('.marc-field-name', { hasText: 'Title statement' }).waitFor()
    assert.equal(await marcOf(id), before)

    await replace(/, \$dx/, '.')
    await replace(/^020.*$/m, 'not a field')
    await area.press('Control+s')
    await page.getByText(/Line \d+ cannot be read/).waitFor()
    await replace(/^not a field$/m, '020 ## $a9789025701017')
    await area.press('Control+s')
    await page.getByText('The check found nothing wrong.').waitFor()
    await area.press('Control+s')
    await page.getByText('The raft was saved').waitFor()
    assert.equal(fieldOf(await read(id), 'title'), 'The raft')
    assert.match(await marcOf(id), /Costs 5\$/)
    const job = (await service.get(`/entities/${id}/origin`)).body.import_id
    await page.getByRole('button', { name: 'Undo' }).click()
    await becomes(async () => (await service.get(`/imports/${job}`)).body.state, 'undoing')
    await workOn(service, job)
    await page.getByText('Undone').waitFor()
    assert.equal(fieldOf(await read(id), 'title'), 'The ferry')
    assert.deepEqual(complaints, [])
  })

  it('says what is wrong while typing, and is used by the keyboard alone', async () => {
    const { page, walk, complaints } = atWork()
    const { id, area } = await openEditor(page, walk, 'weir')
    await area.focus()
    const goTo = async (tag: string) => {
      await area.press('Control+Home')
      const line = (await area.inputValue()).split('\n').findIndex(each => each.startsWith(tag))
      for (let count = 0; count < line; count++) await area.press('ArrowDown')
    }
    await goTo('245')
    await area.press('Alt+Enter')
    await area.pressSequentially('500')
    await area.press('Control+ArrowDown')
    await area.pressSequentially('Built in 1951.$zx')
    await page.locator('.marc-live summary', { hasText: '1 message' }).waitFor()
    await area.press('Control+Home')
    await area.press('F8')
    await page.locator('.marc-field-name .fault', { hasText: 'Field 500 has no subfield $z' }).waitFor()
    await area.press('Control+Shift+X')
    await goTo('245')
    await area.press('Alt+8')
    await area.pressSequentially('Плотина')
    await area.press('Control+ArrowDown')
    await area.pressSequentially('Мила')
    await page.locator('.marc-pair code', { hasText: 'Плотина' }).waitFor()
    await page.getByText('Keys', { exact: true }).click()
    assert.deepEqual(await accessibilityFaults(page), [])
    await area.press('Control+s')
    await page.getByText('The check found nothing wrong.').waitFor()
    await area.press('Control+s')
    await page.getByText('The weir was saved').waitFor()
    assert.match(await marcOf(id), /"880".*245-01.*Плотина/)
    assert.deepEqual(complaints, [])
  })

  it('adds the fields of a template that the record lacks, and stores templates', async () => {
    const { page, walk } = atWork()
    const templates = [{ name: 'Playbill', lines: '245 10 $a\n655 #7 $aPlaybills$2lcgft' }]
    assert.equal((await service.put('/site', { templates })).status, 200)
    // The page keeps answers for seconds; the test before has asked for templates.
    await page.reload()
    const { area } = await openEditor(page, walk, 'mole')
    await page.getByLabel('Add fields for').selectOption('a serial')
    assert.match(await area.inputValue(), /^310 ## \$a$[\s\S]*^362 0# \$a$/m)
    assert.equal((await area.inputValue()).match(/^245 /gm)?.length, 1)
    await area.press('Control+End')
    await page.getByRole('button', { name: 'Store the selected lines' }).click()
    await page.getByLabel('Name of the template').fill('Mine')
    await page.getByLabel('Name of the template').press('Enter')
    await page.getByLabel('Add fields for').selectOption('Mine')
    await page.getByLabel('Add fields for').selectOption('Playbill')
    assert.match(await area.inputValue(), /^655 #7 \$aPlaybills\$2lcgft$/m)
    assert.equal((await service.delete('/site')).status, 200)
  })

  it('begins a record from a template, tells that it is here already, and takes it back', async () => {
    const { page, walk, complaints } = atWork()
    await walk('/new')
    await page.getByRole('link', { name: /A record in MARC/ }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'New MARC record' }).waitFor()
    const area = page.getByLabel('Fields, one on each line')
    await page.getByLabel('Add fields for').selectOption('a book')
    assert.match(await area.inputValue(), /^LDR .{20}4500\n008 \d{6}\|{34}\n020 /)
    await area.press('Control+a')
    await area.pressSequentially(
      'LDR 00000nam a2200000   4500\n001 new1\n003 PAGE\n245 14 $aThe breakwater\n500 ## $zx'
    )
    await page.locator('.marc-live summary', { hasText: '1 message' }).waitFor()
    await area.press('Backspace')
    await area.press('Backspace')
    await area.pressSequentially('aMade here.')
    await area.press('Control+s')
    await page.getByText('The check found nothing wrong.').waitFor()
    await page.locator('.marc-check h3', { hasText: 'Work' }).first().waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    await area.press('Control+s')
    await page.getByText('The breakwater was saved').waitFor()
    await page.getByRole('heading', { level: 1, name: 'The breakwater' }).waitFor()
    const { id } = (await service.get(`/entities/${encodeURIComponent('(PAGE)new1')}`)).body
    await page.getByRole('button', { name: 'Undo' }).click()
    const job = (await service.get(`/entities/${id}/origin`)).body.import_id
    await becomes(async () => (await service.get(`/imports/${job}`)).body.state, 'undoing')
    await workOn(service, job)
    await page.getByText('Undone').waitFor()
    assert.equal((await service.get(`/entities/${id}`)).status, 404)

    await importPayload(service, marcFile({ here: '003 PAGE\n245 10 $aHere already' }))
    await walk('/new/marc')
    await area.fill('LDR 00000nam a2200000   4500\n001 here\n003 PAGE\n245 10 $aAnother')
    await area.press('Control+s')
    await page.getByRole('alert').getByText('This record is in the catalogue already.').waitFor()
    await page.getByRole('link', { name: 'Edit that record' }).click()
    await page.getByRole('heading', { level: 1, name: 'MARC record of Here already' }).waitFor()
    assert.deepEqual(complaints, [])
  })

  it('offers the positions of fixed fields by name, by the keyboard alone', async () => {
    const { page, walk, complaints } = atWork()
    const { area } = await openEditor(page, walk, 'dune')
    await page.getByLabel('Add fields for').selectOption('a book')
    const goTo = async (tag: string) => {
      await area.press('Control+Home')
      const line = (await area.inputValue()).split('\n').findIndex(each => each.startsWith(tag))
      for (let count = 0; count < line; count++) await area.press('ArrowDown')
    }
    const lineOf = async (tag: string) => (await area.inputValue()).split('\n').find(each => each.startsWith(tag)) ?? ''
    await goTo('008')
    await page.getByRole('group', { name: 'Positions of 008' }).waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    await area.press('F2')
    await isFocused(page.getByLabel('Date entered'))
    const form = page.getByLabel('Literary form')
    await form.focus()
    await form.pressSequentially('p poetry')
    await becomes(async () => (await lineOf('008'))[4 + 33], 'p')
    await isFocused(form)
    await page.getByLabel('Illustrations 2').selectOption('b maps')
    await page.getByRole('textbox', { name: 'Language' }).fill('dut')
    await becomes(async () => (await lineOf('008')).slice(4 + 18, 4 + 20), ' b')
    assert.equal((await lineOf('008')).slice(4 + 35, 4 + 38), 'dut')
    assert.equal((await lineOf('008')).length, 44)
    await form.press('Escape')
    await isFocused(area)
    await goTo('LDR')
    await page.getByLabel('Bibliographic level').selectOption('s serial')
    await goTo('008')
    await page.getByLabel('Frequency').selectOption('q quarterly')
    assert.equal((await lineOf('008'))[4 + 18], 'q')
    await goTo('245')
    await page.getByRole('group', { name: /^Positions/ }).waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
  })

  it('tells when the browser does not store a template', async () => {
    const { page, walk } = atWork()
    const { area } = await openEditor(page, walk, 'mound')
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError')
      }
    })
    await area.press('Control+End')
    await page.getByRole('button', { name: 'Store the selected lines' }).click()
    await page.getByLabel('Name of the template').fill('Lost')
    await page.getByLabel('Name of the template').press('Enter')
    await page.getByText('This browser did not store the template').waitFor()
    assert.equal(await page.getByLabel('Name of the template').inputValue(), 'Lost')
  })

  it('asks before the page is closed where the browser stores no draft', async () => {
    const { page, walk } = atWork()
    const { replace } = await openEditor(page, walk, 'berm')
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError')
      }
    })
    await replace(/Hdb/, 'Mine')
    const asked = page.waitForEvent('dialog')
    void page.close({ runBeforeUnload: true })
    const dialog = await asked
    assert.equal(dialog.type(), 'beforeunload')
    await dialog.dismiss()
  })

  it('is checked while an import runs, and says why it cannot be saved yet', async () => {
    const { page, walk, complaints } = atWork()
    const { area, replace } = await openEditor(page, walk, 'polder')
    const { store } = service.libretto
    assert.ok(await store.holdLease('imports', 'another process', 60_000))
    await replace(/^245.*$/m, '245 14 $aThe polder$dx')
    await page.locator('.marc-live summary', { hasText: '1 message' }).waitFor()
    await area.press('Control+s')
    await page.getByText('Field 245 has no subfield $d').first().waitFor()
    await area.press('Control+s')
    await page.getByText('an import may be running').waitFor()
    assert.match(complaints.splice(0).join(' '), /503/)
    assert.match(await area.inputValue(), /The polder\$dx/)
    await store.releaseLease('imports', 'another process')
    await area.press('Control+s')
    await page.getByText('The polder was saved').waitFor()
  })

  it('edits authority records in their own fields', async () => {
    const { page, walk } = atWork()
    const lines = { heron: 'LDR/06 z\n003 PAGE\n100 1# $aHeron, Ann,$d1901-1980\n670 ## $aHer Birds' }
    await importPayload(service, marcFile(lines), { query: '?agency=PAGE' })
    const found = await service.post('/entities/filter', [
      { type: 'type', value: 'person' },
      { type: 'selection', key: ['name'], value: 'Heron, Ann', match_exact: true }
    ])
    const { id } = found.body.results[0]
    await walk(`/record/${id}`)
    await page.getByText('MARC record and origin').click()
    await page.getByRole('link', { name: 'Edit MARC' }).click()
    const area = page.getByLabel('Fields, one on each line')
    await area.fill((await area.inputValue()).replace('Heron, Ann', 'Heron, Anna'))
    await area.press('Control+s')
    await page.getByRole('heading', { name: 'Changes in the catalogue' }).waitFor()
    await area.press('Control+s')
    await page.getByText('Heron, Anna was saved').waitFor()
    assert.equal(fieldOf(await read(id), 'name'), 'Heron, Anna')
  })

  it('edits a record of UNIMARC by its own names and rules, and shows it', async () => {
    const { page, walk, complaints } = atWork()
    const given =
      'LDR 00000nam0 2200000   450 \n001 u1\n003 PAGE\n100 ## $a20260101d1951    u  y0frey50      ba\n' +
      '101 0# $afre\n200 1# $aLa jetée$fMila Verhoeven\n210 ## $aGand$cDe Kade$d1951'
    await walk('/new/marc')
    const area = page.getByLabel('Fields, one on each line')
    await area.fill(given)
    await area.press('Control+s')
    await page.getByText('The check found nothing wrong.').waitFor()
    await area.press('Control+s')
    await page.getByRole('heading', { level: 1, name: 'La jetée' }).waitFor()
    await page.getByText('MARC record and origin').click()
    await page.getByRole('link', { name: 'Edit MARC' }).click()
    await area.waitFor()
    assert.equal(await area.inputValue(), given)
    await area.fill(given.replace('$aLa jetée', '$aLa jetée haute$kx'))
    await page.locator('.marc-live summary', { hasText: '1 message' }).waitFor()
    await area.press('F8')
    await page.locator('.marc-field-name', { hasText: '200 Title statement' }).waitFor()
    await page.locator('.marc-field-name .fault', { hasText: 'Field 200 has no subfield $k' }).waitFor()
    await page.getByLabel('Add fields for').selectOption('a book (UNIMARC)')
    assert.match(await area.inputValue(), /^215 ## \$a\$d$/m)
    assert.deepEqual(await accessibilityFaults(page), [])
    await area.fill(given.replace('$aLa jetée', '$aLa jetée haute'))
    await area.press('Control+s')
    await page.getByText('The check found nothing wrong.').waitFor()
    await area.press('Control+s')
    await page.getByText('La jetée haute was saved').waitFor()
    await page.getByRole('heading', { level: 1, name: 'La jetée haute' }).waitFor()
    assert.deepEqual(complaints, [])
  })

  it('says when somebody else changed the record meanwhile, and loses no text', async () => {
    const { page, walk } = atWork()
    const { id, area, replace } = await openEditor(page, walk, 'quay')
    await replace(/\$aHdb/, '$aMine')
    await service.patch(`/entities/${id}`, { metadata: [{ key: 'title', value: 'Theirs' }] })
    await check(page)
    await page.getByText('Somebody else has changed this record').waitFor()
    assert.match(await area.inputValue(), /\$aMine/)
    await page.getByRole('button', { name: 'Keep my text and replace their record' }).click()
    await check(page)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText(/was saved/).waitFor()
    assert.match(await marcOf(id), /Mine/)
  })
})
