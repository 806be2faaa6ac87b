import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'

import { readItemMapping } from '#formats/source/item-mapping.ts'
import { isRowMapping } from '#formats/tables/row-mapping.ts'
import { bytesToDetectSource, detectSource } from '#formats/source/detect-source.ts'
import { isEventFormat, type SourceFormat, sourceFormatNames } from '#formats/source/source-formats.ts'
import type { FileImport, ImportedFile } from '#imports/import-file.ts'
import { mediaSettingsOf } from '#media/open-media.ts'
import { startImportThread } from '#imports/thread.ts'
import { OutOfMemory } from '#imports/thread-failures.ts'
import { type Config, timeZoneOf } from '../config.ts'
import { type Command, createDatabase, jsonOption, oneOf, onlyWord, UsageError } from './command.ts'
import { linesOutcome, rowsSummaryOf, summaryOf } from './import-summary.ts'
import { createProgress } from './progress.ts'

export const importEntities: Command = {
  summary:
    'Imports records: MARC 21, UNIMARC, Aleph, PICA+, MODS, Dublin Core, RDF (BIBFRAME, LRM), ONIX or CSV, which are grouped into works; events of iCalendar, UiTdatabank or schema.org; rows of CSV or JSON by a mapping; or entities as NDJSON (from standard input with -).',
  usage:
    'npx libretto import <file> [--preview] [--format marc…] [--agency code] [--mapping file.json] [--items file.json] [--json]',
  examples: [
    ['npx libretto import records.mrc --preview', 'what an import would do'],
    ['npx libretto import records.mrc --agency DE-101', 'with the agency of the record numbers'],
    ['npx libretto import list.csv --propose-mapping > mapping.json', 'the meaning of columns, to be corrected'],
    ['npx libretto import list.csv --mapping mapping.json', 'rows by that mapping']
  ],
  maxWords: 1,
  needsDatabase: true,
  options: {
    preview: { type: 'boolean', describe: 'Compute the outcome, write nothing' },
    'dry-run': { type: 'boolean', describe: 'The same as --preview' },
    format: {
      type: 'string',
      describe: `Format of the file, if it should not be detected: ${sourceFormatNames.join(', ')}`
    },
    agency: { type: 'string', describe: 'Agency of the record numbers, if records do not name one' },
    batch: { type: 'string', describe: 'Records per transaction; 400 by default' },
    mapping: {
      type: 'string',
      describe: 'For CSV and JSON: a file with the meaning of columns, or the records of each row'
    },
    'propose-mapping': {
      type: 'boolean',
      describe: 'For CSV and JSON: print a mapping made of the names of the columns, and import nothing'
    },
    items: { type: 'string', describe: 'For MARC: a JSON file with the fields of the copies that libraries hold' },
    'allow-dangling': {
      type: 'boolean',
      describe: 'For NDJSON: allow relations to records that do not exist'
    },
    ...createDatabase,
    json: jsonOption
  },
  async run({ config, positionals, options }) {
    const file = onlyWord(positionals, 'Give the name of a file: npx libretto import <file>')
    if (file !== '-' && !existsSync(file)) throw new Error(`There is no file "${file}"`)
    if (file !== '-' && statSync(file).isDirectory()) throw new Error(`"${file}" is a folder; give the name of a file`)
    if (options['propose-mapping'] === true) return await printProposal(config, file)
    const batchSize = options.batch === undefined ? undefined : readBatchSize(options.batch)
    const format = readFormat(options.format)
    const mapping = typeof options.mapping === 'string' ? readMappingFile(options.mapping) : undefined
    const found = format ?? (file === '-' ? 'ndjson' : await detectFormat(file))
    const isOfRows = isRowMapping(mapping) || isEventFormat(found)
    const isOfEntities = !isOfRows && found === 'ndjson'
    const imported = await importInThread(config, {
      file,
      options: {
        ...(isOfEntities ? { format: 'ndjson' } : format === undefined ? {} : { format }),
        ...(typeof options.agency === 'string' ? { agency: options.agency } : {}),
        ...(mapping === undefined ? {} : { mapping }),
        ...(typeof options.items === 'string' ? { items: readItemMapping(readMappingFile(options.items)) } : {}),
        ...(options['allow-dangling'] === true ? { allowDangling: true } : {})
      },
      isPreview: options.preview === true || options['dry-run'] === true,
      ...(batchSize === undefined ? {} : { batchSize })
    })
    if (isOfEntities) printLinesOutcome(imported, options.json === true)
    else if (options.json) console.log(JSON.stringify(imported.job))
    else console.log(isOfRows ? rowsSummaryOf(imported) : summaryOf(imported))
    return imported.job.counts.unreadable > 0 ? 1 : 0
  }
}

