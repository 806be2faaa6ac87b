import Type from 'typebox'

import { workLevel } from '#domain/entity/owners.ts'
import { problemKinds } from '../reply/errors.ts'

/* Parameters that several routes share. The descriptions are shown in the OpenAPI document. */

export const maxPerPage = 1000

/** The largest number of fifteen digits; more digits would lose precision. */
export const maxWholeNumber = 999_999_999_999_999

/** Description of routes for administrators. */
export const needsAdmin = 'Needs the scope `admin`.'

const flagValues = { enum: [0, 1] } as const

export const flag = (description: string, value: 0 | 1 = 0) =>
  Type.Integer({ ...flagValues, default: value, description })

export const skip = Type.Integer({ minimum: 0, default: 0, description: 'Number of results to skip' })
export const limit = Type.Integer({
  minimum: 0,
  maximum: maxPerPage,
  default: 20,
  description: 'Maximum number of results; 0 returns only the count'
})

/** The members of a page of results about its place among all. */
export const pageMembers = { skip: Type.Integer(), limit: Type.Integer(), next: Type.Optional(Type.String()) }

export const paging = {
  skip,
  limit,
  order_by: Type.String({
    default: '',
    maxLength: 1000,
    description:
      'Comma list of `date_created` (default), `date_updated`, `id`, `type`, `next_performance`, or a metadata key. Records without the key are last'
  }),
  asc: Type.Integer({ enum: [0, 1], default: 1, description: '1 ascending, 0 descending' }),
  cursor: Type.Optional(
    Type.String({ maxLength: 10_000, description: 'Position of the page: part of `next` and `previous` in an answer' })
  )
}

export const faceting = {
  facets: Type.String({
    default: '',
    maxLength: 4000,
    description:
      'Comma list of field paths, such as `type,properties.ref_genres.value`, whose values are counted over all matches'
  }),
  facet_limit: Type.Integer({
    minimum: 1,
    maximum: maxPerPage,
    default: 20,
    description: 'Maximum number of values of each facet'
  })
}

export const grouping = {
  group_by: Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      enum: [workLevel],
      description:
        '`work` answers one entry for each work, with its best matching expression and manifestation; `count` counts entries, `count_records` records'
    })
  ),
  facets_of: Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      enum: ['groups', 'records'],
      description: 'With `group_by`: whether facets count entries (default) or records'
    })
  )
}

export const EntityParams = Type.Object({
  id: Type.String({ description: 'Any identifier of the entity: its id, its UUID, or another identifier' })
})

export const typeNames = Type.String({
  default: '',
  maxLength: 2000,
  description: 'A type, an umbrella such as `manifestation`, or a comma list'
})

/** Not modified: the client has this answer. */
export const NotModified = Type.Null()

export const WriteQuery = Type.Object({
  dry_run: flag('1 checks the request and answers its result, but writes nothing')
})

/** The parameters of a write that may refer to entities that come later. */
export const CreateQuery = Type.Object({
  ...WriteQuery.properties,
  allow_dangling: flag('1 allows relations to entities that do not exist (yet)')
})

export const Fault = Type.Object(
  {
    pointer: Type.String({ description: 'JSON pointer into the body, or the name of a parameter' }),
    message: Type.String(),
    code: Type.Optional(
      Type.String({
        description:
          'In warnings: `duplicate` for a record that may be the same, `missing_target` for a relation that was not restored, `doubtful_value` for one that does not have the form of its field, `undeclared_name`, `second_value` (dropped), `unsafe_markup` (removed), `default_category`; `isbn` for a search by an ISBN with a mistake'
      })
    ),
    value: Type.Optional(Type.String({ description: 'With a code: the value that it is about, such as an id' })),
    key: Type.Optional(Type.String({ description: 'In warnings: the field or relation' }))
  },
  { $id: 'Fault' }
)

export const Problem = Type.Object(
  {
    type: Type.String({ description: 'Path of a page that explains the problem' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    instance: Type.Optional(Type.String()),
    code: Type.String({
      description: 'Stable, unlike the wording. `examples` lists the current codes; more may be added',
      examples: Object.keys(problemKinds)
    }),
    errors: Type.Optional(Type.Array(Fault)),
    message: Type.String({ description: '`<CODE> | var:value - text`, for clients that parse it' })
  },
  { $id: 'Problem', additionalProperties: true, description: 'RFC 9457' }
)

/**
 * Marks a body that the domain checks: it knows the record types and reports every fault, so the
 * schema is documentation only.
 */
export const checkedByDomain = <T extends object>(schema: T): T => ({ ...schema, $comment: checkedByDomainMark })
export const checkedByDomainMark = 'checked by the domain'
