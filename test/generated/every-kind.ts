import assert from 'node:assert/strict'

import type { Entity } from '#domain/entity/entity.ts'
import type { Chance } from '../support/records/chance.ts'
import { metadata, relations } from '../support/records/entities.ts'
import { marcFile } from '../support/records/marc-files.ts'
import type { Acknowledged } from '../support/records/shared-records.ts'
import { createToldRecords, type Told, type ToldRecords } from '../support/records/told-records.ts'
import { until } from '../support/services/receiver.ts'
import type { HttpAnswer } from '../support/services/server-process.ts'
import type { SteadySender } from '../support/services/steady-clients.ts'

/*
 * A client that writes in every way there is, through any of several processes, and after each
 * answer reads what it wrote through any of them. It has records of its own, and some that it
 * shares with the other clients.
 */

export interface WritingClient {
  readonly name: string
  readonly told: ToldRecords
  /** The versions of shared records that were answered to it. */
  readonly acknowledged: readonly Acknowledged[]
  /** The titles of imported records, by their identifiers. */
  imported(): ReadonlyMap<string, string>
  /**
   * Returns what it did, and what is not as it was told; undefined where there was nothing to do.
   */
  act(): Promise<{ readonly kind: Kind; readonly wrong: string[] } | undefined>
}

interface Given {
  readonly name: string
  readonly senders: readonly SteadySender[]
  readonly shared: readonly string[]
  readonly chance: Chance
  /** Which of its rounds have an import, counted from its number. */
  readonly number: number
}

/** Returns the ids that a write touched, or undefined where there was nothing to do. */
type Act = () => Promise<readonly string[] | undefined>

/** How often a client does each in a round; imports, which wait for each other, in some rounds. */
const often = {
  create: 4,
  'create a book': 2,
  patch: 8,
  replace: 2,
  relate: 4,
  'change a shared record': 6,
  batch: 2,
  merge: 3,
  unmerge: 2,
  delete: 3,
  restore: 3,
  'add an item': 3,
  'add a media file': 2,
  'delete a media file': 1
} as const

const seldom = ['purge', 'import', 'import again', 'undo an import'] as const

export type Kind = keyof typeof often | (typeof seldom)[number]

export const kinds: readonly Kind[] = [...(Object.keys(often) as Kind[]), ...seldom]

const parse = <T = Entity>({ text }: HttpAnswer) => JSON.parse(text) as T

export function createWritingClient(given: Given): WritingClient {
  const { name, senders, shared, chance } = given
  const told = createToldRecords()
  const acknowledged: Acknowledged[] = []
  const any = () => senders[chance.below(senders.length)] ?? assert.fail()
  const importing = importActs(given, any)
  const acts: Readonly<Record<Kind, Act>> = {
    ...recordActs(given, told, any),
    ...joiningActs(given, told, any),
    ...partActs(given, told, any),
    ...importing.acts,
    async 'change a shared record'() {
      const id = chance.pickOr(shared, '')
      const value = `${name}-${acknowledged.length}`
      const answer = await any().send('PATCH', `/entities/${id}`, { metadata: [{ key: 'city', value }] })
      assert.equal(answer.status, 200, answer.text)
      acknowledged.push({ id, version: parse(answer).version, value })
      return [id]
    }
  }
  let round: Kind[] = []
  let rounds = given.number
  const newRound = () => {
    const each = seldom[rounds++ % (2 * seldom.length)]
    const all = (Object.keys(often) as (keyof typeof often)[]).flatMap(kind => Array<Kind>(often[kind]).fill(kind))
    return each === undefined ? all : [...all, each]
  }
  return {
    name,
    told,
    acknowledged,
    imported: importing.imported,
    async act() {
      if (round.length === 0) round = newRound()
      const [kind = 'create'] = round.splice(chance.below(round.length), 1)
      const touched = await acts[kind]()
      if (!touched) return undefined
      const wrong: string[] = []
      for (const id of new Set(touched)) {
        const known = acknowledged.findLast(each => each.id === id)
        wrong.push(...(known ? await lookShared(any(), known) : await look(any(), told, id, chance)))
      }
      return { kind, wrong: wrong.map(each => `${name}, after "${kind}": ${each}`) }
    }
  }
}

