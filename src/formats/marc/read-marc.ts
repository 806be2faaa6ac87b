import { type ByteSource, close, peek } from '../source/bytes.ts'
import { readDublinCore } from '../dublin-core/read-dublin-core.ts'
import { readMods } from '../mods/read-mods.ts'
import { readPica, readPicaXml } from '../pica/read-pica.ts'
import { readRdf } from '../rdf/read-rdf.ts'
import { readAleph } from './aleph.ts'
import { bytesToDetect, detectForm } from '../source/detect-source.ts'
import { readIso2709 } from './iso2709.ts'
import { readMarcJson } from './marc-json.ts'
import { readMarcXml } from './marcxml.ts'
import { readMrk } from './mrk.ts'
import type { ReadOptions, Readings } from './reading.ts'
import type { SourceForm } from './record.ts'

const readers = {
  iso2709: readIso2709,
  marcxml: readMarcXml,
  json: readMarcJson,
  mrk: readMrk,
  aleph: readAleph,
  pica: readPica,
  picaxml: readPicaXml,
  mods: readMods,
  dc: readDublinCore,
  turtle: readRdf('turtle'),
  ntriples: readRdf('ntriples'),
  rdfxml: readRdf('rdfxml'),
  jsonld: readRdf('jsonld')
} as const satisfies Record<SourceForm, unknown>

/**
 * Reads the records of a file, one at a time; `form` sets the form if it should not be detected.
 *
 * Never throws for the content of a file: an unreadable part is a reading too, with its position
 * and its defect. Takes memory for one record and one chunk, however long the file is.
 */
export async function* readMarc(
  source: ByteSource,
  options: ReadOptions & { readonly form?: SourceForm } = {}
): Readings {
  if (options.form !== undefined) {
    yield* readers[options.form](source, options)
    return
  }
  const { head, all } = await peek(source, bytesToDetect)
  if (head.length === 0) return
  const form = detectForm(head)
  if (form === undefined) {
    await close(all)
    const message =
      'The file does not begin like ISO 2709, MARCXML, MARC-in-JSON, .mrk, Aleph sequential, PICA+, MODS, Dublin Core or RDF'
    yield {
      outcome: 'unreadable',
      form: 'iso2709',
      position: { number: 1, offset: 0, length: head.length },
      controlNumber: undefined,
      defects: [{ kind: 'not_marc', message }],
      source: head.subarray(0, bytesToDetect)
    }
    return
  }
  yield* readers[form](all, options)
}
