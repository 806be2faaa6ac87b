import { randomUUIDv7 } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'

import { listJobs, listRemarks } from '#catalogue/imports/jobs.ts'
import { listReview } from '#catalogue/imports/review.ts'
import { runImport } from '#catalogue/imports/run-import.ts'
import type { Parts } from '#catalogue/parts.ts'
import { type ImportJob, type ImportOptions, newImportJob } from '#domain/imports/job.ts'
import { readItems } from '#imports/import-items.ts'
import { takeImportTurn } from '#imports/import-turn.ts'
import type { Store } from '#store/store.ts'

export interface FileImport {
  readonly file: string
  readonly options: ImportOptions
  readonly isPreview: boolean
  readonly batchSize?: number
}

/**
 * Imports a file, or goes on with an import of it that was cut off: the same file (by place, size and time) with the same options goes on where it
 * was. Waits while another import runs.
 */
export async function importFile(
  parts: Parts,
  { file, options, isPreview, batchSize }: FileImport,
  onProgress: (job: ImportJob) => void
): Promise<ImportJob> {
  const { store } = parts
  await using _turn = await waitForTurn(store)
  const { size, mtimeMs } = statSync(file)
  const name = basename(file)
  const origin = `${resolve(file)} ${size} ${mtimeMs}`
  const begun = isPreview ? undefined : await findBegun(store, origin, options)
  const job =
    begun ??
    newImportJob({
      id: randomUUIDv7(),
      name,
      state: 'running',
      isPreview,
      options,
      by: 'operator',
      createdAt: new Date().toISOString(),
      size,
      origin
    })
  return runImport(parts, job, readItems(createReadStream(file, { highWaterMark: 1 << 18 }), options), {
    onProgress,
    ...(batchSize === undefined ? {} : { batchSize })
  })
}

async function waitForTurn(store: Store) {
  for (let told = false; ; told = true) {
    const turn = await takeImportTurn(store)
    if (turn) return turn
    if (!told) console.error('Another import is running; waiting for it.')
    await new Promise(done => setTimeout(done, 1000))
  }
}

/** An import of the same file that was cut off. Imports of files are never open to the service: it does not have the file. */
async function findBegun(store: Store, origin: string, options: ImportOptions): Promise<ImportJob | undefined> {
  for (let after: string | undefined; ; ) {
    const page = await listJobs(store, 1000, after)
    const found = page.find(
      job => job.origin === origin && job.state === 'running' && JSON.stringify(job.options) === JSON.stringify(options)
    )
    if (found || page.length < 1000) return found
    after = page.at(-1)?.id
  }
}

/** What people like to read at the end. */
export async function summaryOf(store: Store, job: ImportJob): Promise<string> {
  const { counts, entities, worked, handled, isPreview } = job
  const seconds = worked / 1000
  const sum = (what: 'created' | 'updated' | 'deleted', prefix: string) =>
    Object.entries(entities)
      .filter(([type]) => type === prefix || type.startsWith(`${prefix}_`))
      .reduce((total, [, each]) => total + each[what], 0)
  const others = Object.entries(entities)
    .filter(([type, { created }]) => created > 0 && !/^(work|expression|manifestation)_/.test(type))
    .sort(([, one], [, other]) => other.created - one.created)
    .map(([type, { created }]) => `${number(created)} ${type.replaceAll('_', ' ')}`)
  const { questions, next } = await listReview(store, job.id, { limit: 1000 })
  const remarks = await listRemarks(store, job.id, 5)
  const line = (label: string, text: string) => `  ${label.padEnd(14)}${text}`
  const lines = [
    `${isPreview ? 'Nothing was written. It would be:' : `${job.name}: ${job.state}`} (${number(handled)} in the file, ${seconds.toFixed(1)} s, ${number(Math.round(handled / Math.max(seconds, 0.001)))} a second)`,
    '',
    line(
      'Records',
      [
        `${number(counts.created)} new`,
        `${number(counts.updated)} changed`,
        `${number(counts.unchanged)} as they were`,
        ...(counts.deleted > 0 ? [`${number(counts.deleted)} deleted`] : []),
        ...(counts.kept > 0 ? [`${number(counts.kept)} kept that should have gone`] : []),
        ...(counts.unreadable > 0 ? [`${number(counts.unreadable)} unreadable`] : [])
      ].join(', ')
    ),
    line('Works', `${number(sum('created', 'work'))} new, ${number(counts.joinedWorks)} found among those there are`),
    line('Expressions', `${number(sum('created', 'expression'))} new`),
    ...(others.length > 0 ? [line('Around them', others.join(', '))] : []),
    ...(questions.length > 0
      ? [
          line(
            'To review',
            `${number(questions.length)}${next === undefined ? '' : ' and more'} (GET /imports/${job.id}/review)`
          )
        ]
      : []),
    ...collisionLines(job).map(([label, text]) => line(label, text)),
    ...(remarks.length > 0
      ? [line('Remarks', `${number(job.remarks)} (GET /imports/${job.id}/remarks), the first:`)]
      : []),
    ...remarks.map(
      each =>
        `    record ${each.number}${each.controlNumber ? ` (${each.controlNumber})` : ''}: ${each.remarks.join('; ')}`
    ),
    ...(isPreview ? [] : ['', line('Take it back', `npx libretto undo ${job.id}`)])
  ]
  return lines.join('\n')
}

/** Asks for the agency where numbers of the file are those of other records, and names the first of them. */
function collisionLines({ collisions }: ImportJob): [label: string, text: string][] {
  if (collisions === undefined) return []
  const { count, first } = collisions
  return [
    ['Same numbers', `${number(count)} records have the number of another record; nothing was replaced.`],
    ['', 'Whose numbers are these? Import the file with --agency <code>, the first time for both files.'],
    ...first.map((each): [string, string] => ['', `${each.controlNumber}: “${each.title}”, also “${each.otherTitle}”`])
  ]
}

const number = (value: number) => value.toLocaleString('en')
