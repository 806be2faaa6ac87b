import { introducesOriginal, introducesOtherLevel } from './notes.ts'
import type { MappingTable } from './table.ts'

/*
 * MARC 21: the value that each field gives, and its level. https://www.loc.gov/marc/bibliographic/
 */

/** 008/22 of books, scores, films, software: audience. */
export const audiences = {
  a: 'Preschool',
  b: 'Primary',
  c: 'Pre-adolescent',
  d: 'Adolescent',
  e: 'Adult',
  f: 'Specialised',
  g: 'General',
  j: 'Juvenile'
}

/** 008/33 of books: literary form. */
export const literaryForms = {
  '1': 'fiction',
  d: 'drama',
  e: 'essays',
  f: 'novels',
  h: 'humour',
  i: 'letters',
  j: 'short stories',
  m: 'mixed forms',
  p: 'poetry',
  s: 'speeches'
}

/** 336 $b: content types (rdacontent). */
export const contentTypes = {
  txt: 'text',
  spw: 'spoken word',
  ntm: 'notated music',
  prm: 'performed music',
  tdi: 'two-dimensional moving image',
  tdm: 'three-dimensional moving image',
  sti: 'still image',
  cri: 'cartographic image',
  crt: 'cartographic tensor',
  crd: 'cartographic dataset',
  cop: 'computer program',
  cod: 'computer dataset',
  tct: 'tactile text',
  tci: 'tactile image',
  snd: 'sounds',
  tdf: 'three-dimensional form',
  ntv: 'notated movement',
  xxx: 'other',
  zzz: 'unspecified'
}

/** 337 $b: media types (rdamedia). */
export const mediaTypes = {
  n: 'unmediated',
  c: 'computer',
  s: 'audio',
  v: 'video',
  g: 'projected',
  h: 'microform',
  p: 'microscopic',
  e: 'stereographic',
  x: 'other',
  z: 'unspecified'
}

/** 338 $b: carrier types (rdacarrier) of library holdings. */
export const carriers = {
  nc: 'volume',
  nb: 'sheet',
  no: 'card',
  na: 'roll',
  nn: 'flipchart',
  nr: 'object',
  nz: 'other',
  cr: 'online resource',
  cd: 'computer disc',
  ce: 'computer disc cartridge',
  cf: 'computer tape cassette',
  ck: 'computer card',
  cz: 'other computer carrier',
  sd: 'audio disc',
  ss: 'audiocassette',
  sg: 'audio cartridge',
  st: 'audiotape reel',
  sz: 'other audio carrier',
  vd: 'videodisc',
  vf: 'videocassette',
  vr: 'videotape reel',
  vz: 'other video carrier',
  mf: 'film cassette',
  mr: 'film reel',
  he: 'microfiche',
  hd: 'microfilm reel',
  gs: 'slide',
  gt: 'overhead transparency'
}

/** 007/00-01: the same, for records from before 338. */
const carriersOf007 = {
  co: 'computer disc',
  cr: 'online resource',
  sd: 'audio disc',
  ss: 'audiocassette',
  vd: 'videodisc',
  vf: 'videocassette',
  he: 'microfiche',
  hd: 'microfilm reel',
  mr: 'film reel',
  gs: 'slide',
  ta: 'volume',
  tb: 'volume',
  aj: 'sheet',
  qu: 'volume'
}

const books = 'at'
const withAudience = 'atcdijgkorm'

