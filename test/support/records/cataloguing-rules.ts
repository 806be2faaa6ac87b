import type { MadeRecord } from './made-collection.ts'

/*
 * Invented records in 23 languages and 11 scripts, as rules of cataloguing describe them, with the
 * works and expressions that they are of. They were written before their first measurement, apart
 * from `many-languages.ts`, and are about what differs between catalogues: the romanisation, the
 * form of a name, numbers of authority files, names and numbers of music, numerals, adaptations.
 */

interface Tongue {
  readonly code: string
  readonly born: number
  /** The author: by ALA-LC, by another romanisation, in the script of the language. */
  readonly author: Forms
  /** A novel, and a second one. */
  readonly titles: readonly [Forms, Forms]
  /** The novel in English. */
  readonly english: string
}

interface Forms {
  readonly roman: string
  readonly other: string
  readonly own: string
}

/** A number of the GND with a hyphen: the remainder of the weighted sum is its check digit. */
function withCheckDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, place) => total + Number(digit) * (place + 2), 0)
  return `${digits}-${'0123456789X'[sum % 11]}`
}

/** Rows: code; born; author; first title; second title; the first in English. Forms: a | b | c. */
const rows = `
ita; 1921; Santovito, Carla | Santovito, Carla | Santovito, Carla; L'inverno dei pescatori | L'inverno dei pescatori | L'inverno dei pescatori; La torre di sale | La torre di sale | La torre di sale; The fishermen's winter
por; 1934; Figueiró, Amadeu | Figueiró, Amadeu | Figueiró, Amadeu; O inverno dos pescadores | O inverno dos pescadores | O inverno dos pescadores; A torre de sal | A torre de sal | A torre de sal; Winter of the fishers
dan; 1909; Ravnkær, Ebbe | Ravnkær, Ebbe | Ravnkær, Ebbe; Fiskernes vinter | Fiskernes vinter | Fiskernes vinter; Salttårnet | Salttårnet | Salttårnet; Winter in the fishing fleet
slv; 1917; Krivograd, Neža | Krivograd, Neža | Krivograd, Neža; Zima ribičev | Zima ribičev | Zima ribičev; Solni stolp | Solni stolp | Solni stolp; The winter of the boats
bul; 1926; Zhechkov, Dimo | Žečkov, Dimo | Жечков, Димо; Zimata na ribarite | Zimata na ribarite | Зимата на рибарите; Solenata kula | Solenata kula | Солената кула; A fisher's winter
rus; 1903; Shchukarëv, I͡Uriĭ | Ščukarëv, Jurij | Щукарёв, Юрий; Rybat͡skai͡a zima | Rybackaja zima | Рыбацкая зима; Soli͡anai͡a bashni͡a | Soljanaja bašnja | Соляная башня; The fishery in winter
srp; 1931; Đokanović, Živojin | Đokanović, Živojin | Ђокановић, Живојин; Ribarska zima | Ribarska zima | Рибарска зима; Slana kula | Slana kula | Слана кула; Fishing winter
gre; 1915; Chrysovergēs, Phōtēs | Chrysovergis, Fotis | Χρυσοβέργης, Φώτης; Ho cheimōnas tōn psaradōn | O cheimonas ton psaradon | Ο χειμώνας των ψαράδων; Ho pyrgos tou halatiou | O pyrgos tou alatiou | Ο πύργος του αλατιού; Winter on the quay
yid; 1899; Ḳoṿalsḳi, Yitsḥaḳ | Kovalski, Yitskhok | קאוואלסקי, יצחק; Der ṿinṭer fun di fisher | Der vinter fun di fisher | דער ווינטער פון די פישער; Der zaltsṭurem | Der zaltsturem | דער זאַלצטורעם; The fishers' cold season
ara; 1938; Ḥaddād, Nūr al-Dīn | Haddad, Nur ad-Din | حداد، نور الدين; Shitāʼ al-ṣayyādīn | Shita as-sayyadin | شتاء الصيادين; Burj al-milḥ | Burdsch al-milh | برج الملح; A season of nets
hin; 1929; Tivārī, Rāmeśvara | Tiwari, Rameshwar | तिवारी, रामेश्वर; Machuārom̐ kī sardī | Machuaron ki sardi | मछुआरों की सर्दी; Namaka kā mīnāra | Namak ka minar | नमक का मीनार; Cold months of the fishermen
arm; 1911; Hakobyan, Tʻoros | Hakobyan, T’oros | Հակոբյան, Թորոս; Dzknorsneri dzmeṛě | Jknorsneri jmeṙë | Ձկնորսների ձմեռը; Aghi ashtarakě | Ałi aštarakë | Աղի աշտարակը; The lake in winter
geo; 1942; Čʻiladze, Otʻar | Ch’iladze, Otar | ჭილაძე, ოთარ; Metʻevzeebis zamtʻari | Metevzeebis zamtari | მეთევზეების ზამთარი; Marilis koški | Marilis k’oshk’i | მარილის კოშკი; Winter among fishermen
chi; 1936; Zhou, Haiping | Chou, Hai-p'ing | 周海平; Yu min de dong tian | Yü min te tung t'ien | 漁民的冬天; Yan ta | Yen t'a | 鹽塔; Winter at the fish market
jpn; 1907; Tsuchida, Shin'ichi | Tutida, Sin'iti | 土田, 真一; Ryōshi no fuyu | Ryôsi no huyu | 漁師の冬; Shio no tō | Sio no tô | 塩の塔; The net menders
tha; 1945; Sīthō̜ng, Praphan | Sithong, Praphan | ศรีทอง, ประพันธ์; Rư̄dū nāo khō̜ng chāo pramong | Ruedu nao khong chao pramong | ฤดูหนาวของชาวประมง; Hō̜ khō̜i klư̄a | Ho khoi kluea | หอคอยเกลือ; A cold tide
`