/** Creates, changes, deletes and restores. */
function recordActs({ name, chance }: Given, told: ToldRecords, any: () => SteadySender) {
  let created = 0
  let words = 0
  const text = () => `${chance.pick(['Hamlet', 'Œdipe', '愛', '"\\'])} ${name} ${words++}`
  const types = ['venue', 'person', 'production', 'production'] as const
  const venues = () => told.ofTypes('venue')
  const links = (type: string) =>
    type === 'production' && chance.oneIn(2) && venues().length > 0
      ? relations({
          refVenues: chance.pickOr(venues(), ''),
          ...(told.ofTypes('person').length > 0 ? { refAuthors: chance.pickOr(told.ofTypes('person'), '') } : {})
        })
      : []
  const draft = (type: string) => ({
    metadata: metadata({ [type === 'production' ? 'title' : 'name']: text() }),
    relations: links(type)
  })
  const newRecord = () => {
    const type = chance.pick(types)
    return { id: `${name}-${type}-${created++}`, type, ...draft(type) }
  }
  const anyOwn = (...of: string[]) => chance.pickOr<string | undefined>(told.ofTypes(...of), undefined)

  return {
    async create() {
      const { answer } = await sent(any(), 201, 'POST', '/entities', newRecord())
      return [told.wrote(parse(answer))]
    },
    async 'create a book'() {
      const [work, expression, manifestation] = ['W', 'E', 'M'].map(each => `${name}-${each}-${created}`)
      created++
      const title = text()
      const lines = [
        { op: 'create', id: work, type: 'work_word', metadata: metadata({ title }) },
        {
          ...{ op: 'create', id: expression, type: 'expression_word', metadata: metadata({ title }) },
          relations: relations({ refWork: work ?? '' })
        },
        {
          ...{ op: 'create', id: manifestation, type: 'manifestation_word', metadata: metadata({ title }) },
          relations: relations({ refExpressions: expression ?? '' })
        }
      ]
      await sent(any(), 200, 'POST', '/entities/batch?atomic=1', lines)
      for (const { id = '', op: _, ...rest } of lines)
        told.wrote({ relations: [], ...rest, id, version: 1 } as unknown as Entity)
      return lines.map(({ id = '' }) => id)
    },
    async patch() {
      const id = anyOwn('venue', 'person', 'production', 'work_word', 'manifestation_word')
      if (id === undefined) return undefined
      const { answer } = await sent(any(), 200, 'PATCH', `/entities/${id}`, { metadata: metadata({ note: text() }) })
      return [told.wrote(parse(answer))]
    },
    async replace() {
      const id = anyOwn('venue', 'person', 'production')
      if (id === undefined) return undefined
      const { version, type, metadata: fields } = told.told(id)
      const kept = fields.filter(({ key }) => key.endsWith('_files'))
      const body = { ...draft(type), metadata: [...draft(type).metadata, ...kept] }
      const headers: Record<string, string> = chance.oneIn(2) ? { 'if-match': `"${version}"` } : {}
      const { answer } = await sent(any(), 200, 'PUT', `/entities/${id}`, body, headers)
      return [told.wrote(parse(answer))]
    },
    async relate() {
      const [id, venue] = [anyOwn('production'), anyOwn('venue')]
      if (id === undefined || venue === undefined) return undefined
      const before = told.told(id)
      if (before.relations.some(({ key }) => key === venue)) return undefined
      const list = relations({ refVenues: venue })
      const { answer } = await sent(any(), 201, 'POST', `/entities/${id}/relations`, list)
      told.changed(id, () => ({ relations: parse<Told['relations']>(answer) }))
      return [id, venue]
    },
    async batch() {
      const lines = Array.from({ length: 1 + chance.below(5) }, newRecord)
      await sent(
        any(),
        200,
        'POST',
        '/entities/batch',
        lines.map(line => ({ op: 'create', ...line }))
      )
      const { answer } = await sent(any(), 200, 'GET', `/entities?limit=100&ids=${lines.map(({ id }) => id).join(',')}`)
      const found = parse<Entity[]>(answer)
      assert.deepEqual(found.map(({ id }) => id).sort(), lines.map(({ id }) => id).sort())
      return found.map(told.wrote)
    },
    async delete() {
      const id = anyOwn('venue', 'person', 'production', 'item')
      if (id === undefined || told.referringTo(id).some(each => told.told(each).type === 'mediafile')) return undefined
      await sent(any(), 204, 'DELETE', `/entities/${id}?references=detach`)
      return [id, ...told.deleted(id)]
    },
    async restore() {
      const found = chance.pickOr<[string, Told] | undefined>([...told.gone], undefined)
      if (!found) return undefined
      const [id, last] = found
      const needed = last.relations.filter(({ type }) => type === 'refManifestation')
      if (needed.some(({ key }) => !told.alive.has(key))) return undefined
      const { answer } = await sent(any(), 200, 'POST', `/entities/${id}/revert`, { version: last.version - 1 })
      const entity = parse(answer)
      assert.equal(entity.version, last.version + 1, answer.text)
      assert.deepEqual(entity.metadata, last.metadata, answer.text)
      const expected = last.relations
        .map(each => ({ ...each, key: told.mergedInto.get(each.key) ?? each.key }))
        .filter(({ key }) => told.alive.has(key))
      assert.deepEqual(new Set(keysOf(entity.relations)), new Set(keysOf(expected)), answer.text)
      return [told.wrote(entity)]
    },
    async purge() {
      const alive = told.ofTypes('venue', 'person', 'item').filter(() => chance.oneIn(4))
      const id = chance.pickOr([...alive, ...told.gone.keys()], '')
      if (id === '') return undefined
      await sent(any(), 204, 'DELETE', `/entities/${id}?purge=1&references=detach`)
      return [id, ...told.wasPurged(id)]
    }
  } satisfies Partial<Record<Kind, Act>>
}

