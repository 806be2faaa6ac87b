import type { Model } from '#domain/record-types/model.ts'
import type { Principal } from '#domain/permissions.ts'
import { typesToChoose } from './vocabulary.ts'

export const suggestPaths = {
  entity: '/reconcile/suggest/entity',
  type: '/reconcile/suggest/type',
  property: '/reconcile/suggest/property'
} as const
export const proposePath = '/reconcile/properties'
export const previewPath = '/reconcile/preview'

/** The manifest of the reconciliation service. */
export function serviceManifest(
  model: Model,
  principal: Principal,
  { publicUrl, name, hasPage }: { readonly publicUrl: string; readonly name: string; readonly hasPage: boolean }
): object {
  const service = (path: string) => ({ service_url: publicUrl, service_path: path })
  return {
    versions: ['0.2'],
    name,
    identifierSpace: `${publicUrl}/entities/`,
    schemaSpace: `${publicUrl}/record-types/`,
    documentation: `${publicUrl}/docs`,
    defaultTypes: typesToChoose(model, principal),
    // Records are viewed in the web page, if there is one.
    view: { url: `${publicUrl}/${hasPage ? 'record' : 'entities'}/{{id}}` },
    preview: { url: `${publicUrl}${previewPath}?id={{id}}`, width: 420, height: 220 },
    suggest: {
      entity: service(suggestPaths.entity),
      type: service(suggestPaths.type),
      property: service(suggestPaths.property)
    },
    extend: { propose_properties: service(proposePath), property_settings: [] }
  }
}
