import { createHash } from 'node:crypto'

import { readCompact, writeCompact } from '#catalogue/lists/compact-token.ts'
import type { HarvestPosition } from '#catalogue/lists/harvest.ts'
import type { TimeRange } from './datestamps.ts'
import { oaiError } from './errors.ts'
import type { Verb } from './read-arguments.ts'

/**
 * A list that is being read, and how far: everything that going on needs, so the service keeps
 * nothing of it.
 */
export interface ListState {
  readonly verb: Verb
  readonly metadataPrefix: string
  readonly set?: string
  readonly range: TimeRange
  readonly position?: HarvestPosition
  /** How many were given before. */
  readonly given: number
}

/**
 * Writes the state as a text of letters, digits, `-`, `_` and `.`, which harvesters cannot spoil by
 * escaping it wrongly.
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

/**
 * Reads a token back. Throws `badResumptionToken` for what was not written here, for another verb,
 * or was cut off on its way.
 */
export function readToken(token: string, verb: Verb): ListState {
  const bad = () => oaiError('badResumptionToken', 'This is no resumption token of this list: begin the list anew')
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

/**
 * Against accidents only: whoever makes a token of their own learns nothing that their bearer may
 * not read.
 */
const checkOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8)
