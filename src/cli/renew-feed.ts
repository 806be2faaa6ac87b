import { randomBytes } from 'node:crypto'

import type { Model } from '#domain/record-types/model.ts'
import { archiveParts } from '#store/archive.ts'
import { openArchive } from '#store/open-store.ts'
import { modelOf } from '../main.ts'
import { type Command, onDatabase } from './command.ts'

export const renewFeed: Command = {
  summary: 'Resets the change feed after a database was restored by other means; readers must start again.',
  usage: 'npx libretto renew-feed [--json]',
  ...onDatabase,
  async run({ config, options }) {
    const epoch = await giveNewEpoch(config.databaseUrl, modelOf(config))
    console.log(
      options.json
        ? JSON.stringify({ epoch })
        : 'Earlier cursors are now answered with 410. Restart the services of this database.'
    )
    return 0
  }
}

/**
 * Gives the feed a new epoch. Numbers of changes after the restored moment will be assigned again;
 * cursors, ids of events and tokens of harvests contain the epoch, so nobody confuses them.
 */
export async function giveNewEpoch(databaseUrl: string, model: Model): Promise<string> {
  await using archive = await openArchive(databaseUrl, model)
  const properties = archiveParts.find(({ name }) => name === 'properties')
  if (!properties) throw new Error('An archive has properties')
  const epoch = randomBytes(8).toString('hex')
  await archive.write(properties, [['epoch', epoch]])
  return epoch
}
