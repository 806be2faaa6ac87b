import { memoize } from '#domain/memoize.ts'
import { table } from '#domain/table.ts'

/*
 * Languages: MARC uses the bibliographic codes of ISO 639-2; the catalogue uses those of ISO 639-3.
 * They differ for twenty languages, and MARC had codes of its own, which old records still have.
 * Other programs use the codes of two letters of ISO 639-1.
 */

/** The bibliographic codes of languages that have two. */
const bibliographic: Readonly<Record<string, string>> = table({
  alb: 'sqi',
  arm: 'hye',
  baq: 'eus',
  bur: 'mya',
  chi: 'zho',
  cze: 'ces',
  dut: 'nld',
  fre: 'fra',
  geo: 'kat',
  ger: 'deu',
  gre: 'ell',
  ice: 'isl',
  mac: 'mkd',
  mao: 'mri',
  may: 'msa',
  per: 'fas',
  rum: 'ron',
  slo: 'slk',
  tib: 'bod',
  wel: 'cym'
})

const codes: Readonly<Record<string, string>> = table({
  ...bibliographic,
  ...{
    scr: 'hrv',
    scc: 'srp',
    mol: 'ron',
    cam: 'khm',
    esp: 'epo',
    eth: 'gez',
    far: 'fao',
    fri: 'fry',
    gae: 'gla',
    gag: 'glg'
  },
  ...{
    gal: 'orm',
    gua: 'grn',
    int: 'ina',
    iri: 'gle',
    lan: 'oci',
    lap: 'smi',
    max: 'glv',
    mla: 'mlg',
    sao: 'smo',
    sho: 'sna'
  },
  ...{
    snh: 'sin',
    sso: 'sot',
    swz: 'ssw',
    tag: 'tgl',
    taj: 'tgk',
    tar: 'tat',
    tru: 'chk',
    tsw: 'tsn',
    ajm: 'aju',
    esk: 'iku'
  }
})

/** ISO 639-1 to 639-3. */
// biome-ignore format: a list
const shortCodes: Readonly<Record<string, string>> = table({
  aa: 'aar', ab: 'abk', ae: 'ave', af: 'afr', ak: 'aka', am: 'amh', an: 'arg', ar: 'ara', as: 'asm', av: 'ava', ay: 'aym', az: 'aze', ba: 'bak',
  be: 'bel', bg: 'bul', bi: 'bis', bm: 'bam', bn: 'ben', bo: 'bod', br: 'bre', bs: 'bos', ca: 'cat', ce: 'che', ch: 'cha', co: 'cos', cr: 'cre',
  cs: 'ces', cu: 'chu', cv: 'chv', cy: 'cym', da: 'dan', de: 'deu', dv: 'div', dz: 'dzo', ee: 'ewe', el: 'ell', en: 'eng', eo: 'epo', es: 'spa',
  et: 'est', eu: 'eus', fa: 'fas', ff: 'ful', fi: 'fin', fj: 'fij', fo: 'fao', fr: 'fra', fy: 'fry', ga: 'gle', gd: 'gla', gl: 'glg', gn: 'grn',
  gu: 'guj', gv: 'glv', ha: 'hau', he: 'heb', hi: 'hin', ho: 'hmo', hr: 'hrv', ht: 'hat', hu: 'hun', hy: 'hye', hz: 'her', ia: 'ina', id: 'ind',
  ie: 'ile', ig: 'ibo', ii: 'iii', ik: 'ipk', io: 'ido', is: 'isl', it: 'ita', iu: 'iku', ja: 'jpn', jv: 'jav', ka: 'kat', kg: 'kon', ki: 'kik',
  kj: 'kua', kk: 'kaz', kl: 'kal', km: 'khm', kn: 'kan', ko: 'kor', kr: 'kau', ks: 'kas', ku: 'kur', kv: 'kom', kw: 'cor', ky: 'kir', la: 'lat',
  lb: 'ltz', lg: 'lug', li: 'lim', ln: 'lin', lo: 'lao', lt: 'lit', lu: 'lub', lv: 'lav', mg: 'mlg', mh: 'mah', mi: 'mri', mk: 'mkd', ml: 'mal',
  mn: 'mon', mr: 'mar', ms: 'msa', mt: 'mlt', my: 'mya', na: 'nau', nb: 'nob', nd: 'nde', ne: 'nep', ng: 'ndo', nl: 'nld', nn: 'nno', no: 'nor',
  nr: 'nbl', nv: 'nav', ny: 'nya', oc: 'oci', oj: 'oji', om: 'orm', or: 'ori', os: 'oss', pa: 'pan', pi: 'pli', pl: 'pol', ps: 'pus', pt: 'por',
  qu: 'que', rm: 'roh', rn: 'run', ro: 'ron', ru: 'rus', rw: 'kin', sa: 'san', sc: 'srd', sd: 'snd', se: 'sme', sg: 'sag', si: 'sin', sk: 'slk',
  sl: 'slv', sm: 'smo', sn: 'sna', so: 'som', sq: 'sqi', sr: 'srp', ss: 'ssw', st: 'sot', su: 'sun', sv: 'swe', sw: 'swa', ta: 'tam', te: 'tel',
  tg: 'tgk', th: 'tha', ti: 'tir', tk: 'tuk', tl: 'tgl', tn: 'tsn', to: 'ton', tr: 'tur', ts: 'tso', tt: 'tat', tw: 'twi', ty: 'tah', ug: 'uig',
  uk: 'ukr', ur: 'urd', uz: 'uzb', ve: 'ven', vi: 'vie', vo: 'vol', wa: 'wln', wo: 'wol', xh: 'xho', yi: 'yid', yo: 'yor', za: 'zha', zh: 'zho',
  zu: 'zul'
})

