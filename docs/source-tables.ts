import { defectKinds } from '#formats/marc/reading.ts'
import { sourceDefectKinds } from '#formats/source/source-item.ts'
import { table } from './tables.ts'

/* The tables of docs/reference/sources.md. */

export function sourceTables(): Readonly<Record<string, string>> {
  return {
    'source defects': table(
      ['Defect', 'Meaning, and what the reader does'],
      Object.entries(sourceDefectKinds)
        .filter(([kind]) => !Object.hasOwn(defectKinds, kind))
        .map(([kind, meaning]) => [`\`${kind}\``, meaning])
    )
  }
}
