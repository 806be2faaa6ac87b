import { setTimeout as delay } from 'node:timers/promises'

import type { Entity } from '#domain/entity/entity.ts'
import { type Chance, createChance } from './chance.ts'
import { adminToken } from '../services/start.ts'

/*
 * People and programs at work on one catalogue at the same time: each writer creates, patches,
 * replaces, deletes, merges, takes merges back and reverts at random, mostly in batches. They get
 * in each other's way, as writers do: what is refused because of that does not count.
 */

export interface WritersOptions {
  readonly url: string
  readonly writers: number
  /** How many operations must be accepted in all. */
  readonly operations: number
  readonly seed: number
  /**
   * Asked after that: as long as it says no, they go on, one operation at a time and without haste.
   */
  readonly isEnough?: () => boolean
  /** Kinds of single operation that there must be some of: without them, they go on as well. */
  readonly someOf?: readonly SingleKind[]
}

type SingleKind =
  | 'merge'
  | 'unmerge'
  | 'revert'
  | 'delete target'
  | 'single create'
  | 'single patch'
  | 'single replace'
  | 'single delete'

/** How often each kind of operation was accepted. */
export type WritersReport = Readonly<Record<string, number>>

const types = ['person', 'venue', 'work_word', 'production'] as const
type Type = (typeof types)[number]

const relationsOf: Readonly<Record<Type, readonly (readonly [relation: string, to: Type])[]>> = {
  person: [],
  venue: [['seeAlso', 'venue']],
  work_word: [
    ['refAuthors', 'person'],
    ['refRelatedWorks', 'work_word']
  ],
  production: [
    ['refVenues', 'venue'],
    ['refAuthors', 'person'],
    ['refWorks', 'work_word']
  ]
}

/**
 * Productions are few: each has a dozen fields to index, and this is about changes, not about
 * indexing.
 */
const drawnTypes: readonly [Type, ...Type[]] = [
  'person',
  'person',
  'person',
  'venue',
  'venue',
  'work_word',
  'work_word',
  'work_word',
  'work_word',
  'production'
]

const linesPerBatch = 200
const singlesBetween = 12

/** How often all writers pause, and the catalogue is looked at while nobody writes. */
const quietPoints = 3

/**
 * Lets the writers work until enough was accepted. Throws when one of them is answered with
 * something that is no fault of theirs, and when a relation leads to a record that is gone while
 * nobody writes.
 */
export async function runWriters(options: WritersOptions): Promise<WritersReport> {
  const { url, writers, operations, seed, isEnough = () => true, someOf = [] } = options
  const counts: Record<string, number> = {}
  let accepted = 0
  const known = new Map<Type, string[]>(types.map(type => [type, []]))
  const merges: Merge[] = []
  const count = (kind: string) => {
    counts[kind] = (counts[kind] ?? 0) + 1
    accepted++
  }
  const all = Array.from({ length: writers }, (_, number) =>
    createWriter(url, number, known, merges, createChance(seed + number), count)
  )
  for (let point = 1; point <= quietPoints; point++) {
    const wanted = Math.ceil((operations * point) / quietPoints)
    await Promise.all(
      all.map(async writer => {
        while (accepted < wanted) {
          await writer.sendBatch(Math.min(linesPerBatch, wanted - accepted))
          for (let single = 0; single < singlesBetween && accepted < wanted; single++) await writer.sendOne()
        }
        while (point === quietPoints && (!isEnough() || someOf.some(kind => counts[kind] === undefined))) {
          await writer.sendOne()
          await delay(100)
        }
      })
    )
    await assertNoGoneRelations(url)
  }
  return counts
}

