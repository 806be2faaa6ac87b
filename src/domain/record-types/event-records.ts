/*
 * The records that an event of a programme becomes, in the language of mappings
 * (docs/how-to/import-programmes.md). Calendars, UiTdatabank and schema.org describe events alike:
 * a show with its nights.
 */

/** The languages that texts of events may have. */
export const eventLanguages = ['nl', 'fr', 'de', 'en', 'es', 'it', 'pt'] as const

/** A text without a language, and in each language. */
const inLanguages = (path: string) => [
  `${path}.text`,
  ...eventLanguages.map(lang => ({ from: `${path}.${lang}`, lang }))
]

const castIn = (each: string) => ({
  ...{ each, from: '@.name', type: 'person' },
  ...{ role: { from: '@.role' }, part: { from: '@.part' }, instrument: { from: '@.instrument' } }
})
const columns = (...names: readonly string[]) => Object.fromEntries(names.map(name => [name, `@.${name}`]))

const named = (each: string, type: string, from = '@.name') => ({ each, from, type })
/** The languages and series of a show, or of a night of it. */
const around = (at: string) => ({
  refLanguages: named(`${at}spoken`, 'language', '@'),
  refSurtitles: named(`${at}surtitles`, 'language', '@'),
  refTours: named(`${at}tours`, 'tour'),
  refSubscriptions: named(`${at}subscriptions`, 'subscription')
})
const series = (type: string, each: string) => ({
  ...{ type, each, id: '{@.id}', find: 'name' },
  fields: columns('name', ...(type === 'subscription' ? [] : ['start_date', 'end_date']))
})

/** The mapping of an event. One without an identifier belongs to the production with its title. */
export const eventRecords = (hasId: boolean): unknown => ({
  records: [
    {
      type: 'production',
      ...(hasId ? { id: '{id}' } : { find: 'title' }),
      fields: {
        title: inLanguages('title'),
        subtitle: inLanguages('subtitle'),
        description: inLanguages('description'),
        description_short: inLanguages('description_short'),
        ...Object.fromEntries(['duration', 'age_category', 'price', 'premiere_date', 'rights'].map(key => [key, key]))
      },
      relations: {
        refCompanies: { from: 'companies' },
        refGenres: { from: 'genres' },
        refVenues: 'venue',
        refAuthors: castIn('cast'),
        refSeasons: named('seasons', 'season'),
        ...around('')
      }
    },
    {
      type: 'performance',
      each: 'nights',
      id: '{@.id}',
      fields: columns(
        ...['start', 'end', 'doors', 'event_type', 'status', 'status_reason', 'former_start', 'availability'],
        ...['on_sale_from', 'price', 'url', 'attendance', 'accessibility']
      ),
      relations: {
        ...{ refProduction: 'production', refVenues: ['venue', { id: '{@.place}' }], refHalls: 'hall' },
        refAuthors: castIn('@.cast'),
        ...around('@.')
      }
    },
    {
      type: 'venue',
      each: 'nights',
      id: '{@.venue.id}',
      find: ['name', 'city'],
      fields: Object.fromEntries(
        ['name', 'address', 'postal_code', 'city', 'country', 'latitude', 'longitude', 'time_zone', 'website'].map(
          key => [key, `@.venue.${key}`]
        )
      )
    },
    {
      type: 'hall',
      each: 'nights',
      id: '{@.hall.id}',
      fields: { name: '@.hall.name', capacity: '@.hall.capacity' },
      relations: { refVenues: 'venue' }
    },
    {
      ...{ type: 'language', each: 'languages', id: '{@.id}', find: ['name', 'code'] },
      fields: columns('name', 'code')
    },
    series('season', 'seasons'),
    { ...series('tour', 'all_tours'), relations: { refCompanies: { from: '@.companies', type: 'company' } } },
    series('subscription', 'all_subscriptions'),
    {
      type: 'mediafile',
      each: 'pictures',
      id: '{@.url}',
      fields: { mediafile_type: { value: 'scene_images' }, external_url: '@.url', ...columns('title', 'copyright') },
      relations: { refProductions: 'production' }
    }
  ]
})
