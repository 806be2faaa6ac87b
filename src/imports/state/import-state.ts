import type { MetadataEntry, Relation } from '#domain/entity/entity.ts'
import type {
  StoredAnswer,
  StoredHoldings,
  StoredMention,
  StoredRecord,
  StoredAuthority,
  ListedQuestion,
  SettledQuestion,
  UnplacedMention
} from '#domain/imports/stored.ts'
import { type ImportJob, type ImportRemark, openStates, type PreviewLine } from '#domain/imports/job.ts'
import type { StateWrite } from '#store/ports/state.ts'
import type { Store } from '#store/store.ts'
import { CatalogueError } from '#domain/errors.ts'
import type { EntityWrite } from '#store/ports/entities.ts'

/*
 * The state of imports: values under a kind and a key, in one table of the store. Only this file
 * knows the spelling of kinds and keys; other files name a kind and make keys with `keys`.
 */

/** The kinds of state, and the type of the values under each. */
export interface ImportState {
  /** By id. */
  readonly job: ImportJob
  /** By id: jobs that wait to be run. */
  readonly 'open job': true
  readonly remark: ImportRemark
  readonly preview: PreviewLine
  /** A piece of an uploaded file, in base64. */
  readonly upload: string
  /** Lines of a file that wait for entities that they refer to. */
  readonly waiting: EntityLine
  /** Media files of the import whose bytes are not stored, until its end. */
  readonly 'missing content': MissingContent
  /** Records that a mapping made of rows, by what identifies them in their file. */
  readonly row: RowState
  /** By the name of the record. */
  readonly record: StoredRecord
  /** Holdings records, by name. */
  readonly holdings: StoredHoldings
  /** The names of holdings records with their source, by the id of the manifestation. */
  readonly 'holdings of': true
  /** Records with a control number and without an agency, by number. */
  readonly number: true
  /** By the id of the manifestation: the source record, byte for byte. */
  readonly source: { readonly form: string; readonly base64: string }
  /** By the id of the manifestation: the name of the record. */
  readonly origin: string
  /**
   * By the id of an entity that people have changed and an import has written since. One that took
   * the place of an entity of another type, or came from another catalogue, has the names of the
   * fields that were edited there.
   */
  readonly edited: true | readonly string[]
  /** By the id of an entity that an import deleted: where its last version is. */
  readonly deleted: { readonly uuid: string; readonly version: number }
  /**
   * The identifiers of an entity that the import created and merged into another; an undo removes
   * them.
   */
  readonly merged: readonly string[]
  /** By `record#place`. */
  readonly mention: StoredMention
  /** Mentions by the key of a block that they are in. */
  readonly 'block key': true
  /** Names of records by the keys that links find them by. */
  readonly 'link name': true
  /** Names of records by the keys of their links. */
  readonly link: true
  readonly target: StoredAuthority & { readonly exists: boolean }
  /** By the id of an entity that authority records describe: the key of its authority. */
  readonly 'authority key': string
  /** By the name of an authority record: the key of its authority. */
  readonly 'authority record': string
  readonly answer: StoredAnswer
  /** Answers by each of their two mentions. */
  readonly answered: true
  /**
   * `answers`: whether any question was ever answered. `links`: whether any record ever named
   * another one.
   */
  readonly flag: true
  readonly question: ListedQuestion
  /** An answered question, so that people can see it again and change the answer. */
  readonly settled: SettledQuestion
  readonly undo: Undo
  /** Keys of authorities that may not be referred to any more. */
  readonly orphan: string
}

export type StateKind = keyof ImportState

/** An entity of our own, on a line of a file. */
export interface EntityLine {
  readonly position: { readonly number: number; readonly offset: number; readonly length: number }
  readonly entity: Readonly<Record<string, unknown>>
}

/** A media file whose bytes are not stored, and the line that it is on. */
export interface MissingContent {
  readonly id: string
  readonly sha256: string
  readonly offset: number
}

/** A record that a mapping made of rows: the values that the last import had for it. */
export interface RowState {
  readonly id: string
  /** The last import that had it. */
  readonly job: string
  readonly metadata: readonly MetadataEntry[]
  readonly relations: readonly Relation[]
  /** Whether several rows of the file describe it. */
  readonly isShared?: boolean
}

/** The state of an entity before an import wrote it. */
export interface EntityUndo {
  readonly of: 'entity'
  readonly id: string
  /** Null when it did not exist. */
  readonly version: number | null
}

/** The state of something before an import changed it. */
export type Undo =
  | {
      readonly of: 'record'
      readonly name: string
      readonly before: {
        readonly record: StoredRecord
        readonly mentions: readonly (
          | StoredMention
          | (UnplacedMention & Pick<StoredMention, 'workId' | 'expressionId'>)
        )[]
        readonly source: ImportState['source']
      } | null
    }
  | MentionUndo
  | EntityUndo
  | { readonly of: 'row'; readonly key: string; readonly before: RowState | null }
  | StateUndo
  | { readonly of: 'holdings'; readonly name: string; readonly before: StoredHoldings | null }
  | {
      readonly of: 'target'
      readonly key: string
      readonly before: ImportState['target']
      readonly after: ImportState['target']
    }

