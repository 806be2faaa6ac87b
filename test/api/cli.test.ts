import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'

import { readConfig } from '../../src/config.ts'
import { openLibretto } from '../../src/main.ts'
import { createTestDatabase, readTables, runStatement, testStore } from '../support/databases/database.ts'
import {
  aManifestation,
  anExpression,
  aPerson,
  aVenue,
  aWork,
  metadata,
  relations
} from '../support/records/entities.ts'
import { aPng, sha256 } from '../support/records/media.ts'
import { type CliOptions, runCli, serve } from '../support/services/run-cli.ts'
import { adminToken, secretKey, start, temporaryFolder } from '../support/services/start.ts'

/*
 * `npx libretto …`, run as separate processes, two at a time. The tests examine what each command
 * left behind.
 */
const together = { concurrency: 2 }

/** Tests of the SQLite file run once, with the tests on SQLite. */
const itWithFile = testStore === 'sqlite' ? it : () => {}

/** A folder, and the settings of an empty catalogue. */
async function aCatalogue(t: TestContext) {
  const folder = temporaryFolder(t)
  const env = { DATABASE_URL: await createTestDatabase(t) }
  // Most commands need a database that exists.
  await (await openLibretto(readConfig({ ...env, SECRET_KEY: secretKey })))[Symbol.asyncDispose]()
  const file = (name: string, ...lines: unknown[]) => {
    const path = join(folder, name)
    writeFileSync(path, lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'))
    return path
  }
  return {
    folder,
    env,
    file,
    run: (args: readonly string[], options: CliOptions = {}) => runCli(args, { env, ...options })
  }
}

/** The parts that two exports must share: everything except version and audit. */
const contents = (ndjson: string) =>
  ndjson
    .split('\n')
    .filter(line => line !== '')
    .map(line => {
      const { version, audit, ...rest } = JSON.parse(line)
      assert.ok(version >= 1 && audit.created.by)
      return rest
    })
    .sort((one, other) => (one.id < other.id ? -1 : 1))

describe('libretto', together, () => {
  it('--help, and nothing at all, list the commands and exit with 0', async () => {
    for (const args of [['--help'], []]) {
      const { code, out, err } = await runCli(args)
      assert.equal(code, 0)
      assert.equal(err, '')
      for (const command of ['serve', 'token', 'import', 'export', 'check'])
        assert.match(out, new RegExp(`^  ${command} +\\S`, 'm'))
      assert.match(out, /DATABASE_URL/)
    }
  })

  it('<command> --help tells how it is used, with every option', async () => {
    const options = { token: ['name', 'scope', 'expires', 'json'], import: ['dry-run', 'allow-dangling', 'json'] }
    for (const [command, names] of Object.entries(options)) {
      const { code, out } = await runCli([command, '--help'])
      assert.equal(code, 0)
      assert.match(out, new RegExp(`^npx libretto ${command}`))
      for (const name of names) assert.match(out, new RegExp(`^  --${name} +\\S`, 'm'))
    }
  })

  it('--version prints the version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

    assert.equal((await runCli(['--version'])).out, `${version}\n`)
  })

  it('a bad setting stops with a sentence, every bad one at once, and a secret is not repeated', async () => {
    const { code, out, err } = await runCli(['check'], {
      env: {
        PORT: 'abc',
        LOG_LEVEL: 'loud',
        SAMPLE_DATA: 'maybe',
        READERS: '0',
        PUBLIC_URL: 'x',
        OIDC_ISSUERS: '{',
        BODY_LIMIT: '1e6',
        ADMIN_TOKEN: 'hunter2'
      }
    })

    assert.equal(code, 1)
    assert.equal(out, '')
    assert.deepEqual(err.trim().split('\n').sort(), [
      'ADMIN_TOKEN must have at least 16 characters',
      'BODY_LIMIT must be a whole number from 1024 to 1073741824, got "1e6"',
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, got "loud"',
      'OIDC_ISSUERS must be a JSON list of {"issuer", "audience", "scopesClaim"}; this is not JSON',
      'PORT must be a whole number from 0 to 65535, got "abc"',
      'PUBLIC_URL must be an http or https address, got "x"',
      'READERS must be a whole number from 1 to 64, got "0"',
      'SAMPLE_DATA must be 1 or 0, got "maybe"'
    ])
  })

  it('another kind of database stops with a sentence that does not repeat its password', async () => {
    const { code, err } = await runCli(['check'], { env: { DATABASE_URL: 'mysql://user:password@localhost/x' } })

    assert.equal(code, 1)
    assert.match(err, /^DATABASE_URL must begin with /)
    assert.ok(!err.includes('password'))
  })

  itWithFile('a file that is no database stops with a sentence', async t => {
    const file = join(temporaryFolder(t), 'catalogue.db')
    writeFileSync(file, 'this is no database, only text that goes on for a while'.repeat(100))
    const { code, err } = await runCli(['check'], { env: { DATABASE_URL: `sqlite:${file}` } })

    assert.equal(code, 1)
    assert.match(err, /^The database ".*catalogue\.db" cannot be (opened|used): /)
    assert.doesNotMatch(err, /\n\s+at /)
  })

  itWithFile('what asks a database makes none where there is none', async t => {
    const folder = temporaryFolder(t)
    const path = join(folder, 'slip', 'catalogue.db')
    for (const command of ['check', 'export']) {
      const { code, err } = await runCli([command], { env: { DATABASE_URL: `sqlite:${path}` } })
      assert.equal(code, 1)
      assert.match(err, /^There is no database /)
    }
    assert.ok(!existsSync(join(folder, 'slip')))
  })

  it('a model file with faults stops with their places', async t => {
    const { env, file, run } = await aCatalogue(t)
    const { code, err } = await run(['token', 'list'], {
      env: { ...env, MODEL: file('model.json', { types: [{ type: 'X' }] }) }
    })

    assert.equal(code, 1)
    assert.match(err, /\/types\/0\/type: must be a name/)
  })
})