/** The codes of ISO 639-1. */
export const shortLanguageCodes: readonly string[] = Object.keys(shortCodes)

/** Codes that name no language: none, several, unknown, or fill characters. */
const noLanguage = new Set(['zxx', 'und', 'mul', 'mis', '|||', '###', 'xxx'])

/**
 * Names of languages in each language, created on first use: one takes longer than all other tables
 * together.
 */
const names = new Map<string, Intl.DisplayNames>()

interface Language {
  readonly code: string
  readonly name: string | undefined
}

/** Languages found so far; there are a few hundred codes, and names are slow to find. */
const known = new Map<string, Language>()

/** Languages by their code as it is given, in English: the same few are asked for repeatedly. */
const inEnglish = memoize(500, given => languageIn('en', given))

/**
 * An ISO 639-3 code and the name in English or another language, for a code of any part of ISO 639
 * or of MARC. Undefined when the code names no language; without a name when the language is
 * unknown.
 */
export const findLanguage = (given: string, tongue = 'en'): Language | undefined =>
  tongue === 'en' ? inEnglish(given) : languageIn(tongue, given)

function languageIn(tongue: string, given: string): Language | undefined {
  const bare = given.trim().toLowerCase()
  const long = shortCodes[bare] ?? bare
  if (!/^[a-z]{3}$/.test(long) || noLanguage.has(long)) return undefined
  const code = codes[long] ?? long
  const inTongue = names.get(tongue) ?? new Intl.DisplayNames(tongue, { type: 'language', fallback: 'none' })
  names.set(tongue, inTongue)
  const key = `${tongue} ${code}`
  const found = known.get(key) ?? { code, name: inTongue.of(code) }
  known.set(key, found)
  return found
}

const toBibliographic = new Map(Object.entries(bibliographic).map(([marc, code]) => [code, marc]))

/** The MARC code of a language of the catalogue. */
export const marcLanguage = (code: string) => toBibliographic.get(code) ?? code

/** The codes in a subfield; old records write several without a separator. */
export function splitLanguages(text: string): string[] {
  const bare = text.trim().toLowerCase()
  if (/^(?:[a-z]{3})+$/.test(bare)) return bare.match(/[a-z]{3}/g) ?? []
  return bare.split(/[^a-z]+/).filter(each => each.length === 3)
}

