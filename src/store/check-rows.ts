import type { Entity } from '#domain/entity/entity.ts'
import { isSameJson } from '#domain/json.ts'
import type { Model } from '#domain/record-types/model.ts'

/** Maximum number of problems in a report. */
export const maxListedProblems = 100

/** The entity in the document of a row; undefined where it is broken or does not match the row. */
export function matchingEntity(row: Readonly<Record<string, unknown>>, model: Model): Entity | undefined {
  const entity = parse(String(row.document))
  const isMatch =
    entity &&
    entity.id === row.id &&
    entity._id === row.uuid &&
    entity.type === row.type &&
    model.umbrellaOf(entity.type) === row.umbrella &&
    entity.version === row.version &&
    isSameJson(entity.audit, {
      created: { at: row.created_at, by: row.created_by },
      updated: { at: row.updated_at, by: row.updated_by }
    })
  return isMatch ? entity : undefined
}

function parse(document: string): Entity | undefined {
  try {
    return JSON.parse(document) as Entity
  } catch {
    return undefined
  }
}

/** Compares texts as both databases do. */
export const byCodePoint = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))
