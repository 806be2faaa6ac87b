import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { start, type TestService } from '../support/services/start.ts'

const named = (id: string, type: string, key: string, value: string, relations: unknown[] = []) => ({
  id,
  type,
  metadata: [{ key, value }],
  relations
})

const ids = async (service: TestService, query: string) => {
  const { status, body, text } = await service.get(`/suggest?${query}`)
  assert.equal(status, 200, text)
  return (body.suggestions as { id: string }[]).map(({ id }) => id)
}

describe('GET /suggest', () => {
  it('gives id, type and name of what goes on as was typed, in the order of the names', async t => {
    const service = await start(t)
    await service.create(named('PR-1', 'production', 'title', 'Hamster'))
    await service.create(named('PR-2', 'production', 'title', 'Hámlet'))
    await service.create(named('PERS-1', 'person', 'name', 'Hamelink, Jacques'))
    await service.create(named('PR-3', 'production', 'title', 'De ham'))

    const { body } = await service.get('/suggest?q=ham&limit=3')
    assert.deepEqual(body, {
      suggestions: [
        { id: 'PERS-1', type: 'person', label: 'Hamelink, Jacques' },
        { id: 'PR-2', type: 'production', label: 'Hámlet' },
        { id: 'PR-1', type: 'production', label: 'Hamster' }
      ]
    })
    const inDutch = (await service.get('/suggest?q=hamel&lang=nl')).body.suggestions
    assert.deepEqual(inDutch, [{ id: 'PERS-1', type: 'person', label: 'Hamelink, Jacques', type_label: 'Persoon' }])
    // Names that have the words elsewhere follow.
    assert.deepEqual(await ids(service, 'q=ham'), ['PERS-1', 'PR-2', 'PR-1', 'PR-3'])
    assert.deepEqual(await ids(service, 'q=jacques+hamel'), ['PERS-1'])
    assert.deepEqual(await ids(service, 'q=ham&type=person'), ['PERS-1'])
  })

  it('counts slips only where there is nothing else', async t => {
    const service = await start(t)
    await service.create(named('PR-1', 'production', 'title', 'Hamlet'))
    assert.deepEqual(await ids(service, 'q=halmet'), ['PR-1'])
    await service.create(named('PR-2', 'production', 'title', 'Halmeter'))
    assert.deepEqual(await ids(service, 'q=halmet'), ['PR-2'])
  })

  it('suggests of the levels of one title the highest', async t => {
    const service = await start(t)
    await service.create(named('W-1', 'work_word', 'title', 'Ubik'))
    await service.create(named('E-1', 'reading', 'title', 'Ubik', [{ type: 'refWork', key: 'W-1' }]))
    await service.create(named('M-1', 'manifestation_word', 'title', 'Ubik', [{ type: 'refExpressions', key: 'E-1' }]))
    assert.deepEqual(await ids(service, 'q=ubi'), ['W-1'])
    assert.deepEqual(await ids(service, 'q=ubi&type=manifestation'), ['M-1'])
  })

  it('is empty for no words, and refuses what it cannot read', async t => {
    const service = await start(t)
    await service.create(named('PR-1', 'production', 'title', 'Hamlet'))
    assert.deepEqual(await ids(service, 'q='), [])
    assert.deepEqual(await ids(service, 'q=%21%20%3F'), [])
    assert.deepEqual(await ids(service, ''), [])
    for (const query of ['q=%00', 'q=a&limit=0', 'q=a&limit=21', 'q=a&type=none', `q=${'x'.repeat(513)}`])
      assert.equal((await service.get(`/suggest?${query}`)).status, 400, query)
  })

  it('knows nothing of types that the token may not read', async t => {
    const service = await start(t)
    await service.create(named('PERS-1', 'person', 'name', 'Hamelink'))
    await service.create(named('PR-1', 'production', 'title', 'Hamelin'))
    const token = await service.tokenWith('read:production')
    const ask = async (query: string) => (await service.get(`/suggest?${query}`, { token })).body.suggestions.length
    assert.equal(await ask('q=hame'), 1)
    assert.equal(await ask('q=hame&type=person'), 0)
    // A hidden name does not keep slips from counting.
    assert.equal(await ask('q=hamelink'), 1)
  })
})
