/*
 * A collection that is made up, with the work and the expression of every record: the books of a
 * general library in five languages, as three libraries would catalogue them. Its errors and its
 * works that look alike are those of real files; how often they occur is a guess. One seed gives
 * one collection.
 */

export interface MadeRecord {
  readonly name: string
  readonly lines: string
  readonly language: string
  /** The work of each mention: of the record as a whole, then of the works in it. */
  readonly works: readonly string[]
  readonly expression: string
}

interface Tongue {
  readonly code: string
  readonly nouns: readonly string[]
  readonly adjectives: readonly string[]
  readonly forenames: readonly string[]
  readonly surnames: readonly string[]
  readonly of: string
  readonly novel: string
  readonly play: string
  readonly study: string
  readonly edition: string
  readonly part: string
  readonly stories: string
  readonly poems: string
  readonly report: string
  readonly translated: string
  readonly by: string
}

const list = (text: string) => text.split(' ')

const tongues: readonly Tongue[] = [
  {
    code: 'eng',
    nouns: list(
      'harbour lantern orchard winter garden river letter stranger mirror island summer shadow promise bridge kitchen forest meadow sparrow ferry tower'
    ),
    adjectives: list('silent broken golden distant hidden borrowed crooked patient hollow northern'),
    forenames: list('Alice Edwin Margaret Howard Joan Walter Edith Percy'),
    surnames: list('Ashdown Birkett Carlow Denholm Elsworth Fennick Garrow Hadley Ingham Jessop Kirkby Lorne'),
    of: 'of the',
    novel: 'a novel',
    play: 'a play in three acts',
    study: 'a study of',
    edition: '2nd ed.',
    part: 'part',
    stories: 'and other stories',
    poems: 'Poems',
    report: 'Annual report',
    translated: 'translated by',
    by: 'by'
  },
  {
    code: 'dut',
    nouns: list(
      'haven lantaarn boomgaard winter tuin rivier brief vreemdeling spiegel eiland zomer schaduw belofte brug keuken bos weide mus veerpont toren'
    ),
    adjectives: list('stille gebroken gouden verre verborgen geleende kromme geduldige holle noordelijke'),
    forenames: list('Aaltje Evert Marijke Huub Jannie Wouter Ebba Pieter'),
    surnames: list('Aardema Brinkhof Coster Dijkgraaf Elzinga Faber Goris Haanstra Ittersum Jorna Kuipers Lok'),
    of: 'van de',
    novel: 'roman',
    play: 'toneelstuk in drie bedrijven',
    study: 'een studie over',
    edition: '2e druk',
    part: 'deel',
    stories: 'en andere verhalen',
    poems: 'Gedichten',
    report: 'Jaarverslag',
    translated: 'vertaald door',
    by: 'door'
  },
  {
    code: 'fre',
    nouns: list(
      'port lanterne verger hiver jardin rivière lettre étranger miroir île été ombre promesse pont cuisine forêt prairie moineau navire tour'
    ),
    adjectives: list('silencieux brisé doré lointain caché emprunté tordu patient creux nordique'),
    forenames: list('Aurélie Édouard Marguerite Hervé Jeanne Gauthier Édith Pascal'),
    surnames: list('Aubrac Béraud Chéron Delmas Estève Fabry Gaultier Hébert Imbert Jouve Kerguen Lacaze'),
    of: 'de la',
    novel: 'roman',
    play: 'pièce en trois actes',
    study: 'étude sur',
    edition: '2e éd.',
    part: 'partie',
    stories: 'et autres nouvelles',
    poems: 'Poèmes',
    report: 'Rapport annuel',
    translated: 'traduit par',
    by: 'par'
  },
  {
    code: 'ger',
    nouns: list(
      'Hafen Laterne Obstgarten Winter Garten Fluss Brief Fremde Spiegel Insel Sommer Schatten Versprechen Brücke Küche Wald Wiese Sperling Fähre Turm'
    ),
    adjectives: list('stille gebrochene goldene ferne verborgene geliehene krumme geduldige hohle nördliche'),
    forenames: list('Annegret Eberhard Margarethe Heinz Johanna Walther Edeltraud Paul'),
    surnames: list('Ahrens Böhme Clausen Dietz Ehlers Fürst Grünwald Hübner Illing Jäger Krämer Lübke'),
    of: 'der',
    novel: 'Roman',
    play: 'Schauspiel in drei Akten',
    study: 'eine Studie über',
    edition: '2. Aufl.',
    part: 'Teil',
    stories: 'und andere Erzählungen',
    poems: 'Gedichte',
    report: 'Jahresbericht',
    translated: 'übersetzt von',
    by: 'von'
  },
  {
    code: 'nor',
    nouns: list(
      'havn lykt frukthage vinter hage elv brev fremmed speil øy sommer skygge løfte bro kjøkken skog eng spurv ferje tårn'
    ),
    adjectives: list('stille brukne gylne fjerne skjulte lånte krokete tålmodige hule nordlige'),
    forenames: list('Astrid Eirik Marit Håkon Jorunn Vegard Edel Pål'),
    surnames: list('Aasen Bjørnstad Dalseth Engvik Fjeldstad Gråberg Hovland Isaksen Jørstad Kvåle Lødøen Myhre'),
    of: 'fra',
    novel: 'roman',
    play: 'skuespill i tre akter',
    study: 'en studie av',
    edition: '2. utg.',
    part: 'del',
    stories: 'og andre noveller',
    poems: 'Dikt',
    report: 'Årsberetning',
    translated: 'oversatt av',
    by: 'av'
  }
]

