import type { RouteDoc } from '../openapi/route-doc.ts'

/**
 * Tags of the routes that give records or what was made of them. The change feed is not among them:
 * it keeps connections open.
 */
const tagsOfRecords: ReadonlySet<RouteDoc['tag']> = new Set([
  'Entities',
  'Media',
  'WEM',
  'History',
  'Export',
  'Protocols'
])

/** Whether a route only reads records, so that visitors may use it where they may read. */
export function readsRecords(method: string, { tag, needs }: RouteDoc): boolean {
  if (!tagsOfRecords.has(tag)) return false
  return needs === 'read' || (needs === undefined && (method === 'GET' || method === 'HEAD'))
}
