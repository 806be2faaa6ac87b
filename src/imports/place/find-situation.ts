import { mentionId } from '#domain/clustering/evidence.ts'
import type { Relation } from '#domain/entity/entity.ts'
import { partNumberKey } from '#domain/entity/part-order.ts'
import type { StoredRecord, UnplacedMention } from '#domain/imports/stored.ts'
import type { Staging } from '../state/staging.ts'
import { findPositions, type Situation } from './find-positions.ts'
import { findSurroundings } from './find-surroundings.ts'
import { type Placing, type RecordChange, splitMention } from './placing.ts'
import { RecordLinks, type WorkLink, type View } from './record-links.ts'

/** A situation with the relations that records have because they name others. */
export interface LinkedSituation extends Situation {
  readonly linked: Readonly<Record<View, LinkRelations>>
  /** Records outside of the changes with a host among them. */
  readonly components: readonly string[]
}

/** Relations between records that name each other. */
export interface LinkRelations {
  /** Relations of a work to its parts, and to the serials that it continues. */
  ofWork(id: string, mentions: readonly string[]): Relation[]
  /** Relations of a publication to its hosts, by the ids that manifestations have now. */
  hostsOf(record: string, idOf: ReadonlyMap<string, string>): Relation[]
}

/**
 * Finds the mentions around the records that change, and their works and expressions. Works that
 * name a moved or changed work are among those that change, wherever they are: a serial names the
 * serial that it continues, and a collection the works in it.
 */
export async function findSituation(
  staging: Staging,
  changes: readonly RecordChange[],
  known: ReadonlyMap<string, StoredRecord>,
  revisited: readonly string[],
  placing: Placing
): Promise<LinkedSituation> {
  const links = new RecordLinks(staging, changes, known)
  const changed = changes.map(each => each.name)
  await links.load(changed)
  const visited = new Set([...revisited, ...successorsOf(links, changed)])
  // A work that moves may be named by works of blocks that were not read. Reading them may move
  // further works, so this ends when nothing is missing.
  for (;;) {
    const surroundings = await findSurroundings(staging, changes, known, [...visited], placing)
    const { before, after, touched } = surroundings
    const positions = findPositions(surroundings, placing)
    const moved = recordsOf([...before.keys()].filter(id => before.get(id)?.workId !== positions.of.get(id)?.workId))
    await links.load(moved)
    const naming = new Set([...successorsOf(links, [...changed, ...moved]), ...moved.map(wholeOf)])
    const missing = [...naming].filter(id => !before.has(id) && !after.has(id) && !visited.has(id))
    if (missing.length === 0) {
      const namingWorks = [...naming].flatMap(id => positions.of.get(id)?.workId ?? [])
      const changedWorks = new Set([...positions.changedWorks, ...namingWorks])
      const situation = { changes, known, before, after, touched, positions: { ...positions, changedWorks } }
      return withLinks(staging, situation, links, placing)
    }
    for (const id of missing) visited.add(id)
  }
}

const recordOf = (mention: string) => splitMention(mention)[0]
const recordsOf = (mentions: Iterable<string>) => [...new Set([...mentions].map(recordOf))]
const isWhole = (mention: string) => splitMention(mention)[1] === 0
/** The mention of the record as a whole. */
const wholeOf = (record: string) => mentionId(record, 0)

/** The mentions of serials that continue some records, or continue others after the change. */
const successorsOf = (links: RecordLinks, records: readonly string[]) =>
  [...records.flatMap(name => links.successorsOf(name)), ...links.redirected().successors].map(wholeOf)

/** The mentions of the works in a record. */
const partsIn = (whole: string, mention: UnplacedMention | undefined) =>
  Array.from({ length: mention?.parts ?? 0 }, (_, place) => mentionId(recordOf(whole), place + 1))

/** Adds the relations of links, before and after the change, to a situation. */
async function withLinks(
  staging: Staging,
  situation: Situation,
  links: RecordLinks,
  placing: Placing
): Promise<LinkedSituation> {
  const wholes = wholesOfChangedWorks(situation)
  await links.load(linkedRecords(situation, wholes))
  const views = { before: viewOf('before', situation, links), after: viewOf('after', situation, links) }
  const named = wholes.flatMap(id =>
    [views.before, views.after].flatMap(view => [
      ...view.parts(id),
      ...view.linked(id).map(({ record }) => wholeOf(record))
    ])
  )
  // Named works outside of the situation stay where they are.
  const { before, after } = situation
  const outside = await staging.find('mention', new Set(named.filter(id => !before.has(id) && !after.has(id))))
  const workIds = [...outside.values()].map(each => each.workId)
  const ownerOf = await findMergedInto([...workIds, ...links.manifestations()], placing)
  const workOutside = (mention: string) => {
    const workId = outside.get(mention)?.workId
    return workId && ownerOf(workId)
  }
  const linked = {
    before: linkRelations(views.before, workOutside, name => ownerOf(links.manifestationOf(name))),
    after: linkRelations(views.after, workOutside, name => ownerOf(links.manifestationOf(name)))
  }
  return { ...situation, linked, components: componentsOf(situation, links) }
}

