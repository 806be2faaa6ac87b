import Type from 'typebox'

import { problemKinds } from '../reply/errors.ts'

/*
 * Parameters that several routes share. Texts here are read by people: they go into the OpenAPI
 * document.
 */

export const maxPerPage = 1000

/** Description of routes for administrators. */
export const needsAdmin = 'Needs the scope `admin`.'

const flagValues = { enum: [0, 1], default: 0 } as const

export const flag = (description: string) => Type.Integer({ ...flagValues, description })

export const skip = Type.Integer({ minimum: 0, default: 0, description: 'How many results to pass over' })
export const limit = Type.Integer({
  minimum: 0,
  maximum: maxPerPage,
  default: 20,
  description: 'How many results to give; 0 gives only the count'
})

export const paging = {
  skip,
  limit,
  order_by: Type.String({
    default: '',
    maxLength: 1000,
    description:
      'Comma list of `date_created` (default), `date_updated`, `id`, `type`, or a metadata key. Records without the key come last'
  }),
  asc: Type.Integer({ enum: [0, 1], default: 1, description: '1 ascending, 0 descending' }),
  cursor: Type.Optional(
    Type.String({ maxLength: 10_000, description: 'Where to go on: part of the `next` and `previous` of an answer' })
  )
}

export const faceting = {
  facets: Type.String({
    default: '',
    maxLength: 4000,
    description:
      'Comma list of field paths, such as `type,properties.ref_genres.value`, to count the values of over all matches'
  }),
  facet_limit: Type.Integer({
    minimum: 1,
    maximum: maxPerPage,
    default: 20,
    description: 'How many values to give of each facet'
  })
}

export const EntityParams = Type.Object({
  id: Type.String({ description: 'Any identifier of the entity: its id, its UUID, or one a client added' })
})

/** The client has this answer already. */
export const NotModified = Type.Null()

/** Only whether the caller may read this. */
export const soft = flag('1 only asks whether the caller may do this; answers "good"')

export const WriteQuery = Type.Object({
  dry_run: flag('1 checks everything and answers what would happen, but writes nothing'),
  soft
})

/** The answer to `soft=1`. */
export const Good = Type.Literal('good', { $id: 'Good', description: 'The answer to `soft=1`: the caller may do this' })

export const Fault = Type.Object(
  {
    pointer: Type.String({ description: 'JSON pointer into the body, or the name of a parameter' }),
    message: Type.String()
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
      description: 'Outlives the wording. Those there are now stand under `examples`; more may come',
      examples: Object.keys(problemKinds)
    }),
    errors: Type.Optional(Type.Array(Fault)),
    message: Type.String({ description: '`<CODE> | var:value - text`, for clients that parse it' })
  },
  { $id: 'Problem', additionalProperties: true, description: 'RFC 9457' }
)

/**
 * Marks a body whose check is the domain's: it knows the record types and tells every fault, so the
 * schema only documents.
 */
export const checkedByDomain = <T extends object>(schema: T): T => ({ ...schema, $comment: checkedByDomainMark })
export const checkedByDomainMark = 'checked by the domain'
