import assert from 'node:assert/strict'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

import { readConfig, settings } from '../../src/config.ts'
import { createTestDatabase, testStore } from '../support/databases/database.ts'
import { aPerson } from '../support/records/entities.ts'
import { aForm, aPng } from '../support/records/media.ts'
import { createDatabase, whyNoServer } from '../support/databases/postgres-server.ts'
import { runCli, serve } from '../support/services/run-cli.ts'
import { startS3 } from '../support/services/s3-server.ts'
import { adminToken, start, type Teardown, temporaryFolder, type TestService } from '../support/services/start.ts'

/* Mistakes that operators make, and that must not pass for success. */

/** The file of SQLite is tested once, with the tests on SQLite. */
const itWithFile: typeof it = testStore === 'sqlite' ? it : (((): void => {}) as unknown as typeof it)

describe('a command without a database', () => {
  itWithFile('says where it looked, and creates none', async t => {
    const cwd = temporaryFolder(t)
    writeFileSync(join(cwd, 'in.ndjson'), `${JSON.stringify(aPerson())}\n`)
    for (const words of [
      ['token', 'create', '--name', 'kiosk', '--scope', 'read'],
      ['token', 'list'],
      ['import', 'in.ndjson'],
      ['import', 'in.ndjson', '--dry-run']
    ]) {
      const { code, out, err } = await runCli(words, { cwd })
      assert.deepEqual([code, out], [1, ''], words.join(' '))
      assert.ok(err.startsWith(`There is no database "${join(cwd, 'data/libretto.db')}". DATABASE_URL is `), err)
    }
    assert.ok(!existsSync(join(cwd, 'data')))
  })

  itWithFile('creates one where that is asked for', async t => {
    const cwd = temporaryFolder(t)
    const made = await runCli(['token', 'create', '--name', 'kiosk', '--scope', 'read', '--create-database'], { cwd })
    assert.equal(made.code, 0, made.err)
    assert.match((await runCli(['token', 'list'], { cwd })).out, /kiosk/)
  })
})

describe('a restore', () => {
  const isRoot = process.getuid?.() === 0

  itWithFile('leaves the database to its owner, also when root runs it', { skip: !isRoot && 'needs root' }, async t => {
    const folder = temporaryFolder(t)
    const database = join(folder, 'data/libretto.db')
    const env = { DATABASE_URL: `sqlite:${database}` }
    mkdirSync(join(folder, 'data'))
    await runCli(['token', 'create', '--name', 'one', '--scope', 'read', '--create-database'], { env })
    assert.equal((await runCli(['backup', join(folder, 'backup.db')], { env })).code, 0)
    const ownerOf = (path: string) => [statSync(path).uid, statSync(path).gid]
    for (const path of [database, join(folder, 'data')]) chownSync(path, 1234, 2345)
    const restored = await runCli(['restore', join(folder, 'backup.db')], { env })
    assert.equal(restored.code, 0, restored.err)
    assert.deepEqual(ownerOf(database), [1234, 2345])

    // Without a file before, the owner of the folder has it.
    mkdirSync(join(folder, 'other'))
    chownSync(join(folder, 'other'), 1234, 2345)
    const other = { DATABASE_URL: `sqlite:${join(folder, 'other/libretto.db')}` }
    assert.equal((await runCli(['restore', join(folder, 'backup.db')], { env: other })).code, 0)
    assert.deepEqual(ownerOf(join(folder, 'other/libretto.db')), [1234, 2345])
    assert.equal(statSync(join(folder, 'other/libretto.db')).mode & 0o777, 0o600)
  })
})

/** Adds a production with a poster, and ends the service. */
async function addPosterAndClose(service: TestService) {
  const production = await service.create({ type: 'production', metadata: [{ key: 'title', value: 'Hamlet' }] })
  const { body, headers } = aForm({ mediafile_type: 'poster' }, { filename: 'a.png', bytes: aPng(3, 3) })
  const added = await service.call('POST', `/entities/${production.id}/mediafiles`, { body, headers })
  assert.equal(added.status, 201, added.text)
  await service.app.close()
  await service.libretto[Symbol.asyncDispose]()
}