describe('libretto purge', together, () => {
  it('erases records, deleted ones too, and says which; refuses what others refer to', async t => {
    const { run, env, file } = await aCatalogue(t)
    const director = { ...aPerson('Planted, Name'), id: 'PERS-GONE' }
    const production = {
      type: 'production',
      id: 'PROD-1',
      metadata: [{ key: 'title', value: 'Play' }],
      relations: relations({ refDirected: 'PERS-GONE' })
    }
    await run(['import', file('few.ndjson', director, { ...aVenue('Planted venue'), id: 'VENUE-GONE' }, production)])
    const refused = await run(['purge', 'PERS-GONE'])
    assert.equal(refused.code, 1)
    assert.match(refused.err, /refer/)
    const done = await run(['purge', 'PERS-GONE', 'VENUE-GONE', '--detach', '--json'])
    assert.deepEqual([done.code, done.err], [0, ''])
    assert.deepEqual(JSON.parse(done.out), { purged: ['PERS-GONE', 'VENUE-GONE'] })
    const { out } = await run(['export', '--format', 'ndjson'])
    assert.deepEqual(
      contents(out).map(({ id }) => id),
      ['PROD-1']
    )
    const tables = JSON.stringify(await readTables(env.DATABASE_URL))
    assert.ok(tables.includes('PERS-GONE') && !tables.includes('Planted'))
    assert.equal((await run(['purge', 'NEVER'])).code, 1)
  })
})

