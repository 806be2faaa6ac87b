import { commitUnit, jobWrites, listJobs, listOpenJobs, listQuestionedJobs, listRemarks } from './state/import-state.ts'
import { acceptLikeCases, listLikeCases, type OfferedCase } from './like-cases.ts'
import { splitRecord, unsplitRecord } from './split.ts'
import { explainLinks, type Origin } from './explain-links.ts'
import { listPreview } from './preview.ts'
import {
  type Answered,
  answerReview,
  type GivenAnswer,
  listReview,
  refuseMany,
  type ReviewPage,
  type ReviewWanted
} from './review.ts'
import type { Parts } from '#catalogue/parts.ts'
import { CatalogueError } from '#domain/errors.ts'
import {
  type ImportJob,
  type ImportOptions,
  type ImportRemark,
  newImportJob,
  type PreviewLine,
  refuseUndo
} from '#domain/imports/job.ts'
import type { Authority, Principal } from '#domain/permissions.ts'
import { authorityWrite, findAuthorities, findAuthority, storeAuthority } from '#events/authority.ts'
import type { EditedSource, NewSourceOptions, SourceEdit, SourceEditOptions } from './edit-source.ts'
import { waitForImportLock } from './import-lock.ts'
import { ImportRunner, type RunnerSettings, readJob } from './import-runner.ts'
import { deleteUpload, storeUpload, TooLarge } from './state/uploads.ts'

export interface NewImport {
  readonly name: string
  readonly options: ImportOptions
  readonly isPreview: boolean
}

/**
 * Stores uploaded files, imports them one after the other, and reports their progress. Callers take
 * turns: each waits for at most one import of another caller before its own is run. Every method
 * throws `not_found` for an import that does not exist.
 */
export interface ImportQueue {
  /**
   * Stores a file and queues its import. Throws `invalid` when the file is too large or empty, and
   * `too_many_imports` when `maxOpenImports` of the caller wait; stores nothing then.
   */
  create(wanted: NewImport, bytes: AsyncIterable<Uint8Array>, by: Starter): Promise<ImportJob>
  read(id: string): Promise<ImportJob>
  /** Lists imports, the oldest first, after an id. */
  list(limit: number, after?: string): Promise<ImportJob[]>
  /** Lists the imports with open review questions. */
  listQuestioned(limit: number, after?: string): Promise<ImportJob[]>
  listRemarks(id: string, limit: number, after?: number): Promise<ImportRemark[]>
  listPreview(id: string, limit: number, after?: number): Promise<PreviewLine[]>
  listReview(id: string, wanted: ReviewWanted): Promise<ReviewPage>
  /** Throws `unavailable` while an import runs. */
  answer(id: string, answers: readonly GivenAnswer[], by: string): Promise<Answered>
  /** Queues the undo of an import. */
  undo(id: string, by: Starter): Promise<ImportJob>
  /** Stops an import where it is; its writes stay, and can be undone. */
  stop(id: string): Promise<ImportJob>
  /** Resumes an import that was stopped or failed. Throws `too_many_imports` as `create` does. */
  resume(id: string, by: Starter): Promise<ImportJob>
  /** Extends the time that an import may run to the expiry of a newer token of the same person. */
  renew(id: string, by: Starter): Promise<void>
  /**
   * Explains the origin of a manifestation, by any of its identifiers; undefined when it was not
   * imported.
   */
  explain(identifier: string): Promise<Origin | undefined>
  /**
   * Separates a manifestation from the other records of its work, or from one. Throws `unavailable`
   * while an import runs.
   */
  split(identifier: string, from: string | undefined, by: string): Promise<Answered>
  /** Withdraws the splits of a manifestation. Throws `unavailable` while an import runs. */
  unsplit(identifier: string): Promise<Answered>
  /** Lists cases like the decisions of people about a manifestation and its works. */
  likeCases(identifier: string): Promise<readonly OfferedCase[]>
  /** Accepts some of them. Throws `unavailable` while an import runs. */
  acceptLikeCases(identifier: string, cases: readonly string[], by: string): Promise<Answered>
  /**
   * Reads the source record of a manifestation or an authority as it is edited, as MARC-in-JSON.
   * Throws `not_found` for an entity that no record describes.
   */
  readSource(identifier: string): Promise<string>
  /**
   * Replaces the source record of a manifestation, by any of its identifiers. Throws `unavailable`
   * while an import runs.
   */
  editSource(identifier: string, edit: SourceEdit, options: SourceEditOptions): Promise<EditedSource>
  /**
   * Stores a new record as an import of it would. Throws `identifier_taken` for one that was stored
   * before, and `unavailable` while an import runs.
   */
  createFromSource(principal: Principal, edit: SourceEdit, options: NewSourceOptions): Promise<EditedSource>
  start(report: (error: unknown) => void): void
  close(): Promise<void>
}

/** The person or program that an import runs for. It ends when their rights end. */
export interface Starter extends Authority {
  readonly name: string
  /** Whether the import may delete records that its file says are deleted. */
  readonly deletesEverything?: boolean
}

export interface ImportSettings extends RunnerSettings {
  /** Maximum number of bytes of a file. */
  readonly sizeLimit: number
}

/** Maximum imports of one caller that are uploaded, wait or run. */
export const maxOpenImports = 50

const isActive = ({ state }: ImportJob) => state === 'waiting' || state === 'running'

