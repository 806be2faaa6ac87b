import type { AppParts, Extension } from '#http/app-parts.ts'
import { withoutPrefix } from '#http/base-path.ts'
import { writeManyRoute } from '#http/routes/entities/many-entities.ts'
import { addBodyForms } from './bodies.ts'
import { readClientFilters } from './filter/client-filter-reader.ts'
import { addBulkDelete, deleteMediafilesRoute } from './routes/bulk-delete.ts'
import { addFilterForms, secondFilterRoute } from './routes/filters.ts'
import { historyFilterRoute } from './routes/history-filter.ts'
import { addListForms } from './routes/lists.ts'
import { readRoutes } from './routes/reads.ts'
import { addSoft } from './soft.ts'

/*
 * Everything that exists only for the clients of another platform, whose interface the
 * specification describes: its Python SDK and its front-end.
 */

/** Prefix under which the clients use every path. */
const aliasPrefix = '/elody/v1'

/**
 * Another such prefix, for clients that read `count` and `results` of every list: under it,
 * `GET /entities` answers the object that `envelope=1` chooses.
 */
const envelopePrefix = '/v2'
const entityList = /^\/entities\/?(?=\?|$)/

function routedPath(method: string | undefined, own: string): string {
  if (!own.startsWith(aliasPrefix) && !own.startsWith(envelopePrefix)) return own
  const path = withoutPrefix(own, aliasPrefix)
  const inner = path === own ? withoutPrefix(own, envelopePrefix) : path
  const isList = (method === 'GET' || method === 'HEAD') && entityList.test(inner)
  if (inner === path || !isList || inner.includes('envelope=')) return inner
  return `${inner}${inner.includes('?') ? '&' : '?'}envelope=1`
}

/** Parameters without an effect here: the language of a page, and hints about the answer. */
const ignoredParameters: readonly string[] = [
  ...['language', 'exact_count', 'skip_relations', 'non_public', 'exclude_non_editable_fields']
]

export const clientExtension: Extension = {
  readFilters: readClientFilters,
  routedPath,
  isIgnored: (name, value) =>
    ignoredParameters.includes(name) || (name === 'history' && (value === '0' || value === '')),
  adaptRoutes(app, parts) {
    addBodyForms(app, parts.model)
    addFilterForms(app, listParts(parts))
    addListForms(app, listParts(parts))
    addBulkDelete(app, parts.catalogue)
    addSoft(app, parts)
  },
  addRoutes(app, parts) {
    const { catalogue, model } = parts
    writeManyRoute(app, catalogue, model, {
      method: 'POST',
      url: '/batch',
      summary: 'The same as `PUT /entities`, for existing clients'
    })
    deleteMediafilesRoute(app, catalogue)
    readRoutes(app, parts)
    secondFilterRoute(app, listParts(parts))
    historyFilterRoute(app, listParts(parts))
  }
}

const listParts = ({ catalogue, model }: AppParts) => ({ catalogue, model, readFilters: readClientFilters })