const keysOf = (list: Told['relations']) => list.map(({ type, key }) => `${type} ${key}`)

/** Merges, and takes the newest merge back. */
function joiningActs({ chance }: Given, told: ToldRecords, any: () => SteadySender) {
  return {
    async merge() {
      const type = chance.pick(['venue', 'person'])
      const all = told.ofTypes(type)
      const [survivor, victim] = [chance.pickOr(all, ''), chance.pickOr(all, '')]
      if (survivor === victim) return undefined
      await sent(any(), 200, 'POST', `/entities/${survivor}/merge`, { victim_id: victim })
      return told.merged(survivor, victim)
    },
    async unmerge() {
      const merge = told.newestMerge()
      if (!merge) return undefined
      await sent(any(), 200, 'POST', `/entities/${merge.survivor}/unmerge`, { victim_id: merge.victim })
      const { asBefore, edited } = told.unmerged(merge)
      // Where in the list of an edited record the reference comes back is not promised.
      for (const id of edited) {
        const { answer } = await sent(any(), 200, 'GET', `/entities/${id}`)
        const before = told.told(id)
        const entity = parse(answer)
        assert.ok(entity.version >= before.version, answer.text)
        assert.deepEqual(entity.metadata, before.metadata, answer.text)
        told.wrote(entity)
      }
      return [...asBefore, ...edited]
    }
  } satisfies Partial<Record<Kind, Act>>
}

