import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { marcFile } from '../support/records/marc-files.ts'
import { createBook } from '../support/records/entities.ts'
import { listen } from '../support/services/listen.ts'
import { startReceiver } from '../support/services/receiver.ts'
import { start } from '../support/services/start.ts'
import { accessibilityFaults, becomes, isFocused, keepBack, openStage } from './stage.ts'

// A busy machine needs a while to answer a search of another catalogue.
const stage = await openStage({ after }, { WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.0/8', WEBHOOK_TIMEOUT: '600000' })

let isStarted = false
/** Starts the work behind the requests, once for all tests that need it. */
function startBackground() {
  if (!isStarted) stage.service.libretto.startBackground(assert.ifError)
  isStarted = true
}

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

describe('the settings of the site', { skip: stage.skip }, () => {
  it('are changed by keyboard, checked for contrast, saved, undone, and returned to the file', async t => {
    t.after(() => stage.service.delete('/site'))
    const { page, go, complaints } = await stage.visit(t)
    await go('/manage/site')
    const settings = async () => (await stage.service.get('/site')).body
    await page.getByLabel('Name', { exact: true }).focus()
    await page.keyboard.type('Schouwburg De Linde')
    await page.getByLabel('Colours of our own').focus()
    await page.keyboard.press('Space')
    await page.getByLabel('Colour of titles and buttons').fill('#ffcc00')
    const add = (list: string) => page.getByRole('button', { name: `Add : ${list}` })
    await add('Links below every page').focus()
    await page.keyboard.press('Enter')
    const link = page.getByRole('group', { name: 'Links below every page 1' })
    await link.getByLabel('Text').focus()
    await page.keyboard.type('Imprint')
    await link.getByLabel('Address').focus()
    await page.keyboard.type('https://delinde.example/imprint')
    await add('First page').click()
    const block = page.getByRole('group', { name: 'First page 5' })
    await block.getByLabel('Block').selectOption('This week')
    await page.getByLabel('Catalogue to add').selectOption('K10plus')
    await add('Other catalogues').click()
    await add('Templates of MARC records').click()
    const template = page.getByRole('group', { name: 'Templates of MARC records 1' })
    await template.getByLabel('Name of the template').fill('Playbill')
    await template.getByLabel('Fields, one on each line').fill('245 10 $a\n655 #7 $aPlaybills$2lcgft')
    await page
      .getByRole('group', { name: 'Logo' })
      .locator('input[type=file]')
      .setInputFiles({
        name: 'logo.svg',
        mimeType: 'image/svg+xml',
        buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 2"></svg>')
      })
    await page.getByRole('button', { name: 'Remove : Logo' }).waitFor()
    await page.getByRole('checkbox', { name: 'German' }).uncheck()
    assert.deepEqual(await accessibilityFaults(page), [])
    await page.keyboard.press('Control+s')
    await page
      .getByRole('alert')
      .getByText(/has a contrast of 1\.\d:1 on the light page/)
      .waitFor()
    assert.equal((await settings()).source, 'file')

    await page.getByLabel('Colour of titles and buttons').fill('#8a2033')
    await page.keyboard.press('Control+s')
    await page.getByText('The settings were saved').waitFor()
    const stored = await settings()
    assert.equal(stored.source, 'database')
    const { logo, catalogues, templates, ...rest } = stored.settings
    assert.deepEqual(rest, {
      name: 'Schouwburg De Linde',
      colours: { brand: '#8a2033' },
      links: [{ text: 'Imprint', address: 'https://delinde.example/imprint' }],
      start: ['featured', 'week', 'shows', 'new', 'week'].map(kind => ({ block: kind })),
      languages: ['en', 'nl', 'fr']
    })
    assert.match(logo, /^data:image\/svg\+xml;base64,/)
    assert.equal(catalogues[0].address, 'https://sru.k10plus.de/opac-de-627')
    assert.deepEqual(templates, [{ name: 'Playbill', lines: '245 10 $a\n655 #7 $aPlaybills$2lcgft' }])
    await page.getByRole('button', { name: 'Undo' }).click()
    await becomes(async () => (await settings()).source, 'file')

    await stage.service.put('/site', { name: 'Stored' })
    await go('/manage/site')
    await becomes(() => page.getByLabel('Name', { exact: true }).inputValue(), 'Stored')
    await page.getByRole('button', { name: 'Use the settings of the file again' }).click()
    await page.getByText('The settings of the file hold again').waitFor()
    assert.equal((await settings()).source, 'file')
    assert.deepEqual(
      complaints.filter(each => !each.includes('400')),
      []
    )
  })

  it('are not replaced where somebody else has changed them', async t => {
    t.after(() => stage.service.delete('/site'))
    const { page, go } = await stage.visit(t)
    await go('/manage/site')
    await page.getByLabel('Name', { exact: true }).fill('Mine')
    await stage.service.put('/site', { name: 'Theirs' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Somebody else has changed the settings').waitFor()
    assert.equal((await stage.service.get('/site')).body.settings.name, 'Theirs')
  })
})

describe('copying from another catalogue', { skip: stage.skip }, () => {
  it('finds a record there, shows it beside those here, and imports it with one click', async t => {
    const { service } = stage
    t.after(() => service.delete('/site'))
    const peer = await start(t, { ANONYMOUS_ACCESS: 'read', PUBLIC_URL: 'https://peer.example' })
    const isbn = '978-0-306-40615-7'
    await createBook(peer, { manifestation: { fields: { title: 'A book elsewhere', isbn } } })
    const known = '978-3-16-148410-0'
    await createBook(peer, { manifestation: { fields: { title: 'A book of both', isbn: known } } })
    await createBook(service, { manifestation: { fields: { title: 'A book of both, here', isbn: known } } })
    startBackground()
    const { page, go, complaints } = await stage.visit(t)
    await go('/manage/imports/copy')
    await page.getByText('No catalogues are listed').waitFor()
    const gone = 'http://127.0.0.1:9/sru'
    const address = `http://127.0.0.1:${await listen(peer)}/sru`
    await service.put('/site', {
      catalogues: [
        { name: 'Peer', address },
        { name: 'Gone', address: gone }
      ]
    })
    await go('/manage/imports')
    await page.getByRole('link', { name: 'Copy from another catalogue' }).click()
    await page.getByLabel('ISBN or words').focus()
    await page.keyboard.type(isbn)
    await page.keyboard.press('Enter')
    const there = page.getByRole('region', { name: 'Peer' })
    await there.getByText('1 found, 1 shown').waitFor()
    await there.getByText('No record here is like it').waitFor()
    await page
      .getByRole('region', { name: 'Gone' })
      .getByText(/^No answer/)
      .waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    await there.getByRole('button', { name: 'Import : A book elsewhere' }).click()
    await page.getByRole('heading', { name: 'Peer: A book elsewhere' }).waitFor()
    await page.getByRole('button', { name: 'Undo import' }).waitFor()
    await page.goBack()
    await there.getByRole('link', { name: 'A book elsewhere' }).waitFor()
    // By words; it is shown beside the one that is here.
    await page.getByLabel('ISBN or words').fill('book of both')
    await page.keyboard.press('Enter')
    await there.getByRole('heading', { name: 'A book of both' }).waitFor()
    await there.getByRole('link', { name: 'A book of both, here' }).waitFor()
    assert.deepEqual(complaints, [])
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
    startBackground()
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
