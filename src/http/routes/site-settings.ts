import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'

import { cataloguePresets, usualCatalogue } from '#domain/imports/foreign-catalogue.ts'
import { membersOfBlock } from '#pages/read-site.ts'
import { usualStart } from '#pages/site.ts'
import type { ShownSettings, SiteSettings } from '#pages/site-settings.ts'
import type { AuditedAct } from '../openapi/route-doc.ts'
import { route } from '../openapi/route.ts'
import type { App } from '../openapi/typebox-provider.ts'
import { isTagIn } from '../reply/conditions.ts'
import { checkedByDomain, needsAdmin } from '../schemas/common.ts'

const Settings = Type.Object(
  {},
  {
    additionalProperties: true,
    description:
      'The members of the file that `SITE` names: name, description, logo, colours, typefaces, contact, navigation, links, languages, start, catalogues, templates. Files are `data:` addresses'
  }
)

const ShownSite = Type.Object(
  {
    source: Type.String({
      enum: ['database', 'file'],
      description: '`database` if an administrator stored the settings; `file` if those of `SITE` hold'
    }),
    version: Type.String({ description: 'The `ETag`, without quotes' }),
    settings: Settings,
    presets: Type.Array(Type.Object({}, { additionalProperties: true }), {
      description: 'Public catalogues, for `settings.catalogues`'
    }),
    blocks: Type.Object(
      {},
      {
        additionalProperties: Type.Array(Type.String()),
        description: 'The blocks that `settings.start` may name, each with the members that it may have'
      }
    ),
    usual: Type.Object(
      {},
      { additionalProperties: true, description: 'The members `start`, and of a `catalogue`, where none are given' }
    )
  },
  { $id: 'SiteSettings', additionalProperties: false }
)

const doc = { tag: 'Service', needs: 'admin', description: needsAdmin } as const
const change: AuditedAct = {
  name: 'site.change',
  details: ({ body }) => ({ members: Object.keys((body ?? {}) as object) })
}
/** Beside the settings: what may be chosen, and what holds where nothing is. */
const offered = {
  presets: cataloguePresets,
  blocks: membersOfBlock,
  usual: { start: usualStart, catalogue: usualCatalogue }
}
const removal: AuditedAct = { name: 'site.reset' }

/** The settings of the site of the house; they need the scope `admin`. */
export function siteSettingsRoutes(app: App, site: SiteSettings) {
  const send = (reply: FastifyReply, shown: ShownSettings) =>
    reply.header('etag', `"${shown.version}"`).send({ ...shown, ...offered })
  const isExpected =
    ({ headers }: FastifyRequest) =>
    (version: string) => {
      const header = headers['if-match']
      return header === undefined || header.trim() === '*' || isTagIn(header, `"${version}"`)
    }
  app.get(
    '/site',
    route({ response: { 200: ShownSite } }, { ...doc, summary: 'Read the settings of the site' }),
    async (_, reply) => {
      await site.refresh()
      return send(reply, site.show())
    }
  )
  app.put(
    '/site',
    route(
      { body: checkedByDomain(Settings), response: { 200: ShownSite } },
      {
        ...doc,
        summary: 'Store the settings of the site',
        description: `${needsAdmin} They replace those of the file that \`SITE\` names, as a whole. With \`If-Match\`, only if nobody has changed them.`,
        act: change,
        problems: ['invalid', 'version_mismatch', 'storage_full']
      }
    ),
    async (request, reply) => send(reply, await site.replace(request.principal, request.body, isExpected(request)))
  )
  app.delete(
    '/site',
    route(
      { response: { 200: ShownSite } },
      {
        ...doc,
        summary: 'Return to the settings of the file',
        description: `${needsAdmin} The stored settings are deleted, and those of the file that \`SITE\` names hold.`,
        act: removal,
        problems: ['version_mismatch', 'storage_full']
      }
    ),
    async (request, reply) => send(reply, await site.remove(request.principal, isExpected(request)))
  )
}
