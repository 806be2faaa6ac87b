import type { Readable } from 'node:stream'
import Type from 'typebox'

import { forbidden, invalidWith, notFound } from '#domain/errors.ts'
import type { ImportJob } from '#domain/imports/job.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Principal } from '#domain/permissions.ts'
import { readCsvMapping } from '#formats/csv/csv-mapping.ts'
import { sourceFormats } from '#formats/source/source-item.ts'
import type { ImportQueue } from '#imports/import-queue.ts'
import { endWithRights, rightsOf } from '../access/lasting-rights.ts'
import { checkedByDomain, EntityParams } from '../schemas/common.ts'
import {
  Answered,
  Import,
  ImportPage,
  ImportParams,
  ImportQuery,
  ImportRemark,
  Origin,
  PreviewLine,
  Review,
  ReviewAnswers,
  ReviewQuery
} from '../schemas/import.ts'
import type { App } from '../openapi/typebox-provider.ts'

const fileTypes = [
  'application/octet-stream',
  'application/marc',
  'application/marcxml+xml',
  'application/xml',
  'text/xml',
  'text/csv',
  'text/plain',
  'application/json',
  'application/x-ndjson'
] as const

const needs =
  'Needs the scopes `read` and `write`, not narrowed to types: an import finds works among all records. Records that a file says are deleted are deleted only with the scope `delete`.'

/** Files of records, and the works that were found in them. */
export function importRoutes(app: App, imports: ImportQueue, model: Model) {
  const types = model.recordTypes.map(each => each.type)
  const refuseOthers = (principal: Principal, alsoDeletes = false) => {
    const isFree =
      principal.readsEverything &&
      types.every(type => principal.mayWrite(type) && (!alsoDeletes || principal.mayDelete(type)))
    if (!isFree)
      throw forbidden(`${alsoDeletes ? 'take back' : 'see or make'} imports: they touch records of every type`)
  }

  // A file is read as it comes, whatever it says it is; only here.
  app.register(async scope => {
    const door = scope as unknown as App
    door.removeAllContentTypeParsers()
    door.addContentTypeParser([...fileTypes], (_, payload, done) => done(null, payload))
    door.post(
      '/imports',
      {
        schema: {
          querystring: ImportQuery,
          body: checkedByDomain(Type.Unsafe<string>({ type: 'string', format: 'binary' })),
          response: { 202: Import }
        },
        config: {
          doc: {
            tag: 'Imports',
            needs: 'read and write everything',
            summary: 'Import a file of records',
            description: `The file is the body: MARC 21 or UNIMARC (ISO 2709, MARCXML, MARC-in-JSON, .mrk), ONIX, CSV, or entities as NDJSON. Answered once the file is kept; \`GET /imports/{id}\` then says how far it is. ${needs}`,
            problems: ['invalid', 'storage_full'],
            consumes: fileTypes,
            isStreamed: true
          }
        }
      },
      async (request, reply) => {
        refuseOthers(request.principal)
        const { name = 'records', format, agency, mapping, preview, allow_dangling: allowDangling } = request.query
        const options = {
          ...(format === undefined ? {} : { format: checkFormat(format) }),
          ...(agency === undefined ? {} : { agency }),
          ...(mapping === undefined ? {} : { mapping: readMapping(mapping) }),
          ...(allowDangling === 1 ? { allowDangling: true } : {})
        }
        const body = request.body as unknown as Readable | undefined
        const job = await imports.create(
          { name, options, isPreview: preview === 1 },
          body ? endWithRights(body, rightsOf(request, reply)) : emptyFile(),
          request.principal
        )
        return reply.code(202).header('location', `/imports/${job.id}`).send(toAnswer(job))
      }
    )
  })

  app.get(
    '/imports',
    {
      schema: {
        querystring: Type.Object({
          limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }),
          after: Type.Optional(Type.String({ maxLength: 100, description: 'The id of the last import that was seen' }))
        }),
        response: { 200: Type.Array(Import) }
      },
      config: { doc: { tag: 'Imports', summary: 'List imports, the oldest first', description: needs } }
    },
    async request => {
      refuseOthers(request.principal)
      return (await imports.list(request.query.limit, request.query.after)).map(toAnswer)
    }
  )

  app.get(
    '/imports/:id',
    {
      schema: { params: ImportParams, response: { 200: Import } },
      config: {
        doc: {
          tag: 'Imports',
          summary: 'Read how far an import is, and what it has done',
          description: needs,
          problems: ['not_found']
        }
      }
    },
    async request => {
      refuseOthers(request.principal)
      const job = await imports.read(request.params.id)
      await imports.renew(job.id, request.principal)
      return toAnswer(job)
    }
  )

  app.get(
    '/imports/:id/remarks',
    {
      schema: { params: ImportParams, querystring: ImportPage, response: { 200: Type.Array(ImportRemark) } },
      config: {
        doc: {
          tag: 'Imports',
          summary: 'What was odd or could not be read, with its place in the file',
          description: `The first 10,000 are kept. ${needs}`,
          problems: ['not_found']
        }
      }
    },
    async request => {
      refuseOthers(request.principal)
      const { limit, after } = request.query
      const remarks = await imports.listRemarks(request.params.id, limit, after)
      return remarks.map(({ controlNumber, ...rest }) => ({
        ...rest,
        ...(controlNumber === undefined ? {} : { control_number: controlNumber })
      }))
    }
  )

  app.get(
    '/imports/:id/preview',
    {
      schema: { params: ImportParams, querystring: ImportPage, response: { 200: Type.Array(PreviewLine) } },
      config: {
        doc: {
          tag: 'Imports',
          summary: 'What would become of the records of a preview',
          description: `Of the first 1,000 records; the counts of the import are of all that were looked at, at most 20,000. ${needs}`,
          problems: ['not_found']
        }
      }
    },
    async request => {
      refuseOthers(request.principal)
      const { limit, after } = request.query
      return imports.listPreview(request.params.id, limit, after)
    }
  )

  app.get(
    '/imports/:id/review',
    {
      schema: { params: ImportParams, querystring: ReviewQuery, response: { 200: Review } },
      config: {
        doc: {
          tag: 'Imports',
          summary: 'Which works and expressions were joined, or kept apart, without being sure',
          description: `Those that nobody has answered; \`settled=1\` gives those that somebody has. ${needs}`,
          problems: ['not_found']
        }
      }
    },
    async request => {
      refuseOthers(request.principal)
      const { id } = request.params
      const { limit, after, settled } = request.query
      const wanted = { limit, areSettled: settled === 1, ...(after === undefined ? {} : { after }) }
      const { questions, next } = await imports.listReview(id, wanted)
      const which = settled === 1 ? '&settled=1' : ''
      const url =
        next === undefined ? null : `/imports/${id}/review?limit=${limit}&after=${encodeURIComponent(next)}${which}`
      return { questions, next: url }
    }
  )

  app.post(
    '/imports/:id/review',
    {
      schema: { params: ImportParams, body: ReviewAnswers, response: { 200: Answered } },
      config: {
        doc: {
          tag: 'Imports',
          needs: 'read and write everything',
          summary: 'Say of two whether they are the same',
          description: `Works and expressions are put right at once. The answer is remembered: it holds whatever is imported later, until the question is answered again. ${needs}`,
          problems: ['invalid', 'not_found', 'unavailable', 'storage_full']
        }
      }
    },
    async request => {
      refuseOthers(request.principal)
      const answers = request.body as { question: string; verdict: 'same' | 'different' }[]
      return imports.answer(request.params.id, answers, request.principal.name)
    }
  )

  const action = (
    name: 'undo' | 'stop' | 'resume',
    summary: string,
    description: string,
    act: (id: string, by: Principal) => Promise<ImportJob>
  ) =>
    app.post(
      `/imports/:id/${name}`,
      {
        schema: { params: ImportParams, response: { 202: Import } },
        config: {
          doc: {
            tag: 'Imports',
            needs: name === 'undo' ? 'read, write and delete everything' : 'read and write everything',
            summary,
            description: `${description} ${needs}`,
            problems: ['invalid', 'not_found', 'unavailable', 'storage_full']
          }
        }
      },
      async (request, reply) => {
        refuseOthers(request.principal, name === 'undo')
        return reply.code(202).send(toAnswer(await act(request.params.id, request.principal)))
      }
    )
  action(
    'undo',
    'Take an import back as a whole',
    'Its records go, those it changed are again what they were; what people or later imports made of them stays. Needs the scope `delete`, too.',
    imports.undo
  )
  action('stop', 'Stop an import where it is', 'What it did stays, and can be taken back.', imports.stop)
  action('resume', 'Go on with an import that was stopped or failed', 'It goes on where it was.', imports.resume)

  app.get(
    '/entities/:id/origin',
    {
      schema: { params: EntityParams, response: { 200: Origin } },
      config: {
        doc: {
          tag: 'Imports',
          summary: 'Which record a manifestation came from, and why it is with the works it is with',
          description: `Worked out anew each time, so it is true now. 404 for what no import made. ${needs}`,
          problems: ['not_found']
        }
      }
    },
    async request => {
      refuseOthers(request.principal)
      const origin = await imports.explain(request.params.id)
      if (origin === undefined) throw notFound('import of an entity', request.params.id)
      return origin
    }
  )
}