const formsIn = (text: string): Forms => {
  const [roman = '', other = '', own = ''] = text.split(' | ')
  return { roman, other, own }
}

const ruleTongues: readonly Tongue[] = rows
  .trim()
  .split('\n')
  .map(row => {
    const [code = '', born = '', author = '', first = '', second = '', english = ''] = row.split('; ')
    return { code, born: Number(born), author: formsIn(author), titles: [formsIn(first), formsIn(second)], english }
  })

interface Entry {
  readonly name: string
  readonly language: string
  readonly works: readonly string[]
  readonly expression: string
  readonly lines: readonly string[]
}

/** A field by ALA-LC, with its pair in the script of the language (880) if that is another. */
function paired(tag: string, place: number, { roman, own }: Forms, rest = ''): string {
  const [number = '', indicators = ''] = tag.split(' ')
  if (roman === own) return `${tag} $a${roman}${rest}`
  return `${tag} $6880-0${place}$a${roman}${rest}\n880 ${indicators} $6${number}-0${place}$a${own}${rest}`
}

/** The records of one author in the ways of several libraries. */
function editionsOf(tongue: Tongue, place: number): Entry[] {
  const { code, born, author, titles, english } = tongue
  const [novel, tower] = titles
  const id = (what: string) => `${code}-${what}`
  const dates = `,$d${born}-${born + 71}.`
  const entries: Entry[] = []
  const add = (name: string, language: string, works: readonly string[], version: string, ...lines: string[]) =>
    entries.push({ name: id(name), language, works, expression: `${works[0]} ${version}`, lines })
  const main = paired('100 1#', 1, author, dates)

  // The national library, in its own script; a union catalogue, by ALA-LC with 880; a library that
  // romanises by another standard and writes no 880.
  add(
    'national',
    code,
    [id('novel')],
    code,
    `100 1# $a${author.own}`,
    `245 10 $a${novel.own}`,
    `264 #1 $c${born + 30}.`
  )
  add('union', code, [id('novel')], code, main, paired('245 10', 2, novel, ' /$cA.'), `264 #1 $c${born + 42}.`)
  add(
    'other',
    code,
    [id('novel')],
    code,
    `100 1# $a${author.other}${dates}`,
    `245 10 $a${novel.other}`,
    `264 #1 $c${born + 36}.`
  )
  add('tower-union', code, [id('tower')], code, main, paired('245 10', 2, tower), `264 #1 $c${born + 50}.`)
  add(
    'tower-national',
    code,
    [id('tower')],
    code,
    `100 1# $a${author.own},$d${born}-`,
    `245 10 $a${tower.own}`,
    `264 #1 $c${born + 51}.`
  )

  // A translation with its original; the same with another statement; an authority number on both
  // headings, of which one is a pseudonym.
  const number = `$0(DE-588)${withCheckDigit(`1${1000 + place}7`)}`
  add(
    'english',
    'eng',
    [id('novel')],
    'eng Ames',
    `041 1# $aeng$h${code}`,
    main,
    `240 10 $a${novel.roman}.$lEnglish`,
    `245 10 $a${english} /$ctranslated by Rosa Ames.`,
    `264 #1 $c${born + 58}.`,
    '700 1# $aAmes, Rosa,$etranslator.'
  )
  add(
    'english-again',
    'eng',
    [id('novel')],
    'eng Ames',
    `041 1# $aeng$h${code}`,
    `100 1# $a${author.roman}${dates}`,
    `245 10 $a${english} /$ctranslated by Rosa Ames.`,
    `264 #1 $c${born + 64}.`
  )
  add(
    'pen-name',
    'eng',
    [id('memoir')],
    'eng',
    `100 1# $aMerle, ${code}${number}`,
    `245 10 $aMy years at the ${code} harbour`,
    `264 #1 $c${born + 66}.`
  )
  add(
    'real-name',
    'eng',
    [id('memoir')],
    'eng',
    `100 1# $a${author.roman}${dates.slice(0, -1)}${number}`,
    `245 10 $aMy years at the ${code} harbour`,
    `264 #1 $c${born + 69}.`
  )
  return entries
}

