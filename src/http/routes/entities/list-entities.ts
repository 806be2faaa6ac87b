import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import type { Entity as EntityValue } from '#domain/entity/entity.ts'
import type { EntityPage as Page, ListRequest } from '#catalogue/lists/list-entities.ts'
import type { TextSearch } from '#catalogue/lists/offer-instead.ts'
import { readCommaList, readListQuery, readSelection, readTypes } from '#catalogue/lists/read-list-query.ts'
import { invalidWith } from '#domain/errors.ts'
import type { Filter as FilterValue } from '#domain/filter/filter.ts'
import type { FilterBody, ReadFilters } from '#domain/filter/read-filter.ts'
import type { GivenName } from '#domain/filter/field-names.ts'
import type { Model } from '#domain/record-types/model.ts'
import { mediafile } from '#domain/record-types/stage.ts'
import { clientAddressOf } from '../../base-path.ts'
import type { App } from '../../openapi/typebox-provider.ts'
import { sendJson } from '../../reply/json.ts'
import {
  type ShownPage,
  entitiesJson,
  listParameters,
  pageJson,
  pageLinks,
  readSearchedBody,
  type SearchedBody
} from '../../reply/page.ts'
import { sendTable, tableType, wantsTable, withPageHeaders } from '../../reply/table.ts'
import { includeOf, lang, languagesOf, readIncluded, readView, relatedFields } from './views.ts'
import { checkedByDomain, faceting, flag, grouping, paging, typeNames } from '../../schemas/common.ts'
import { Entity, EntityPage, Filter, WorkPage, WorkResult } from '../../schemas/entity.ts'

const columns = Type.String({
  default: '',
  maxLength: 20_000,
  description: 'For `Accept: text/csv`: comma list of columns; by default all fields and relations of the types'
})

/** Maximum number of records of one answer that are resolved or summarised. */
const maxResolved = 200

const include = includeOf(
  `with a \`limit\` of at most ${maxResolved}, \`relations\` resolves the relations of each result, as \`resolve=1\` of one entity does; \`summary\` adds the editions of works, and the next, first and last performances of productions`
)

/** The names that `include` of a list may have. */
const ofLists = ['relations', 'summary', 'local'] as const

/** The page with its relations resolved, with summaries and with local times, if requested. */
async function withIncluded(
  { catalogue, model }: ListParts,
  request: FastifyRequest,
  page: Page,
  given: string | undefined
): Promise<Page & Pick<ShownPage, 'summaries'>> {
  const { principal } = request
  const included = readIncluded(given, ofLists)
  if (included.size === 0) return page
  if (page.limit > maxResolved)
    throw invalidWith([{ pointer: 'limit', message: `Must be at most ${maxResolved} with include=${given}` }])
  const localise = (entities: readonly EntityValue[]) => catalogue.productions.withLocalTimes(principal, entities)
  const view = readView(model, request)
  let { entities } = page
  if (included.has('relations')) {
    const resolved = await catalogue.entities.resolveRelations(principal, entities, view)
    entities = entities.map((each, index) => ({ ...each, json: JSON.stringify(resolved[index]) }))
  }
  if (included.has('local')) {
    const local = await localise(entities.map(({ json }) => JSON.parse(json) as EntityValue))
    entities = entities.map((each, index) => ({ ...each, json: JSON.stringify(local[index]) }))
  }
  if (!included.has('summary')) return { ...page, entities }
  const heads = page.groups && new Set(page.groups.map(({ head }) => head))
  const listed = heads ? entities.filter(({ id }) => heads.has(id)) : entities
  const others = listed.filter(({ id }) => !page.works?.has(id))
  const summaries = Object.fromEntries(await catalogue.lists.summarise(principal, others, { now: Date.now() }))
  if (!included.has('local')) return { ...page, entities, summaries }
  for (const [id, summary] of Object.entries(summaries)) {
    const nights = Object.entries(summary).filter(([name]) => performancesIn.has(name))
    const local = await localise(nights.map(([, each]) => each as EntityValue))
    summaries[id] = { ...summary, ...Object.fromEntries(nights.map(([name], index) => [name, local[index]])) }
  }
  return { ...page, entities, summaries }
}

/** The members of a summary that are performances. */
const performancesIn: ReadonlySet<string> = new Set(['next_performance', 'premiere', 'last_night'])

export interface ListParts {
  readonly catalogue: Catalogue
  readonly model: Model
  readonly readFilters: ReadFilters
}

/** Lists of entities: by type and identifiers, or by filters. */
export function listEntityRoutes(app: App, parts: ListParts) {
  const { catalogue, model } = parts
  app.get(
    '/entities',
    {
      schema: {
        querystring: Type.Object({
          type: typeNames,
          ids: Type.Optional(Type.String({ maxLength: 100_000, description: 'Comma list of identifiers' })),
          ...paging,
          envelope: flag('1 answers an object with the count, as the filter does, instead of a plain array'),
          ...faceting,
          ...grouping,
          include,
          related_fields: relatedFields,
          lang,
          columns
        }),
        response: { 200: Type.Unsafe({ anyOf: [Type.Array(Entity), EntityPage, Type.Array(WorkResult), WorkPage] }) }
      },
      config: {
        doc: {
          tag: 'Entities',
          summary: 'List entities',
          description:
            'A JSON array. `X-Total-Count` is the exact count, `Link` has the next and previous page. With `Accept: text/csv` the same page as a table.',
          alsoProduces: [tableType],
          problems: ['query_timeout']
        }
      }
    },
    async (request, reply) => {
      const {
        type,
        ids,
        envelope,
        include: included,
        related_fields,
        lang: language,
        columns: named,
        ...query
      } = request.query
      if (query.facets !== '' && envelope !== 1)
        throw invalidWith([{ pointer: 'facets', message: 'Facets are part of the object that envelope=1 answers' }])
      const names = named === '' ? [] : await namesOfTable(request, reply, named)
      const list = {
        ...readListQuery(query, readSelection(model, type, ids), names),
        languages: languagesOf(request),
        isSummarised: readIncluded(included, ofLists).has('summary')
      }
      const page = await withIncluded(parts, request, await catalogue.lists.entities(request.principal, list), included)
      const links = pageLinks(page, clientAddressOf(request), {
        type,
        ids,
        ...{ include: included, related_fields, lang: language },
        envelope: envelope === 1 ? '1' : undefined,
        ...listParameters(query),
        columns: named
      })
      if (wantsTable(request, reply)) {
        const types = type === '' ? [] : readTypes(model, type)
        return sendTable(parts, request, reply, { page, links }, { types, columns: readCommaList(named) })
      }
      if (envelope === 1) return sendJson(reply, pageJson(page, links))
      return sendJson(withPageHeaders(reply, page, links), entitiesJson(page))
    }
  )

  filterRoute(app, parts, '/entities/filter', 'Search entities')
  filterRoute(app, parts, '/mediafiles/filter', 'Search media files')
}

