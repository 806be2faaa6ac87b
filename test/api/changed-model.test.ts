import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

import { indexRulesOf } from '#domain/search/index-rules.ts'
import { createTestDatabase, runStatement } from '../support/databases/database.ts'
import { start, type Teardown, temporaryFolder } from '../support/services/start.ts'
import { readConfig } from '../../src/config.ts'
import { modelOf, openLibretto } from '../../src/main.ts'

/*
 * The kind of a field decides how its values are ordered and found. A service that is started with
 * another model writes again what depends on it, and nothing else. A command, which may be run
 * without the setting, changes nothing.
 */

const editions = ['9', '10', '100']

/**
 * A model in which the edition of a festival is of this kind. Where it is a year, festivals are
 * known by another field.
 */
function modelFile(t: Teardown, kind: string): string {
  const file = join(temporaryFolder(t), `${kind}.json`)
  const nameField = kind === 'year' ? 'label' : 'name'
  const festival = { type: 'festival', idPrefix: 'FEST', nameField, description: 'A festival' }
  const fields = { name: { kind: 'text' }, label: { kind: 'text' }, edition: { kind } }
  writeFileSync(file, JSON.stringify({ types: [{ ...festival, fields }] }))
  return file
}

/** A catalogue of festivals that was indexed while their edition was a text. */
async function makeFestivals(t: Teardown): Promise<string> {
  const url = await createTestDatabase(t)
  const service = await start(t, { DATABASE_URL: url, MODEL: modelFile(t, 'text') })
  for (const edition of editions)
    await service.create({
      type: 'festival',
      metadata: [
        { key: 'name', value: `Feest ${edition}` },
        { key: 'label', value: `F${edition}` },
        { key: 'edition', value: edition }
      ]
    })
  assert.deepEqual(await editionsInOrder(service), ['10', '100', '9'])
  return url
}

async function editionsInOrder(service: Awaited<ReturnType<typeof start>>): Promise<string[]> {
  const { body } = await service.filter([{ type: 'type', value: 'festival' }], '?order_by=edition')
  return body.results.map(
    (each: { metadata: { key: string; value: string }[] }) => each.metadata.find(({ key }) => key === 'edition')?.value
  )
}

/** Looks for damage as a command does. */
async function problemsOf(url: string, model: string): Promise<readonly string[]> {
  await using libretto = await openLibretto(readConfig({ DATABASE_URL: url, MODEL: model }))
  return (await libretto.store.check()).problems
}

describe('the index after the model was changed', () => {
  it('follows the model that a service is started with, and a command only says that it does not', async t => {
    const url = await makeFestivals(t)
    const model = modelFile(t, 'year')
    const [said, ...others] = await problemsOf(url, model)
    assert.equal(said, 'Lookups of festival follow another model (MODEL); start the service once with this one')
    assert.deepEqual(others, [])

    const service = await start(t, { DATABASE_URL: url, MODEL: model })
    assert.deepEqual(await editionsInOrder(service), ['9', '10', '100'])
    assert.deepEqual(await problemsOf(url, model), [])
    const left = await runStatement(url, `SELECT name FROM properties WHERE name = 'index_progress'`)
    assert.deepEqual(left, [])
  })

  it('goes on where a start was killed, and begins anew for yet another model', async t => {
    const url = await makeFestivals(t)
    const [year, date] = [modelFile(t, 'year'), modelFile(t, 'date')]
    const [place] = await runStatement(url, `SELECT max(pk) AS pk FROM entities WHERE type = 'festival'`)
    const rules = JSON.stringify(indexRulesOf(modelOf(readConfig({ MODEL: year }))))
    const progress = JSON.stringify({ rules, from: Number(place?.pk) - 1 })
    await runStatement(url, `DELETE FROM lookups WHERE type = 'festival'`)
    await runStatement(url, `INSERT INTO properties VALUES ('index_progress', '${progress.replaceAll("'", "''")}')`)
    await start(t, { DATABASE_URL: url, MODEL: year })
    // The newest was said to be done, and was not looked at again.
    const skipped = await problemsOf(url, year)
    assert.equal(skipped.length, 1, skipped.join('\n'))

    await runStatement(url, `INSERT INTO properties VALUES ('index_progress', '${progress.replaceAll("'", "''")}')`)
    await start(t, { DATABASE_URL: url, MODEL: date })
    assert.deepEqual(await problemsOf(url, date), [])
  })
})