/** Makes a function that queues imports, and throws `too_many_imports`. */
function createEntrance(store: Parts['store']) {
  /** The keys of the callers whose imports are being queued. */
  const entering: string[] = []
  return async (by: Starter, queueImport: () => Promise<ImportJob>): Promise<ImportJob> => {
    entering.push(by.key)
    try {
      const open = await findAuthorities(store, 'import', await listOpenJobs(store))
      const keys = [...[...open.values()].map(({ key }) => key), ...entering]
      if (keys.filter(key => key === by.key).length > maxOpenImports)
        throw new CatalogueError(
          'too_many_imports',
          `At most ${maxOpenImports} imports of a token may wait. Try again when one has ended, or stop one`
        )
      return await queueImport()
    } finally {
      entering.splice(entering.indexOf(by.key), 1)
    }
  }
}

export function createImportQueue(parts: Parts, settings: ImportSettings): ImportQueue {
  const { store, newUuid } = parts
  const runner = new ImportRunner(parts, settings)
  const read = (id: string) => readJob(store, id)
  const idOf = async (identifier: string) => (await store.identify([identifier])).get(identifier)?.id
  const write = async (job: ImportJob, by?: Starter): Promise<ImportJob> => {
    await commitUnit(parts, job, [], [...jobWrites(job), ...(by ? [authorityWrite('import', job.id, by)] : [])])
    runner.wake()
    return job
  }

  const enter = createEntrance(store)

  return {
    async create({ name, options, isPreview }, bytes, by) {
      const id = newUuid()
      const job = newImportJob({
        id,
        name,
        state: 'uploading',
        isPreview,
        options,
        by: by.name,
        mayDelete: by.deletesEverything === true,
        createdAt: new Date().toISOString()
      })
      try {
        return await enter(by, async () => {
          const size = await storeUpload(store, id, bytes, settings.sizeLimit)
          if (size === 0) throw new CatalogueError('invalid', 'The file is empty')
          return await write({ ...job, state: 'waiting', size }, by)
        })
      } catch (error) {
        await deleteUpload(store, id)
        if (error instanceof TooLarge) throw new CatalogueError('invalid', error.message)
        throw error
      }
    },
    read,
    list: (limit, after) => listJobs(store, limit, after),
    listQuestioned: (limit, after) => listQuestionedJobs(store, limit, after),
    async listRemarks(id, limit, after) {
      await read(id)
      return listRemarks(store, id, limit, after)
    },
    async listPreview(id, limit, after) {
      await read(id)
      return listPreview(store, id, limit, after)
    },
    async listReview(id, wanted) {
      await read(id)
      return listReview(store, id, wanted)
    },
    async answer(id, answers, by) {
      await read(id)
      refuseMany(answers)
      await using _lock = await waitForImportLock(store)
      return await answerReview(parts, id, answers, by)
    },
    async undo(id, by) {
      const job = await read(id)
      if (job.state === 'undoing') return job
      refuseUndo(job)
      return write({ ...job, state: 'undoing', endedAt: null, failure: null, attempts: 0 }, by)
    },
    async stop(id) {
      const job = await read(id)
      if (!isActive(job)) return job
      const isOurs = await runner.stopThreadOf(id)
      // Another process may be running it, or none since that process was killed.
      if (!isOurs && job.state === 'running') {
        await using _lock = await waitForImportLock(store)
      }
      const now = await read(id)
      return isActive(now) ? write({ ...now, state: 'stopped', endedAt: new Date().toISOString() }) : now
    },
    async resume(id, by) {
      const job = await read(id)
      if (!['stopped', 'failed'].includes(job.state)) return job
      const mayDelete = by.deletesEverything === true
      const resumed = { ...job, mayDelete, state: 'waiting', endedAt: null, failure: null, attempts: 0 } as const
      return enter(by, () => write(resumed, by))
    },
    async renew(id, by) {
      const known = await findAuthority(store, 'import', id)
      if (by.until !== null && known?.key === by.key && known.until !== null && known.until < by.until)
        await storeAuthority(store, 'import', id, by)
    },
    async explain(identifier) {
      const id = await idOf(identifier)
      return id === undefined ? undefined : explainLinks(parts, id)
    },
    async split(identifier, from, by) {
      await using _lock = await waitForImportLock(store)
      const other = from === undefined ? undefined : ((await idOf(from)) ?? from)
      return await splitRecord(parts, (await idOf(identifier)) ?? identifier, other, by)
    },
    async unsplit(identifier) {
      await using _lock = await waitForImportLock(store)
      return await unsplitRecord(parts, (await idOf(identifier)) ?? identifier)
    },
    likeCases: async identifier => listLikeCases(parts, (await idOf(identifier)) ?? identifier),
    async acceptLikeCases(identifier, cases, by) {
      await using _lock = await waitForImportLock(store)
      return await acceptLikeCases(parts, (await idOf(identifier)) ?? identifier, cases, by)
    },
    ...sourceOperations(parts, idOf),
    start: report => runner.start(report),
    close: () => runner.close()
  }
}

/** Reads and writes source records as people edit them. Its code is loaded on first use. */
function sourceOperations(
  parts: Parts,
  idOf: (identifier: string) => Promise<string | undefined>
): Pick<ImportQueue, 'readSource' | 'editSource' | 'createFromSource'> {
  // A dry run writes nothing, and reads the catalogue as it is while an import runs.
  const lockFor = async ({ dryRun }: { readonly dryRun: boolean }) =>
    dryRun ? undefined : await waitForImportLock(parts.store)
  return {
    async readSource(identifier) {
      const { readSource } = await import('./edit-source.ts')
      return await readSource(parts, (await idOf(identifier)) ?? identifier)
    },
    async editSource(identifier, edit, options) {
      const { editSource } = await import('./edit-source.ts')
      await using _lock = await lockFor(options)
      return await editSource(parts, (await idOf(identifier)) ?? identifier, edit, options)
    },
    async createFromSource(principal, edit, options) {
      const { createFromSource } = await import('./edit-source.ts')
      await using _lock = await lockFor(options)
      return await createFromSource(parts, principal, edit, options)
    }
  }
}
