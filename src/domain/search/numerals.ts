/*
 * Small numbers as catalogues write them: `Zweite Symphonie`, `2. Symphonie`, `Symphony no. 2`. A
 * search for one form of a number finds the others.
 */

/**
 * Cardinals and ordinals of English, German, Dutch and French, and Roman numerals of several
 * letters; folded, one row for each number from 1 to 20. Left out are common words of another of
 * these languages: articles (`een`, `ein`, `un`), and Dutch `onze` and `achter`.
 */
const numerals: readonly string[] = [
  'one first eins erste erster erstes ersten eerste premier premiere premiers premieres 1er 1ere 1st',
  'two second zwei zweite zweiter zweites zweiten twee tweede deux deuxieme seconde ii 2nd',
  'three third drei dritte dritter drittes dritten drie derde trois troisieme iii 3rd',
  'four fourth vier vierte vierter viertes vierten vierde quatre quatrieme iv',
  'five fifth funf funfte funfter funftes funften vijf vijfde cinq cinquieme',
  'six sixth sechs sechste sechster sechstes sechsten zes zesde sixieme vi',
  'seven seventh sieben siebte siebter siebtes siebten siebente zeven zevende sept septieme vii',
  'eight eighth acht achte achtes achtste huit huitieme viii',
  'nine ninth neun neunte neunter neuntes neunten negen negende neuf neuvieme ix',
  'ten tenth zehn zehnte zehnter zehntes zehnten tien tiende dix dixieme',
  'eleven eleventh elf elfte elfter elftes elften elfde onzieme xi',
  'twelve twelfth zwolf zwolfte zwolfter zwolftes zwolften twaalf twaalfde douze douzieme xii',
  'thirteen thirteenth dreizehn dreizehnte dertien dertiende treize treizieme xiii',
  'fourteen fourteenth vierzehn vierzehnte veertien veertiende quatorze quatorzieme xiv',
  'fifteen fifteenth funfzehn funfzehnte vijftien vijftiende quinze quinzieme xv',
  'sixteen sixteenth sechzehn sechzehnte zestien zestiende seize seizieme xvi',
  'seventeen seventeenth siebzehn siebzehnte zeventien zeventiende xvii',
  'eighteen eighteenth achtzehn achtzehnte achttien achttiende xviii',
  'nineteen nineteenth neunzehn neunzehnte negentien negentiende xix',
  'twenty twentieth zwanzig zwanzigste twintig twintigste vingt vingtieme xx'
]

/** Endings of ordinals in digits: `4th`, `4e`, `4de`, `4eme`. */
const endings = ['', 'th', 'e', 'de', 'ste', 'eme']

const formsByWord = new Map(
  numerals.flatMap((row, at) => {
    const forms = [...endings.map(ending => `${at + 1}${ending}`), ...row.split(' ')]
    return forms.map(form => [form, forms] as const)
  })
)

/** The other forms of a small number, for a folded word; none for any other word. */
export const otherNumerals = (word: string): readonly string[] =>
  formsByWord.get(word)?.filter(form => form !== word) ?? []