describe('a move', () => {
  itWithFile('says which media files the new database does not reach', async t => {
    const folder = temporaryFolder(t)
    const from = `sqlite:${join(folder, 'from/libretto.db')}`
    const to = `sqlite:${join(folder, 'to/libretto.db')}`
    for (const each of ['from', 'to']) mkdirSync(join(folder, each))
    const service = await start({ after: () => {} }, { DATABASE_URL: from, MEDIA_URL: `file:${folder}/from/media` })
    await addPosterAndClose(service)

    const moved = await runCli(['move', '--from', from, '--to', to], {})
    assert.equal(moved.code, 0, moved.err)
    assert.match(
      moved.err,
      /Media files are not moved; those of --from are in ".*from\/media"\. 1 of the 1 media files that records name are missing in ".*to\/media"\. .*MEDIA_URL/
    )
    const again = await runCli(['move', '--from', from, '--to', `sqlite:${join(folder, 'beside.db')}`, '--json'], {
      env: { MEDIA_URL: `file:${folder}/from/media` }
    })
    assert.deepEqual([again.code, again.err], [0, ''])
    const { named, missing } = JSON.parse(again.out).media
    assert.deepEqual([named, missing], [1, 0])

    // Lost before the move, so that the folders of both are alike.
    rmSync(join(folder, 'from/media'), { recursive: true })
    const lost = await runCli(['move', '--from', from, '--to', `sqlite:${join(folder, 'from/third.db')}`, '--json'])
    assert.equal(JSON.parse(lost.out).media.missing, 1)
    assert.match(lost.err, /1 of the 1 media files that records name are missing/)
  })
})

