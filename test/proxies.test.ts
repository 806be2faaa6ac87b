import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'

import { findProgram, needDebian } from './support/machines/debian.ts'
import { hangLimit } from './support/machines/hang-limit.ts'
import { startServer } from './support/services/server-process.ts'
import { adminToken } from './support/services/start.ts'
import { temporaryFolder } from './support/machines/temporary-folder.ts'

/*
 * The service behind the proxies of `deploy/`, with the files that stand there: only ports and
 * certificates are others.
 */

const root = join(import.meta.dirname, '..')

interface Proxy {
  readonly program: string
  readonly packageName: string
  /** Writes the configuration. Returns the arguments of the program. */
  prepare(folder: string, port: number, servicePort: number, plainPort: number): readonly string[]
}

const proxies: Readonly<Record<string, Proxy>> = {
  nginx: {
    program: 'nginx',
    packageName: 'nginx-light',
    prepare(folder, port, servicePort, plainPort) {
      const server = readFileSync(join(root, 'deploy/nginx.conf'), 'utf8')
        .replace('127.0.0.1:8080', `127.0.0.1:${servicePort}`)
        .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
        .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
        .replace(/ *(listen \[::\]|ssl_)[^\n]*\n/g, '')
      const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        name => `${name}_temp_path ${folder}/${name};`
      )
      const file = join(folder, 'nginx.conf')
      writeFileSync(
        file,
        `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}\nhttp { access_log off; ${places.join(' ')}\n${server}}\n`
      )
      return ['-c', file, '-e', join(folder, 'error.log')]
    }
  },
  caddy: {
    program: 'caddy',
    packageName: 'caddy',
    prepare(folder, port, servicePort, plainPort) {
      const file = join(folder, 'Caddyfile')
      const text = readFileSync(join(root, 'deploy/Caddyfile'), 'utf8')
        .replace('127.0.0.1:8080', `127.0.0.1:${servicePort}`)
        .replace('http://example.org {', `http://127.0.0.1:${plainPort} {`)
        .replace('example.org {', `http://127.0.0.1:${port} {`)
      writeFileSync(file, `{\n\tadmin off\n}\n${text}`)
      return ['run', '--config', file, '--adapter', 'caddyfile']
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/**
 * Starts the service and a proxy before it. Returns the address under the proxy's path, and the
 * one that is for redirects.
 */
async function startBehind(t: TestContext, { program, prepare }: Proxy): Promise<{ url: string; plain: string }> {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'home'))
  const port = await freePort()
  const servicePort = await freePort()
  const plainPort = await freePort()
  const url = `http://127.0.0.1:${port}/catalogue`
  await startServer(t, `sqlite:${join(folder, 'libretto.db')}`, {
    PUBLIC_URL: url,
    PORT: String(servicePort),
    TRUST_PROXY: '127.0.0.1',
    ADDRESS_RATE_LIMIT: '30/60',
    SAMPLE_DATA: '1'
  })
  const path = findProgram(program) ?? join('/usr/sbin', program)
  const child = spawn(path, prepare(folder, port, servicePort, plainPort), {
    env: { HOME: join(folder, 'home'), PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'pipe']
  })
  let said = ''
  child.stderr.on('data', chunk => {
    said += chunk
  })
  const ended = once(child, 'close')
  t.after(async () => {
    child.kill('SIGTERM')
    await ended
  })
  const giveUp = Date.now() + hangLimit
  for (;;) {
    const isThere = await fetch(`${url}/health/live`).then(
      ({ ok }) => ok,
      () => false
    )
    if (isThere) return { url, plain: `http://127.0.0.1:${plainPort}/catalogue` }
    if (child.exitCode !== null || Date.now() > giveUp) throw new Error(`${program} does not answer: ${said}`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

for (const [name, proxy] of Object.entries(proxies)) {
  describe(`behind ${name}, under a path`, { timeout: hangLimit }, () => {
    it('answers, links, makes, sends its page, streams events and takes a large body', async t => {
      if (!needDebian(t, [proxy.packageName])) return
      const { url, plain } = await startBehind(t, proxy)
      const { origin } = new URL(url)
      const bearer = { authorization: `Bearer ${adminToken}` }

      const list = await fetch(`${url}/entities?limit=1`, { headers: bearer })
      const [, next = ''] = /<([^>]+)>; rel="next"/.exec(list.headers.get('link') ?? '') ?? []
      assert.equal((await fetch(new URL(next, url), { headers: bearer })).status, 200)

      const made = await fetch(`${url}/entities`, {
        method: 'POST',
        headers: { ...bearer, 'content-type': 'application/json' },
        body: JSON.stringify({ type: 'person', metadata: [{ key: 'name', value: 'Behind a proxy' }] })
      })
      assert.equal(made.status, 201)
      const place = new URL(made.headers.get('location') ?? '', url)
      assert.equal((await fetch(place, { headers: bearer })).status, 200)

      assert.match(list.headers.get('strict-transport-security') ?? '', /^max-age=31536000/)
      const bare = await fetch(url, { redirect: 'manual' })
      assert.equal(bare.status, 308)
      const byHttp = (headers: Record<string, string>, method = 'GET') =>
        fetch(`${plain}/find?q=hamlet`, { method, headers, redirect: 'manual' })
      const redirect = await byHttp({ accept: 'text/html,application/xhtml+xml' })
      assert.equal(redirect.status, 308)
      assert.equal(redirect.headers.get('location'), 'https://example.org/catalogue/find?q=hamlet')
      assert.equal((await byHttp({ ...bearer, accept: 'application/json' })).status, 403)
      assert.equal((await byHttp({ ...bearer, accept: 'text/html' }, 'POST')).status, 403)
      const page = await (await fetch(`${url}/find`)).text()
      const files = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file)
      assert.ok(files.length > 2)
      for (const file of files) assert.equal((await fetch(origin + file)).status, 200, file)

      const { servers } = (await (await fetch(`${url}/openapi.json`)).json()) as { servers: unknown }
      assert.deepEqual(servers, [{ url: '/catalogue' }])

      const stream = await fetch(`${url}/changes`, { headers: { ...bearer, accept: 'text/event-stream' } })
      const first = await stream.body?.getReader().read()
      assert.match(new TextDecoder().decode(first?.value), /^(id|event|data|retry|:)/m)

      const lines = Array.from({ length: 30_000 }, (_, number) =>
        JSON.stringify({ op: 'delete', id: `PERS-NONE-${number}` })
      ).join('\n')
      const batch = await fetch(`${url}/entities/batch`, {
        method: 'POST',
        headers: { ...bearer, 'content-type': 'application/x-ndjson' },
        body: lines
      })
      assert.equal(batch.status, 200)
      assert.equal((await batch.text()).trim().split('\n').length >= 30_000, true)
    })

    it('knows clients by their own address', async t => {
      if (!needDebian(t, [proxy.packageName])) return
      const { url } = await startBehind(t, proxy)
      // Each address may send 30 requests without a bearer. An address that the client itself names
      // is ignored; otherwise it would never reach the limit.
      const statuses: number[] = []
      for (let number = 0; number < 60; number++) {
        const headers = { 'x-forwarded-for': `203.0.113.${number}` }
        statuses.push((await fetch(`${url}/entities`, { headers })).status)
      }
      assert.equal(statuses.at(-1), 429)
    })
  })
}
