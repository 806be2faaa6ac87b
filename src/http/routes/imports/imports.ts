import Type from 'typebox'

import type { Model } from '#domain/record-types/model.ts'
import type { ImportQueue } from '#imports/import-queue.ts'
import type { App } from '../../openapi/typebox-provider.ts'
import { importJson } from '../../reply/import-job.ts'
import { Import, ImportPage, ImportParams, ImportRemark, importScopes, PreviewLine } from '../../schemas/import.ts'
import { flag } from '../../schemas/common.ts'
import { importActionRoutes } from './actions.ts'
import { proposeMappingRoute, receiveFileRoute } from './receive-file.ts'
import { reviewRoutes } from './review.ts'
import { route } from '../../openapi/route.ts'

const doc = { tag: 'Imports', needs: 'read and write everything' } as const
const docOfOne = { ...doc, description: importScopes, problems: ['not_found'] } as const

/** Imports of files of records: starting, following, reviewing and undoing them. */
export function importRoutes(app: App, imports: ImportQueue, model: Model) {
  app.register(async scope => receiveFileRoute(scope as unknown as App, imports, model))
  app.register(async scope => proposeMappingRoute(scope as unknown as App, model))

  app.get(
    '/imports',
    route(
      {
        querystring: Type.Object({
          limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }),
          after: Type.Optional(
            Type.String({ maxLength: 100, description: 'Id of the last import of the page before' })
          ),
          questions: flag('1 lists only imports with open review questions')
        }),
        response: { 200: Type.Array(Import) }
      },
      { ...doc, summary: 'List imports, oldest first', description: importScopes }
    ),
    async ({ query: { limit, after, questions } }) => {
      const listed = await (questions === 1 ? imports.listQuestioned(limit, after) : imports.list(limit, after))
      return listed.map(importJson)
    }
  )

  app.get(
    '/imports/:id',
    route(
      { params: ImportParams, response: { 200: Import } },
      { ...docOfOne, summary: 'Read the progress and the result of an import' }
    ),
    async request => {
      const job = await imports.read(request.params.id)
      await imports.renew(job.id, request.principal)
      return importJson(job)
    }
  )

  app.get(
    '/imports/:id/remarks',
    route(
      { params: ImportParams, querystring: ImportPage, response: { 200: Type.Array(ImportRemark) } },
      {
        ...docOfOne,
        summary: 'List defects and unreadable records, with their position in the file',
        description: `The first 10,000 are stored. ${importScopes}`
      }
    ),
    async request => {
      const { limit, after } = request.query
      const remarks = await imports.listRemarks(request.params.id, limit, after)
      return remarks.map(({ controlNumber, ...rest }) => ({ ...rest, control_number: controlNumber }))
    }
  )

  app.get(
    '/imports/:id/preview',
    route(
      { params: ImportParams, querystring: ImportPage, response: { 200: Type.Array(PreviewLine) } },
      {
        ...docOfOne,
        summary: 'List the outcome of each record of a preview',
        description: `The first 1,000 records; the counts of the import cover at most 20,000. ${importScopes}`
      }
    ),
    ({ params, query }) => imports.listPreview(params.id, query.limit, query.after)
  )

  reviewRoutes(app, imports)
  importActionRoutes(app, imports)
}