describe('libretto token', together, () => {
  it('create prints the token once; list shows it without; revoke ends it: with --json for programs', async t => {
    const { run, env } = await aCatalogue(t)
    const args = [
      '--name',
      'kiosk',
      '--scope',
      'read',
      '--scope',
      'write:production',
      '--expires',
      '2030-01-01',
      '--json'
    ]
    const created = await run(['token', 'create', ...args])
    assert.equal(created.code, 0, created.err)
    const { token, id, created_at, ...description } = JSON.parse(created.out)
    assert.match(token, /^libretto_/)
    assert.deepEqual(description, {
      name: 'kiosk',
      scopes: ['read', 'write:production'],
      created_by: 'operator',
      expires_at: '2030-01-01T23:59:59.999Z'
    })

    const list = await run(['token', 'list', '--json'])
    assert.deepEqual(JSON.parse(list.out), [{ id, created_at, ...description }])
    assert.ok(!list.out.includes(token))

    assert.deepEqual(JSON.parse((await run(['token', 'revoke', id, '--json'])).out), { revoked: id })
    const again = await run(['token', 'revoke', id])
    assert.equal(again.code, 1)
    assert.match(again.err, /^No token with id /)
    assert.equal((await run(['token', 'list'])).out, 'There are no tokens yet.\n')

    await using libretto = await openLibretto(readConfig({ ...env, SECRET_KEY: secretKey }))
    assert.deepEqual(
      (await libretto.audit.list(10)).map(({ by, act, subject, address }) => [by, act, subject, address]),
      [
        ['operator', 'token.revoke', id, null],
        ['operator', 'token.create', id, null]
      ]
    )
  })

  it('speaks in words without --json', async t => {
    const { run } = await aCatalogue(t)
    const created = await run(['token', 'create', '--name', 'kiosk', '--scope', 'read'])

    assert.match(
      created.out,
      /^libretto_\S+\n\nThe token is shown only once\. Its id is \w+, its name "kiosk", its scopes read\.\n$/
    )
    assert.match((await run(['token', 'list'])).out, /kiosk.*never/)
  })

  it('refuses what is wrong, in words', async t => {
    const { run } = await aCatalogue(t)
    const bad: readonly (readonly [string[], RegExp])[] = [
      [['create', '--name', 'x', '--scope', 'fly'], /^Unknown scope "fly"/],
      [['revoke', 'nothing'], /nothing/]
    ]
    for (const [args, message] of bad) {
      const { code, err } = await run(['token', ...args])
      assert.equal(code, 1)
      assert.match(err, message)
    }
  })
})

