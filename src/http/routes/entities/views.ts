import Type from 'typebox'

import { readCommaList } from '#catalogue/lists/read-list-query.ts'
import { languagesIn } from '#domain/entity/languages.ts'
import type { RelatedView } from '#domain/entity/resolve-relation.ts'
import { invalidWith } from '#domain/errors.ts'
import { describeUnknown, type GivenName, isDeclared } from '#domain/filter/field-names.ts'
import type { Model } from '#domain/record-types/model.ts'
import { HttpError } from '../../reply/errors.ts'

/* The parts that the records of an answer include, and the language of labels. */

type Included = 'relations' | 'summary' | 'local'

/** The language of labels, in the query. */
export const lang = Type.Optional(
  Type.String({
    maxLength: 35,
    description: 'Language of labels, such as `nl`; takes precedence over `Accept-Language`'
  })
)

export const relatedFields = Type.Optional(
  Type.String({
    maxLength: 2000,
    description:
      'With resolved relations: comma list of metadata keys and relation types of the related records, shown under `fields` of each relation'
  })
)

/** A parameter that names the parts which records include, separated by commas. */
export const includeOf = (description: string) =>
  Type.Optional(
    Type.String({
      maxLength: 100,
      description: `Comma list: ${description}; \`local\` adds the times of performances on the clocks of their venues`
    })
  )

const nothing: ReadonlySet<Included> = new Set()

/** Reads `include`. Throws `bad_request` for a part that is none of the given ones. */
export function readIncluded(text: string | undefined, known: readonly Included[]): ReadonlySet<Included> {
  if (text === undefined) return nothing
  const names = readCommaList(text)
  const wrong = names.find(name => !known.some(each => each === name))
  if (wrong !== undefined) {
    const message = `Cannot be "${wrong}"; use ${known.join(', ')}`
    throw new HttpError('bad_request', `include: ${message}`, [{ pointer: 'include', message }])
  }
  return new Set(names as Included[])
}

interface ViewRequest {
  readonly headers: { readonly 'accept-language'?: string }
  readonly query: unknown
}

/** The languages of labels that a client prefers, by `lang` or `Accept-Language`. */
export const languagesOf = ({ headers, query }: ViewRequest): readonly string[] => {
  const { lang: given } = query as { readonly lang?: string }
  return languagesIn(given ?? headers['accept-language'])
}

/** Reads the view of related records. Throws `invalid` for fields that no record type has. */
export function readView(model: Model, request: ViewRequest): RelatedView {
  const { related_fields: names } = request.query as { readonly related_fields?: string }
  const languages = languagesOf(request)
  if (names === undefined) return { languages }
  const fields = readCommaList(names)
  const faults = fields.flatMap(name => {
    const given: GivenName = {
      kind: name.startsWith('ref') ? 'relation' : 'key',
      ...{ name, pointer: 'related_fields', isLenient: false }
    }
    return isDeclared(model, given) ? [] : [{ ...given, message: describeUnknown(model, given).message }]
  })
  if (faults.length > 0) throw invalidWith(faults.map(({ pointer, message }) => ({ pointer, message })))
  return { languages, fields }
}
