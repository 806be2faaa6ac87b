import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { Entity } from '#domain/entity/entity.ts'
import { runStatement } from '../support/databases/database.ts'
import { createChance, howMany, repeatable, seed } from '../support/records/chance.ts'
import { aProduction, aVenue, metadata, relations } from '../support/records/entities.ts'
import { start, type TestService } from '../support/services/start.ts'

/* Many people on few records: nobody's change is lost, and no version is there twice. */

const clients = 64
const entities = 10
const roundsEach = howMany({ quick: 5, short: 15, long: 200, onPostgres: 10 })

describe(`${clients} clients on ${entities} entities`, () => {
  it('lose no field when they patch different keys without If-Match, and each version is there once', () =>
    repeatable(async after => {
      const service = await start({ after })
      const shared = await someProductions(service)
      const written = new Map<string, Map<string, number>>(shared.map(({ id }) => [id, new Map()]))
      const answered = new Map<string, number[]>(shared.map(({ id }) => [id, []]))

      await Promise.all(
        Array.from({ length: clients }, async (_, client) => {
          const chance = createChance(seed + client)
          for (let round = 1; round <= roundsEach; round++) {
            const { id } = chance.pickOr(shared, shared[0] as Entity)
            const key = `client_${client}`
            const answer = await service.patch(`/entities/${id}`, { metadata: [{ key, value: round }] })
            assert.equal(answer.status, 200, answer.text)
            assert.deepEqual(valuesOf(answer.body, key), [round], 'the answer shows what was written')
            written.get(id)?.set(key, round)
            answered.get(id)?.push(answer.body.version)
          }
        })
      )

      for (const { id, _id } of shared) {
        const entity = (await service.get(`/entities/${id}`)).body as Entity
        for (const [key, value] of written.get(id) ?? []) {
          assert.deepEqual(valuesOf(entity, key), [value], `${key} of ${id} is lost (SEED=${seed})`)
        }
        const versions = await versionsOf(service, _id)
        const upTo = Array.from({ length: entity.version }, (_, index) => index + 1)
        assert.deepEqual(versions, upTo, 'every version is kept once')
        assert.deepEqual(
          answered.get(id)?.sort((one, other) => one - other),
          upTo.slice(1),
          'every answer had a version of its own'
        )
      }
      assert.deepEqual((await service.libretto.store.check()).problems, [])
    }))

  it('with the same If-Match: exactly one of them wins, the others hear of it', () =>
    repeatable(async after => {
      const service = await start({ after })
      const shared = await someProductions(service)
      for (let round = 1; round <= roundsEach; round++) {
        const outcomes = await Promise.all(
          Array.from({ length: clients }, async (_, client) => {
            const { id } = shared[client % entities] as Entity
            const value = `client ${client} round ${round}`
            const headers = { 'if-match': client % 2 ? `"${round}"` : String(round) }
            // Whichever way the change is said, the condition holds.
            const way = client % 4
            const answer =
              way === 0
                ? await service.patch(`/entities/${id}`, { metadata: metadata({ subtitle: value }) }, { headers })
                : way === 1
                  ? await service.put(
                      `/entities/${id}`,
                      { metadata: metadata({ title: 'x', subtitle: value }) },
                      { headers }
                    )
                  : way === 2
                    ? await service.put(`/entities/${id}/metadata`, metadata({ title: 'x', subtitle: value }), {
                        headers
                      })
                    : await service.patch(`/entities/${id}/metadata`, metadata({ subtitle: value }), { headers })
            return { id, value, answer }
          })
        )
        for (const { id } of shared) {
          const competing = outcomes.filter(outcome => outcome.id === id)
          const winners = competing.filter(({ answer }) => answer.status === 200)
          assert.equal(winners.length, 1, competing.map(({ answer }) => answer.status).join())
          for (const { answer } of competing) assert.ok([200, 412].includes(answer.status), answer.text)
          const entity = (await service.get(`/entities/${id}`)).body as Entity
          assert.equal(entity.version, round + 1)
          assert.deepEqual(valuesOf(entity, 'subtitle'), [winners[0]?.value], 'what is stored is what the winner wrote')
        }
      }
    }))

  it('bringing a record back while others delete its target: no relation leads to a record that is gone', () =>
    repeatable(async after => {
      const service = await start({ after })
      const races = await Promise.all(
        Array.from({ length: clients }, async (_, client) => {
          const target = await service.create(aVenue())
          const related = aProduction({}, { relations: relations({ refVenues: target.id }) })
          const [record, survivor] = [await service.create(related), await service.create(aProduction())]
          if (client % 2) await service.delete(`/entities/${record.id}`)
          else await service.post(`/entities/${survivor.id}/merge`, { victim_id: record.id })
          return { target, record, survivor, isDeleted: client % 2 === 1 }
        })
      )
      await Promise.all(
        races.map(async ({ target, record, survivor, isDeleted }) => {
          const [back, gone] = await Promise.all([
            isDeleted
              ? service.post(`/entities/${record.id}/revert`, { version: 1 })
              : service.post(`/entities/${survivor.id}/unmerge`, {}),
            service.get(`/entities/${target.id}`).then(() => service.delete(`/entities/${target.id}`))
          ])
          assert.equal(back.status, 200, back.text)
          assert.ok([204, 409].includes(gone.status), gone.text)
          const { relations: left } = (await service.get(`/entities/${record.id}`)).body as Entity
          assert.deepEqual(
            left.map(({ key }) => key),
            gone.status === 204 ? [] : [target.id]
          )
        })
      )
      assert.deepEqual((await service.libretto.store.check()).problems, [])
    }))

  it('racing for one identifier: exactly one gets it', () =>
    repeatable(async after => {
      const service = await start({ after })
      for (let round = 0; round < roundsEach; round++) {
        const statuses = await Promise.all(
          Array.from({ length: clients }, async (_, client) => {
            const given = client % 2 ? { id: `PR-race-${round}` } : { identifiers: [`PR-race-${round}`] }
            return (await service.post('/entities', aProduction({}, given))).status
          })
        )
        assert.equal(statuses.filter(status => status === 201).length, 1)
        assert.equal(statuses.filter(status => status === 409).length, clients - 1)
      }
    }))
})

const someProductions = (service: TestService) =>
  Promise.all(Array.from({ length: entities }, (_, number) => service.create(aProduction({ title: `Show ${number}` }))))

const valuesOf = (entity: Entity, key: string) =>
  entity.metadata.filter(each => each.key === key).map(each => each.value)

/** The versions in the database: those that were replaced, and the newest. */
async function versionsOf(service: TestService, uuid: string): Promise<number[]> {
  const rows = await runStatement(
    service.libretto.config.databaseUrl,
    'SELECT version FROM versions WHERE uuid = $1 UNION ALL SELECT version FROM entities WHERE uuid = $1 ORDER BY version',
    uuid
  )
  return rows.map(row => Number(row.version))
}