describe('libretto import and export', together, () => {
  const book = [
    aManifestation('E-1', 'Hamlet', { id: 'M-1', identifiers: ['urn:isbn:9789025363888'] }),
    anExpression('W-1', 'Hamlet', { id: 'E-1' }),
    aWork('Hamlet', { id: 'W-1', relations: relations({ refAuthors: 'PERS-1', refRelatedWorks: 'W-2' }) }),
    aWork('Rosencrantz', { id: 'W-2', relations: relations({ refRelatedWorks: 'W-1' }) }),
    aPerson('Shakespeare, William \u2028 «é» 😀', { id: 'PERS-1' })
  ]

  it('make a round trip: records before what they point to, records that point to each other, any text', async t => {
    const [from, to] = [await aCatalogue(t), await aCatalogue(t)]
    const imported = await from.run(['import', from.file('in.ndjson', ...book), '--json'])
    assert.deepEqual(
      JSON.parse(imported.out),
      { lines: 5, created: 5, replaced: 0, unchanged: 0, failures: [] },
      imported.err
    )
    assert.equal(imported.code, 0)

    const out = join(from.folder, 'out.ndjson')
    const exported = await from.run(['export', out, '--json'])
    assert.equal(exported.code, 0, exported.err)
    assert.deepEqual(JSON.parse(exported.out), { exported: 5, file: out })
    const first = readFileSync(out, 'utf8')
    assert.deepEqual(
      contents(first).map(each => each.id),
      ['E-1', 'M-1', 'PERS-1', 'W-1', 'W-2']
    )

    assert.equal(JSON.parse((await to.run(['import', out, '--json'])).out).created, 5)
    const second = (await to.run(['export'])).out
    assert.deepEqual(contents(second), contents(first))

    // The same file again changes nothing.
    const again = JSON.parse((await to.run(['import', out, '--json'])).out)
    assert.deepEqual(again, { lines: 5, created: 0, replaced: 0, unchanged: 5, failures: [] })
    assert.equal((await to.run(['export', '-'])).out, second)

    // A reader may close the output early. The deadline of the service does not apply to an export
    // of everything.
    const hurried = { ...to.env, QUERY_DEADLINE: '10' }
    const left = await to.run(['export', '-'], { env: hurried, isOutputClosed: true })
    assert.deepEqual([left.code, left.err], [141, ''])
  })

  it('carry the bytes of media files and the history of records, or say which bytes are missing', async t => {
    const [from, to] = [await aCatalogue(t), await aCatalogue(t)]
    const at = ({ env, folder }: typeof from) => ({ env: { ...env, MEDIA_URL: `file:${join(folder, 'media')}` } })
    const bytes = aPng()
    const facts = { mediafile_type: 'posters', sha256: sha256(bytes), size: bytes.length, mimetype: 'image/png' }
    const picture = { type: 'mediafile', id: 'MEDIA-1', metadata: metadata(facts) }
    const media = { media: { sha256: sha256(bytes), size: bytes.length, offset: 0, bytes: bytes.toString('base64') } }
    const filled = await from.run(['import', from.file('in.ndjson', picture, media), '--json'], at(from))
    assert.deepEqual([filled.code, JSON.parse(filled.out).contents], [0, 1], filled.err)

    const out = join(from.folder, 'out.ndjson')
    assert.equal((await from.run(['export', out], at(from))).code, 0)
    const without = await to.run(['import', out], at(to))
    assert.match(without.out, /1 media files have no bytes here/)
    const wrong = await from.run(['export', out, '--include', 'pictures'], at(from))
    assert.deepEqual([wrong.code, /cannot include/.test(wrong.err)], [1, true])

    const third = await aCatalogue(t)
    assert.equal((await from.run(['export', out, '--include', 'media,history'], at(from))).code, 0)
    const moved = JSON.parse((await third.run(['import', out, '--json'], at(third))).out)
    assert.deepEqual([moved.created, moved.contents, moved.missing_contents, moved.failures], [1, 1, undefined, []])
    assert.ok(moved.versions > 0)
    const check = await third.run(['check', '--read-media'], at(third))
    assert.equal(check.code, 0, check.out)
  })

  it('import replaces a record whose id exists, and the later of two lines wins', async t => {
    const { env, run } = await aCatalogue(t)
    const input = [
      aPerson('A', { id: 'P-1' }),
      aPerson('B', { id: 'P-1' }),
      aPerson('C', { id: 'P-1' }),
      aPerson('D', { id: 'P-2' })
    ]
    const { out } = await run(['import', '-', '--json'], {
      input: input.map(each => JSON.stringify(each)).join('\r\n')
    })

    assert.deepEqual(JSON.parse(out), { lines: 4, created: 2, replaced: 2, unchanged: 0, failures: [] })
    const { get } = await start(t, env)
    assert.equal((await get('/entities/P-1')).body.metadata[0].value, 'C')
  })

  it('import tells each bad line by its number, goes on with the rest, and exits with 1', async t => {
    const { env, file, run } = await aCatalogue(t)
    const path = file(
      'in.ndjson',
      aPerson('A', { id: 'P-1' }),
      '{"type":"person"',
      '',
      '[]',
      { type: 'person' },
      aWork('x', { relations: relations({ refAuthors: 'PERS-nowhere' }) }),
      '{"type":"person","metadata":[{"key":"name","value":"BAD"}]}',
      aPerson('Z', { id: 'P-2' })
    )
    // A byte that is no UTF-8, in the seventh line.
    const bytes = readFileSync(path)
    bytes[bytes.indexOf('BAD')] = 0xff
    writeFileSync(path, bytes)

    const { code, out, err } = await run(['import', path])
    assert.equal(code, 1)
    assert.match(out, /^2 created, 0 replaced, 0 unchanged, 5 refused\.\n$/)
    const lines = err.trim().split('\n')
    assert.deepEqual(
      lines.map(line => line.split(':')[0]),
      ['line 2', 'line 4', 'line 5', 'line 6', 'line 7']
    )
    assert.match(lines[0] ?? '', /Not JSON/)
    assert.match(lines[1] ?? '', /must be a JSON object/)
    assert.match(lines[2] ?? '', /"name" is required/)
    assert.match(lines[3] ?? '', /No entity with id "PERS-nowhere"/)
    assert.match(lines[4] ?? '', /UTF-8/)
    assert.equal((await (await start(t, env)).get('/entities')).body.length, 2)
  })

  it('import --dry-run writes nothing and says what would be, also of records that wait for each other', async t => {
    const { env, file, run } = await aCatalogue(t)
    const dry = await run(['import', file('in.ndjson', ...book), '--dry-run'])

    assert.equal(dry.out, 'Nothing was written. The outcome would be: 5 created, 0 replaced, 0 unchanged, 0 refused.\n')
    assert.deepEqual((await (await start(t, env)).get('/entities')).body, [])
  })

  it('import --allow-dangling lets relations point to nothing', async t => {
    const { env, file, run } = await aCatalogue(t)
    const lost = file('lost.ndjson', aWork('x', { id: 'W-9', relations: relations({ refAuthors: 'PERS-nowhere' }) }))

    assert.equal((await run(['import', lost, '--allow-dangling'])).code, 0)
    assert.deepEqual(
      (await (await start(t, env)).get('/entities/W-9/relations')).body,
      relations({ refAuthors: 'PERS-nowhere' })
    )
  })

  it('export narrows to types and umbrellas', async t => {
    const { env, run } = await aCatalogue(t)
    const { create } = await start(t, env)
    for (const each of [...book].reverse()) await create(each, '?allow_dangling=1')

    const { out } = await run(['export', '--type', 'work', '--type', 'person'])
    assert.deepEqual(
      contents(out).map(each => each.id),
      ['PERS-1', 'W-1', 'W-2']
    )
  })

  it('export writes MARC, MARCXML and tables, as the name of the file or --format says', async t => {
    const { env, folder, file, run } = await aCatalogue(t)
    const { create } = await start(t, env)
    for (const each of [...book].reverse()) await create(each, '?allow_dangling=1')

    const marc = join(folder, 'out.mrc')
    assert.equal((await run(['export', marc])).out, `1 records written to ${marc}\n`)
    assert.match(readFileSync(marc, 'latin1'), /^\d{5}nam .*M-1/)
    assert.match((await run(['export', '--format', 'marcxml'])).out, /^<\?xml[\s\S]*<controlfield tag="001">M-1</)

    const filters = file('filters.json', [{ type: 'type', value: 'work' }])
    const { out } = await run(['export', '--format', 'csv', '--filter', filters, '--columns', 'id,title,refAuthors'])
    assert.deepEqual(out.split('\r\n').sort(), [
      '',
      'W-1,Hamlet,"Shakespeare, William \u2028 «é» 😀"',
      'W-2,Rosencrantz,',
      'id,title,refAuthors'
    ])
    const bad = await run(['export', '--filter', file('bad.json', [{ type: 'nothing', value: 1 }])])
    assert.equal(bad.code, 1)
    assert.match(bad.err, /Unknown filter type "nothing"/)
  })

  it('import refuses a missing file, in words', async t => {
    const { folder, run } = await aCatalogue(t)
    const { code, err } = await run(['import', join(folder, 'nothing.ndjson')])

    assert.equal(code, 1)
    assert.match(err, /^There is no file ".*nothing\.ndjson"/)
  })
})

