import type { FastifyReply, FastifyRequest } from 'fastify'

import { HttpError } from '../reply/errors.ts'
import { sendTagged } from '../reply/json.ts'
import { acceptable } from './negotiate.ts'
import { everyEntity, type Make, type Representation, type RepresentationParts } from './representation.ts'

const linkedData = () => import('./linked-data.ts')
const citations = () => import('./citations.ts')
const marc = () => import('./marc.ts')

const inRdf = (name: string, mediaType: string, loadMake: () => Promise<Make>): Representation => ({
  ...{ name, mediaType, loadMake },
  of: everyEntity
})
const ofManifestation = (name: string, mediaType: string, loadMake: () => Promise<Make>): Representation => ({
  ...{ name, mediaType, loadMake },
  of: 'a manifestation'
})

/** Every format beside JSON. To add one, write its `Make` and add a line here. */
export const representations: readonly Representation[] = [
  inRdf('jsonld', 'application/ld+json', async () => (await linkedData()).makeJsonLd),
  inRdf('turtle', 'text/turtle', async () => (await linkedData()).makeTurtle),
  inRdf('ntriples', 'application/n-triples', async () => (await linkedData()).makeNTriples),
  inRdf('rdfxml', 'application/rdf+xml', async () => (await linkedData()).makeRdfXml),
  // Available by name only: it shares its media type with the first.
  inRdf('schema', 'application/ld+json', async () => (await linkedData()).makeSchemaOrg),
  ofManifestation('bibtex', 'application/x-bibtex', async () => (await citations()).makeBibtex),
  ofManifestation('ris', 'application/x-research-info-systems', async () => (await citations()).makeRis),
  ofManifestation('csl', 'application/vnd.citationstyles.csl+json', async () => (await citations()).makeCslJson),
  ofManifestation('marc21', 'application/marc', async () => (await marc()).makeIso2709),
  ofManifestation('marcxml', 'application/marcxml+xml', async () => (await marc()).makeMarcXml),
  ofManifestation('marcjson', 'application/marc+json', async () => (await marc()).makeMarcJson)
]

export const json = { name: 'json', mediaType: 'application/json' } as const
const offers = [json, ...representations]
export const formatNames = offers.map(({ name }) => name)
export const otherMediaTypes = [...new Set(representations.map(({ mediaType }) => mediaType))]

/**
 * Sends an entity in the format that the client prefers and the entity has, or calls `sendJson`
 * where that is JSON. With `onlyJson` there is no other format, as for past versions.
 */
export async function sendWanted(
  parts: RepresentationParts,
  request: FastifyRequest,
  reply: FastifyReply,
  identifier: string,
  requested: { readonly format: string | undefined; readonly onlyJson: boolean },
  sendJson: () => unknown
): Promise<unknown> {
  const { accept } = request.headers
  const possible = requested.onlyJson ? [json] : offers
  const wanted =
    requested.format === undefined
      ? acceptable(accept, possible)
      : possible.filter(({ name }) => name === requested.format)
  for (const offer of wanted) {
    if (!('loadMake' in offer)) return sendJson()
    const make = await offer.loadMake()
    const body = await make(parts, request.principal, identifier)
    if (body !== undefined) return sendTagged(request, reply, contentTypeOf(offer), body)
  }
  const always = possible.filter(offer => !('loadMake' in offer) || offer.of === everyEntity)
  const available = [...new Set(always.map(({ mediaType }) => mediaType))]
  const reason = requested.format === undefined ? `"Accept: ${accept}" excludes them` : `not as ${requested.format}`
  throw new HttpError('not_acceptable', `"${identifier}" is available as ${available.join(', ')}; ${reason}`)
}

const contentTypeOf = ({ mediaType }: Representation) =>
  mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType
