import { Session } from 'node:inspector/promises'
import { Agent, request } from 'node:http'

import { workOnImport } from '#imports/work-on-import.ts'
import { createBook } from '../records/entities.ts'
import { marcFile } from '../records/marc-files.ts'
import { listen } from '../services/listen.ts'
import { adminToken, start } from '../services/start.ts'

/*
 * A program that starts the service from its sources, sends it warm requests, and writes the files
 * of `src` in which a function ran for each of them.
 */

const src = new URL('../../../src/', import.meta.url).href

interface Coverage {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly {
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[]
    }[]
  }[]
}

/** Sends a message of the inspector to a thread. */
type Post = (method: string, given?: object) => Promise<unknown>

const session = new Session()
session.connect()
const post = session.post.bind(session) as unknown as Post
const threads: Post[] = [post]

/** The files of `src` in which a function ran since the last call. A module itself is none. */
async function filesSince(): Promise<{ readonly main: string[]; readonly all: string[] }> {
  const taken = await Promise.all(threads.map(thread => thread('Profiler.takePreciseCoverage')))
  const [main = [], ...others] = (taken as Coverage[]).map(({ result }) =>
    result
      .filter(({ url, functions }) => url.startsWith(src) && functions.some(hasRun))
      .map(({ url }) => url.slice(src.length))
  )
  return { main, all: [...new Set([main, ...others].flat())] }
}

const hasRun = ({ ranges: [whole] }: Coverage['result'][number]['functions'][number]) =>
  whole !== undefined && whole.startOffset > 0 && whole.count > 0

/** Counts calls in the threads that exist, and in this one. */
async function countCalls() {
  const on = session.on.bind(session) as unknown as (event: string, listener: (message: Message) => void) => void
  const replies = new Map<string, (message: string) => void>()
  on('NodeWorker.receivedMessageFromWorker', ({ params }) => replies.get(params.sessionId)?.(params.message))
  on('NodeWorker.attachedToWorker', ({ params: { sessionId } }) => {
    const waiting = new Map<number, (result: unknown) => void>()
    replies.set(sessionId, text => {
      const { id, result } = JSON.parse(text) as { id: number; result: unknown }
      waiting.get(id)?.(result)
    })
    threads.push((method, given = {}) => {
      const { promise, resolve } = Promise.withResolvers<unknown>()
      const id = waiting.size + 1
      waiting.set(id, resolve)
      void post('NodeWorker.sendMessageToWorker', { sessionId, message: JSON.stringify({ id, method, params: given }) })
      return promise
    })
  })
  await post('NodeWorker.enable', { waitForDebuggerOnStart: false })
  for (const thread of threads) {
    await thread('Profiler.enable')
    await thread('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  }
}

interface Message {
  readonly params: { readonly sessionId: string; readonly message: string }
}

/**
 * The files that ran in each of several repetitions of warm work: those that run only now and then,
 * by a timer, belong to no request.
 */
async function measure(work: () => Promise<unknown>): Promise<{ main: string[]; all: string[] }> {
  for (let warm = 0; warm < 3; warm++) await work()
  await filesSince()
  let common: { main: string[]; all: string[] } | undefined
  for (let times = 0; times < 4; times++) {
    await work()
    const found = await filesSince()
    const [main, all] = [new Set(found.main), new Set(found.all)]
    common = common
      ? { main: common.main.filter(each => main.has(each)), all: common.all.filter(each => all.has(each)) }
      : found
  }
  return common ?? { main: [], all: [] }
}

const ends: (() => Promise<void> | void)[] = []
const service = await start({ after: end => void ends.push(end as () => Promise<void>) })
const port = await listen(service)
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const authorization = `Bearer ${adminToken}`

async function send(method: string, path: string, body?: unknown) {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const headers = { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  request({ host: '127.0.0.1', port, method, path, agent, headers }, answer => {
    if (answer.statusCode !== 200) reject(new Error(`${method} ${path} answered ${answer.statusCode}`))
    answer.on('end', resolve).resume()
  })
    .on('error', reject)
    .end(body === undefined ? undefined : JSON.stringify(body))
  await promise
}

let made = 0
async function importRecord() {
  const name = `tide-${++made}`
  const record = `020 ## $a97890257010${10 + made}
100 1# $aVerhoeven ${made}, Mila,$d1911-1984
245 14 $aThe tide ${made} :$ba novel /$cMila Verhoeven.
250 ## $a2nd ed.
264 #1 $aGent :$bDe Kade,$c1951.
520 ## $aA woman waits for the tide.
650 #0 $aTides`
  const sent = await service.app.inject({
    method: 'POST',
    url: '/imports',
    headers: { authorization, 'content-type': 'application/marc' },
    payload: marcFile({ [name]: record })
  })
  await filesSince()
  await workOnImport(service.libretto.parts, sent.json().id, () => false)
}

const book = await createBook(service)
const filters = [{ type: 'text', key: 'title', value: 'Hamlet' }]
await send('POST', '/entities/filter', filters)
await countCalls()
const walks = {
  'GET /entities/wem/{id}': (await measure(() => send('GET', `/entities/wem/${book.manifestation}`))).main,
  'POST /entities/filter': (await measure(() => send('POST', '/entities/filter', filters))).main,
  'PATCH /entities/{id}': (
    await measure(() => send('PATCH', `/entities/${book.work}`, { metadata: [{ key: 'title', value: `H${++made}` }] }))
  ).main,
  'A MARC record': (await measure(importRecord)).all
}
agent.destroy()
session.disconnect()
for (const end of ends) await end()
process.stdout.write(JSON.stringify(walks))
