import { createReadStream, existsSync, type ReadStream, readFileSync, statSync } from 'node:fs'
import { createInterface } from 'node:readline'

import { bytesToDetectSource, detectSource } from '#formats/detect-source.ts'
import { type SourceFormat, sourceFormats } from '#formats/source-item.ts'
import { type Command, jsonOption } from './command.ts'
import { importInThread } from './import-in-thread.ts'
import { importRecords } from './import-records.ts'
import { createProgress } from './progress.ts'

/** Lines as bytes, so that one which is not UTF-8 can be told of, and so that text may hold U+2028, where a reader of text lines would cut. */
async function* byteLines(input: NodeJS.ReadStream | ReadStream): AsyncGenerator<Buffer> {
  input.setEncoding('latin1')
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
    yield Buffer.from(line, 'latin1')
}

export const importEntities: Command = {
  summary:
    'Reads records into the catalogue: MARC 21, UNIMARC, ONIX or CSV, of which works are made; or entities as NDJSON (also from standard input: -).',
  usage: 'npx libretto import <file> [--dry-run] [--format marc…] [--agency code] [--mapping file.json] [--json]',
  mostWords: 1,
  options: {
    'dry-run': { type: 'boolean', describe: 'Say what would happen, write nothing' },
    format: {
      type: 'string',
      describe: `How the file is written, where it should not be guessed: ${sourceFormats.join(', ')}`
    },
    agency: { type: 'string', describe: 'Whose record numbers these are, where records do not say so' },
    batch: { type: 'string', describe: 'How many records are written together; 400 where not given' },
    mapping: { type: 'string', describe: 'For CSV: a JSON file that says which column means what' },
    'allow-dangling': {
      type: 'boolean',
      describe: 'For NDJSON: let relations point to records that do not exist'
    },
    json: jsonOption
  },
  async run({ config, positionals, options }) {
    const [file] = positionals
    if (file === undefined || positionals.length > 1) throw new Error('Name one file: npx libretto import <file>')
    if (file !== '-' && !existsSync(file)) throw new Error(`There is no file "${file}"`)
    if (file !== '-' && statSync(file).isDirectory()) throw new Error(`"${file}" is a folder; name one file`)
    const batchSize = options.batch === undefined ? undefined : readBatchSize(options.batch)
    const format = readFormat(options.format)
    const isOfEntities = file === '-' || (format ?? (await detectFormat(file)) ?? 'ndjson') === 'ndjson'
    if (!isOfEntities) {
      const { job, summary } = await importInThread(config, {
        file,
        options: {
          ...(format === undefined ? {} : { format }),
          ...(typeof options.agency === 'string' ? { agency: options.agency } : {}),
          ...(typeof options.mapping === 'string' ? { mapping: readMappingFile(options.mapping) } : {})
        },
        isPreview: options['dry-run'] === true,
        ...(batchSize === undefined ? {} : { batchSize })
      })
      console.log(options.json ? JSON.stringify(job) : summary)
      return job.counts.unreadable > 0 ? 1 : 0
    }
    // Loaded here: an import in a thread needs nothing of it in this one.
    const { openLibretto } = await import('../main.ts')
    await using libretto = await openLibretto(config)
    const input = file === '-' ? process.stdin : createReadStream(file)
    const progress = createProgress('Importing', file === '-' ? undefined : statSync(file).size)
    let bytes = 0
    input.on('data', chunk => {
      bytes += chunk.length
    })
    const outcome = await importRecords(libretto.catalogue, libretto.operator, byteLines(input), {
      dryRun: options['dry-run'] === true,
      allowDangling: options['allow-dangling'] === true,
      onProgress: lines => progress.show(lines, bytes)
    })
    progress.end()
    if (options.json) console.log(JSON.stringify(outcome))
    else {
      const { created, replaced, unchanged, failures } = outcome
      const would = options['dry-run'] ? 'Nothing was written. It would be: ' : ''
      console.log(
        `${would}${created} created, ${replaced} replaced, ${unchanged} unchanged, ${failures.length} refused.`
      )
      for (const failure of failures) console.error(`line ${failure.line}: ${failure.message}`)
    }
    return outcome.failures.length > 0 ? 1 : 0
  }
}

function readBatchSize(given: unknown): number {
  const size = Number(given)
  if (!Number.isInteger(size) || size < 1 || size > 1000)
    throw new Error(`"--batch" must be from 1 to 1000, not "${given}"`)
  return size
}

function readFormat(given: unknown): SourceFormat | undefined {
  if (given === undefined) return undefined
  const format = sourceFormats.find(each => each === given)
  if (format === undefined) throw new Error(`Unknown format "${given}"; it can be ${sourceFormats.join(', ')}`)
  return format
}

/** What a file looks like. NDJSON is read as lines of entities. */
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