/** Prints a mapping for a file of rows. */
async function printProposal(config: Config, file: string): Promise<number> {
  const [{ modelOf }, { proposeForFile }] = [
    await import('../main.ts'),
    await import('#formats/tables/propose-for-file.ts')
  ]
  const { mapping } = await proposeForFile(createReadStream(file), modelOf(config), { name: basename(file) })
  if (mapping === undefined)
    throw new Error('The names of the columns give no mapping; write one (docs/how-to/import-programmes.md)')
  console.log(JSON.stringify(mapping, null, 2))
  return 0
}

/**
 * Imports a file in a thread of its own and shows the progress. This thread loads none of the code
 * for it.
 */
async function importInThread(config: Config, wanted: FileImport): Promise<ImportedFile> {
  const size = wanted.file === '-' ? undefined : statSync(wanted.file).size
  const progress = createProgress(wanted.isPreview ? 'Previewing' : 'Importing', size)
  const { eventSourceOf, modelOf } = await import('../main.ts')
  try {
    const thread = startImportThread(
      {
        databaseUrl: config.databaseUrl,
        recordTypes: modelOf(config).recordTypes,
        eventSource: eventSourceOf(config),
        timeZone: timeZoneOf(config),
        media: mediaSettingsOf(config),
        work: { file: wanted }
      },
      {
        onProgress: (handled, bytes) => progress.show(handled, bytes),
        ...(wanted.file === '-' ? { input: process.stdin } : {})
      }
    )
    const imported = await thread.ended
    if (imported === undefined) throw new Error('The import was cut off')
    return imported
  } catch (error) {
    if (!(error instanceof OutOfMemory)) throw error
    throw new Error(`${error.message}; the same command with a smaller --batch resumes it`, { cause: error })
  } finally {
    progress.end()
  }
}

/** Prints the outcome of a file of entities. */
function printLinesOutcome(imported: ImportedFile, asJson: boolean): void {
  const outcome = linesOutcome(imported)
  if (asJson) {
    console.log(JSON.stringify(outcome))
    return
  }
  const { created, replaced, unchanged, failures } = outcome
  const { isPreview, counts } = imported.job
  const would = isPreview ? 'Nothing was written. The outcome would be: ' : ''
  console.log(`${would}${created} created, ${replaced} replaced, ${unchanged} unchanged, ${counts.unreadable} refused.`)
  if (counts.missingContents > 0)
    console.log(`${counts.missingContents} media files have no bytes here (GET /imports/${imported.job.id}/remarks).`)
  for (const failure of failures) console.error(`line ${failure.line}: ${failure.message}`)
}

function readBatchSize(given: unknown): number {
  const size = Number(given)
  if (!Number.isInteger(size) || size < 1 || size > 1000)
    throw new UsageError(`"--batch" must be from 1 to 1000, not "${given}"`)
  return size
}

function readFormat(given: unknown): SourceFormat | undefined {
  return given === undefined ? undefined : oneOf('format', given, sourceFormatNames)
}

/** Detects the format of a file. NDJSON is read as lines of entities. */
async function detectFormat(file: string): Promise<SourceFormat | undefined> {
  for await (const chunk of createReadStream(file, { end: bytesToDetectSource - 1 }))
    return detectSource(chunk as Buffer)
  return 'ndjson'
}

function readMappingFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new Error(`The mapping "${path}" cannot be read: ${(cause as Error).message}`, { cause })
  }
}
