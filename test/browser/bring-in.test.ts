import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import type { Page } from 'playwright-core'

import { marcFile, saltRoad } from '../support/marc-files.ts'
import type { Shelf } from '../support/marc-lines.ts'
import { accessibilityFaults, openStage, settled } from './stage.ts'

const stage = await openStage({ after })
const { service } = stage

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
  it('waits its turn whoever leaves the page, can be stopped and gone on with, and shows what would happen before anything is written', async t => {
    const before = await countOf()
    const { page, go, complaints } = await stage.visit(t)
    await go('/new')
    await page.getByRole('link', { name: /Import a file/ }).click()
    await choose(page, 'salt road.mrc', Buffer.concat([marcFile(saltRoad), marcFile(saltRoad).subarray(0, 99)]))
    await button(page, 'Preview').click()
    await page.getByText('Imports are done one at a time').waitFor()
    await button(page, 'Stop').click()
    await page.getByText('What it did until then stays').waitFor()

    await go('/')
    await page.getByRole('link', { name: 'Look after' }).click()
    await page.getByRole('link', { name: 'Imports' }).click()
    await page.getByRole('link', { name: /salt road\.mrc/ }).click()
    await button(page, 'Go on').click()
    await page.getByText('waiting its turn').waitFor()
    beginWork()

    await isDone(page)
    assert.match(await page.locator('.count-created').innerText(), /4/)
    const [first, reprint] = await page.locator('.preview-lines > li').allInnerTexts()
    assert.match(first ?? '', /The salt road[\s\S]*new[\s\S]*New work/)
    assert.match(reprint ?? '', /with others of this file[\s\S]*same author and title[\s\S]*% sure/)
    await page.locator('.remarks > li').waitFor()
    assert.match(await page.locator('.remarks').innerText(), /No\. 5 in the file, at byte [\d,]+\s*left out/)
    assert.equal(await countOf(), before)
    assert.deepEqual(complaints, [])
  })

  it('imports what was previewed, shows what it did, and takes all of it back', async t => {
    beginWork()
    const before = await countOf()
    const { page, go, complaints } = await stage.visit(t)
    await go('/manage/imports/new')
    await choose(page, 'salt road.mrc', marcFile(saltRoad))
    await button(page, 'Preview').click()
    await button(page, 'Import now').click()
    await page.getByRole('link', { name: 'Show the new records' }).waitFor()
    assert.match(await page.locator('.import-kinds').innerText(), /Works\s+2[\s\S]*Expressions\s+3[\s\S]*Editions\s+4/)
    const made = (await countOf()) - before
    assert.ok(made > 9)

    await page.getByRole('link', { name: 'Show the new records' }).click()
    await page.getByRole('heading', { name: `${made} records` }).waitFor()
    await page.goBack()
    await button(page, 'Take back').click()
    await page.getByText(`The ${made} records that it made go`).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click()
    await page.getByText('This import was taken back.').waitFor()
    assert.equal(await countOf(), before)
    assert.deepEqual(complaints, [])
  })

  it('asks what is not sure: works by the keyboard alone, from the file to the last question, and can be decided anew', async t => {
    beginWork()
    const { page, go, complaints } = await stage.visit(t)
    await go('/manage/imports/new')
    const opened = page.waitForEvent('filechooser')
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
    await current.waitFor()
    await settled(page)
    assert.match(await current.innerText(), /Are these the same work\?[\s\S]*differ by a letter or two[\s\S]*% sure/)
    assert.match(await current.innerText(), /The (\w+)\s+The \1s/)
    const workOf = async (record: string) =>
      (await service.get(`/entities/${record}/origin`)).body.links[0].work_id as string
    const areOne = async (title: string) => (await workOf(title)) === (await workOf(`${title}s`))
    const titleNow = async () => /The (\w+)\s+The \1s/.exec(await current.innerText())?.[1] ?? ''

    const first = await titleNow()
    await page.keyboard.press('ArrowDown')
    const second = await titleNow()
    assert.notEqual(first, second)
    await page.keyboard.press('s')
    await page.getByRole('heading', { name: '2 questions to decide' }).waitFor()
    assert.equal(await areOne(second), true)
    await settled(page)
    // The next has the focus already.
    const third = await titleNow()
    await page.keyboard.press('d')
    await page.getByRole('heading', { name: '1 question to decide' }).waitFor()
    assert.equal(await areOne(third), false)

    const decided = page.locator('.settled > li').filter({ hasText: `The ${second} /` })
    assert.match(await decided.innerText(), /the same/)
    await decided.getByRole('button', { name: 'No, different' }).click()
    await decided.getByRole('button', { name: 'No, the same' }).waitFor()
    assert.equal(await areOne(second), false)
    assert.deepEqual(complaints, [])
  })

  it('has no fault that axe finds, on the page of an import and of its review, in both themes', async t => {
    const id = (await service.get('/imports')).body.at(-1).id
    const [preview] = (await service.get('/imports')).body
    for (const theme of ['light', 'dark'] as const) {
      const { page, go } = await stage.visit(t, { theme, width: theme === 'light' ? 1280 : 360 })
      const rules = theme === 'light' ? [] : ['color-contrast']
      for (const path of [id, `${id}/review`, preview.id]) {
        await go(`/manage/imports/${path}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        assert.deepEqual(await accessibilityFaults(page, ...rules), [], path)
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        assert.ok(wider <= 0, `${path} is ${wider} pixels too wide`)
      }
    }
  })

  it('says what is wrong with a file that is none, and with a setting that is none', async t => {
    beginWork()
    const { page, go } = await stage.visit(t)
    await go('/manage/imports/new')
    await choose(page, 'empty.mrc', Buffer.alloc(0))
    await button(page, 'Preview').click()
    await page.getByRole('alert').filter({ hasText: 'The file is empty' }).waitFor()
    await choose(page, 'holiday.mrc', Buffer.from('these are only words\n'))
    await button(page, 'Preview').click()
    await page.getByText('begins as none of these').waitFor()
    assert.match(await page.locator('.count-unreadable').innerText(), /1/)
  })

  it('is told by a table what its columns mean, where their names do not say it', async t => {
    beginWork()
    const { page, go } = await stage.visit(t)
    await go('/manage/imports/new')
    await choose(page, 'list.csv', Buffer.from('Nr;Wat;"Door; wie"\n7;De kade van morgen;"Oudaert, Lies"\n'))
    await page.getByLabel('Meaning: Nr').selectOption('Record number')
    await page.getByLabel('Meaning: Wat').selectOption({ value: 'key manifestation title' })
    await page.getByLabel('Meaning: Door; wie').selectOption('Author')
    await page.getByLabel('Whose record numbers').fill('BE-KADE')
    await button(page, 'Import without preview').click()
    await isDone(page)
    const { body } = await service.get(`/entities/${encodeURIComponent('(BE-KADE)7')}?resolve=1`)
    assert.equal(body.metadata.find((each: { key: string }) => each.key === 'title').value, 'De kade van morgen')
  })

  it('is not for a token that may not write everything, and says so', async t => {
    const { page, go } = await stage.visit(t, { token: await service.tokenWith('read', 'write:work') })
    await go('/manage/imports')
    await page.getByRole('heading', { name: /Your token may not read and write all of them/ }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Look after' }).count(), 0)
  })
})