describe('the secret key', () => {
  const url = 'https://hooks.example.org/x'
  // Without SECRET_KEY, the key is in a file beside the database.
  const SECRET_KEY = ''

  /** A catalogue in a file, with a webhook, a media file and a key beside it. */
  const aCatalogue = async (folder: string) => {
    mkdirSync(folder, { recursive: true })
    const DATABASE_URL = `sqlite:${join(folder, 'libretto.db')}`
    const environment = { DATABASE_URL, SECRET_KEY, MEDIA_URL: `file:${folder}/media` }
    const service = await start({ after: () => {} }, environment)
    assert.equal((await service.post('/webhooks', { url })).status, 201)
    await addPosterAndClose(service)
    return DATABASE_URL
  }
  const keyIn = (folder: string) => readFileSync(join(folder, 'secret-key'), 'utf8')
  /** Starts a service, and reads the states of its webhooks. */
  const webhooksOf = async (t: Teardown, cwd: string, env: Record<string, string>) => {
    const served = await serve(t, { cwd, env: { SECRET_KEY, ADMIN_TOKEN: adminToken, ...env } })
    const answer = await fetch(`${served.url}/webhooks`, { headers: { authorization: `Bearer ${adminToken}` } })
    const webhooks = (await answer.json()) as { state: string }[]
    await served.stop()
    return webhooks.map(({ state }) => state)
  }

  itWithFile('is told by a restore elsewhere, with the media files; a service without it does not start', async t => {
    const folder = temporaryFolder(t)
    const [here, there] = [join(folder, 'here'), join(folder, 'there')]
    const backup = join(folder, 'backup.db')
    const from = await aCatalogue(here)
    const env = { DATABASE_URL: `sqlite:${there}/libretto.db`, SECRET_KEY, PORT: '0' }
    assert.equal((await runCli(['backup', backup], { env: { ...env, DATABASE_URL: from } })).code, 0)
    mkdirSync(there)
    const restored = await runCli(['restore', backup], { env })
    assert.equal(restored.code, 0, restored.err)
    assert.match(
      restored.err,
      /^The secret key of this backup is not in the file ".*there\/secret-key"\. .*copy the file/m
    )
    assert.match(restored.err, /^1 of the 1 media files that records name are missing in ".*there\/media"/m)

    const refused = await runCli(['serve'], { env })
    assert.deepEqual([refused.code, refused.out], [1, ''])
    assert.match(
      refused.err,
      /^This database is used with another secret key than that of the file ".*there\/secret-key"/
    )
    assert.ok(!existsSync(join(there, 'secret-key')), 'a new key was created')

    for (const each of ['secret-key', 'media']) cpSync(join(here, each), join(there, each), { recursive: true })
    const again = await runCli(['restore', backup, '--json'], { env })
    assert.deepEqual([again.code, again.err], [0, ''])
    assert.deepEqual(await webhooksOf(t, there, env), ['active'])
    writeFileSync(join(there, 'secret-key'), `${'x'.repeat(44)}\n`)
    assert.match((await runCli(['serve'], { env })).err, /used with another secret key/)
    assert.deepEqual(await webhooksOf(t, there, { ...env, SECRET_KEY_PREVIOUS: 'none' }), ['paused'])
  })

  itWithFile(
    'goes along with a move to PostgreSQL and back, or the move is refused',
    { skip: whyNoServer() },
    async t => {
      const folder = temporaryFolder(t)
      const [file, service, elsewhere, back] = ['file', 'service', 'elsewhere', 'back'].map(each =>
        join(folder, each)
      ) as [string, string, string, string]
      for (const each of [service, elsewhere, back]) mkdirSync(each)
      const from = await aCatalogue(file)
      const there = await createDatabase(t)
      const move = (cwd: string, one: string, other: string) =>
        runCli(['move', '--from', one, '--to', other], { cwd, env: { SECRET_KEY } })

      const moved = await move(service, from, there)
      assert.equal(moved.code, 0, moved.err)
      assert.match(moved.out, /The secret key was copied to ".*service\/data\/secret-key"/)
      assert.equal(keyIn(join(service, 'data')), keyIn(file))
      const env = { DATABASE_URL: there, SECRET_KEY, PORT: '0' }
      const refused = await runCli(['serve'], { cwd: elsewhere, env })
      assert.match(refused.err, /another secret key than that of the file ".*elsewhere\/data\/secret-key"/)
      assert.deepEqual(readdirSync(elsewhere), [])
      assert.deepEqual(await webhooksOf(t, service, env), ['active'])

      const to = `sqlite:${join(back, 'libretto.db')}`
      const unknown = await move(elsewhere, there, to)
      assert.deepEqual([unknown.code, readdirSync(back)], [1, []])
      assert.match(unknown.err, /The secret key of --from is not in the file ".*elsewhere\/data\/secret-key"/)
      writeFileSync(join(back, 'secret-key'), `${'x'.repeat(44)}\n`)
      assert.match((await move(service, there, to)).err, /A service on --to would use another secret key/)
      rmSync(join(back, 'secret-key'))
      const returned = await move(service, there, to)
      assert.equal(returned.code, 0, returned.err)
      assert.equal(keyIn(back), keyIn(file))
      assert.deepEqual(await webhooksOf(t, elsewhere, { DATABASE_URL: to }), ['active'])
    }
  )
})

