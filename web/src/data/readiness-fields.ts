import type { FieldRow, Readiness } from '../../../client/index.ts'

/** The readiness fields: those whose values run up to `complete`. */
export const readinessFields = (fields: readonly FieldRow[]) =>
  fields.filter(({ of }) => of?.includes('complete') && of.includes('follows_later'))

/** The name of a rule in the language of the reader. */
export const ruleName = ({ name, label }: Pick<Readiness['rules'][number], 'name' | 'label'>, language: string) =>
  String(label?.[language] ?? label?.en ?? name.replaceAll('_', ' '))
