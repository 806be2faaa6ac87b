import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { openStage } from './stage.ts'
import { adminToken } from '../support/start.ts'

const stage = await openStage({ after })

describe('signing in', { skip: stage.skip }, () => {
  it('refuses a token that is none, and says so beside the field', async t => {
    const { page, go } = await stage.visit(t, { token: undefined })
    await go('/')
    await page.getByLabel('Token').fill('libretto_000000000000_nothing')
    await page.keyboard.press('Enter')

    await page.getByRole('alert').filter({ hasText: 'not valid' }).waitFor()
    assert.equal(await page.getByLabel('Token').getAttribute('aria-invalid'), 'true')
  })

  it('leads to where one wanted to go, and says whose token it is', async t => {
    const { page, go, complaints } = await stage.visit(t, { token: undefined })
    await go('/record/W-HAMLET')
    await page.getByLabel('Token').fill(adminToken)
    await page.getByRole('button', { name: 'Sign in' }).click()

    await page.getByRole('heading', { level: 1, name: 'Hamlet' }).waitFor()
    await page.getByRole('button', { name: 'Signed in as token:admin' }).waitFor()
    assert.deepEqual(complaints, [])
  })

  it('is over with the tab, unless one stays signed in on the device', async t => {
    const { page, go, context } = await stage.visit(t, { token: undefined })
    const signIn = async (stays: boolean) => {
      await page.getByLabel('Token').fill(adminToken)
      if (stays) await page.getByLabel('Stay signed in').check()
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: 'In the catalogue' }).waitFor()
    }
    const kept = () => page.evaluate(() => [sessionStorage.length > 0, localStorage.getItem('libretto-token') !== null])
    await go('/')
    await signIn(false)
    assert.deepEqual(await kept(), [true, false])

    // A tab that is opened beside it is signed in too; it asks the first.
    const beside = await context.newPage()
    await beside.goto(`${stage.url}/`)
    await beside.getByRole('heading', { name: 'In the catalogue' }).waitFor()

    // Signing out in one signs out in the other.
    await page.getByRole('button', { name: 'Signed in as' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await beside.getByLabel('Token').waitFor()
    await beside.close()
    await signIn(true)
    assert.deepEqual(await kept(), [false, true])
  })

  it('tells when the token was revoked, keeps the place, and goes on after signing in again', async t => {
    const { service } = stage
    const { id, token } = await service.libretto.tokens.create({ name: 'guest', scopes: ['read'] }, 'test')
    const { page, go } = await stage.visit(t, { token })
    await go('/record/PR-HAMLET')
    await page.getByRole('heading', { level: 1, name: 'Hamlet' }).waitFor()
    assert.equal((await service.delete(`/tokens/${id}`)).status, 204)

    await page.getByRole('link', { name: 'History' }).click()
    await page.getByRole('alert').filter({ hasText: 'no longer holds' }).waitFor()
    await page.getByLabel('Token').fill(adminToken)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'History' }).waitFor()
  })

  it('shows a reader nothing that only others may do', async t => {
    const { page, go } = await stage.visit(t, { token: await stage.service.tokenWith('read') })
    await go('/record/PR-HAMLET')
    assert.equal(await page.getByRole('link', { name: 'Add' }).count(), 0)
    assert.equal(await page.getByRole('link', { name: 'Look after' }).count(), 0)
    assert.equal(await page.getByRole('link', { name: 'Edit' }).count(), 0)
  })
})
