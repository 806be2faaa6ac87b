import type { MadeRecord } from './made-collection.ts'

/*
 * Invented records in 18 languages and 8 scripts, as AACR2, RDA, ISBD and the national rules have
 * them described, with the works and expressions that they are of. One author of each language
 * wrote the same three books as all the others, so that titles alone never tell whose they are.
 */

interface Tongue {
  readonly code: string
  /** The author: heading, heading in the script of the language, year of birth. */
  readonly author: readonly [heading: string, own: string, born: number]
  /** The titles of the three books, in Latin letters and in the script of the language. */
  readonly titles: readonly (readonly [roman: string, own: string])[]
  /** Titles that several aggregates of one author have. */
  readonly aggregates: readonly (readonly [roman: string, own: string])[]
  /** Words that introduce the title of the original in a note. */
  readonly original: string
  /** Words for a translator in a statement of responsibility. */
  readonly translated: string
}

/** A text in Latin letters; a text in two scripts: `Latin | other`. */
const both = (text: string): readonly [string, string] => {
  const [roman = '', own = ''] = text.split(' | ')
  return [roman, own]
}

/** Rows: code; author; born; three titles; two aggregates; original; translated. */
const rows = `
eng; Harcombe, Lydia; 1911; The salt road; The house of winter; The lamp; Collected works; Letters; Translation of:; translated by
dut; Verbeeck, Joris; 1902; De zoutweg; Het huis van de winter; De lamp; Verzamelde werken; Brieven; Oorspronkelijke titel:; vertaald door
fre; Delaunois, Édith; 1923; La route du sel; La maison de l'hiver; La lampe; Œuvres complètes; Lettres; Titre original :; traduit par
ger; Grünfeld, Ottilie; 1899; Die Salzstraße; Das Haus des Winters; Die Lampe; Gesammelte Werke; Briefe; Originaltitel:; übersetzt von
spa; Arriaga, Tomás; 1931; El camino de la sal; La casa del invierno; La lámpara; Obras completas; Cartas; Título original:; traducción de
swe; Ekström, Hjalmar; 1908; Saltvägen; Vinterns hus; Lampan; Samlade verk; Brev; Originaltitel:; översättning:
pol; Wrzosek, Halina; 1926; Solny szlak; Dom zimy; Lampa; Dzieła zebrane; Listy; Tytuł oryginału:; przełożył
cze; Křižanová, Božena; 1919; Solná stezka; Dům zimy; Lampa; Sebrané spisy; Dopisy; Název originálu:; přeložil
hun; Halmágyi, Ödön; 1914; A sóút; A tél háza; A lámpa; Összegyűjtött művei; Levelek; Eredeti cím:; fordította
fin; Järvelä, Aino; 1937; Suolatie; Talven talo; Lamppu; Kootut teokset; Kirjeet; Alkuteos:; suomentanut
tur; Yıldıral, Cemil; 1921; Tuz yolu; Kışın evi; Lamba; Bütün eserleri; Mektuplar; Özgün adı:; çeviren
rus; Veretennikov, Pavel | Веретенников, Павел; 1905; Soli͡anai͡a doroga | Соляная дорога; Dom zimy | Дом зимы; Lampa | Лампа; Sobranie sochineniĭ | Собрание сочинений; Pisʹma | Письма; Заглавие оригинала:; перевод
ukr; Haĭvoronsʹka, Oksana | Гайворонська, Оксана; 1912; Soli͡anyĭ shli͡akh | Соляний шлях; Budynok zymy | Будинок зими; Svityľnyk | Світильник; Zibranni͡a tvoriv | Зібрання творів; Lysty | Листи; Назва оригіналу:; переклад
gre; Karras, Nikos | Καρράς, Νίκος; 1928; Ho dromos tou alatiou | Ο δρόμος του αλατιού; To spiti tou cheimōna | Το σπίτι του χειμώνα; Hē lampa | Η λάμπα; Hapanta | Άπαντα; Epistoles | Επιστολές; Τίτλος πρωτοτύπου:; μετάφραση
heb; Barneʻa, Ayalah | ברנע, אילה; 1934; Derekh ha-melaḥ | דרך המלח; Bet ha-ḥoref | בית החורף; ha-Menorah | המנורה; Kol kitve | כל כתבי; Mikhtavim | מכתבים; שם המקור:; תרגום
ara; Ḥamdāwī, Salmá | الحمداوي، سلمى; 1930; Ṭarīq al-milḥ | طريق الملح; Bayt al-shitāʼ | بيت الشتاء; al-Miṣbāḥ | المصباح; al-Aʻmāl al-kāmilah | الأعمال الكاملة; Rasāʼil | رسائل; العنوان الأصلي:; ترجمة
per; Nawrūzī, Dāriyūsh | نوروزی، داریوش; 1941; Rāh-i namak | راه نمک; Khānah-ʼi zamistān | خانه زمستان; Chirāgh | چراغ; Majmūʻah-ʼi ās̲ār | مجموعه آثار; Nāmahʹhā | نامه ها; عنوان اصلی:; ترجمه
chi; Lin, Haiqing | 林海青; 1925; Yan zhi lu | 鹽之路; Dong zhi wu | 冬之屋; Deng | 燈; Quan ji | 全集; Shu xin | 書信; 原書名:; 譯
jpn; Morikawa, Chiyo | 森川, 千代; 1918; Shio no michi | 塩の道; Fuyu no ie | 冬の家; Ranpu | ランプ; Zenshū | 全集; Shokanshū | 書簡集; 原タイトル:; 訳
kor; Han, Sŏ-yun | 한서윤; 1939; Sogŭmgil | 소금길; Kyŏul ŭi chip | 겨울의 집; Tŭngpul | 등불; Chŏnjip | 전집; Sŏhanjip | 서한집; 원제:; 옮김
`

