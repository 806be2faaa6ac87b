import type { ImportJob } from '#domain/imports/job.ts'
import type { ImportedFile } from '#imports/import-file.ts'

/** What an import of records did, for people. */
export function summaryOf({ job, remarks: all, questions }: ImportedFile): string {
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
  const remarks = all.slice(0, 5)
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
    ...(questions.count > 0
      ? [
          line(
            'To review',
            `${number(questions.count)}${questions.areMore ? ' and more' : ''} (GET /imports/${job.id}/review)`
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
    ...(isPreview ? [] : ['', line('Undo', `npx libretto undo ${job.id}`)])
  ]
  return lines.join('\n')
}

/**
 * Asks for the agency where numbers of the file are those of other records, and names the first of
 * them.
 */
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

/** What an import of entities did, as the command answers it with `--json`. */
export const linesOutcome = ({ job: { handled, counts }, remarks }: ImportedFile) => ({
  lines: handled,
  created: counts.created,
  replaced: counts.updated,
  unchanged: counts.unchanged,
  failures: remarks
    .filter(each => each.outcome === 'unreadable')
    .map(each => ({ line: each.number, message: each.remarks.join('; ') }))
})
