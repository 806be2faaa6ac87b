/*
 * Numbers in titles: catalogues write them in words or in digits, as the title page has them or as
 * they file. Keys have digits, and the names of Greek letters.
 */

/** Numbers from 2 in several languages, folded. Words that have another meaning are left out. */
const rows: readonly (readonly [first: number, words: string])[] = [
  [
    1,
    'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'
  ],
  [
    2,
    'twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien twintig'
  ],
  [
    2,
    'zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn achtzehn neunzehn zwanzig'
  ],
  [2, 'deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize - - - vingt'],
  [2, 'dos tres cuatro cinco seis siete ocho nueve diez - doce trece catorce quince - - - - veinte'],
  [2, 'due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici - - - venti'],
  [2, 'dois tres quatro cinco seis sete oito nove dez - doze treze quatorze quinze - - - - vinte'],
  [2, 'to tre fire fem seks sju atte ni ti elleve tolv tretten fjorten femten seksten sytten atten nitten tjue'],
  [2, 'tva tre fyra fem sex sju atta nio tio elva tolv tretton fjorton femton sexton sjutton arton nitton tjugo']
]
const tens: readonly (readonly [first: number, words: string])[] = [
  [30, 'thirty forty fifty sixty seventy eighty ninety'],
  [30, 'dertig veertig vijftig zestig zeventig tachtig negentig'],
  [30, 'dreissig vierzig funfzig sechzig siebzig achtzig neunzig'],
  [30, 'trente quarante cinquante soixante'],
  [30, 'treinta cuarenta cincuenta sesenta setenta ochenta noventa'],
  [30, 'trenta quaranta cinquanta sessanta settanta ottanta novanta'],
  [30, 'trinta quarenta cinquenta sessenta setenta oitenta noventa'],
  [30, 'tretti forti femti seksti sytti atti nitti'],
  [30, 'trettio fyrtio femtio sextio sjuttio attio nittio']
]
const larger: Readonly<Record<string, number>> = {
  hundred: 100,
  honderd: 100,
  hundert: 100,
  cent: 100,
  cento: 100,
  cien: 100,
  hundre: 100,
  hundra: 100,
  thousand: 1000,
  duizend: 1000,
  tausend: 1000,
  mille: 1000,
  mil: 1000,
  tusen: 1000
}

/** Small words that are no numbers: pronouns, prepositions and articles of other languages. */
const others = new Set(['-', 'to', 'ti', 'ni', 'sex', 'dix', 'once', 'nove', 'sept', 'mil', 'cent', 'sei', 'elf'])

const values = new Map<string, number>()
const note = (word: string, value: number) => {
  if (!others.has(word) && !values.has(word)) values.set(word, value)
}
for (const [first, words] of rows) for (const [place, word] of words.split(' ').entries()) note(word, first + place)
for (const [first, words] of tens)
  for (const [place, word] of words.split(' ').entries()) note(word, first + place * 10)
for (const [word, value] of Object.entries(larger)) note(word, value)
note('vingts', 20)
// Dutch and German write units before tens in one word.
for (const [unit, ten, and] of [
  [1, 1, 'en'],
  [2, 2, 'und']
] as const) {
  const small = (rows[unit]?.[1] ?? '').split(' ').slice(0, 8)
  const large = [(rows[unit]?.[1] ?? '').split(' ').at(-1) ?? '', ...(tens[ten]?.[1] ?? '').split(' ')]
  const units = [unit === 1 ? 'een' : 'ein', ...small]
  for (const [place, word] of units.entries())
    for (const [above, name] of large.entries()) note(`${word}${and}${name}`, (above + 2) * 10 + place + 1)
}

const greek: ReadonlyMap<string, string> = new Map(
  (
    'α alpha β beta γ gamma δ delta ε epsilon ζ zeta η eta θ theta ι iota κ kappa λ lambda μ mu ν nu ξ xi π pi ρ rho ' +
    'σ sigma τ tau υ upsilon φ phi χ chi ψ psi ω omega'
  )
    .split(' ')
    .flatMap((letter, place, all) => (place % 2 === 0 ? [[letter, all[place + 1] ?? ''] as const] : []))
)

/** All words that are written otherwise in keys. */
const written = new Set([...values.keys(), ...greek.keys()])

/** The words of a key, with digits for numbers in words and names for Greek letters. */
export function withNumerals(words: readonly string[]): readonly string[] {
  if (!words.some(each => written.has(each))) return words
  const isGreek = words.filter(each => /^\p{sc=Greek}/u.test(each)).length > 1
  const parts: string[] = []
  let number: number | undefined
  const flush = () => {
    if (number !== undefined) parts.push(String(number))
    number = undefined
  }
  for (const word of words) {
    const value = values.get(word)
    if (value === undefined) {
      flush()
      parts.push(isGreek ? word : (greek.get(word) ?? word))
    } else if (number === undefined) number = value
    // Four times twenty, five hundred; then eighty-four, but not three four.
    else if (value >= 100 || (value === 20 && number === 4)) number *= value
    else if (number >= 20 && number % (value >= 10 ? 100 : 10) === 0) number += value
    else {
      flush()
      number = value
    }
  }
  flush()
  return parts
}
