import type { EntityContent } from '../entity/entity.ts'
import { contentHashField } from '../entity/server-fields.ts'
import { importOf } from '../imports/job.ts'
import type { Model } from '../record-types/model.ts'
import { maxFilterTextLength } from './index-values.ts'

/** A value by which the database itself finds a record of a type. */
export interface LookupValue {
  readonly type: string
  readonly key: string
  readonly value: string
}

/**
 * The field by which an import recognises an authority that people created: its code, or its name.
 */
export function recognisedBy(model: Model, type: string): string | undefined {
  const recordType = model.findType(type)
  return recordType?.fields.code?.kind === 'text' ? 'code' : recordType?.nameField
}

/**
 * The values by which the service itself looks up a record without the index in memory: imports
 * find authorities that people created, and the clean-up of media files finds their content.
 * Records of imports are found by the state of the import.
 */
export function lookupValues(
  model: Model,
  { type, metadata }: Pick<EntityContent, 'type' | 'metadata'>,
  createdBy: string
): LookupValue[] {
  const field = importOf(createdBy) === undefined ? recognisedBy(model, type) : undefined
  const values = new Map<string, LookupValue>()
  for (const { key, value } of metadata) {
    if (key !== field && key !== contentHashField) continue
    if (typeof value !== 'string' || value === '' || value.length > maxFilterTextLength) continue
    values.set(`${key}\n${value}`, { type, key, value })
  }
  return [...values.values()]
}