export const tongues: readonly Tongue[] = rows
  .trim()
  .split('\n')
  .map(row => {
    const [code = '', author = '', born = '', ...rest] = row.split('; ')
    const [heading, own] = both(author)
    const [first = '', second = '', third = '', works = '', letters = '', original = '', translated = ''] = rest
    return {
      code,
      author: [heading, own, Number(born)],
      titles: [first, second, third].map(both),
      aggregates: [works, letters].map(both),
      original,
      translated
    }
  })

/** A field in Latin letters, with its pair in the script of the language (880) if it has one. */
function field(tag: string, place: number, [roman, own]: readonly [string, string], rest = ''): string {
  const [number = '', indicators = ''] = tag.split(' ')
  if (own === '') return `${tag} $a${roman}${rest}`
  return `${tag} $6880-0${place}$a${roman}${rest}\n880 ${indicators} $6${number}-0${place}$a${own}${rest}`
}

/** The year of birth as $d. */
const dates = (born: number) => `,$d${born}-${born + 62}.`

interface Entry {
  readonly name: string
  readonly lines: readonly string[]
  readonly language: string
  /** The work, as its title in `work` or as text of its own. */
  readonly works: readonly string[]
  readonly expression?: string
}

const publisher = (city: string, year: number) => `264 #1 $a${city} :$bA,$c${year}.`

/**
 * Translations into English: by uniform title, by a note, by a linking entry. The reproduction of
 * one has a number of its own in the series of reproductions.
 */
function inEnglish({ code, titles }: Tongue, main: string): Entry[] {
  const [english] = tongues
  const translators = ['Ivy Marsh', 'Noel Pratt', 'Una Slade']
  const [book, house, lamp] = titles.map(([roman]) => roman)
  const rows: readonly (readonly [name: string, place: number, before: string, after: string])[] = [
    ['uniform', 0, `240 10 $a${book}.$lEnglish`, ''],
    ['noted', 1, '', `500 ## $aTranslation of: ${house}.`],
    ['linked', 2, '', `765 0# $t${lamp}`],
    ['copy', 0, '', '533 ## $aMicrofilm.$bO :$cM,$d2008.\n490 1# $aEarly voices on film ;$v90414']
  ]
  return rows.map(([name, place, before, after]) => {
    const title = `245 14 $a${english?.titles[place]?.[0]} /$c${english?.translated} ${translators[place]}.`
    const lines = [`041 1# $aeng$h${code}`, main, before, title, publisher('L', 1990 + place), after]
    return { name, language: 'eng', works: [`${code}-${place}`], lines: lines.filter(Boolean) }
  })
}

