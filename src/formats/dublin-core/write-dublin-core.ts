import {
  dublinCoreNamespace,
  oaiDublinCoreNamespace,
  schemaInstanceNamespace,
  sruDublinCoreNamespace
} from '../xml/namespaces.ts'
import { element, type Xml } from '../xml/write-xml.ts'
import type { DublinCoreValue } from './describe.ts'

/** The envelopes of OAI-PMH and SRU around the same elements. */
export function writeOaiDublinCore(values: readonly DublinCoreValue[]): Xml {
  return element(
    'oai_dc:dc',
    {
      'xmlns:oai_dc': oaiDublinCoreNamespace,
      'xmlns:dc': dublinCoreNamespace,
      'xmlns:xsi': schemaInstanceNamespace,
      'xsi:schemaLocation': `${oaiDublinCoreNamespace} http://www.openarchives.org/OAI/2.0/oai_dc.xsd`
    },
    ...elements(values)
  )
}

export function writeSruDublinCore(values: readonly DublinCoreValue[]): Xml {
  return element(
    'srw_dc:dc',
    { 'xmlns:srw_dc': sruDublinCoreNamespace, 'xmlns:dc': dublinCoreNamespace },
    ...elements(values)
  )
}

const elements = (values: readonly DublinCoreValue[]) =>
  values.map(each => element(`dc:${each.element}`, { 'xml:lang': languageTag(each.lang) }, each.value))

/** A malformed language tag would make the document invalid. */
const languageTag = (lang: string | undefined) =>
  lang !== undefined && /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/.test(lang) ? lang : undefined