/** Articles that sorting and comparing leave out, by language. */
const articles: Readonly<Record<string, readonly string[]>> = table({
  eng: ['the', 'a', 'an'],
  nld: ['de', 'het', 'een', "'t", "'n"],
  fra: ['le', 'la', 'les', 'un', 'une', 'des', "l'"],
  deu: ['der', 'die', 'das', 'ein', 'eine', 'einen', 'einer', 'dem', 'den'],
  spa: ['el', 'la', 'los', 'las', 'un', 'una', 'unos', 'unas'],
  ita: ['il', 'lo', 'la', 'i', 'gli', 'le', 'un', 'uno', 'una', "l'", "un'"],
  por: ['o', 'a', 'os', 'as', 'um', 'uma'],
  cat: ['el', 'la', 'els', 'les', 'un', 'una', "l'"],
  dan: ['den', 'det', 'de', 'en', 'et'],
  nor: ['den', 'det', 'de', 'en', 'et', 'ei'],
  nob: ['den', 'det', 'de', 'en', 'et', 'ei'],
  swe: ['den', 'det', 'de', 'en', 'ett'],
  hun: ['a', 'az', 'egy'],
  afr: ['die', "'n"],
  ell: ['ο', 'η', 'το', 'οι', 'τα', 'ένας', 'μια', 'ένα', 'ho', 'hē', 'to', 'hoi', 'ta'],
  heb: ['ha-', 'he-'],
  ara: ['al-'],
  ron: ['un', 'o', 'niște'],
  lat: []
})

/**
 * The beginnings of titles by language, and those with an article of more than one letter, for a
 * title in an unknown language.
 */
const toStart = (article: string) => (/['-]$/.test(article) ? article : `${article} `)
const starts = table(Object.fromEntries(Object.entries(articles).map(([code, each]) => [code, each.map(toStart)])))
const allStarts = [...new Set(Object.values(articles).flat())].filter(each => each.length > 1).map(toStart)
const elision = ["l'"]
const maxArticle = Math.max(...Object.values(starts).flatMap(each => each.map(({ length }) => length)))

/**
 * A title without its leading article, by the articles of its languages. `undefined`: the language
 * is unknown.
 */
export function withoutArticle(title: string, languages: readonly string[] | undefined): string {
  const lower = title.slice(0, maxArticle).toLowerCase().replaceAll('’', "'")
  const start = languages === undefined ? findStart(allStarts, lower, title) : startIn(languages, lower, title)
  return start === undefined ? title : title.slice(start.length).trimStart()
}

function startIn(languages: readonly string[], lower: string, title: string): string | undefined {
  for (const each of languages) {
    const start = findStart(starts[each] ?? [], lower, title)
    if (start !== undefined) return start
  }
  return findStart(elision, lower, title)
}

const findStart = (starts: readonly string[], lower: string, title: string) =>
  starts.find(each => lower.startsWith(each) && title.length > each.length + 1)

/** Languages that uniform titles name in English, by their names in lower case. */
const codesByName = new Map(
  'eng nld fra deu spa ita por rus swe dan nor fin pol ces slk hun ell lat grc heb ara zho jpn kor tur ron cat hrv srp ukr isl cym gle afr hin fas'
    .split(' ')
    .flatMap(code => {
      const name = findLanguage(code)?.name
      return name === undefined ? [] : [[name.toLowerCase(), code]]
    })
)

/** The code of a language by its name in English. */
export const languageCodeOf = (name: string) => codesByName.get(name.toLowerCase())

/** A uniform title without the language that some catalogues write into it: `Title. English`. */
export function withoutLanguage(title: string): string {
  const cut = title.lastIndexOf('. ')
  return cut > 0 && languageCodeOf(title.slice(cut + 2)) !== undefined ? title.slice(0, cut) : title
}
