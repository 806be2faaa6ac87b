import { invalidWith } from '../errors.ts'
import type { Model } from '../record-types/model.ts'
import { findModelOf } from './find-model.ts'
import { type FindState, readFindState } from './find-state.ts'

/**
 * Reads an address such as `/find?q=hamlet`. Throws `invalid` at the pointer for any other text,
 * and for a parameter that is not understood.
 */
export function readSearchAddress(model: Model, address: string, pointer: string): FindState {
  const isFind = address === '/find' || address.startsWith('/find?')
  const state = readFindState(new URLSearchParams(address.slice('/find?'.length)), findModelOf(model))
  const [unknown] = isFind ? state.unknown : [address]
  if (unknown === undefined) return state
  throw invalidWith([{ pointer, message: `"${unknown}" is not part of an address "/find?…"` }])
}
