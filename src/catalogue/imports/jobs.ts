import { type ImportJob, type ImportRemark, openStates } from '#domain/imports/job.ts'
import type { PaperWrite, Store } from '#store/store.ts'

/*
 * Where imports are written down: each under `all`, and those that somebody has to do something about under `open` too. Ids rise with time, so the
 * order of the keys is that in which they were made.
 */

const kind = 'import job'

export function jobPapers(job: ImportJob): PaperWrite[] {
  // What a command reads from a file is not for the service to go on with; taking it back is.
  const isOpen = openStates.includes(job.state) && (job.origin === undefined || job.state === 'undoing')
  return [
    { kind, key: `all\n${job.id}`, value: JSON.stringify(job) },
    { kind, key: `open\n${job.id}`, value: isOpen ? '' : null }
  ]
}

export async function findJob(store: Store, id: string): Promise<ImportJob | undefined> {
  const key = `all\n${id}`
  const found = (await store.findPapers(kind, [key])).get(key)
  return found === undefined ? undefined : (JSON.parse(found) as ImportJob)
}

/** The oldest first; those after an id, where one is given. */
export async function listJobs(store: Store, limit: number, after?: string): Promise<ImportJob[]> {
  const range = { heading: 'all', limit, ...(after === undefined ? {} : { after: `all\n${after}` }) }
  return (await store.readPapers(kind, range)).map(({ value }) => JSON.parse(value) as ImportJob)
}

/** The ids of imports that wait for somebody to run them, or to go on. */
export async function listOpenJobs(store: Store): Promise<string[]> {
  return (await store.readPapers(kind, { heading: 'open', limit: 1000 })).map(({ key }) => key.slice('open\n'.length))
}

export const remarkKind = 'import remark'

export const remarkPaper = (job: string, remark: ImportRemark): PaperWrite => ({
  kind: remarkKind,
  key: `${job}\n${String(remark.number).padStart(10, '0')}`,
  value: JSON.stringify(remark)
})

/** In the order of the file; those after a number. */
export async function listRemarks(store: Store, job: string, limit: number, after = 0): Promise<ImportRemark[]> {
  const range = { heading: job, after: `${job}\n${String(after).padStart(10, '0')}`, limit }
  return (await store.readPapers(remarkKind, range)).map(({ value }) => JSON.parse(value) as ImportRemark)
}
