import { aPng } from '../test/support/records/media.ts'
import type { Sender } from './record-examples.ts'

/*
 * One example request for each operation, in an order in which each of them succeeds, to a service
 * with the sample catalogue. `npm run docs` records the answers.
 */

/** Sends everything. Operations that the service does not have fail the recording. */
export async function sendExamples(sender: Sender) {
  await readEntities(sender)
  await writeEntities(sender)
  await editLists(sender)
  await keepHistory(sender)
  await exchangeFiles(sender)
  await manageMedia(sender)
  await sendBytes(sender)
  await reviewImports(sender, await importFiles(sender))
  await sendWebhooks(sender)
  await useProtocols(sender)
  await manageAccess(sender)
  await signIn(sender)
  await askService(sender)
}

const venue = (id: string, name: string) => ({
  id,
  type: 'venue',
  metadata: [
    { key: 'name', value: name },
    { key: 'city', value: 'Gent' }
  ]
})
const filters = [
  { type: 'type', value: 'production' },
  { type: 'text', key: 'properties.title.value', value: 'hamlet' }
]

async function readEntities({ send }: Sender) {
  await send('GET /entities', { query: { type: 'venue', order_by: 'name', limit: 2 } })
  await send('POST /entities/filter', { query: { limit: 1, facets: 'properties.status.value' }, body: filters })
  await send('POST /entities/filter_v2', { query: { limit: 1 }, body: filters })
  await send('GET /entities/{id}', { path: { id: 'VE-ZWALUW' } })
  await send('GET /entities/{id}/references', { path: { id: 'VE-ZWALUW' }, query: { limit: 2 } })
  await send('GET /entities/wem/{manifestation_id}', { path: { manifestation_id: 'M-HAMLETEN2016' } })
  await send('POST /entities/wem', { body: { ids: ['M-HAMLETEN2016', 'M-UNKNOWN'] } })
  await send('GET /entities/{id}/tree', { path: { id: 'W-HAMLET' }, query: { limit: 1 } })
  await send('GET /entities/{id}/parts', { path: { id: 'W-GRIMM' }, query: { limit: 2 } })
  await send('GET /entities/{id}/calendar.ics', {
    path: { id: 'VE-ZWALUW' },
    query: { from: '2026-10-01', to: '2026-10-31' }
  })
  await send('GET /entities/{id}/programme.csv', { path: { id: 'PR-HAMLET' }, query: { from: '2027-01-01' } })
  await send('GET /entities/{id}/programme.rss', { path: { id: 'PR-HAMLET' }, query: { lang: 'nl' } })
  await send('GET /entities/{id}/programme.html', { path: { id: 'PR-HAMLET' }, query: { lang: 'nl' } })
  await send('GET /entities/{id}/uitdatabank.json', { path: { id: 'PR-HAMLET' } })
  await send('GET /suggest', { query: { q: 'haml', limit: 3 } })
  await send('GET /recent', { query: { limit: 3 } })
  await send('GET /growth')
  await send('GET /duplicates', { query: { type: 'person' } })
  await send('GET /entities/{id}/permissions', { path: { id: 'VE-ZWALUW' } })
  await send('GET /filter/matchers')
}

