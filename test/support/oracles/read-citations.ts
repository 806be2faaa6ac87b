import { plugins } from '@citation-js/core'
import '@citation-js/plugin-bibtex'
import '@citation-js/plugin-ris'

/* Citations as a reader that is not ours reads them. */

/** The members of a CSL item that the tests examine. */
export interface CitedItem {
  readonly id: string
  readonly type: string
  readonly title: string
  readonly author?: readonly object[]
  readonly composer?: readonly object[]
  readonly editor?: readonly object[]
  readonly translator?: readonly object[]
  readonly publisher?: string
  readonly [member: string]: unknown
}

const types: Readonly<Record<string, string>> = {
  bibtex: '@bibtex/text',
  ris: '@ris/file',
  csl: '@csl/object'
}

/** The one item of a citation. */
export function readCitation(format: string, text: string): CitedItem {
  const items = plugins.input.chain(text, { forceType: types[format] ?? format, generateGraph: false })
  if (items.length !== 1) throw new Error(`There are ${items.length} items, not one`)
  return items[0] as CitedItem
}