describe('a start', () => {
  it('is refused without the bucket of media files', async t => {
    const there = await startS3(t)
    await start(t, { MEDIA_URL: there })
    await assert.rejects(start(t, { MEDIA_URL: there.replace('/media', '/medai') }), {
      message: /^MEDIA_URL: there is no bucket "medai" at 127\.0\.0\.1:\d+; create it, or name another$/
    })
  })

  it('is refused with a model that no longer describes existing records', async t => {
    const file = join(temporaryFolder(t), 'model.json')
    const types = [{ type: 'festival', idPrefix: 'FEST', fields: { title: { kind: 'text' } }, nameField: 'title' }]
    writeFileSync(file, JSON.stringify({ types }))
    const DATABASE_URL = await createTestDatabase(t)
    const first = await start({ after: () => {} }, { DATABASE_URL, MODEL: file })
    const close = async ({ app, libretto }: typeof first) => {
      await app.close()
      await libretto[Symbol.asyncDispose]()
    }
    const { id } = await first.create({ type: 'festival', metadata: [{ key: 'title', value: 'Summer' }] })
    await close(first)
    await assert.rejects(start(t, { DATABASE_URL }), {
      message: /there are records of "festival", which the model does not describe\. Set MODEL/
    })
    const second = await start({ after: () => {} }, { DATABASE_URL, MODEL: file })
    assert.equal((await second.get(`/entities/${id}`)).status, 200)
    assert.equal((await second.delete(`/entities/${id}`)).status, 204)
    await close(second)
    await start(t, { DATABASE_URL })
  })

  it('says that it listens for other machines, in clear text', async t => {
    const DATABASE_URL = await createTestDatabase(t)
    const { welcome } = await serve(t, {
      env: { DATABASE_URL, HOST: '0.0.0.0', PUBLIC_URL: 'https://catalogue.example.org', ADMIN_TOKEN: adminToken }
    })
    assert.match(
      welcome,
      /^Libretto listens at http:\/\/0\.0\.0\.0:\d+\nOther machines can reach this address, and what they send is not encrypted/m
    )
    assert.match(welcome, /^Its address for clients \(PUBLIC_URL\) is https:\/\/catalogue\.example\.org$/m)
    assert.match(welcome, /curl .* http:\/\/127\.0\.0\.1:\d+\/entities/)
  })

  itWithFile('prints no token', async t => {
    const cwd = temporaryFolder(t)
    const served = await serve(t, { cwd })
    const token = readFileSync(join(cwd, 'data/admin-token'), 'utf8').trim()
    assert.ok(token.length > 20)
    assert.ok(!served.welcome.includes(token))
    const other = temporaryFolder(t)
    const named = await serve(t, { cwd: other, env: { ADMIN_TOKEN: adminToken } })
    assert.ok(!named.welcome.includes(adminToken))
  })
})

