import { representationNames } from '../../../src/http/representations/representations.ts'

/*
 * Requests along every path by which something can be learnt of records, for a token that may not
 * read all of them.
 */

/** A request of a probe. */
export interface Probe {
  readonly method?: 'GET' | 'POST' | 'OPTIONS'
  readonly url: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Sent without a bearer. */
  readonly isAnonymous?: boolean
}

/** The paths and ids that probes use. */
export interface ProbeMatter {
  /** The paths that the service says can be read, from its OpenAPI document. */
  readonly readable: readonly string[]
  readonly ids: readonly string[]
  /** Words, some of which stand only in what is not to be known. */
  readonly words: readonly string[]
  readonly media: readonly string[]
  /** The prefix of ids in the identifiers of OAI-PMH. */
  readonly oaiPrefix: string
  /** Versions of what is not to be known, as their etags. */
  readonly etags: readonly string[]
  /** Tickets that the token made, for a media file and for a calendar. */
  readonly tickets: readonly string[]
}

/**
 * To hold a new path to this, add it here; paths with an id are found in the OpenAPI document by
 * themselves.
 */
export function pathsToProbe(matter: ProbeMatter): Probe[] {
  const { readable, ids, words, media, etags, tickets } = matter
  const word = words.map(encodeURIComponent)
  const id = ids.map(encodeURIComponent)
  return [
    ...urls(readable.filter(path => !path.includes('{') && !['/openapi.json', '/docs'].includes(path))),
    ...urls(
      readable
        .filter(path => /\{(?:id|manifestation_id)\}/.test(path))
        .flatMap(path => id.map(each => path.replace(/\{\w+\}/, each)))
    ),
    ...urls(crossed(id, [1, 2, 3], (each, version) => `/entities/${each}?version=${version}`)),
    ...urls(crossed(id, ['2020-01-01', '2040-01-01'], (each, at) => `/entities/${each}?at=${at}T00:00:00Z`)),
    ...urls(
      crossed(id, ['resolve=1', ...representationNames.map(name => `format=${name}`)], (e, q) => `/entities/${e}?${q}`)
    ),
    ...urls(crossed(id, representationNames, (each, name) => `/entities/wem/${each}?format=${name}`)),
    ...crossed(id, etags, (each, etag) => ({ url: `/entities/${each}`, headers: { 'if-none-match': etag } })),
    ...urls(crossed(id, [1, 2, 1000], (each, limit) => `/changes?ids=${each}&limit=${limit}`)),
    ...urls(
      crossed(
        [
          'production',
          'performance',
          'mediafile',
          'person',
          'entity.created',
          'entity.deleted',
          'production,entity.updated'
        ],
        [1, 3, 1000],
        (types, limit) => `/changes?types=${types}&limit=${limit}`
      )
    ),
    ...urls([1, 2, 5, 50].map(limit => `/changes?limit=${limit}`)),
    ...urls(crossed(id, [1, 2], (each, limit) => `/entities/${each}/history?limit=${limit}`)),
    ...urls(crossed(id, [0, 1], (each, limit) => `/entities/${each}/references?limit=${limit}`)),
    ...urls(
      crossed(
        ['production', 'performance', 'mediafile'],
        [0, 1, 2],
        (type, limit) => `/entities?type=${type}&limit=${limit}&envelope=1`
      )
    ),
    ...urls(
      crossed(id, ['production', 'performance', 'mediafile'], (e, type) => `/entities/${e}/references?type=${type}`)
    ),
    ...urls(
      crossed(id, ['posters', 'trailer'], (each, category) => `/entities/${each}/mediafiles?category=${category}`)
    ),
    ...urls(
      crossed(
        id,
        ['calendar.ics', 'programme.csv', 'programme.html', 'programme.rss', 'uitdatabank.json'],
        (e, name) => `/entities/${e}/${name}?from=2020-01-01&to=2030-01-01`
      )
    ),
    ...urls(id.map(each => `/entities/${each}/press-kit.zip`)),
    ...urls([`/entities?ids=${id.join()}`, `/entities?ids=${id.join()}&facets=type,properties.title.value`]),
    { method: 'POST', url: '/entities/wem', body: { ids } },
    { method: 'POST', url: '/mediafiles/filter', body: [{ type: 'id', value: ids }] },
    ...ids.map(value => ({ method: 'POST' as const, url: '/history/filter', body: [{ type: 'id', value }] })),
    ...searching(word),
    ...exporting(word),
    ...harvesting(id, matter.oaiPrefix),
    ...retrieving(word),
    ...byForm(id, matter.oaiPrefix, words),
    ...id.map(each => ({ method: 'OPTIONS' as const, url: `/mediafiles/${each}/uploads` })),
    ...reconciling(ids, words),
    ...byTicket(media, tickets, id)
  ]
}