/**
 * Values of the state before a line with a source replaced them. They are put back unless the value
 * that the guard names was changed since.
 */
export interface StateUndo {
  readonly of: 'state'
  readonly guard: { readonly kind: StateKind; readonly key: string; readonly digest: string }
  readonly before: readonly { readonly kind: StateKind; readonly key: string; readonly value: unknown }[]
}

/** The work and expression of a mention before it was moved. */
export interface MentionUndo {
  readonly of: 'mention'
  readonly mention: string
  readonly workId: string
  readonly expressionId: string
}

/** The stored names of kinds; existing catalogues contain them, so they stay. */
const stored: Readonly<Record<StateKind, string>> = {
  job: 'import job',
  'open job': 'import job',
  remark: 'import remark',
  preview: 'import preview',
  upload: 'import upload',
  waiting: 'import waiting',
  'missing content': 'import missing content',
  row: 'import row',
  record: 'import record',
  holdings: 'import holdings',
  'holdings of': 'import holdings of',
  number: 'import number',
  source: 'import source',
  origin: 'import origin',
  edited: 'import edited',
  deleted: 'import retired',
  merged: 'import passed',
  mention: 'import mention',
  'block key': 'import key',
  'link name': 'import link name',
  link: 'import link',
  target: 'import target',
  'authority key': 'import authority key',
  'authority record': 'import authority record',
  answer: 'import answer',
  answered: 'import answered',
  flag: 'import flag',
  question: 'import question',
  settled: 'import settled',
  undo: 'import undo',
  orphan: 'import loose'
}

export const stateKinds = Object.keys(stored) as readonly StateKind[]

/** The stored name of a kind. */
export const storedKind = (kind: StateKind) => stored[kind]

/** Kinds whose values are stored as they are. */
export const isPlain = (kind: StateKind) => kind === 'upload' || kind === 'open job'

const separator = '\n'
const under = (prefix: string, rest: string) => `${prefix}${separator}${rest}`
const digits = (count: number) => (value: number) => String(value).padStart(count, '0')
const [eight, nine, ten] = [digits(8), digits(9), digits(10)]

/**
 * Makes the keys of values that are found by more than one part. The first part is the prefix that
 * they are listed by.
 */
export const keys = {
  /** Jobs of edits are not listed among the imports. */
  job: (id: string) => under(isEditJob(id) ? 'edits' : 'all', id),
  openJob: (id: string) => under('open', id),
  remark: (job: string, number: number) => under(job, ten(number)),
  preview: (job: string, number: number) => under(job, ten(number)),
  upload: (job: string, piece: number) => under(job, eight(piece)),
  waiting: (job: string, number: number) => under(job, ten(number)),
  missingContent: (job: string, number: number) => under(job, ten(number)),
  undo: (job: string, number: number) => under(job, nine(number)),
  /** A mention that was moved after the import; comes after the notes of the import itself. */
  moved: (job: string, mention: string) => under(job, `moved ${mention}`),
  holdingsOf: (manifestationId: string, name: string) => under(manifestationId, name),
  number: (number: string, record: string) => under(prefixOfNumber(number), record),
  blockKey: (key: string, mention: string) => under(key, mention),
  link: (key: string, record: string) => under(key, record),
  answer: ({ level, one, other }: Pick<StoredAnswer, 'level' | 'one' | 'other'>) => `${level} ${one} ${other}`,
  answered: (mention: string, answer: string) => under(mention, answer),
  question: (job: string, rest: string) => under(job, rest),
  /** The part of a question's key after the job, from which its public id is made. */
  questionRest: (one: string, level: string, other: string) => under(one, `${level} ${other}`),
  orphan: (job: string, id: string) => under(job, id),
  merged: (job: string, id: string) => under(job, id)
} as const

/** The beginning of the ids of jobs that are edits of a source record. */
const editJob = 'edit-'
export const newEditJob = (uuid: string) => `${editJob}${uuid}`
/** Whether a job is an edit of a source record by a person. */
export const isEditJob = (id: string) => id.startsWith(editJob)

export const prefixOfNumber = (number: string) => number.replaceAll(separator, ' ')

/** A key without its prefix. */
export const restOf = (key: string) => key.slice(key.indexOf(separator) + 1)
/** The prefix of a key. */
export const prefixOf = (key: string) => key.slice(0, key.indexOf(separator))

/** A value to write, or null to remove it; written in one transaction with entities. */
export type { StateWrite }