describe('wrong settings', () => {
  const like = (name: string) => new RegExp(`is not a setting; did you mean ${name}\\?`)
  const must = (name: string, words: string) => new RegExp(`^${name} must ${words}`)
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
  const refused: readonly [environment: Record<string, string>, words: RegExp][] = [
    [{ DATABSE_URL: 'sqlite:x.db' }, like('DATABASE_URL')],
    [{ DATABASE_URI: 'sqlite:x.db' }, like('DATABASE_URL')],
    [{ DATABASEURL: 'sqlite:x.db' }, like('DATABASE_URL')],
    [{ database_url: 'sqlite:x.db' }, like('DATABASE_URL')],
    [{ PUBLIC_ULR: 'https://x.org' }, like('PUBLIC_URL')],
    [{ LIBRETTO_PORT: '8081' }, like('PORT')],
    [{ LIBRETTO_HOST: '0.0.0.0' }, like('HOST')],
    [{ LIBRETTO_DATABSE_URL: 'sqlite:x.db' }, like('DATABASE_URL')],
    [{ CORS_ORIGIN: '*' }, like('CORS_ORIGINS')],
    [{ ANONYMOUS_ACESS: 'read' }, like('ANONYMOUS_ACCESS')],
    [{ SECRET_KEYS: 'x' }, like('SECRET_KEY')],
    [{ MODLE: 'model.json' }, like('MODEL')],
    [{ PUBLIC_URL: 'https://x.org/a?b=c' }, /^PUBLIC_URL must not have a query or a fragment/],
    [{ PUBLIC_URL: 'https://x.org/?' }, /^PUBLIC_URL must not have a query or a fragment/],
    [{ PUBLIC_URL: 'https://x.org/#a' }, /^PUBLIC_URL must not have a query or a fragment/],
    [{ PUBLIC_URL: 'https://user:planted-pw@x.org' }, /^PUBLIC_URL must not contain a user name or a password$/],
    [{ PUBLIC_URL: 'https://user@x.org' }, /^PUBLIC_URL must not contain a user name/],
    [{ PUBLIC_URL: 'catalogue.example.org' }, must('PUBLIC_URL', 'be an http or https address')],
    [{ PORT: '80a' }, must('PORT', 'be a whole number from 0 to 65535, got "80a"')],
    [{ PORT: '70000' }, must('PORT', 'be a whole number from 0 to 65535')],
    [{ DATABASE_POOL: '0' }, must('DATABASE_POOL', 'be a whole number from 3 to 1000')],
    [{ DATABASE_WAIT: '3s' }, must('DATABASE_WAIT', 'be a whole number from 100 to 600000')],
    [{ MEDIA_URL: '/srv/media' }, must('MEDIA_URL', 'be file:<folder> or s3:')],
    [{ MEDIA_URL: 's3://planted-pw:x@host' }, must('MEDIA_URL', 'be file:<folder> or s3:')],
    [{ MEDIA_LIMIT: '10GB' }, must('MEDIA_LIMIT', 'be a whole number from 1 to 5497558138880')],
    [{ ADMIN_TOKEN: 'planted-pw' }, must('ADMIN_TOKEN', 'have at least 16 characters')],
    [{ SECRET_KEY: 'planted-pw' }, must('SECRET_KEY', 'have at least 32 characters')],
    [{ SECRET_KEY_PREVIOUS: 'planted-pw' }, must('SECRET_KEY_PREVIOUS', 'have at least 32 characters')],
    [{ SAMPLE_DATA: 'yes' }, must('SAMPLE_DATA', 'be 1 or 0, got "yes"')],
    [{ OIDC_ISSUERS: 'https://id.example.org' }, must('OIDC_ISSUERS', 'be a JSON list of .*; this is not JSON')],
    [
      { OIDC_ISSUERS: '[{"issuer": "https://id.example.org"}]' },
      must('OIDC_ISSUERS', 'be a JSON list of .*"audience"')
    ],
    [
      { OIDC_ISSUERS: '[{"issuer": "id.example.org", "audience": "x"}]' },
      /^OIDC_ISSUERS .*"id\.example\.org" is not an/
    ],
    [{ REPOSITORY_EMAIL: 'librarian' }, must('REPOSITORY_EMAIL', 'be an e-mail address, got "librarian"')],
    [{ OAI_DOMAIN: '10.0.0.1' }, must('OAI_DOMAIN', 'be a domain name such as catalogue.example.org')],
    [{ TIME_ZONE: 'Brussels' }, must('TIME_ZONE', 'be a time zone such as Europe/Brussels')],
    [{ OAI_PAGE_SIZE: '0' }, must('OAI_PAGE_SIZE', 'be a whole number from 1 to 1000')],
    [{ ANONYMOUS_ACCESS: 'write' }, must('ANONYMOUS_ACCESS', 'be a comma list of scopes such as read:manifestation')],
    [{ ANONYMOUS_ACCESS: 'true' }, must('ANONYMOUS_ACCESS', 'be a comma list of scopes such as read:manifestation')],
    [{ CORS_ORIGINS: 'example.org' }, must('CORS_ORIGINS', 'be \\* or a comma list of origins such as https:')],
    [{ CORS_ORIGINS: 'https://x.org/' }, must('CORS_ORIGINS', 'be \\* or a comma list of origins such as https:')],
    [{ LOG_LEVEL: 'verbose' }, must('LOG_LEVEL', 'be one of fatal, error, warn')],
    [{ REQUEST_LOG: '1.5' }, must('REQUEST_LOG', 'be off, all, errors or a share such as 0.01')],
    [{ METRICS_PORT: 'http' }, must('METRICS_PORT', 'be a whole number from 0 to 65535')],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' },
      must('OTEL_EXPORTER_OTLP_ENDPOINT', 'be an http or https address, got "localhost:4318"')
    ],
    [{ ...traced, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, must('OTEL_EXPORTER_OTLP_PROTOCOL', 'be one of http/json')],
    [{ ...traced, OTEL_EXPORTER_OTLP_HEADERS: 'planted-pw' }, must('OTEL_EXPORTER_OTLP_HEADERS', 'be .* name=value')],
    [{ QUERY_DEADLINE: '2s' }, must('QUERY_DEADLINE', 'be a whole number from 10 to 600000')],
    [{ READERS: '0' }, must('READERS', 'be a whole number from 1 to 64')],
    [{ CACHE_MEGABYTES: '64M' }, must('CACHE_MEGABYTES', 'be a whole number from 0 to 65536')],
    [{ BODY_LIMIT: '1' }, must('BODY_LIMIT', 'be a whole number from 1024 to')],
    [{ RATE_LIMIT: '600' }, must('RATE_LIMIT', 'be requests and seconds such as 600/60, got "600"')],
    [{ ADDRESS_RATE_LIMIT: 'off' }, must('ADDRESS_RATE_LIMIT', 'be requests and seconds such as 600/60')],
    [{ TRUST_PROXY: 'proxy.internal' }, must('TRUST_PROXY', 'be a comma list of addresses and blocks')],
    [{ WEBHOOK_ALLOWED_ADDRESSES: '10.1' }, must('WEBHOOK_ALLOWED_ADDRESSES', 'be a comma list of addresses')],
    [{ WEBHOOK_HOSTS: 'https://x.org' }, must('WEBHOOK_HOSTS', 'be a comma list of hosts such as hooks.example.org')],
    [{ WEBHOOK_RETRIES: '5m,1h' }, must('WEBHOOK_RETRIES', 'be a comma list of seconds, got "5m"')],
    [{ CHANGES_KEPT_DAYS: 'forever' }, must('CHANGES_KEPT_DAYS', 'be a whole number from 1 to 36500')]
  ]
  for (const [environment, expected] of refused)
    it(`are refused: ${JSON.stringify(environment)}`, () => {
      assert.throws(
        () => readConfig(environment),
        ({ message }: Error) => expected.test(message) && !/planted-pw/.test(message)
      )
    })

  it('are refused with the name of the setting, unless it takes any text', () => {
    const values = ['two words', '-1', '99999999999999999999', '{', '://', 'a,b']
    const refusals = (name: string) =>
      values.flatMap(value => {
        try {
          readConfig({ [name]: value })
          return []
        } catch (error) {
          return [(error as Error).message]
        }
      })
    const names = Object.values(settings).map(({ name }) => name)
    for (const name of names)
      for (const message of refusals(name)) assert.match(message, new RegExp(`^${name} must (be|have|not) .+$`))
    // Names, and files, hosts and databases, which a start looks for; those of other programs are
    // read only where they are used.
    assert.deepEqual(
      names.filter(name => refusals(name).length === 0),
      `HOST DATABASE_URL DATABASE_REPLICA_URLS MEDIA_UPLOADS MOVE_TO SITE MODEL REPOSITORY_NAME METRICS_HOST
      OTEL_EXPORTER_OTLP_HEADERS OTEL_EXPORTER_OTLP_PROTOCOL OTEL_SERVICE_NAME INDEX_SNAPSHOT`.split(/\s+/)
    )
  })

  it('are told all at once', () => {
    assert.throws(() => readConfig({ PUBLIC_ULR: 'x', LIBRETTO_PORT: '1', PORT: 'abc' }), {
      message: /^PUBLIC_ULR is .*\nLIBRETTO_PORT is .*\nPORT must be a whole number/
    })
  })

  it('are not looked for among variables of other programs', () => {
    const ofOthers =
      'PATH HOME USER LANG TZ PWD SHELL TERM MODE MODELS HEADERS POST PORTS HOSTS HOSTNAME HOSTTYPE REDIS_URL MONGO_URL MEDIA_ROOT STATIC_URL SECRET DATABASE_HOST DATABASE_PORT DATABASE_USER DATABASE_NAME DATABASE_PASSWORD POSTGRES_URL PGHOST PGPORT NODE_ENV NODE_OPTIONS NODE_COMPILE_CACHE npm_config_cache npm_package_version npm_lifecycle_event CI DEBUG LOG_FORMAT OTEL_SERVICE_NAME OTEL_EXPORTER_OTLP_HEADERS OTEL_EXPORTER_OTLP_PROTOCOL LIBRETTO_VERSION LIBRETTO_SERVICE_HOST LIBRETTO_SERVICE_PORT LIBRETTO_PORT_8080_TCP_ADDR SMTP_HOST SMTP_PORT HTTP_PROXY http_proxy KUBERNETES_PORT INVOCATION_ID JOURNAL_STREAM STATE_DIRECTORY port host model'
    readConfig(Object.fromEntries(ofOthers.split(' ').map(name => [name, 'x'])))
    readConfig({ LIBRETTO_PORT: 'tcp://10.96.0.7:8080', PUBLIC_ULR: '' })
  })

  it('are found before a database and a token are created', async t => {
    for (const [environment, expected] of [
      [{ HOST: 'no-such-host.invalid' }, /^Cannot listen at no-such-host\.invalid:0 \(HOST, PORT\): /],
      [{ HOST: '203.0.113.7' }, /^Cannot listen at 203\.0\.113\.7:0 \(HOST, PORT\): /],
      [{ METRICS_PORT: '0', METRICS_HOST: '203.0.113.7' }, /^METRICS_HOST: cannot listen at 203\.0\.113\.7: /],
      [
        { ANONYMOUS_ACCESS: 'read:prodction' },
        /^ANONYMOUS_ACCESS: unknown scope "read:prodction": there is no type "prodction"$/m
      ],
      [
        { ANONYMOUS_ACCESS: 'read:production:publshed' },
        /^ANONYMOUS_ACCESS: .*: there is no status "publshed" of the type "production"; it has concept, published, archived$/m
      ]
    ] as const) {
      const cwd = temporaryFolder(t)
      const { code, out, err } = await runCli(['serve'], { cwd, env: { PORT: '0', ...environment } })
      assert.deepEqual([code, out], [1, ''], err)
      assert.match(err, expected)
      assert.deepEqual(readdirSync(cwd), [], JSON.stringify(environment))
    }
  })
})

