import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { createTicketIssuer } from '#auth/tickets.ts'
import { aProduction } from '../support/records/entities.ts'
import { createMediafile, getBytes, putBytes } from '../support/records/media.ts'
import { adminToken, start } from '../support/services/start.ts'
import { assertProblem } from '../support/records/write-cases.ts'

const service = await start({ after })
const { mediafile } = await createMediafile(service, Buffer.from('poster'))
const contentOf = (id: string, ticket: string) => `/mediafiles/${id}/content?ticket=${ticket}`
const make = async (body: Record<string, unknown>, token = adminToken) => {
  const answer = await service.post('/tickets', body, { token })
  assert.equal(answer.status, 201, answer.text)
  return answer.body as string
}
const fetchWith = (ticket: string, id = mediafile) => service.get(contentOf(id, ticket), { token: undefined })
const send = (ticket: string, id = mediafile) =>
  service.call('PUT', contentOf(id, ticket), {
    token: undefined,
    body: 'new',
    headers: { 'content-type': 'text/plain' }
  })

describe('A ticket', () => {
  it('lets whoever has it fetch one file without a bearer, and parts of it, and its head', async () => {
    const ticket = await make({ mediafile_id: mediafile })
    const { status, bytes } = await getBytes(service, contentOf(mediafile, ticket), { token: '' })
    assert.deepEqual([status, bytes.toString()], [200, 'poster'])
    const part = await getBytes(service, contentOf(mediafile, ticket), { token: '', headers: { range: 'bytes=0-1' } })
    assert.deepEqual([part.status, part.bytes.toString()], [206, 'po'])
    assert.equal((await service.call('HEAD', contentOf(mediafile, ticket), { token: undefined })).status, 200)
  })

  it('is for that file and that action only, and for no other path', async () => {
    const other = (await createMediafile(service, Buffer.from('other'))).mediafile
    const download = await make({ mediafile_id: mediafile })
    const upload = await make({ mediafile_id: mediafile, action: 'upload' })
    assertProblem(await fetchWith(download, other), 'unauthenticated')
    assertProblem(await send(download), 'unauthenticated')
    assertProblem(await fetchWith(upload), 'unauthenticated')
    for (const path of ['/entities', `/entities/${mediafile}`, `/mediafiles/${mediafile}`, '/tokens'])
      assertProblem(await service.get(`${path}?ticket=${download}`, { token: undefined }), 'unauthenticated')
    assert.equal((await send(upload)).status, 200)
    await putBytes(service, `/mediafiles/${mediafile}/content`, Buffer.from('poster'))
  })

  it('ends with the token that made it, at once', async () => {
    const { token, id } = await service.libretto.tokens.create({ name: 'page', scopes: ['read'] }, 'test')
    const ticket = await make({ mediafile_id: mediafile }, token)
    assert.equal((await fetchWith(ticket)).status, 200)
    assert.equal((await service.delete(`/tokens/${id}`)).status, 204)
    assertProblem(await fetchWith(ticket), 'unauthenticated')
  })

  it('ends when its time, or that of its token, is over', async () => {
    const { store, model, secrets } = service.libretto
    let now = Date.now()
    const issuer = createTicketIssuer({ store, model, adminToken, secretKey: secrets.key, now: () => now })
    const expiring = await service.libretto.tokens.create(
      { name: 'soon', scopes: ['read'], expiresAt: new Date(now + 60_000).toISOString() },
      'test'
    )
    const admin = service.libretto.operator
    const byAdmin = await issuer.create(
      { ...admin, key: 'token:admin' },
      { action: 'download', mediafileId: mediafile },
      100
    )
    const byToken = await issuer.create(
      { ...admin, key: `token:${expiring.id}` },
      { action: 'download', mediafileId: mediafile },
      1000
    )
    now += 59_000
    for (const ticket of [byAdmin, byToken]) assert.equal((await issuer.admit(ticket)).use.mediafileId, mediafile)
    now += 2000
    await assert.rejects(issuer.admit(byToken), /not valid or has expired/)
    await issuer.admit(byAdmin)
    now += 40_000
    await assert.rejects(issuer.admit(byAdmin), /not valid or has expired/)
  })

  it('says exactly what it is for, and until when', async () => {
    const { store, model, secrets, operator } = service.libretto
    let now = 1_800_000_000_000
    const issuer = createTicketIssuer({ store, model, adminToken, secretKey: secrets.key, now: () => now })
    for (const use of [
      { action: 'download', mediafileId: mediafile, filename: 'x.png' },
      { action: 'calendar', entityId: 'VE-1' },
      { action: 'upload' }
    ] as const) {
      const ticket = await issuer.create({ ...operator, key: 'token:admin' }, use, 10)
      const admitted = await issuer.admit(ticket)
      assert.deepEqual(admitted.use, use)
      assert.equal(admitted.principal.until, now + 10_000)
      now += 10_000
      await assert.rejects(issuer.admit(ticket), /not valid or has expired/)
    }
  })

  it('cannot be made up or changed', async () => {
    const ticket = await make({ mediafile_id: mediafile })
    const [text = '', signature = ''] = ticket.split('.')
    const claims = JSON.parse(Buffer.from(text, 'base64url').toString())
    const encode = (changed: object) => Buffer.from(JSON.stringify(changed)).toString('base64url')
    const forged = [
      `${encode({ ...claims, until: claims.until + 1 })}.${signature}`,
      `${encode({ ...claims, action: 'upload' })}.${signature}`,
      `${encode({ ...claims, by: 'token:none' })}.${signature}`,
      `${text}.`,
      text,
      `${text}.${signature.slice(1)}`,
      `${text}.${signature}.x`,
      `.${signature}`,
      'null',
      `${encode([])}.${signature}`,
      ''
    ]
    for (const each of forged) assertProblem(await fetchWith(each), 'unauthenticated')
  })

  it('does no more than the token that made it may do at that moment', async () => {
    const token = await service.tokenWith('read:production:published', 'read:mediafile')
    const production = await service.create(aProduction({ status: 'published', description_short: 'x' }))
    const shown = (await createMediafile(service, Buffer.from('shown'), 'posters', production.id)).mediafile
    assertProblem(await service.post('/tickets', { mediafile_id: mediafile }, { token }), 'not_found')
    const ticket = await make({ mediafile_id: shown }, token)
    assert.equal((await fetchWith(ticket, shown)).status, 200)
    await service.patch(`/entities/${production.id}`, { metadata: [{ key: 'status', value: 'concept' }] })
    assertProblem(await fetchWith(ticket, shown), 'not_found')
    const reader = await service.tokenWith('read')
    assertProblem(
      await service.post('/tickets', { mediafile_id: shown, action: 'upload' }, { token: reader }),
      'forbidden'
    )
    assertProblem(await service.post('/tickets', { filename: 'x.png' }, { token: reader }), 'forbidden')
  })

  it('is refused for what is no media file, or nothing', async () => {
    const { id } = await service.create(aProduction())
    assertProblem(await service.post('/tickets', { mediafile_id: id }), 'not_found')
    assertProblem(await service.post('/tickets', {}), 'invalid')
    for (const expires_in of [0, -1, 86_401, 1.5, 'x'])
      assert.equal(
        (await service.post('/tickets', { mediafile_id: mediafile, expires_in })).status,
        400,
        String(expires_in)
      )
  })
})

