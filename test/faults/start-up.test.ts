import assert from 'node:assert/strict'
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'

import { aProduction } from '../support/records/entities.ts'
import { type Teardown, temporaryFolder } from '../support/services/start.ts'
import { createClient, runLibretto, startServer, waitForEnd } from '../support/services/server-process.ts'

const sampleFolder = mkdtempSync(join(tmpdir(), 'libretto-test-'))

describe('a start that cannot be', () => {
  before(() => makeSample({ after }))
  after(() => rmSync(sampleFolder, { recursive: true, force: true }))

  it('says that the port is in use, and how to choose another', async t => {
    const occupied = createServer()
    await new Promise<void>(resolve => occupied.listen(0, '127.0.0.1', resolve))
    t.after(() => void occupied.close())
    const { port } = occupied.address() as { port: number }
    const path = join(temporaryFolder(t), 'catalogue.db')
    const words = await refusal(t, { DATABASE_URL: `sqlite:${path}`, PORT: String(port) })
    assert.match(words, new RegExp(`^Port ${port} of 127.0.0.1 is in use`))
    assert.match(words, /PORT=/)
  })

  it('says that a file is no database, and leaves it as it is', async t => {
    const path = join(temporaryFolder(t), 'catalogue.db')
    const garbage = Buffer.alloc(20_000, 'This is a letter to my aunt. ')
    writeFileSync(path, garbage)
    const words = await refusal(t, { DATABASE_URL: `sqlite:${path}` })
    assert.ok(words.includes(`The database "${path}" cannot be opened: file is not a database`), words)
    assert.ok(readFileSync(path).equals(garbage))
  })

  for (const share of [0.5, 0.9]) {
    it(`says that a file is damaged of which ${share * 100} % are left`, async t => {
      const path = aDatabase(t)
      truncateSync(path, Math.floor((statSync(path).size * share) / 4096) * 4096)
      const words = await refusal(t, { DATABASE_URL: `sqlite:${path}` })
      assert.match(words, /^The database ".*catalogue\.db" cannot be (?:opened|used): .*malformed/)
    })
  }

  it('says that the first page of a file is damaged', async t => {
    const path = aDatabase(t)
    const file = openSync(path, 'r+')
    writeSync(file, Buffer.alloc(3900, 0xa5), 0, 3900, 100)
    closeSync(file)
    const words = await refusal(t, { DATABASE_URL: `sqlite:${path}` })
    assert.match(words, /^The database ".*catalogue\.db" cannot be (?:opened|used): .*malformed/)
  })

  it('says that a schema is newer than the program', async t => {
    const path = aDatabase(t)
    {
      using db = new DatabaseSync(path)
      db.exec('PRAGMA user_version = 1000')
    }
    const words = await refusal(t, { DATABASE_URL: `sqlite:${path}` })
    assert.match(words, /schema 1000; this version supports schemas up to \d+\. Use a newer version of Libretto/)
  })

  it('says that a folder cannot be used', async t => {
    const folder = temporaryFolder(t)
    writeFileSync(join(folder, 'file'), '')
    mkdirSync(join(folder, 'folder'))
    for (const path of ['file/catalogue.db', 'folder']) {
      const words = await refusal(t, { DATABASE_URL: `sqlite:${join(folder, path)}` })
      assert.ok(words.startsWith(`The database "${join(folder, path)}" cannot be opened: `), words)
    }
  })

  it('says that a folder may not be written to', async t => {
    const isRoot = process.getuid?.() === 0
    if (isRoot && !existsSync('/proc/self')) return t.skip('root may write to every folder of this system')
    // Even root makes no file in /proc.
    const folder = isRoot ? '/proc' : join(temporaryFolder(t), 'closed')
    if (!isRoot) mkdirSync(folder, { mode: 0o500 })
    const words = await refusal(t, { DATABASE_URL: `sqlite:${folder}/catalogue.db` })
    assert.ok(words.startsWith(`The database "${folder}/catalogue.db" cannot be opened: `), words)
  })

  const settings: readonly [environment: Record<string, string>, words: RegExp][] = [
    [{ PORT: 'abc' }, /^PORT must be a whole number from 0 to 65535, got "abc"$/],
    [{ PORT: '-1', LOG_LEVEL: 'loud' }, /^PORT must .*\nLOG_LEVEL must be one of .*got "loud"$/],
    [{ ADMIN_TOKEN: 'secret' }, /^ADMIN_TOKEN must have at least 16 characters$/],
    [
      { DATABASE_URL: 'mysql://user:password@host/db' },
      /^DATABASE_URL must begin with "sqlite:" or "postgres:\/\/", got "mysql:…"$/
    ],
    [{ DATABASE_URL: 'sqlite:' }, /^DATABASE_URL must name a file after "sqlite:"$/],
    [{ MODEL: 'no-such-file.json' }, /^MODEL: "no-such-file.json" cannot be read/],
    [{ HOST: '203.0.113.7' }, /^Cannot listen at 203\.0\.113\.7:0/]
  ]
  for (const [environment, expected] of settings) {
    const given = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
    it(`says what is wrong with ${given.join(' ')}`, async t => {
      const path = join(temporaryFolder(t), 'catalogue.db')
      const words = await refusal(t, { DATABASE_URL: `sqlite:${path}`, PORT: '0', ...environment })
      assert.match(words, expected)
      assert.doesNotMatch(words, /secret|password/)
    })
  }
})

