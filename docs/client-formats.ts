import { sourceFormats } from '#formats/source/source-formats.ts'
import { manifestations } from '#protocols/formats/format.ts'
import { allFormats } from '#protocols/formats/registry.ts'

/*
 * The formats of the client, from the registry of the service: the client is published without it.
 * `npm run docs` writes them, and `test/docs.test.ts` fails when they differ.
 */

/** Returns the text of `client/formats.ts`. */
export function clientFormats(): string {
  const written = allFormats.map(({ name, title, extension, kind, of }) => ({
    ...{ name, title, extension, kind },
    isOfManifestations: of === manifestations
  }))
  const read = Object.entries(sourceFormats).map(([name, { title, extension }]) => ({ name, title, extension }))
  return `/* Written by \`npm run docs\` from the formats of the service. */

/** The formats that records are exported in. */
export const exportFormats = ${listOf(written)} as const

/** The formats that files of records are imported from. */
export const importFormats = ${listOf(read)} as const
`
}

const listOf = (list: readonly object[]) => `[\n${list.map(each => `  ${objectText(each)}`).join(',\n')}\n]`

const objectText = (object: object) =>
  `{ ${Object.entries(object)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? `'${value}'` : value}`)
    .join(', ')} }`