const urls = (list: readonly string[]): Probe[] => list.map(url => ({ url }))

const crossed = <One, Other, Made>(ones: readonly One[], others: readonly Other[], make: (a: One, b: Other) => Made) =>
  ones.flatMap(one => others.map(other => make(one, other)))

function searching(words: readonly string[]): Probe[] {
  const beginnings = words.map(word => word.slice(0, 4))
  return [
    ...urls(
      crossed(
        ['', '&type=production', '&type=performance,person'],
        [...words, ...beginnings],
        (type, q) => `/suggest?q=${q}${type}`
      )
    ),
    ...crossed(
      ['', '&facets=type,properties.title.value,relations.refDirected.key', '&order_by=title', '&group_by=work'],
      words,
      (more, word) => ({
        method: 'POST' as const,
        url: `/entities/filter?highlight=1${more}`,
        body: [{ type: 'search', value: decodeURIComponent(word) }]
      })
    ),
    // The same list under another name.
    ...words.map(word => ({
      method: 'POST' as const,
      url: '/entities/filter_v2',
      body: [{ type: 'search', value: decodeURIComponent(word) }]
    })),
    // With slips, which are looked for only where nothing is found as it stands.
    ...words.map(word => ({
      method: 'POST' as const,
      url: '/entities/filter?highlight=1',
      body: [{ type: 'search', value: `${decodeURIComponent(word)}q` }]
    }))
  ]
}

function exporting(words: readonly string[]): Probe[] {
  const formats = ['marc21', 'marcxml', 'ndjson', 'csv']
  const types = ['', '&type=production', '&type=performance', '&type=mediafile', '&type=person', '&type=venue']
  return [
    ...urls(crossed(formats, types, (format, type) => `/export?format=${format}${type}`)),
    ...urls(types.map(type => `/export?format=ndjson&include=media,history${type}`)),
    ...urls(
      types.map(type => `/export?format=csv&columns=id,properties.title.value,properties.ref_directed.name${type}`)
    ),
    ...crossed(['ndjson', 'csv'], words, (format, word) => ({
      method: 'POST' as const,
      url: `/export?format=${format}`,
      body: [{ type: 'search', value: decodeURIComponent(word) }]
    }))
  ]
}

function harvesting(ids: readonly string[], before: string): Probe[] {
  const prefixes = ['oai_dc', 'marcxml', 'mods', 'libretto']
  return urls([
    ...['Identify', 'ListSets', 'ListMetadataFormats'].map(verb => `/oai?verb=${verb}`),
    ...prefixes.map(prefix => `/oai?verb=ListRecords&metadataPrefix=${prefix}`),
    ...crossed(
      ['production', 'performance', 'mediafile', 'person', 'venue'],
      ['', '&from=2020-01-01', '&until=2020-01-01'],
      (set, when) => `/oai?verb=ListIdentifiers&metadataPrefix=libretto&set=${set}${when}`
    ),
    ...crossed(prefixes, ids, (prefix, id) => `/oai?verb=GetRecord&metadataPrefix=${prefix}&identifier=${before}${id}`),
    ...ids.map(id => `/oai?verb=ListMetadataFormats&identifier=${before}${id}`)
  ])
}

