import { randomBytes } from 'node:crypto'

import type { Model } from '#domain/record-types/model.ts'
import { archiveParts } from '#store/archive.ts'
import { openArchive } from '#store/open-store.ts'
import { modelOf } from '../main.ts'
import { type Command, jsonOption } from './command.ts'

export const renewFeed: Command = {
  summary: 'After a database was restored by other means: whoever reads its feed is told to start anew.',
  usage: 'npx libretto renew-feed [--json]',
  mostWords: 0,
  needsDatabase: true,
  options: { json: jsonOption },
  async run({ config, options }) {
    const epoch = await giveNewEpoch(config.databaseUrl, modelOf(config))
    console.log(
      options.json
        ? JSON.stringify({ epoch })
        : 'Cursors of before are answered 410 from now on. Start the services of this database again.'
    )
    return 0
  }
}

/**
 * Changes of after the restored moment had numbers, which will be given again. With another epoch
 * nobody takes the new ones for the old: cursors, ids of events and tokens of harvests all name it.
 */
export async function giveNewEpoch(databaseUrl: string, model: Model): Promise<string> {
  await using archive = await openArchive(databaseUrl, model)
  const properties = archiveParts.find(({ name }) => name === 'properties')
  if (!properties) throw new Error('An archive has properties')
  const epoch = randomBytes(8).toString('hex')
  await archive.write(properties, [['epoch', epoch]])
  return epoch
}