describe('two services on one file', () => {
  it('both work: what one writes the other shows at once, and both may write', async t => {
    const path = join(temporaryFolder(t), 'catalogue.db')
    // At the same time, so that both find no schema and want to make it.
    const [one, other] = await Promise.all([startServer(t, `sqlite:${path}`), startServer(t, `sqlite:${path}`)])
    const clients = [createClient(one.port), createClient(other.port)]
    const writing = clients.map(async (client, which) => {
      const elsewhere = createClient(which === 0 ? other.port : one.port)
      for (let n = 0; n < 40; n++) {
        const id = `PR-${which}-${n}`
        const created = await client.call('POST', '/entities', { id, ...aProduction() })
        assert.equal(created.status, 201, created.text)
        const shown = await elsewhere.call('GET', `/entities/${id}`)
        assert.equal(shown.text, created.text)
      }
      elsewhere.close()
    })
    await Promise.all(writing)
    for (const client of clients) {
      const list = await client.call('GET', '/entities?limit=0&envelope=1')
      assert.equal((JSON.parse(list.text) as { count: number }).count, 80)
      client.close()
    }
    one.child.kill('SIGTERM')
    assert.equal((await waitForEnd(one)).code, 0)
    // One that ends takes nothing from the other.
    const client = createClient(other.port)
    assert.equal((await client.call('POST', '/entities', aProduction())).status, 201)
    client.close()
  })
})

/**
 * Starts the service, which must refuse in words: nothing on standard output, exit code 1, and no
 * trace of the stack.
 */
async function refusal(t: Teardown, environment: Record<string, string>): Promise<string> {
  const running = runLibretto(t, ['serve'], environment)
  const ending = await waitForEnd(running)
  const { out, err } = running.output()
  assert.deepEqual(ending, { code: 1, signal: null }, out + err)
  assert.equal(out, '')
  assert.doesNotMatch(err, /^\s+at |node:internal|\.ts:\d+/m)
  assert.notEqual(err, '')
  return err.trimEnd()
}

/** A copy of a database with a few hundred records, all of it in the file itself. */
function aDatabase(t: Teardown): string {
  const path = join(temporaryFolder(t), 'catalogue.db')
  copyFileSync(join(sampleFolder, 'catalogue.db'), path)
  return path
}

async function makeSample(t: Teardown) {
  const path = join(sampleFolder, 'catalogue.db')
  const server = await startServer(t, `sqlite:${path}`, { SAMPLE_DATA: '1' })
  server.child.kill('SIGTERM')
  // A signal that comes as soon as it listens is heard already.
  assert.deepEqual(await waitForEnd(server), { code: 0, signal: null })
  using db = new DatabaseSync(path)
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
}