async function* emptyFile(): AsyncGenerator<Uint8Array> {}

function checkFormat(format: string): string {
  if ((sourceFormats as readonly string[]).includes(format)) return format
  throw invalidWith([
    { pointer: 'format', message: `Unknown format "${format}"; it can be ${sourceFormats.join(', ')}` }
  ])
}

/** The mapping as it was given; what is wrong with it is told before a file is kept. */
function readMapping(text: string): unknown {
  let mapping: unknown
  try {
    mapping = JSON.parse(text)
  } catch {
    throw invalidWith([{ pointer: 'mapping', message: 'The mapping must be JSON' }])
  }
  readCsvMapping(mapping)
  return mapping
}

export function toAnswer(job: ImportJob) {
  const { counts, worked, handled, size, bytes } = job
  const rate = worked > 0 ? (handled / worked) * 1000 : null
  const isUnderWay = job.state === 'running' && size !== null && bytes > 0
  return {
    id: job.id,
    name: job.name,
    state: job.state,
    is_preview: job.isPreview,
    created_by: job.by,
    created_at: job.createdAt,
    started_at: job.startedAt,
    ended_at: job.endedAt,
    size,
    bytes,
    records: handled,
    records_per_second: rate === null ? null : Math.round(rate * 10) / 10,
    seconds_left: isUnderWay ? Math.ceil((worked / bytes) * ((size ?? 0) - bytes) * 0.001) : null,
    counts: {
      created: counts.created,
      updated: counts.updated,
      unchanged: counts.unchanged,
      deleted: counts.deleted,
      kept: counts.kept,
      unreadable: counts.unreadable,
      joined_works: counts.joinedWorks
    },
    entities: job.entities,
    remarks: job.remarks,
    failure: job.failure,
    collisions: {
      count: job.collisions?.count ?? 0,
      first: (job.collisions?.first ?? []).map(each => ({
        number: each.number,
        control_number: each.controlNumber,
        title: each.title,
        other_title: each.otherTitle,
        other_import: each.otherImport
      }))
    }
  }
}
