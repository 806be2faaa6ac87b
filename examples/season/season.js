/*
 * The season of a theatre, with posters: three requests to a catalogue that everybody may read
 * (ANONYMOUS_ACCESS), from a site on another origin (CORS_ORIGINS). It needs no build.
 */

const { catalogue, season } = document.documentElement.dataset

async function ask(path, filters) {
  const request = filters && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(filters)
  }
  const answer = await fetch(catalogue + path, request)
  const body = await answer.json()
  // Every error has a sentence for people.
  if (!answer.ok) throw new Error(body.detail)
  return body
}

/** The value of a field, in English where there is one. */
function value({ metadata }, key) {
  const entries = metadata.filter(each => each.key === key)
  return (entries.find(each => each.lang === 'en') ?? entries[0])?.value ?? ''
}

const namesOf = ({ relations }, type) =>
  relations.filter(each => each.type === type).map(each => each.value).join(', ')

/** The text of a field with markup. */
const textOf = html => new DOMParser().parseFromString(html, 'text/html').body.textContent

const dayOf = date => (date === '' ? '' : new Intl.DateTimeFormat('en', { dateStyle: 'long' }).format(new Date(date)))

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

/** The shows of the season by their premiere, each with the names of its venues. */
const findShows = () =>
  ask('/entities/filter?include=relations&order_by=premiere_date&limit=100', [
    { type: 'type', value: 'production' },
    { type: 'selection', key: 'properties.ref_seasons.value', value: [season], match_exact: true }
  ])

/** The first poster of each show, of those that have a file. */
async function findPosters(shows) {
  const { results } = await ask('/mediafiles/filter?limit=1000', [
    { type: 'selection', key: 'properties.mediafile_type.value', value: ['posters'], match_exact: true },
    { type: 'selection', key: 'properties.ref_productions.value', value: shows.map(each => each.id), match_exact: true },
    { type: 'text', key: 'properties.sha256.value', value: '*' }
  ])
  const posters = new Map()
  for (const poster of results)
    for (const { type, key } of poster.relations)
      if (type === 'refProductions' && !posters.has(key)) posters.set(key, poster)
  return posters
}

function showOf(show, poster) {
  const title = value(show, 'title')
  const picture = poster
    ? element('img', { src: `${catalogue}/mediafiles/${poster.id}/content`, alt: `Poster of ${title}`, loading: 'lazy' })
    : element('div', { className: 'no-poster' })
  return element(
    'article',
    { id: show.id },
    picture,
    element('h2', { textContent: title }),
    element('p', { textContent: dayOf(value(show, 'premiere_date')) }),
    element('p', { textContent: namesOf(show, 'refVenues') }),
    element('p', { textContent: textOf(value(show, 'description_short')) })
  )
}

const main = document.querySelector('#shows')
try {
  const [about, { results: shows }] = await Promise.all([ask(`/entities/${season}`), findShows()])
  const posters = await findPosters(shows)
  document.title = value(about, 'name')
  document.querySelector('h1').textContent = value(about, 'name')
  document.querySelector('#dates').textContent = ['start_date', 'end_date'].map(key => dayOf(value(about, key))).join(' – ')
  main.append(...shows.map(show => showOf(show, posters.get(show.id))))
} catch (error) {
  main.append(element('p', { role: 'alert', textContent: `The season cannot be shown: ${error.message}` }))
}
main.ariaBusy = 'false'
