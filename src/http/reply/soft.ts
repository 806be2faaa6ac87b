import type { FastifyReply } from 'fastify'

import { refuseBlind } from '#catalogue/entities/read-entity.ts'
import type { Principal } from '#domain/permissions.ts'
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
