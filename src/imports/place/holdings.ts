import type { EntityPlan } from '#domain/imports/decide-entities.ts'
import type { StoredAuthority, StoredHoldings, UnplacedItem } from '#domain/imports/stored.ts'
import { isSameJson } from '#domain/json.ts'
import { item as copy } from '#domain/record-types/holdings.ts'
import { authoritiesOf } from '#formats/description/stored-drafts.ts'
import { recordName, type SourceHoldings } from '#formats/source/source-item.ts'
import { keys, prefixOfNumber, restOf, type Undo } from '../state/import-state.ts'
import type { Staging } from '../state/staging.ts'
import { excessOfItems } from './draft-limits.ts'
import { findNamed } from './find-authorities.ts'
import { identifyItems, planItems, librariesOf, toStoredItem } from './place-items.ts'
import { type ImportKind, mayNotDelete, notesOf } from './import-kind.ts'
import type { Placing } from './placing.ts'
import { stageEntities } from './stage-entities.ts'

/* Holdings records: the items of publications that are imported already. */

interface PlacedHoldings {
  readonly item: SourceHoldings
  readonly refusal?: readonly string[]
  /** Undefined when it was refused, or when a later record of the batch has its name. */
  readonly outcome?: HoldingsOutcome
}

export const holdings: ImportKind<SourceHoldings, PlacedHoldings> = {
  refuse({ items }, rules) {
    if (items.length === 0 && rules.mayDelete === false) return [mayNotDelete]
    const excess = excessOfItems(items, rules)
    return excess === undefined ? undefined : [excess]
  },

  async place(items, { staging, placing }) {
    const own = await findOwn(staging, items)
    const { changes, refused } = await findChanges(
      staging,
      items.filter(each => !own.has(each))
    )
    const outcomes = await placeHoldings(staging, [...changes.values()], placing)
    const last = new Map(items.map(item => [item.name, item]))
    return items.map((item): PlacedHoldings => {
      const refusal = refused.get(item)
      if (refusal !== undefined) return { item, refusal }
      if (own.has(item)) return { item, outcome: 'unchanged' }
      const outcome = last.get(item.name) === item ? outcomes.get(item.name) : undefined
      return { item, ...(outcome === undefined ? {} : { outcome }) }
    })
  },

  summarise: ({ item, refusal, outcome }) => ({
    item,
    counted: outcome === undefined ? [] : [outcome],
    ...(refusal === undefined ? {} : { refusal })
  }),

  undo: {
    of: ['holdings'],
    async restore(notes, { staging, placing, job, inBatches }) {
      await inBatches(notesOf(notes, 'holdings'), async batch => {
        await placeHoldings(staging, await restoringChanges(staging, batch, job), placing)
      })
    }
  }
}

type HoldingsOutcome = 'created' | 'updated' | 'unchanged' | 'deleted'

/** A holdings record in its new state; without `next` when it is to be deleted. */
interface HoldingsChange {
  readonly name: string
  readonly next: NextHoldings | undefined
}

interface NextHoldings {
  /** The import that wrote it; an undo restores it. */
  readonly job?: string
  readonly record: string
  readonly manifestationId: string
  readonly items: readonly UnplacedItem[]
  readonly source?: StoredHoldings['source']
  /** The libraries of the items, by key. */
  readonly libraries: ReadonlyMap<string, Omit<StoredAuthority, 'id'>>
}

/**
 * The holdings records that were made here of copies: the number of one is the id of a copy that
 * exists. They are not imported.
 */
async function findOwn(staging: Staging, items: readonly SourceHoldings[]): Promise<Set<SourceHoldings>> {
  const known = await staging.find(
    'holdings',
    items.map(each => each.name)
  )
  const numbers = new Map(
    items.flatMap(each => (known.has(each.name) ? [] : [[each, each.name.replace(/^\([^)]*\)/, '')] as const]))
  )
  const existing = await staging.findEntities(new Set(numbers.values()))
  const deleted = new Set(staging.pending().writes.flatMap(each => (each.kind === 'delete' ? [each.id] : [])))
  const isCopy = (id: string) => existing.get(id)?.content.type === copy.type && !deleted.has(id)
  return new Set([...numbers].flatMap(([item, id]) => (isCopy(id) ? [item] : [])))
}

