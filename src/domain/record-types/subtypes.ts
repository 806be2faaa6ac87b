import type { RecordType } from './record-type.ts'

/**
 * The seven kinds of material; works, expressions and manifestations each have one type for each.
 */
export const materials = ['word', 'music', 'map', 'serial', 'footage', 'mixed_material', 'computer_file'] as const

/** The names of the seven subtypes of an umbrella: `work_word`, `work_music` … */
export const byMaterial = (umbrella: string) => materials.map(material => `${umbrella}_${material}`)

/** One record type for each subtype of an umbrella, all with the same table. */
export function subtypesOf(
  umbrella: string,
  types: readonly string[],
  table: Omit<RecordType, 'type' | 'umbrella'>
): RecordType[] {
  return types.map(type => ({ type, umbrella, ...table }))
}
