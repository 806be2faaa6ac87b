import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { marcFile } from '../support/records/marc-files.ts'
import { startReceiver } from '../support/services/receiver.ts'
import { isFocused, keepBack, openStage } from './stage.ts'

const stage = await openStage({ after }, { WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.0/8' })

describe('looking after tokens', { skip: stage.skip }, () => {
  it('makes one that works at once, shows it this once, and revokes it', async t => {
    const { page, go, complaints } = await stage.visit(t)
    await go('/')
    await page.getByRole('link', { name: 'Manage' }).click()
    await page.getByRole('button', { name: 'New token' }).click()
    await isFocused(page.getByLabel('Name'))
    await page.keyboard.type('kiosk in the hall')
    await page.getByLabel('Only of').selectOption('Productions')
    await page.keyboard.press('Enter')
    const token = await page.locator('.secret').innerText()
    assert.deepEqual(
      (await stage.service.get('/record-types', { token })).body.record_types.map((row: { type: string }) => row.type),
      ['production']
    )
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await page.getByText(token).waitFor({ state: 'detached' })
    const row = page.getByRole('row', { name: /kiosk in the hall/ }).filter({ hasText: 'read:production' })

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
    await isFocused(page.getByLabel('Address'))
    await page.keyboard.type(receiver.url)
    await page.keyboard.press('Enter')
    assert.match(await page.locator('.secret').innerText(), /^whsec_/)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('The test was delivered').waitFor()
    await page.getByText('Deliveries').click()
    await page.locator('.deliveries li').first().filter({ hasText: 'delivered' }).waitFor()
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
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByRole('alert').filter({ hasText: '10.0.0.1' }).waitFor()
  })
})

describe('what needs attention', { skip: stage.skip }, () => {
  it('is a webhook that is no longer told, and an import that was not sure; and for no other eyes', {
    timeout: 1_200_000
  }, async t => {
    const { service } = stage
    const receiver = await startReceiver(t, response => void response.writeHead(410).end())
    const { body: webhook } = await service.post('/webhooks', { url: receiver.url })
    t.after(() => service.delete(`/webhooks/${webhook.id}`))
    const unsure = marcFile({
      dated: '100 1# $aVerhoeven, Mila,$d1911-1984\n245 14 $aThe lighthouse /$cMila Verhoeven.',
      near: '100 1# $aVerhoeven, Mila,$d1911-1984\n245 14 $aThe lighthouses /$cMila Verhoeven.'
    })
    const headers = { 'content-type': 'application/marc' }
    const { body: job } = await service.call('POST', '/imports?name=shelf.mrc', { body: unsure, headers })
    service.libretto.startBackground(assert.ifError)
    await service.create({ type: 'venue', metadata: [{ key: 'name', value: 'De Melding' }] })
    const isSo = async (address: string, state: string) => (await service.get(address)).body.state === state
    while (!(await isSo(`/imports/${job.id}`, 'done')) || !(await isSo(`/webhooks/${webhook.id}`, 'disabled')))
      await sleep(50)

    const { page, go } = await stage.visit(t)
    await go('/')
    const attention = page.locator('.attention')
    await attention.getByText('The import shelf.mrc has open review questions').waitFor()
    await attention.getByText('A webhook cannot be delivered').waitFor()
    await attention.getByRole('link', { name: new URL(receiver.url).host }).click()
    await page.getByText('disabled by the receiver').waitFor()

    const reader = await stage.visit(t, { token: await service.tokenWith('read:work', 'read:venue') })
    await reader.go('/')
    await reader.page.getByText('Nothing needs your attention').waitFor()
    assert.deepEqual(reader.complaints, [])
  })

  it('is not said to be nothing before that is known', async t => {
    const { page } = await stage.visit(t, { token: await stage.service.tokenWith('read') })
    const answer = await keepBack(
      page,
      '**/entities/filter*',
      asked => asked.postData()?.includes('contradictory') === true
    )
    await page.goto(stage.url)
    await page.locator('.recent li').first().waitFor()
    await answer.isAsked()
    assert.equal(await page.getByText('Nothing needs your attention').count(), 0)
    answer.letGo()
    await page.getByText('The media of 3 productions do not match their declared status').waitFor()
  })
})
