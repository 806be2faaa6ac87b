import { statSync } from 'node:fs'

import { backUp } from '#store/open-store.ts'
import { type Command, onDatabase, onlyWord } from './command.ts'
import { createProgress } from './progress.ts'

export const backup: Command = {
  summary: 'Copies the current database into a new file; the service may be running.',
  usage: 'npx libretto backup <file> [--json]',
  examples: [['npx libretto backup "backup-$(date +%F).db"', 'a copy with the date of today']],
  maxWords: 1,
  ...onDatabase,
  async run({ config, positionals, options }) {
    const file = onlyWord(positionals, 'Give the name of a new file: npx libretto backup <file>')
    const progress = createProgress('Backing up')
    await backUp(config.databaseUrl, file, progress.step)
    progress.end()
    const { size } = statSync(file)
    console.log(
      options.json
        ? JSON.stringify({ file, size })
        : `Backup written to ${file} (${(size / 1e6).toFixed(1)} MB) and verified. It does not contain media files.`
    )
    return 0
  }
}