/** Works of others after the novel, and a volume with both novels. */
function derivedFrom({ code, born, author, titles }: Tongue): Entry[] {
  const [novel, tower] = titles
  const id = (what: string) => `${code}-${what}`
  const dates = `,$d${born}-${born + 71}.`
  const entries: Entry[] = []
  const add = (name: string, language: string, works: readonly string[], version: string, ...lines: string[]) =>
    entries.push({ name: id(name), language, works, expression: `${works[0]} ${version}`, lines })
  const main = paired('100 1#', 1, author, dates)
  // A film and a graphic novel after the novel, each by others, with an entry for it.
  const entry = `$i%:$a${author.roman}${dates.slice(0, -1)}$t${novel.roman}.`
  const after = (what: string) => `700 1# ${entry.replace('%', what)}`
  add(
    'film',
    code,
    [id('film')],
    'film',
    'LDR/06 g',
    paired('245 00', 1, novel),
    `264 #1 $c${born + 60}.`,
    `700 1# $aKamera, ${code},$efilm director.`,
    after('Motion picture adaptation of (work)')
  )
  add(
    'comic',
    code,
    [id('comic')],
    'comic',
    `100 1# $aTekener, ${code},$eartist.`,
    `245 10 $a${novel.roman} :$ba graphic novel /$cadapted by ${code} Tekener.`,
    `264 #1 $c${born + 90}.`,
    after('Graphic novelization of (work)')
  )

  // Both novels in one volume.
  const inVolume = (of: Forms) => `700 12 $a${author.roman}${dates.slice(0, -1)}$t${of.roman}.`
  add(
    'volume',
    code,
    [id('volume'), id('novel'), id('tower')],
    code,
    main,
    `245 10 $a${novel.roman} ;$b${tower.roman}`,
    `264 #1 $c${born + 55}.`,
    `505 0# $a${novel.roman} -- ${tower.roman}.`,
    inVolume(novel),
    inVolume(tower)
  )
  return entries
}

