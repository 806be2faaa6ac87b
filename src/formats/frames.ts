import { modsNamespace, recordNamespace } from './xml/namespaces.ts'
import { xmlDeclaration } from './xml/write-xml.ts'

/** The text before, between and after the records of a file. */
export interface Frame {
  readonly head: string
  readonly between: string
  readonly tail: string
}

const separatedBy = (between: string): Frame => ({ head: '', between, tail: '' })

function collectionFrame(collection: string): Frame {
  const [name = ''] = collection.split(' ', 1)
  return { head: `${xmlDeclaration}<${collection}>\n`, between: '\n', tail: `\n</${name}>\n` }
}

/** The frames of files, by format. */
export const frames = {
  none: separatedBy(''),
  bibtex: separatedBy('\n'),
  ris: separatedBy('\r\n'),
  jsonList: { head: '[\n', between: ',\n', tail: '\n]\n' },
  mods: collectionFrame(`modsCollection xmlns="${modsNamespace}"`),
  dc: collectionFrame('records'),
  libretto: collectionFrame(`records xmlns="${recordNamespace}"`)
} as const satisfies Readonly<Record<string, Frame>>

/** The frames of a single record in JSON and in XML. */
export const singleFrames = {
  json: { head: '', between: '', tail: '\n' },
  xml: { head: xmlDeclaration, between: '', tail: '\n' }
} as const satisfies Readonly<Record<string, Frame>>
