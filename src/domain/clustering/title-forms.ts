import { textKey } from './title-key.ts'

/* The form of a work according to the words of its title, in the languages of our catalogues. */

/**
 * Forms that tell two works with one title apart, in the words of a subtitle; matched against a
 * folded text.
 */
const forms: readonly (readonly [form: string, words: RegExp])[] = [
  [
    'screenplay',
    /\b(?:screenplay|shooting script|film ?script|draaiboek|filmscenario|drehbuch|filmmanus|guion|sceneggiatura)\b/
  ],
  [
    'graphic novel',
    /\b(?:graphic novel|comic|stripverhaal|beeldroman|stripboek|bande dessinee|roman graphique|tegneserie|serieroman|manga|fumetto)\b/
  ],
  ['short story', /\bshort story\b|\bkort ?verhaal\b|\bkurzgeschichte\b/],
  ['libretto', /\b(?:libretto|operatekst|textbuch|livret d ?opera)\b/],
  ['radio play', /\b(?:radio play|hoorspel|horspiel|piece radiophonique|horespill)\b/],
  [
    'drama',
    /\b(?:plays?|drama|comedy|tragedy|farce|melodrama) in (?:\w+ )?(?:acts?|scenes?|parts?)\b|\bin (?:one|two|three|four|five|\d+) acts?\b|\b(?:toneelstuk|toneelspel|blijspel|treurspel)\b|\b(?:piece|comedie|drame|tragedie|farce) en (?:\w+ )?(?:actes?|tableaux?)\b|\b(?:schauspiel|lustspiel|trauerspiel|theaterstuck)\b|\b(?:skuespill?|skadespel|lystspill?)\b|\b(?:commedia|dramma|tragedia) in \w+ atti?\b|\b(?:comedia|drama|tragedia) en \w+ actos?\b/
  ],
  [
    'teacher',
    /\b(?:teachers?|instructors?) (?:book|guide|manual|edition|handbook)\b|\b(?:docenten|leraren)(?:boek|handleiding)\b|\blivre du (?:professeur|maitre)\b|\bguide pedagogique\b|\blehrer(?:handbuch|band|buch)\b|\blarer(?:veiledning|bok)\b|\blibro del profesor\b/
  ],
  [
    'student',
    /\b(?:students?|pupils?|course) ?book\b|\bleerlingenboek\b|\blivre de l ?eleve\b|\bschuler(?:buch|band)\b|\belevbok\b|\blibro del alumno\b/
  ],
  [
    'workbook',
    /\b(?:workbook|werkboek|cahier d ?exercices|arbeitsheft|arbeitsbuch|arbeidsbok|cuaderno de ejercicios)\b/
  ],
  ['answers', /\b(?:answer key|answers|corriges?|antwoordenboek|uitwerkingen|losungen|losungsheft|fasit|soluciones)\b/]
]

/** Most subtitles name none: one search answers that. */
const anyForm = new RegExp(forms.map(([, { source }]) => source).join('|'))

/** A subtitle that begins with the word for a novel; `roman` alone is also an adjective. */
const novel =
  /^(?:(?:a|an|the|een|ein|en|un|une|una|uno|et|historical|historische[rn]?|historisk) )*(?:novel|roman|romanzo|novela|romance|romaan|powiesc)(?: (?:of|about|from|in|set|van|over|uit|aus|von|der|um|fra|om|historique|historico|historica|policier|sur|des|de|du|dal|di|per|para|canadien|inedit)(?: .*)?)?$/

/** The form that the words of a subtitle name; undefined if they name none. */
export function formInWords(text: string): string | undefined {
  const key = textKey(text)
  if (key === '') return undefined
  const form = anyForm.test(key) ? forms.find(([, words]) => words.test(key))?.[0] : undefined
  return form ?? (novel.test(key) ? 'novel' : undefined)
}

/** Parts and titles of sacred works that older rules name otherwise: AACR2 beside RDA. */
const sacred: readonly (readonly [older: RegExp, newer: string])[] = [
  // RDA names a book or group of books directly under the Bible.
  [/^Bible\.? (?:O\. ?T|N\. ?T|Old Testament|New Testament)\.{0,2} (?=\p{L})/iu, 'Bible. '],
  [/^Bible\.? O\. ?T\.{0,2}(?= |$)/iu, 'Bible. Old Testament'],
  [/^Bible\.? N\. ?T\.{0,2}(?= |$)/iu, 'Bible. New Testament'],
  [/^(?:Koran|Coran|Corán|Corano|Al-Qurʼān)(?!\p{L})/iu, 'Qurʼan']
]

/** A uniform title in the words of the newer rules. */
export const newerTitle = (text: string) =>
  'bkca'.includes(text.charAt(0).toLowerCase())
    ? sacred.reduce((title, [older, newer]) => title.replace(older, newer), text)
    : text

/** Words after a title that only name the kind of text. */
const wrapping =
  /(?:(?<!\s)\s+)?[,:]\s*(?:(?:a|an|een|ein|eine|en|un|une|una) )?(?:novel|roman|romanzo|novela|romance|thriller|etc\.?|&c\.?)\s*\.?$/iu
const edition =
  /(?:(?<!\s)\s+)?\((?:(?:\d+(?:st|nd|rd|th|e|ste|de|\.)?|second|third|revised|new|rev\.?|herz\.?|nouv\.?|neue)\s+)+(?:ed(?:ition|itie|\.)?|éd(?:ition|\.)?|druk|auflage|aufl\.?|utgave|utg\.?)\)\s*$/iu

/**
 * A title without decoration: `Name’s Title`, `Title, a novel`, `Title, etc.`, `Title (2nd
 * edition)`.
 */
export function unwrapTitle(text: string, surname: string | undefined): string {
  const whole = text.includes(')') ? text.replace(edition, '') : text
  let bare = (/[,:]/.test(whole) ? whole.replace(wrapping, '') : whole).trim()
  if (!/['’]s\s/.test(bare)) return bare === '' ? text : bare
  const possessive = /^((?:\p{Lu}[\p{L}.-]*\s+){0,3}\p{Lu}[\p{L}-]+)['’]s\s+(?=\p{L})/u.exec(bare)
  if (possessive?.[1] !== undefined && surname !== undefined && textKey(possessive[1]).split(' ').at(-1) === surname)
    bare = bare.slice(possessive[0].length)
  return bare === '' ? text : bare
}

/**
 * Tests whether the number of a part counts volumes as physical units: `Bd. 1`, `vol. 2`, `1.
 * Pbd.`. Books, levels and parts are more than that.
 */
export const isVolume = (number: string) =>
  /^[[(]?(?:(?:p?bd|band|vol|volume|v|deel|dl|d|tome|t|tomo)\.?\s*(?:\d+|[ivxlc]+)|\d+\.?\s*(?:p?bd|band|vol|volume|deel|dl|tome)\.?)[\])]?\.?$/i.test(
    number.trim()
  )