/** Throws when a relation leads to no record; nobody may write meanwhile. */
async function assertNoGoneRelations(url: string) {
  const response = await fetch(`${url}/export?format=ndjson`, { headers: { authorization: `Bearer ${adminToken}` } })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`The catalogue could not be exported: ${response.status} ${text}`)
  const entities = text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as Entity)
    .filter(each => each.identifiers !== undefined)
  const names = new Set(entities.flatMap(({ identifiers }) => identifiers))
  const gone = entities.flatMap(({ id, relations }) =>
    relations.filter(({ key }) => !names.has(key)).map(({ type, key }) => `${id} ${type} ${key}`)
  )
  if (gone.length > 0) throw new Error(`Relations to records that are gone: ${gone.join(', ')}`)
}

/** A merge, which every writer may undo. */
interface Merge {
  readonly survivor: string
  readonly victim: string
  /** The records that the victim referred to. */
  readonly targets: readonly string[]
}

interface Line {
  readonly op: 'create' | 'patch' | 'replace' | 'upsert' | 'delete'
  readonly id: string
  readonly [member: string]: unknown
}

type Drawing = ReturnType<typeof createDrawing>

/** Draws records, ids and lines of batches. */
function createDrawing(number: number, known: ReadonlyMap<Type, string[]>, chance: Chance) {
  let created = 0
  let words = 0
  const of = (type: Type) => known.get(type) ?? []
  const aType = () => chance.pick(drawnTypes)
  const aKnown = (type: Type) => chance.pickOr(of(type), `${type}-none`)
  const text = () => `${chance.pick(['Hamlet', 'Œdipe', '愛', '"\\'])} ${number}.${words++}`

  const fields = (type: Type) => [
    { key: type === 'person' || type === 'venue' ? 'name' : 'title', value: text() },
    ...(chance.oneIn(2) ? [{ key: 'note', value: text(), ...(chance.oneIn(3) ? { lang: 'nl' } : {}) }] : [])
  ]
  const relations = (type: Type) => {
    const drawn = relationsOf[type]
      .filter(() => chance.oneIn(2))
      .map(([relation, to]) => ({
        key: aKnown(to),
        type: relation,
        ...(chance.oneIn(4) ? { metadata: [{ key: 'role', value: text() }] } : {})
      }))
    return drawn.filter(relation => !relation.key.endsWith('-none'))
  }
  /**
   * Most of what is deleted is not asked for again, else nothing but refusals would be left in the
   * end; some is, and may be reverted.
   */
  const forget = (id: string) => {
    const list = of(id.split('-')[0] as Type)
    const index = chance.oneIn(5) ? -1 : list.indexOf(id)
    if (index >= 0) list.splice(index, 1)
  }
  const newId = (type: Type) => {
    const id = `${type}-${number}-${created++}`
    of(type).push(id)
    return id
  }

  const aLine = (): Line => {
    const type = aType()
    const draw = chance.below(100)
    if (draw < 30 || of(type).length < 10)
      return { op: 'create', id: newId(type), type, metadata: fields(type), relations: relations(type) }
    const id = aKnown(type)
    if (draw < 35) return { op: 'upsert', id, type, metadata: fields(type), relations: relations(type) }
    if (draw < 75) return { op: 'patch', id, metadata: [{ key: 'note', value: text() }] }
    if (draw < 80) return { op: 'patch', id, relations: relations(type) }
    if (draw < 90) return { op: 'replace', id, metadata: fields(type), relations: relations(type) }
    return { op: 'delete', id, ...(chance.oneIn(2) ? { references: 'detach' } : {}) }
  }

  return { of, aType, aKnown, text, fields, forget, aLine }
}

type Sender = ReturnType<typeof createSender>

