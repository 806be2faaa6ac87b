import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, describe, it } from 'node:test'

import type { Page } from 'playwright-core'

import { marcFile, saltRoad } from '../support/records/marc-files.ts'
import type { Shelf } from '../support/records/marc-lines.ts'
import { accessibilityFaults, isFocused, keepBack, openStage, rulesOfColours, settled, type Visit } from './stage.ts'

const stage = await openStage({ after })
const { service } = stage

/** One window for all: what was loaded once is there for the next. */
const shared = stage.skip === false ? await stage.visit({ after }) : undefined
const visit = (): Visit => shared ?? assert.fail('there is no browser')

const countOf = async (filters: unknown[] = []) => (await service.filter(filters, '?limit=0')).body.count as number
const choose = (page: Page, name: string, buffer: Buffer) =>
  page.locator('input[type="file"]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const isDone = (page: Page) => page.locator('.import-done').first().waitFor()

let isWorking = false
/** Has imports worked on, as they are when the service is started. */
function beginWork() {
  if (!isWorking) service.libretto.imports.start(error => assert.fail(String(error)))
  isWorking = true
}

/** Titles of which nobody can be sure whether they are one. */
const unsure = (...titles: readonly string[]): Shelf =>
  Object.fromEntries(
    titles.flatMap(title =>
      ['', 's'].map(end => [
        `${title}${end}`,
        `100 1# $aOudaert, Lies,$d1921-1990\n245 14 $aThe ${title}${end} /$cLies Oudaert.\n264 #1 $aGent :$bDe Kade,$c195${end.length}.`
      ])
    )
  )

describe('bringing in a file', { skip: stage.skip }, () => {
  it('waits its turn whoever leaves the page, shows what would happen, then does it, and takes all of it back', async () => {
    const before = await countOf()
    const { page, go, complaints } = visit()
    await go('/new')
    await page.getByRole('link', { name: /Import a file/ }).click()
    await choose(page, 'salt road.mrc', Buffer.concat([marcFile(saltRoad), marcFile(saltRoad).subarray(0, 99)]))
    await button(page, 'Preview').click()
    await page.getByText('Imports run one at a time').waitFor()
    await button(page, 'Stop').click()
    await page.getByText('Records imported so far remain').waitFor()

    await page.getByRole('link', { name: 'Libretto', exact: true }).click()
    await page.getByRole('link', { name: 'Manage', exact: true }).click()
    await page.getByRole('link', { name: 'Imports', exact: true }).click()
    await page.getByRole('link', { name: /salt road\.mrc/ }).click()
    await button(page, 'Continue').click()
    await page.getByText('queued').waitFor()
    beginWork()

    await button(page, 'Import now').waitFor()
    assert.match(await page.locator('.count-created').innerText(), /4/)
    await page.locator('.preview-lines > li').nth(3).waitFor()
    const [first, reprint] = await page.locator('.preview-lines > li').allInnerTexts()
    assert.match(first ?? '', /The salt road[\s\S]*new[\s\S]*New work/)
    assert.match(reprint ?? '', /shared with other records of this file[\s\S]*same author and title[\s\S]*% sure/)
    await page.locator('.remarks > li').waitFor()
    assert.match(await page.locator('.remarks').innerText(), /No\. 5 in the file, at byte [\d,]+\s*left out/)
    assert.equal(await countOf(), before)

    await button(page, 'Import now').click()
    await page.getByRole('link', { name: 'Show the new records' }).waitFor()
    assert.match(await page.locator('.import-kinds').innerText(), /Works\s+2[\s\S]*Expressions\s+3[\s\S]*Editions\s+4/)
    const made = (await countOf()) - before
    assert.ok(made > 9)
    await page.getByRole('link', { name: 'Show the new records' }).click()
    await page.getByRole('heading', { name: `${made} records`, exact: true }).waitFor()
    // All that an import changed is one line.
    await page.getByRole('link', { name: 'Libretto', exact: true }).click()
    await page.locator('.recent li', { hasText: 'an import' }).first().waitFor()
    assert.equal(await page.locator('.recent li', { hasText: 'an import' }).count(), 1)
    await page.goBack()
    await page.goBack()
    await button(page, 'Undo import').click()
    await page.getByText(`The ${made} records that it created are deleted`).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
    await page.getByText('This import was undone.').waitFor()
    assert.equal(await countOf(), before)
    assert.deepEqual(complaints, [])
  })

  it('asks what is not sure: works by the keyboard alone, from the file to the last question, and can be decided anew', async () => {
    beginWork()
    const { page, go, complaints } = visit()
    // Asked for long before it is needed: the browser would show a window of its own to a key that
    // is quicker than that.
    const opened = page.waitForEvent('filechooser')
    await go('/manage/imports/new')
    await page.locator('input[type="file"]').focus()
    await page.keyboard.press('Enter')
    await (await opened).setFiles({
      name: 'unsure.mrc',
      mimeType: 'application/marc',
      buffer: marcFile(unsure('watchtower', 'lighthouse', 'riverboat'))
    })
    const tabTo = async (name: string | RegExp) => {
      const wanted = page.getByRole('button', { name }).or(page.getByRole('link', { name }))
      await wanted.waitFor()
      const isThere = () => wanted.evaluate(element => element === document.activeElement)
      for (let presses = 0; presses < 40 && !(await isThere()); presses++) await page.keyboard.press('Tab')
      assert.ok(await isThere(), `${name} cannot be reached`)
    }
    await tabTo('Import without preview')
    await page.keyboard.press('Enter')
    await tabTo('3 questions to decide')
    await page.keyboard.press('Enter')

    const current = page.locator('.question[aria-current="true"]')
    await isFocused(current)
    await settled(page)
    assert.match(await current.innerText(), /Are these the same work\?[\s\S]*differ by a letter or two[\s\S]*% sure/)
    assert.match(await current.innerText(), /The (\w+?)s?\s+The \1s?\s/)
    // The page tells the effect of each answer before it is given.
    const isJoined = (await current.innerText()).includes('Joined for now')
    assert.match(
      await current.innerText(),
      isJoined ? /“Different” divides it in two/ : /“The same” merges their works/
    )
    const workOf = async (record: string) =>
      (await service.get(`/entities/${record}/origin`)).body.links[0].work_id as string
    const areOne = async (title: string) => (await workOf(title)) === (await workOf(`${title}s`))
    const titleNow = async () => /“(\w+) \/ \1s”/.exec(await current.innerText())?.[1] ?? ''

    const first = await titleNow()
    await page.keyboard.press('ArrowDown')
    await isFocused(current.filter({ hasNotText: `The ${first}` }))
    const second = await titleNow()
    const answer = await keepBack(page, /\/imports\/[^/]+$/)
    await page.keyboard.press('s')
    await page.getByRole('heading', { name: '2 questions to decide', exact: true }).waitFor()
    assert.equal(await areOne(second), true)
    // The same decision is offered for the others, and waits for somebody to accept it.
    const offered = page.locator('.like-case-list > li')
    await offered.nth(1).waitFor()
    assert.match(
      await offered.first().innerText(),
      /same author and the same reason[\s\S]*differ by a letter[\s\S]*The same/
    )
    // The next has the focus already, and can be answered as soon as it has, whatever else is on
    // its way.
    await isFocused(current.filter({ hasNotText: `The ${second}` }))
    const third = await titleNow()
    await page.keyboard.press('d')
    await page.getByRole('heading', { name: '1 question to decide', exact: true }).waitFor()
    assert.equal(await areOne(third), false)
    answer.letGo()

    const decided = page.locator('.settled > li').filter({ hasText: new RegExp(`The ${second}s? /`) })
    await decided.getByRole('button', { name: 'No, different' }).click()
    await decided.getByRole('button', { name: 'No, the same' }).waitFor()
    assert.equal(await areOne(second), false)
    // Now that both are different, this is offered for the last one.
    await offered.getByRole('button', { name: /: Different$/ }).click()
    await page.getByRole('heading', { name: 'Nothing to decide' }).waitFor()
    await offered.waitFor({ state: 'detached' })
    assert.equal(await areOne(first), false)
    assert.deepEqual(complaints, [])
  })

  it('has no fault that axe finds, on the page of an import and of its review, in both themes', async () => {
    const id = (await service.get('/imports')).body.at(-1).id
    const [preview] = (await service.get('/imports')).body
    const { page, walk } = visit()
    for (const path of [id, `${id}/review`, preview.id]) {
      await walk(`/manage/imports/${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      assert.deepEqual(await accessibilityFaults(page), [], path)
      // The phone is tried with the other theme.
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.setViewportSize({ width: 360, height: 900 })
      assert.deepEqual(await accessibilityFaults(page, ...rulesOfColours), [], path)
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      assert.ok(wider <= 0, `${path} is ${wider} pixels too wide`)
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize({ width: 1280, height: 900 })
    }
  })

  it('says what is wrong with a file that is none, and with a setting that is none', async () => {
    beginWork()
    const { page, walk } = visit()
    await walk('/manage/imports/new')
    await choose(page, 'empty.mrc', Buffer.alloc(0))
    await button(page, 'Preview').click()
    await page.getByRole('alert').filter({ hasText: 'The file is empty' }).waitFor()
    await choose(page, 'holiday.mrc', Buffer.from('these are only words\n'))
    await button(page, 'Preview').click()
    await page.getByText('begins like none of these').waitFor()
    await page.locator('.count-unreadable').getByText('1', { exact: true }).waitFor()
  })

  it('is told by a table what its columns mean, where their names do not say it', async () => {
    beginWork()
    const { page, walk } = visit()
    await walk('/manage/imports/new')
    await choose(page, 'list.csv', Buffer.from('Nr;Wat;"Door; wie"\n7;De kade van morgen;"Oudaert, Lies"\n'))
    // The columns do not tell what the rows are, so the person does.
    await page.getByLabel('What are the rows?').selectOption('Publications')
    await page.getByLabel('Meaning: Nr').selectOption('Record number')
    await page.getByLabel('Meaning: Wat').selectOption({ value: 'key manifestation title' })
    await page.getByLabel('Meaning: Door; wie').selectOption('Author')
    await page.getByLabel('Whose record numbers').fill('BE-KADE')
    await button(page, 'Import without preview').click()
    await isDone(page)
    const { body } = await service.get(`/entities/${encodeURIComponent('(BE-KADE)7')}?resolve=1`)
    assert.equal(body.metadata.find((each: { key: string }) => each.key === 'title').value, 'De kade van morgen')
  })

  it('takes a programme for what it is: columns with their meanings, a preview of each row, and the import', async () => {
    beginWork()
    const { page, go, complaints } = visit()
    await go('/manage/imports/new')
    await choose(
      page,
      'kade.csv',
      Buffer.from(
        'Nr;Voorstelling;Wanneer;Zaal;Stad\n1;De vloed;31/10/2026 20:15;Kadezaal;Gent\n2;Eb;x;Kadezaal;Gent\n'
      )
    )
    const chosen = (name: string) => page.getByLabel(`Meaning: ${name}`)
    await chosen('Zaal').waitFor()
    assert.equal(await page.getByLabel('What are the rows?').inputValue(), 'records')
    assert.equal(await chosen('Zaal').inputValue(), 'venue name')
    await chosen('Wanneer').selectOption('performance start')
    await page.locator('summary').click()
    await page.waitForFunction(() => document.querySelector('textarea')?.value.includes('"dates": "DMY"'))
    assert.deepEqual(await accessibilityFaults(page), [])
    await button(page, 'Preview').click()
    await isDone(page)
    await page
      .getByText(/Kadezaal · .*Gent/)
      .first()
      .waitFor()
    await page.getByText('Wanneer: "x" is not a date').waitFor()
    assert.equal((await service.get('/entities/kade-production-1')).status, 404)
    await button(page, 'Import now').click()
    await page.getByText('Undo import').waitFor()
    const { body } = await service.get('/entities/kade-production-1')
    assert.equal(body.metadata.find((each: { key: string }) => each.key === 'title').value, 'De vloed')
    assert.deepEqual(complaints, [])
  })

  it('is not for a token that may not write everything, and says so', async t => {
    const { page, go } = await stage.visit(t, { token: await service.tokenWith('read', 'write:work') })
    await go('/manage/imports')
    await page.getByRole('heading', { name: /Your token may not read and write all of them/ }).waitFor()
    await page.getByRole('link', { name: 'Add', exact: true }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Manage' }).count(), 0)
  })
})

describe('taking records out', { skip: stage.skip }, () => {
  const isHamlet = [{ type: 'search', value: 'hamlet' }]
  const take = async (page: Page, format: string | RegExp) => {
    await page.getByRole('dialog').getByLabel(format).check()
    const started = page.waitForEvent('download')
    await page.getByRole('dialog').getByRole('button', { name: 'Download' }).click()
    const download = await started
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
  }
  const bytesOf = async (format: string, filters: unknown[], query = '') =>
    (await service.post(`/export?format=${format}${query}`, filters)).text

  it('gives what was found as a file, the very bytes that the service exports', async () => {
    const { page, walk, complaints } = visit()
    await walk('/find?q=hamlet')
    for (const [label, format, name, query] of [
      [/CSV/, 'csv', 'libretto.csv', '&bom=1'],
      [/BibTeX/, 'bibtex', 'libretto.bib', ''],
      [/MARC 21 \(ISO/, 'marc21', 'libretto.mrc', '']
    ] as const) {
      await button(page, 'Export').click()
      const taken = await take(page, label)
      assert.equal(taken.name, name)
      assert.equal(taken.bytes.toString(), await bytesOf(format, isHamlet, query))
      await page.getByText(`${name} was saved`).waitFor()
    }
    assert.deepEqual(complaints, [])
  })

  it('gives earlier versions and media files with the records, for the format that has them', async () => {
    const { page, go } = visit()
    const works = [...isHamlet, { type: 'type', value: ['work'] }]
    const [work] = (await service.filter(works)).body.results
    await service.patch(`/entities/${work.id}`, { metadata: [{ key: 'cutter', value: 'H1' }] })
    await go('/find?q=hamlet&type=work')
    await button(page, 'Export').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/NDJSON/).check()
    for (const label of ['All earlier versions', /^Files of posters/]) await dialog.getByLabel(label).check()
    await dialog.getByLabel(/CSV/).check()
    assert.equal(await dialog.getByLabel('All earlier versions').count(), 0)
    const { bytes } = await take(page, /NDJSON/)
    assert.equal(bytes.toString(), await bytesOf('ndjson', works, '&include=history,media'))
    assert.notEqual(bytes.toString(), await bytesOf('ndjson', works))
  })

  it('gives only those that were chosen, and says which formats know editions only', async () => {
    const { page, walk } = visit()
    await walk('/find?q=hamlet&type=work')
    await button(page, 'Select').click()
    await page.locator('.result input').first().check()
    await page.locator('.selection-bar-text').filter({ hasText: /^1 / }).waitFor()
    const id = decodeURIComponent((await page.locator('.result a').first().getAttribute('href'))?.slice(8) ?? '')
    await page.locator('.selection-bar').getByRole('button', { name: 'Export' }).click()
    await page.getByText('none of them is an edition').waitFor()
    assert.ok(await page.getByLabel(/MARC 21 \(ISO/).isDisabled())
    const { bytes } = await take(page, /NDJSON/)
    assert.equal(bytes.toString(), await bytesOf('ndjson', [{ type: 'id', value: [id] }]))
  })

  it('gives one record in its own forms too, and says when it was cut short', async () => {
    const { page, walk } = visit()
    await walk('/record/M-REINEKE1999')
    await button(page, 'More').click()
    await button(page, 'Export').click()
    const { name, bytes } = await take(page, /data, RDF\/XML/)
    assert.equal(name, 'M-REINEKE1999.rdf')
    assert.equal(bytes.toString(), (await service.get('/entities/M-REINEKE1999?format=rdfxml')).text)

    await page.route('**/export?*', route => route.abort())
    await button(page, 'More').click()
    await button(page, 'Export').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Download' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    await page.unroute('**/export?*')
  })
})

describe('changing many records', { skip: stage.skip }, () => {
  const fieldOf = async (id: string, key: string) =>
    (await service.get(`/entities/${id}`)).body.metadata.find((each: { key: string }) => each.key === key)?.value
  const someVenues = (town: string) =>
    Promise.all(
      ['North', 'South', 'West'].map(
        async side =>
          (
            await service.create({
              type: 'venue',
              metadata: [
                { key: 'name', value: `${town} ${side}` },
                { key: 'city', value: town }
              ]
            })
          ).id
      )
    )

  it('shows every difference before it changes anything, changes all that was found, and takes all of it back', async () => {
    const ids = await someVenues('Zandvliet')
    const { page, go, walk, complaints } = visit()
    await walk('/find?q=zandvliet')
    await button(page, 'Select').click()
    await button(page, 'Select all 3').click()
    await button(page, 'Edit').click()
    await page.getByRole('heading', { name: 'Edit 3 records' }).waitFor()
    await page.getByLabel('Which field?').selectOption('City')
    await page.getByLabel('What should happen?').selectOption('Replace one value by another')
    await page.getByLabel('Replace or remove').selectOption('Zandvliet')
    await page.getByLabel('New value').fill('Antwerpen')
    await button(page, 'Preview').click()
    await page.getByText('3 records change.').waitFor()
    assert.match(await page.locator('.many-changes').innerText(), /City\s+Zandvliet\s+Antwerpen/)
    // Other fields of the records are columns, by keyboard too.
    await page.locator('.many-columns > summary').focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Name', { exact: true }).focus()
    await page.keyboard.press('Space')
    const table = page.locator('.many-changes > table')
    await table.getByRole('columnheader', { name: 'Name', exact: true }).waitFor()
    const names = await table.locator('> tbody > tr > td:nth-child(2)').allInnerTexts()
    assert.deepEqual(
      names.toSorted(),
      ['North', 'South', 'West'].map(side => `Zandvliet ${side}`)
    )
    assert.deepEqual(await accessibilityFaults(page), [])
    await page.emulateMedia({ colorScheme: 'dark' })
    assert.deepEqual(await accessibilityFaults(page, ...rulesOfColours), [])
    await page.emulateMedia({ colorScheme: 'light' })
    for (const id of ids) assert.equal(await fieldOf(id, 'city'), 'Zandvliet')

    await button(page, 'Change 3 records').click()
    await page.getByText('3 records were changed').waitFor()
    for (const id of ids) assert.equal(await fieldOf(id, 'city'), 'Antwerpen')
    // A user who left the page meanwhile can undo the import after coming back.
    await go('/find/change?q=zandvliet')
    await page.getByText('City Zandvliet → Antwerpen, 3 records').waitFor()
    await button(page, 'Undo all').click()
    await page.getByText('3 records were restored').waitFor()
    for (const id of ids) {
      const { body } = await service.get(`/entities/${id}`)
      assert.deepEqual(body.metadata, (await service.get(`/entities/${id}?version=1`)).body.metadata)
    }
    assert.deepEqual(complaints, [])
  })

  it('tells each refusal with its record, does everything else, and overwrites nobody', async () => {
    const [north = '', south = '', west = ''] = await someVenues('Polderdam')
    const { page, walk } = visit()
    await walk('/find?q=polderdam')
    await button(page, 'Select').click()
    for (const name of ['North', 'South', 'West']) await page.getByLabel(`Select Polderdam ${name}`).check()
    await button(page, 'Edit').click()
    await page.getByLabel('Which field?').selectOption('Name')
    await page.getByLabel('What should happen?').selectOption('Remove a value')
    await page.getByLabel('Replace or remove').selectOption('Polderdam West')
    await button(page, 'Preview').click()
    await page.getByText('2 stay as they are, one is refused').waitFor()
    const refused = page.locator('.refused li')
    assert.match(await refused.innerText(), /Polderdam West\s+"name"/)

    await page.getByLabel('Which field?').selectOption('Capacity')
    await page.getByLabel('New value').fill('120')
    await button(page, 'Preview').click()
    await page.getByText('3 records change.').waitFor()
    await service.patch(`/entities/${south}`, { metadata: [{ key: 'phone', value: '03 000' }] })
    await button(page, 'Change 3 records').click()
    await page.getByText('2 records were changed').waitFor()
    assert.match(await refused.innerText(), /Polderdam South\s+/)
    for (const [id, capacity] of [
      [north, 120],
      [south, undefined],
      [west, 120]
    ] as const)
      assert.equal(await fieldOf(id, 'capacity'), capacity)

    await service.patch(`/entities/${west}`, { metadata: [{ key: 'phone', value: '03 111' }] })
    await button(page, 'Undo all').click()
    await page.getByText('One record was restored').waitFor()
    assert.match(await page.locator('.refused').last().innerText(), /Not undone[\s\S]*Polderdam West/)
    assert.equal(await fieldOf(west, 'capacity'), 120)
    assert.equal(await fieldOf(north, 'capacity'), undefined)
  })

  it('finds and replaces in texts, and leads back to the results with their selection', async () => {
    const [one = '', two = '', three = ''] = await Promise.all(
      ['one', 'two', 'three'].map(
        async name =>
          (
            await service.create({
              type: 'work_word',
              metadata: [{ key: 'title', value: `Fenland Hamelt ${name}`, lang: 'en' }]
            })
          ).id
      )
    )
    const { page, go } = visit()
    await go('/find?q=fenland&view=records')
    await button(page, 'Select').click()
    for (const name of ['one', 'two']) await page.getByLabel(`Select Fenland Hamelt ${name}`).check()
    await button(page, 'Edit').click()
    await page.getByLabel('Which field?').selectOption('Title')
    await page.getByLabel('What should happen?').selectOption('Find and replace in the text')
    await page.getByLabel('Find', { exact: true }).fill('Ham(e)l(t')
    await page.getByLabel('Replace by').fill('Ham$2$1t')
    await page.getByLabel('Regular expression').check()
    await button(page, 'Preview').click()
    // The pattern cannot be read.
    await page.getByRole('alert').filter({ hasText: 'missing closing' }).waitFor()
    await page.getByLabel('Find', { exact: true }).fill('Ham(e)(l)t')
    await button(page, 'Preview').click()
    await page.getByText('2 records change.').waitFor()
    await button(page, 'Change 2 records').click()
    await page.getByText('2 records were changed').waitFor()
    for (const [id, title] of [
      [one, 'Fenland Hamlet one'],
      [two, 'Fenland Hamlet two'],
      [three, 'Fenland Hamelt three']
    ] as const)
      assert.equal(await fieldOf(id, 'title'), title)
    await button(page, 'Back to the results').click()
    await page.getByRole('heading', { name: '3 records' }).waitFor()
    await page.getByText('2 selected').waitFor()
  })

  it('takes a plain text literally, and leaves the values of other languages when it sets and adds one', async () => {
    const { id } = await service.create({
      type: 'work_word',
      metadata: [
        { key: 'title', value: 'Peatland (a.b)', lang: 'en' },
        { key: 'title', value: 'Veenland (a.b)', lang: 'nl' }
      ]
    })
    const titles = async () =>
      (await service.get(`/entities/${id}`)).body.metadata
        .filter(({ key }: { key: string }) => key === 'title')
        .map(({ value, lang }: { value: string; lang?: string }) => [value, lang])
    const { page, go } = visit()
    const change = async (action: string, fill: () => Promise<unknown>) => {
      await go(`/find/change?ids=${id}&view=records`)
      await page.getByLabel('Which field?').selectOption('Title')
      await page.getByLabel('What should happen?').selectOption(action)
      await fill()
      await button(page, 'Preview').click()
      await page.getByText('One record changes.').waitFor()
      await button(page, 'Change 1 record').click()
      await page.getByText('One record was changed').waitFor()
    }
    await change('Find and replace in the text', async () => {
      await page.getByLabel('Find', { exact: true }).fill('(a.b)')
      await page.getByLabel('Replace by').fill('$1')
    })
    assert.deepEqual(await titles(), [
      ['Peatland $1', 'en'],
      ['Veenland $1', 'nl']
    ])
    const inLanguage = (value: string, lang: string) => async () => {
      await page.getByLabel('New value').fill(value)
      await page.getByLabel('Language of the text').selectOption(lang)
    }
    await change('Set the value (replaces the current one)', inLanguage('Veen', 'nl'))
    await change('Add a value', inLanguage('Tourbière', 'fr'))
    assert.deepEqual(await titles(), [
      ['Peatland $1', 'en'],
      ['Veen', 'nl'],
      ['Tourbière', 'fr']
    ])
  })

  it('adds a relation to all, once, and takes it away from all', async () => {
    const ids = await Promise.all(
      ['one', 'two'].map(
        async name =>
          (await service.create({ type: 'work_word', metadata: [{ key: 'title', value: `Quagmire ${name}` }] })).id
      )
    )
    const { id: genre } = await service.create({ type: 'genre', metadata: [{ key: 'name', value: 'Swamp opera' }] })
    const { page, go } = visit()
    const genresOf = async (id: string) =>
      (await service.get(`/entities/${id}`)).body.relations.map((each: { key: string }) => each.key)
    for (const [action, expected] of [
      ['Add a relation', [genre]],
      ['Remove a relation', []]
    ] as const) {
      await go('/find/change?q=quagmire')
      await page.getByLabel('Which field?').selectOption('Genres')
      await page.getByLabel('What should happen?').selectOption(action)
      await page.getByRole('combobox', { name: 'Search for Genres' }).fill('swamp')
      await page.getByRole('option', { name: /^(?!Add).*Swamp opera/ }).click()
      await button(page, 'Preview').click()
      await page.getByText('2 records change.').waitFor()
      await button(page, 'Change 2 records').click()
      await page.getByText('2 records were changed').waitFor()
      for (const id of ids) assert.deepEqual(await genresOf(id), expected)
      // The change before it is not offered beside the one just made.
      assert.equal(await button(page, 'Undo all').count(), 1)
    }
    await go('/find/change?q=quagmire')
    await page.getByText('Your last bulk change: Genres − Swamp opera, 2 records').waitFor()
  })
})
