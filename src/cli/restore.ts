import { restore as restoreDatabase } from '#store/open-store.ts'
import { modelOf } from '../main.ts'
import { type Command, jsonOption } from './command.ts'
import { giveNewEpoch } from './renew-feed.ts'

export const restore: Command = {
  summary: 'Puts a backup into the place of the database; what was there is kept beside it. Stop the service first.',
  usage: 'npx libretto restore <file> [--json]',
  mostWords: 1,
  options: { json: jsonOption },
  async run({ config, positionals, options }) {
    const [file] = positionals
    if (file === undefined || positionals.length > 1) throw new Error('Name one backup: npx libretto restore <file>')
    const model = modelOf(config)
    const kept = await restoreDatabase(config.databaseUrl, file, new Date(), async copy => {
      await giveNewEpoch(copy, model)
    })
    if (options.json) console.log(JSON.stringify({ file, ...(kept === undefined ? {} : { kept }) }))
    else
      console.log(
        `${file} is in its place.${kept === undefined ? '' : ` What was there is kept as ${kept}.`}\nWhoever reads the feed is told to start anew. Tokens that were taken back since then hold again: look at "npx libretto token list".`
      )
    return 0
  }
}
