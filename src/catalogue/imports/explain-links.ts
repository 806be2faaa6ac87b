import { clusterBlock } from '#domain/clustering/cluster-block.ts'
import { blocksOf } from '#domain/clustering/cluster-records.ts'
import { shownName } from '#domain/imports/kept.ts'
import type { Store } from '#store/store.ts'
import { createDesk } from './desk.ts'
import { findBlocks, toMention } from './find-blocks.ts'
import { mentionIdsOf, splitMention } from './placing.ts'
import { explain } from './review.ts'

/** Where a manifestation came from, and why it is with the works it is with. */
export interface Origin {
  readonly import_id: string
  readonly record: string
  readonly form: string
  readonly links: readonly OriginLink[]
}

export interface OriginLink {
  readonly work_id: string
  readonly expression_id: string
  /** The manifestation whose record this one was joined to; null for the first of a work, or the only one. */
  readonly joined_to: string | null
  readonly reason: string | null
  readonly explanation: string | null
  readonly confidence: number | null
  readonly is_sure: boolean | null
}

/** Worked out anew from what is kept, so it is true of the catalogue as it is now. Undefined for what no import made. */
export async function explainLinks(store: Store, manifestationId: string): Promise<Origin | undefined> {
  const desk = createDesk(store)
  const name = (await desk.find('import origin', [manifestationId])).get(manifestationId)
  const record = name === undefined ? undefined : (await desk.find('import record', [name])).get(name)
  if (name === undefined || record === undefined) return undefined
  const source = (await desk.find('import source', [manifestationId])).get(manifestationId)
  const ids = mentionIdsOf(name, record)
  const own = await desk.find('import mention', ids)
  const { mentions, answers } = await findBlocks(
    desk,
    new Set(),
    [...own].map(([id, { evidence }]) => [id, evidence] as const)
  )
  const all = [...mentions].map(([id, { evidence }]) => toMention(id, evidence))
  const members = blocksOf(all, answers)
    .filter(block => block.some(each => own.has(each.id)))
    .flatMap(block => clusterBlock(block, answers).works)
    .flatMap(work => work.members)
  const links = new Map(members.map(each => [each.mention, each.link]))
  const joined = await desk.find(
    'import record',
    [...links.values()].flatMap(link => (link === undefined ? [] : [splitMention(link.to)[0]]))
  )
  return {
    import_id: record.job,
    record: shownName(name, record),
    form: source?.form ?? '',
    links: ids.flatMap(id => {
      const mention = own.get(id)
      if (mention === undefined) return []
      const link = links.get(id)
      return [
        {
          work_id: mention.workId,
          expression_id: mention.expressionId,
          joined_to: link === undefined ? null : (joined.get(splitMention(link.to)[0])?.manifestationId ?? null),
          reason: link?.reason.code ?? null,
          explanation: link === undefined ? null : explain(link.reason),
          confidence: link?.confidence ?? null,
          is_sure: link?.isSure ?? null
        }
      ]
    })
  }
}
