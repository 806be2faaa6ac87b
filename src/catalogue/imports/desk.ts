import type { Entity, EntityContent } from '#domain/entity.ts'
import { contentOf } from '#domain/entity.ts'
import type { KeptAnswer, KeptMention, KeptRecord, KeptTarget } from '#domain/imports/kept.ts'
import type { EntityWrite, PaperWrite, Store } from '#store/store.ts'
import type { EntityUndo } from './write-entities.ts'

/** The kinds of paper that imports keep, and what is on them. */
export interface ImportPapers {
  /** By the name of the record. */
  readonly 'import record': KeptRecord
  /** `number\nrecord`: the records that have a control number and say no agency. */
  readonly 'import number': true
  /** By the id of the manifestation: the record as it came. */
  readonly 'import source': { readonly form: string; readonly base64: string }
  /** By the id of the manifestation: the name of the record. */
  readonly 'import origin': string
  /** By the id of an entity that people have changed and an import has written since. */
  readonly 'import edited': true
  /** By the id of an entity that an import deleted: how to find it again. */
  readonly 'import retired': { readonly uuid: string; readonly version: number }
  /** `job\nid`: an entity that the import made and that went over into another, with its names; they go when the import is taken back. */
  readonly 'import passed': readonly string[]
  /** By `record#place`. */
  readonly 'import mention': KeptMention
  /** `block key\nmention`. */
  readonly 'import key': true
  readonly 'import target': KeptTarget & { readonly exists: boolean }
  /** By `level one other`, the first by its letters first. */
  readonly 'import answer': KeptAnswer
  /** `mention\nlevel one other`, under each of the two. */
  readonly 'import answered': true
  /** `answers`: whether anybody ever answered a question. */
  readonly 'import flag': true
  /** `job\none\nlevel other`. */
  readonly 'import question': ListedQuestion
  /** `job\none\nlevel other`: a question that somebody has answered, so that they can see it again and think better of it. */
  readonly 'import settled': SettledQuestion
  /** `job\nnumber`. */
  readonly 'import undo': Undo
  /** `job\nid`: targets that something pointed to and perhaps nothing does any more; their keys. */
  readonly 'import loose': string
}

export interface ListedQuestion {
  readonly level: KeptAnswer['level']
  readonly one: string
  readonly other: string
  readonly reason: { readonly code: string; readonly shared?: string; readonly learnedFrom?: string }
  readonly confidence: number
  readonly areJoined: boolean
}

export interface SettledQuestion extends ListedQuestion {
  readonly verdict: KeptAnswer['verdict']
  readonly by: string
  readonly at: string
}

/** How things were before an import changed them. */
export type Undo =
  | {
      readonly of: 'record'
      readonly name: string
      readonly before: {
        readonly record: KeptRecord
        readonly mentions: readonly KeptMention[]
        readonly source: ImportPapers['import source']
      } | null
    }
  | { readonly of: 'mention'; readonly mention: string; readonly workId: string; readonly expressionId: string }
  | EntityUndo
  | {
      readonly of: 'target'
      readonly key: string
      readonly before: ImportPapers['import target']
      readonly after: ImportPapers['import target']
    }

export type PaperKind = keyof ImportPapers

/** An entity as an import looks at it. */
export interface StandingEntity {
  readonly content: EntityContent
  readonly version: number
  readonly createdBy: string
  readonly updatedBy: string
}

/**
 * What an import works on: everything in the store, with what it has laid down here on top. Nothing is written until it is handed in; a preview
 * never hands in, and goes on with what would be.
 */
export interface Desk {
  find<Kind extends PaperKind>(kind: Kind, keys: Iterable<string>): Promise<Map<string, ImportPapers[Kind]>>
  /** The keys that begin with one of these headings. */
  listKeys(kind: PaperKind, headings: readonly string[]): Promise<string[]>
  /** What stands behind the heading in each key. */
  listBehind(kind: PaperKind, headings: readonly string[]): Promise<string[]>
  put<Kind extends PaperKind>(kind: Kind, key: string, value: ImportPapers[Kind] | null): void
  findEntities(ids: Iterable<string>): Promise<Map<string, StandingEntity>>
  write(write: EntityWrite, type: string): void
  /** The writes laid down since the last time. */
  laidDown(): Pick<HandedIn, 'writes' | 'types'>
  /** Everything laid down since the last time, which from now on counts as written. */
  handIn(): HandedIn
  /** Forgets what was laid down since the last time: it was refused. */
  clear(): void
}

export interface HandedIn {
  readonly writes: readonly EntityWrite[]
  /** The type of the entity of each. */
  readonly types: readonly string[]
  readonly papers: readonly PaperWrite[]
}

/** Targets that every other record names (languages, publishers) are kept at hand. */
const mostAtHand = 20_000