const FilterQuery = Type.Object({
  ...paging,
  ...faceting,
  ...grouping,
  highlight: flag('1 adds the matching passages of each result'),
  include,
  related_fields: relatedFields,
  lang,
  columns
})

/** A path that searches by filters: in media files, or in all entities. */
export function filterRoute(app: App, parts: ListParts, path: string, summary: string) {
  app.post(
    path,
    {
      schema: {
        querystring: FilterQuery,
        body: checkedByDomain(Type.Array(Filter, { maxItems: 64 })),
        response: { 200: Type.Unsafe({ anyOf: [EntityPage, WorkPage] }) }
      },
      config: {
        doc: {
          tag: isOfMedia(path) ? 'Media' : 'Entities',
          needs: 'read',
          summary,
          description:
            'All filters are combined with AND. `count` is exact; following `next` costs the same on every page. With `Accept: text/csv` the page is a table.',
          alsoProduces: [tableType],
          problems: ['invalid_filter', 'unknown_filter_type', 'query_timeout']
        }
      }
    },
    (request, reply) => {
      const searched = readSearchedBody(request.body, body => parts.readFilters(parts.model, body).filter)
      return sendFiltered(parts, request, reply, parts.readFilters(parts.model, request.body), { searched })
    }
  )
}

interface SendOptions {
  readonly facets?: ListRequest['facets']
  readonly toShown?: (page: Page) => ShownPage
  readonly searched?: SearchedBody | undefined
  /** Parameters that the links to other pages repeat. */
  readonly repeated?: Readonly<Record<string, string | undefined>>
}

/**
 * Sends the records that filters select. `facets` replaces those of the query, and `toShown` the
 * page that is sent as JSON; `searched` is the search of the body.
 */
export async function sendFiltered(
  parts: ListParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { filter, names }: FilterBody,
  { facets, toShown = page => page, searched, repeated = {} }: SendOptions = {}
): Promise<FastifyReply> {
  const { columns: named, highlight, include: included, ...given } = request.query as Static<typeof FilterQuery>
  const { related_fields, lang: language, ...query } = given
  const isMedia = isOfMedia(request.routeOptions.url)
  const isHighlighted = highlight === 1
  const within = (inner: FilterValue) => (isMedia ? ofMediafiles(inner) : inner)
  // Most requests want neither a table of some columns nor more than the records: each wait for
  // nothing would cost a microsecond.
  const ofTable = named === '' ? [] : await namesOfTable(request, reply, named)
  const found = await parts.catalogue.lists.entities(request.principal, {
    ...readListQuery(query, within(filter), [...names, ...ofTable]),
    languages: languagesOf(request),
    ...(facets ? { facets } : {}),
    ...(searched ? { search: searchWithin(searched.search, within) } : {}),
    isHighlighted,
    isSummarised: readIncluded(included, ofLists).has('summary')
  })
  const page = included === undefined ? found : await withIncluded(parts, request, found, included)
  const links = pageLinks(page, clientAddressOf(request), {
    ...listParameters(query),
    ...{ include: included, related_fields, lang: language },
    highlight: isHighlighted ? '1' : undefined,
    columns: named,
    ...repeated
  })
  if (wantsTable(request, reply)) {
    const types = isMedia ? [mediafile.type] : [...new Set(page.entities.map(({ type }) => type))]
    return sendTable(parts, request, reply, { page, links }, { types, columns: readCommaList(named) })
  }
  return sendJson(reply, pageJson(toShown(page), links, page.instead && searched?.shown(page.instead)))
}

/** The search with all its filters limited. */
const searchWithin = (
  { text, withText, withoutEach }: TextSearch,
  within: (filter: FilterValue) => FilterValue
): TextSearch => ({
  text,
  withText: other => within(withText(other)),
  withoutEach: withoutEach.map(make => () => within(make()))
})

const isOfMedia = (path: string | undefined) => path?.startsWith('/mediafiles') === true

/** Limits a filter to media files. */
const ofMediafiles = (filter: FilterValue): FilterValue => ({
  kind: 'all',
  of: [{ kind: 'types', types: [mediafile.type] }, filter]
})

/** The names in the columns of a table, if the client wants one. */
async function namesOfTable(
  request: FastifyRequest,
  reply: FastifyReply,
  named: string
): Promise<readonly GivenName[]> {
  if (!wantsTable(request, reply)) return []
  const { namesInColumns, readColumns } = await import('#protocols/export/csv-columns.ts')
  return namesInColumns(readColumns(readCommaList(named)))
}
