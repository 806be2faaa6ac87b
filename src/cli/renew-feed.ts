import { randomBytes } from 'node:crypto'

import { createAuditLog } from '#auth/audit-log.ts'
import type { Model } from '#domain/record-types/model.ts'
import { openArchive, openStore } from '#store/open-store.ts'
import { modelOf } from '../main.ts'
import { type Command, onDatabase } from './command.ts'

export const renewFeed: Command = {
  summary: 'Resets the change feed after a database was restored by other means; readers must start again.',
  usage: 'npx libretto renew-feed [--json]',
  examples: [['npx libretto renew-feed', 'after pg_restore, or after a file was copied back by hand']],
  ...onDatabase,
  async run({ config, options }) {
    const epoch = await giveNewEpoch(config.databaseUrl, modelOf(config), 'feed.renew')
    console.log(
      options.json
        ? JSON.stringify({ epoch })
        : 'Earlier cursors are now answered with 410. Restart the services of this database.'
    )
    return 0
  }
}

/**
 * Gives the feed a new epoch, and logs the act. Numbers of changes after the restored moment will
 * be assigned again; cursors, ids of events and tokens of harvests contain the epoch, so nobody
 * confuses them.
 */
export async function giveNewEpoch(databaseUrl: string, model: Model, act: string): Promise<string> {
  const epoch = randomBytes(8).toString('hex')
  {
    await using archive = await openArchive(databaseUrl, model)
    await archive.write('properties', [['epoch', epoch]])
  }
  await using store = await openStore(databaseUrl, model, { readers: 1 })
  await createAuditLog(store, Date.now).record({ by: 'operator', act })
  return epoch
}
