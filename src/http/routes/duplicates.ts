import Type from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import { duplicateReasons } from '#domain/entity/duplicates.ts'
import { differentRelation } from '#domain/record-types/different-relation.ts'
import { sameAsRelation } from '#domain/record-types/related.ts'
import type { Model } from '#domain/record-types/model.ts'
import { clientAddressOf } from '../base-path.ts'
import type { App } from '../openapi/typebox-provider.ts'
import { pathOf } from '../reply/page.ts'
import { typeNames } from '../schemas/common.ts'
import { route } from '../openapi/route.ts'

const DuplicateGroup = Type.Object(
  {
    count: Type.Integer({ minimum: 2, description: 'The number of records, of which at most 50 are listed' }),
    records: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          type: Type.String(),
          label: Type.String({ description: 'The name of the record' }),
          merge: Type.String({ description: 'Path for `POST` with the `victim_id` of another record of the group' }),
          relations: Type.String({
            description: `Path for \`POST\` of \`[{"type": "${differentRelation}", "key": "…"}]\`, which says that two records are different`
          })
        },
        { additionalProperties: false }
      )
    ),
    reasons: Type.Array(
      Type.Object(
        {
          reason: Type.String({ description: '`name`, `similar`, or the key of the field with the equal number' }),
          value: Type.String({ description: 'The equal number or name' })
        },
        { additionalProperties: false }
      )
    ),
    score: Type.Optional(
      Type.Integer({
        description: 'How likely similar records are the same: right pairs in a hundred, as measured'
      })
    ),
    same_as: Type.Optional(
      Type.String({
        description:
          'For terms of several schemes: a `POST` of this relation to the other term to `relations` joins them, and each keeps its scheme'
      })
    ),
    different: Type.Array(Type.Array(Type.String(), { minItems: 2, maxItems: 2 }), {
      description: 'Pairs of ids of records that somebody said are different'
    })
  },
  { $id: 'DuplicateGroup', additionalProperties: false }
)

const DuplicatePage = Type.Object(
  {
    count: Type.Integer({ minimum: 0, description: 'The exact number of groups' }),
    results: Type.Array(DuplicateGroup),
    next: Type.Optional(Type.String({ description: 'Path of the next page' }))
  },
  { $id: 'DuplicatePage', additionalProperties: false }
)

/** Likely duplicates. */
export function duplicateRoutes(app: App, catalogue: Catalogue, model: Model) {
  app.get(
    '/duplicates',
    route(
      {
        querystring: Type.Object({
          type: typeNames,
          reason: Type.String({
            default: '',
            maxLength: 200,
            description: `Groups with this reason only: ${duplicateReasons(model).join(', ')}`
          }),
          min_score: Type.Integer({
            minimum: 0,
            maximum: 100,
            default: 50,
            description: 'Least score of similar records, with `reason=similar`'
          }),
          limit: Type.Integer({ minimum: 0, maximum: 200, default: 20, description: 'Maximum number of groups' }),
          cursor: Type.Optional(
            Type.String({ maxLength: 10_000, description: 'Position of the page: part of `next` in an answer' })
          )
        }),
        response: { 200: DuplicatePage }
      },
      {
        tag: 'Entities',
        summary: 'List likely duplicates',
        description:
          'Groups of records of one kind that have an equal number of a standard or of a file of authorities, or an equal name and nothing that tells them apart; with `reason=similar` those with an equal name of which some lack what would tell them apart. In the order of creation of the first record of each group.',
        problems: ['query_timeout']
      }
    ),
    async request => {
      const { cursor, min_score: minScore, ...given } = request.query
      const wanted = { ...given, minScore, cursor }
      const { count, groups, next } = await catalogue.lists.duplicates(request.principal, wanted)
      const shown = { ...given, limit: String(given.limit), min_score: String(minScore) }
      const parameters = Object.entries(shown).filter(([, value]) => value !== '')
      return {
        count,
        results: groups.map(({ records, reasons, different, isAcrossSchemes, ...group }) => ({
          ...group,
          ...(isAcrossSchemes ? { same_as: sameAsRelation } : {}),
          records: records.map(record => ({
            ...record,
            merge: `${request.basePath}/entities/${encodeURIComponent(record.id)}/merge`,
            relations: `${request.basePath}/entities/${encodeURIComponent(record.id)}/relations`
          })),
          reasons: [...reasons],
          different: different.map(pair => [...pair])
        })),
        ...(next === undefined
          ? {}
          : { next: `${pathOf(clientAddressOf(request))}?${new URLSearchParams([...parameters, ['cursor', next]])}` })
      }
    }
  )
}
