import { createHash } from 'node:crypto'

import { readCompact, writeCompact } from '#catalogue/lists/compact-token.ts'
import type { HarvestPosition } from '#catalogue/lists/harvest.ts'
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
 * Writes the state with letters, digits, `-`, `_` and `.`, so wrong escaping by harvesters cannot
 * damage it.
 */
export function writeToken({ verb, metadataPrefix, set, range, position, given }: ListState): string {
  const { epoch, began, last, after } = position ?? { epoch: '', began: 0, last: 0, after: 0 }
  const text = writeCompact([
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
  return `${text}.${checkOf(text)}`
}

/** Reads a token. Throws `badResumptionToken` for a foreign, truncated or mismatched one. */
export function readToken(token: string, verb: Verb): ListState {
  const bad = () => oaiError('badResumptionToken', 'Not a resumption token of this list: start the list again')
  const [text = '', check = '', ...rest] = token.split('.')
  if (rest.length > 0 || check !== checkOf(text)) throw bad()
  const compact = readCompact(text, 10)
  if (!compact) throw bad()
  const [forVerb, metadataPrefix, set, from, until, epoch, began, last, after, given] = compact
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

/** Detects accidents only: a forged token reveals nothing that the bearer may not read. */
const checkOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8)
