import { type ImportJob, kindsOf } from '#domain/imports/job.ts'

/** An import as the interface shows it. */
export function importJson(job: ImportJob) {
  const { counts, worked, handled, size, bytes } = job
  const rate = worked > 0 ? (handled / worked) * 1000 : null
  const isUnderWay = job.state === 'running' && size !== null && bytes > 0
  return {
    id: job.id,
    name: job.name,
    state: job.state,
    is_preview: job.isPreview,
    created_by: job.by,
    created_at: job.createdAt,
    started_at: job.startedAt,
    ended_at: job.endedAt,
    size,
    bytes,
    records: handled,
    records_per_second: rate === null ? null : Math.round(rate * 10) / 10,
    seconds_left: isUnderWay ? Math.ceil((worked / bytes) * ((size ?? 0) - bytes) * 0.001) : null,
    counts: {
      created: counts.created,
      updated: counts.updated,
      unchanged: counts.unchanged,
      deleted: counts.deleted,
      kept: counts.kept,
      unreadable: counts.unreadable,
      joined_works: counts.joinedWorks,
      sources: counts.sources ?? 0,
      versions: counts.versions ?? 0,
      contents: counts.contents ?? 0,
      missing_contents: counts.missingContents ?? 0
    },
    entities: job.entities,
    remarks: job.remarks,
    failure: job.failure,
    retained: job.retained ?? [],
    collisions: {
      count: job.collisions?.count ?? 0,
      first: (job.collisions?.first ?? []).map(each => ({
        number: each.number,
        control_number: each.controlNumber,
        title: each.title,
        other_title: each.otherTitle,
        other_import: each.otherImport
      }))
    },
    not_mapped: {
      kinds: kindsOf(job),
      others: job.notMapped?.others ?? 0
    }
  }
}
