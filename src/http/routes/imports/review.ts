import { notFound } from '#domain/errors.ts'
import type { ImportQueue } from '#imports/import-queue.ts'
import type { App } from '../../openapi/typebox-provider.ts'
import { EntityParams } from '../../schemas/common.ts'
import {
  AcceptedCases,
  Answered,
  ImportParams,
  importScopes,
  LikeCases,
  Origin,
  Review,
  ReviewAnswers,
  ReviewQuery,
  SourceRecord,
  SplitInput
} from '../../schemas/import.ts'
import { route } from '../../openapi/route.ts'
import { jsonType, sendTagged } from '../../reply/json.ts'

const doc = { tag: 'Imports', needs: 'read and write everything', problems: ['not_found'] } as const
const problems = ['invalid', 'not_found', 'unavailable', 'storage_full'] as const

/** Review questions of an import, and the reasons for the position of a record. */
export function reviewRoutes(app: App, imports: ImportQueue) {
  app.get(
    '/imports/:id/review',
    route(
      { params: ImportParams, querystring: ReviewQuery, response: { 200: Review } },
      {
        ...doc,
        summary: 'List uncertain matches: works and expressions that were joined or separated',
        description: `Open questions; \`settled=1\` lists the answered ones. ${importScopes}`
      }
    ),
    async request => {
      const { id } = request.params
      const { limit, after, settled } = request.query
      const wanted = { limit, areSettled: settled === 1, ...(after === undefined ? {} : { after }) }
      const { questions, next } = await imports.listReview(id, wanted)
      const which = settled === 1 ? '&settled=1' : ''
      const url =
        next === undefined
          ? null
          : `${request.basePath}/imports/${id}/review?limit=${limit}&after=${encodeURIComponent(next)}${which}`
      return { questions, next: url }
    }
  )

  app.post(
    '/imports/:id/review',
    route(
      { params: ImportParams, body: ReviewAnswers, response: { 200: Answered } },
      {
        ...doc,
        act: { name: 'import.review', details: ({ body }) => ({ answers: [body].flat().length }) },
        summary: 'Answer a review question: are these two the same?',
        description: `Works and expressions are corrected at once. The answer applies to later imports too, until the question is answered again. ${importScopes}`,
        problems: [...problems]
      }
    ),
    request => {
      const answers = request.body as { question: string; verdict: 'same' | 'different' }[]
      return imports.answer(request.params.id, answers, request.principal.name)
    }
  )

  app.get(
    '/entities/:id/origin',
    route(
      { params: EntityParams, response: { 200: Origin } },
      {
        ...doc,
        summary: 'Read the source record of a manifestation, and why it belongs to its works',
        description: `Computed for each request, so it is always current. 404 for entities that no import created. ${importScopes}`
      }
    ),
    async request => {
      const origin = await imports.explain(request.params.id)
      if (origin === undefined) throw notFound('import of an entity', request.params.id)
      return origin
    }
  )

  app.get(
    '/entities/:id/source',
    route(
      { params: EntityParams, response: { 200: SourceRecord } },
      {
        ...doc,
        problems: ['invalid', 'not_found'],
        summary: 'Read the source record of a manifestation or an authority, as it is edited',
        description: `In MARC-in-JSON, in its own format: MARC 21 with the changes that were made here since, or UNIMARC as it was imported. \`PUT /entities/{id}\` replaces it. 404 for entities that no record in MARC describes. ${importScopes}`
      }
    ),
    async (request, reply) => sendTagged(request, reply, jsonType, await imports.readSource(request.params.id))
  )

  splitRoutes(app, imports)
  likeCaseRoutes(app, imports)
}

/** Cases like those that people decided. */
function likeCaseRoutes(app: App, imports: ImportQueue) {
  app.get(
    '/entities/:id/like-cases',
    route(
      { params: EntityParams, response: { 200: LikeCases } },
      {
        ...doc,
        summary: 'List cases like those that people decided about the works of a manifestation',
        description: `After a merge, a split or an answer: open questions with the same two titles, or of the same author for the same reason; works of the same two authors with one title; and, after a split, joins for the same reason. At most 100, each with the decision that it is like. Nothing changes until a case is accepted. ${importScopes}`
      }
    ),
    async request => ({ cases: await imports.likeCases(request.params.id) })
  )

  app.post(
    '/entities/:id/like-cases',
    route(
      { params: EntityParams, body: AcceptedCases, response: { 200: Answered } },
      {
        ...doc,
        act: {
          name: 'import.like_cases',
          details: ({ body }) => ({ cases: (body as { cases: string[] }).cases.length })
        },
        summary: 'Accept like cases: decide them as offered',
        description: `Works are corrected at once, and the decisions apply to later imports too. A separation is undone with \`/unsplit\` on the manifestation \`one\`, a join with \`/split\`; an answered question can be answered again. ${importScopes}`,
        problems: [...problems]
      }
    ),
    request => imports.acceptLikeCases(request.params.id, request.body.cases, request.principal.name)
  )
}

/** The separation of a record from its work, and its undoing. */
function splitRoutes(app: App, imports: ImportQueue) {
  app.post(
    '/entities/:id/split',
    route(
      { params: EntityParams, body: SplitInput, response: { 200: Answered } },
      {
        ...doc,
        act: { name: 'import.split', details: ({ body }) => ({ from: (body as { from?: string }).from ?? null }) },
        summary: 'Separate an imported manifestation from the other records of its work',
        description: `It gets a work of its own at once. The decision applies to later imports too, and other records with the same title are then listed as review questions. ${importScopes}`,
        problems: [...problems]
      }
    ),
    request => imports.split(request.params.id, request.body.from, request.principal.name)
  )

  app.post(
    '/entities/:id/unsplit',
    route(
      { params: EntityParams, response: { 200: Answered } },
      {
        ...doc,
        act: { name: 'import.unsplit' },
        summary: 'Undo the separation of an imported manifestation',
        description: `Withdraws all decisions of \`/split\` about it. ${importScopes}`,
        problems: [...problems]
      }
    ),
    request => imports.unsplit(request.params.id)
  )
}
