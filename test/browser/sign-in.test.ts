import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { accessibilityFaults, becomes, openStage, settled, type Visit } from './stage.ts'
import { startPeopleIssuer } from '../support/services/people-issuer.ts'
import { adminToken } from '../support/services/start.ts'

const issuer = await startPeopleIssuer({ after })
const stage = await openStage({ after }, { OIDC_ISSUERS: JSON.stringify([issuer.setting]) })
issuer.admit(stage.url)

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
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()

    await page.getByRole('heading', { level: 1, name: 'Hamlet', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Signed in as admin' }).waitFor()
    assert.deepEqual(complaints, [])
  })

  it('is over with the tab, unless one stays signed in on the device', async t => {
    const { page, go, another } = await stage.visit(t, { token: undefined })
    const signIn = async (stays: boolean) => {
      await page.getByLabel('Token').fill(adminToken)
      if (stays) await page.getByLabel('Stay signed in').check()
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('heading', { name: 'In the catalogue' }).waitFor()
    }
    const kept = () =>
      page.evaluate(() => [sessionStorage, localStorage].map(each => each.getItem('libretto-token') !== null))
    await go('/')
    await signIn(false)
    assert.deepEqual(await kept(), [true, false])

    // A tab that is opened beside it is signed in too; it asks the first.
    const beside = await another('/')
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
    await page.getByRole('heading', { level: 1, name: 'Hamlet', exact: true }).waitFor()
    assert.equal((await service.delete(`/tokens/${id}`)).status, 204)

    await page.getByRole('link', { name: 'History' }).click()
    await page.getByRole('alert').filter({ hasText: 'was revoked or has expired' }).waitFor()
    await page.getByLabel('Token').fill(adminToken)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'History', exact: true }).waitFor()
  })

  it('shows a reader nothing that only others may do', async t => {
    const { page, go } = await stage.visit(t, { token: await stage.service.tokenWith('read') })
    await go('/record/PR-HAMLET')
    await page.getByRole('link', { name: 'History', exact: true }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Add' }).count(), 0)
    assert.equal(await page.getByRole('link', { name: 'Manage' }).count(), 0)
    assert.equal(await page.getByRole('link', { name: 'Edit' }).count(), 0)
  })
})

