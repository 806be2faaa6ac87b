import assert from 'node:assert/strict'

import { aPng } from '../../support/records/media.ts'
import { becomes, isFocused, settled } from '../stage.ts'
import type { Task } from './task.ts'

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
    name: 'adds several performances of a production at once',
    clicks: 5,
    keys: 0,
    async run({ page, user, service, go, isAccessible }) {
      await go('/record/PR-AS')
      await user.click(page.getByRole('link', { name: 'Add performances' }))
      await user.click(page.getByLabel('Day').first())
      await page.getByLabel('Day').first().fill('2027-03-05')
      await user.click(page.getByRole('button', { name: 'Add a date' }))
      await user.click(page.getByRole('button', { name: 'Add a date' }))
      assert.equal(await page.getByLabel('Day').nth(2).inputValue(), '2027-03-07')
      await isAccessible()
      // The dates survive the end of the tab.
      await page.waitForFunction(() => JSON.stringify(localStorage).includes('2027-03-07'))
      await page.reload()
      await becomes(() => page.getByLabel('Day').count(), 3)
      await user.click(page.getByRole('button', { name: 'Save' }))
      await page.waitForURL(/\/record\/PR-AS$/)
      const filter = [
        { type: 'type', value: 'performance' },
        { type: 'selection', key: 'relations.refProduction.key', value: ['PR-AS'], match_exact: true },
        { type: 'date', key: 'properties.start.value', value: { min: '2027-03-05', max: '2027-03-07' } }
      ]
      const { results } = (await service.filter(filter)).body as { results: { metadata: { value: string }[] }[] }
      // The production has no venue, so these are times of the catalogue.
      assert.deepEqual(
        results.map(({ metadata }) => metadata.find(({ value }) => value.startsWith('2027'))?.value).sort(),
        ['2027-03-05T20:00:00Z', '2027-03-06T20:00:00Z', '2027-03-07T20:00:00Z']
      )
      // One click takes all of them back.
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('Undone').waitFor()
      assert.equal((await service.filter(filter)).body.count, 0)
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
