import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { signRequest } from '#media/s3/sign-request.ts'
import { type Teardown, temporaryFolder } from '../machines/temporary-folder.ts'

/*
 * OpenStack Swift on one disk, from Debian, with its S3 interface. Unlike the S3-compatible servers
 * of npm it checks signatures of version 4: it makes each anew from the request and the secret that
 * it knows.
 */

export const swiftPackages = ['swift-proxy', 'swift-account', 'swift-container', 'swift-object']

const key = 'libretto:tester'
const secret = 'secret/with+odd=letters'
const bucket = 'media'

/** Gives, for a folder of its bucket, the setting `MEDIA_URL`. */
export interface Swift {
  urlFor(folder: string, wrong?: { readonly secret: string }): string
}

/**
 * Starts the four servers that it takes, and makes a bucket. They end, by their ids, with the test.
 */
export async function startSwift(t: Teardown): Promise<Swift> {
  const folder = temporaryFolder(t)
  const storage = ['account', 'container', 'object'] as const
  const [proxy = 0, ...ports] = await freePorts(1 + storage.length)
  mkdirSync(join(folder, 'disks', 'd1'), { recursive: true })
  const conf = (name: string, text: string) => {
    const path = join(folder, `${name}.conf`)
    writeFileSync(path, text)
    return path
  }
  const logs = new Map<string, string[]>()
  const run = (program: string, file: string) => {
    const child = spawn(`/usr/bin/${program}`, [file], { stdio: ['ignore', 'pipe', 'pipe'] })
    const lines: string[] = []
    logs.set(program, lines)
    for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => lines.push(String(chunk)))
    t.after(() => end(child))
    return child
  }
  storage.forEach((kind, index) => {
    const builder = join(folder, `${kind}.builder`)
    // One copy of everything, on one disk.
    for (const words of [
      ['create', '4', '1', '0'],
      ['add', `r1z1-127.0.0.1:${ports[index]}/d1`, '1'],
      ['rebalance', '--seed', '1']
    ]) {
      const { status, stdout } = spawnSync('/usr/bin/swift-ring-builder', [builder, ...words], { encoding: 'utf8' })
      // 1 is a warning, such as that nothing had to be moved.
      if (status !== 0 && status !== 1) throw new Error(`swift-ring-builder ${words.join(' ')}: ${stdout}`)
    }
    run(`swift-${kind}-server`, conf(kind, storageConf(kind, ports[index] ?? 0, folder)))
  })
  const child = run('swift-proxy-server', conf('proxy', proxyConf(proxy, folder)))
  const host = `127.0.0.1:${proxy}`
  for (let tries = 0; ; tries++) {
    if (await makeBucket(host)) break
    if (child.exitCode !== null || tries > 300)
      throw new Error(
        `Swift does not answer: ${[...logs].map(([name, lines]) => `${name}: ${lines.join('')}`).join('\n')}`
      )
    await delay(200)
  }
  return {
    urlFor: (within, wrong) =>
      `s3://${encodeURIComponent(key)}:${encodeURIComponent(wrong?.secret ?? secret)}@${host}/${bucket}/${within}?tls=0`
  }
}

const common = (port: number, folder: string) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${userInfo().username}
swift_dir = ${folder}
devices = ${join(folder, 'disks')}
mount_check = false
log_level = WARNING
`

const storageConf = (kind: string, port: number, folder: string) => `${common(port, folder)}
[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
`

const proxyConf = (port: number, folder: string) => `${common(port, folder)}
[pipeline:main]
pipeline = catch_errors gatekeeper cache listing_formats s3api tempauth slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
allow_account_management = true
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
# It insists on a cache, and does without when none is there.
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
max_bucket_listing = 10
[filter:tempauth]
use = egg:swift#tempauth
user_${key.replace(':', '_')} = ${secret} .admin
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
`

async function makeBucket(host: string): Promise<boolean> {
  const request = { method: 'PUT', path: `/${bucket}`, query: {}, headers: { host, 'content-length': '0' } }
  // The hash of nothing.
  const bodyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  const { host: _, ...headers } = signRequest(
    { ...request, bodyHash },
    { key, secret, region: 'us-east-1' },
    new Date()
  )
  const answer = await fetch(`http://${host}/${bucket}`, { method: 'PUT', headers }).catch(() => undefined)
  await answer?.arrayBuffer()
  return answer?.status === 200
}

async function end(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map(server => once(server, 'listening')))
  const ports = servers.map(server => (server.address() as AddressInfo).port)
  await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))))
  return ports
}
