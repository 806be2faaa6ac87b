import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { startReceiver } from '../support/receiver.ts'
import { openStage } from './stage.ts'

const stage = await openStage({ after }, { WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.0/8' })

describe('looking after tokens', { skip: stage.skip }, () => {
  it('makes one that works at once, shows it this once, and revokes it', async t => {
    const { page, go, complaints } = await stage.visit(t)
    await go('/')
    await page.getByRole('link', { name: 'Look after' }).click()
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByLabel('Name').fill('kiosk in the hall')
    await page.getByLabel('Only of').selectOption('Productions')
    await page.getByRole('button', { name: 'Make token' }).click()
    const token = await page.locator('.secret').innerText()
    assert.deepEqual(
      (await stage.service.get('/record-types', { token })).body.record_types.map((row: { type: string }) => row.type),
      ['production']
    )
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    const row = page.getByRole('row', { name: /kiosk in the hall/ })
    assert.match(await row.innerText(), /read:production/)
    assert.equal(await page.getByText(token).count(), 0)

    await row.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('kiosk in the hall was revoked').waitFor()
    assert.equal((await stage.service.get('/me', { token })).status, 401)
    assert.deepEqual(complaints, [])
  })

  it('is for those with the scope admin only', async t => {
    const { page, go } = await stage.visit(t, { token: await stage.service.tokenWith('read', 'write') })
    await go('/manage/tokens')
    await page.getByRole('heading', { name: 'Only a token with the scope admin' }).waitFor()
  })
})

describe('looking after webhooks', { skip: stage.skip }, () => {
  it('makes one, sends a test, shows the delivery, pauses and deletes it', async t => {
    const receiver = await startReceiver(t)
    const { page, go } = await stage.visit(t)
    await go('/manage/webhooks')
    await page.getByRole('button', { name: 'New webhook' }).click()
    await page.getByLabel('Address').fill(receiver.url)
    await page.getByRole('button', { name: 'Make webhook' }).click()
    assert.match(await page.locator('.secret').innerText(), /^whsec_/)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('The test was delivered').waitFor()
    await page.getByText('Deliveries').click()
    await page.locator('.deliveries li').first().waitFor()
    assert.match(await page.locator('.deliveries li').first().innerText(), /delivered/)
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor()
    assert.deepEqual((await stage.service.get('/webhooks')).body, [])
  })

  it('tells why an address is refused', async t => {
    const { page, go } = await stage.visit(t)
    await go('/manage/webhooks')
    await page.getByRole('button', { name: 'New webhook' }).click()
    await page.getByLabel('Address').fill('http://10.0.0.1/hook')
    await page.getByRole('button', { name: 'Make webhook' }).click()
    await page.getByRole('alert').filter({ hasText: '10.0.0.1' }).waitFor()
  })
})