/** The records of one author, in the ways that catalogues describe them. */
function recordsOf(tongue: Tongue, next: Tongue): Entry[] {
  const { code, author, titles, aggregates } = tongue
  const [heading, own, born] = author
  const main = field('100 1#', 1, [heading, own], dates(born))
  const [book = ['', ''], house = ['', ''], lamp = ['', '']] = titles
  const title = (of: readonly [string, string], rest = '') => field('245 10', 2, of, rest)
  const entries: Entry[] = []
  const add = (name: string, language: string, works: readonly string[], ...lines: string[]) =>
    entries.push({ name, language, works, lines: lines.filter(Boolean) })

  // Editions: the first; one in a series of paperbacks; one in the same series with a later number.
  for (const [place, each] of titles.entries()) {
    const work = `${code}-${place}`
    add(`first-${place}`, code, [work], main, title(each), publisher('X', born + 30))
    add(`paperback-${place}`, code, [work], main, title(each), publisher('Y', born + 41), '490 1# $aPocket books ;$v17')
    add(`reprint-${place}`, code, [work], main, title(each), publisher('Y', born + 52), '490 1# $aPocket books ;$v240')
  }

  if (code !== 'eng') entries.push(...inEnglish(tongue, main))

  // A translation into the next language, as the national library there describes it: with the
  // original title in a note in its language.
  const foreign = (place: number) => next.titles[place] ?? ['', '']
  const statement = ` /$c${next.translated} Y. Z.`
  const noted = `500 ## $a${next.original} ${own === '' ? book[0] : book[1]}.`
  add(
    'abroad',
    next.code,
    [`${code}-0`],
    `041 1# $a${next.code}$h${code}`,
    main,
    field('245 10', 2, foreign(0), statement),
    publisher('N', 1994),
    noted
  )
  add(
    'abroad-again',
    next.code,
    [`${code}-0`],
    `041 1# $a${next.code}$h${code}`,
    main,
    field('245 10', 2, foreign(0), statement),
    publisher('N', 1999)
  )

  // The national catalogue: its own script only, or the year of birth alone.
  add(
    'national',
    code,
    [`${code}-1`],
    `100 1# $a${own || `${heading},$d${born}-`}`,
    `245 10 $a${house[1] || house[0]}`,
    publisher('X', born + 33)
  )

  // Aggregates under the titles that every author has: other editors, other years, other contents.
  for (const [place, each] of aggregates.entries())
    for (const year of [born + 45, born + 66])
      add(
        `aggregate-${place}-${year}`,
        code,
        [`${code}-aggregate-${place}-${year}`],
        '008/33 |',
        main,
        title(each),
        publisher('X', year)
      )

  // Two books in one volume: entries, the same titles as added titles, and a note of contents.
  add(
    'volume',
    code,
    [`${code}-volume`, `${code}-0`, `${code}-1`],
    main,
    title([`${book[0]} ; ${house[0]}`, own === '' ? '' : `${book[1]} ; ${house[1]}`]),
    publisher('X', born + 58),
    `505 0# $a${book[0]} -- ${house[0]}.`,
    `700 12 $a${heading},$d${born}-${born + 62}.$t${book[0]}.`,
    `700 12 $a${heading},$d${born}-${born + 62}.$t${house[0]}.`,
    `740 02 $a${book[0]}.`,
    `740 02 $a${house[0]}.`
  )

  // Read aloud; filmed; dramatised by somebody else; a namesake's book of the same title.
  add('audio', code, [`${code}-1`], 'LDR/06 i', main, title(house), publisher('X', born + 60))
  const director = `700 1# $aRegisseur, ${code},$edirector.`
  add('film', code, [`${code}-film`], 'LDR/06 g', field('245 00', 2, book), publisher('X', born + 61), director)
  add(
    'play',
    code,
    [`${code}-play`],
    '008/33 d',
    `100 1# $aBewerker, ${code}`,
    title(book, ' :$bbased on the novel'),
    publisher('X', born + 64),
    `700 1# $a${heading},$d${born}-${born + 62}.$tX.`
  )
  add(
    'namesake',
    code,
    [`${code}-namesake`],
    '008/33 0',
    `100 1# $a${heading},$d${born - 70}-${born - 4}.`,
    title(lamp),
    publisher('X', born - 20)
  )
  return entries
}

