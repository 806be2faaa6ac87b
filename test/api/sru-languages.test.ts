import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { aManifestation, anExpression, aPerson, aWork, metadata, relations } from '../support/records/entities.ts'
import { adminToken, start } from '../support/services/start.ts'

/*
 * Requests of library systems: the language of a translation, the order of results, and the ways to
 * sign in.
 */

const service = await start({ after }, { OAI_PAGE_SIZE: '2' })

describe('Publications for library systems', () => {
  before(async () => {
    await service.create({ type: 'language', id: 'L-ENG', metadata: metadata({ name: 'English', code: 'eng' }) })
    await service.create({ type: 'language', id: 'L-NLD', metadata: metadata({ name: 'Dutch', code: 'nld' }) })
    await service.create(aPerson('Shakespeare, William', { id: 'P-WS' }))
    await service.create({
      ...aWork('Hamlet', { id: 'W-1' }),
      relations: relations({ refAuthors: 'P-WS', refLanguages: 'L-ENG' })
    })
    for (const [id, language] of [
      ['1', 'L-NLD'],
      ['2', 'L-ENG']
    ] as const)
      await service.create({
        ...anExpression('W-1', `Text ${id}`, { id: `E-${id}` }),
        relations: relations({ refWork: 'W-1', refLanguages: language })
      })
    await service.create(anExpression('W-1', 'Text 3', { id: 'E-3' }))
    await service.create(aManifestation('E-1', 'De verzamelde stukken waarin ook Hamlet staat', { id: 'M-1' }))
    await service.create(aManifestation('E-2', 'Hamlet', { id: 'M-2' }))
    await service.create(aManifestation('E-3', 'Prince of Denmark', { id: 'M-3' }))
  })

  const ask = async (query: string, database = '') => {
    const { text } = await service.get(
      `/sru${database}?version=1.2&operation=searchRetrieve&recordSchema=libretto&query=${encodeURIComponent(query)}`
    )
    return [...text.matchAll(/<record xmlns="[^"]*" id="([^"]*)"/g)].map(each => each[1])
  }

  it('are in the language of their text, in Dublin Core and in searches', async () => {
    const languages = async (id: string) => {
      const { text } = await service.get(
        `/oai?verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:libretto.invalid:${id}`
      )
      return [...text.matchAll(/<dc:language>([^<]*)</g)].map(each => each[1])
    }
    assert.deepEqual(await languages('M-1'), ['nld'])
    assert.deepEqual(await languages('M-2'), ['eng'])
    // Only the work says it.
    assert.deepEqual(await languages('M-3'), ['eng'])
    assert.deepEqual(await ask('dc.language=nld'), ['M-1'])
    assert.deepEqual(await ask('dc.language=dut'), ['M-1'])
    assert.deepEqual(await ask('dc.language=Dutch'), ['M-1'])
    assert.deepEqual(await ask('dc.language=nl'), ['M-1'])
    assert.deepEqual(await ask('dc.language any "nl en"'), ['M-1', 'M-2', 'M-3'])
    assert.deepEqual(await ask('dc.language=eng'), ['M-2', 'M-3'])
    assert.deepEqual(await ask('dc.creator=shakespeare not dc.language=eng'), ['M-1'])
    assert.deepEqual(await ask('dc.creator=shakespeare not dc.language=nld'), ['M-2', 'M-3'])
    assert.deepEqual(await ask('dc.language any "nld eng"'), ['M-1', 'M-2', 'M-3'])
  })

  it('come in the order of relevance unless another is asked for', async () => {
    assert.deepEqual(await ask('hamlet'), ['M-2', 'M-1', 'M-3'])
    assert.deepEqual(await ask('hamlet shakespeare'.replace(' ', ' and ')), ['M-2', 'M-1', 'M-3'])
    assert.deepEqual(await ask('"shakespeare hamlet"'), ['M-2', 'M-1', 'M-3'])
    assert.deepEqual(await ask('cql.anywhere any "denmark stukken"'), ['M-1', 'M-3'])
    assert.deepEqual(await ask('hamlet sortBy dc.title'), ['M-1', 'M-2', 'M-3'])
    assert.deepEqual(await ask('dc.title=hamlet'), ['M-2', 'M-1', 'M-3'])
  })

  it('and works, which are found by their editions too, come in the order of relevance by an index', async () => {
    await service.create(aWork('Essays on the stage, on Hamlet and on Lear', { id: 'W-2' }))
    await service.create(aWork('Hamlet', { id: 'W-3' }))
    const found = ['W-1', 'W-3', 'W-2']
    assert.deepEqual(await ask('dc.title=hamlet', '/work'), found)
    assert.deepEqual(await ask('dc.title=hamlet not dc.title=macbeth', '/work'), found)
    assert.deepEqual(await ask('dc.title=hamlet and dc.language=nld', '/work'), ['W-1'])
    // Only an edition has the word: it is found, though the words of the work do not rank it.
    assert.deepEqual(await ask('dc.title=denmark', '/work'), ['W-1'])
    assert.deepEqual(await ask('dc.title=hamlet sortBy dc.title', '/work'), ['W-2', 'W-1', 'W-3'])
  })

  it('are listed with the size of the whole list', async () => {
    const { text } = await service.get('/oai?verb=ListIdentifiers&metadataPrefix=marcxml')
    assert.match(text, /<resumptionToken cursor="0" completeListSize="3">/)
    const token = /<resumptionToken[^>]*>([^<]+)</.exec(text)?.[1] ?? ''
    const last = await service.get(`/oai?verb=ListIdentifiers&resumptionToken=${token}`)
    assert.match(last.text, /<resumptionToken cursor="2" completeListSize="3"\/>/)
    const narrow = await service.get('/oai?verb=ListIdentifiers&metadataPrefix=marcxml', {
      token: await service.tokenWith('read:manifestation_map')
    })
    assert.match(narrow.text, /noRecordsMatch/)
    const timed = await service.get('/oai?verb=ListIdentifiers&metadataPrefix=marcxml&from=2020-01-01')
    assert.match(timed.text, /<resumptionToken cursor="0">/)
  })

  it('are given to HTTP Basic with a token as the password, at these doors only', async () => {
    const sent = async (url: string, user: string, password: string) => {
      const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
      return service.call('GET', url, { token: undefined, headers: { authorization } })
    }
    const doors = ['/oai?verb=Identify', '/sru?query=hamlet', '/sru/all?query=hamlet']
    for (const url of doors) {
      assert.equal((await sent(url, 'anybody', adminToken)).status, 200)
      assert.equal((await sent(url, '', adminToken)).status, 200)
      const refused = await sent(url, adminToken, 'wrong')
      assert.equal(refused.status, 401)
      assert.match(String(refused.headers['www-authenticate']), /^Bearer realm="libretto".*, Basic realm="libretto"/)
      const garbled = await service.call('GET', url, { token: undefined, headers: { authorization: 'Basic !' } })
      assert.equal(garbled.status, 401)
    }
    const narrow = await service.tokenWith('read:person')
    assert.match((await sent('/sru?query=hamlet', 'x', narrow)).text, /numberOfRecords>0</)
    const elsewhere = await sent('/entities', 'anybody', adminToken)
    assert.equal(elsewhere.status, 401)
    assert.doesNotMatch(String(elsewhere.headers['www-authenticate']), /Basic/)
  })
})