export function createDesk(store: Store, { keeps = false }: { readonly keeps?: boolean } = {}): Desk {
  let papers = new Map<string, { readonly write: PaperWrite; readonly value: unknown }>()
  let writes: EntityWrite[] = []
  let writtenTypes: string[] = []
  /** Of a preview: what counts as written. */
  const kept = {
    papers: new Map<string, unknown>(),
    behind: new Map<string, Set<string>>(),
    entities: new Map<string, StandingEntity | null>()
  }
  const atHand = new Map<string, unknown>()
  const keepAtHand = (name: string, value: unknown) => {
    if (atHand.size >= mostAtHand) atHand.delete(atHand.keys().next().value ?? '')
    atHand.set(name, value)
  }
  const nameOf = (kind: string, key: string) => `${kind}\n${key}`

  const keepPaper = ({ kind, key }: PaperWrite, value: unknown) => {
    kept.papers.set(nameOf(kind, key), value)
    const cut = key.indexOf('\n')
    if (cut < 0) return
    const heading = nameOf(kind, key.slice(0, cut))
    const behind = kept.behind.get(heading) ?? new Set()
    if (value === null) behind.delete(key.slice(cut + 1))
    else behind.add(key.slice(cut + 1))
    kept.behind.set(heading, behind)
  }

  const keepWrite = (write: EntityWrite) => {
    if (write.kind === 'delete') kept.entities.set(write.id, null)
    else {
      const by = 'import:'
      const version = write.kind === 'insert' ? 1 : write.expectedVersion + 1
      kept.entities.set(write.content.id, { content: write.content, version, createdBy: by, updatedBy: by })
    }
  }

  const listKeys = async (kind: PaperKind, headings: readonly string[]) => {
    const listed = await store.listPaperKeys(kind, headings)
    const found = new Set<string>()
    for (const { write } of papers.values())
      if (write.kind === kind && write.value !== null)
        for (const heading of headings) if (write.key.startsWith(`${heading}\n`)) found.add(write.key)
    for (const key of listed) if (kept.papers.get(nameOf(kind, key)) !== null) found.add(key)
    if (kept.behind.size > 0)
      for (const heading of headings)
        for (const each of kept.behind.get(nameOf(kind, heading)) ?? []) found.add(`${heading}\n${each}`)
    return [...found]
  }

  return {
    async find(kind, keys) {
      const found = new Map<string, unknown>()
      const asked: string[] = []
      for (const key of keys) {
        const name = nameOf(kind, key)
        const known = papers.get(name)?.value ?? kept.papers.get(name) ?? atHand.get(name)
        if (papers.has(name) || kept.papers.has(name) || known !== undefined) {
          if (known !== null && known !== undefined) found.set(key, known)
        } else asked.push(key)
      }
      if (asked.length === 0) return found as Map<string, never>
      for (const [key, value] of await store.findPapers(kind, asked)) {
        const parsed: unknown = JSON.parse(value)
        found.set(key, parsed)
        if (kind === 'import target') keepAtHand(nameOf(kind, key), parsed)
      }
      return found as Map<string, never>
    },

    listKeys,

    async listBehind(kind, headings) {
      return (await listKeys(kind, headings)).map(key => key.slice(key.indexOf('\n') + 1))
    },

    put(kind, key, value) {
      const write: PaperWrite = { kind, key, value: value === null ? null : JSON.stringify(value) }
      papers.set(nameOf(kind, key), { write, value })
    },

    async findEntities(ids) {
      const found = new Map<string, StandingEntity>()
      const asked: string[] = []
      for (const id of ids) {
        const known = kept.entities.get(id)
        if (known) found.set(id, known)
        else if (known === undefined) asked.push(id)
      }
      for (const [id, { id: own, version, json }] of asked.length === 0 ? [] : await store.findEntities(asked)) {
        // What an id leads to after a merge is another entity.
        if (own !== id) continue
        const entity = JSON.parse(json) as Entity
        found.set(id, {
          content: contentOf(entity),
          version,
          createdBy: entity.audit.created.by,
          updatedBy: entity.audit.updated.by
        })
      }
      return found
    },

    write(write, type) {
      writes.push(write)
      writtenTypes.push(type)
    },

    laidDown: () => ({ writes, types: writtenTypes }),

    handIn() {
      const handed = { writes, types: writtenTypes, papers: [...papers.values()].map(each => each.write) }
      for (const { write, value } of papers.values()) {
        if (keeps) keepPaper(write, value)
        else if (write.kind === 'import target') {
          if (value === null) atHand.delete(nameOf(write.kind, write.key))
          else keepAtHand(nameOf(write.kind, write.key), value)
        }
      }
      if (keeps) for (const write of writes) keepWrite(write)
      papers = new Map()
      writes = []
      writtenTypes = []
      return handed
    },

    clear() {
      papers = new Map()
      writes = []
      writtenTypes = []
      atHand.clear()
    }
  }
}