async function writeEntities({ send, replace }: Sender) {
  await send('POST /entities', { body: venue('VE-SCHOUWBURG', 'Schouwburg') })
  await send('PUT /entities', {
    body: [{ id: 'VE-SCHOUWBURG', metadata: [{ key: 'capacity', value: 300 }] }, venue('VE-ATELIER', 'Het Atelier')]
  })
  await send('POST /batch', { body: [{ id: 'VE-ATELIER', metadata: [{ key: 'capacity', value: 80 }] }] })
  await send('PUT /entities/{id}', { path: { id: 'VE-SCHOUWBURG' }, body: venue('VE-SCHOUWBURG', 'De Schouwburg') })
  await send('PATCH /entities/{id}', {
    path: { id: 'VE-SCHOUWBURG' },
    body: { metadata: [{ key: 'capacity', value: 320 }] }
  })
  await send('POST /entities/batch', {
    body: [
      { op: 'create', entity: venue('VE-LOODS', 'De Loods') },
      { op: 'patch', id: 'VE-ATELIER', entity: { metadata: [{ key: 'capacity', value: 90 }] } }
    ]
  })
  await send('DELETE /entities', { body: ['VE-LOODS'] })
  await send('DELETE /entities/{id}', { path: { id: 'VE-ATELIER' } })
  const search = await send('POST /saved_searches', {
    body: { metadata: [{ key: 'title', value: 'Tragedies' }], address: '/find?q=hamlet&type=work', private: false }
  })
  const path = { id: search.body.id }
  replace(path.id, '0196d3c2-7f00-7000-8000-00000000c001')
  await send('GET /saved_searches')
  await send('GET /saved_searches/{id}', { path })
  await send('PATCH /saved_searches/{id}', { path, body: { metadata: [{ key: 'title', value: 'Hamlets' }] } })
  await send('DELETE /saved_searches/{id}', { path })
}

/** The metadata and relations of a record and of a media file, as lists. */
async function editLists({ send }: Sender) {
  for (const [collection, id, entry, to] of [
    ['entities', 'PR-HAMLET', { key: 'age_category', value: '12+' }, 'VE-SCHOUWBURG'],
    ['mediafiles', 'MF-FIVESISTERSPOSTER', { key: 'copyright', value: 'Mira Peeters' }, undefined]
  ] as const) {
    const path = { id }
    const metadata = `/${collection}/{id}/metadata` as const
    const { body: existing } = await send(`GET ${metadata}`, { path })
    await send(`POST ${metadata}`, { path, body: [{ key: 'remark', value: 'Seen in Gent' }] })
    await send(`PATCH ${metadata}`, { path, body: [entry] })
    await send(`DELETE ${metadata}`, { path, body: [{ key: 'remark' }] })
    await send(`PUT ${metadata}`, { path, body: existing })
    const relations = `/${collection}/{id}/relations` as const
    const { body: related } = await send(`GET ${relations}`, { path })
    const changed = [to === undefined ? { type: 'refSource', key: 'W-HAMLET' } : { type: 'refVenues', key: to }]
    await send(`POST ${relations}`, { path, body: changed })
    await send(`PATCH ${relations}`, { path, body: changed })
    await send(`DELETE ${relations}`, { path, body: changed })
    await send(`PUT ${relations}`, { path, body: related })
  }
}

async function keepHistory({ send, prepare }: Sender) {
  const path = { id: 'VE-SCHOUWBURG' }
  await send('GET /entities/{id}/history', { path, query: { limit: 2 } })
  await send('POST /entities/{id}/revert', { path, body: { version: 1 } })
  await send('GET /history/{collection}/{id}', { path: { collection: 'entities', ...path } })
  await send('POST /history/filter', { query: { limit: 1 }, body: [{ type: 'id', value: 'VE-SCHOUWBURG' }] })
  await prepare('POST', '/entities', { ...venue('VE-TWICE', 'Schouwburg Gent') })
  await send('POST /entities/{id}/merge', { path, body: { victim_id: 'VE-TWICE' } })
  await send('POST /entities/{id}/unmerge', { path, body: { victim_id: 'VE-TWICE' } })
  await send('GET /changes', { query: { limit: 1, types: 'venue' } })
}

async function exchangeFiles({ send }: Sender) {
  await send('GET /export', { query: { type: 'season', format: 'csv', columns: 'id,properties.name.value' } })
  await send('POST /export', { query: { format: 'csv', columns: 'id,properties.title.value' }, body: filters })
}

