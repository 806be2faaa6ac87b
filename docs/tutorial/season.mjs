import { writeFile } from 'node:fs/promises'
import { createClient, related, value } from 'libretto-client'

const { BASE: baseUrl = 'http://127.0.0.1:8080', SITE_TOKEN: token } = process.env
const libretto = createClient({ baseUrl, ...(token && { token }) })
const escape = text => String(text ?? '').replace(/[&<>"]/g, each => `&#${each.charCodeAt(0)};`)

const season = await libretto.entities.read('SEA-MILL')
const { results } = await libretto.entities.find(
  [
    { type: 'type', value: 'production' },
    { type: 'selection', key: 'relations.refSeasons.key', value: ['SEA-MILL'] }
  ],
  { include: 'relations', orderBy: 'premiere_date' }
)
const shows = []
for (const show of results) {
  const { results: posters } = await libretto.media.list(show.id, { category: 'posters' })
  const poster = posters[0] && `${baseUrl}/mediafiles/${posters[0].id}/content`
  const venues = related(show, 'refVenues').map(venue => venue.value)
  shows.push(`<article>${poster ? `<img src="${poster}" alt="Poster" width="200">` : ''}
  <h2>${escape(value(show, 'title'))}</h2>
  <p>${escape(value(show, 'premiere_date'))}, ${escape(venues.join(', '))}</p></article>`)
}
const title = escape(value(season, 'name'))
const page = `<!doctype html><meta charset="utf-8"><title>${title}</title><h1>${title}</h1>${shows.join('')}`
await writeFile('season.html', page)
console.log(`season.html: ${results.length} productions`)
