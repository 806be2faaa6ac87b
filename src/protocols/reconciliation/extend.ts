import { createTurns } from '#catalogue/take-turns.ts'
import { invalidWith } from '#domain/errors.ts'
import { readDate } from '#domain/values/dates.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Principal } from '#domain/permissions.ts'
import type { Caller } from './find-candidates.ts'
import { findEntity, type FoundValue, valuesOfProperty } from './property-values.ts'
import type { ExtensionQuery } from './read-queries.ts'
import { type Named, toNamed } from './vocabulary.ts'

type Cell = { readonly str: string } | { readonly date: string } | { readonly float: number } | Named

export interface Extension {
  readonly meta: readonly Named[]
  readonly rows: Readonly<Record<string, Readonly<Record<string, readonly Cell[]>>>>
}

/** Maximum number of values in an answer: some for each property of the most records. */
const maxFetched = 50_000

/** The values of properties of matched records. A missing record has none. */
export async function extend(
  caller: Caller,
  principal: Principal,
  { ids, properties }: ExtensionQuery
): Promise<Extension> {
  const rows: Record<string, Record<string, readonly Cell[]>> = Object.create(null)
  const takeTurns = createTurns()
  let fetched = 0
  for (const id of new Set(ids)) {
    const entity = await findEntity(caller.catalogue, principal, id)
    const row: Record<string, readonly Cell[]> = Object.create(null)
    for (const pid of new Set(properties)) {
      const values = entity ? await valuesOfProperty(caller, principal, entity, pid) : []
      row[pid] = values.map(value => toCell(caller.model, entity?.type ?? '', pid, value))
      fetched += values.length
      if (fetched > maxFetched) throw tooManyValues()
      await takeTurns()
    }
    rows[id] = row
  }
  return { meta: properties.map(toNamed), rows }
}

const tooManyValues = () =>
  invalidWith([
    {
      pointer: 'extend',
      message: `The records have more than ${maxFetched} values of these properties; ask for fewer ids at once`
    }
  ])

/** A value in the form of its field. */
function toCell(model: Model, type: string, pid: string, value: FoundValue): Cell {
  if ('id' in value) return value
  const kind = model.fieldOf(type, pid)?.kind
  const date = kind === 'date' || kind === 'moment' ? readDate(value.text) : undefined
  if (date) return { date: new Date(date.first).toISOString().replace('.000Z', 'Z') }
  const number = kind === 'number' || kind === 'minutes' ? Number(value.text) : Number.NaN
  return Number.isFinite(number) ? { float: number } : { str: value.text }
}
