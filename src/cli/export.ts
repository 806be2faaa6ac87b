import { once } from 'node:events'
import { createWriteStream } from 'node:fs'

import { everything } from '#domain/filter.ts'
import { openLibretto } from '../main.ts'
import { type Command, jsonOption } from './command.ts'
import { createProgress } from './progress.ts'

const pageSize = 1000

export const exportEntities: Command = {
  summary: 'Writes every record as NDJSON, to a file or to standard output.',
  usage: 'npx libretto export [file.ndjson] [--type manifestation] [--json]',
  options: {
    type: { type: 'string', multiple: true, describe: 'Only this type or umbrella; may be given more than once' },
    json: jsonOption
  },
  async run({ config, positionals, options }) {
    const [file] = positionals
    await using libretto = await openLibretto(config)
    const names = (options.type ?? []) as string[]
    const types = names.flatMap(name => {
      const found = libretto.model.typesNamed(name)
      if (found.length === 0) throw new Error(`There is no type "${name}"`)
      return found
    })
    const filter = names.length === 0 ? everything : ({ kind: 'types', types } as const)
    const output = file === undefined || file === '-' ? process.stdout : createWriteStream(file, { flags: 'w' })
    if (output !== process.stdout) await once(output, 'open')
    const progress = createProgress('Exporting', undefined)
    let count = 0
    let cursor: string | undefined
    do {
      const page = await libretto.catalogue.listEntities(libretto.operator, {
        filter,
        order: { items: [{ by: 'created' }], ascending: true },
        skip: 0,
        limit: pageSize,
        cursor
      })
      for (const { json } of page.entities) if (!output.write(`${json}\n`)) await once(output, 'drain')
      count += page.entities.length
      progress.show(count)
      cursor = page.next
    } while (cursor !== undefined)
    progress.end()
    if (output !== process.stdout) {
      output.end()
      await once(output, 'finish')
      console.log(options.json ? JSON.stringify({ exported: count, file }) : `${count} records written to ${file}`)
    }
    return 0
  }
}