/** Items of books, and media files of productions. */
function partActs({ name, chance }: Given, told: ToldRecords, any: () => SteadySender) {
  let made = 0
  /** Files with bytes are counted in their production. */
  const count = (production: string, by: 1 | -1) =>
    told.changed(production, ({ metadata: before }) => {
      const now = Number(before.find(({ key }) => key === 'posters_files')?.value ?? 0) + by
      const others = before.filter(({ key }) => key !== 'posters_files')
      return { metadata: now === 0 ? others : [...others, { key: 'posters_files', value: now }] }
    })
  return {
    async 'add an item'() {
      const manifestation = chance.pickOr(told.ofTypes('manifestation_word'), '')
      if (manifestation === '') return undefined
      const item = {
        ...{ id: `${name}-item-${made++}`, type: 'item', metadata: metadata({ barcode: `${name}.${made}` }) },
        relations: relations({ refManifestation: manifestation })
      }
      const { answer } = await sent(any(), 201, 'POST', '/entities', item)
      return [told.wrote(parse(answer)), manifestation]
    },
    async 'add a media file'() {
      const production = chance.pickOr(told.ofTypes('production'), '')
      if (production === '') return undefined
      const draft = { metadata: metadata({ mediafile_type: 'posters', title: `${name}.${made}` }) }
      const { answer } = await sent(any(), 201, 'POST', `/entities/${production}/mediafiles`, draft)
      const { id } = parse(answer)
      const bytes = Buffer.from(`The poster ${made++} of ${name}`)
      const type = { 'content-type': 'application/octet-stream' }
      await sent(any(), 200, 'PUT', `/mediafiles/${id}/content`, bytes, type)
      const { answer: content } = await sent(any(), 200, 'GET', `/mediafiles/${id}/content`)
      assert.equal(content.text, String(bytes))
      const { answer: described } = await sent(any(), 200, 'GET', `/entities/${id}`)
      count(production, 1)
      return [told.wrote(parse(described)), production]
    },
    async 'delete a media file'() {
      const id = chance.pickOr(told.ofTypes('mediafile'), '')
      if (id === '') return undefined
      const productions = told.told(id).relations.map(({ key }) => key)
      await sent(any(), 204, 'DELETE', `/mediafiles/${id}`)
      told.deleted(id)
      for (const each of productions) count(each, -1)
      told.gone.delete(id)
      return productions
    }
  } satisfies Partial<Record<Kind, Act>>
}

interface Import {
  readonly id: string
  /** The records of its file, and those that were there before it, by their identifiers. */
  readonly after: ReadonlyMap<string, string>
  readonly before: ReadonlyMap<string, string>
}

/**
 * Imports files of MARC with items, imports changed files again, and undoes the newest import. No
 * other client has records with the same titles and names, so each is a work of its own.
 */