async function manageMedia({ send, replace }: Sender) {
  const added = await send('POST /entities/{id}/mediafiles', {
    path: { id: 'PR-HAMLET' },
    body: { filename: 'poster.png', mediafile_type: 'posters' }
  })
  const path = { id: added.body.id }
  const other = await send('POST /mediafiles', { body: { filename: 'review.pdf', mediafile_type: 'review' } })
  replace(added.body.id, 'MF-POSTER')
  replace(other.body.id, 'MF-REVIEW')
  await send('PUT /mediafiles/{id}/content', { path, headers: { 'content-type': 'image/png' }, file: poster })
  await send('POST /mediafiles/{id}/content', { path, headers: { 'content-type': 'image/png' }, file: poster })
  await send('GET /mediafiles/{id}/content', { path })
  await send('GET /mediafiles/{id}/thumbnail', { path, query: { width: 320 } })
  await send('GET /mediafiles/{id}/download-urls', { path })
  await send('GET /mediafiles/{id}/derivatives', { path })
  await send('GET /mediafiles', { query: { category: 'posters', limit: 1 } })
  await send('POST /mediafiles/filter', {
    query: { limit: 1 },
    body: [{ type: 'selection', key: 'mediafile_type', value: ['posters'], match_exact: true }]
  })
  await send('GET /mediafiles/{id}', { path })
  await send('PUT /mediafiles/{id}', {
    path: { id: other.body.id },
    body: {
      metadata: [
        { key: 'mediafile_type', value: 'review' },
        { key: 'title', value: 'Review' }
      ]
    }
  })
  await send('PATCH /mediafiles/{id}', { path, body: { metadata: [{ key: 'title', value: 'Poster' }] } })
  await send('GET /mediafiles/{id}/assets', { path })
  await send('GET /mediafiles/{id}/permissions', { path })
  await send('GET /entities/{id}/mediafiles', { path: { id: 'PR-HAMLET' }, query: { limit: 1 } })
  const pair = { id: 'PR-HAMLET', mediafile_id: added.body.id }
  await send('PUT /entities/{id}/set_primary_mediafile/{mediafile_id}', { path: pair })
  await send('PUT /entities/{id}/set_primary_thumbnail/{mediafile_id}', { path: pair })
  await send('GET /entities/{id}/readiness', { path: { id: 'PR-HAMLET' } })
  await send('GET /entities/{id}/due', { path: { id: 'PR-HAMLET' } })
  await send('GET /entities/{id}/press-kit.zip', { path: { id: 'PR-HAMLET' } })
  await send('POST /tickets', { body: { mediafile_id: added.body.id, expires_in: 3600 } })
  await send('DELETE /mediafiles/{id}', { path: { id: other.body.id } })
  await send('DELETE /mediafiles', { body: [added.body.id] })
}

const poster = { name: 'poster.png', bytes: aPng(64, 96) }

/** A resumable upload, and one that is cancelled. */
async function sendBytes({ send, prepare, replace }: Sender) {
  const path = { id: 'MF-FIVESISTERSPOSTER' }
  const tus = { 'tus-resumable': '1.0.0' }
  const headers = { ...tus, 'upload-length': String(poster.bytes.length) }
  await send('OPTIONS /mediafiles/{id}/uploads', { path })
  const uploadOf = ({ headers: answered }: Awaited<ReturnType<Sender['send']>>) => ({
    upload_id: String(answered.location).split('/').at(-1) ?? ''
  })
  const upload = uploadOf(await send('POST /mediafiles/{id}/uploads', { path, headers }))
  replace(upload.upload_id, '0196d3c2-7f00-7000-8000-00000000a001')
  await send('PATCH /uploads/{upload_id}', {
    path: upload,
    headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    file: poster
  })
  const second = uploadOf(await prepare('POST', `/mediafiles/${path.id}/uploads`, undefined, headers))
  replace(second.upload_id, '0196d3c2-7f00-7000-8000-00000000a002')
  await send('DELETE /uploads/{upload_id}', { path: second, headers: tus })
}

