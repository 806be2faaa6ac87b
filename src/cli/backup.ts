import { statSync } from 'node:fs'

import { backUp } from '#store/open-store.ts'
import { type Command, onDatabase, onlyWord } from './command.ts'

export const backup: Command = {
  summary: 'Copies the current database into a new file; the service may be running.',
  usage: 'npx libretto backup <file> [--json]',
  maxWords: 1,
  ...onDatabase,
  async run({ config, positionals, options }) {
    const file = onlyWord(positionals, 'Give the name of a new file: npx libretto backup <file>')
    await backUp(config.databaseUrl, file)
    const { size } = statSync(file)
    console.log(
      options.json
        ? JSON.stringify({ file, size })
        : `Backup written to ${file} (${(size / 1e6).toFixed(1)} MB) and verified. It does not contain media files.`
    )
    return 0
  }
}
