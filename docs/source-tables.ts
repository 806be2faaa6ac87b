import { otherDefectKinds } from '#formats/source/defects.ts'
import { table } from './tables.ts'

/* The tables of docs/reference/sources.md. */

export function sourceTables(): Readonly<Record<string, string>> {
  return {
    'source defects': table(
      ['Defect', 'Meaning, and what the reader does'],
      Object.entries(otherDefectKinds).map(([kind, meaning]) => [`\`${kind}\``, meaning])
    )
  }
}
