import type { EntityContent, MetadataEntry, Relation } from '#domain/entity/entity.ts'
import { newId } from '#domain/entity/ids.ts'
import { materials } from '#domain/record-types/subtypes.ts'
import { type Chance, createChance, zipf } from './random.ts'
import { capitalised, createVocabulary, givenNames, madeWord } from './words.ts'

export interface CatalogueSize {
  readonly manifestations: number
  readonly seed: number
}

/**
 * The catalogue that benchmarks ask: with all that stands around the manifestations about 250,000
 * records.
 */
export const benchSize: CatalogueSize = { manifestations: 100_000, seed: 20_261_115 }

/** The words of titles, most used first: what benchmarks search for is taken from here. */
export const vocabularyOf = (seed: number) => createVocabulary(createChance(seed), 12_000)

/**
 * A catalogue as a public library has it: a few authors with many works, many with one; a few words
 * in most titles, thousands in hardly any. Everything is drawn from the seed, so that two machines
 * measure the same records.
 *
 * Gives each record after those that it points to.
 */
export function* generateCatalogue({ manifestations, seed }: CatalogueSize): Generator<EntityContent> {
  const chance = createChance(seed)
  const make = createMaker(chance)
  const words = vocabularyOf(seed)
  const wordRank = zipf(chance, words.length)
  const word = () => words[wordRank()] as string
  const phrase = (least: number, most: number) =>
    capitalised(Array.from({ length: least + chance.below(most - least + 1) }, word).join(' '))
  const share = (part: number) => Math.max(1, Math.round(manifestations * part))

  const languages: string[] = []
  for (const [name, code] of languageNames) {
    const language = make('language', 'LANG', { name, code })
    languages.push(language.id)
    yield language
  }
  const named: Record<string, string[]> = {}
  const kinds = [
    ['person', 'PERS', share(0.2), personName],
    ['corporation', 'CORP', share(0.01), () => `${capitalised(madeWord(chance))} ${chance.one(organisations)}`],
    ['subject', 'SUBJ', share(0.03), () => phrase(1, 2)],
    ['publisher', 'PUB', share(0.015), () => `${chance.one(publishers)} ${capitalised(madeWord(chance))}`],
    ['place', 'PL', share(0.005), () => capitalised(madeWord(chance))],
    ['genre', 'GEN', 80, () => phrase(1, 1)],
    ['target_audience', 'AUD', 8, () => phrase(1, 1)],
    ['time', 'TIME', 40, () => `${1500 + chance.below(500)}-${2000 + chance.below(26)}`]
  ] as const
  for (const [type, prefix, count, name] of kinds) {
    const ids: string[] = []
    for (let made = 0; made < count; made++) {
      const life_dates = type === 'person' && chance.is(0.7) ? lifeOf(chance) : undefined
      const entity = make(type, prefix, { name: name(chance), life_dates })
      ids.push(entity.id)
      yield entity
    }
    named[type] = ids
  }
  const roles: string[] = []
  for (const [code, wording] of roleWordings) {
    const role = make('code_wording', 'CW', { code, wording, code_wording_type: 'role' })
    roles.push(role.id)
    yield role
  }
  const sisos: string[] = []
  for (let made = 0; made < 300; made++) {
    const siso = make('siso', 'SISO', { code: String(100 + made), land_or_language: chance.one(languageNames)[0] })
    sisos.push(siso.id)
    yield siso
  }
  const zizos = [...generateZizos(make, phrase)]
  yield* zizos
  const leaves = zizos.slice(-1080).map(zizo => zizo.id)

  const popular = (type: string) => popularOf(chance, named[type] ?? [])
  const author = popular('person')
  const corporation = popular('corporation')
  const subject = popular('subject')
  const publisher = popular('publisher')
  const place = popular('place')
  const genre = popular('genre')
  const audience = popular('target_audience')
  const time = popular('time')
  const language = popularOf(chance, languages)
  const siso = popularOf(chance, sisos)
  const zizo = popularOf(chance, leaves)
  const credit = () => creditWith(chance, chance.is(0.97) ? author() : corporation())

  let made = 0
  while (made < manifestations) {
    const material = chance.is(0.8) ? 'word' : chance.one(materials)
    const title = phrase(2, 6)
    const work = make(
      `work_${material}`,
      'W',
      { title, literary_type: chance.one(['fiction', 'non-fiction', 'poetry', 'drama']), year: yearOf(chance) },
      [
        ...several(1 + Number(chance.is(0.2)), credit),
        ...several(1 + chance.below(4), () => to('refSubjects', subject())),
        to('refGenres', genre()),
        to('refZizos', zizo()),
        ...(chance.is(0.5) ? [to('refSisos', siso())] : []),
        ...(chance.is(0.3) ? [to('refTimes', time())] : []),
        to('refTargetAudiences', audience()),
        to('refLanguages', language())
      ]
    )
    yield work
    for (let expressions = chance.is(0.8) ? 1 : 2; expressions > 0 && made < manifestations; expressions--) {
      const expressionTitle = expressions === 1 ? title : phrase(2, 6)
      const spoken = language()
      const expression = make(
        `expression_${material}`,
        'E',
        { title: expressionTitle, content_type: 'text', year: yearOf(chance) },
        [to('refWork', work.id), to('refLanguages', spoken), ...(chance.is(0.3) ? [credit()] : [])]
      )
      yield expression
      for (let editions = 1 + chance.below(3) * chance.below(2); editions > 0 && made < manifestations; editions--) {
        made++
        yield make(`manifestation_${material}`, 'M', manifestationFields(chance, phrase, made, expressionTitle), [
          to('refExpressions', expression.id),
          to('refPublishers', publisher()),
          to('refPlaces', place()),
          to('refLanguages', spoken),
          ...(chance.is(0.5) ? [credit()] : []),
          ...(chance.is(0.3) ? [to('refCodeWordings', chance.one(roles))] : [])
        ])
      }
    }
  }
}

