import { withoutArticle } from '../../description/languages.ts'
import { clean, withoutFullStop } from './values.ts'

/*
 * The title of the original in a note, by phrases of cataloguing practice: an introduction, a
 * title, and further text of some catalogues (place and year of the original, other sentences).
 */

/** Words before the title of the original, as cataloguers of many languages write them. */
const introductions = [
  'original(?:ly)? title|title of (?:the )?original|orig\\. title|(?:this is an? )?(?:\\p{L}+ )?translation of',
  'translated from the original(?: \\p{L}+)?(?=\\s*[:=])|originally published(?: in \\p{L}+)? (?:as|under the title)',
  'oorspr(?:onkelijke|\\.)? ?(?:titel|uitg(?:ave|\\.)?)|titel van het origineel|vert(?:aling|\\.)? van',
  "titre (?:de l['’])?original|trad(?:uction|uit|\\.) de",
  'titel (?:des originals|der originalausgabe)|original(?:ausgabe|titel|titler|tittel)|originalens titt?(?:el|ler)',
  'orig(?:inal)?\\.?-?(?:tit|ausg)\\.?|einheitssacht(?:itel|\\.)|oversett?else av|oversættelse af|översättning av',
  't[ií]t(?:ulo|\\.) orig(?:inal|\\.)|trad(?:ucción|ução|ucció|\\.) d[eo]|t[ií]tol original|titlul? original',
  'tit(?:olo|\\.) orig(?:inale|\\.)|trad(?:uzione|\\.) di',
  'tyt(?:uł|\\.) oryg(?:inału|\\.)|n[áa]z(?:ev|ov) origin[áa]lu|originální (?:název|titul)',
  'naslov (?:izvornika|originala)|izvornik|izv\\. stv\\. nasl\\.|eredeti címe?',
  'alkuteos|alkuteoksen nimi|alkuperäinen nimeke|originaali pealkiri|oriģinālnosaukums|originalo pavadinimas',
  '(?:eserin |kitabın )?(?:özgün|orijinal) adı',
  '(?:заглавие|название) (?:на )?оригинала|загл\\. ориг\\.|перевод изд\\.|назва оригіналу|наслов оригинала',
  'τίτλος (?:του )?πρωτοτύπου',
  'שם (?:הספר ב)?מקור|שם המקור|כותר המקור|תרגום של',
  'العنوان الأصلي|عنوان الأصل|ترجمة كتاب|عنوان اصلی|ترجمه کتاب',
  '原書名|原书名|原題|原タイトル|原著名|原名|譯自|译自|원제|원표제|원서명'
].join('|')

/** Finds the original title in a note, as the first group. */
export const introducesOriginal = new RegExp(
  `(?:^|[.;,(]\\s*)(?:${introductions})(?!\\p{L})\\s*[:=：]?\\s*["“«„「『']?\\s*([^"”»“」』/;]+)`,
  'iu'
)

/** A further sentence of the note, or the publication of the original. */
const afterTitle =
  /\.?(?<!\s)\s+[-–—]+\s|(?<!\s)\s+:\s|\.\s+(?=(?:\p{L}+ )?(?:includes?|published|edition|ed\.|bibliograph\p{L}*|index|pref\.|notes?|reprint|copyright|c\d)(?!\p{L}))/iu

/** The year of the original after its title. */
const yearAfter = /(?:,\s*|(?<!\s)\s+|\s?[([])(?:©|c|cop\. ?)?(?:1[5-9]|20)\d\d[)\]]?\.?$/u

/** A part of a set, which has no title of its own here. */
const part = /^(?:v|vol|volume|bd|band|t|tome|pt|part|deel|teil)\b\.? ?[\divx]/i

/**
 * The titles in the text after an introduction: the title, and another one that stands in brackets
 * after it. Text that does not begin like a title (“his”, “the author's trilogy”) is none.
 */
export function titlesAfter(text: string): string[] {
  const [first = ''] = clean(text).split(afterTitle, 1)
  const bare = first.replace(yearAfter, '')
  const [, before = bare, within] = /^([^()]+?)\s?\(([^()]{3,})\)\.?$/u.exec(bare) ?? []
  return [before, within ?? ''].map(withoutFullStop).filter(isTitle)
}

/** Titles begin with a capital letter, an article before one, a digit, or a letter without case. */
const isTitle = (text: string) =>
  text.length <= 300 &&
  /[\p{L}\p{N}]/u.test(text) &&
  !part.test(text) &&
  !(/^\p{Ll}/u.test(text) && /^\p{Ll}/u.test(withoutArticle(text, undefined)))

/** Words in $i of a title that our own records give to the work or the text, by its level. */
export const levelTitles = { work: 'Title of the work:', expression: 'Title of the text:' } as const

/** Finds words in $i by which a title is one of the work, the text or the original. */
export const introducesOtherLevel: readonly RegExp[] = [introducesOriginal, /^Title of the (?:work|text):/]
