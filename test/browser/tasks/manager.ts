import assert from 'node:assert/strict'

import { startReceiver } from '../../support/services/receiver.ts'
import { isFocused } from '../stage.ts'
import type { Task } from './task.ts'

export const managerTasks: readonly Task[] = [
  {
    name: 'makes a token for one kind of record, which works at once',
    clicks: 4,
    keys: 18,
    async run({ page, user, service, go, isAccessible }) {
      await go('/')
      await user.click(page.getByRole('link', { name: 'Manage' }))
      await user.click(page.getByRole('button', { name: 'New token' }))
      await isFocused(page.getByLabel('Name'))
      await user.type('kiosk in the hall')
      await user.choose(page.getByLabel('Only of'), 'Productions')
      await user.press('Enter')
      const token = await page.locator('.secret').innerText()
      const { body } = await service.get('/record-types', { token })
      assert.deepEqual(
        body.record_types.map((row: { type: string }) => row.type),
        ['production']
      )
      await isAccessible()
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    }
  },
  {
    name: 'makes a webhook and sends a test',
    clicks: 3,
    keys: 1,
    async run({ page, user, go, isAccessible }) {
      await using stack = new AsyncDisposableStack()
      const receiver = await startReceiver({ after: end => stack.defer(async () => end()) })
      await go('/manage/webhooks')
      await user.click(page.getByRole('button', { name: 'New webhook' }))
      await isFocused(page.getByLabel('Address'))
      // Its port has four or five digits: an address is pasted.
      await page.getByLabel('Address').fill(receiver.url)
      await user.press('Enter')
      assert.match(await page.locator('.secret').innerText(), /^whsec_/)
      await isAccessible()
      await user.click(page.getByRole('dialog').getByRole('button', { name: 'Close' }).last())
      await user.click(page.getByRole('button', { name: 'Send a test' }))
      await page.getByText('The test was delivered').waitFor()
    }
  }
]