export const stateWrite = <Kind extends StateKind>(
  kind: Kind,
  key: string,
  value: ImportState[Kind] | null
): StateWrite => ({
  kind: stored[kind],
  key,
  value: value === null ? null : isPlain(kind) ? (value === true ? '' : String(value)) : JSON.stringify(value)
})

const parse = <Kind extends StateKind>(kind: Kind, text: string): ImportState[Kind] =>
  (isPlain(kind) ? (kind === 'upload' ? text : true) : JSON.parse(text)) as ImportState[Kind]

export async function findState<Kind extends StateKind>(
  store: Store,
  kind: Kind,
  wanted: readonly string[]
): Promise<Map<string, ImportState[Kind]>> {
  const found = new Map<string, ImportState[Kind]>()
  if (wanted.length === 0) return found
  for (const [key, text] of await store.findState(stored[kind], wanted)) found.set(key, parse(kind, text))
  return found
}

/** The keys under any of these prefixes. */
export const listStateKeys = async (store: Store, kind: StateKind, prefixes: readonly string[]) =>
  store.listStateKeys(stored[kind], prefixes)

/** Reads all values of a kind, page by page. */
export async function* walkState<Kind extends StateKind>(store: Store, kind: Kind, limit: number) {
  for (let after: string | undefined; ; ) {
    const page = await store.readState(stored[kind], { limit, ...(after === undefined ? {} : { after }) })
    if (page.length > 0) yield page.map(({ key, value }) => ({ key, value: parse(kind, value) }))
    if (page.length < limit) return
    after = page.at(-1)?.key
  }
}

/** Reads values under a prefix in the order of their keys, after a key if one is given. */
export async function readState<Kind extends StateKind>(
  store: Store,
  kind: Kind,
  prefix: string,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined }
): Promise<{ readonly key: string; readonly value: ImportState[Kind] }[]> {
  const range = { prefix, limit, ...(after === undefined ? {} : { after }) }
  const page = await store.readState(stored[kind], range)
  return page.map(({ key, value }) => ({ key, value: parse(kind, value) }))
}

// Jobs. Ids rise with time, so the order of keys is the order of creation.

export function jobWrites(job: ImportJob): StateWrite[] {
  // The service cannot resume the import of a file that a command reads; it can undo the import.
  const isOpen = openStates.includes(job.state) && (job.origin === undefined || job.state === 'undoing')
  return [stateWrite('job', keys.job(job.id), job), stateWrite('open job', keys.openJob(job.id), isOpen ? true : null)]
}

export const findJob = async (store: Store, id: string): Promise<ImportJob | undefined> =>
  (await findState(store, 'job', [keys.job(id)])).get(keys.job(id))

/** Lists jobs, the oldest first, after an id if one is given. */
export const listJobs = async (store: Store, limit: number, after?: string): Promise<ImportJob[]> =>
  (await readState(store, 'job', 'all', { limit, after: after === undefined ? undefined : keys.job(after) })).map(
    each => each.value
  )

/**
 * Lists imports, and edits of records in MARC, with open review questions, after an id if one is
 * given. That is a read for each that has some, however many questions and imports there are.
 */
export async function listQuestionedJobs(store: Store, limit: number, after?: string): Promise<ImportJob[]> {
  const ids: string[] = []
  for (let last = after; ids.length < limit; last = ids.at(-1)) {
    const range = { limit: 1, ...(last === undefined ? {} : { after: under(last, lastCharacter) }) }
    const [next] = await store.readState(stored.question, range)
    if (!next) break
    ids.push(prefixOf(next.key))
  }
  const wanted = ids.map(keys.job)
  const jobs = await findState(store, 'job', wanted)
  return wanted.flatMap(key => jobs.get(key) ?? [])
}

/** It sorts after every character that keys begin with. */
const lastCharacter = '\u{10FFFF}'

/** The ids of imports that wait to be run or resumed. */
export const listOpenJobs = async (store: Store): Promise<string[]> =>
  (await readState(store, 'open job', 'open', { limit: 1000 })).map(({ key }) => restOf(key))

/** Lists remarks in the order of the file, after a number. */
export const listRemarks = async (store: Store, job: string, limit: number, after = 0): Promise<ImportRemark[]> =>
  (await readState(store, 'remark', job, { limit, after: keys.remark(job, after) })).map(each => each.value)

/** Maximum number of attempts to write after concurrent changes. */
export const maxTries = 8

/** Tests whether an error comes from a concurrent change, so that another attempt may succeed. */
export const isConcurrency = (error: unknown) =>
  error instanceof CatalogueError &&
  ['version_mismatch', 'identifier_taken', 'still_referenced', 'invalid'].includes(error.code)

/** Writes entities and import state in one transaction, under the name of the import. */
export async function commitUnit(
  { store }: { readonly store: Store },
  job: { readonly id: string },
  writes: readonly EntityWrite[],
  state: readonly StateWrite[]
): Promise<void> {
  await store.write({ writes, by: `import:${job.id}`, state, isSilent: true })
}
