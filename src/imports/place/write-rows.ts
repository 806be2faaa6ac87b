import type { Parts } from '#catalogue/parts.ts'
import { writeBatch } from '#catalogue/batches/write-batch.ts'
import { contentOf, type Entity, type EntityContent } from '#domain/entity/entity.ts'
import type { CatalogueError, Fault } from '#domain/errors.ts'
import type { ExistingEntity } from '#domain/imports/decide-entities.ts'
import type { ImportJob } from '#domain/imports/job.ts'
import type { ExistingContent } from '#domain/imports/retain-edits.ts'
import { isSameJson } from '#domain/json.ts'
import type { ImportState } from '../state/import-state.ts'
import { writerOf } from './entities.ts'
import { type GatheredRecord, identifierOf } from './gather-rows.ts'

/** The content that rows give a record. */
export interface RowPlan {
  readonly record: GatheredRecord
  /** The state after the last import that had it. */
  readonly before: ImportState['row'] | undefined
  /** The values of the file. */
  readonly given: ExistingContent
  readonly existing: ExistingEntity | undefined
  /** False for a record that earlier rows of a preview would have created. */
  readonly isStored: boolean
  /** The values of the record after the import. */
  readonly content: ExistingContent
  readonly isSame: boolean
  readonly refusal?: string
}

export interface RowResult {
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'refused'
  readonly refusals: readonly string[]
  readonly remarks: readonly string[]
  /** The entity that was written, or would be. */
  readonly entity: { readonly content: EntityContent } | undefined
}

/** An attempt to write a record, without the values that were refused before. */
interface Attempt {
  readonly plan: RowPlan
  readonly content: ExistingContent
  readonly remarks: readonly string[]
}

/** Maximum attempts at a record with values that its fields refuse. */
const maxAttempts = 3

/** Writes records. A value that its field refuses is left out, if the record can do without it. */
export async function writeRows(
  parts: Parts,
  job: ImportJob,
  plans: readonly RowPlan[]
): Promise<Map<RowPlan, RowResult>> {
  const results = new Map<RowPlan, RowResult>()
  const refuse = (plan: RowPlan, refusals: readonly string[], remarks: readonly string[] = []) =>
    results.set(plan, { outcome: 'refused', refusals, remarks, entity: undefined })
  for (const plan of plans) if (plan.refusal !== undefined) refuse(plan, [plan.refusal])
  const refusedIds = new Set<string>()
  // A preview writes nothing, so records of the file refer to each other without existing.
  const options = { dryRun: job.isPreview, allowDangling: job.isPreview }
  let open = plans
    .filter(plan => !plan.isSame && plan.refusal === undefined)
    .map((plan): Attempt => ({ plan, content: plan.content, remarks: [] }))
  for (let attempt = 1; open.length > 0; attempt++) {
    const again: Attempt[] = []
    for await (const result of writeBatch(parts, writerOf(parts, job), open.map(operationOf), options)) {
      const one = open[result.index]
      if (one === undefined) continue
      const { plan, remarks } = one
      const { error, warnings = [] } = result
      if (error === undefined) {
        const entity = result.entity && { content: contentOf(JSON.parse(result.entity.json) as Entity) }
        const outcome = result.outcome === 'unchanged' ? 'unchanged' : outcomeOf(plan, entity?.content)
        const doubts = warnings.map(each => withColumn(one, each))
        results.set(plan, { outcome, refusals: [], remarks: [...remarks, ...doubts], entity })
        continue
      }
      const next = attempt < maxAttempts ? withoutFaulty(one, error) : undefined
      if (next !== undefined) again.push(next)
      else {
        refusedIds.add(plan.record.id)
        refuse(plan, reasonsOf(one, error, refusedIds), remarks)
      }
    }
    open = again
  }
  return results
}

/** The outcome of a record that was written, or would be. */
function outcomeOf({ existing }: RowPlan, written: EntityContent | undefined): 'created' | 'updated' | 'unchanged' {
  if (existing === undefined) return 'created'
  const { metadata, relations } = existing.content
  return isSameJson([metadata, relations], [written?.metadata, written?.relations]) ? 'unchanged' : 'updated'
}

/** The operation of a batch that writes a record. */
function operationOf({ plan: { record, existing, isStored }, content: { metadata, relations } }: Attempt) {
  const { id, type, movedFrom } = record
  const identifier = identifierOf(record)
  // Another date may get the former name later.
  const own = (existing?.content.otherIdentifiers ?? []).filter(each => each !== movedFrom)
  const isOther = identifier !== undefined && ![id, existing?.content.uuid, ...own].includes(identifier)
  const identifiers = isOther ? [...own, identifier] : own
  return existing !== undefined && isStored
    ? { op: 'replace', id, if_match: existing.version, entity: { identifiers, metadata, relations } }
    : { op: 'create', entity: { id, type, identifiers, metadata, relations } }
}

/** The attempt without the values that were refused; undefined if it cannot do without them. */
function withoutFaulty(attempt: Attempt, error: CatalogueError): Attempt | undefined {
  const { plan, content, remarks } = attempt
  if (error.code !== 'invalid' && error.code !== 'description_too_long') return undefined
  const places = error.faults.map(({ pointer }) => /^\/metadata\/(\d+)(?:\/|$)/.exec(pointer))
  if (places.length === 0 || places.some(each => each === null)) return undefined
  const faulty = new Set(places.map(each => Number(each?.[1])))
  const left = error.faults.map(each => `${withColumn(attempt, each)}; the value is left out`)
  const metadata = content.metadata.filter((_, at) => !faulty.has(at))
  return { plan, content: { ...content, metadata }, remarks: [...remarks, ...left] }
}

/** The message of a fault with the column that the value comes from. */
function withColumn({ plan: { record }, content }: Attempt, { pointer, message }: Fault): string {
  const [, list, at] = /^\/(metadata|relations)\/(\d+)/.exec(pointer) ?? []
  const entry = list === 'metadata' ? content.metadata[Number(at)] : undefined
  const relation = list === 'relations' ? content.relations[Number(at)] : undefined
  const column =
    entry === undefined
      ? [...record.related.values()].find(
          ({ type, to }) => type === relation?.type && (typeof to === 'string' ? to : to.id) === relation.key
        )?.column
      : record.entries.get(entry.key)?.column
  return `${column || record.type}: ${message}`
}

function reasonsOf(attempt: Attempt, error: CatalogueError, refusedIds: ReadonlySet<string>): string[] {
  const faults = error.faults.length > 0 ? error.faults : [{ pointer: '', message: error.message }]
  return faults.map(each =>
    each.code === 'missing_target' && refusedIds.has(each.value ?? '')
      ? `${attempt.plan.record.type}: left out, since a record that it refers to was left out`
      : withColumn(attempt, each)
  )
}
