import { statSync } from 'node:fs'

import { backUp } from '#store/open-store.ts'
import { type Command, jsonOption } from './command.ts'

export const backup: Command = {
  summary: 'Copies the database, as it is now, into a new file; the service may run meanwhile.',
  usage: 'npx libretto backup <file> [--json]',
  mostWords: 1,
  needsDatabase: true,
  options: { json: jsonOption },
  async run({ config, positionals, options }) {
    const [file] = positionals
    if (file === undefined || positionals.length > 1) throw new Error('Name one new file: npx libretto backup <file>')
    await backUp(config.databaseUrl, file)
    const { size } = statSync(file)
    console.log(
      options.json
        ? JSON.stringify({ file, size })
        : `Everything up to now is in ${file} (${(size / 1e6).toFixed(1)} MB), read again and sound. Media files are not in it.`
    )
    return 0
  }
}