function importActs({ name, chance }: Given, any: () => SteadySender) {
  const done: Import[] = []
  let numbers = 0
  let words = 0
  const agency = `X${name}`
  const ended = async (id: string, state: string) => {
    let seen = ''
    await until(async () => {
      const answer = await any().send('GET', `/imports/${id}`)
      seen = answer.text
      return (
        answer.status === 200 && !['waiting', 'running', 'undoing'].includes(parse<{ state: string }>(answer).state)
      )
    }, 600_000)
    assert.equal((JSON.parse(seen) as { state: string }).state, state, seen)
  }
  const current = () => done.at(-1)?.after ?? new Map<string, string>()

  async function importFile(titles: ReadonlyMap<string, string>) {
    const shelf = Object.fromEntries(
      [...titles].map(([number, title]) => [
        number,
        `100 1# $aWriter${name}, Nr ${number}\n245 10 $a${title}\n264 #1 $aGent :$bDe Kade,$c1951.\n852 ## $aLIB$p${agency}${number}`
      ])
    )
    const path = `/imports?name=${name}.mrc&agency=${agency}`
    const { answer } = await sent(any(), 202, 'POST', path, marcFile(shelf), { 'content-type': 'application/marc' })
    const { id } = parse<{ id: string }>(answer)
    await ended(id, 'done')
    const before = current()
    done.push({ id, before, after: new Map([...before, ...titles]) })
    await lookAtImported(current())
    return []
  }

  async function lookAtImported(titles: ReadonlyMap<string, string>) {
    for (const [number, title] of titles) {
      const path = `/entities/wem/${encodeURIComponent(`(${agency})${number}`)}?items=1`
      const { answer } = await sent(any(), 200, 'GET', path)
      const { manifestation, items } = parse<Wem>(answer)
      assert.deepEqual([manifestation.metadata.title.value, items.length], [title, 1], answer.text)
    }
  }

  const acts = {
    async import() {
      const titles = Array.from({ length: 1 + chance.below(4) }, () => {
        const number = `n${numbers++}`
        return [number, `The road of ${name} nr ${number}`] as const
      })
      return importFile(new Map(titles))
    },
    async 'import again'() {
      const changed = [...current().keys()].filter(() => chance.oneIn(2))
      if (changed.length === 0) return undefined
      return importFile(new Map(changed.map(number => [number, `The road of ${name} nr ${number} again ${words++}`])))
    },
    async 'undo an import'() {
      const last = done.pop()
      if (!last) return undefined
      await sent(any(), 202, 'POST', `/imports/${last.id}/undo`)
      await ended(last.id, 'undone')
      await lookAtImported(last.before)
      for (const number of last.after.keys())
        if (!last.before.has(number))
          await sent(any(), 404, 'GET', `/entities/${encodeURIComponent(`(${agency})${number}`)}`)
      return []
    }
  } satisfies Partial<Record<Kind, Act>>
  const imported = () => new Map([...current()].map(([number, title]) => [`(${agency})${number}`, title] as const))
  return { acts, imported }
}

interface Wem {
  readonly manifestation: { readonly metadata: { readonly title: { readonly value: string } } }
  readonly items: readonly unknown[]
}

/** Sends a request that must be answered with this status. */
async function sent(
  sender: SteadySender,
  status: number,
  ...[method, path, body, headers]: Parameters<SteadySender['send']>
) {
  const answer = await sender.send(method, path, body, headers)
  assert.equal(answer.status, status, `${method} ${path} ${JSON.stringify(body)}: ${answer.text}`)
  return { answer }
}

/** Reads a record in one of the ways there are, and returns in what it is not as it was told. */
async function look(sender: SteadySender, told: ToldRecords, id: string, chance: Chance): Promise<string[]> {
  const into = told.mergedInto.get(id)
  const known = told.alive.get(into ?? id)
  const path = `/entities/${encodeURIComponent(id)}`
  const byPath = async () => {
    const answer = await sender.send('GET', path)
    return answer.status === 404 ? undefined : parse(answer)
  }
  const ways: readonly [typeof byPath, ...(typeof byPath)[]] = [
    byPath,
    async () =>
      parse<{ results: Entity[] }>(await sender.send('POST', '/entities/filter', [{ type: 'id', value: [into ?? id] }]))
        .results[0],
    async () => parse<Entity[]>(await sender.send('GET', `/entities?ids=${encodeURIComponent(into ?? id)}`))[0]
  ]
  const found = await chance.pick(ways)()
  return differences(id, found, known)
}

/** Returns in what a record is not as its client was told. */
export function differences(id: string, found: Told | undefined, known: Told | undefined): string[] {
  if (!known || !found)
    return found === known ? [] : [`${id} is ${JSON.stringify(found)}, it should be ${JSON.stringify(known)}`]
  const essence = ({ type, version, metadata: fields, relations: links }: Told) =>
    JSON.stringify([type, version, fields, links])
  return essence(found) === essence(known) ? [] : [`${id} is ${essence(found)}, it should be ${essence(known)}`]
}

async function lookShared(sender: SteadySender, { id, version, value }: Acknowledged): Promise<string[]> {
  const entity = parse(await sender.send('GET', `/entities/${id}`))
  const city = entity.metadata.find(({ key }) => key === 'city')?.value
  const isFresh = entity.version > version || (entity.version === version && city === value)
  return isFresh ? [] : [`${id} has version ${entity.version} and ${city}, it should have ${version} and ${value}`]
}
