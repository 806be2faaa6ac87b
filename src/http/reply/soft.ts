import type { FastifyReply } from 'fastify'

import { refuseBlind } from '#catalogue/entities/read-entity.ts'
import { forbidden, invalidWith } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import type { Model } from '#domain/record-types/model.ts'
import { sendJson } from './json.ts'

/* Answers to `soft=1`, by which existing clients ask for permission before they show a button. */

/** The answer to a request that would be permitted. */
export const sendGood = (reply: FastifyReply) => sendJson(reply, '"good"')

/** Sends `good` when the promise resolves; its rejection is the refusal. */
export async function sendGoodAfter(reply: FastifyReply, permitted: Promise<unknown>) {
  await permitted
  return sendGood(reply)
}

/** Answers `soft=1` of a list: the caller may read something. */
export async function sendGoodToReader(reply: FastifyReply, principal: Principal) {
  refuseBlind(principal)
  return sendGood(reply)
}

/** A type that a request names, and its position in the request. */
export interface NamedType {
  readonly name: unknown
  readonly pointer: string
}

/**
 * Refuses types that do not exist, and types of which the caller may not do this at all. Anything
 * else than a name is left to the request itself.
 */
export function refuseTypes(
  model: Model,
  named: readonly NamedType[],
  { act, may }: { readonly act: 'read' | 'write'; readonly may: (type: string) => boolean }
) {
  const names = named.filter((each): each is NamedType & { name: string } => typeof each.name === 'string')
  const faults = names
    .filter(({ name }) => model.typesNamed(name).length === 0)
    .map(({ name, pointer }) => ({ pointer, message: `Unknown type "${name}"` }))
  if (faults.length > 0) throw invalidWith(faults)
  const refused = names.find(({ name }) => !model.typesNamed(name).some(may))
  if (refused) throw forbidden(`${act} records of type "${refused.name}"`)
}

/** The types that the filters of a body name. */
export function typesInFilters(body: unknown): NamedType[] {
  const filters: unknown[] = Array.isArray(body) ? body : []
  return filters.flatMap((filter, index) => {
    const { type, value } = (filter ?? {}) as { type?: unknown; value?: unknown }
    if (type !== 'type' || value === '*' || value === '') return []
    return (Array.isArray(value) ? value : [value]).map(name => ({ name, pointer: `/${index}/value` }))
  })
}
