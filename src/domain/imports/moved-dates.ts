import type { MetadataEntry } from '../entity/entity.ts'
import type { RecordType } from '../record-types/record-type.ts'

/*
 * Dates that moved between two imports of a programme. Sources give the new date only; the record
 * keeps the former one.
 */

type Rule = NonNullable<RecordType['moved']>

const hasOffset = (text: string) => /(?:Z|[+-]\d\d:\d\d)$/.test(text)

/** Whether two written times are the same; one without an offset is compared by its clock. */
const isSameTime = (one: string, other: string) =>
  hasOffset(one) && hasOffset(other) ? Date.parse(one) === Date.parse(other) : one.slice(0, 16) === other.slice(0, 16)

const textOf = (metadata: readonly MetadataEntry[], key: string): string | undefined => {
  const value = metadata.find(each => each.key === key)?.value
  return typeof value === 'string' ? value : undefined
}

/**
 * The values of a source with the former date and the status of a move: of one since the last
 * import, or of an earlier one. A date that moved back has neither.
 */
export function withMove(
  rule: Rule,
  given: readonly MetadataEntry[],
  before: readonly MetadataEntry[]
): readonly MetadataEntry[] {
  const [now, then] = [textOf(given, rule.start), textOf(before, rule.start)]
  if (now === undefined || then === undefined || textOf(given, rule.former) !== undefined) return given
  const earlier = textOf(before, rule.former)
  const former = isSameTime(now, then) ? earlier : earlier !== undefined && isSameTime(now, earlier) ? undefined : then
  if (former === undefined) return given
  const status = textOf(given, rule.status)
  const hasStatus = status !== undefined && status !== rule.usual
  return [
    ...given.filter(each => each.key !== rule.status || hasStatus),
    { key: rule.former, value: former },
    ...(hasStatus ? [] : [{ key: rule.status, value: rule.is }])
  ]
}

/** Maximum number of dates on either side that are compared with each other. */
const maxCompared = 1000

/**
 * Pairs dates that a source lacks with new ones: the nearest first. Dates that remain are new, or
 * are not in the source any more.
 */
export function pairDates<Gone extends { readonly start: string }, New extends { readonly start: string }>(
  gone: readonly Gone[],
  fresh: readonly New[]
): readonly (readonly [Gone, New])[] {
  const apart = gone
    .slice(0, maxCompared)
    .flatMap(one =>
      fresh
        .slice(0, maxCompared)
        .map(other => ({ one, other, gap: Math.abs(Date.parse(one.start) - Date.parse(other.start)) }))
    )
  const taken = new Set<unknown>()
  return apart
    .filter(({ gap }) => !Number.isNaN(gap))
    .sort((a, b) => a.gap - b.gap)
    .flatMap(({ one, other }) => {
      if (taken.has(one) || taken.has(other)) return []
      taken.add(one).add(other)
      return [[one, other] as const]
    })
}
