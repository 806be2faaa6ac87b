import assert from 'node:assert/strict'

import type { Chance } from './chance.ts'
import { pause } from '../services/server-process.ts'
import type { SteadySender } from '../services/steady-clients.ts'

/*
 * Clients of several processes that change the same few records, and remember each version they
 * were told is theirs.
 */

/** A version that was answered as written, and the value by which its writer knows it. */
export interface Acknowledged {
  readonly id: string
  readonly version: number
  readonly value: string
}

/** Creates the records that the clients share. */
export async function createShared(sender: SteadySender, records: number): Promise<string[]> {
  const ids = Array.from({ length: records }, (_, number) => `SHARED-${number}`)
  for (const id of ids) {
    const { status, text } = await sender.send('POST', '/entities', aVenue(id, 'first'))
    assert.equal(status, 201, text)
  }
  return ids
}

/**
 * Changes shared records through any of the processes, and creates one of its own now and then,
 * until it is told to stop. A write that is answered 503 is left alone: nobody was promised
 * anything.
 */
export async function changeShared(
  senders: readonly SteadySender[],
  ids: readonly string[],
  name: string,
  { isOver, chance }: { readonly isOver: () => boolean; readonly chance: Chance }
): Promise<Acknowledged[]> {
  const told: Acknowledged[] = []
  for (let number = 0; !isOver(); number++) {
    const sender = senders[chance.below(senders.length)] as SteadySender
    const value = `${name}-${number}`
    const isNew = chance.oneIn(4)
    const id = isNew ? value : chance.pickOr(ids, '')
    const { status, text } = isNew
      ? await sender.send('POST', '/entities', aVenue(id, value), chance.oneIn(2) ? { 'idempotency-key': value } : {})
      : await sender.send('PATCH', `/entities/${id}`, { metadata: [{ key: 'city', value }] })
    if (status === (isNew ? 201 : 200))
      told.push({ id, version: (JSON.parse(text) as { version: number }).version, value })
    else if (status !== 503) throw new Error(`${id} was answered ${status} ${text}`)
    else await pause(10)
  }
  return told
}

/** The number of versions that are read at once. */
const readAtOnce = 8

/** Asserts that each version that was acknowledged is there, and is the one its writer wrote. */
export async function assertNoneLost(sender: SteadySender, acknowledged: readonly Acknowledged[]) {
  const wrong: string[] = []
  const look = async ({ id, version, value }: Acknowledged) => {
    const { status, text } = await sender.send('GET', `/entities/${id}?version=${version}`)
    const found = status === 200 ? cityOf(text) : `status ${status}`
    if (found !== value) wrong.push(`version ${version} of ${id} was acknowledged to ${value}, and is ${found}`)
  }
  for (let at = 0; at < acknowledged.length; at += readAtOnce)
    await Promise.all(acknowledged.slice(at, at + readAtOnce).map(look))
  assert.deepEqual(wrong, [], `${wrong.length} of ${acknowledged.length} acknowledged writes are lost`)
}

const aVenue = (id: string, city: string) => ({
  id,
  type: 'venue',
  metadata: [
    { key: 'name', value: `Venue ${id}` },
    { key: 'city', value: city }
  ]
})

const cityOf = (text: string) =>
  (JSON.parse(text) as { metadata: { key: string; value: unknown }[] }).metadata.find(({ key }) => key === 'city')
    ?.value
