import assert from 'node:assert/strict'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'

import { ConnectionLost, openLink, readServers } from '#store/postgres/connection.ts'
import { createLeased, createShared } from '#store/postgres/pool.ts'
import { createRepeatedNumber, type RepeatedNumber } from '#store/postgres/repeated-number.ts'
import { whyNoPostgres } from '../support/databases/postgres-binaries.ts'
import {
  createDatabase,
  type PostgresServer,
  startPostgresServer,
  whyNoServer
} from '../support/databases/postgres-server.ts'
import type { Teardown } from '../support/machines/temporary-folder.ts'

/* One connection to PostgreSQL, through a proxy that can end it in each way a network does. */

describe('a connection to PostgreSQL', { skip: whyNoServer() }, () => {
  for (const [how, cut] of [
    ['reset', (socket: Socket) => socket.resetAndDestroy()],
    ['closed', (socket: Socket) => socket.destroy()]
  ] as const)
    it(`that is ${how} is lost at once: what it owes is refused, and so is what follows`, async t => {
      const proxy = await startProxy(t, await createDatabase(t))
      const link = await openLink(readServers(proxy.url, 'any'))
      t.after(() => link.destroy())
      const owed = [link.run('SELECT pg_sleep(10)'), link.run('SELECT 1')]
      // Asked in the very moment in which the first is refused.
      const next = owed[0]?.catch(() => link.run('SELECT 2'))
      setTimeout(() => cut(proxy.client()), 100)
      for (const each of [...owed, next]) await assert.rejects(within(2000, each), ConnectionLost)
      assert.equal(link.isLost, true)
    })

  for (const query of ['', '?prepare=false'])
    it(`has the rows of each statement, also behind those that fail after some of theirs${query && `, with ${query.slice(1)}`}`, async t => {
      const link = await openLink(readServers(`${await createDatabase(t)}${query}`, 'any'))
      t.after(() => link.destroy())
      const failing = 'SELECT 1 / (4 - n) FROM generate_series(1, ?) n'
      const answers: [text: string, rows: readonly unknown[]][] = [
        ['SELECT 1 AS one', [{ one: 1 }]],
        ['SELECT n FROM generate_series(1, 5) n', [1, 2, 3, 4, 5].map(n => ({ n }))],
        ['SELECT 1 AS one WHERE FALSE', []],
        ['CREATE TEMPORARY TABLE numbers (n integer)', []],
        ['INSERT INTO numbers VALUES (1), (2) RETURNING n', [{ n: 1 }, { n: 2 }]],
        ['UPDATE numbers SET n = n + 1', []],
        ['DELETE FROM numbers WHERE n = 2 RETURNING n', [{ n: 2 }]]
      ]
      for (const isPipelined of [true, false])
        for (const [text, rows] of answers) {
          const failed = assert.rejects(link.run(failing, [9]), { code: '22012' })
          if (!isPipelined) await failed
          const found = await link.run(text.replace('numbers', `numbers_${isPipelined}`))
          await failed
          assert.deepEqual([...found], rows, text)
          assert.deepEqual([...(await link.run('SELECT 2 AS two'))], [{ two: 2 }], `after ${text}`)
        }
    })
})

describe('a server that cannot be reached', () => {
  it('is named with the cause for the log, and not for clients', async t => {
    const servers = readServers('postgres://somebody@localhost:1,127.0.0.1:2/x', 'any')
    const [shared, leased] = [createShared(servers, 1, 200), createLeased(servers, 1, 200)]
    t.after(() => Promise.all([shared.close(), leased.close()]))
    for (const fail of [
      () => openLink(servers),
      () => shared.read('SELECT 1', []),
      () => leased.use(link => link.run('SELECT 1'))
    ])
      await assert.rejects(fail, (error: Error) => {
        assert.equal(error.message, 'The database cannot be reached')
        const { message } = error.cause as Error
        assert.match(
          message,
          /^localhost:1, 127\.0\.0\.1:2: connect ECONNREFUSED .*:1.*; connect ECONNREFUSED 127\.0\.0\.1:2$/
        )
        return true
      })
  })
})