function retrieving(words: readonly string[]): Probe[] {
  const indexes = [
    'cql.serverChoice',
    'cql.anywhere',
    'dc.title',
    'bib.titleSub',
    'dc.creator',
    'dc.description',
    'rec.identifier'
  ]
  const scanned = ['dc.title', 'dc.creator']
  const terms = ['a', 's', '2026', ...words.map(word => word.slice(0, 4))]
  return urls([
    '/sru?operation=explain',
    ...crossed(
      ['/sru', '/sru/all', '/sru/production', '/sru/person'],
      ['dc', 'mods', 'libretto', 'json'],
      (path, schema) => `${path}?query=cql.allRecords%3D1&recordSchema=${schema}&maximumRecords=100`
    ),
    ...crossed(indexes, words, (index, word) => `/sru/all?query=${index}%3D%22${word}%22&recordSchema=libretto`),
    ...words.map(
      word => `/sru/all?query=cql.allRecords%3D1%20not%20dc.title%3D%22${word}%22%20sortBy%20dc.title&recordSchema=json`
    ),
    ...crossed(scanned, terms, (index, term) => `/sru/all?scanClause=${index}%3D%22${term}%22&maximumTerms=50`)
  ])
}

/** The protocols with their arguments in the body. */
function byForm(ids: readonly string[], before: string, words: readonly string[]): Probe[] {
  const form = (url: string, body: string): Probe => ({
    method: 'POST',
    url,
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded' }
  })
  return [
    ...ids.map(id => form('/oai', `verb=GetRecord&metadataPrefix=libretto&identifier=${before}${id}`)),
    ...words.map(word => form('/sru', `query=${encodeURIComponent(`"${word}"`)}&recordSchema=libretto`))
  ]
}

function reconciling(ids: readonly string[], words: readonly string[]): Probe[] {
  const asked = (fields: Record<string, unknown>): Probe => ({
    method: 'POST',
    url: '/reconcile',
    body: new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, JSON.stringify(value)])).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' }
  })
  const properties = ['title', 'subtitle', 'status', 'refDirected', 'refVenues', 'refProduction', 'start'].map(id => ({
    id
  }))
  return [
    ...crossed([...words, ...ids], [undefined, 'production', 'person'], (query, type) =>
      asked({ queries: { q: { query, ...(type ? { type } : {}) } } })
    ),
    ...words.map(v => asked({ queries: { q: { query: 'Regisseur', properties: [{ pid: 'refDirected', v }] } } })),
    asked({ extend: { ids, properties } }),
    ...ids.map(id => asked({ extend: { ids: [id], properties } })),
    ...urls(
      crossed(
        ['', '&type=production'],
        [...words, ...ids],
        (type, word) => `/reconcile/suggest/entity?prefix=${encodeURIComponent(word)}${type}`
      )
    ),
    ...urls(ids.map(id => `/reconcile/preview?id=${encodeURIComponent(id)}`))
  ]
}

/** A ticket is for one thing only, and for nobody's media but those that its maker may read. */
function byTicket(media: readonly string[], tickets: readonly string[], ids: readonly string[]): Probe[] {
  const anonymous = (url: string): Probe => ({ url, isAnonymous: true })
  return [
    ...media.map(mediafile_id => ({ method: 'POST' as const, url: '/tickets', body: { mediafile_id } })),
    ...ids.map(entity_id => ({ method: 'POST' as const, url: '/tickets', body: { entity_id } })),
    ...crossed(media, tickets, (id, ticket) => anonymous(`/mediafiles/${id}/content?ticket=${ticket}`)),
    ...crossed(media, tickets, (id, ticket) => anonymous(`/mediafiles/${id}/thumbnail?ticket=${ticket}`)),
    ...crossed(ids, tickets, (id, ticket) => anonymous(`/entities/${id}/calendar.ics?ticket=${ticket}`)),
    ...crossed(ids, tickets, (id, ticket) => anonymous(`/entities/${id}/due?ticket=${ticket}`)),
    ...media.map(id => ({ url: `/mediafiles/${id}/content`, headers: { range: 'bytes=0-2' } }))
  ]
}