// biome-ignore format: a row stands on one line, so that the table can be read as one
export const marc21Table: MappingTable = {
  metadata: [
    { tags: ['245'], from: 'anp', as: 'title', level: 'manifestation', gives: 'title' },
    { tags: ['245'], from: 'b', as: 'subtitle', level: 'manifestation', gives: 'subtitle' },
    { tags: ['245'], from: 'b', as: 'parallel title', level: 'manifestation', gives: 'parallel_title' },
    { tags: ['246'], when: { indicator: { place: 2, is: '1' }, unlessIntroduced: introducesOtherLevel }, from: 'abnp', as: 'title', level: 'manifestation', gives: 'parallel_title' },
    { tags: ['246'], when: { unlessIndicator: { place: 2, is: '1' }, unlessIntroduced: introducesOtherLevel }, from: 'abnp', as: 'title', level: 'manifestation', gives: 'other_title', note: 'cover, spine, caption and other titles; not those of the work or the text' },
    { tags: ['210', '222', '242', '247'], when: { unlessIntroduced: introducesOtherLevel }, from: 'abnp', as: 'title', level: 'manifestation', gives: 'other_title', note: 'abbreviated and key title, title translated by a cataloguer, former title' },
    { tags: ['740'], when: { isPart: false }, from: 'anp', as: 'title', level: 'manifestation', gives: 'other_title' },
    { tags: ['245'], from: 'c', as: 'name', level: 'manifestation', gives: 'responsibility' },
    { tags: ['020'], from: 'a', as: 'isbn', level: 'manifestation', gives: 'isbn', note: 'never $z: a cancelled number is another book’s' },
    { tags: ['020'], from: 'azq', as: 'isbn with qualifier', level: 'manifestation', gives: 'isbn_qualifier', note: 'binding, volume or publisher' },
    { tags: ['022'], from: 'a', as: 'number', level: 'manifestation', gives: 'issn', written: '  $a' },
    { tags: ['024'], when: { indicator: { place: 1, is: '3' } }, from: 'a', as: 'number', level: 'manifestation', gives: 'ean' },
    { tags: ['264'], when: { indicator: { place: 2, is: '1' } }, from: 'c', as: 'year', level: 'manifestation', gives: 'year_of_publication' },
    { tags: ['260'], from: 'c', as: 'year', level: 'manifestation', gives: 'year_of_publication', otherwise: true },
    { tags: ['008'], from: '7-10', as: 'fixed year', level: 'manifestation', gives: 'year_of_publication', otherwise: true },
    { tags: ['264'], when: { indicator: { place: 2, is: '4' } }, from: 'c', as: 'year', level: 'manifestation', gives: 'year_of_publication', otherwise: true, note: 'copyright date, if there is no other' },
    { tags: ['264'], when: { indicator: { place: 2, is: '1' } }, from: 'c', as: 'date as written', level: 'manifestation', gives: 'publication_date' },
    { tags: ['260'], from: 'c', as: 'date as written', level: 'manifestation', gives: 'publication_date', otherwise: true },
    { tags: ['264'], when: { indicator: { place: 2, is: '4' } }, from: 'c', as: 'name', level: 'manifestation', gives: 'copyright_date', written: ' 4$c' },
    { tags: ['264'], when: { indicator: { place: 2, is: '023' } }, from: 'abc', as: 'text', level: 'manifestation', gives: 'distribution', written: ' 2$b' },
    { tags: ['260'], from: 'efg', as: 'text', level: 'manifestation', gives: 'distribution' },
    { tags: ['250'], from: 'ab', as: 'text', level: 'manifestation', gives: 'edition', written: '  $a' },
    { tags: ['300'], from: 'abce', as: 'text', level: 'manifestation', gives: 'extent' },
    { tags: ['337'], from: 'a', as: 'name', level: 'manifestation', gives: 'media_type' },
    { tags: ['337'], from: 'b', as: 'code', codes: mediaTypes, level: 'manifestation', gives: 'media_type', otherwise: true },
    { tags: ['338'], from: 'a', as: 'name', level: 'manifestation', gives: 'material_type' },
    { tags: ['338'], from: 'b', as: 'code', codes: carriers, level: 'manifestation', gives: 'material_type', otherwise: true },
    { tags: ['007'], from: '0-1', as: 'code', codes: carriersOf007, level: 'manifestation', gives: 'material_type', otherwise: true },
    { tags: ['245'], from: 'h', as: 'name', level: 'manifestation', gives: 'material_type', otherwise: true },
    { tags: ['020'], from: 'c', as: 'name', level: 'manifestation', gives: 'terms_of_availability', written: '  $c' },
    { tags: ['490'], from: 'av', as: 'text', level: 'manifestation', gives: 'series_statement' },
    { tags: ['440'], from: 'anpv', as: 'text', level: 'manifestation', gives: 'series_statement' },
    { tags: ['830'], from: 'anpv', as: 'text', level: 'manifestation', gives: 'series_statement', note: 'unless it says the same as 490' },
    { tags: ['520'], from: 'ab', as: 'words', level: 'manifestation', gives: 'summary', written: '  $a' },
    { tags: ['505'], from: 'agrt', as: 'words', level: 'manifestation', gives: 'contents', written: '0 $a' },
    { tags: ['500', '501', '504', '507', '510', '513', '514', '515', '516', '518', '522', '524', '525', '526', '530', '532', '533', '534', '535', '536', '544', '545', '546', '547', '550', '552', '555', '556', '562', '563', '565', '567', '580', '581', '584', '585', '588'], from: 'abcdefghijklmnopqrst', as: 'words', level: 'manifestation', gives: 'note', written: '  $a' },
    { tags: ['511'], from: 'a', as: 'words', level: 'manifestation', gives: 'performers', written: '0 $a' },
    { tags: ['586'], from: 'a', as: 'words', level: 'manifestation', gives: 'award', written: '  $a' },
    { tags: ['508'], from: 'a', as: 'words', level: 'manifestation', gives: 'credits', written: '  $a' },
    { tags: ['502'], from: 'abcdg', as: 'text', level: 'manifestation', gives: 'thesis', written: '  $a' },
    { tags: ['306'], from: 'a', as: 'minutes', level: 'manifestation', gives: 'duration', written: '  $a' },
    { tags: ['856'], from: 'u3yz', as: 'link', level: 'manifestation', gives: 'link', written: '40$u', note: 'each $u with the text of $3, $y and $z' },
    { tags: ['506', '540', '542'], from: 'abcdefghijklmnopqrsu', as: 'words', level: 'manifestation', gives: 'access', written: '  $a' },
    { tags: ['082'], from: 'a', as: 'class number', level: 'manifestation', gives: 'dewey', written: '04$a' },
    { tags: ['050'], from: 'ab', as: 'words', level: 'manifestation', gives: 'lcc', written: ' 4$a' },
    { tags: ['080'], from: 'a', as: 'class', level: 'manifestation', gives: 'udc', written: '  $a' },
    { tags: ['010'], from: 'a', as: 'class', level: 'manifestation', gives: 'lccn', written: '  $a' },
    { tags: ['028'], from: 'ab', as: 'text', level: 'manifestation', gives: 'publisher_number', written: '52$a' },
    { tags: ['020'], from: 'z', as: 'cancelled isbn', level: 'manifestation', gives: 'cancelled_isbn' },
    { tags: ['022'], from: 'yz', as: 'number', level: 'manifestation', gives: 'cancelled_issn', written: '  $z' },
    { tags: ['773'], from: 'tg', as: 'host', level: 'manifestation', gives: 'host', written: '0 $t', note: 'the host, and the part of it that this is' },
    { tags: ['780'], from: 't', as: 'name', level: 'manifestation', gives: 'preceding_title', written: '00$t' },
    { tags: ['785'], from: 't', as: 'name', level: 'manifestation', gives: 'succeeding_title', written: '00$t' },
    { tags: ['310', '321'], from: 'ab', as: 'text', level: 'manifestation', gives: 'frequency', written: '  $a' },
    { tags: ['362'], from: 'a', as: 'words', level: 'manifestation', gives: 'numbering', written: '1 $a' },
    { tags: ['776', '775'], from: 'tzx', as: 'host', level: 'manifestation', gives: 'other_version', written: '0 $t', note: 'another physical form or edition, with its ISBN or ISSN' },
    { tags: ['561'], from: 'a', as: 'words', level: 'manifestation', gives: 'provenance', written: '  $a' },
    { tags: ['538', '340', '344', '345', '346', '347', '348'], from: 'abcdefghijklmnopq', as: 'words', level: 'manifestation', gives: 'technical_details', written: '  $a' },
    { tags: ['084'], when: { unlessValue: { code: '2', oneOf: ['siso', 'zizo'] } }, from: 'ab2', as: 'with scheme', level: 'manifestation', gives: 'classification', written: '  $a', note: 'any other scheme' },
    { tags: ['060'], from: 'ab', as: 'with scheme', scheme: 'nlm', level: 'manifestation', gives: 'classification' },
    { tags: ['070'], from: 'ab', as: 'with scheme', scheme: 'agricola', level: 'manifestation', gives: 'classification' },
    { tags: ['083'], from: 'a', as: 'with scheme', scheme: 'ddc', level: 'manifestation', gives: 'classification', note: 'an additional number' },
    { tags: ['086'], when: { indicator: { place: 1, is: '0' } }, from: 'a2', as: 'with scheme', scheme: 'sudocs', level: 'manifestation', gives: 'classification' },
    { tags: ['086'], when: { unlessIndicator: { place: 1, is: '0' } }, from: 'a2', as: 'with scheme', level: 'manifestation', gives: 'classification' },
    { tags: ['024'], when: { indicator: { place: 1, is: '7' } }, from: 'a2', as: 'with scheme', level: 'manifestation', gives: 'other_number', written: '7 $a' },
    { tags: ['024'], when: { indicator: { place: 1, is: '8' } }, from: 'a', as: 'with scheme', level: 'manifestation', gives: 'other_number' },
    { tags: ['024'], when: { indicator: { place: 1, is: '0' } }, from: 'a', as: 'with scheme', scheme: 'isrc', level: 'manifestation', gives: 'other_number' },
    { tags: ['024'], when: { indicator: { place: 1, is: '1' } }, from: 'a', as: 'with scheme', scheme: 'upc', level: 'manifestation', gives: 'other_number' },
    { tags: ['024'], when: { indicator: { place: 1, is: '2' } }, from: 'a', as: 'with scheme', scheme: 'ismn', level: 'manifestation', gives: 'other_number' },
    { tags: ['024'], when: { indicator: { place: 1, is: '4' } }, from: 'a', as: 'with scheme', scheme: 'sici', level: 'manifestation', gives: 'other_number' },
    { tags: ['015', '016'], from: 'a2', as: 'with scheme', scheme: 'nbn', level: 'manifestation', gives: 'other_number', note: 'numbers of national bibliographies and their agencies' },
    { tags: ['027', '088'], from: 'a', as: 'with scheme', scheme: 'report', level: 'manifestation', gives: 'other_number' },
    { tags: ['030'], from: 'a', as: 'with scheme', scheme: 'coden', level: 'manifestation', gives: 'other_number' },
    { tags: ['037'], from: 'ab', as: 'with scheme', scheme: 'stock-number', level: 'manifestation', gives: 'other_number' },

    { tags: ['336'], from: 'a', as: 'name', level: 'expression', gives: 'content_type' },
    { tags: ['336'], from: 'b', as: 'code', codes: contentTypes, level: 'expression', gives: 'content_type', otherwise: true },
    { tags: ['130', '240'], from: 'f', as: 'year', level: 'expression', gives: 'year' },

    { tags: ['046'], from: 'k', as: 'year', level: 'work', gives: 'year' },
    { tags: ['008'], when: { place: { at: 6, is: 'r' } }, from: '11-14', as: 'fixed year', level: 'work', gives: 'year', otherwise: true, note: 'a reprint: the year of the original' },
    { tags: ['380'], from: 'a', as: 'name', level: 'work', gives: 'literary_type' },
    { tags: ['008'], when: { leaderType: books }, from: '33', as: 'code', codes: literaryForms, level: 'work', gives: 'literary_type', otherwise: true },
    { tags: ['521'], when: { indicator: { place: 1, is: '0' } }, from: 'a', as: 'name', level: 'work', gives: 'reading_level', written: '0 $a' },
    { tags: ['043'], from: 'a', as: 'class', level: 'work', gives: 'geographic_area', written: '  $a' },
    { tags: ['255'], from: 'a', as: 'text', level: 'work', gives: 'scale' },
    { tags: ['255'], from: 'c', as: 'text', level: 'work', gives: 'coordinates' },
    { tags: ['034'], from: 'defg', as: 'words', level: 'work', gives: 'coordinates', otherwise: true },
    { tags: ['383'], from: 'abc', as: 'words', level: 'work', gives: 'work_number', written: '  $b' },
    { tags: ['382'], from: 'abdenprst', as: 'words', level: 'work', gives: 'medium', written: '  $a' }
  ],

  relations: [
    { tags: ['100'], from: 'abc', as: 'personal name', level: 'by role', relation: 'refAuthors', to: 'person', role: 'main', note: 'roles in $4 and $e; without one, author (composer of music)' },
    { tags: ['110'], from: 'ab', as: 'corporate name', level: 'by role', relation: 'refAuthors', to: 'corporation', role: 'main' },
    { tags: ['111'], from: 'anqdce', as: 'meeting name', level: 'by role', relation: 'refAuthors', to: 'corporation', role: 'main' },
    { tags: ['700'], when: { lacks: 't' }, from: 'abc', as: 'personal name', level: 'by role', relation: 'refAuthors', to: 'person', role: 'added', note: 'without a role: as in 245 $c (translated by …), else contributor' },
    { tags: ['710'], when: { lacks: 't' }, from: 'ab', as: 'corporate name', level: 'by role', relation: 'refAuthors', to: 'corporation', role: 'added' },
    { tags: ['711'], when: { lacks: 't' }, from: 'anqdce', as: 'meeting name', level: 'by role', relation: 'refAuthors', to: 'corporation', role: 'added' },
    { tags: ['720'], from: 'a', as: 'name', level: 'by role', relation: 'refAuthors', to: 'person', role: 'added', note: 'uncontrolled name' },

    { tags: ['264'], when: { indicator: { place: 2, is: '1' } }, from: 'b', as: 'unless unknown', level: 'manifestation', relation: 'refPublishers', to: 'publisher' },
    { tags: ['260'], from: 'b', as: 'unless unknown', level: 'manifestation', relation: 'refPublishers', to: 'publisher', otherwise: true },
    { tags: ['264'], when: { indicator: { place: 2, is: '1' } }, from: 'a', as: 'unless unknown', level: 'manifestation', relation: 'refPlaces', to: 'place' },
    { tags: ['260'], from: 'a', as: 'unless unknown', level: 'manifestation', relation: 'refPlaces', to: 'place', otherwise: true },

    { tags: ['830', '440'], from: 'anpvx', as: 'series heading', level: 'manifestation', relation: 'refSeries', to: 'series', note: 'with $v as the number' },
    { tags: ['800', '810', '811'], when: { has: 't' }, from: 'tnpvx', as: 'series heading', level: 'manifestation', relation: 'refSeries', to: 'series' },
    { tags: ['490'], from: 'avx', as: 'series statement', level: 'manifestation', relation: 'refSeries', to: 'series', note: 'each $a is one; titles like “Bulletin” give none' },

    { tags: ['041'], when: { lacks: '2' }, from: 'ad', as: 'languages', level: 'expression', relation: 'refLanguages', to: 'language', note: 'text, and sung or spoken text' },
    { tags: ['008'], from: '35-37', as: 'languages', level: 'expression', relation: 'refLanguages', to: 'language', otherwise: true },
    { tags: ['041'], when: { lacks: '2' }, from: 'adj', as: 'languages', level: 'manifestation', relation: 'refLanguages', to: 'language', note: 'subtitles too' },
    { tags: ['008'], from: '35-37', as: 'languages', level: 'manifestation', relation: 'refLanguages', to: 'language', otherwise: true },
    { tags: ['041'], when: { lacks: '2' }, from: 'h', as: 'languages', level: 'work', relation: 'refLanguages', to: 'language', note: 'the language of the original' },

    { tags: ['600'], from: 'abc', as: 'personal name', level: 'work', relation: 'refSubjects', to: 'person', note: 'also as the author of a work ($t)' },
    { tags: ['610'], from: 'ab', as: 'corporate name', level: 'work', relation: 'refSubjects', to: 'corporation' },
    { tags: ['611'], from: 'anqdce', as: 'meeting name', level: 'work', relation: 'refSubjects', to: 'corporation' },
    { tags: ['600'], when: { has: 't' }, from: 'abcdtnp', as: 'work as subject', level: 'work', relation: 'refSubjects', to: 'title' },
    { tags: ['610'], when: { has: 't' }, from: 'abtnp', as: 'work as subject', level: 'work', relation: 'refSubjects', to: 'title' },
    { tags: ['611'], when: { has: 't' }, from: 'andcetp', as: 'work as subject', level: 'work', relation: 'refSubjects', to: 'title' },
    { tags: ['630'], from: 'anp', as: 'work as subject', level: 'work', relation: 'refSubjects', to: 'title' },
    { tags: ['600'], when: { has: 'x' }, from: 'abcdtnpx', as: 'heading', level: 'work', relation: 'refSubjects', to: 'subject', note: 'a name with topical subdivisions' },
    { tags: ['610'], when: { has: 'x' }, from: 'abtnpx', as: 'heading', level: 'work', relation: 'refSubjects', to: 'subject' },
    { tags: ['611'], when: { has: 'x' }, from: 'andcetpx', as: 'heading', level: 'work', relation: 'refSubjects', to: 'subject' },
    { tags: ['630'], when: { has: 'x' }, from: 'anpx', as: 'heading', level: 'work', relation: 'refSubjects', to: 'subject' },
    { tags: ['650'], from: 'abx', as: 'heading', level: 'work', relation: 'refSubjects', to: 'subject' },
    { tags: ['651'], when: { has: 'x' }, from: 'ax', as: 'heading', level: 'work', relation: 'refSubjects', to: 'subject', note: 'a place with topical subdivisions' },
    { tags: ['653'], from: 'a', as: 'name', level: 'work', relation: 'refSubjects', to: 'subject', note: 'uncontrolled; each $a is one' },
    { tags: ['651'], from: 'a', as: 'name', level: 'work', relation: 'refPlaces', to: 'place' },
    { tags: ['600', '610', '611', '630', '650', '651'], from: 'z', as: 'name', level: 'work', relation: 'refPlaces', to: 'place', note: 'geographic subdivision' },
    { tags: ['648'], from: 'a', as: 'name', level: 'work', relation: 'refTimes', to: 'time' },
    { tags: ['600', '610', '611', '630', '650', '651'], from: 'y', as: 'name', level: 'work', relation: 'refTimes', to: 'time', note: 'chronological subdivision' },
    { tags: ['655'], from: 'a', as: 'name', level: 'work', relation: 'refGenres', to: 'genre' },
    { tags: ['600', '610', '611', '630', '648', '650', '651', '655'], from: 'v', as: 'name', level: 'work', relation: 'refGenres', to: 'genre', note: 'form subdivision' },
    { tags: ['084'], when: { hasValue: { code: '2', oneOf: ['siso'] } }, from: 'a', as: 'class', level: 'work', relation: 'refSisos', to: 'siso' },
    { tags: ['084'], when: { hasValue: { code: '2', oneOf: ['zizo'] } }, from: 'a', as: 'class', level: 'work', relation: 'refZizos', to: 'zizo' },
    { tags: ['385'], from: 'a', as: 'name', level: 'work', relation: 'refTargetAudiences', to: 'target_audience' },
    { tags: ['521'], when: { unlessIndicator: { place: 1, is: '0' } }, from: 'a', as: 'name', level: 'work', relation: 'refTargetAudiences', to: 'target_audience' },
    { tags: ['008'], when: { leaderType: withAudience }, from: '22', as: 'code', codes: audiences, level: 'work', relation: 'refTargetAudiences', to: 'target_audience', otherwise: true },
    { tags: ['130', '240'], from: 'anp', as: 'uniform', level: 'work', relation: 'refUniformTitles', to: 'title' }
  ],

  titles: [
    { tags: ['130'], from: 'anpmr', as: 'uniform', kind: 'uniform', nonFiling: 1 },
    { tags: ['240'], from: 'anpmr', as: 'uniform', kind: 'uniform', nonFiling: 2 },
    { tags: ['765'], from: 't', as: 'title', kind: 'original', note: 'original language entry' },
    { tags: ['246', '247'], when: { has: 'i' }, from: 'anp', as: 'title', kind: 'original in a note', introducedBy: introducesOriginal, note: '$i marks it as the original title' },
    { tags: ['500', '534', '580'], from: 'apt', as: 'text', kind: 'original in a note', introducedBy: introducesOriginal, note: '“Translation of: …”, “Oorspr. titel: …”' },
    { tags: ['245'], from: 'anp', as: 'title', kind: 'proper', nonFiling: 2 },
    { tags: ['245'], from: 'a', as: 'title', kind: 'variant', nonFiling: 2, note: 'without number and name of a part' },
    { tags: ['245'], from: 'b', as: 'parallel title', kind: 'parallel' },
    { tags: ['246'], when: { indicator: { place: 2, is: '1' } }, from: 'anp', as: 'title', kind: 'parallel' },
    { tags: ['246', '247', '740'], from: 'anp', as: 'title', kind: 'variant', note: '740 unless its second indicator is 2' },
    { tags: ['880'], from: 'anp', as: 'title', kind: 'variant', note: 'the same title in another script, when $6 links it to 245, 240, 130 or 246' }
  ],

  contained: [
    { tags: ['700'], when: { has: 't', isPart: true }, from: 'tnpmr', as: 'uniform', creator: 'personal name', evidence: 'analytic entry' },
    { tags: ['710'], when: { has: 't', isPart: true }, from: 'tnpmr', as: 'uniform', creator: 'corporate name', evidence: 'analytic entry' },
    { tags: ['711'], when: { has: 't', isPart: true }, from: 'tnp', as: 'uniform', creator: 'meeting name', evidence: 'analytic entry' },
    { tags: ['730', '740'], when: { isPart: true }, from: 'anpmr', as: 'uniform', evidence: 'analytic entry' },
    { tags: ['245'], from: 'a', as: 'title', evidence: 'part of the title', note: 'titles of one author, written with “ ; ” between them' },
    { tags: ['505'], from: 'atr', as: 'text', evidence: 'contents note', note: 'titles with “ -- ” between them, or in $t with $r' }
  ],

  links: [
    { link: 'original', tags: ['765'], from: 't', as: 'title', author: 'a', numbers: 'zwx', part: 'g' },
    { link: 'translation', tags: ['767'], from: 't', as: 'title', author: 'a', numbers: 'zwx', part: 'g' },
    { link: 'other edition', tags: ['775'], from: 't', as: 'title', author: 'a', numbers: 'zwx' },
    { link: 'other form', tags: ['776'], from: 't', as: 'title', author: 'a', numbers: 'zwx' },
    { link: 'host', tags: ['773'], from: 't', as: 'title', author: 'a', numbers: 'zwx', part: 'g' },
    { link: 'part', tags: ['774'], from: 't', as: 'title', author: 'a', numbers: 'zwx' },
    { link: 'preceding', tags: ['780'], from: 't', as: 'title', author: 'a', numbers: 'zwx', part: 'g' },
    { link: 'succeeding', tags: ['785'], from: 't', as: 'title', author: 'a', numbers: 'zwx', part: 'g' },
    { link: 'supplement', tags: ['770'], from: 't', as: 'title', author: 'a', numbers: 'zwx', part: 'g' },
    { link: 'supplemented', tags: ['772'], from: 't', as: 'title', author: 'a', numbers: 'zwx', part: 'g' },
    { link: 'related', tags: ['787'], from: 't', as: 'title', author: 'a', numbers: 'zwx' },
    { link: 'related', tags: ['700', '710', '711'], when: { has: 't' }, from: 'tnp', as: 'uniform', author: 'abc', note: 'unless it is a part: a work beside this one' },
    { link: 'related', tags: ['730'], from: 'anp', as: 'uniform', note: 'unless it is a part' }
  ],

  materials: [
    { leaderTypes: 'at', material: 'word', content: 'word', form: 'text', meaning: 'language material' },
    { leaderTypes: 'cd', material: 'music', content: 'music', form: 'notated music', meaning: 'notated music' },
    { leaderTypes: 'i', material: 'music', content: 'word', form: 'spoken', meaning: 'spoken word on a sound carrier: words, that are listened to' },
    { leaderTypes: 'j', material: 'music', content: 'music', form: 'performed music', meaning: 'musical sound recording' },
    { leaderTypes: 'ef', material: 'map', content: 'map', form: 'cartographic', meaning: 'cartographic material' },
    { leaderTypes: 'g', material: 'footage', content: 'footage', form: 'moving image', meaning: 'projected medium: film and video' },
    { leaderTypes: 'k', material: 'footage', content: 'footage', form: 'still image', meaning: 'two-dimensional graphic' },
    { leaderTypes: 'o', material: 'footage', content: 'footage', form: 'mixed', meaning: 'kit' },
    { leaderTypes: 'r', material: 'footage', content: 'footage', form: 'object', meaning: 'three-dimensional object' },
    { leaderTypes: 'm', material: 'computer_file', content: 'computer_file', form: 'computer', meaning: 'computer file' },
    { leaderTypes: 'p', material: 'mixed_material', content: 'mixed_material', form: 'mixed', meaning: 'mixed materials' }
  ],
  serialLevels: 'bis'
}