/** The mentions of whole records in the works that change. */
function wholesOfChangedWorks({ positions }: Situation): string[] {
  const { works, oldWorks, changedWorks, deletedWorks } = positions
  const ids = [...changedWorks, ...deletedWorks.map(each => each.id)]
  return [...new Set(ids.flatMap(id => [...(works.get(id) ?? []), ...(oldWorks.get(id) ?? [])]).filter(isWhole))]
}

/**
 * The records whose links matter: serials, adaptations, and those whose publications are written
 * again.
 */
function linkedRecords({ before, after, positions }: Situation, wholes: readonly string[]): string[] {
  const mayBeLinked = (id: string) => hasLinks(before.get(id)) || hasLinks(after.get(id))
  const inOtherExpressions = [...before].filter(
    ([id, each]) => positions.of.get(id)?.expressionId !== each.expressionId
  )
  return recordsOf([...wholes.filter(mayBeLinked), ...inOtherExpressions.map(([id]) => id)])
}

const hasLinks = (mention: UnplacedMention | undefined) =>
  mention?.isAdaptation === true || (mention?.work.type.endsWith('_serial') ?? false)

/** Records outside of the changes whose hosts change, or are others after the change. */
function componentsOf({ changes }: Situation, links: RecordLinks): string[] {
  const changed = new Set(changes.map(each => each.name))
  const found = [...[...changed].flatMap(name => links.partsOf(name)), ...links.redirected().components]
  return [...new Set(found)].filter(name => !changed.has(name))
}

/** Finds the entities that people merged others into: links lead there. */
async function findMergedInto(ids: readonly string[], { findOwners, hints }: Placing) {
  // An undo restores entities that were merged.
  const owners: ReadonlyMap<string, string> =
    hints !== undefined || ids.length === 0 ? new Map() : await findOwners([...new Set(ids)])
  return <Id extends string | undefined>(id: Id) => (id === undefined ? undefined : (owners.get(id) ?? id))
}

/** Mentions and their links, before or after the change. */
interface LinkView {
  /** The mentions of the works in a record, by the mention of the whole. */
  parts(whole: string): string[]
  /** The works that one continues, translates, is a supplement to or is made after. */
  linked(whole: string): readonly WorkLink[]
  hosts(record: string): ReturnType<RecordLinks['hostsOf']>
  workOf(mention: string): string | undefined
  /** Whether manifestations have the ids of after the change. */
  readonly isAfter: boolean
}

function viewOf(view: View, { before, after, positions }: Situation, links: RecordLinks): LinkView {
  const isAfter = view === 'after'
  const find = (id: string) => (isAfter ? after : before).get(id)
  return {
    parts: whole => partsIn(whole, find(whole)),
    linked: whole => (hasLinks(find(whole)) ? links.worksOf(view, recordOf(whole)) : []),
    hosts: record => links.hostsOf(view, record),
    workOf: mention => (isAfter ? positions.of : before).get(mention)?.workId,
    isAfter
  }
}

function linkRelations(
  view: LinkView,
  workOutside: (mention: string) => string | undefined,
  manifestationOf: (record: string) => string | undefined
): LinkRelations {
  const workOf = (mention: string) => view.workOf(mention) ?? workOutside(mention)
  const relationsTo = (type: string, own: string, mentions: readonly string[]): Relation[] => {
    const keys = new Set(mentions.flatMap(each => workOf(each) ?? []))
    keys.delete(own)
    return [...keys].map(key => ({ key, type }))
  }
  /** Each work once under a type, with the times that records give. */
  const workRelations = (own: string, linked: readonly WorkLink[]): Relation[] => {
    const named = linked.flatMap(each => ({ ...each, key: workOf(wholeOf(each.record)) ?? own }))
    const groups = Map.groupBy(named, ({ relation, key }) => `${relation} ${key}`)
    return [...groups.values()].flatMap(([first, ...others]) => {
      if (first === undefined || first.key === own) return []
      const dates = new Set([first, ...others].flatMap(({ date }) => date ?? []))
      const metadata = [...dates].map(value => ({ key: 'date', value }))
      return [{ key: first.key, type: first.relation, ...(metadata.length === 0 ? {} : { metadata }) }]
    })
  }
  return {
    ofWork: (id, mentions) => {
      const wholes = mentions.filter(isWhole)
      return [
        ...relationsTo('refParts', id, wholes.flatMap(view.parts)),
        ...workRelations(id, wholes.flatMap(view.linked))
      ]
    },
    hostsOf: (record, idOf) => {
      const numbers = new Map<string, Set<string>>()
      for (const { to, link } of view.hosts(record)) {
        const id = (view.isAfter ? idOf.get(to) : undefined) ?? manifestationOf(to)
        if (id === undefined) continue
        const known = numbers.get(id) ?? new Set()
        if (link.number !== undefined) known.add(link.number)
        numbers.set(id, known)
      }
      return [...numbers].map(([key, own]) => ({
        key,
        type: 'refHost',
        ...(own.size === 0 ? {} : { metadata: [...own].map(value => ({ key: partNumberKey, value })) })
      }))
    }
  }
}