/** Two pairs of records, each of which may be of one work, which makes review questions. */
const marc = ['The lighthouse', 'The lighthouses', 'The weathervane', 'The weathervanes']
  .map(
    (title, index) => `=LDR  00000nam a2200000 a 4500
=001  lighthouse-${index + 1}
=008  500101s1950\\\\\\\\enk\\\\\\\\\\\\\\\\\\\\\\\\\\000\\0\\eng\\d
=100  1\\$aVerhoeven, Mila,$d1911-1984
=245  14$a${title} /$cMila Verhoeven.
`
  )
  .join('\n')
const table = 'name,city,capacity\nDe Kapel,Brugge,120\n'

async function importFiles({ send, prepare, workOn, replace }: Sender) {
  await send('POST /imports/mapping', {
    query: { name: 'venues.csv' },
    headers: { 'content-type': 'text/csv' },
    file: { name: 'venues.csv', bytes: Buffer.from(table) }
  })
  const file = { name: 'records.mrk', bytes: Buffer.from(marc) }
  const headers = { 'content-type': 'text/plain' }
  const preview = await prepare('POST', '/imports?name=records.mrk&preview=1', marc, headers)
  replace(preview.body.id, '0196d3c2-7f00-7000-8000-00000000b001')
  await workOn(preview.body.id)
  await send('GET /imports/{id}/preview', { path: { id: preview.body.id } })
  const { id } = (await send('POST /imports', { query: { name: 'records.mrk' }, headers, file })).body
  replace(id, '0196d3c2-7f00-7000-8000-00000000b002')
  await workOn(id)
  const path = { id }
  await send('GET /imports')
  await send('GET /imports/{id}', { path })
  await send('GET /imports/{id}/remarks', { path })
  await send('GET /jobs', { query: { limit: 1 } })
  await send('GET /jobs/{id}', { path })
  await send('POST /imports/{id}/stop', { path })
  await send('POST /imports/{id}/resume', { path })
  return path
}

async function reviewImports({ send, prepare, replace }: Sender, path: { readonly id: string }) {
  const { questions } = (await send('GET /imports/{id}/review', { path })).body
  await send('POST /imports/{id}/review', { path, body: [{ question: questions[0].id, verdict: 'same' }] })
  const { body: found } = await prepare('POST', '/entities/filter', [
    { type: 'text', key: 'properties.title.value', value: 'the lighthouse' },
    { type: 'type', value: 'manifestation' }
  ])
  const manifestation = { id: found.results[0].id }
  replace(manifestation.id, 'M-LIGHTHOUSE')
  const { cases } = (await send('GET /entities/{id}/like-cases', { path: manifestation })).body
  await send('POST /entities/{id}/like-cases', { path: manifestation, body: { cases: [cases[0].id] } })
  await send('GET /entities/{id}/origin', { path: manifestation })
  await send('GET /entities/{id}/source', { path: manifestation })
  await send('POST /entities/{id}/split', { path: manifestation, body: {} })
  await send('POST /entities/{id}/unsplit', { path: manifestation })
  await send('POST /imports/{id}/undo', { path })
}

async function sendWebhooks({ send, replace, receiver }: Sender) {
  const made = await send('POST /webhooks', {
    body: { url: receiver, description: 'Website', entity_types: ['production'], event_types: ['entity.updated'] }
  })
  const path = { id: made.body.id }
  replace(path.id, '0123456789ab')
  await send('GET /webhooks')
  await send('GET /webhooks/{id}', { path })
  await send('PATCH /webhooks/{id}', { path, body: { state: 'paused' } })
  await send('POST /webhooks/{id}/rotate-secret', { path })
  await send('POST /webhooks/{id}/resume', { path })
  const delivery = await send('POST /webhooks/{id}/test', { path })
  await send('GET /webhooks/{id}/deliveries', { path, query: { limit: 1 } })
  await send('POST /webhooks/{id}/deliveries/{delivery_id}/replay', {
    path: { ...path, delivery_id: delivery.body.id }
  })
  await send('DELETE /webhooks/{id}', { path })
}

