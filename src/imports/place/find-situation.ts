import { mentionId } from '#domain/clustering/evidence.ts'
import type { Relation } from '#domain/entity/entity.ts'
import { partNumberKey } from '#domain/entity/part-order.ts'
import type { StoredMention, StoredRecord, UnplacedMention } from '#domain/imports/stored.ts'
import type { Staging } from '../state/staging.ts'
import { findPositions, type Situation } from './find-positions.ts'
import { findSurroundings } from './find-surroundings.ts'
import { type Placing, type RecordChange, splitMention } from './placing.ts'
import { RecordLinks, type View } from './record-links.ts'

/** A situation with the relations that records have because they name others. */
export interface LinkedSituation extends Situation {
  /** Relations of a work: its parts, and the serials that it continues. */
  readonly linksOfWork: (view: View, id: string, mentions: readonly string[]) => Relation[]
  /** The hosts of a publication, by the ids that manifestations have now. */
  readonly hostsOf: (view: View, record: string, idOf: ReadonlyMap<string, string>) => Relation[]
  /** Records outside of the changes with a host among them. */
  readonly components: readonly string[]
}

/**
 * Finds the mentions around the records that change, and their works and expressions. Works that
 * name a moved or changed work are among those that change, wherever they are.
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
  const successors = () => [...changed.flatMap(name => links.successorsOf(name)), ...links.redirected().successors]
  const wanted = new Set([...revisited, ...successors().map(wholeOf)])
  for (;;) {
    const surroundings = await findSurroundings(staging, changes, known, [...wanted], placing)
    const { before, after, touched } = surroundings
    const positions = findPositions(surroundings, placing)
    const moved = [...before.keys()].filter(id => before.get(id)?.workId !== positions.of.get(id)?.workId)
    const movedRecords = [...new Set(moved.map(recordOf))]
    await links.load(movedRecords)
    const naming = new Set([
      ...[...successors(), ...movedRecords.flatMap(name => links.successorsOf(name))].map(wholeOf),
      ...moved.map(recordOf).map(wholeOf)
    ])
    const missing = [...naming].filter(id => !before.has(id) && !after.has(id) && !wanted.has(id))
    for (const id of missing) wanted.add(id)
    if (missing.length > 0) continue
    const changedWorks = new Set(positions.changedWorks)
    for (const id of naming) {
      const work = positions.of.get(id)?.workId
      if (work !== undefined) changedWorks.add(work)
    }
    const situation = { changes, known, before, after, touched, positions: { ...positions, changedWorks } }
    return { ...situation, ...(await findLinkRelations(staging, situation, links, placing)) }
  }
}

const recordOf = (mention: string) => splitMention(mention)[0]
const isWhole = (mention: string) => splitMention(mention)[1] === 0
/** The mention of the record as a whole. */
const wholeOf = (record: string) => mentionId(record, 0)

/** The mentions of the works in a record. */
const partsIn = (whole: string, mention: UnplacedMention | undefined) =>
  Array.from({ length: mention?.parts ?? 0 }, (_, place) => mentionId(recordOf(whole), place + 1))

async function findLinkRelations(
  staging: Staging,
  { changes, before, after, positions }: Situation,
  links: RecordLinks,
  { findOwners, hints }: Placing
): Promise<Pick<LinkedSituation, 'linksOfWork' | 'hostsOf' | 'components'>> {
  const { works, oldWorks, changedWorks, deletedWorks, of } = positions
  const members = [...changedWorks, ...deletedWorks.map(each => each.id)].flatMap(id => [
    ...(works.get(id) ?? []),
    ...(oldWorks.get(id) ?? [])
  ])
  const wholes = [...new Set(members.filter(isWhole))]
  const isOfSerial = (view: View, id: string) =>
    (view === 'before' ? before : after).get(id)?.work.type.endsWith('_serial') ?? false
  const isOrWasOfSerial = (id: string) => isOfSerial('before', id) || isOfSerial('after', id)
  const inOtherExpressions = [...before].filter(([id, each]) => of.get(id)?.expressionId !== each.expressionId)
  await links.load(
    new Set([...wholes.filter(isOrWasOfSerial).map(recordOf), ...inOtherExpressions.map(([id]) => recordOf(id))])
  )
  const predecessorsOf = (view: View, id: string) =>
    isOfSerial(view, id) ? links.predecessorsOf(view, recordOf(id)).map(wholeOf) : []

  const named = wholes.flatMap(id => [
    ...partsIn(id, before.get(id)),
    ...partsIn(id, after.get(id)),
    ...predecessorsOf('before', id),
    ...predecessorsOf('after', id)
  ])
  const elsewhere = await staging.find('mention', new Set(named.filter(id => !before.has(id) && !after.has(id))))
  const changed = new Set(changes.map(each => each.name))
  const inChanged = [...changed].flatMap(name => links.partsOf(name))
  const components = [...new Set([...inChanged, ...links.redirected().components])].filter(name => !changed.has(name))
  // People may have merged works and publications that links lead to.
  const ids = [...[...elsewhere.values()].map(each => each.workId), ...links.manifestations()]
  const owners: ReadonlyMap<string, string> =
    hints !== undefined || ids.length === 0 ? new Map() : await findOwners([...new Set(ids)])
  const workIn = (view: View, id: string) => {
    const here = (view === 'before' ? before.get(id) : of.get(id))?.workId
    const there = elsewhere.get(id)?.workId
    return here ?? (there && (owners.get(there) ?? there))
  }

  return {
    linksOfWork: (view, id, own) => {
      const mentions: ReadonlyMap<string, UnplacedMention | StoredMention> = view === 'before' ? before : after
      const found = own.filter(isWhole)
      return [
        ...relationsTo(
          'refParts',
          found.flatMap(each => partsIn(each, mentions.get(each)))
        ),
        ...relationsTo(
          'refPrecededBy',
          found.flatMap(each => predecessorsOf(view, each))
        )
      ]

      function relationsTo(type: string, targets: readonly string[]): Relation[] {
        const keys = new Set(targets.flatMap(each => workIn(view, each) ?? []))
        keys.delete(id)
        return [...keys].map(key => ({ key, type }))
      }
    },
    hostsOf: (view, record, idOf) => {
      const numbers = new Map<string, Set<string>>()
      for (const { to, link } of links.hostsOf(view, record)) {
        const own = links.manifestationOf(to)
        const id = (view === 'after' ? idOf.get(to) : undefined) ?? (own && (owners.get(own) ?? own))
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
    },
    components
  }
}