describe('libretto check', together, () => {
  /** A catalogue of two records, closed. */
  const twoRecords = async (t: TestContext) => {
    const catalogue = await aCatalogue(t)
    await using libretto = await openLibretto(readConfig(catalogue.env))
    const records = [
      aVenue('x', { id: 'VE-1', identifiers: ['urn:1'] }),
      aWork('y', { id: 'W-1', relations: relations({ refHome: 'VE-1' }) })
    ]
    for (const record of records) await libretto.catalogue.entities.create(libretto.operator, record)
    return catalogue
  }

  it('finds nothing in a sound catalogue and exits with 0; finds a missing lookup, names the record, and exits with 1', async t => {
    const { env, run } = await twoRecords(t)

    assert.deepEqual(await run(['check']), { code: 0, out: '2 records, no problems.\n', err: '' })
    await runStatement(env.DATABASE_URL, "DELETE FROM lookups WHERE key = 'name'")
    const found = await run(['check'])
    assert.equal(found.code, 1)
    assert.match(
      found.err,
      /^1 problems in 2 records:\n {2}Entity "VE-1": lookups are missing\. Move the catalogue .+\n$/
    )
    const { ok, entities, problems } = JSON.parse((await run(['check', '--json'])).out)
    assert.deepEqual([ok, entities, problems.length], [false, 2, 1])
  })
})

