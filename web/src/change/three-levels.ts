import type { RecordTypeRow } from '../../../client/index.ts'
import type { RecordModel } from '../data/record-model.ts'

/** The tables of the three levels of one material, recognised by their relations. */
export interface ThreeLevels {
  readonly works: readonly RecordTypeRow[]
  readonly expressions: readonly RecordTypeRow[]
  readonly manifestations: readonly RecordTypeRow[]
}

export const toWork = 'refWork'
export const toExpression = 'refExpressions'

/** The types of the three levels, if the token may write all of them. */
export function levelsOf(model: RecordModel): ThreeLevels | undefined {
  const writable = model.types.filter(row => row.may.includes('write'))
  const pointing = (relation: string) => writable.filter(row => row.relations.some(each => each.type === relation))
  const expressions = pointing(toWork)
  const manifestations = pointing(toExpression)
  const targets = new Set(expressions.flatMap(row => row.relations.find(({ type }) => type === toWork)?.to ?? []))
  const works = writable.filter(row => targets.has(row.type))
  return works.length > 0 && expressions.length > 0 && manifestations.length > 0
    ? { works, expressions, manifestations }
    : undefined
}

/**
 * An id for a record that others in the same request refer to: the prefix of its type and nine
 * random letters or digits.
 */
export function newId({ id_prefix }: RecordTypeRow): string {
  const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789'
  const code = [...crypto.getRandomValues(new Uint32Array(9))].map(each => letters[each % letters.length]).join('')
  return `${id_prefix}-${code}`
}
