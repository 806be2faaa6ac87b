import type { Model } from '#domain/record-types/model.ts'
import {
  followModel,
  lookupStep,
  mustFollow,
  storeRules,
  type UpgradeSettings
} from '../administration/follow-model.ts'
import { findProperty } from '../administration/properties.ts'
import { moveInProgress, unfinishedMove } from '../archive.ts'
import { deleteOldMarkers } from './commit-marker.ts'
import { describe, openLink, type Servers } from './connection.ts'
import { postgresDialect } from './dialect.ts'
import { migrate } from './migrations.ts'
import { transact } from './statements.ts'

/** Maximum wait for the first connection, in milliseconds: no client waits for an answer yet. */
const startTimeout = 10_000

/**
 * Brings the schema up to date, and resolves to the last change and the entity that was created
 * last. An obstacle is described in the message, without the password.
 */
export async function prepareDatabase(
  servers: Servers,
  model: Model,
  { followsModel, reportStep }: UpgradeSettings
): Promise<{ change: number; entity: number }> {
  const { pathname } = servers.url
  const host = servers.hosts.map(each => `${each.host}:${each.port}`).join(',')
  try {
    const link = await openLink(servers, startTimeout)
    try {
      await migrate(link, reportStep)
      await transact(link, storeRules(model))
      await deleteOldMarkers(link)
      if (followsModel && (await transact(link, mustFollow(model)))) {
        const end = reportStep(lookupStep)
        while (await transact(link, followModel(postgresDialect, model)));
        end()
      }
      if (await transact(link, findProperty(moveInProgress))) throw unfinishedMove()
      const [row] = await link.run('SELECT change, entity FROM counters')
      return { change: Number(row?.change), entity: Number(row?.entity) }
    } finally {
      await link.close()
    }
  } catch (cause) {
    throw new Error(`The database "${pathname.slice(1)}" at ${host} cannot be used: ${describe(cause)}`, { cause })
  }
}
