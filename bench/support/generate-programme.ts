import type { EntityContent } from '#domain/entity/entity.ts'
import { createMaker, to } from './generate-catalogue.ts'
import { createChance } from './random.ts'

/** The ids of the records of each kind with the most around them. */
export const worst = {
  work: 'W-WORST',
  edition: 'M-WORST',
  library: 'LIB-1',
  production: 'PR-1',
  season: 'SEA-1',
  venue: 'VE-1',
  company: 'CO-1'
} as const

/** Counts of records. */
const libraries = 200
const translations = 30
const editionsOfEach = 80
const copiesOfWorst = 400
const shows = 60
const venues = 12
const nightsOfWorst = 500
const nightsOfEach = 40

const day = 86_400_000
/** The first night. Half of the performances are over on 2026-12-01. */
const firstNight = Date.parse('2026-09-01T18:00:00Z')

/**
 * Copies in libraries, a work in 2,400 editions, and a season with 2,860 performances, for a
 * generated catalogue that has none of these. `editions` are manifestations of that catalogue.
 */
export function* generateProgramme(
  editions: readonly string[],
  languages: readonly string[],
  people: readonly string[]
): Generator<EntityContent> {
  const chance = createChance(7)
  const make = createMaker(chance)
  const named = (
    id: string,
    ...[type, fields, relations]: [string, Parameters<typeof make>[2], Parameters<typeof make>[3]?]
  ) => ({
    ...make(type, 'X', fields, relations),
    id
  })
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

  for (const n of numbers(libraries))
    yield named(`LIB-${n}`, 'library', { name: `Bibliotheek ${n}`, city: `Stad ${n % 40}`, address: `Plein ${n}` })
  let copies = 0
  // A quarter of all copies are in the first library.
  const copyOf = (edition: string) =>
    named(
      `IT-${++copies}`,
      'item',
      { shelf_mark: `${copies % 900}.${copies % 7}`, status: chance.one(['on shelf', 'on loan', 'aanwezig']) },
      [to('refManifestation', edition), to('refLibrary', `LIB-${copies % 4 === 0 ? 1 : 1 + (copies % libraries)}`)]
    )
  const author = to('refAuthors', people[0] ?? '')
  yield named(worst.work, 'work_word', { title: 'Het zwaarste werk', year: '1603' }, [author])
  for (const n of numbers(translations)) {
    const expression = `E-WORST${n}`
    const translator = { ...to('refAuthors', people[n] ?? ''), metadata: [{ key: 'role', value: 'translator' }] }
    yield named(expression, 'expression_word', { title: `Het zwaarste werk ${n}` }, [
      to('refWork', worst.work),
      to('refLanguages', languages[n % languages.length] ?? ''),
      translator
    ])
    for (const edition of numbers(editionsOfEach)) {
      const id = n === 1 && edition === 1 ? worst.edition : `M-WORST${n}-${edition}`
      yield named(
        id,
        'manifestation_word',
        { title: `Het zwaarste werk ${n}`, year_of_publication: String(1900 + edition) },
        [to('refExpressions', expression)]
      )
      for (let made = id === worst.edition ? copiesOfWorst : 2; made > 0; made--) yield copyOf(id)
    }
  }
  for (const edition of editions) yield copyOf(edition)

  yield named(worst.company, 'company', { name: 'Het grootste gezelschap' })
  yield named(worst.season, 'season', { name: 'Seizoen 2026-2027', start_date: '2026-09-01', end_date: '2027-08-31' })
  for (const n of numbers(venues)) yield named(`VE-${n}`, 'venue', { name: `Zaal ${n}`, city: `Stad ${n % 5}` })
  let nights = 0
  for (const n of numbers(shows)) {
    const show = `PR-${n}`
    yield named(show, 'production', { title: `Voorstelling ${n}`, description: '<p>Waarover het gaat.</p>' }, [
      to('refCompanies', worst.company),
      to('refSeasons', worst.season),
      to('refWorks', worst.work),
      ...people.slice(n, n + 20).map(id => ({ ...to('refAuthors', id), metadata: [{ key: 'role', value: 'actor' }] }))
    ])
    yield named(`MF-${n}`, 'mediafile', { mediafile_type: 'posters', title: `Affiche ${n}`, mimetype: 'image/jpeg' }, [
      to('refProductions', show)
    ])
    for (const night of numbers(show === worst.production ? nightsOfWorst : nightsOfEach)) {
      const start = new Date(firstNight + ((night * 7 + n) % 180) * day).toISOString()
      // Half of them are at the first venue.
      const venue = night % 2 === 0 ? worst.venue : `VE-${1 + (night % venues)}`
      yield named(`PF-${++nights}`, 'performance', { start }, [to('refProduction', show), to('refVenues', venue)])
    }
  }
}
