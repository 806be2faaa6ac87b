import { isEmpty, textOf } from '../data/record-model.ts'

/** A relation with the summary of its target, as the service resolves it. */
export interface ResolvedTarget {
  readonly key: string
  readonly type: string
  readonly label: string
  readonly role: string | undefined
  /** Its own number among the parts of the target, or the time of the relation. */
  readonly number: string | undefined
  /** The name of the target. */
  readonly name: string
  /** The code of a term for a role. */
  readonly roleCode: string | undefined
  /** Details of the target: life dates, the code of a class. */
  readonly more: string | undefined
  /** The path from the broadest class to the target, in a hierarchy. */
  readonly levels: readonly { readonly level: string; readonly title: string }[]
  readonly isMissing: boolean
}

/**
 * Reads the summary that the service adds to a relation. Its members depend on the type of the
 * target.
 */
export function resolvedTarget(key: string, relation: Readonly<Record<string, unknown>>): ResolvedTarget {
  const { type, label, value, title, wording, code, life_dates, land_or_language, subtitle, metadata, levels } =
    relation
  const name = [value, title, wording, code].find(each => !isEmpty(each))
  // Codes of classes are for people, those of languages and roles for machines.
  const classCode = Array.isArray(levels) && name !== code ? code : undefined
  const more = [life_dates, subtitle, land_or_language, classCode].find(each => !isEmpty(each))
  const own = Array.isArray(metadata) ? (metadata as { key?: unknown; value?: unknown }[]) : []
  const role = own.find(entry => entry.key === 'role')?.value
  const numbers = own
    .filter(({ key, value }) => (key === 'number' || key === 'date') && !isEmpty(value))
    .map(({ value }) => textOf(value))
  return {
    key,
    type: String(type),
    label: String(label),
    role: isEmpty(role) ? undefined : textOf(role),
    number: numbers.length === 0 ? undefined : numbers.join(', '),
    name: name === undefined ? key : textOf(name),
    roleCode: isEmpty(wording) || isEmpty(code) ? undefined : textOf(code),
    more: more === undefined ? undefined : textOf(more),
    levels: Array.isArray(levels) ? levels : [],
    isMissing: label === 'missing'
  }
}