/** Works without an author, and works that rules name by numbers. */
const others: readonly Entry[] = `
nt-aacr | eng | nt | 130 0# $aBible.$pN.T.$lEnglish. | 245 14 $aThe New Testament.
nt-rda | eng | nt | 130 0# $aBible.$pNew Testament.$lEnglish. | 245 14 $aThe New Testament in plain words.
nt-german | ger | nt | 130 0# $aBible.$pN.T.$lGerman.$sLuther. | 245 14 $aDas Neue Testament.
ot-aacr | eng | ot | 130 0# $aBible.$pO.T.$lEnglish. | 245 14 $aThe Old Testament.
ot-rda | eng | ot | 130 0# $aBible.$pOld Testament.$lEnglish. | 245 14 $aThe Old Testament in plain words.
genesis-aacr | eng | genesis | 130 0# $aBible.$pO.T.$pGenesis.$lEnglish. | 245 10 $aGenesis.
genesis-rda | eng | genesis | 130 0# $aBible.$pGenesis.$lEnglish. | 245 10 $aGenesis in plain words.
koran-aacr | eng | koran | 130 0# $aKoran.$lEnglish. | 245 14 $aThe Koran.
koran-rda | eng | koran | 130 0# $aQurʼan.$lEnglish. | 245 14 $aThe Qurʼan in plain words.
saga-one | eng | saga | 130 0# $aSaga of the salt men.$lEnglish. | 245 14 $aThe saga.
saga-two | dut | saga | 130 0# $aSaga of the salt men.$lDutch. | 245 13 $aDe saga.
laws-76 | eng | laws-76 | 110 1# $aHarbourland. | 240 10 $aLaws, etc. (Compiled statutes : 1976) | 245 10 $aHarbourland code. | 264 #1 $c1976.
laws-91 | eng | laws-91 | 110 1# $aHarbourland. | 240 10 $aLaws, etc. (Compiled statutes : 1991) | 245 10 $aHarbourland code. | 264 #1 $c1991.
treaty-02 | eng | treaty-02 | 110 1# $aHarbourland. | 240 10 $aTreaties, etc.$gSaltonia,$d1902 May 3 | 245 10 $aTreaty of friendship. | 264 #1 $c1902.
treaty-31 | eng | treaty-31 | 110 1# $aHarbourland. | 240 10 $aTreaties, etc.$gSaltonia,$d1931 June 9 | 245 10 $aTreaty of friendship. | 264 #1 $c1931.
sonata-1 | eng | sonata-1 | LDR/06 c | 100 1# $aOrlando, Vito,$d1701-1760. | 240 10 $aSonatas,$mviolin,$nop. 1, no. 2,$rD minor | 245 10 $aSonata in D minor.
sonata-1b | eng | sonata-1 | LDR/06 c | 100 1# $aOrlando, Vito,$d1701-1760. | 240 10 $aSonatas,$mviolin,$nop. 1, no. 2,$rD minor | 245 10 $aSonate d-Moll.
sonata-2 | eng | sonata-2 | LDR/06 c | 100 1# $aOrlando, Vito,$d1701-1760. | 240 10 $aSonatas,$mviolin,$nop. 1, no. 3,$rD minor | 245 10 $aSonata in D minor.
trio-1 | eng | trio-1 | LDR/06 c | 100 1# $aOrlando, Vito,$d1701-1760. | 240 10 $aTrios,$mpiano, strings,$nHob. XV, 27 | 245 10 $aTrio.
trio-2 | eng | trio-2 | LDR/06 c | 100 1# $aOrlando, Vito,$d1701-1760. | 240 10 $aTrios,$mpiano, strings,$nHob. XV, 28 | 245 10 $aTrio.
bulletin-1 | eng | bulletin-1 | 008/33 0 | 110 2# $aSalt Board. | 245 10 $aBulletin. | 264 #1 $c1951. | 490 0# $aBulletins ;$v1
bulletin-2 | eng | bulletin-2 | 008/33 0 | 110 2# $aSalt Board. | 245 10 $aBulletin. | 264 #1 $c1952. | 490 0# $aBulletins ;$v2
`
  .trim()
  .split('\n')
  .map(row => {
    const [name = '', language = '', work = '', ...lines] = row.split(' | ')
    return { name, language, works: [work], lines }
  })

/** All records, with the expression of each: its work, language and form. */
export function recordsInManyLanguages(): MadeRecord[] {
  const all = tongues.flatMap((tongue, place) => {
    const next = tongues[(place + 1) % tongues.length] ?? tongue
    return recordsOf(tongue, next).map(each => ({ ...each, name: `${tongue.code}-${each.name}` }))
  })
  return [...all, ...others].map(({ name, language, works, lines }) => {
    const form = lines[0]?.startsWith('LDR/06') ? lines[0] : ''
    return { name, language, works, lines: lines.join('\n'), expression: `${works[0]} ${language} ${form}` }
  })
}