/** Rows: name | language | works | expression | lines. `@` stands for the heading before. */
const single = `
name-plain | eng | Fell | Fell | 100 1# $aBrocklesby, Hester,$d1888-1960. | 245 10 $aThe fell walkers | 264 #1 $c1921.
name-dates-in-a | eng | Fell | Fell | 100 1# $aBrocklesby, Hester, 1888-1960 | 245 10 $aThe fell walkers | 264 #1 $c1931.
name-qualified | eng | Fell | Fell | 100 1# $aBrocklesby, Hester (novelist) | 245 10 $aThe fell walkers | 264 #1 $c1924.
name-role-in-a | eng | Fell | Fell | 100 1# $aBrocklesby, Hester [author] | 245 10 $aThe fell walkers | 264 #1 $c1926.
name-role-after-comma | eng | Fell | Fell | 100 1# $aBrocklesby, Hester, author. | 245 10 $aThe fell walkers | 264 #1 $c1928.
name-twice | eng | Fell | Fell | 100 1# $aBrocklesby, Hester,$aHester Brocklesby. | 245 10 $aThe fell walkers | 264 #1 $c1933.
name-direct | eng | Fell | Fell | 100 0# $aHester Brocklesby | 245 10 $aThe fell walkers | 264 #1 $c1938.
name-capitals | eng | Fell | Fell | 100 1# $aBROCKLESBY, HESTER | 245 10 $aThe fell walkers | 264 #1 $c1947.
name-statement | eng | Fell | Fell | 100 1# $aBrocklesby, Hester. Preface by A. Oram | 245 10 $aThe fell walkers | 264 #1 $c1952.
name-title-of-honour | eng | Fell | Fell | 100 1# $aBrocklesby, Hester,$cDame,$d1888-1960. | 245 10 $aThe fell walkers | 264 #1 $c1955.
name-married | eng | Fell | Fell | 100 1# $aBrocklesby, Hester Ann$q(Hester Ann Moor),$d1888-1960. | 245 10 $aThe fell walkers | 264 #1 $c1957.
name-other-person | eng | Fell-other | Fell-other | 100 1# $aBrocklesby, Harold,$d1851-1930. | 245 10 $aThe fell walkers | 264 #1 $c1899.
numeral-words | eng | Nights | Nights | 100 1# $aOverell, Ida,$d1901-1980. | 245 10 $aTwelve nights at the salt works | 264 #1 $c1940.
numeral-digits | eng | Nights | Nights | 100 1# $aOverell, Ida,$d1901-1980. | 245 10 $a12 nights at the salt works | 264 #1 $c1951.
numeral-other | eng | Nights-13 | Nights-13 | 100 1# $aOverell, Ida,$d1901-1980. | 245 10 $aThirteen nights at the salt works | 264 #1 $c1953.
numeral-dut-words | dut | Dagen | Dagen | 100 1# $aLeerdam, Gijs,$d1911-1990. | 245 10 $aTachtig dagen op zee | 264 #1 $c1950.
numeral-dut-digits | dut | Dagen | Dagen | 100 1# $aLeerdam, Gijs,$d1911-1990. | 245 10 $a80 dagen op zee | 264 #1 $c1961.
numeral-ger-words | ger | Tage | Tage | 100 1# $aOberacker, Kuno,$d1877-1949. | 245 10 $aVierzig Tage im Salz | 264 #1 $c1910.
numeral-ger-digits | ger | Tage | Tage | 100 1# $aOberacker, Kuno,$d1877-1949. | 245 10 $a40 Tage im Salz | 264 #1 $c1921.
numeral-fre-words | fre | Jours | Jours | 100 1# $aTourneur, Ève,$d1890-1964. | 245 10 $aVingt jours au marais salant | 264 #1 $c1930.
numeral-fre-digits | fre | Jours | Jours | 100 1# $aTourneur, Ève,$d1890-1964. | 245 10 $a20 jours au marais salant | 264 #1 $c1947.
letter-greek | eng | Beta | Beta | 008/33 0 | 100 1# $aPentland, Roy,$d1920- | 245 10 $aThe β-decay of heavy salts | 264 #1 $c1961.
letter-word | eng | Beta | Beta | 008/33 0 | 100 1# $aPentland, Roy,$d1920- | 245 14 $aThe beta-decay of heavy salts | 264 #1 $c1963.
letter-other | eng | Gamma | Gamma | 008/33 0 | 100 1# $aPentland, Roy,$d1920- | 245 14 $aThe γ-decay of heavy salts | 264 #1 $c1962.
book-words | eng | Trilogy-2 | Trilogy-2 | 100 1# $aWhitlow, May,$d1950- | 245 10 $aThe ferry cycle.$nBook two | 264 #1 $c1990.
book-digit | eng | Trilogy-2 | Trilogy-2 | 100 1# $aWhitlow, May,$d1950- | 245 10 $aThe ferry cycle.$nBook 2 | 264 #1 $c1996.
book-one | eng | Trilogy-1 | Trilogy-1 | 100 1# $aWhitlow, May,$d1950- | 245 10 $aThe ferry cycle.$nBook one | 264 #1 $c1987.
sonata-loc | eng | K331 | K331 | LDR/06 c | 100 1# $aOrsolini, Pia,$d1740-1799. | 240 10 $aSonatas,$mpiano,$nK. 331,$rA major | 245 10 $aSonata in A
sonata-dnb | ger | K331 | K331 | LDR/06 c | 100 1# $aOrsolini, Pia,$d1740-1799. | 240 10 $aSonaten,$mKlavier,$nKV 331,$rA-Dur | 245 10 $aSonate A-Dur
sonata-bnf | fre | K331 | K331 | LDR/06 c | 100 1# $aOrsolini, Pia,$d1740-1799. | 240 10 $aSonates,$mpiano,$nK 331,$rla majeur | 245 10 $aSonate en la majeur
sonata-next | eng | K332 | K332 | LDR/06 c | 100 1# $aOrsolini, Pia,$d1740-1799. | 240 10 $aSonatas,$mpiano,$nK. 332,$rF major | 245 10 $aSonata in F
sonata-no-uniform | eng | K332 | K332 | LDR/06 c | 100 1# $aOrsolini, Pia,$d1740-1799. | 245 10 $aSonata in F major for piano, K. 332
trio-loc | eng | Hob27 | Hob27 | LDR/06 c | 100 1# $aOrsolini, Pia,$d1740-1799. | 240 10 $aTrios,$mpiano, strings,$nH. XV, 27,$rC major | 245 10 $aPiano trio in C
trio-hob | ger | Hob27 | Hob27 | LDR/06 c | 100 1# $aOrsolini, Pia,$d1740-1799. | 240 10 $aTrios,$mpiano, strings,$nHob. XV:27,$rC major | 245 10 $aKlaviertrio C-Dur
trio-other | ger | Hob28 | Hob28 | LDR/06 c | 100 1# $aOrsolini, Pia,$d1740-1799. | 240 10 $aTrios,$mpiano, strings,$nHob. XV:28,$rE major | 245 10 $aKlaviertrio E-Dur
symphony-op | eng | Op67 | Op67 | LDR/06 c | 100 1# $aLindqvist, Arvid,$d1770-1827. | 240 10 $aSymphonies,$nno. 5, op. 67,$rC minor | 245 10 $aSymphony no. 5
symphony-op-ger | ger | Op67 | Op67 | LDR/06 c | 100 1# $aLindqvist, Arvid,$d1770-1827. | 240 10 $aSinfonien,$nop. 67 (Nr. 5),$rc-Moll | 245 10 $aFünfte Sinfonie
symphony-op-other | eng | Op68 | Op68 | LDR/06 c | 100 1# $aLindqvist, Arvid,$d1770-1827. | 240 10 $aSymphonies,$nno. 6, op. 68,$rF major | 245 10 $aSymphony no. 6
bwv-eng | eng | BWV232 | BWV232 | LDR/06 c | 100 1# $aHolzer, Sebald,$d1685-1750. | 240 10 $aMasses,$nBWV 232,$rB minor | 245 10 $aMass in B minor
bwv-ger | ger | BWV232 | BWV232 | LDR/06 c | 100 1# $aHolzer, Sebald,$d1685-1750. | 240 10 $aMessen,$nBWV 232,$rh-Moll | 245 10 $aMesse h-Moll
bwv-other | ger | BWV233 | BWV233 | LDR/06 c | 100 1# $aHolzer, Sebald,$d1685-1750. | 240 10 $aMessen,$nBWV 233,$rF-Dur | 245 10 $aMesse F-Dur
work-number-1 | eng | Quiet | Quiet | 100 1# $aIngleby, Tess | 240 10 $aQuiet coast$1http://viaf.org/viaf/184201 | 245 10 $aThe quiet coast
work-number-2 | dut | Quiet | Quiet dut | 100 1# $aIngleby, Tess | 240 10 $aStille kust$1http://viaf.org/viaf/184201 | 245 13 $aDe stille kust
work-number-other | eng | Quiet-2 | Quiet-2 | 100 1# $aIngleby, Tess | 240 10 $aQuiet coast$1http://viaf.org/viaf/990311 | 245 10 $aThe quiet coast
person-number-1 | eng | Mills | Mills | 008/33 0 | 100 1# $aSmith, John$0(DE-588)118001-0 | 245 10 $aThe water mills of the coast
person-number-same | eng | Mills | Mills | 008/33 0 | 100 1# $aSmith, J.$0(DE-588)118001-0 | 245 14 $aThe water mills of the coast
person-number-other | eng | Mills-other | Mills-other | 008/33 0 | 100 1# $aSmith, John$0(DE-588)118077-0 | 245 14 $aThe water mills of the coast
isni-uri | eng | Reeds | Reeds | 008/33 0 | 100 1# $aFox, Ann$1https://isni.org/isni/0000000121032683 | 245 10 $aA field book of reeds
isni-number | eng | Reeds | Reeds | 008/33 0 | 100 1# $aFox-Lane, Anna$0(isni)0000 0001 2103 2683 | 245 12 $aA field book of reeds
gnd-uri | eng | Reeds-b | Reeds-b | 008/33 0 | 100 1# $aRohde, M.$0https://d-nb.info/gnd/118004573 | 245 10 $aSeaweed of the north
gnd-number | eng | Reeds-b | Reeds-b | 008/33 0 | 100 1# $aRohde-Meer, Maria$0(DE-588)118004573 | 245 10 $aSeaweed of the north
play-novel | eng | Gate | Gate | 008/33 f | 100 1# $aCaldwell, Rex,$d1899-1970. | 245 14 $aThe lock gate :$ba novel | 264 #1 $c1930.
play-own | eng | Gate-play | Gate-play | 008/33 d | 100 1# $aCaldwell, Rex,$d1899-1970. | 245 14 $aThe lock gate :$ba play in three acts | 264 #1 $c1935.
play-by-other | eng | Gate-other | Gate-other | 008/33 d | 100 1# $aDunnet, Fay,$edramatist. | 245 14 $aThe lock gate :$bdramatised from the novel by Rex Caldwell | 264 #1 $c1962. | 700 1# $iDramatization of (work):$aCaldwell, Rex,$d1899-1970.$tLock gate.
play-film | eng | Gate-film | Gate-film | LDR/06 g | 245 04 $aThe lock gate | 264 #1 $c1948. | 700 1# $aHurst, Len,$edirector. | 700 1# $iMotion picture adaptation of (work):$aCaldwell, Rex,$d1899-1970.$tLock gate.
play-film-again | eng | Gate-film | Gate-film | LDR/06 g | 245 04 $aThe lock gate | 264 #1 $c2004. | 700 1# $aHurst, Len,$edirector.
play-remake | eng | Gate-film-2 | Gate-film-2 | LDR/06 g | 245 04 $aThe lock gate | 264 #1 $c1999. | 700 1# $aOkoro, Ada,$edirector.
play-screenplay | eng | Gate-script | Gate-script | 100 1# $aHurst, Len. | 245 14 $aThe lock gate :$ba screenplay | 264 #1 $c1949.
article-heb | heb | Shadow | Shadow | 100 1# $aאורן, דליה | 245 10 $aהצל הארוך
article-heb-without | heb | Shadow | Shadow | 100 1# $aאורן, דליה | 245 10 $aצל ארוך, ה
comma-ara | ara | Street | Street | 100 1# $aمنصور، ليلى | 245 10 $aشارع البحر | 264 #1 $c1970.
comma-ara-latin | ara | Street | Street | 100 1# $aمنصور, ليلى | 245 10 $aشارع البحر | 264 #1 $c1980.
comma-chi | chi | Boat | Boat | 100 1# $a陳，文 | 245 10 $a小船與海 | 264 #1 $c1970.
comma-chi-none | chi | Boat | Boat | 100 1# $a陳文 | 245 10 $a小船與海 | 264 #1 $c1978.
comma-jpn | jpn | Rain | Rain | 100 1# $a森下、誠 | 245 10 $a雨の港町 | 264 #1 $c1970.
comma-jpn-latin | jpn | Rain | Rain | 100 1# $a森下, 誠 | 245 10 $a雨の港町 | 264 #1 $c1975.
article-hun | hun | Reed | Reed | 100 1# $aSzalontai, Ágnes | 245 12 $aA nádas csendje
article-hun-without | hun | Reed | Reed | 100 1# $aSzalontai, Ágnes | 245 10 $aNádas csendje
article-rum | rum | Sea | Sea | 100 1# $aMoldoveanu, Ilinca | 245 10 $aUn vapor spre Sulina
article-rum-without | rum | Sea | Sea | 100 1# $aMoldoveanu, Ilinca | 245 10 $aVapor spre Sulina
`

/** The records in the order in which they are written here. */
export function recordsByRules(): MadeRecord[] {
  const others = single
    .trim()
    .split('\n')
    .map((row): Entry => {
      const [name = '', language = '', work = '', expression = '', ...lines] = row.split(' | ')
      return { name, language, works: [work], expression, lines }
    })
  return [
    ...ruleTongues.flatMap((tongue, place) => [...editionsOf(tongue, place), ...derivedFrom(tongue)]),
    ...others
  ].map(({ lines, ...rest }) => ({
    ...rest,
    lines: lines.join('\n')
  }))
}
