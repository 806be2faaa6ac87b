import { type Entity, valuesOf } from './entity.ts'
import type { FieldTest, Filter } from '../filter/filter.ts'
import type { ReadinessState } from '../find/readiness-states.ts'
import {
  filesField,
  type MediaAvailability,
  type MediaCategory,
  mediaCategories,
  production,
  statusFieldOf
} from '../record-types/production.ts'

export interface CategoryReadiness {
  readonly category: MediaCategory
  /** The status that the production declares. */
  readonly declared: MediaAvailability
  /** The number of files. */
  readonly files: number
  /** Whether status and files agree. */
  readonly agrees: boolean
  /** Whether no more files are expected. */
  readonly isDone: boolean
}

/** Whether a declared status expects files, none, or either. */
const expectsFiles: Readonly<Record<MediaAvailability, boolean | undefined>> = {
  status_to_be_determined: undefined,
  not_applicable: false,
  follows_later: false,
  partially: true,
  complete: true
}
const final: readonly MediaAvailability[] = ['complete', 'not_applicable']

export function readReadiness(entity: Pick<Entity, 'metadata'>): {
  readonly state: ReadinessState
  readonly categories: readonly CategoryReadiness[]
} {
  const categories = mediaCategories.map((category): CategoryReadiness => {
    const declared = (valuesOf(entity, statusFieldOf(category))[0] ?? 'status_to_be_determined') as MediaAvailability
    const files = Number(valuesOf(entity, filesField(category))[0] ?? 0)
    const expected = expectsFiles[declared]
    const agrees = expected === undefined || expected === files > 0
    return { category, declared, files, agrees, isDone: agrees && final.includes(declared) }
  })
  const state = categories.some(each => !each.agrees)
    ? 'contradictory'
    : categories.every(each => each.isDone)
      ? 'ready'
      : 'incomplete'
  return { state, categories }
}

/** A rule of a type, with the filter of the records that meet it. */
interface TypedRule {
  readonly type: string
  readonly filter: Filter
}

/** A filter for the records of a type that do not meet a rule. */
export const unmet = ({ type, filter }: TypedRule): Filter =>
  both({ kind: 'types', types: [type] }, { kind: 'not', of: filter })

/** A filter for the productions in one of these states; a ready one meets all rules. */
export function readinessFilter(states: readonly ReadinessState[], rules: readonly TypedRule[]): Filter {
  const done = both(ready, ...rules.filter(({ type }) => type === production.type).map(({ filter }) => filter))
  const filterByState: Record<ReadinessState, Filter> = {
    contradictory,
    ready: done,
    incomplete: { kind: 'not', of: { kind: 'any', of: [contradictory, done] } }
  }
  const any: Filter = { kind: 'any', of: states.map(state => filterByState[state]) }
  return { kind: 'all', of: [{ kind: 'types', types: [production.type] }, any] }
}

const field = (key: string, test: FieldTest): Filter => ({ kind: 'field', path: { kind: 'metadata', key }, test })
const declares = (category: MediaCategory, ...values: MediaAvailability[]) =>
  field(statusFieldOf(category), { kind: 'equals', values })
const withFiles = (category: MediaCategory) => field(filesField(category), { kind: 'present' })
const withoutFiles = (category: MediaCategory) => field(filesField(category), { kind: 'absent' })
const both = (...of: Filter[]): Filter => ({ kind: 'all', of })

const contradictory: Filter = {
  kind: 'any',
  of: mediaCategories.flatMap(category => [
    both(declares(category, 'complete', 'partially'), withoutFiles(category)),
    both(declares(category, 'not_applicable', 'follows_later'), withFiles(category))
  ])
}
const ready: Filter = both(
  ...mediaCategories.map(
    (category): Filter => ({
      kind: 'any',
      of: [
        both(declares(category, 'complete'), withFiles(category)),
        both(declares(category, 'not_applicable'), withoutFiles(category))
      ]
    })
  )
)
