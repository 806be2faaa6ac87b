import { once } from 'node:events'
import { createWriteStream, readFileSync } from 'node:fs'
import { basename } from 'node:path'

import { everything } from '#domain/filter/filter.ts'
import type { Model } from '#domain/record-types/model.ts'
import { type FilterBody, readFilters } from '#domain/filter/read-filter.ts'
import { type FormatName, formatNames, formats } from '#protocols/formats/registry.ts'
import { readIncluded } from '#protocols/export/read-included.ts'
import { publicUrlOf } from '../config.ts'
import { type Libretto, openLibretto } from '../main.ts'
import { type Command, jsonOption, oneOf, UsageError } from './command.ts'
import { createProgress } from './progress.ts'

export const exportEntities: Command = {
  summary:
    'Writes records as MARC 21, MARCXML, MODS, NDJSON, CSV, citations or linked data, to a file or standard output.',
  usage:
    'npx libretto export [file] [--format marc21|marcxml|csv|…] [--type manifestation] [--filter file.json] [--columns title,isbn] [--no-sources] [--include media,history|authorities,holdings] [--json]',
  examples: [
    ['npx libretto export catalogue.ndjson', 'everything, to import it elsewhere'],
    ['npx libretto export books.mrc --type manifestation', 'the publications as MARC 21'],
    ['npx libretto export all.mrc --include authorities,holdings', 'with authority and holdings records'],
    ['npx libretto export --format csv --columns title,isbn > list.csv', 'a table for a spreadsheet']
  ],
  maxWords: 1,
  needsDatabase: true,
  options: {
    format: {
      type: 'string',
      describe: `${formatNames.join(', ')}; by default from the file name; ndjson without one`
    },
    type: { type: 'string', multiple: true, describe: 'Only this type or umbrella; repeatable' },
    filter: { type: 'string', describe: 'A file with filters, as for POST /entities/filter' },
    columns: { type: 'string', describe: 'For tables: comma list of metadata keys, relations or paths' },
    bom: { type: 'boolean', describe: 'Start a table with a byte order mark, for spreadsheets' },
    raw: { type: 'boolean', describe: 'Write cells that look like formulas without an apostrophe' },
    'no-sources': { type: 'boolean', describe: 'For NDJSON: leave out the source records of imported entities' },
    include: {
      type: 'string',
      describe:
        'Comma list. For NDJSON: media (the bytes of media files) and history (versions of records); for MARC: authorities and holdings (records of their own)'
    },
    json: jsonOption
  },
  async run({ config, positionals, options }) {
    const [file] = positionals
    const format = readFormat(options.format as string | undefined, file)
    await using libretto = await openLibretto(config)
    const writer = await formats[format].load()
    const pieces = writer.many(
      { ...libretto, publicUrl: publicUrlOf(config), contents: libretto.media.manager },
      libretto.operator,
      {
        ...readFilterFile(libretto, options.filter as string | undefined),
        types: readTypes(libretto.model, (options.type ?? []) as string[]),
        columns: commaList(options.columns),
        hasBom: options.bom === true,
        keepsFormulas: options.raw === true,
        omitsSources: options['no-sources'] === true,
        includes: readIncluded(format, commaList(options.include))
      }
    )
    const first = await pieces.next()
    const output = file === undefined || file === '-' ? process.stdout : createWriteStream(file, { flags: 'w' })
    if (output !== process.stdout) {
      await once(output, 'open').catch(error => {
        throw new Error(`"${file}" cannot be written: ${(error as Error).message}`, { cause: error })
      })
    }
    const progress = createProgress('Exporting')
    let count = 0
    const refused: { readonly id: string; readonly message: string }[] = []
    for (let next = first; !next.done; next = await pieces.next()) {
      if (!output.write(next.value.bytes)) await once(output, 'drain')
      count += next.value.records
      refused.push(...next.value.refused)
      progress.show(count)
    }
    progress.end()
    if (output !== process.stdout) {
      output.end()
      await once(output, 'finish')
      const summary = { exported: count, file, ...(refused.length > 0 ? { refused } : {}) }
      console.log(options.json ? JSON.stringify(summary) : `${count} records written to ${file}`)
    }
    for (const { id, message } of refused) console.error(`${id} was omitted: ${message}`)
    return refused.length > 0 ? 1 : 0
  }
}

const commaList = (given: unknown) => (typeof given === 'string' ? given.split(',').filter(each => each !== '') : [])

/** The format by its name, or by the longest extension that the file name ends with. */
function readFormat(given: string | undefined, file: string | undefined): FormatName {
  if (given !== undefined) return oneOf('format', given, formatNames)
  const name = basename(file ?? '-').toLowerCase()
  if (!name.includes('.')) return 'ndjson'
  const [found] = formatNames
    .filter(each => name.endsWith(`.${formats[each].extension}`))
    .toSorted((one, other) => formats[other].extension.length - formats[one].extension.length)
  if (found === undefined)
    throw new UsageError(
      `The name of "${file}" does not say its format; add --format with one of ${formatNames.join(', ')}`
    )
  return found
}

const readTypes = (model: Model, names: readonly string[]): string[] =>
  names.flatMap(name => {
    const found = model.typesNamed(name)
    return found.length > 0 ? found : [oneOf('type', name, model.typeNames)]
  })

function readFilterFile({ model, readFilters: read = readFilters }: Libretto, file: string | undefined): FilterBody {
  if (file === undefined) return { filter: everything, names: [] }
  let body: unknown
  try {
    body = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Error(`The filters in "${file}" cannot be read: ${(error as Error).message}`)
  }
  return read(model, body)
}
