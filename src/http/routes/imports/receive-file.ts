import type { Readable } from 'node:stream'
import Type, { type Static } from 'typebox'

import { invalidWith } from '#domain/errors.ts'
import { isJsonObject } from '#domain/json.ts'
import type { Model } from '#domain/record-types/model.ts'
import { proposeForFile } from '#formats/tables/propose-for-file.ts'
import { readTableMapping } from '#formats/tables/read-table-mapping.ts'
import { readItemMapping } from '#formats/source/item-mapping.ts'
import { sourceFormatNames, sourceFormats } from '#formats/source/source-formats.ts'
import type { ImportQueue } from '#imports/import-queue.ts'
import { endWithRights, rightsOf } from '../../access/lasting-rights.ts'
import type { App } from '../../openapi/typebox-provider.ts'
import { importJson } from '../../reply/import-job.ts'
import { checkedByDomain } from '../../schemas/common.ts'
import { Import, ImportQuery, importScopes, MappingProposal, MappingQuery } from '../../schemas/import.ts'
import { route } from '../../openapi/route.ts'

/** The media types of files: those of the formats, and the general ones that clients send. */
const fileTypes = [
  ...new Set([
    'application/octet-stream',
    'application/xml',
    'text/xml',
    'application/json',
    ...Object.values(sourceFormats).map(({ mediaType }) => mediaType)
  ])
]

const fileBody = checkedByDomain(Type.Unsafe<string>({ type: 'string', format: 'binary' }))

/** Lets every body be read as bytes, whatever its media type. */
function takeBytes(app: App) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser([...fileTypes], (_, payload, done) => done(null, payload))
}

/** Receives a file of records. */
export function receiveFileRoute(app: App, imports: ImportQueue, model: Model) {
  takeBytes(app)
  app.post(
    '/imports',
    route(
      {
        querystring: ImportQuery,
        body: fileBody,
        response: { 202: Import }
      },
      {
        tag: 'Imports',
        needs: 'read and write everything',
        act: {
          name: 'import.start',
          details: ({ query }) => {
            const { name = 'records', format = null, preview } = query as Static<typeof ImportQuery>
            return { name, format, preview: preview === 1 }
          }
        },
        summary: 'Import a file of records',
        description: `The file is the body: MARC 21 or UNIMARC (ISO 2709, MARCXML, MARC-in-JSON, .mrk, Aleph sequential), PICA+, MODS, Dublin Core, RDF of BIBFRAME or LRM (Turtle, N-Triples, RDF/XML, JSON-LD), ONIX, CSV, or entities as NDJSON; events (iCalendar, UiTdatabank as JSON or CdbXML, schema.org as JSON-LD), which become productions and performances; or rows of CSV or JSON that a \`mapping\` turns into records of any type. Answered once the file is stored; \`GET /imports/{id}\` reports the progress. ${importScopes}`,
        problems: ['invalid', 'too_many_imports', 'storage_full'],
        consumes: fileTypes,
        isStreamed: true
      }
    ),
    async (request, reply) => {
      const checkMapping = (given: unknown) => readTableMapping(given, model)
      const { name = 'records', format, agency, mapping, items, preview, allow_dangling: allowDangling } = request.query
      const options = {
        ...(format === undefined ? {} : { format: checkFormat(format) }),
        ...(agency === undefined ? {} : { agency }),
        ...(mapping === undefined ? {} : { mapping: readMapping('mapping', mapping, checkMapping) }),
        ...(items === undefined ? {} : { items: readMapping('items', items, readItemMapping) }),
        ...(allowDangling === 1 ? { allowDangling: true } : {})
      }
      const body = request.body as unknown as Readable | undefined
      const job = await imports.create(
        { name, options, isPreview: preview === 1 },
        body ? endWithRights(body, rightsOf(request, reply)) : emptyFile(),
        request.principal
      )
      return reply.code(202).header('location', `/imports/${job.id}`).send(importJson(job))
    }
  )
}

/** Proposes a mapping for a file of rows. Only the beginning of the file is read. */
export function proposeMappingRoute(app: App, model: Model) {
  takeBytes(app)
  app.post(
    '/imports/mapping',
    route(
      {
        querystring: MappingQuery,
        body: fileBody,
        response: { 200: MappingProposal }
      },
      {
        tag: 'Imports',
        needs: 'read and write everything',
        // Nothing is written, so there is nothing to log.
        act: { name: 'import.propose_mapping', details: () => undefined },
        summary: 'Propose a mapping for a table or a JSON file',
        description: `The file is the body; its first 8 MB are read, and nothing is stored. The mapping is made of the names of the columns, or of the \`meanings\` that are given. ${importScopes}`,
        problems: ['invalid'],
        consumes: fileTypes,
        isStreamed: true
      }
    ),
    async request => {
      const { name = 'file', meanings } = request.query
      const chosen = meanings === undefined ? {} : readMapping('meanings', meanings, checkMeanings)
      const body = request.body as unknown as Readable | undefined
      const { mapping, ...proposal } = await proposeForFile(beginningOf(body ?? emptyFile()), model, {
        name,
        meanings: new Map(Object.entries(chosen as Readonly<Record<string, string>>))
      })
      return { ...proposal, columns: [...proposal.columns], mapping: mapping ?? null }
    }
  )
}

/** Maximum bytes of a file from which a mapping is proposed. */
const maxProposalBytes = 8_000_000

async function* beginningOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    yield chunk
    if (size >= maxProposalBytes) return
  }
}

function checkMeanings(given: unknown) {
  if (!isJsonObject(given) || !Object.values(given).every(each => typeof each === 'string'))
    throw invalidWith([{ pointer: 'meanings', message: 'Must be an object with the meaning of each column' }])
}

async function* emptyFile(): AsyncGenerator<Uint8Array> {}

function checkFormat(format: string): string {
  if ((sourceFormatNames as readonly string[]).includes(format)) return format
  throw invalidWith([
    { pointer: 'format', message: `Unknown format "${format}"; it can be ${sourceFormatNames.join(', ')}` }
  ])
}

/** Reads and checks the mapping, so that faults are reported before the file is stored. */
function readMapping(name: string, text: string, check: (mapping: unknown) => unknown): unknown {
  let mapping: unknown
  try {
    mapping = JSON.parse(text)
  } catch {
    throw invalidWith([{ pointer: name, message: 'The mapping must be JSON' }])
  }
  check(mapping)
  return mapping
}
