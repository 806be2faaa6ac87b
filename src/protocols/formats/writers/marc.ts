import type { Publication } from '#domain/entity/publication.ts'
import { invalidWith } from '#domain/errors.ts'
import type { Filter } from '#domain/filter/filter.ts'
import { authorityTypes } from '#domain/record-types/related.ts'
import { writeMarcXml } from '#formats/marc/marcxml.ts'
import type { Form, MarcField } from '#formats/marc/record.ts'
import { toSlimRecord } from '#formats/marc/slim-record.ts'
import { writers } from '#formats/marc/write-marc.ts'
import type { Xml } from '#formats/xml/write-xml.ts'
import type { DescribedRecord } from '../../describe-records.ts'
import type { EmbeddingWriter, Writer } from '../format.ts'
import { authorityRecords, marcRecords } from '../materials.ts'
import { isWhole, piece, recordWriter, toBuffer } from '../record-writer.ts'

/**
 * A writer of MARC 21 records in one form. Records that were imported in ISO 2709 and not changed
 * are given back as they came. Holdings records follow the record of their publication, authority
 * records all of them.
 */
function marcIn(form: Form): Writer {
  const { head, tail, write } = writers[form]
  const writerFor = ({ holdings = false, tail: last = tail, onWritten }: MarcOptions = {}) =>
    recordWriter({
      from: marcRecords({ holdings }),
      frame: { head, between: '', tail: last },
      write(_, { publication, record, holdings: apart, original }) {
        onWritten?.(publication)
        const isAsReceived = original?.form === 'iso2709' && form === 'iso2709'
        const own = isAsReceived ? Buffer.from(original.bytes) : write(record)
        return apart.length === 0 ? own : Buffer.concat([own, ...apart.map(each => write(each))].map(toBuffer))
      }
    })
  return {
    one: writerFor().one,
    many(parts, principal, request) {
      const holdings = request.includes?.includes('holdings') ?? false
      return request.includes?.includes('authorities')
        ? withAuthorities(parts, principal, request)
        : writerFor({ holdings }).many(parts, principal, request)
    }
  }

  /**
   * Writes publications, and then the authorities: all of the catalogue, or those that the
   * publications refer to, each once.
   */
  async function* withAuthorities(...[parts, principal, request]: Parameters<Writer['many']>) {
    const holdings = request.includes?.includes('holdings') ?? false
    const named = new Set<string>()
    const onWritten = isWhole(request) ? undefined : (each: Publication) => noteAuthorities(each, named)
    yield* writerFor({ holdings, tail: '', ...(onWritten === undefined ? {} : { onWritten }) }).many(
      parts,
      principal,
      request
    )
    const authority = authoritiesIn(form)
    const everyOne = { ...request, types: [], names: [] }
    if (isWhole(request)) yield* authority.many(parts, principal, everyOne)
    const ids = [...named]
    for (let start = 0; start < ids.length; start += maxNamed) {
      const filter: Filter = { kind: 'identifiers', identifiers: ids.slice(start, start + maxNamed) }
      yield* authority.many(parts, principal, { ...everyOne, filter })
    }
    if (tail !== '') yield piece(tail, 0)
  }
}

interface MarcOptions {
  /** Writes copies as holdings records. */
  readonly holdings?: boolean
  readonly tail?: string
  readonly onWritten?: (publication: Publication) => void
}

/** Maximum number of authorities that are found together. */
const maxNamed = 500

/** Adds the ids of the authorities that a publication, its texts and its works refer to. */
function noteAuthorities({ manifestation, expressions }: Publication, named: Set<string>) {
  const levels = [manifestation, ...expressions, ...expressions.flatMap(({ work }) => work ?? [])]
  for (const { related } of levels)
    for (const { entity } of related) if (authorityTypes.some(({ type }) => type === entity.type)) named.add(entity.id)
}

export const iso2709 = marcIn('iso2709')
export const marcJson = marcIn('json')
export const marcLines = marcIn('mrk')

export const marcXml: EmbeddingWriter<Xml> = {
  ...marcIn('marcxml'),
  needs: 'marc',
  embed(_, record) {
    if (!('publication' in record) || record.marc === undefined) return undefined
    const { leader, fields } = toSlimRecord(record.marc)
    const linked = record.address === undefined ? fields : withLink(fields, record.address)
    return { markup: writeMarcXml({ leader, fields: linked }).trimEnd() }
  }
}

/** Authorities as MARC 21 records: as imported, with the changes made here, or composed. */
export const marcAuthority: EmbeddingWriter<Xml> = {
  ...authoritiesIn('marcxml', writers.marcxml),
  needs: 'authority',
  embed(_, described) {
    const record = authorityOf(described)
    return record && { markup: writeMarcXml(record).trimEnd() }
  }
}

/** A writer of authority records in one form. */
function authoritiesIn(form: Form, { head, tail } = { head: '', tail: '' }): Writer {
  return recordWriter({
    from: authorityRecords,
    frame: { head, between: '', tail },
    write(_, described) {
      const record = authorityOf(described)
      if (record === undefined) throw invalidWith([{ pointer: '', message: 'The record has no name' }])
      return writers[form].write(record)
    }
  })
}

function authorityOf(described: DescribedRecord) {
  const record = 'level' in described ? described.authority : undefined
  return record && toSlimRecord(record)
}

/**
 * Adds 856 with second indicator 2: the address of a related resource (the record), not of the
 * publication.
 */
function withLink(fields: readonly MarcField[], address: string): MarcField[] {
  const link = {
    tag: '856',
    indicators: '42',
    subfields: [
      { code: '3', value: 'Catalogue record' },
      { code: 'u', value: address }
    ]
  }
  const place = fields.findLastIndex(each => each.tag <= link.tag) + 1
  return [...fields.slice(0, place), link, ...fields.slice(place)]
}
