import assert from 'node:assert/strict'

import { aPng } from '../../support/records/media.ts'
import { becomes, isFocused, settled } from '../stage.ts'
import type { Task } from './task.ts'

type Service = Parameters<Task['run']>[0]['service']

const performancesOf = (id: string) => [
  { type: 'type', value: 'performance' },
  { type: 'selection', key: 'relations.refProduction.key', value: [id], match_exact: true }
]

async function startsOf(service: Service, filter: readonly object[]): Promise<readonly string[]> {
  const { results } = (await service.filter(filter)).body as {
    results: { metadata: { key: string; value: string }[] }[]
  }
  return results.map(({ metadata }) => metadata.find(({ key }) => key === 'start')?.value ?? '').sort()
}

export const theatreTasks: readonly Task[] = [
  {
    name: 'sees a season as a board and as a calendar, subscribes to it and exports it',
    clicks: 5,
    keys: 0,
    async run({ page, download, user, service, go, isAccessible }) {
      // Far ahead, so that it is to come whenever this runs.
      const record = (id: string, type: string, fields: object, relations: object = {}) => ({
        op: 'create',
        id,
        type,
        metadata: Object.entries(fields).map(([key, value]) => ({ key, value })),
        relations: Object.entries(relations).map(([relation, key]) => ({ type: relation, key }))
      })
      const made = await service.post('/entities/batch?atomic=1', [
        record('VE-FAR', 'venue', { name: 'The Far Theatre', country: 'GB' }),
        record('SEA-FAR', 'season', { name: 'A far season', start_date: '2090-09-01', end_date: '2091-08-31' }),
        record('PR-FAR', 'production', { title: 'The far show' }, { refSeasons: 'SEA-FAR' }),
        record('PR-NEAR', 'production', { title: 'The near show' }, { refSeasons: 'SEA-FAR' }),
        ...['2090-11-20T19:30:00Z', '2090-12-01T19:30:00Z', '2090-12-02T19:30:00Z'].map((start, index) =>
          record(`PF-FAR${index}`, 'performance', { start }, { refProduction: 'PR-FAR', refVenues: 'VE-FAR' })
        )
      ])
      assert.equal(made.status, 200, made.text)
      await go('/record/SEA-FAR')
      const board = page.locator('.board')
      await board.getByRole('link', { name: 'The far show' }).waitFor()
      await becomes(() => board.locator('li').count(), 2)

      await user.click(page.getByRole('button', { name: 'Calendar', exact: true }))
      await page.getByRole('heading', { name: 'November 2090 1' }).waitFor()
      // The hour is that of the venue, which is in another zone than the reader.
      await page
        .locator('td', { hasText: '19:30' })
        .getByRole('link', { name: /The far show/ })
        .waitFor()
      await user.click(page.getByRole('button', { name: 'Later month' }))
      await page.getByRole('heading', { name: 'December 2090 2' }).waitFor()
      await isAccessible()

      const table = await download(() => user.click(page.getByRole('button', { name: 'Table (CSV)' })))
      assert.equal(table.trim().split('\r\n').length, 4)
      const calendar = await download(() => user.click(page.getByRole('button', { name: 'Calendar file' })))
      assert.equal(calendar.match(/BEGIN:VEVENT/g)?.length, 3)

      await user.click(page.getByRole('button', { name: 'Subscribe' }))
      const dialog = page.getByRole('dialog')
      const address = await dialog.locator('output').innerText()
      const answer = await fetch(address)
      assert.match(await answer.text(), /^BEGIN:VCALENDAR/)
      await isAccessible()
    }
  },
  {
    name: 'pastes twenty dates of a production, all at one venue, and takes them back',
    clicks: 5,
    keys: 0,
    async run({ page, user, service, go, isAccessible }) {
      const named = (key: string, value: string) => ({ metadata: [{ key, value }] })
      await service.create({ id: 'VE-TWENTY', type: 'venue', ...named('name', 'The Twenty') })
      await service.create({
        ...{ id: 'PR-TWENTY', type: 'production', ...named('title', 'Twenty nights') },
        relations: [{ type: 'refVenues', key: 'VE-TWENTY' }]
      })
      await go('/record/PR-TWENTY')
      await user.click(page.getByRole('link', { name: 'Add performances' }))
      // The venue of the production is chosen already; another would be one for all dates.
      await user.choose(page.getByRole('combobox', { name: 'Venues', exact: true }), 'VE-TWENTY')
      const list = page.getByLabel('Dates, one in each line')
      await user.click(list)
      const days = Array.from({ length: 20 }, (_, index) => String(index + 3).padStart(2, '0'))
      await list.fill(days.map(day => `${Number(day)} maart 2027 om 20u30`).join('\n'))
      await page.getByRole('heading', { name: '20 performances' }).waitFor()
      // One screen, whichever window this task is done in.
      const size = page.viewportSize()
      await page.setViewportSize({ width: 1440, height: 900 })
      const height = await page.evaluate(() => document.documentElement.scrollHeight)
      assert.ok(height <= 900, `the page is ${height} px high`)
      if (size) await page.setViewportSize(size)
      await isAccessible()
      // The dates survive the end of the tab.
      await page.waitForFunction(() => JSON.stringify(localStorage).includes('22 maart 2027'))
      await page.reload()
      await page.getByRole('heading', { name: '20 performances' }).waitFor()
      await user.click(page.getByRole('button', { name: 'Save' }))
      await page.getByText('20 performances of Twenty nights were added').waitFor()
      const filter = performancesOf('PR-TWENTY')
      assert.deepEqual(
        await startsOf(service, filter),
        days.map(day => `2027-03-${day}T20:30:00Z`)
      )
      // One click takes all of them back.
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('Undone').waitFor()
      assert.equal((await service.filter(filter)).body.count, 0)
    }
  },
  {
    name: 'adds performances by the days of the week, but for one day, and corrects a line',
    clicks: 6,
    keys: 0,
    async run({ page, user, service, go, isAccessible }) {
      await go('/record/PR-AS')
      await user.click(page.getByRole('link', { name: 'Add performances' }))
      await user.click(page.getByLabel('From'))
      await page.getByLabel('From').fill('2027-03-05')
      await page.getByLabel('To', { exact: true }).fill('2027-03-19')
      await page.getByLabel('Except').fill('13 March')
      for (const day of ['Fri', 'Sat']) await user.click(page.getByLabel(day))
      await user.click(page.getByRole('button', { name: 'Add 4 dates to the list' }))
      const list = page.getByLabel('Dates, one in each line')
      assert.match(await list.inputValue(), /^Fri,? 5 March 2027/)
      const typed = await list.inputValue()
      await list.fill(`${typed}\nto be announced`)
      await page.getByText('to be announced: not read as a date').waitFor()
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Correct the marked lines').waitFor()
      await isAccessible()
      await list.fill(typed)
      await user.click(page.getByRole('button', { name: 'Save' }))
      await page.getByText('4 performances of As').waitFor()
      // The production has no venue, so these are times of the catalogue.
      assert.deepEqual(
        (await startsOf(service, performancesOf('PR-AS'))).filter(start => start.startsWith('2027-03')),
        ['05', '06', '12', '19'].map(day => `2027-03-${day}T20:00:00Z`)
      )
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('Undone').waitFor()
    }
  },
  {
    name: 'gives a poster, declares it complete on its tile, and publishes the production',
    clicks: 7,
    keys: 14,
    async run({ page, download, user, service, go, isAccessible }) {
      await service.create({
        id: 'PR-TASK',
        type: 'production',
        metadata: [{ key: 'title', value: 'A new show' }]
      })
      await go('/record/PR-TASK')
      await user.giveFile(page.locator('input[type=file]'), {
        name: 'poster.png',
        mimeType: 'image/png',
        buffer: aPng(200, 300)
      })
      await page.locator('.stage').filter({ hasText: 'Posters' }).getByText('1 file').waitFor()
      await user.choose(page.getByLabel('Declared status: Posters'), 'Complete')
      await page.locator('.stage-good').filter({ hasText: 'Posters' }).waitFor()

      // Publishing says what is missing, and leads there.
      await user.click(page.getByRole('button', { name: 'Publish' }))
      const dialog = page.getByRole('dialog', { name: 'Publish' })
      await dialog.getByText('These fields are needed').waitFor()
      assert.equal(await dialog.getByRole('button', { name: 'Publish' }).isDisabled(), true)
      await isAccessible()
      await user.click(dialog.getByRole('link', { name: 'Short description' }))
      await isFocused(page.locator('[data-field=description_short] [contenteditable]'))
      await user.type('Come and see.')
      await user.press('Control+s')
      await page.getByRole('heading', { level: 1, name: 'A new show' }).waitFor()
      await user.click(page.getByRole('button', { name: 'Publish' }))
      await user.click(dialog.getByRole('button', { name: 'Publish' }))
      await page.locator('.record-type').getByText('Published').waitFor()
      await settled(page)

      // The press kit has the text and the poster.
      await service.create({
        type: 'performance',
        metadata: [{ key: 'start', value: '2027-05-05T20:00:00+02:00' }],
        relations: [{ key: 'PR-TASK', type: 'refProduction' }]
      })
      await page.reload()
      await page.evaluate(() => Reflect.deleteProperty(globalThis, 'showSaveFilePicker'))
      const bytes = await download(() => page.getByRole('button', { name: 'Press kit (ZIP)' }).click())
      for (const each of ['A new show/texts.txt', 'Come and see.', 'A new show/posters/poster.png'])
        assert.ok(bytes.includes(each), each)
    }
  }
]
