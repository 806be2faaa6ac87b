import { createReadStream, existsSync, type ReadStream, statSync } from 'node:fs'
import { createInterface } from 'node:readline'

import { openLibretto } from '../main.ts'
import { type Command, jsonOption } from './command.ts'
import { importRecords } from './import-records.ts'
import { createProgress } from './progress.ts'

/** Lines as bytes, so that one which is not UTF-8 can be told of, and so that text may hold U+2028, where a reader of text lines would cut. */
async function* byteLines(input: NodeJS.ReadStream | ReadStream): AsyncGenerator<Buffer> {
  input.setEncoding('latin1')
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
    yield Buffer.from(line, 'latin1')
}

export const importEntities: Command = {
  summary: 'Reads records from an NDJSON file (or standard input: -) into the catalogue.',
  usage: 'npx libretto import <file.ndjson> [--dry-run] [--allow-dangling] [--json]',
  options: {
    'dry-run': { type: 'boolean', describe: 'Check every line, write nothing' },
    'allow-dangling': { type: 'boolean', describe: 'Let relations point to records that do not exist' },
    json: jsonOption
  },
  async run({ config, positionals, options }) {
    const [file] = positionals
    if (file === undefined || positionals.length > 1)
      throw new Error('Name one file: npx libretto import <file.ndjson>')
    if (file !== '-' && !existsSync(file)) throw new Error(`There is no file "${file}"`)
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