function createSender(url: string) {
  return async (method: string, path: string, body?: unknown, contentType = 'application/json') => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${adminToken}`,
        ...(body === undefined ? {} : { 'content-type': contentType })
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) })
    })
    const answer = await response.text()
    if (response.status >= 500) throw new Error(`${method} ${path}: ${response.status} ${answer}`)
    return { status: response.status, answer }
  }
}

const isGood = ({ status }: { status: number }) => status < 300

/** The requests about one record. Each sends one and returns whether it was accepted. */
function createSingles(
  { of, aType, aKnown, text, fields, forget }: Drawing,
  merges: Merge[],
  chance: Chance,
  send: Sender
): readonly (readonly [kind: SingleKind, act: () => Promise<boolean>])[] {
  return [
    [
      'merge',
      async () => {
        const type = aType()
        const [survivor, victim] = [aKnown(type), aKnown(type)]
        const { status, answer } = await send('GET', `/entities/${victim}`)
        const done = isGood(await send('POST', `/entities/${survivor}/merge`, { victim_id: victim }))
        const targets = status === 200 ? (JSON.parse(answer) as Entity).relations.map(({ key }) => key) : []
        if (done) merges.push({ survivor, victim, targets })
        return done
      }
    ],
    [
      // Somebody may take the merge back afterwards.
      'delete target',
      async () => {
        const target = chance.pickOr(
          merges.flatMap(({ targets }) => targets),
          'none'
        )
        const done = isGood(await send('DELETE', `/entities/${target}?references=detach`))
        if (done) forget(target)
        return done
      }
    ],
    [
      'unmerge',
      async () => {
        const [merge] = merges.splice(chance.below(merges.length), 1)
        if (!merge) return false
        return isGood(await send('POST', `/entities/${merge.survivor}/unmerge`, {}))
      }
    ],
    [
      'revert',
      async () => {
        const path = `/entities/${aKnown(aType())}/revert`
        return isGood(await send('POST', path, { version: 1 + chance.below(3) }))
      }
    ],
    [
      'single create',
      async () => {
        const type = aType()
        const { status, answer } = await send('POST', '/entities', { type, metadata: fields(type) })
        if (status === 201) of(type).push((JSON.parse(answer) as { id: string }).id)
        return status === 201
      }
    ],
    [
      'single patch',
      async () => {
        const body = { metadata: [{ key: `note${chance.below(3)}`, value: text() }] }
        return isGood(await send('PATCH', `/entities/${aKnown(aType())}`, body))
      }
    ],
    [
      'single replace',
      async () => {
        const type = aType()
        return isGood(await send('PUT', `/entities/${aKnown(type)}`, { metadata: fields(type) }))
      }
    ],
    [
      'single delete',
      async () =>
        isGood(await send('DELETE', `/entities/${aKnown(aType())}${chance.oneIn(2) ? '?references=detach' : ''}`))
    ]
  ]
}

function createWriter(
  url: string,
  number: number,
  known: ReadonlyMap<Type, string[]>,
  merges: Merge[],
  chance: Chance,
  count: (kind: string) => void
) {
  const drawing = createDrawing(number, known, chance)
  const send = createSender(url)
  const singles = createSingles(drawing, merges, chance, send)
  /** Every kind is used once a round, in another order each time: a short run has all of them. */
  let round: (typeof singles)[number][] = []

  return {
    async sendBatch(size: number) {
      const lines = Array.from({ length: size }, drawing.aLine)
      const body = lines.map(line => `${JSON.stringify(line)}\n`).join('')
      const { status, answer } = await send('POST', '/entities/batch', body, 'application/x-ndjson')
      if (status !== 200) throw new Error(`A batch was refused: ${status} ${answer}`)
      const results = answer
        .split('\n')
        .filter(line => line !== '')
        .map(line => JSON.parse(line) as { index?: number; status: number; outcome: string; problem?: unknown })
      if (results.length !== lines.length || results.some(each => each.index === undefined))
        throw new Error(`A batch was cut short: ${answer.slice(-500)}`)
      results.forEach((result, index) => {
        if (result.status >= 500) throw new Error(`A line was answered ${JSON.stringify(result)}`)
        const line = lines[index]
        if (!line || result.status >= 300 || result.outcome === 'unchanged') return
        count(`batch ${line.op}`)
        if (line.op === 'delete') drawing.forget(line.id)
      })
    },
    async sendOne() {
      if (round.length === 0) round = [...singles]
      const [single] = round.splice(chance.below(round.length), 1)
      if (!single) return
      const [kind, act] = single
      if (await act()) count(kind)
    }
  }
}
