import { type ImportJob, kindsOf } from '#domain/imports/job.ts'
import type { ImportedFile } from '#imports/import-file.ts'

/** The summary of an import of records. */
export function summaryOf({ job, remarks: all, questions }: ImportedFile): string {
  const { counts, entities, worked, handled, isPreview } = job
  const seconds = worked / 1000
  const sum = (outcome: 'created' | 'updated' | 'deleted', prefix: string) =>
    Object.entries(entities)
      .filter(([type]) => type === prefix || type.startsWith(`${prefix}_`))
      .reduce((total, [, each]) => total + each[outcome], 0)
  const others = Object.entries(entities)
    .filter(([type, { created }]) => created > 0 && !/^(work|expression|manifestation)_/.test(type))
    .sort(([, one], [, other]) => other.created - one.created)
    .map(([type, { created }]) => `${number(created)} ${type.replaceAll('_', ' ')}`)
  const remarks = all.slice(0, 5)
  const line = (label: string, text: string) => `  ${label.padEnd(14)}${text}`
  const lines = [
    `${isPreview ? 'Nothing was written. The outcome would be:' : `${job.name}: ${job.state}`} (${number(handled)} in the file, ${seconds.toFixed(1)} s, ${number(Math.round(handled / Math.max(seconds, 0.001)))} a second)`,
    '',
    line(
      'Records',
      [
        `${number(counts.created)} new`,
        `${number(counts.updated)} changed`,
        `${number(counts.unchanged)} unchanged`,
        ...(counts.deleted > 0 ? [`${number(counts.deleted)} deleted`] : []),
        ...(counts.kept > 0 ? [`${number(counts.kept)} not deleted`] : []),
        ...(counts.unreadable > 0 ? [`${number(counts.unreadable)} unreadable`] : [])
      ].join(', ')
    ),
    line('Works', `${number(sum('created', 'work'))} new, ${number(counts.joinedWorks)} existing`),
    line('Expressions', `${number(sum('created', 'expression'))} new`),
    ...(others.length > 0 ? [line('Related', others.join(', '))] : []),
    ...(questions.count > 0
      ? [
          line(
            'To review',
            `${number(questions.count)}${questions.areMore ? ' and more' : ''} (GET /imports/${job.id}/review)`
          )
        ]
      : []),
    ...collisionLines(job).map(([label, text]) => line(label, text)),
    ...notMappedLines(job).map(text => line('Not mapped', text)),
    ...(remarks.length > 0
      ? [line('Remarks', `${number(job.remarks)} (GET /imports/${job.id}/remarks), the first:`)]
      : []),
    ...remarks.map(
      each =>
        `    record ${each.number}${each.controlNumber ? ` (${each.controlNumber})` : ''}: ${each.remarks.join('; ')}`
    ),
    ...(isPreview ? [] : ['', line('Undo', `npx libretto undo ${job.id}`)])
  ]
  return lines.join('\n')
}

/** Number of rows of a preview that are shown. */
const maxShownRows = 5

/** The summary of an import of rows by a mapping. */
export function rowsSummaryOf({ job, remarks, preview }: ImportedFile): string {
  const { counts, entities, handled, isPreview } = job
  const types = Object.entries(entities).map(
    ([type, each]) =>
      `  ${type.replaceAll('_', ' ').padEnd(18)}${number(each.created)} new, ${number(each.updated)} changed`
  )
  const rows = preview.slice(0, maxShownRows).flatMap(({ number: row, records = [] }) =>
    records.map(({ type, outcome, metadata, relations }) => {
      const values = [
        ...metadata.map(({ key, value }) => `${key}=${shorten(value)}`),
        ...relations.map(each => `${each.type}=${shorten(each.name)}`)
      ]
      return `    row ${row}: ${type} ${outcome}: ${values.join(', ')}`
    })
  )
  const shown = remarks.slice(0, 20)
  return [
    `${isPreview ? 'Nothing was written. The outcome would be:' : `${job.name}: ${job.state}`} (${number(handled)} rows)`,
    '',
    ...types,
    `  Unchanged         ${number(counts.unchanged)}`,
    ...(counts.unreadable > 0 ? [`  Left out          ${number(counts.unreadable)} rows, wholly or in part`] : []),
    ...(rows.length > 0 ? ['  The first rows', ...rows] : []),
    ...(shown.length > 0 ? [`  Remarks           ${number(job.remarks)}, the first:`] : []),
    ...shown.map(each => `    row ${each.number}: ${each.remarks.join('; ')}`),
    ...(isPreview ? [] : ['', `  Undo              npx libretto undo ${job.id}`])
  ].join('\n')
}

function shorten(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}

/** Lines that ask for the agency where record numbers collide, with the first collisions. */
function collisionLines({ collisions }: ImportJob): [label: string, text: string][] {
  if (collisions === undefined) return []
  const { count, first } = collisions
  return [
    ['Same numbers', `${number(count)} records have the number of another record; nothing was replaced.`],
    ['', 'Import the file with --agency <code> to name the agency of the numbers, the first time for both files.'],
    ...first.map((each): [string, string] => ['', `${each.controlNumber}: “${each.title}”, also “${each.otherTitle}”`])
  ]
}

/** Number of kinds of fields without a place in the model that are shown. */
const maxShownKinds = 10

function notMappedLines(job: ImportJob): string[] {
  const kinds = kindsOf(job)
  const shown = kinds.slice(0, maxShownKinds).map(({ name, count }) => `${name} (${number(count)})`)
  const isAll = kinds.length <= maxShownKinds
  return kinds.length === 0 ? [] : [`${shown.join(', ')}${isAll ? '' : ` and more (GET /imports/${job.id})`}`]
}

const number = (value: number) => value.toLocaleString('en')

/** The outcome of an import of entities, for `--json`. */
export const linesOutcome = ({ job: { handled, counts }, remarks }: ImportedFile) => ({
  lines: handled,
  created: counts.created,
  replaced: counts.updated,
  unchanged: counts.unchanged,
  ...(counts.versions > 0 ? { versions: counts.versions } : {}),
  ...(counts.contents > 0 ? { contents: counts.contents } : {}),
  ...(counts.missingContents > 0 ? { missing_contents: counts.missingContents } : {}),
  failures: remarks
    .filter(each => each.outcome === 'unreadable')
    .map(each => ({ line: each.number, message: each.remarks.join('; ') }))
})
