import type { HarvestPosition } from '#catalogue/lists/harvest.ts'
import type { OpaqueTokens } from '#catalogue/lists/opaque-tokens.ts'
import type { TimeRange } from './datestamps.ts'
import { oaiError } from './errors.ts'
import type { Verb } from './read-arguments.ts'

/** A list and the position in it: all state of a harvest, so the service stores nothing. */
export interface ListState {
  readonly verb: Verb
  readonly metadataPrefix: string
  readonly set?: string
  readonly range: TimeRange
  readonly position?: HarvestPosition
  /** Number of records sent before. */
  readonly given: number
}

/**
 * Writes the state with letters, digits, `-` and `_`, so wrong escaping by harvesters cannot damage
 * it.
 */
export function writeToken(
  tokens: OpaqueTokens,
  { verb, metadataPrefix, set, range, position, given }: ListState
): string {
  const { epoch, began, last, after } = position ?? { epoch: '', began: 0, last: 0, after: 0 }
  return tokens.write([
    verb,
    metadataPrefix,
    set ?? null,
    range.from ?? null,
    range.until ?? null,
    epoch,
    began,
    last,
    after,
    given
  ])
}

/** Reads a token. Throws `badResumptionToken` for a foreign, truncated or mismatched one. */
export function readToken(tokens: OpaqueTokens, token: string, verb: Verb): ListState {
  const bad = () => oaiError('badResumptionToken', 'Not a resumption token of this list: start the list again')
  const read = tokens.read(token, 10)
  if (!read) throw bad()
  const [forVerb, metadataPrefix, set, from, until, epoch, began, last, after, given] = read
  const isText = (value: unknown) => typeof value === 'string' && value.length < 1000
  const isGood =
    forVerb === verb &&
    [metadataPrefix, epoch].every(isText) &&
    [set, from, until].every(value => value === null || isText(value)) &&
    [began, last, after, given].every(value => Number.isSafeInteger(value) && (value as number) >= 0)
  if (!isGood) throw bad()
  return {
    verb,
    metadataPrefix: metadataPrefix as string,
    ...(set === null ? {} : { set: set as string }),
    range: {
      ...(from === null ? {} : { from: from as string }),
      ...(until === null ? {} : { until: until as string })
    },
    position: { epoch: epoch as string, began: began as number, last: last as number, after: after as number },
    given: given as number
  }
}
