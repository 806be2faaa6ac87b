import type { EntityPlan } from '#domain/imports/decide-entities.ts'
import type { StoredAuthority, StoredHoldings, UnplacedItem } from '#domain/imports/stored.ts'
import { isSameJson } from '#domain/json.ts'
import { recordName, type SourceHoldings } from '#formats/source/source-item.ts'
import { prefixOfNumber, restOf } from '../state/import-state.ts'
import type { Staging } from '../state/staging.ts'
import { findNamed } from './find-authorities.ts'
import { identifyItems, planItems } from './place-items.ts'
import type { Placed, Placing } from './placing.ts'
import { stageEntities } from './stage-entities.ts'
import { authoritiesOf, librariesOf, toStoredItem } from './stored-item.ts'

/** A holdings record in its new state; without `next` when it is to be deleted. */
export interface HoldingsChange {
  readonly name: string
  readonly next: NextHoldings | undefined
}

export interface NextHoldings {
  /** The import that wrote it; an undo restores it. */
  readonly job?: string
  readonly record: string
  readonly manifestationId: string
  readonly items: readonly UnplacedItem[]
  /** The libraries of the items, by key. */
  readonly libraries: ReadonlyMap<string, Omit<StoredAuthority, 'id'>>
}

/**
 * Finds the publications of holdings records, which must be imported already, in this batch or an
 * earlier one. Refuses the others with a reason.
 */
export async function findHoldings(
  staging: Staging,
  items: readonly SourceHoldings[]
): Promise<{ changes: HoldingsChange[]; refused: Map<SourceHoldings, readonly string[]> }> {
  const refused = new Map<SourceHoldings, readonly string[]>()
  const changes = new Map<string, HoldingsChange>()
  for (const item of items) {
    const { name, of, items: drafts } = item
    if (drafts.length === 0) {
      changes.set(name, { name, next: undefined })
      continue
    }
    const names = await findNames(staging, of)
    const [record = ''] = names
    const found = (await staging.find('record', [record])).get(record)
    if (names.length !== 1 || found === undefined) {
      refused.set(item, [names.length > 1 ? severalRemark(of.controlNumber) : missingRemark(of.controlNumber)])
      continue
    }
    changes.set(name, {
      name,
      next: {
        record,
        manifestationId: found.manifestationId,
        items: drafts.map(toStoredItem),
        libraries: authoritiesOf(librariesOf(drafts))
      }
    })
  }
  return { changes: [...changes.values()], refused }
}

/** The names of records with a number: with its agency one at most. */
async function findNames(staging: Staging, { controlNumber, agency }: SourceHoldings['of']): Promise<string[]> {
  const name = recordName(agency, controlNumber)
  if ((await staging.find('record', [name])).size > 0) return [name]
  return (await staging.listKeys('number', [prefixOfNumber(controlNumber)])).map(restOf)
}

const missingRemark = (number: string) =>
  `There is no record "${number}" of the publication (004). Import the publications first, with the same agency`
const severalRemark = (number: string) =>
  `Several records have the number "${number}" (004), and the file does not name the agency. Import it with its agency`

/** Stages the items of holdings records. */
export async function placeHoldings(
  staging: Staging,
  changes: readonly HoldingsChange[],
  placing: Placing
): Promise<Placed[]> {
  if (changes.length === 0) return []
  const known = await staging.find(
    'holdings',
    changes.map(({ name }) => name)
  )
  const libraries = new Map(changes.flatMap(({ next }) => [...(next?.libraries ?? [])]))
  const keys = new Set(libraries.keys())
  for (const { items } of [...known.values(), ...changes.flatMap(({ next }) => next ?? [])])
    for (const { draft } of items) for (const { target } of draft.relations) keys.add(target)
  const authorities = await findNamed(staging, libraries, keys, placing)
  const find = (key: string) => authorities.byKey.get(key)
  const plans: EntityPlan[] = []
  const placed = changes.map(({ name, next }): Placed => {
    const before = known.get(name)
    const after: StoredHoldings | undefined = next && {
      job: next.job ?? placing.job,
      record: next.record,
      manifestationId: next.manifestationId,
      items: identifyItems(before?.items ?? [], next.items, placing)
    }
    const outcome = outcomeOf(before, after)
    if (outcome !== 'unknown') {
      plans.push(...planItems(before, after, find))
      placing.undoNotes?.add({ of: 'holdings', name, before: before ?? null })
      staging.put('holdings', name, after ?? null)
    }
    return { name, outcome, manifestationId: after?.manifestationId, works: [] }
  })
  await stageEntities(staging, plans, authorities, placing)
  return placed
}

function outcomeOf(before: StoredHoldings | undefined, after: StoredHoldings | undefined): Placed['outcome'] {
  if (after === undefined) return before === undefined ? 'unknown' : 'deleted'
  if (before === undefined) return 'created'
  const isSame = before.manifestationId === after.manifestationId && isSameJson(before.items, after.items)
  return isSame ? 'unknown' : 'updated'
}
