import assert from 'node:assert/strict'
import { closeSync, existsSync, openSync, readdirSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'

import { aPerson } from '../support/records/entities.ts'
import { runCli } from '../support/services/run-cli.ts'
import { type Client, createClient, startServer } from '../support/services/server-process.ts'
import { temporaryFolder } from '../support/services/start.ts'

const writers = 4
const writesBefore = 200

describe('A backup', () => {
  it('has, whole, what was acknowledged before it began, while others write; and what is restored from it is told to be another feed', async t => {
    const folder = temporaryFolder(t)
    const [path, file] = [join(folder, 'catalogue.db'), join(folder, 'backup.db')]
    const env = { DATABASE_URL: `sqlite:${path}`, SAMPLE_DATA: '0' }
    const server = await startServer(t, env.DATABASE_URL, { SAMPLE_DATA: '0' })
    const client = clientOf(t, server.port, writers)
    const load = writeUntilStopped(client)
    await load.until(writesBefore)
    const before = load.acknowledged()
    const cursor = await newestCursor(client)

    const backup = await runCli(['backup', file, '--json'], { env })
    assert.deepEqual([backup.code, backup.err], [0, ''])
    assert.deepEqual(JSON.parse(backup.out), { file, size: statSync(file).size })
    assert.equal(statSync(file).mode & 0o777, 0o600)
    await load.until(load.acknowledged().length + 50)
    await load.stop()
    const after = load.acknowledged()

    const refused = await runCli(['restore', file], { env })
    assert.equal(refused.code, 1)
    assert.match(refused.err, /^".*catalogue\.db" is in use; stop the service/)
    assert.equal((await client.call('GET', `/entities/${after.at(-1)}`)).status, 200)
    assert.equal(await server.stop(), 0)

    const restored = await runCli(['restore', file, '--json'], { env })
    assert.deepEqual([restored.code, restored.err], [0, ''])
    const { kept } = JSON.parse(restored.out) as { kept: string }
    assert.deepEqual(readdirSync(folder).sort(), ['backup.db', 'catalogue.db', kept.slice(folder.length + 1)].sort())
    // The writes that the restore removed are not lost: the replaced file has them.
    assert.deepEqual(missingIn(kept, after), [])
    const gone = missingIn(path, after)
    assert.deepEqual(missingIn(path, before), [])
    assert.ok(gone.length >= 50, `${gone.length} were written after the backup`)

    const checked = await runCli(['check', '--json'], { env })
    assert.deepEqual(JSON.parse(checked.out), {
      ok: true,
      entities: after.length - gone.length,
      problems: [],
      notices: []
    })
    const again = clientOf(t, (await startServer(t, env.DATABASE_URL)).port)
    assert.equal((await again.call('GET', `/entities/${before[0]}`)).status, 200)
    assert.equal((await again.call('GET', `/entities/${gone[0]}`)).status, 404)
    assert.equal((await again.call('GET', `/changes?since=${cursor}`)).status, 410)
  })

  it('is not written over a file, and is not made of a damaged database or of none', async t => {
    const folder = temporaryFolder(t)
    const [path, file] = [join(folder, 'catalogue.db'), join(folder, 'backup.db')]
    const env = { DATABASE_URL: `sqlite:${path}`, SAMPLE_DATA: '0' }
    const none = await runCli(['backup', file], { env })
    assert.equal(none.code, 1)
    assert.ok(none.err.startsWith(`There is no database "${path}"`), none.err)
    assert.ok(!existsSync(path))

    await makeCatalogue(env)
    writeFileSync(file, 'precious')
    const taken = await runCli(['backup', file], { env })
    assert.deepEqual([taken.code, taken.err], [1, `The file "${file}" exists already; it was not overwritten\n`])

    damage(path)
    const broken = await runCli(['backup', join(folder, 'second.db')], { env })
    assert.equal(broken.code, 1)
    assert.match(broken.err, /^".*catalogue\.db" could not be copied to ".*second\.db": .*(?:malformed|damaged)/)
    assert.deepEqual(
      readdirSync(folder).filter(name => name.startsWith('second')),
      []
    )
  })

  it('is restored into the place of a damaged database, and of none; what is no backup is refused', async t => {
    const folder = temporaryFolder(t)
    const [path, file, letter] = ['catalogue.db', 'backup.db', 'letter.txt'].map(name => join(folder, name)) as [
      string,
      string,
      string
    ]
    const env = { DATABASE_URL: `sqlite:${path}`, SAMPLE_DATA: '0' }
    const id = await makeCatalogue(env)
    assert.equal((await runCli(['backup', file], { env })).code, 0)
    writeFileSync(letter, Buffer.alloc(20_000, 'This is a letter to my aunt. '))
    for (const wrong of [letter, join(folder, 'nothing.db')]) {
      const refused = await runCli(['restore', wrong], { env })
      assert.equal(refused.code, 1)
      assert.match(
        refused.err,
        /letter\.txt" could not be copied .*not a database|^There is no database ".*nothing\.db"/
      )
    }
    assert.deepEqual(missingIn(path, [id]), [])

    writeFileSync(path, Buffer.alloc(20_000, 'no database any more '))
    assert.equal((await runCli(['restore', file], { env })).code, 0)
    assert.deepEqual(missingIn(path, [id]), [])
    const elsewhere = join(folder, 'new.db')
    const moved = await runCli(['restore', file, '--json'], { env: { DATABASE_URL: `sqlite:${elsewhere}` } })
    assert.deepEqual(Object.keys(JSON.parse(moved.out)), ['file', 'is_key_missing', 'media'])
    assert.deepEqual(missingIn(elsewhere, [id]), [])
  })

  it('of a PostgreSQL database is made with the tools of the server', async () => {
    for (const command of ['backup', 'restore']) {
      const { code, err } = await runCli([command, 'x.db'], { env: { DATABASE_URL: 'postgres://127.0.0.1:1/none' } })
      assert.deepEqual(
        [code, err],
        [1, 'PostgreSQL has its own tools for this: see docs/how-to/run-on-postgresql.md\n']
      )
    }
  })
})

describe('renew-feed', () => {
  it('gives the feed another epoch, and changes nothing else', async t => {
    const path = join(temporaryFolder(t), 'catalogue.db')
    const env = { DATABASE_URL: `sqlite:${path}`, SAMPLE_DATA: '0' }
    await makeCatalogue(env)
    const propertiesOf = () => {
      using db = new DatabaseSync(path, { readOnly: true })
      return Object.fromEntries(
        db
          .prepare('SELECT name, value FROM properties')
          .all()
          .map(({ name, value }) => [name, value])
      )
    }
    const { epoch: old, ...others } = propertiesOf()
    const { epoch } = JSON.parse((await runCli(['renew-feed', '--json'], { env })).out) as { epoch: string }
    assert.match(epoch, /^[0-9a-f]{16}$/)
    assert.notEqual(epoch, old)
    assert.deepEqual(propertiesOf(), { epoch, ...others })
  })
})

/** Makes a database with one person in it; gives its id. */
async function makeCatalogue(env: Readonly<Record<string, string>>): Promise<string> {
  const person = { id: 'P-BACKUP', ...aPerson() }
  const made = await runCli(['import', '-', '--json', '--create-database'], {
    env,
    input: `${JSON.stringify(person)}\n`
  })
  assert.equal(made.code, 0, made.err)
  return person.id
}

function clientOf(t: TestContext, port: number, connections = 1): Client {
  const client = createClient(port, connections)
  t.after(() => client.close())
  return client
}

/** Several clients that write one person after the other. */
function writeUntilStopped(client: Client) {
  const ids: string[] = []
  let isStopped = false
  const write = async () => {
    while (!isStopped) {
      const { status, text } = await client.call('POST', '/entities', aPerson())
      assert.equal(status, 201, text)
      ids.push((JSON.parse(text) as { id: string }).id)
    }
  }
  const all = Promise.all(Array.from({ length: writers }, write))
  return {
    acknowledged: () => [...ids],
    until: async (count: number) => {
      while (ids.length < count) await Promise.race([all, new Promise(resolve => setImmediate(resolve))])
    },
    stop: async () => {
      isStopped = true
      await all
    }
  }
}

/** Of these ids, those that a database does not have. */
function missingIn(path: string, ids: readonly string[]): string[] {
  using db = new DatabaseSync(path, { readOnly: true })
  const find = db.prepare('SELECT 1 FROM entities WHERE id = ?')
  return ids.filter(id => find.get(id) === undefined)
}

async function newestCursor(client: Client): Promise<string> {
  const { text } = await client.call('GET', '/changes?limit=1000')
  return (JSON.parse(text) as { cursor: string }).cursor
}

/** Overwrites the second half of a file. */
function damage(path: string) {
  const half = Math.floor(statSync(path).size / 8192) * 4096
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(half, 0xa5), 0, half, half)
  closeSync(file)
}