const form = 'application/x-www-form-urlencoded'

async function useProtocols({ send }: Sender) {
  const oai = { verb: 'GetRecord', metadataPrefix: 'oai_dc', identifier: 'oai:catalogue.example.org:M-HAMLETEN2016' }
  await send('GET /oai', { query: oai })
  await send('POST /oai', { headers: { 'content-type': form }, body: oai })
  await send('GET /oai/libretto.xsd')
  const sru = { query: 'dc.title = hamlet', maximumRecords: '1', recordSchema: 'dc' }
  await send('GET /sru', { query: sru })
  await send('POST /sru', { headers: { 'content-type': form }, body: sru })
  await send('GET /sru/{database}', { path: { database: 'production' }, query: sru })
  await send('GET /reconcile', { query: { queries: JSON.stringify({ q0: { query: 'Shakespeare', type: 'person' } }) } })
  await send('POST /reconcile', {
    headers: { 'content-type': form },
    body: { extend: JSON.stringify({ ids: ['PERS-SHAKESPEARE'], properties: [{ id: 'name' }] }) }
  })
  await send('GET /reconcile/suggest/entity', { query: { prefix: 'shak', type: 'person' } })
  await send('GET /reconcile/suggest/type', { query: { prefix: 'pers' } })
  await send('GET /reconcile/suggest/property', { query: { prefix: 'tit' } })
  await send('GET /reconcile/properties', { query: { type: 'person' } })
  await send('GET /reconcile/preview', { query: { id: 'PERS-SHAKESPEARE' } })
}

async function manageAccess({ send, replace }: Sender) {
  const { id } = (await send('POST /tokens', { body: { name: 'website', scopes: ['read'] } })).body
  replace(id, '0123456789cd')
  await send('GET /tokens')
  await send('DELETE /tokens/{id}', { path: { id } })
  await send('GET /site')
  await send('PUT /site', {
    body: {
      name: 'Schouwburg De Linde',
      colours: { brand: '#8a2033' },
      catalogues: [{ name: 'Another catalogue', address: 'https://catalogue.invalid/sru' }]
    }
  })
  await send('GET /catalogues')
  await send('GET /templates')
  await send('DELETE /site')
  await send('GET /catalogues/records', { query: { q: '9789028261853' } })
  await send('GET /audit', { query: { limit: 1 } })
  await send('GET /audit/export', { query: { format: 'csv' } })
  await send('GET /me')
  await send('GET /user/permissions')
}

async function signIn({ send, replace, people }: Sender) {
  await send('GET /sign-in/issuers')
  const { issuer, redirect_uri, state, nonce, code_verifier, code_challenge } = people
  const { address } = (
    await send('POST /sign-in/start', { body: { issuer, redirect_uri, state, nonce, code_challenge } })
  ).body
  const query = await people.visit(address)
  replace(new URLSearchParams(query).get('code') ?? '', 'code-of-the-issuer')
  const first = (
    await send('POST /sign-in/finish', { body: { issuer, redirect_uri, state, nonce, code_verifier, query } })
  ).body
  const { refresh_token, id_token } = (
    await send('POST /sign-in/refresh', { body: { issuer, refresh_token: first.refresh_token } })
  ).body
  replace(first.refresh_token, 'first-refresh-token')
  replace(refresh_token, 'second-refresh-token')
  await send('POST /sign-in/end', { body: { issuer, redirect_uri, refresh_token, id_token } })
}

async function askService({ send }: Sender) {
  await send('GET /record-types')
  await send('GET /tenants')
  await send('GET /config')
  await send('GET /context.jsonld')
  await send('GET /health/live')
  await send('GET /health/ready')
  await send('GET /openapi.json')
  await send('GET /docs')
  await send('GET /problems/{name}', { path: { name: 'not-found' } })
}
