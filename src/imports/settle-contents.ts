import { attachContent } from '#catalogue/media/attach-content.ts'
import type { Parts } from '#catalogue/parts.ts'
import { CatalogueError } from '#domain/errors.ts'
import type { ImportJob, ImportRemark } from '#domain/imports/job.ts'
import { commitUnit } from './commit.ts'
import { findState, jobWrites, keys, readState, restOf, stateWrite } from './state/import-state.ts'
import { maxRemarks } from './summarise-batch.ts'
import { writerOf } from './place/entities.ts'

/** Media files that are looked at together. */
const pageSize = 200

/**
 * Looks at the end of an import for the bytes that were missing when their records were written:
 * the file itself may have brought them. The records get the facts of bytes that are there; of the
 * others there is a remark. Returns the job with their number.
 */
export async function settleContents(parts: Parts, given: ImportJob): Promise<ImportJob> {
  let job = given
  for (;;) {
    const page = await readState(parts.store, 'missing content', job.id, { limit: pageSize })
    if (page.length === 0) return job
    const missing: ImportRemark[] = []
    for (const { key, value } of page) {
      const facts = await parts.contents.describe(value.sha256)
      if (facts === undefined) missing.push(remarkOn(Number(restOf(key)), value))
      else await attach(parts, job, value.id, facts)
    }
    const remarks = await joinKnown(parts, job, missing)
    job = {
      ...job,
      remarks: job.remarks + remarks.filter(each => each.isNew).length,
      counts: { ...job.counts, missingContents: (job.counts.missingContents ?? 0) + missing.length }
    }
    await commitUnit(
      parts,
      job,
      [],
      [
        ...page.map(({ key }) => stateWrite('missing content', key, null)),
        ...remarks.slice(0, Math.max(0, maxRemarks - given.remarks)).map(each => each.write),
        ...jobWrites(job)
      ]
    )
  }
}

const remarkOn = (
  number: number,
  { id, sha256, offset }: { id: string; sha256: string; offset: number }
): ImportRemark => ({
  number,
  offset,
  outcome: 'noticed',
  remarks: [
    `The bytes of the media file "${id}" (sha256 ${sha256}) are not stored here: upload them, or import an export that includes the media`
  ]
})

/** Adds remarks to those on the same lines. */
async function joinKnown({ store }: Parts, { id: job }: ImportJob, remarks: readonly ImportRemark[]) {
  const known = await findState(
    store,
    'remark',
    remarks.map(each => keys.remark(job, each.number))
  )
  return remarks.map(each => {
    const key = keys.remark(job, each.number)
    const before = known.get(key)
    const joined = before === undefined ? each : { ...before, remarks: [...before.remarks, ...each.remarks] }
    return { isNew: before === undefined, write: stateWrite('remark', key, joined) }
  })
}

/** Writes the facts about bytes, which may differ from those that the file states. */
async function attach(parts: Parts, job: ImportJob, id: string, facts: Parameters<typeof attachContent>[3]) {
  try {
    await attachContent(parts, writerOf(parts, job), id, facts)
  } catch (error) {
    // Somebody deleted the record, or made it invalid, meanwhile.
    if (!(error instanceof CatalogueError) || error.code === 'unavailable') throw error
  }
}
