import { clusterBlock, type Clusters } from '#domain/clustering/cluster-block.ts'
import { blocksOf } from '#domain/clustering/cluster-records.ts'
import { mentionId } from '#domain/clustering/evidence.ts'
import type { StoredMention, StoredRecord, UnplacedMention } from '#domain/imports/stored.ts'
import type { Staging } from '../state/staging.ts'
import { findBlocks, toMention } from './find-blocks.ts'
import { findPositions, type Positions } from './find-positions.ts'
import { mentionIdsOf, type Placing, type RecordChange } from './placing.ts'

/**
 * Everything that placing a batch looks at: the mentions as they were and as they will be, and
 * where that puts them.
 */
export interface Situation {
  readonly changes: readonly RecordChange[]
  readonly known: ReadonlyMap<string, StoredRecord>
  readonly before: ReadonlyMap<string, StoredMention>
  readonly after: ReadonlyMap<string, UnplacedMention>
  /** Mentions of the records that change. */
  readonly touched: ReadonlySet<string>
  readonly clusters: readonly Clusters[]
  readonly positions: Positions
}

/** Finds out what there is around the records that change, and where that puts everybody. */
export async function findSituation(
  staging: Staging,
  changes: readonly RecordChange[],
  known: ReadonlyMap<string, StoredRecord>,
  revisited: readonly string[],
  placing: Placing
): Promise<Situation> {
  const given = new Map<string, UnplacedMention>()
  for (const { name, next } of changes)
    for (const [place, mention] of next?.mentions.entries() ?? []) given.set(mentionId(name, place), mention)
  const replaced = await staging.find(
    'mention',
    changes.flatMap(({ name }) => mentionIdsOf(name, known.get(name)))
  )
  const touched = new Set([...given.keys(), ...replaced.keys()])
  const looked = await staging.find('mention', revisited)
  const evidence = [...given, ...replaced, ...looked].map(([id, mention]) => [id, mention.evidence] as const)
  const { mentions: around, answers } = await findBlocks(staging, touched, evidence)
  const before = new Map<string, StoredMention>([...around, ...replaced])
  const after = new Map<string, UnplacedMention>([...around, ...given])
  const mentions = [...after].map(([id, mention]) => toMention(id, mention.evidence))
  const clusters = blocksOf(mentions, answers).map(block => clusterBlock(block, answers))
  const positions = findPositions(
    clusters,
    before,
    after,
    touched,
    placing,
    await findElsewhere(staging, before, after, placing)
  )
  return { changes, known, before, after, touched, clusters, positions }
}

/**
 * Ids that mentions had before an import that is taken back, but that stand for something outside
 * of this block now: a record took them along that is still to be put back. When it is, this block
 * is looked at again.
 */
async function findElsewhere(
  staging: Staging,
  before: ReadonlyMap<string, StoredMention>,
  after: ReadonlyMap<string, UnplacedMention>,
  { hints }: Placing
): Promise<(id: string) => boolean> {
  if (hints === undefined) return () => false
  const here = new Set([...before.values()].flatMap(({ workId, expressionId }) => [workId, expressionId]))
  const hinted = [...before.keys(), ...after.keys()].flatMap(id => {
    const hint = hints.get(id)
    return hint === undefined ? [] : [hint.workId, hint.expressionId]
  })
  const elsewhere = await staging.findEntities(new Set(hinted.filter(id => !here.has(id))))
  return id => elsewhere.has(id)
}
