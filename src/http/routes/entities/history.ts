import type { FastifyRequest } from 'fastify'
import Type from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import { clientAddressOf } from '../../base-path.ts'
import { requestKey } from '../../access/idempotency.ts'
import { checkedByDomain, EntityParams, limit, skip, WriteQuery } from '../../schemas/common.ts'
import { WriteAnswer } from '../../schemas/entity.ts'
import { History, MergeInput, MergeOutcome, RevertInput, UnmergeInput, UnmergeOutcome } from '../../schemas/history.ts'
import type { App } from '../../openapi/typebox-provider.ts'
import { changeOptions, expectedVersions } from '../../reply/conditions.ts'
import { nextByOffset } from '../../reply/page.ts'
import { changeProblems } from '../../openapi/problem-lists.ts'
import { sendWritten } from '../../reply/json.ts'
import { route } from '../../openapi/route.ts'

const mergeOptions = (request: FastifyRequest<{ Querystring: { dry_run: number } }>) => ({
  expected: expectedVersions(request.headers),
  dryRun: request.query.dry_run === 1,
  once: requestKey(request)
})

/** History of an entity: versions, reverting, merging and unmerging. */
export function historyRoutes(app: App, catalogue: Catalogue) {
  app.get(
    '/entities/:id/history',
    route(
      { params: EntityParams, querystring: Type.Object({ skip, limit }), response: { 200: History } },
      {
        tag: 'History',
        summary: 'List the versions of an entity, newest first, with their changes',
        description: 'Deleted entities have a history too.',
        problems: ['not_found']
      }
    ),
    async request => {
      const { query } = request
      const page = await catalogue.history.read(request.principal, request.params.id, query.skip, query.limit)
      const { count, results } = page
      return { ...page, next: nextByOffset(clientAddressOf(request), query, count, {}, results.length) }
    }
  )

  app.post(
    '/entities/:id/revert',
    route(
      { params: EntityParams, querystring: WriteQuery, body: RevertInput, response: { 200: WriteAnswer } },
      {
        tag: 'History',
        needs: 'write',
        summary: 'Revert an entity to a version',
        description: 'This creates a new version. A deleted entity is restored.',
        problems: [...changeProblems, 'still_referenced', 'key_reused']
      }
    ),
    async (request, reply) => {
      const options = { ...changeOptions(request), once: requestKey(request) }
      const { principal, params, body } = request
      return sendWritten(reply, await catalogue.history.revert(principal, params.id, body.version, options))
    }
  )

  app.post(
    '/entities/:id/merge',
    route(
      {
        params: EntityParams,
        querystring: WriteQuery,
        body: checkedByDomain(MergeInput),
        response: { 200: MergeOutcome }
      },
      {
        tag: 'History',
        needs: 'write and delete',
        summary: 'Merge another entity into this one',
        description:
          'In one transaction: references move to the survivor, and the identifiers of the victim become identifiers of the survivor, so old ids still resolve.',
        problems: ['not_found', 'invalid', 'version_mismatch', 'key_reused', 'storage_full']
      }
    ),
    request => catalogue.merging.merge(request.principal, request.params.id, request.body, mergeOptions(request))
  )

  app.post(
    '/entities/:id/unmerge',
    route(
      {
        params: EntityParams,
        querystring: WriteQuery,
        body: checkedByDomain(UnmergeInput),
        response: { 200: UnmergeOutcome }
      },
      {
        tag: 'History',
        needs: 'write',
        summary: 'Undo a merge',
        description: 'Both records and all references are restored; later changes remain.',
        problems: ['not_found', 'invalid', 'version_mismatch', 'identifier_taken', 'key_reused', 'storage_full']
      }
    ),
    request => catalogue.merging.unmerge(request.principal, request.params.id, request.body, mergeOptions(request))
  )
}
