import type { RecordTypeRow } from '../../../client/index.ts'
import { type Content, performances } from './drafts.ts'

/** The query parameter that names a record to copy. */
export const likeParameter = 'like'

/** The query parameter that names the production of new performances. */
export const ofParameter = 'of'

/** The end of the address of the form for several performances, which names its draft too. */
export const performancesOf = (id: string) => `${performances}?${new URLSearchParams({ [ofParameter]: id })}`

/** The address of the form for a new record that has these relations already. */
export const newAddress = (type: string, relations: Readonly<Record<string, string>>) =>
  `/new/${type}?${new URLSearchParams(relations)}`

/** The relations that the address of a form gives a new record, and the title of the one above. */
export function givenContent(row: RecordTypeRow, query: URLSearchParams, above: Content['metadata'] = []): Content {
  const relations = row.relations.flatMap(({ type }) => query.getAll(type).map(key => ({ type, key })))
  return { metadata: above.filter(({ key }) => key === 'title' && key === row.name_field), relations }
}

/** The content of a copy: everything but identifiers of the original, such as its ISBN. */
export function copyOf(row: RecordTypeRow, { metadata, relations }: Content): Content {
  const isOwn = (key: string) => row.fields.some(field => field.key === key && field.kind === 'isbn')
  return {
    metadata: metadata.filter(({ key }) => !isOwn(key)),
    relations: relations.map(({ key, type, metadata: roles }) => ({ key, type, ...(roles ? { metadata: roles } : {}) }))
  }
}
