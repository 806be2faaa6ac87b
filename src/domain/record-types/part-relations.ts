import type { Model } from './model.ts'

/** The relations by which records are parts of records of a type. */
export function partRelations(model: Model, type: string): string[] {
  const names = new Set<string>()
  for (const { relations } of model.recordTypes)
    for (const [name, { isPart, to }] of Object.entries(relations))
      if (isPart && to.some(target => model.typesNamed(target).includes(type))) names.add(name)
  return [...names]
}