describe('a folder in the settings', () => {
  itWithFile('of the database must exist, unless it is the default', async t => {
    const cwd = temporaryFolder(t)
    const env = { DATABASE_URL: `sqlite:${join(cwd, 'no/such/x.db')}`, PORT: '0' }
    for (const words of [
      ['serve'],
      ['token', 'create', '--name', 'x', '--scope', 'read', '--create-database'],
      ['restore', 'backup.db']
    ]) {
      const { code, out, err } = await runCli(words, { cwd, env })
      assert.deepEqual([code, out], [1, ''])
      assert.equal(
        err,
        `DATABASE_URL: there is no folder "${join(cwd, 'no/such')}" for the database; create it, or correct the path\n`
      )
    }
    assert.deepEqual(readdirSync(cwd), [])
  })

  const isRoot = process.getuid?.() === 0
  const folders: Readonly<Record<string, (t: Teardown) => string>> = {
    'is a file': t => {
      const file = join(temporaryFolder(t), 'file')
      writeFileSync(file, '')
      return `${file}/media`
    },
    'cannot be created, even by root': () => '/proc/nowhere',
    'may not be written to': t => {
      const folder = join(temporaryFolder(t), 'media')
      mkdirSync(folder, { mode: 0o500 })
      return isRoot ? '/proc' : folder
    }
  }
  for (const [what, folderOf] of Object.entries(folders))
    it(`of media files or uploads is refused at the start where it ${what}`, async t => {
      const folder = folderOf(t)
      await assert.rejects(start(t, { MEDIA_URL: `file:${folder}` }), {
        message: new RegExp(`^MEDIA_URL: nothing can be stored in the folder "${folder}/content": `)
      })
      await assert.rejects(start(t, { MEDIA_UPLOADS: folder }), {
        message: new RegExp(`^MEDIA_UPLOADS: nothing can be stored in the folder "${folder}": `)
      })
    })
})

describe('an export', () => {
  itWithFile('that is imported into the same catalogue finds every record again', async t => {
    const cwd = temporaryFolder(t)
    const served = await serve(t, { cwd, env: { SAMPLE_DATA: '1' } })
    await served.stop()
    assert.equal((await runCli(['export', 'all.ndjson'], { cwd })).code, 0)
    const again = await runCli(['import', 'all.ndjson', '--json'], { cwd })
    const { created, replaced, unchanged } = JSON.parse(again.out)
    assert.deepEqual([created, replaced, unchanged], [0, 0, 596])
  })
})