/** The smallest picture there is. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64'
)

describe('signing in with an issuer', { skip: stage.skip }, () => {
  const withIssuer = 'Sign in with House of Readers'
  const signIn = async ({ page }: Visit, name = 'mira') => {
    await page.getByRole('button', { name: withIssuer }).click()
    await page.getByLabel('Name').fill(name)
    await page.getByRole('button', { name: 'Let me in' }).click()
  }
  const addressIs = ({ page }: Visit, path: string) => page.waitForURL(({ href }) => href === stage.url + path)
  const told = (visit: Visit, text: string | RegExp) =>
    visit.page.getByRole('alert').filter({ hasText: text }).waitFor()
  /**
   * Complaints of the browser, without those about the pages of the issuer, which are not requests
   * of ours.
   */
  const complaintsOf = ({ complaints }: Visit) => complaints.filter(each => !each.startsWith(`asked ${issuer.url}/`))

  /** Begins a sign-in in the tab, and gives the path that the issuer would send it back to. */
  const answerTo = async ({ page }: Visit) => {
    const leaving = page.waitForRequest(request => request.url().startsWith(`${issuer.url}/auth?`))
    await page.getByRole('button', { name: withIssuer }).click()
    const back = await issuer.visit((await leaving).url())
    await page.getByRole('button', { name: 'Let me in' }).waitFor()
    return back.pathname + back.search
  }

  it('leads to where one wanted to go, lets one change a record in one’s own name, and signs out there too', async t => {
    const visit = await stage.visit(t, { token: undefined })
    const { page, go } = visit
    const asked: string[] = []
    page.on('request', request => {
      if (request.url().startsWith(issuer.url)) asked.push(`${request.resourceType()} ${request.isNavigationRequest()}`)
    })
    await go('/record/W-HAMLET/edit?from=here')
    assert.deepEqual(await accessibilityFaults(page), [])
    await signIn(visit)
    await page.getByLabel('Year', { exact: true }).fill('1601')
    await addressIs(visit, '/record/W-HAMLET/edit?from=here')
    await page.getByRole('button', { name: 'Save' }).click()
    // Not the heading: the form's own says "Edit: Hamlet", and is there before anything was saved.
    await page.getByText('Hamlet was saved').waitFor()
    const { body } = await stage.service.get('/entities/W-HAMLET')
    assert.equal(body.audit.updated.by, 'oidc:mira')

    // A user who signed in with an issuer has no tickets, and still sees pictures.
    const { id } = await stage.service.create({
      type: 'mediafile',
      metadata: [{ key: 'mediafile_type', value: 'posters' }],
      relations: [{ type: 'refProductions', key: 'PR-HAMLET' }]
    })
    const content = `/mediafiles/${id}/content`
    const sent = await stage.service.app.inject({
      method: 'PUT',
      url: content,
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'image/png' },
      payload: picture
    })
    assert.equal(sent.statusCode, 200, sent.body)
    await go(`/record/${id}`)
    await page.waitForFunction(() => document.querySelector<HTMLImageElement>('.media-preview img')?.naturalWidth === 1)

    // A tab that is opened beside it is signed in too.
    const beside = await visit.another('/')
    await beside.getByRole('button', { name: 'Signed in as mira the Reader' }).waitFor()

    await page.getByRole('button', { name: 'Signed in as mira the Reader' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Yes, sign me out' }).click()
    await page.getByRole('button', { name: withIssuer }).waitFor()
    await beside.getByRole('button', { name: withIssuer }).waitFor()
    await becomes(() => page.evaluate(() => Object.keys(sessionStorage).filter(key => key.startsWith('libretto'))), [])
    // The issuer asks for the name again: its session is over.
    await page.getByRole('button', { name: withIssuer }).click()
    await page.getByLabel('Name').waitFor()

    assert.ok(asked.length > 0 && asked.every(each => each === 'document true'), asked.join())
    assert.deepEqual(complaintsOf(visit), [])
  })

  it('tells when the issuer, or the person there, said no', async t => {
    const visit = await stage.visit(t, { token: undefined })
    await visit.go('/record/PR-HAMLET')
    await visit.page.getByRole('button', { name: withIssuer }).click()
    await visit.page.getByRole('button', { name: 'Refuse' }).click()
    await told(visit, 'House of Readers refused access')
    await addressIs(visit, '/record/PR-HAMLET')
  })

  it('refuses an answer that this tab did not ask for, and one that comes a second time', async t => {
    const visit = await stage.visit(t, { token: undefined })
    const { page, go } = visit
    await go('/sign-in?code=stolen&state=0123456789abcdef0123456789abcdef')
    await told(visit, 'does not belong to a sign-in started in this tab')

    // Begun here, answered with another state: that of somebody who would have one work in their
    // name.
    const answer = await answerTo(visit)
    await go(answer.replace(/state=[^&]+/, 'state=0123456789abcdef0123456789abcdef'))
    await told(visit, 'does not belong to a sign-in started in this tab')
    await go(answer)
    await told(visit, 'does not belong to a sign-in started in this tab')
    assert.equal(await page.evaluate(() => sessionStorage.getItem('libretto-token')), null)
    assert.deepEqual(complaintsOf(visit), [])
  })

  it('tells when the code has run out, or is another’s', async t => {
    const visit = await stage.visit(t, { token: undefined })
    await visit.go('/find?q=hamlet')
    const answer = await answerTo(visit)
    await visit.go(answer.replace(/code=[^&]+/, 'code=one-that-has-run-out'))
    await told(visit, 'The answer of House of Readers has expired')
    await addressIs(visit, '/find?q=hamlet')
  })

  it('stays signed in by itself where the issuer lets it, and loses nothing where it does not', async t => {
    t.after(() => Object.assign(issuer.giving, { refreshTokens: true }))
    const visit = await stage.visit(t, { token: undefined })
    const { page, go } = visit
    // Its clock is never right again.
    t.after(() => page.close())
    await go('/record/W-HAMLET')
    await signIn(visit)
    await page.getByRole('heading', { level: 1, name: 'Hamlet', exact: true }).waitFor()
    await settled(page)
    const tokenOf = () => page.evaluate(() => sessionStorage.getItem('libretto-token'))
    const first = await tokenOf()
    const before = issuer.refreshes()
    // A moment before the hour is over that the token is good for, by the clock of the browser.
    await page.clock.setSystemTime(Date.now() + 3_595_000)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Hamlet', exact: true }).waitFor()
    await settled(page)
    assert.notEqual(await tokenOf(), first)
    // Several questions were asked at once; a refresh token is used once.
    assert.equal(issuer.refreshes(), before + 1)

    // No refresh tokens from now on. Typed text is not lost when the sign-in expires and is
    // renewed.
    issuer.giving.refreshTokens = false
    await page.evaluate(() => sessionStorage.clear())
    await go('/record/W-HAMLET/edit')
    await page.getByRole('button', { name: withIssuer }).click()
    await page.getByLabel('Year', { exact: true }).fill('1599')
    await page.clock.setSystemTime(Date.now() + 2 * 3_600_000)
    await page.getByRole('button', { name: 'Save' }).click()
    await told(visit, 'Your session with House of Readers has ended')
    await page.getByRole('button', { name: withIssuer }).click()
    await page.getByText('Your unsaved draft').waitFor()
    await becomes(() => page.getByLabel('Year', { exact: true }).inputValue(), '1599')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Hamlet was saved').waitFor()
    assert.deepEqual(complaintsOf(visit), [])
  })

  it('tells somebody who may do nothing here that they may not, and not that something is wrong', async t => {
    issuer.giving.scopes = 'admin:nothing'
    t.after(() => Object.assign(issuer.giving, { scopes: 'read write delete' }))
    const visit = await stage.visit(t, { token: undefined })
    await visit.go('/')
    await signIn(visit, 'nobody')
    await visit.page.getByRole('heading', { name: 'You have no access yet' }).waitFor()
    await visit.page.getByRole('button', { name: 'Sign out' }).waitFor()
  })
})