/** Numbers from a seed, from 0 to 1. */
function chanceOf(seed: number) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

interface Author {
  readonly surname: string
  readonly forename: string
  readonly second: string
  readonly year: number
}

type Kind = 'novel' | 'play' | 'study' | 'stories' | 'poems' | 'report' | 'album' | 'part'

interface Work {
  readonly id: string
  readonly kind: Kind
  readonly title: string
  readonly subtitle?: string
  readonly author: Author
  readonly tongue: Tongue
  readonly year: number
  /** Works in it. */
  readonly contained?: readonly Work[]
}

/** Makes about `count` records. */
export function makeCollection(seed: number, count: number): MadeRecord[] {
  const maker = new Maker(seed)
  while (maker.records.length < count) maker.addAuthor()
  return maker.records
}

/** The lines of a record; every second one has lost the fields that name the original. */
export const halfWithoutOriginals = ({ name, lines }: MadeRecord) =>
  Number(name.slice(1)) % 2 === 0
    ? lines
        .split('\n')
        .filter(each => !/^(?:240|765|500)/.test(each))
        .join('\n')
    : lines

class Maker {
  readonly records: MadeRecord[] = []
  readonly #next: () => number
  #works = 0
  #names = new Set<string>()

  constructor(seed: number) {
    this.#next = chanceOf(seed)
  }

