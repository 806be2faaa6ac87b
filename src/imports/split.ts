import { clusterLevels } from '#domain/clustering/cluster-block.ts'
import { invalidWith, notFound } from '#domain/errors.ts'
import type { StoredMention } from '#domain/imports/stored.ts'
import type { Parts } from '#catalogue/parts.ts'
import { commitUnit, isConcurrency, maxTries, keys } from './state/import-state.ts'
import { placingFor } from './place/catalogue-access.ts'
import { findBlocks } from './place/find-surroundings.ts'
import { mentionIdsOf, type Placing, splitMention } from './place/placing.ts'
import { placeAnswered } from './place-answered.ts'
import type { Answered } from './review.ts'
import { createStaging, type Staging } from './state/staging.ts'

/*
 * Works that a person splits. A split is stored as answers that two mentions are different, so it
 * holds for later imports, and the clusters stay independent of the order of records.
 */

/** Splits are about works; expressions follow from them. */
const [level] = clusterLevels

/** Maximum number of records that one split separates a record from. */
const maxSeparated = 500

/** A record of an import, with its mentions. */
export interface OwnRecord {
  readonly name: string
  readonly job: string
  readonly mentions: ReadonlyMap<string, StoredMention>
}

export async function findOwn(staging: Staging, manifestationId: string): Promise<OwnRecord | undefined> {
  const name = (await staging.find('origin', [manifestationId])).get(manifestationId)
  const record = name === undefined ? undefined : (await staging.find('record', [name])).get(name)
  if (name === undefined || record === undefined) return undefined
  return { name, job: record.job, mentions: await staging.find('mention', mentionIdsOf(name, record)) }
}

/** The pairs of a mention of a record and a mention of another record of the same work. */
async function findPairs(
  staging: Staging,
  { name, mentions: own }: OwnRecord,
  { findOwners }: Placing
): Promise<[string, string][]> {
  const evidence = [...own].map(([id, mention]) => [id, mention.evidence] as const)
  const { mentions } = await findBlocks(staging, new Set(), evidence)
  const owners = await findOwners([...new Set([...mentions.values()].map(each => each.workId))])
  const workOf = ({ workId }: StoredMention) => owners.get(workId) ?? workId
  return [...own].flatMap(([one, mention]) =>
    [...mentions]
      .filter(([other, each]) => splitMention(other)[0] !== name && workOf(each) === workOf(mention))
      .map(([other]): [string, string] => [one, other])
  )
}

/**
 * Separates a manifestation from the other records of its work, or from one of them, for good. No
 * import may run meanwhile.
 */
export async function splitRecord(
  parts: Parts,
  id: string,
  from: string | undefined,
  by: string,
  now: () => number = Date.now
): Promise<Answered> {
  await storeMerges(parts, id)
  return changeAnswers(parts, id, async (staging, own, placing) => {
    const other = from === undefined ? undefined : await findOwn(staging, from)
    if (from !== undefined && other === undefined)
      throw invalidWith([{ pointer: '/from', message: 'No import created this manifestation' }])
    const pairs = (await findPairs(staging, own, placing)).filter(
      ([, each]) => other === undefined || splitMention(each)[0] === other.name
    )
    if (pairs.length === 0)
      throw invalidWith([
        from === undefined
          ? { pointer: '', message: 'No other record belongs to the same work' }
          : { pointer: '/from', message: 'This manifestation belongs to another work already' }
      ])
    if (pairs.length > maxSeparated)
      throw invalidWith([
        { pointer: '', message: `A record can be separated from at most ${maxSeparated} others; name one in "from"` }
      ])
    const at = new Date(now()).toISOString()
    for (const pair of pairs) {
      const [one = '', second = ''] = pair.toSorted()
      const answer = { level, one, other: second, verdict: 'different', split: id, by, at } as const
      const key = keys.answer(answer)
      staging.put('answer', key, answer)
      for (const each of [one, second]) staging.put('answered', keys.answered(each, key), true)
    }
    staging.put('flag', 'answers', true)
    return { count: pairs.length, mentions: pairs.flat() }
  })
}

/** Withdraws the splits of a manifestation. No import may run meanwhile. */
export async function unsplitRecord(parts: Parts, id: string): Promise<Answered> {
  return changeAnswers(parts, id, async (staging, own) => {
    const answers = await staging.find('answer', await staging.listRests('answered', [...own.mentions.keys()]))
    const splits = [...answers].filter(([, each]) => each.split === id)
    if (splits.length === 0)
      throw invalidWith([{ pointer: '', message: 'Nobody separated this manifestation from others' }])
    for (const [key, { one, other }] of splits) {
      staging.put('answer', key, null)
      for (const each of [one, other]) staging.put('answered', keys.answered(each, key), null)
    }
    return { count: splits.length, mentions: splits.flatMap(([, { one, other }]) => [one, other]) }
  })
}

/**
 * Stores merges by people of the works of a record as answers, as its next import would: the
 * decision to split them is later.
 */
const storeMerges = (parts: Parts, id: string) =>
  changeAnswers(parts, id, async (_, { mentions }) => ({ count: 0, mentions: [...mentions.keys()] }))

type Change = (
  staging: Staging,
  own: OwnRecord,
  placing: Placing
) => Promise<{ readonly count: number; readonly mentions: readonly string[] }>

/** Changes answers about a record, and corrects works and expressions in the same transaction. */
export async function changeAnswers(parts: Parts, id: string, change: Change): Promise<Answered> {
  const staging = createStaging(parts.store)
  for (let tries = 1; ; tries++) {
    staging.clear()
    const own = await findOwn(staging, id)
    if (own === undefined) throw notFound('import of an entity', id)
    const placing = { ...placingFor(parts, own.job), yields: (record: string) => record === own.name }
    const { count, mentions } = await change(staging, own, placing)
    await placeAnswered(staging, [...new Set(mentions)], placing)
    const { writes, state } = staging.flush()
    try {
      await commitUnit(parts, { id: own.job }, writes, state)
      return { answered: count, changed: writes.length }
    } catch (error) {
      if (tries === maxTries || !isConcurrency(error)) throw error
    }
  }
}