/**
 * Finds the publications of holdings records, which must be imported already, in this batch or an
 * earlier one. Refuses the others with a reason.
 */
async function findChanges(
  staging: Staging,
  items: readonly SourceHoldings[]
): Promise<{ changes: Map<string, HoldingsChange>; refused: Map<SourceHoldings, readonly string[]> }> {
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
        source: { form: item.format, base64: Buffer.from(item.source).toString('base64') },
        libraries: authoritiesOf(librariesOf(drafts))
      }
    })
  }
  return { changes, refused }
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

/** Stages the items of holdings records. Returns the outcome of each, by name. */
async function placeHoldings(
  staging: Staging,
  changes: readonly HoldingsChange[],
  placing: Placing
): Promise<Map<string, HoldingsOutcome>> {
  const outcomes = new Map<string, HoldingsOutcome>()
  if (changes.length === 0) return outcomes
  const known = await staging.find(
    'holdings',
    changes.map(({ name }) => name)
  )
  const libraries = new Map(changes.flatMap(({ next }) => [...(next?.libraries ?? [])]))
  const wanted = new Set(libraries.keys())
  for (const { items } of [...known.values(), ...changes.flatMap(({ next }) => next ?? [])])
    for (const { draft } of items) for (const { target } of draft.relations) wanted.add(target)
  const authorities = await findNamed(staging, libraries, wanted, placing)
  const find = (key: string) => authorities.byKey.get(key)
  const plans: EntityPlan[] = []
  for (const { name, next } of changes) {
    const before = known.get(name)
    const after: StoredHoldings | undefined = next && {
      job: next.job ?? placing.job,
      record: next.record,
      manifestationId: next.manifestationId,
      items: identifyItems(before?.items ?? [], next.items, placing),
      ...(next.source === undefined ? {} : { source: next.source })
    }
    const outcome = outcomeOf(before, after)
    outcomes.set(name, outcome)
    if (outcome === 'unchanged') {
      // One that an earlier version imported gets its source, which is none of its values.
      if (before !== undefined && before.source === undefined && after?.source !== undefined)
        putHoldings(staging, name, before, { ...before, source: after.source })
      continue
    }
    plans.push(...planItems(before, after, find))
    placing.undoNotes?.add({ of: 'holdings', name, before: before ?? null })
    putHoldings(staging, name, before, after)
  }
  await stageEntities(staging, plans, authorities, placing)
  return outcomes
}

/** Stages a holdings record, by its name and by its publication. */
function putHoldings(
  staging: Staging,
  name: string,
  before: StoredHoldings | undefined,
  after: StoredHoldings | undefined
) {
  staging.put('holdings', name, after ?? null)
  if (before?.source !== undefined) staging.put('holdings of', keys.holdingsOf(before.manifestationId, name), null)
  if (after?.source !== undefined) staging.put('holdings of', keys.holdingsOf(after.manifestationId, name), true)
}

function outcomeOf(before: StoredHoldings | undefined, after: StoredHoldings | undefined): HoldingsOutcome {
  if (after === undefined) return before === undefined ? 'unchanged' : 'deleted'
  if (before === undefined) return 'created'
  const isSame =
    before.manifestationId === after.manifestationId &&
    isSameJson(before.items, after.items) &&
    (before.source === undefined || isSameJson(before.source, after.source))
  return isSame ? 'unchanged' : 'updated'
}

/** Makes changes that restore holdings records, unless a later import has changed them. */
async function restoringChanges(
  staging: Staging,
  batch: readonly Extract<Undo, { of: 'holdings' }>[],
  job: string
): Promise<HoldingsChange[]> {
  const known = await staging.find(
    'holdings',
    batch.map(each => each.name)
  )
  return batch.flatMap(({ name, before }): HoldingsChange[] => {
    const now = known.get(name)
    if (now !== undefined && now.job !== job) return []
    return [{ name, next: before === null ? undefined : { ...before, libraries: new Map() } }]
  })
}