describe('Where visitors may read something, a ticket', () => {
  it('still opens what visitors may not read, and an invalid one changes nothing for them', async t => {
    const open = await start(t, { ANONYMOUS_ACCESS: 'read:production:published,read:mediafile' })
    const { production, mediafile: file } = await createMediafile(open, Buffer.from('hidden'))
    const visitor = { token: undefined }
    assertProblem(await open.get(`/mediafiles/${file}/content`, visitor), 'not_found')
    const { body: ticket } = await open.post('/tickets', { mediafile_id: file })
    const content = await open.get(contentOf(file, ticket), visitor)
    assert.deepEqual([content.status, content.text], [200, 'hidden'])
    assertProblem(await open.get(contentOf(file, 'bad.ticket'), visitor), 'not_found')
    const calendar = `/entities/${production}/calendar.ics`
    assertProblem(await open.get(calendar, visitor), 'not_found')
    const { body: forCalendar } = await open.post('/tickets', { entity_id: production })
    assert.equal((await open.get(`${calendar}?ticket=${forCalendar}`, visitor)).status, 200)
    // The ticket of a calendar opens no file.
    assertProblem(await open.get(contentOf(file, forCalendar), visitor), 'not_found')

    const shown = { key: 'status', value: 'published' }
    const metadata = [shown, { key: 'description_short', value: '<p>Kort</p>' }]
    assert.equal((await open.patch(`/entities/${production}`, { metadata })).status, 200)
    for (const given of ['', '?ticket=bad.ticket', `?ticket=${ticket}`])
      assert.equal((await open.get(`/mediafiles/${file}/content${given}`, visitor)).status, 200, given)
  })
})
