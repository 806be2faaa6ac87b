import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'

import type { ChangeEvent, ChangeKind } from '#domain/events/change-event.ts'

/*
 * A copy of a catalogue that is made only from its change feed, in a process of its own, so that it
 * can be killed at any moment:
 *
 *   TOKEN=… node test/support/services/replica.ts <pages|stream> <service> <file> [defect]
 *
 * It keeps the entities in a SQLite file, together with how far it has read, in one transaction. It
 * writes a dot for every transaction. The defects are what people get wrong when they write such a
 * program; a test plants them to see that it would notice.
 */

export const replicaModes = ['pages', 'stream'] as const
export type ReplicaMode = (typeof replicaModes)[number]

export const replicaDefects = ['cursor first', 'skips one', 'ignores deletions'] as const
export type ReplicaDefect = (typeof replicaDefects)[number]

/** How far a replica is. */
export interface ReplicaPlace {
  readonly cursor: string | undefined
  /** How many events it has applied. */
  readonly applied: number
  /**
   * How many did not fit what was there: a creation of what exists, a change of what does not, a
   * version that was left out.
   */
  readonly misfits: number
}

const schema = `
  PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS entities (id TEXT PRIMARY KEY, version INTEGER NOT NULL, document TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS place (
    number INTEGER PRIMARY KEY CHECK (number = 1), cursor TEXT, applied INTEGER NOT NULL, misfits INTEGER NOT NULL
  ) STRICT;
  INSERT OR IGNORE INTO place VALUES (1, NULL, 0, 0);
`

/** Reads how far a replica is, while it runs or after. */
export function readPlace(file: string): ReplicaPlace {
  using db = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  const row = db.prepare('SELECT cursor, applied, misfits FROM place').get()
  return {
    cursor: row?.cursor === null ? undefined : String(row?.cursor),
    applied: Number(row?.applied),
    misfits: Number(row?.misfits)
  }
}

function openReplica(file: string, defect: ReplicaDefect | undefined) {
  const db = new DatabaseSync(file, { timeout: 5000 })
  db.exec(schema)
  const selectVersion = db.prepare('SELECT version FROM entities WHERE id = ?')
  const upsert = db.prepare('INSERT OR REPLACE INTO entities (id, version, document) VALUES (?, ?, ?)')
  const remove = db.prepare('DELETE FROM entities WHERE id = ?')
  const moveOn = db.prepare('UPDATE place SET cursor = ?, applied = applied + ?, misfits = misfits + ?')
  let seen = 0

  /** Gives whether the event fitted what was there. */
  const fits: Record<ChangeKind, (event: ChangeEvent, version: number | undefined) => boolean> = {
    created: ({ data }, version) => version === undefined && data.entity?.version === data.version,
    updated: ({ data }, version) => version === data.version - 1 && data.entity?.version === data.version,
    deleted: ({ data }, version) => version === data.version - 1 && data.entity === undefined,
    merged: ({ data }, version) => version === data.version - 1 && data.entity === undefined,
    purged: ({ data }, version) => version === undefined && data.entity === undefined
  }

  const applyOne = (event: ChangeEvent): boolean => {
    const kind = event.type.slice('entity.'.length) as ChangeKind
    const row = selectVersion.get(event.subject)
    const isFitting = fits[kind](event, row && Number(row.version))
    if (kind === 'created' || kind === 'updated') {
      upsert.run(event.subject, event.data.version, JSON.stringify(event.data.entity))
    } else if (defect !== 'ignores deletions') remove.run(event.subject)
    return isFitting
  }

  return {
    cursor: () => readPlace(file).cursor,
    /** Applies events and moves on, both or neither. */
    async apply(events: readonly ChangeEvent[], cursor: string) {
      seen += events.length
      const isPlanted = defect === 'skips one' && seen > 100 && seen - events.length <= 100
      const applied = isPlanted ? events.slice(1) : events
      if (defect === 'cursor first') {
        moveOn.run(cursor, events.length, 0)
        await delay(40)
        for (const event of applied) applyOne(event)
      } else {
        db.exec('BEGIN IMMEDIATE')
        let misfits = 0
        for (const event of applied) if (!applyOne(event)) misfits++
        moveOn.run(cursor, events.length, misfits)
        db.exec('COMMIT')
      }
      if (events.length > 0) process.stdout.write('.')
    }
  }
}

type Replica = ReturnType<typeof openReplica>

const token = () => ({ authorization: `Bearer ${process.env.TOKEN}` })

/** Asks for one page after the other, for ever. */
async function followPages(url: string, replica: Replica) {
  for (;;) {
    const since = replica.cursor()
    const response = await fetch(`${url}/changes?limit=200${since === undefined ? '' : `&since=${since}`}`, {
      headers: token()
    })
    if (response.status !== 200) throw new Error(`/changes: ${response.status} ${await response.text()}`)
    const page = (await response.json()) as { changes: ChangeEvent[]; cursor: string; more: boolean }
    await replica.apply(page.changes, page.cursor)
    if (!page.more) await delay(20)
  }
}

/** Reads the event stream, and asks again from the last event id whenever it ends. */
async function followStream(url: string, replica: Replica) {
  for (;;) {
    const last = replica.cursor()
    const response = await fetch(`${url}/changes`, {
      headers: { ...token(), accept: 'text/event-stream', ...(last === undefined ? {} : { 'last-event-id': last }) }
    })
    if (response.status !== 200 || !response.body)
      throw new Error(`/changes: ${response.status} ${await response.text()}`)
    for await (const blocks of readEventStream(response.body)) {
      const events = blocks.flatMap(({ data }) => (data === '' ? [] : [JSON.parse(data) as ChangeEvent]))
      const id = blocks.findLast(block => block.id !== undefined)?.id
      if (id !== undefined) await replica.apply(events, id)
    }
  }
}

/** One block of an event stream. A block may move the last event id on without holding any data. */
export interface StreamBlock {
  readonly id: string | undefined
  readonly event: string
  readonly data: string
}

/**
 * Reads server-sent events as the HTML standard says; gives those that arrived together. A block
 * that is cut off does not count.
 */
export async function* readEventStream(body: AsyncIterable<Uint8Array>): AsyncGenerator<StreamBlock[]> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    const parts = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n\n')
    rest = parts.pop() ?? ''
    if (parts.length > 0) yield parts.map(readBlock)
  }
}

function readBlock(text: string): StreamBlock {
  let id: string | undefined
  let event = 'message'
  const data: string[] = []
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'id') id = value
    else if (field === 'event') event = value
    else if (field === 'data') data.push(value)
  }
  return { id, event, data: data.join('\n') }
}

if (import.meta.main) {
  const [mode, url = '', file = '', defect] = process.argv.slice(2)
  const replica = openReplica(
    file,
    replicaDefects.find(each => each === defect)
  )
  await (mode === 'stream' ? followStream(url, replica) : followPages(url, replica))
}
