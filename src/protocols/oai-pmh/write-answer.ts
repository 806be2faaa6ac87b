import { element, type Xml, type XmlAttributes, xmlDocument } from '#formats/xml/write-xml.ts'
import { toDatestamp } from './datestamps.ts'
import type { OaiFault } from './errors.ts'
import { schemaInstanceNamespace } from '#formats/xml/namespaces.ts'

const namespace = 'http://www.openarchives.org/OAI/2.0/'

export interface Envelope {
  readonly baseUrl: string
  readonly answeredAt: string
  /** The arguments of the request; none if they are invalid. */
  readonly request: XmlAttributes
}

/** Writes the document around the content of a verb, or around errors. */
export function writeAnswer({ baseUrl, answeredAt, request }: Envelope, ...content: readonly Xml[]): string {
  return xmlDocument(
    element(
      'OAI-PMH',
      {
        xmlns: namespace,
        'xmlns:xsi': schemaInstanceNamespace,
        'xsi:schemaLocation': `${namespace} http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd`
      },
      element('responseDate', {}, toDatestamp(answeredAt)),
      element('request', request, baseUrl),
      ...content
    )
  )
}

export const writeFault = ({ code, message }: OaiFault) => element('error', { code }, message)

export interface RecordHeader {
  readonly identifier: string
  readonly stamp: string
  readonly set: string
  readonly isDeleted: boolean
}

export const writeHeader = ({ identifier, stamp, set, isDeleted }: RecordHeader) =>
  element(
    'header',
    { status: isDeleted ? 'deleted' : undefined },
    element('identifier', {}, identifier),
    element('datestamp', {}, toDatestamp(stamp)),
    element('setSpec', {}, set)
  )

export const writeRecord = (header: RecordHeader, metadata: Xml | undefined) =>
  element('record', {}, writeHeader(header), ...(metadata === undefined ? [] : [element('metadata', {}, metadata)]))