describe('libretto serve', together, () => {
  const countOf = async (url: string, token: string) => {
    const response = await fetch(`${url}/entities?limit=0`, { headers: { authorization: `Bearer ${token}` } })
    assert.equal(response.status, 200)
    return Number(response.headers.get('x-total-count'))
  }

  itWithFile(
    'in an empty folder makes the default file with the sample, and keeps the first token in a file of mode 0600 without printing it',
    async t => {
      const cwd = temporaryFolder(t)
      const { url, welcome, stop } = await serve(t, { cwd })
      const tokenFile = join(cwd, 'data', 'admin-token')
      const token = readFileSync(tokenFile, 'utf8').trim()

      assert.equal(statSync(tokenFile).mode & 0o777, 0o600)
      assert.ok(existsSync(join(cwd, 'data', 'libretto.db')))
      assert.ok(!welcome.includes(token))
      assert.match(welcome, /The admin token is in data\/admin-token/)
      const loaded = Number(/sample catalogue was loaded: (\d+) records/.exec(welcome)?.[1])
      assert.ok(loaded > 100)
      assert.equal(await countOf(url, token), loaded)
      // Its posters are pictures, drawn by the program.
      const headers = { authorization: `Bearer ${token}` }
      const poster = await fetch(`${url}/mediafiles/MF-HAMLETAFFICHE/content`, { headers, redirect: 'manual' })
      assert.equal(poster.headers.get('content-type'), 'image/png')

      // The address in the curl that it prints gives a WEM answer.
      const wem = /curl -H "Authorization: Bearer \S+ \S+" (\S+)/.exec(welcome)?.[1] ?? ''
      const answer = await fetch(wem, { headers: { authorization: `Bearer ${token}` } })
      assert.deepEqual(Object.keys((await answer.json()) as object), ['work', 'expression', 'manifestation'])
      assert.equal(await stop(), 0)

      // At the second start no new token, no second load, and the old token works.
      const second = await serve(t, { cwd })
      assert.doesNotMatch(second.welcome, /libretto_|sample/)
      assert.equal(readFileSync(tokenFile, 'utf8').trim(), token)
      assert.equal(await countOf(second.url, token), loaded)
      assert.equal(await second.stop(), 0)
    }
  )

  itWithFile(
    'starts empty with SAMPLE_DATA=0; a token file that is there already becomes its own, for its owner only',
    async t => {
      const folder = temporaryFolder(t)
      const tokenFile = join(folder, 'data', 'admin-token')
      mkdirSync(join(folder, 'data'))
      writeFileSync(tokenFile, 'old', { mode: 0o644 })
      const { url, welcome } = await serve(t, { env: { SAMPLE_DATA: '0' }, cwd: folder })

      assert.doesNotMatch(welcome, /sample/)
      assert.equal(statSync(tokenFile).mode & 0o777, 0o600)
      assert.equal(await countOf(url, readFileSync(tokenFile, 'utf8').trim()), 0)
    }
  )

  itWithFile('starts empty in a database that somebody named, and keeps the token beside it', async t => {
    const folder = temporaryFolder(t)
    const { url, welcome } = await serve(t, { env: { DATABASE_URL: `sqlite:${join(folder, 'my.db')}` } })
    const token = readFileSync(join(folder, 'admin-token'), 'utf8').trim()

    assert.doesNotMatch(welcome, /sample/)
    assert.equal(statSync(join(folder, 'admin-token')).mode & 0o777, 0o600)
    assert.equal(await countOf(url, token), 0)
  })

  it('loads the sample into a named database with SAMPLE_DATA=1 when it is empty', async t => {
    const { env } = await aCatalogue(t)
    const { url } = await serve(t, { env: { ...env, SAMPLE_DATA: '1', ADMIN_TOKEN: adminToken } })

    assert.ok((await countOf(url, adminToken)) > 100)
  })

  it('does not load the sample into a database with records, even with SAMPLE_DATA=1', async t => {
    const { env } = await aCatalogue(t)
    await (await start(t, env)).create(aVenue())
    const { url } = await serve(t, { env: { ...env, SAMPLE_DATA: '1', ADMIN_TOKEN: adminToken } })

    assert.equal(await countOf(url, adminToken), 1)
  })

  it('with ADMIN_TOKEN accepts that, makes no token of its own, writes no file, and tells PUBLIC_URL from where it listens', async t => {
    const { env, folder } = await aCatalogue(t)
    const { welcome } = await serve(t, {
      env: { ...env, ADMIN_TOKEN: adminToken, PUBLIC_URL: 'https://catalogue.example.org/' }
    })

    assert.ok(!welcome.includes(adminToken))
    assert.match(welcome, /The admin token is the one in ADMIN_TOKEN/)
    assert.match(
      welcome,
      /Libretto listens at http:\/\/127\.0\.0\.1:\d+\nIts address for clients \(PUBLIC_URL\) is https:\/\/catalogue\.example\.org\n/
    )
    assert.doesNotMatch(welcome, /not encrypted/)
    assert.ok(!existsSync(join(folder, 'admin-token')))
    assert.deepEqual((await (await start(t, env)).get('/tokens')).body, [])
  })

  it('shows at once what the command line imported beside it, and refuses a token within a second of its revocation there', async t => {
    const { env, file, run } = await aCatalogue(t)
    const { url } = await serve(t, { env: { ...env, ADMIN_TOKEN: adminToken } })
    const { id, token } = JSON.parse(
      (await run(['token', 'create', '--name', 'kiosk', '--scope', 'read', '--json'])).out
    )
    assert.equal(await countOf(url, token), 0)

    await run(['import', file('in.ndjson', aVenue())])
    assert.equal(await countOf(url, token), 1)
    await run(['token', 'revoke', id])
    await new Promise(resolve => setTimeout(resolve, 1100))
    assert.equal((await fetch(`${url}/entities`, { headers: { authorization: `Bearer ${token}` } })).status, 401)
  })

  it('says in a sentence that its port is in use, and exits with 1', async t => {
    const taken = createServer()
    await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve))
    t.after(() => new Promise(resolve => taken.close(resolve)))
    const { port } = taken.address() as AddressInfo
    const { env, run } = await aCatalogue(t)
    const { code, err } = await run(['serve'], { env: { ...env, PORT: String(port), ADMIN_TOKEN: adminToken } })

    assert.equal(code, 1)
    assert.equal(
      err,
      `Port ${port} of 127.0.0.1 is in use. Stop the other program, or choose another port: PORT=8081 npm start\n`
    )
  })
})
