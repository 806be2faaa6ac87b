import type { Entity } from '#domain/entity/entity.ts'
import type { FilterPath } from '#domain/filter/filter-path.ts'
import { withoutPaths } from '#domain/filter/without-paths.ts'
import type { Store } from '#store/store.ts'

/** The fields that readers without a bearer may not read: they do not exist for their queries. */
const hiddenPaths: ReadonlySet<FilterPath['kind']> = new Set(['created_by', 'updated_by'])
const isHidden = ({ kind }: FilterPath) => hiddenPaths.has(kind)

/**
 * The store for readers without a bearer: it does not say who wrote a record, neither in documents
 * nor by filters, facets and options. The names are those of tokens and people, and no business of
 * the public.
 */
export function unsignedStore(store: Store): Store {
  return {
    ...store,
    findEntity: async identifier => unsigned(await store.findEntity(identifier)),
    findEntities: async identifiers => unsignedMap(await store.findEntities(identifiers)),
    findClimbing: async (identifier, links) => (await store.findClimbing(identifier, links)).map(unsigned),
    async queryEntities({ facets, ...query }) {
      const shown = facets?.paths.filter(path => !isHidden(path))
      const answer = await store.queryEntities({
        ...query,
        filter: withoutPaths(query.filter, isHidden),
        ...(facets && shown ? { facets: { ...facets, paths: shown } } : {})
      })
      const counted = answer.facets?.values()
      return {
        ...answer,
        entities: answer.entities.map(unsigned),
        ...(answer.editions ? { editions: answer.editions.map(unsigned) } : {}),
        ...(facets ? { facets: facets.paths.map(path => (isHidden(path) ? [] : (counted?.next().value ?? []))) } : {})
      }
    },
    suggest: async question => (await store.suggest(question)).map(unsigned),
    async findHistory(identifier, skip, limit) {
      const history = await store.findHistory(identifier, skip, limit)
      return history && { ...history, versions: history.versions.map(each => ({ ...unsigned(each), by: '' })) }
    },
    async findVersion(identifier, version) {
      const found = await store.findVersion(identifier, version)
      return found && { ...unsigned(found), by: '' }
    },
    async findVersionByUuid(uuid, version) {
      const found = await store.findVersionByUuid(uuid, version)
      return found && { ...unsigned(found), by: '' }
    },
    findEntitiesAt: async (identifiers, sequence) => unsignedMap(await store.findEntitiesAt(identifiers, sequence)),
    async readChanges(question) {
      const answer = await store.readChanges(question)
      return { ...answer, changes: answer.changes.map(each => ({ ...unsigned(each), by: '' })) }
    },
    async harvest(question) {
      const answer = await store.harvest(question)
      return { ...answer, records: answer.records.map(unsigned) }
    },
    findHarvested: async (id, question) => unsigned(await store.findHarvested(id, question)),
    // It is the whole store's to close.
    async [Symbol.asyncDispose]() {}
  }
}

function unsigned<T extends { readonly json: string | null } | undefined>(stored: T): T {
  return stored?.json == null ? stored : { ...stored, json: withoutNames(stored.json) }
}

const unsignedMap = <T extends { readonly json: string }>(found: ReadonlyMap<string, T>): ReadonlyMap<string, T> =>
  new Map([...found].map(([key, each]) => [key, unsigned(each)]))

const text = String.raw`"(?:[^"\\]|\\.)*"`
/** The last member of a document as the service writes it. */
const auditAtEnd = new RegExp(
  String.raw`,"audit":\{"created":\{"at":(${text}),"by":${text}\},"updated":\{"at":(${text}),"by":${text}\}\}\}$`
)

/** A document without the names in its audit. */
export function withoutNames(json: string): string {
  const found = auditAtEnd.exec(json)
  if (found) {
    const audit = `,"audit":{"created":{"at":${found[1]},"by":""},"updated":{"at":${found[2]},"by":""}}}`
    return json.slice(0, found.index) + audit
  }
  const entity = JSON.parse(json) as Entity
  const { created, updated } = entity.audit
  return JSON.stringify({ ...entity, audit: { created: { ...created, by: '' }, updated: { ...updated, by: '' } } })
}