const manifestationFields = (
  chance: Chance,
  phrase: (least: number, most: number) => string,
  made: number,
  title: string
): Fields => ({
  title,
  subtitle: chance.is(0.4) ? phrase(3, 9) : undefined,
  isbn: chance.is(0.9) ? isbnOf(made) : undefined,
  year_of_publication: yearOf(chance),
  edition: `${1 + chance.below(12)}e druk`,
  extent: `${60 + chance.below(600)} p.`,
  material_type: chance.one(['book', 'large print', 'e-book', 'audiobook']),
  series_statement: chance.is(0.2) ? `${phrase(1, 3)} ; ${1 + chance.below(30)}` : undefined,
  responsibility: personName(chance)
})

type Fields = Readonly<Record<string, string | readonly string[] | undefined>>
type Maker = (type: string, prefix: string, fields: Fields, relations?: readonly Relation[]) => EntityContent

export function createMaker(chance: Chance): Maker {
  let count = 0
  return (type, prefix, fields, relations = []) => {
    count++
    return {
      id: newId(prefix, chance.below),
      uuid: uuidOf(chance, count),
      type,
      metadata: Object.entries(fields).flatMap(([key, value]): MetadataEntry[] =>
        value === undefined ? [] : [{ key, value }]
      ),
      relations: distinct(relations),
      otherIdentifiers: []
    }
  }
}

/** Four levels: 12 classes, 72, 360 and 1080 under each other. */
function* generateZizos(make: Maker, phrase: (least: number, most: number) => string): Generator<EntityContent> {
  let above: EntityContent[] = []
  for (const [level, width] of [12, 6, 5, 3].entries()) {
    const row: EntityContent[] = []
    for (const parent of level === 0 ? [undefined] : above) {
      for (let made = 0; made < width; made++) {
        const fields = { code: [`${level + 1}.${row.length + 1}`], title: phrase(1, 2), level: String(level + 1) }
        const zizo = make('zizo', 'ZIZO', fields, parent ? [to('refParentZizo', parent.id)] : [])
        row.push(zizo)
        yield zizo
      }
    }
    above = row
  }
}

/** Version 7: the first part counts up, as time does. */
function uuidOf(chance: Chance, count: number): string {
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')
  const moment = hex(1_760_000_000_000 + count, 12)
  const end = hex(chance.below(2 ** 24), 6) + hex(chance.below(2 ** 24), 6)
  return `${moment.slice(0, 8)}-${moment.slice(8)}-7${hex(chance.below(4096), 3)}-8${hex(chance.below(4096), 3)}-${end}`
}

export const to = (type: string, key: string): Relation => ({ key, type })

const creditWith = (chance: Chance, key: string): Relation => ({
  key,
  type: 'refAuthors',
  metadata: [{ key: 'role', value: chance.one(roleWordings)[1] }]
})

const several = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make)

function popularOf(chance: Chance, ids: readonly string[]): () => string {
  const rank = zipf(chance, ids.length)
  return () => ids[rank()] as string
}

/** A relation is identified by its type and key; the same subject drawn twice counts once. */
const distinct = (relations: readonly Relation[]) => [
  ...new Map(relations.map(relation => [`${relation.type} ${relation.key}`, relation])).values()
]

const personName = (chance: Chance) => `${capitalised(madeWord(chance))}, ${chance.one(givenNames)}`

function lifeOf(chance: Chance): string {
  const born = 1800 + chance.below(200)
  return born < 1940 ? `${born}-${born + 20 + chance.below(70)}` : `${born}-`
}

const yearOf = (chance: Chance) => String(2025 - Math.min(chance.below(200), chance.below(80)))

/** The n-th ISBN, with a right check digit, so that each is found once. */
function isbnOf(n: number): string {
  const body = `97890${String(n).padStart(7, '0')}`
  const sum = [...body].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0)
  return `978-90-${body.slice(5, 9)}-${body.slice(9, 12)}-${(10 - (sum % 10)) % 10}`
}

const organisations = ['Genootschap', 'Museum', 'Ensemble', 'Universiteit', 'Stichting']
const publishers = ['Uitgeverij', 'Drukkerij', 'Editions', 'Press']

const languageNames = [
  ['Nederlands', 'dut'],
  ['Engels', 'eng'],
  ['Frans', 'fre'],
  ['Duits', 'ger'],
  ['Spaans', 'spa'],
  ['Italiaans', 'ita'],
  ['Turks', 'tur'],
  ['Arabisch', 'ara'],
  ['Pools', 'pol'],
  ['Russisch', 'rus'],
  ['Portugees', 'por'],
  ['Zweeds', 'swe'],
  ['Fries', 'fry'],
  ['Latijn', 'lat'],
  ['Oekraïens', 'ukr'],
  ['Chinees', 'chi']
] as const

const roleWordings = [
  ['aut', 'author'],
  ['ill', 'illustrator'],
  ['trl', 'translator'],
  ['edt', 'editor'],
  ['nrt', 'narrator'],
  ['cmp', 'composer']
] as const