  #happens(share: number) {
    return this.#next() < share
  }

  #below(count: number) {
    return Math.floor(this.#next() * count)
  }

  #one<T>(of: readonly T[]): T {
    return of[this.#below(of.length)] as T
  }

  addAuthor(): void {
    const tongue = this.#one(tongues)
    const author = this.#author(tongue)
    const titles = new Set<string>()
    const works: Work[] = []
    const add = (kind: Kind, given: Partial<Work> = {}) => {
      const year = author.year + 25 + this.#below(30)
      const title = given.title ?? this.#title(tongue, titles)
      const id = `w${this.#works++}`
      const subtitle = given.subtitle ?? this.#subtitle(kind, tongue)
      works.push({ id, kind, title, author, tongue, year, ...(subtitle === undefined ? {} : { subtitle }), ...given })
    }
    const isProlific = this.#happens(0.3)
    for (let left = isProlific ? 4 + this.#below(8) : 1 + this.#below(2); left > 0; left--)
      add(this.#happens(0.65) ? 'novel' : this.#happens(0.7) ? 'study' : 'play')
    // Works of one author that look alike.
    const [first] = works
    if (first?.kind === 'novel' && this.#happens(0.06)) add('play', { title: first.title, subtitle: tongue.play })
    if (first?.kind === 'study' && this.#happens(0.15))
      for (const number of ['I', 'II'])
        add('part', { title: `${first.title} ${this.#one(tongue.nouns)}`, subtitle: `${tongue.part} ${number}` })
    if (this.#happens(0.05))
      for (const place of [0, 1])
        add('poems', { title: tongue.poems, year: author.year + 30 + place * 7, subtitle: this.#words(tongue, 2) })
    if (this.#happens(0.04))
      for (let left = 3; left > 0; left--) add('album', { title: `${author.forename} ${author.surname}` })
    if (this.#happens(0.05)) for (let left = 3; left > 0; left--) add('report', { title: tongue.report })
    const novels = works.filter(each => each.kind === 'novel')
    if (novels.length >= 3 && this.#happens(0.5))
      add('stories', {
        title: novels[0]?.title ?? '',
        subtitle: tongue.stories,
        contained: novels.slice(0, 2 + this.#below(2))
      })
    for (const work of works) this.#publish(work, isProlific)
  }

  #author(tongue: Tongue): Author {
    for (let tries = 0; ; tries++) {
      const author = {
        surname: this.#one(tongue.surnames) + (tries > 20 ? this.#one(list('sen son mann ier stra')) : ''),
        forename: this.#one(tongue.forenames),
        second: this.#one(tongue.forenames),
        year: 1850 + this.#below(110)
      }
      const name = `${author.surname} ${author.forename}`
      if (this.#names.has(name) && tries < 60) continue
      this.#names.add(name)
      return author
    }
  }

  #words(tongue: Tongue, count: number) {
    return Array.from({ length: count }, () => this.#one(tongue.nouns)).join(' ')
  }

  #title(tongue: Tongue, taken: Set<string>): string {
    for (;;) {
      const chance = this.#next()
      const noun = this.#one(tongue.nouns)
      const title =
        chance < 0.12
          ? noun
          : chance < 0.5
            ? `${this.#one(tongue.adjectives)} ${noun}`
            : chance < 0.85
              ? `${noun} ${tongue.of} ${this.#one(tongue.nouns)}`
              : `${this.#one(tongue.adjectives)} ${noun} ${tongue.of} ${this.#one(tongue.adjectives)} ${this.#one(tongue.nouns)}`
      if (taken.has(title)) continue
      taken.add(title)
      return title.charAt(0).toUpperCase() + title.slice(1)
    }
  }

  #subtitle(kind: Kind, tongue: Tongue): string | undefined {
    if (kind === 'play') return tongue.play
    if (kind === 'study') return this.#happens(0.6) ? `${tongue.study} ${this.#words(tongue, 2)}` : undefined
    return kind === 'novel' && this.#happens(0.3) ? tongue.novel : undefined
  }

  #publish(work: Work, isProlific: boolean): void {
    const isUnique = work.kind === 'report' || work.kind === 'album'
    // Two libraries have the same report or recording.
    if (isUnique && this.#happens(0.3)) this.#record(work, 0, undefined)
    const editions = isUnique || this.#happens(isProlific ? 0.4 : 0.75) ? 1 : 2 + this.#below(3)
    for (let edition = 0; edition < editions; edition++) this.#record(work, edition, undefined)
    if (work.kind !== 'novel' || !this.#happens(0.25)) return
    const other = this.#one(tongues.filter(each => each.code !== work.tongue.code))
    const translated = { title: this.#title(other, new Set()), tongue: other }
    const translators = [0, 1].map(() => `${this.#one(other.forenames)} ${this.#one(other.surnames)}`)
    const versions = this.#happens(0.2) ? 2 : 1
    for (let version = 0; version < versions; version++)
      for (let edition = 1 + this.#below(2); edition > 0; edition--)
        this.#record(work, edition, { ...translated, translator: translators[version] ?? '' })
  }

  #record(
    work: Work,
    edition: number,
    translation: { readonly title: string; readonly tongue: Tongue; readonly translator: string } | undefined
  ): void {
    const { author, tongue, contained = [] } = work
    const library = this.#one(['careful', 'brief', 'careless'] as const)
    const words = translation?.tongue ?? tongue
    const title = translation?.title ?? work.title
    const lines: string[] = []
    if (work.kind === 'album') lines.push('LDR/06 j')
    else lines.push(`008/33 ${this.#literaryForm(work.kind, library)}`)
    const heading = this.#heading(author, library)
    if (work.kind === 'report') lines.push(`110 2# $a${author.surname} ${tongue.nouns[author.year % 20]} Institute.`)
    else if (library !== 'brief' || !this.#happens(0.05)) lines.push(`100 1# $a${heading}`)
    if (translation !== undefined && library === 'careful') lines.push(`240 10 $a${work.title}.$l${words.code}`)
    if (translation !== undefined && library === 'brief') lines.push(`765 0# $t${work.title}`)
    const subtitle = translation === undefined ? this.#shownSubtitle(work, library) : ''
    const statement = `${author.forename} ${author.surname}`
    const by = translation === undefined ? '' : ` ; ${words.translated} ${translation.translator}`
    lines.push(
      `245 10 $a${this.#spelling(title, library)}${subtitle === '' ? '' : ` :$b${subtitle}`} /$c${words.by} ${statement}${by}.`
    )
    if (translation !== undefined && library === 'careless') lines.push(`500 ## $aTranslation of: ${work.title}`)
    if (edition > 0 && this.#happens(0.5)) lines.push(`250 ## $a${words.edition}`)
    const year = work.kind === 'report' ? work.year + (this.#works % 7) : work.year + edition * (1 + this.#below(9))
    lines.push(`264 #1 $aGent :$bDe Kade,$c${year}.`)
    if (contained.length > 0) for (const each of contained) lines.push(`700 12 $a${heading}$t${each.title}.`)
    this.records.push({
      name: `r${this.records.length}`,
      lines: lines.join('\n'),
      language: words.code,
      works: [work.id, ...contained.map(each => each.id)],
      expression: translation === undefined ? work.id : `${work.id} ${words.code} ${translation.translator}`
    })
  }

  #literaryForm(kind: Kind, library: string): string {
    if (library === 'careless') return this.#happens(0.5) ? '|' : '0'
    return kind === 'novel' || kind === 'stories' ? '1' : kind === 'play' ? 'd' : kind === 'poems' ? 'p' : '0'
  }

  #heading({ surname, forename, second, year }: Author, library: string): string {
    if (library === 'careful') return `${surname}, ${forename} ${second.charAt(0)}.,$d${year}-`
    if (library === 'brief') return `${surname}, ${forename} ${second.charAt(0)}.`
    const given = this.#happens(0.3)
      ? `${forename.charAt(0)}. ${second.charAt(0)}.`
      : `${forename} ${second.charAt(0)}.`
    return this.#happens(0.3) ? withoutMarks(`${surname}, ${given}`) : `${surname}, ${given}`
  }

  #shownSubtitle({ kind, subtitle = '', tongue }: Work, library: string): string {
    const isNeeded = kind === 'play' || kind === 'part' || kind === 'poems' || kind === 'stories'
    if (isNeeded) return subtitle
    if (library === 'brief' || (library === 'careless' && this.#happens(0.5))) return ''
    // A later printing words it a little differently.
    return kind === 'study' && subtitle !== '' && this.#happens(0.15)
      ? `${subtitle} ${this.#one(tongue.nouns)}`
      : subtitle
  }

  #spelling(title: string, library: string): string {
    if (library !== 'careless') return title
    const spelt = this.#happens(0.2) ? withoutMarks(title) : title
    if (!this.#happens(0.02) || spelt.length < 10) return spelt
    const at = 4 + this.#below(spelt.length - 5)
    return spelt.slice(0, at) + spelt.slice(at + 1)
  }
}

const withoutMarks = (text: string) =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ø', 'o').replaceAll('Ø', 'O')