describe('a pool of connections to PostgreSQL', { skip: whyNoServer() }, () => {
  it('sets no timer with a time that is over, however late its caller is', async t => {
    const warnings: Error[] = []
    const note = (warning: Error) => warnings.push(warning)
    process.on('warning', note)
    t.after(() => process.off('warning', note))
    const pool = createLeased(readServers(await createDatabase(t), 'any'), 1, 3000)
    t.after(() => pool.close())
    const late = { until: performance.now() - 1000 }
    await assert.rejects(
      pool.use(link => link.run('SELECT 1'), late),
      ConnectionLost
    )
    // The connection that came too late for it is there for the next.
    assert.deepEqual([...(await pool.use(link => link.run('SELECT 1 AS one')))], [{ one: 1 }])
    assert.deepEqual(
      warnings.map(({ message }) => message),
      []
    )
  })
})

describe('a number that is read again and again', { skip: whyNoServer() }, () => {
  /** A table with a number, and a connection that changes it. */
  const prepare = async (t: Teardown) => {
    const url = await createDatabase(t)
    const link = await openLink(readServers(url, 'any'))
    t.after(() => link.destroy())
    await link.run('CREATE TABLE numbers (n bigint)')
    await link.run('INSERT INTO numbers VALUES (1)')
    return { url, link, set: (n: number) => link.run('UPDATE numbers SET n = ?', [n]) }
  }
  const repeat = (t: Teardown, url: string) => {
    const number = createRepeatedNumber(readServers(url, 'any'), 'SELECT n FROM numbers')
    t.after(() => number.close())
    return number
  }
  /** The first number that is read on an open connection. */
  const firstOf = async (number: RepeatedNumber) => {
    const until = performance.now() + 5000
    for (;;) {
      const read = await within(2000, number.read())
      if (read !== undefined || performance.now() > until) return read
      await delay(20)
    }
  }

  for (const query of ['', '?prepare=false'])
    it(`is as it was when the read was asked for, or later${query && `, with ${query.slice(1)}`}`, async t => {
      const { url, set } = await prepare(t)
      const held = { until: Promise.resolve(), begin: () => {} }
      const proxy = await startProxy(t, url, async (chunk, pass) => {
        held.begin()
        await held.until
        // An answer in two parts, the first of which ends within a message.
        pass(chunk.subarray(0, 3))
        await delay(1)
        pass(chunk.subarray(3))
      })
      const number = repeat(t, proxy.url + query)
      assert.equal(await firstOf(number), 1)
      for (let round = 2; round < 20; round++) {
        const [hold, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
        Object.assign(held, { until: hold.promise, begin: begun.resolve })
        const before = number.read()
        // The answer to the first read is held back while the number changes.
        await within(2000, begun.promise)
        await set(round)
        const after = [number.read(), number.read()]
        hold.resolve()
        assert.equal(await within(2000, before), round - 1)
        assert.deepEqual(await within(2000, Promise.all(after)), [round, round])
      }
    })

  it('is not told by a connection that is cut or silent, and then by another one', async t => {
    const { url, set } = await prepare(t)
    const proxy = await startProxy(t, url)
    const number = repeat(t, proxy.url)
    assert.equal(await firstOf(number), 1)
    for (const fail of ['resetAndDestroy', 'destroy', 'pause'] as const) {
      proxy.client(-1)[fail]()
      assert.equal(await within(2000, number.read()), undefined, fail)
      await set(2)
      assert.equal(await firstOf(number), 2, `no other connection after ${fail}`)
      await set(1)
      assert.equal(await number.read(), 1)
    }
  })

  it('is not told when the statement fails', async t => {
    const { url, link } = await prepare(t)
    const number = repeat(t, url)
    assert.equal(await firstOf(number), 1)
    await link.run('DROP TABLE numbers')
    assert.deepEqual(await within(2000, Promise.all([number.read(), number.read()])), [undefined, undefined])
  })
})

describe('a connection to PostgreSQL over TLS', { skip: whyNoPostgres() ?? false }, () => {
  let server: PostgresServer
  before(async () => {
    server = await startPostgresServer({ tls: true })
  })
  after(() => server.stop())
  const isSecured = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()'

  for (const [mode, expected] of [
    ['disable', false],
    ['prefer', true],
    ['require', true]
  ] as const)
    it(`with sslmode=${mode} is ${expected ? '' : 'not '}secured, hears what comes, and is lost when it is cut`, async t => {
      const link = await openLink(readServers(`${server.url}?sslmode=${mode}`, 'any'))
      t.after(() => link.destroy())
      assert.deepEqual([...(await link.run(isSecured))], [{ ssl: expected }])
      const slow = link.run('SELECT pg_sleep(0.2)')
      const asked = performance.now()
      await Promise.all([slow, link.run('SELECT 1')])
      assert.ok(link.silentSince > asked + 150, 'an answer is not noticed')
      await assert.rejects(within(2000, link.run('SELECT pg_terminate_backend(pg_backend_pid())')))
      await assert.rejects(within(2000, link.run('SELECT 1')), ConnectionLost)
      assert.equal(link.isLost, true)
    })

  it('with sslmode=verify-full refuses a certificate that nobody vouches for', async () => {
    await assert.rejects(
      openLink(readServers(`${server.url}?sslmode=verify-full`, 'any')),
      isUnreachable(/self-signed/)
    )
  })

  it('is refused by a server that has no TLS with sslmode=require, and is plain with sslmode=prefer', async t => {
    const plain = await startPostgresServer()
    t.after(() => plain.stop())
    await assert.rejects(
      openLink(readServers(`${plain.url}?sslmode=require`, 'any')),
      isUnreachable(/does not support TLS/)
    )
    const link = await openLink(readServers(`${plain.url}?sslmode=prefer`, 'any'))
    assert.deepEqual([...(await link.run(isSecured))], [{ ssl: false }])
    await link.close()
  })

  it('is given up when the server does not answer the request for it', async t => {
    const silent = createServer(socket => socket.on('error', () => {}).resume())
    await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
    t.after(() => {
      silent.close()
    })
    const { port } = silent.address() as AddressInfo
    const url = `postgres://somebody@127.0.0.1:${port}/x?sslmode=require`
    await assert.rejects(within(4000, openLink(readServers(url, 'any'))), isUnreachable(/does not answer/))
  })
})

/** The reasons of a refusal, one for each server, stand behind it. */
const isUnreachable = (reason: RegExp) => (error: Error) => {
  assert.match(error.message, /cannot be reached/)
  assert.match((error.cause as AggregateError).errors.join('; '), reason)
  return true
}

/** `onAnswer` passes on what the server sends, in its own time. */
async function startProxy(
  t: Teardown,
  url: string,
  onAnswer?: (chunk: Buffer, pass: (part: Buffer) => void) => Promise<void>
) {
  const sockets: Socket[] = []
  const target = Number(new URL(url).port)
  const server = createServer(client => {
    const upstream = connect(target, '127.0.0.1')
    sockets.push(client, upstream)
    client.pipe(upstream)
    if (onAnswer) {
      let passed = Promise.resolve()
      upstream.on('data', (chunk: Buffer) => {
        passed = passed.then(() => onAnswer(chunk, part => void client.write(part)))
      })
    } else upstream.pipe(client)
    for (const each of [client, upstream]) each.on('error', () => {})
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const through = new URL(url)
  through.port = String((server.address() as AddressInfo).port)
  return { url: through.href, client: (place = 0) => sockets.filter((_, at) => at % 2 === 0).at(place) as Socket }
}

const within = <T>(milliseconds: number, work: Promise<T> | undefined) =>
  Promise.race([
    work,
    delay(milliseconds, undefined, { ref: false }).then(() => {
      throw new Error(`Nothing was heard for ${milliseconds} ms`)
    })
  ])
