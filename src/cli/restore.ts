import { restore as restoreDatabase } from '#store/open-store.ts'
import { modelOf } from '../main.ts'
import { type Command, jsonOption } from './command.ts'
import { giveNewEpoch } from './renew-feed.ts'

export const restore: Command = {
  summary: 'Replaces the database with a backup; the old database is renamed. Stop the service first.',
  usage: 'npx libretto restore <file> [--json]',
  maxWords: 1,
  options: { json: jsonOption },
  async run({ config, positionals, options }) {
    const [file] = positionals
    if (file === undefined || positionals.length > 1)
      throw new Error('Give the name of a backup: npx libretto restore <file>')
    const model = modelOf(config)
    const previous = await restoreDatabase(config.databaseUrl, file, new Date(), async copy => {
      await giveNewEpoch(copy, model, 'database.restore')
    })
    if (options.json) console.log(JSON.stringify({ file, ...(previous === undefined ? {} : { kept: previous }) }))
    else
      console.log(
        `Restored ${file}.${previous === undefined ? '' : ` The previous database is ${previous}.`}\nReaders of the feed must start again. Tokens that were revoked after the backup are valid again: check "npx libretto token list".`
      )
    return 0
  }
}
