import { openLibretto } from '../main.ts'
import { type Command, jsonOption, UsageError } from './command.ts'
import { createProgress } from './progress.ts'

export const purge: Command = {
  summary: 'Erases records with all their versions, source records and media; the id remains as deleted.',
  usage: 'npx libretto purge <id>… [--detach | --with-parts] [--json]',
  examples: [
    ['npx libretto purge PERS-12', 'refused while other records refer to it'],
    ['npx libretto purge PERS-12 --detach', 'with the relations of other records to it']
  ],
  maxWords: 1000,
  needsDatabase: true,
  options: {
    detach: { type: 'boolean', describe: 'Remove the relations of other records to it, instead of refusing' },
    'with-parts': { type: 'boolean', describe: 'Also erase its performances and media files' },
    json: jsonOption
  },
  async run({ config, positionals, options }) {
    if (positionals.length === 0) throw new UsageError('Give the ids of records: npx libretto purge <id>…')
    await using libretto = await openLibretto(config)
    const { catalogue, operator, media, audit } = libretto
    const purged: string[] = []
    const progress = createProgress('Erasing')
    for (const identifier of positionals) {
      const [detach, withParts] = [options.detach === true, options['with-parts'] === true]
      const done = await catalogue.entities.purge(
        operator,
        identifier,
        { detach, withParts, withMediafiles: withParts },
        ({ id, uuid, purged }) =>
          audit.describe({ by: 'operator', act: 'record.purge', subject: id, details: { uuid, purged: [...purged] } })
      )
      await media.removeUnused(done.contents)
      purged.push(...done.purged)
      progress.show(purged.length)
    }
    progress.end()
    console.log(
      options.json
        ? JSON.stringify({ purged })
        : `Erased: ${purged.join(', ')}. Backups still have them: see docs/how-to/personal-data.md`
    )
    return 0
  }
}
