import Type from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import { mapInTurns } from '#catalogue/take-turns.ts'
import { CatalogueError, invalidWith } from '#domain/errors.ts'
import { maxPageBytes } from '#domain/page-budget.ts'
import type { Principal } from '#domain/permissions.ts'
import type { FormatParts } from '#protocols/formats/format.ts'
import { clientAddressOf } from '../../base-path.ts'
import type { App } from '../../openapi/typebox-provider.ts'
import { toProblem } from '../../reply/errors.ts'
import { sendCached, sendJson } from '../../reply/json.ts'
import { nextByOffset } from '../../reply/page.ts'
import { otherMediaTypes, sendWanted } from '../../representations/representations.ts'
import { EntityParams, flag, limit, NotModified, skip } from '../../schemas/common.ts'
import { Tree, Wem, WemBatch, WemBatchAnswer } from '../../schemas/wem.ts'
import { format, isPlain, past, pastMoment, wantedForm } from './forms.ts'
import { lang, languagesOf } from './views.ts'
import { route } from '../../openapi/route.ts'

const items = flag('1 shows the items of each manifestation, too')

/** A manifestation with its expression and work in one answer, and the tree of a work. */
export function wemRoutes(app: App, parts: FormatParts) {
  const { catalogue } = parts
  app.get(
    '/entities/wem/:manifestation_id',
    route(
      {
        params: Type.Object({
          manifestation_id: Type.String({
            description: 'Any identifier of the manifestation, or its ISBN, ISSN or EAN'
          })
        }),
        querystring: Type.Object({ ...past, format, items, lang }),
        response: { 200: Wem, 304: NotModified }
      },
      {
        tag: 'WEM',
        summary: 'Read a manifestation with its expression and its work, every relation resolved',
        description:
          'The three levels of a publication in one answer, with the metadata by key and the related records in place of their ids. A manifestation without an expression or a work is an error (404); an ISBN of several manifestations is answered with a list of them (300).',
        alsoProduces: otherMediaTypes,
        problems: ['not_found', 'incomplete_wem', 'several_matches']
      }
    ),
    (request, reply) => {
      reply.header('vary', 'Accept, Accept-Encoding, Accept-Language')
      const { manifestation_id: id } = request.params
      const moment = pastMoment(request.query)
      const withItems = request.query.items === 1
      if (withItems && moment) throw invalidWith([{ pointer: 'items', message: 'Items are those of the present only' }])
      const sendWem = () =>
        moment
          ? catalogue.history.pastWem(request.principal, id, moment).then(body => sendJson(reply, body))
          : sendCached(
              catalogue.publications[withItems ? 'wemWithItems' : 'wem'](
                request.principal,
                id,
                (request.query.lang ?? request.headers['accept-language']) ? languagesOf(request).slice(0, 3) : []
              ),
              request,
              reply
            )
      if (isPlain(request)) return sendWem()
      // An incomplete WEM is an error in every format.
      const find = async ({ publications }: Catalogue) =>
        moment ? id : publications.identifyWem(request.principal, id)
      return sendWanted(parts, request, reply, id, { ...wantedForm(request, moment, sendWem), find })
    }
  )

  app.post(
    '/entities/wem',
    route(
      { body: WemBatch, response: { 200: WemBatchAnswer } },
      {
        tag: 'WEM',
        needs: 'read',
        summary: 'Read at most 100 WEM answers, in the order requested',
        description:
          'For lists of publications, instead of one request for each. A publication that cannot be read has a `problem` in place of its `wem`; the others are not affected.',
        problems: ['invalid']
      }
    ),
    async (request, reply) => {
      let length = 0
      const read = async (id: string) => {
        const text = await wemOrProblem(catalogue, request.principal, id)
        length += text.length
        if (length > maxBatchLength) throw tooLong()
        return text
      }
      const results = await mapInTurns(request.body.ids, read)
      return sendJson(reply, `{"results":[${results.join(',')}]}`)
    }
  )

  app.get(
    '/entities/:id/tree',
    route(
      { params: EntityParams, querystring: Type.Object({ skip, limit, items }), response: { 200: Tree } },
      {
        tag: 'WEM',
        summary: 'Read a work with its expressions and their manifestations, resolved as in WEM',
        description: 'Paged by manifestation; all expressions are always included.',
        problems: ['not_found', 'invalid']
      }
    ),
    async (request, reply) => {
      const { query } = request
      const { skip, limit, items } = query
      const { members, count, shown } = await catalogue.publications.tree(request.principal, request.params.id, {
        skip,
        limit,
        hasItems: items === 1
      })
      const next = nextByOffset(clientAddressOf(request), query, count, items === 1 ? { items: '1' } : {}, shown)
      return sendJson(reply, `{${members},${JSON.stringify({ count, skip, limit, next }).slice(1)}`)
    }
  )
}

/** Maximum characters of all answers of a batch. */
const maxBatchLength = 4 * maxPageBytes

const tooLong = () =>
  invalidWith([
    { pointer: '/ids', message: `The answers have more than ${maxBatchLength} characters; ask for fewer at once` }
  ])

async function wemOrProblem(catalogue: Catalogue, principal: Principal, id: string): Promise<string> {
  try {
    const { body } = await catalogue.publications.wem(principal, id)
    return `{"id":${JSON.stringify(id)},"wem":${body}}`
  } catch (error) {
    // A principal that may read nothing is refused once, not for each id.
    if (!(error instanceof CatalogueError) || error.code === 'forbidden') throw error
    return JSON.stringify({ id, problem: toProblem(error) })
  }
}
