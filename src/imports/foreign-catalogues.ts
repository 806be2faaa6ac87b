import type { IncomingMessage } from 'node:http'

import type { Catalogue } from '#catalogue/catalogue.ts'
import { invalidWith } from '#domain/errors.ts'
import type { ForeignCatalogue } from '#domain/imports/foreign-catalogue.ts'
import type { Principal } from '#domain/permissions.ts'
import { readIsbn } from '#domain/values/isbn.ts'
import type { AddressBlock } from '#events/address-guard.ts'
import { createSemaphore } from '#events/semaphore.ts'
import type { SourceRecord } from '#formats/source/source-item.ts'

/*
 * Searches of other catalogues by SRU. A found record is shown beside the records that are here,
 * and imported like a file of MARC records. The servers are not trusted: their addresses, the size
 * of their answers and the time are limited.
 */

/** A record of another catalogue. */
export interface ForeignRecord {
  readonly title: string
  readonly responsibility: string
  readonly publisher: string
  readonly year: string
  readonly isbn: readonly string[]
  /** The record in MARCXML or MARCXchange, as it can be imported. */
  readonly source: string
  /** Records here that are likely to be the same. */
  readonly here: readonly { readonly id: string; readonly type: string; readonly label: string }[]
}

/** The answer of a catalogue, or the reason why there is none. */
export interface ForeignAnswer {
  readonly name: string
  /** Number of records that it has found, of which some are listed. */
  readonly count: number
  readonly records: readonly ForeignRecord[]
  readonly error?: string
}

export interface ForeignCatalogues {
  /** Searches all given catalogues for an ISBN or for words. */
  search(principal: Principal, catalogues: readonly ForeignCatalogue[], text: string): Promise<ForeignAnswer[]>
}

/** Maximum number of records that each catalogue is asked for. */
const maxRecords = 10
/** Maximum bytes of an answer. */
const maxAnswerBytes = 4_000_000
/** Maximum words of a search. */
const maxWords = 12
/** Maximum number of requests to other catalogues at a time. */
const maxRequests = 8

interface ForeignSettings {
  readonly catalogue: Pick<Catalogue, 'lists'>
  /** Addresses that may be asked although they are not public. */
  readonly exceptions: readonly AddressBlock[]
  /** Milliseconds for an answer. */
  readonly timeout: number
  readonly userAgent: string
}

export function createForeignCatalogues(settings: ForeignSettings): ForeignCatalogues {
  const { catalogue, exceptions, timeout, userAgent } = settings
  const permits = createSemaphore(maxRequests, maxRequests)
  const ask = async (principal: Principal, target: ForeignCatalogue, text: string): Promise<ForeignAnswer> => {
    const { name } = target
    // Loaded on first use, as the formats below: these load a client of the web.
    const { lookup } = await import('node:dns/promises')
    const { describeFailure, sendGuarded } = await import('#events/guarded-request.ts')
    const guard = { resolve: (host: string) => lookup(host, { all: true }), exceptions, hosts: [], timeout }
    const release = await permits.take(false)
    try {
      const headers = { accept: 'application/xml, text/xml', 'user-agent': userAgent }
      const answer = await sendGuarded({ method: 'GET', url: searchUrl(target, text), headers }, guard, readText)
      const found = await readAnswer(answer)
      const records = await Promise.all(
        found.records.map(async record => ({
          ...describe(record),
          here: await catalogue.lists.findSame(principal, record.description.manifestation)
        }))
      )
      return { name, count: found.count ?? records.length, records }
    } catch (error) {
      return { name, count: 0, records: [], error: describeFailure(error) }
    } finally {
      release()
    }
  }
  return {
    async search(principal, catalogues, text) {
      if (wordsIn(text).length === 0)
        throw invalidWith([{ pointer: 'q', message: 'A search needs an ISBN or at least one word' }])
      return Promise.all(catalogues.map(each => ask(principal, each, text)))
    }
  }
}

/** The address of a search: an ISBN in its own index, other words all of them. */
export function searchUrl(target: ForeignCatalogue, text: string): string {
  const isbn = readIsbn(text)
  const clause = (index: string, term: string) => `${index}${index.includes(' ') ? ' ' : '='}"${term}"`
  const query = isbn
    ? clause(target.isbn, isbn.comparable)
    : wordsIn(text)
        .map(word => clause(target.words, word))
        .join(' and ')
  const url = new URL(target.address)
  for (const [name, value] of Object.entries({
    ...{ version: target.version, operation: 'searchRetrieve', query },
    ...{ maximumRecords: String(maxRecords), recordSchema: target.schema }
  }))
    url.searchParams.set(name, value)
  return url.href
}

/** The words of a search, without quotes and backslashes, which have a meaning in CQL. */
const wordsIn = (text: string) =>
  text
    .split(/[\s"\\]+/)
    .filter(word => word !== '')
    .slice(0, maxWords)

/** The text of an answer. Rejects where it is not a success, or too long. */
async function readText(response: IncomingMessage): Promise<Buffer> {
  if (response.statusCode !== 200) throw new Error(`The catalogue answered with status ${response.statusCode}`)
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxAnswerBytes) throw new Error(`The answer has more than ${maxAnswerBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The records of an answer of SRU. Rejects with its diagnostic where it has one. */
async function readAnswer(answer: Buffer): Promise<{ count: number | undefined; records: SourceRecord[] }> {
  const text = answer.toString()
  if (!/<(?:[\w.-]+:)?searchRetrieveResponse[\s>]/.test(text)) throw new Error('The answer is not one of SRU')
  const [, count] = /<(?:[\w.-]+:)?numberOfRecords>\s*(\d{1,15})\s*</.exec(text) ?? []
  const diagnostic = text.slice(text.search(/<(?:[\w.-]+:)?diagnostic[\s>]/)).slice(0, 2000)
  const [, message] = /<(?:[\w.-]+:)?message>([^<]{1,300})</.exec(diagnostic) ?? []
  const { readSource } = await import('#formats/source/read-source.ts')
  const records: SourceRecord[] = []
  for await (const item of readSource([answer], { format: 'marcxml' }))
    if (item.outcome === 'record' && records.length < maxRecords) records.push(item)
  if (records.length === 0 && message !== undefined) throw new Error(`The catalogue answered: ${message}`)
  return { count: count === undefined ? undefined : Number(count), records }
}

function describe({ description, source }: SourceRecord): Omit<ForeignRecord, 'here'> {
  const { metadata, relations } = description.manifestation
  const values = (key: string) => metadata.filter(each => each.key === key).map(({ value }) => String(value))
  const publisher = relations.find(({ relation }) => relation === 'refPublishers')
  return {
    title: [...values('title').slice(0, 1), ...values('subtitle').slice(0, 1)].join(' : '),
    responsibility: values('responsibility').join(' ; '),
    publisher: publisher?.target.metadata.find(({ key }) => key === 'name')?.value ?? '',
    year: values('year_of_publication')[0] ?? '',
    isbn: values('isbn'),
    source: Buffer.from(source).toString()
  }
}
