import { introducesOriginal } from './notes.ts'
import { mediaTypes } from './marc21-table.ts'
import type { MappingTable } from './table.ts'

/*
 * UNIMARC: the value that each field gives, and its level.
 * https://www.ifla.org/publications/unimarc-formats-and-related-documentation/
 */

/** 100 $a, positions 17 to 19: audience. */
const audiences = {
  a: 'Juvenile',
  b: 'Preschool',
  c: 'Primary',
  d: 'Pre-adolescent',
  e: 'Adolescent',
  k: 'Adult, serious',
  m: 'Adult, general'
}

/** 105 $a, position 11: literary form. */
const literaryForms = {
  a: 'fiction',
  b: 'drama',
  c: 'essays',
  d: 'humour',
  e: 'letters',
  f: 'short stories',
  g: 'poetry',
  h: 'speeches',
  z: 'mixed forms'
}

/** 181 $c: content types (rdacontent). */
const contentTypes = {
  txt: 'text',
  spw: 'spoken word',
  ntm: 'notated music',
  prm: 'performed music',
  tdi: 'two-dimensional moving image',
  sti: 'still image',
  cri: 'cartographic image',
  cop: 'computer program',
  cod: 'computer dataset',
  tct: 'tactile text'
}

/** 183 $a: carrier types (rdacarrier). */
const carriers = {
  nga: 'volume',
  ngb: 'volume',
  nc: 'volume',
  sd: 'audio disc',
  sda: 'audio disc',
  ss: 'audiocassette',
  vd: 'videodisc',
  vda: 'videodisc',
  vf: 'videocassette',
  cr: 'online resource',
  ceb: 'online resource',
  cd: 'computer disc',
  cda: 'computer disc',
  nb: 'sheet',
  nbb: 'sheet'
}

/** The punctuation of ISBD before a subfield; UNIMARC has none in its fields. */
const isbd = {
  edition: { b: ', ', f: ' / ' },
  issuing: { c: ' : ', d: ', ' },
  making: { g: ' : ', h: ', ' },
  extent: { c: ' : ', d: ' ; ', e: ' + ' },
  series: { h: '. ', i: '. ', v: ' ; ' }
} as const

// biome-ignore format: a row stands on one line, so that the table can be read as one
export const unimarcTable: MappingTable = {
  metadata: [
    { tags: ['200'], from: 'ahi', as: 'title', level: 'manifestation', gives: 'title', note: 'the first $a; further ones are contained works' },
    { tags: ['200'], from: 'e', as: 'text', level: 'manifestation', gives: 'subtitle' },
    { tags: ['200'], from: 'd', as: 'name', level: 'manifestation', gives: 'parallel_title' },
    { tags: ['510'], from: 'aehi', as: 'title', level: 'manifestation', gives: 'parallel_title' },
    { tags: ['512', '513', '514', '515', '516', '517', '518', '520', '530', '531', '532', '540', '541', '545'], from: 'aehi', as: 'title', level: 'manifestation', gives: 'other_title', note: 'cover, spine, caption, former, key, translated and other titles' },
    { tags: ['200'], from: 'fg', as: 'text', level: 'manifestation', gives: 'responsibility' },
    { tags: ['010'], from: 'a', as: 'isbn', level: 'manifestation', gives: 'isbn', note: 'never $z' },
    { tags: ['010'], from: 'ab', as: 'isbn with qualifier', level: 'manifestation', gives: 'isbn_qualifier', note: 'binding or volume' },
    { tags: ['011'], from: 'a', as: 'number', level: 'manifestation', gives: 'issn' },
    { tags: ['073'], from: 'a', as: 'number', level: 'manifestation', gives: 'ean' },
    { tags: ['214'], when: { indicator: { place: 2, is: '0' } }, from: 'd', as: 'year', level: 'manifestation', gives: 'year_of_publication' },
    { tags: ['210'], from: 'd', as: 'year', level: 'manifestation', gives: 'year_of_publication', otherwise: true },
    { tags: ['100'], from: '9-12', as: 'fixed year', level: 'manifestation', gives: 'year_of_publication', otherwise: true },
    { tags: ['214'], when: { indicator: { place: 2, is: '0' } }, from: 'd', as: 'date as written', level: 'manifestation', gives: 'publication_date' },
    { tags: ['210'], from: 'd', as: 'date as written', level: 'manifestation', gives: 'publication_date', otherwise: true },
    { tags: ['214'], when: { indicator: { place: 2, is: '4' } }, from: 'd', as: 'name', level: 'manifestation', gives: 'copyright_date' },
    { tags: ['214'], when: { indicator: { place: 2, is: '123' } }, from: 'acd', as: 'text', before: isbd.issuing, level: 'manifestation', gives: 'distribution' },
    { tags: ['210'], from: 'efgh', as: 'text', before: isbd.making, level: 'manifestation', gives: 'distribution' },
    { tags: ['205'], from: 'abf', as: 'text', before: isbd.edition, level: 'manifestation', gives: 'edition' },
    { tags: ['215'], from: 'acde', as: 'text', before: isbd.extent, level: 'manifestation', gives: 'extent' },
    { tags: ['182'], from: 'a', as: 'code', codes: mediaTypes, level: 'manifestation', gives: 'media_type' },
    { tags: ['183'], from: 'a', as: 'code', codes: carriers, level: 'manifestation', gives: 'material_type' },
    { tags: ['200'], from: 'b', as: 'name', level: 'manifestation', gives: 'material_type', otherwise: true },
    { tags: ['225'], from: 'ahiv', as: 'text', before: isbd.series, level: 'manifestation', gives: 'series_statement' },
    { tags: ['410'], from: 'tv', as: 'text', level: 'manifestation', gives: 'series_statement', note: 'unless it says the same as 225' },
    { tags: ['330'], from: 'a', as: 'words', level: 'manifestation', gives: 'summary' },
    { tags: ['327'], from: 'a', as: 'text', level: 'manifestation', gives: 'contents' },
    { tags: ['300', '301', '302', '303', '304', '305', '306', '307', '308', '311', '312', '313', '314', '315', '320', '321', '324', '325', '334', '336'], from: 'a', as: 'words', level: 'manifestation', gives: 'note' },
    { tags: ['323'], from: 'a', as: 'words', level: 'manifestation', gives: 'performers' },
    { tags: ['322'], from: 'a', as: 'words', level: 'manifestation', gives: 'credits' },
    { tags: ['328'], from: 'abcdet', as: 'text', level: 'manifestation', gives: 'thesis' },
    { tags: ['127'], from: 'a', as: 'minutes', level: 'manifestation', gives: 'duration' },
    { tags: ['856'], from: 'u2yz', as: 'link', level: 'manifestation', gives: 'link', note: 'each $u with the text of $2, $y and $z' },
    { tags: ['310', '371'], from: 'a', as: 'words', level: 'manifestation', gives: 'access' },
    { tags: ['676'], from: 'a', as: 'class number', level: 'manifestation', gives: 'dewey' },
    { tags: ['680'], from: 'ab', as: 'words', level: 'manifestation', gives: 'lcc' },
    { tags: ['675'], from: 'a', as: 'class', level: 'manifestation', gives: 'udc' },
    { tags: ['071'], from: 'ab', as: 'text', level: 'manifestation', gives: 'publisher_number' },
    { tags: ['010'], from: 'z', as: 'cancelled isbn', level: 'manifestation', gives: 'cancelled_isbn' },
    { tags: ['011'], from: 'yz', as: 'number', level: 'manifestation', gives: 'cancelled_issn' },
    { tags: ['461', '462'], from: 'tv', as: 'host', level: 'manifestation', gives: 'host' },
    { tags: ['463'], when: { leaderLevel: 'a' }, from: 'tv', as: 'host', level: 'manifestation', gives: 'host', note: 'of a component part' },
    { tags: ['430'], from: 't', as: 'name', level: 'manifestation', gives: 'preceding_title' },
    { tags: ['440'], from: 't', as: 'name', level: 'manifestation', gives: 'succeeding_title' },
    { tags: ['326'], from: 'ab', as: 'text', level: 'manifestation', gives: 'frequency' },
    { tags: ['207'], from: 'a', as: 'words', level: 'manifestation', gives: 'numbering' },
    { tags: ['452', '451'], from: 'tyx', as: 'host', level: 'manifestation', gives: 'other_version' },
    { tags: ['317'], from: 'a', as: 'words', level: 'manifestation', gives: 'provenance' },
    { tags: ['337'], from: 'a', as: 'words', level: 'manifestation', gives: 'technical_details' },
    { tags: ['686'], from: 'a2', as: 'with scheme', level: 'manifestation', gives: 'classification' },
    { tags: ['017', '020'], from: 'a2', as: 'with scheme', level: 'manifestation', gives: 'other_number' },
    { tags: ['013'], from: 'a', as: 'with scheme', scheme: 'ismn', level: 'manifestation', gives: 'other_number' },

    { tags: ['181'], from: 'c', as: 'code', codes: contentTypes, level: 'expression', gives: 'content_type' },

    { tags: ['105'], from: '11', as: 'code', codes: literaryForms, level: 'work', gives: 'literary_type' },
    { tags: ['660'], from: 'a', as: 'class', level: 'work', gives: 'geographic_area' },
    { tags: ['010'], from: 'd', as: 'name', level: 'manifestation', gives: 'terms_of_availability' },
    { tags: ['206'], from: 'ab', as: 'text', level: 'work', gives: 'scale' },
    { tags: ['206'], from: 'd', as: 'text', level: 'work', gives: 'coordinates' },
    { tags: ['123'], from: 'defg', as: 'words', level: 'work', gives: 'coordinates', otherwise: true }
  ],

  relations: [
    { tags: ['700'], from: 'abcd', as: 'personal name', level: 'by role', relation: 'refAuthors', to: 'person', role: 'main', note: 'roles in $4; without one, author (composer of music)' },
    { tags: ['710'], from: 'ab', as: 'corporate name', level: 'by role', relation: 'refAuthors', to: 'corporation', role: 'main' },
    { tags: ['720'], from: 'a', as: 'name', level: 'by role', relation: 'refAuthors', to: 'person', role: 'main', note: 'a family' },
    { tags: ['701'], when: { lacks: 't' }, from: 'abcd', as: 'personal name', level: 'by role', relation: 'refAuthors', to: 'person', role: 'main', note: 'alternative main entry: as 700' },
    { tags: ['711'], when: { lacks: 't' }, from: 'ab', as: 'corporate name', level: 'by role', relation: 'refAuthors', to: 'corporation', role: 'main' },
    { tags: ['702'], when: { lacks: 't' }, from: 'abcd', as: 'personal name', level: 'by role', relation: 'refAuthors', to: 'person', role: 'added', note: 'secondary entry; without a role: as in 200 $g, else contributor' },
    { tags: ['712'], when: { lacks: 't' }, from: 'ab', as: 'corporate name', level: 'by role', relation: 'refAuthors', to: 'corporation', role: 'added' },

    { tags: ['214'], when: { indicator: { place: 2, is: '0' } }, from: 'c', as: 'unless unknown', level: 'manifestation', relation: 'refPublishers', to: 'publisher' },
    { tags: ['210'], from: 'c', as: 'unless unknown', level: 'manifestation', relation: 'refPublishers', to: 'publisher', otherwise: true },
    { tags: ['210'], when: { lacks: 'c' }, from: 'a', as: 'publisher in imprint', level: 'manifestation', relation: 'refPublishers', to: 'publisher', otherwise: true, note: 'place and publisher in one subfield' },
    { tags: ['214'], when: { indicator: { place: 2, is: '0' } }, from: 'a', as: 'unless unknown', level: 'manifestation', relation: 'refPlaces', to: 'place' },
    { tags: ['210'], when: { has: 'c' }, from: 'a', as: 'unless unknown', level: 'manifestation', relation: 'refPlaces', to: 'place', otherwise: true },
    { tags: ['210'], when: { lacks: 'c' }, from: 'a', as: 'place in imprint', level: 'manifestation', relation: 'refPlaces', to: 'place', otherwise: true, note: 'place and publisher in one subfield' },

    { tags: ['410'], when: { has: 't' }, from: 'thivx', as: 'series heading', level: 'manifestation', relation: 'refSeries', to: 'series', note: 'with $v as the number' },
    { tags: ['225'], from: 'ahivx', as: 'series statement', level: 'manifestation', relation: 'refSeries', to: 'series' },

    { tags: ['101'], from: 'a', as: 'languages', level: 'expression', relation: 'refLanguages', to: 'language' },
    { tags: ['101'], from: 'aj', as: 'languages', level: 'manifestation', relation: 'refLanguages', to: 'language', note: 'subtitles too' },
    { tags: ['101'], from: 'c', as: 'languages', level: 'work', relation: 'refLanguages', to: 'language', note: 'the language of the original' },

    { tags: ['600'], from: 'abcd', as: 'personal name', level: 'work', relation: 'refSubjects', to: 'person', note: 'also as the author of a work ($t)' },
    { tags: ['601'], from: 'ab', as: 'corporate name', level: 'work', relation: 'refSubjects', to: 'corporation' },
    { tags: ['602'], from: 'a', as: 'personal name', level: 'work', relation: 'refSubjects', to: 'person', note: 'a family' },
    { tags: ['604'], from: 'abcd', as: 'personal name', level: 'work', relation: 'refSubjects', to: 'person', note: 'the author of a work' },
    { tags: ['600'], when: { has: 't' }, from: 'abcdft', as: 'work as subject', level: 'work', relation: 'refSubjects', to: 'title' },
    { tags: ['601', '602'], when: { has: 't' }, from: 'abt', as: 'work as subject', level: 'work', relation: 'refSubjects', to: 'title' },
    { tags: ['604'], when: { has: 't' }, from: 'abcdft', as: 'work as subject', level: 'work', relation: 'refSubjects', to: 'title' },
    { tags: ['605'], from: 'ahi', as: 'work as subject', level: 'work', relation: 'refSubjects', to: 'title' },
    { tags: ['600', '604'], when: { has: 'x' }, from: 'abcdftx', as: 'heading', level: 'work', relation: 'refSubjects', to: 'subject', note: 'a name with topical subdivisions' },
    { tags: ['601', '602'], when: { has: 'x' }, from: 'abtx', as: 'heading', level: 'work', relation: 'refSubjects', to: 'subject' },
    { tags: ['605'], when: { has: 'x' }, from: 'ahix', as: 'heading', level: 'work', relation: 'refSubjects', to: 'subject' },
    { tags: ['606'], from: 'ax', as: 'heading', level: 'work', relation: 'refSubjects', to: 'subject' },
    { tags: ['607'], when: { has: 'x' }, from: 'ax', as: 'heading', level: 'work', relation: 'refSubjects', to: 'subject', note: 'a place with topical subdivisions' },
    { tags: ['610'], from: 'a', as: 'name', level: 'work', relation: 'refSubjects', to: 'subject', note: 'uncontrolled; each $a is one' },
    { tags: ['607'], from: 'a', as: 'name', level: 'work', relation: 'refPlaces', to: 'place' },
    { tags: ['600', '601', '602', '604', '605', '606', '607'], from: 'y', as: 'name', level: 'work', relation: 'refPlaces', to: 'place', note: 'geographic subdivision' },
    { tags: ['600', '601', '602', '604', '605', '606', '607'], from: 'z', as: 'name', level: 'work', relation: 'refTimes', to: 'time', note: 'chronological subdivision' },
    { tags: ['608'], from: 'a', as: 'name', level: 'work', relation: 'refGenres', to: 'genre' },
    { tags: ['600', '601', '602', '604', '605', '606', '607'], from: 'j', as: 'name', level: 'work', relation: 'refGenres', to: 'genre', note: 'form subdivision' },
    { tags: ['686'], when: { hasValue: { code: '2', oneOf: ['siso'] } }, from: 'a', as: 'class', level: 'work', relation: 'refSisos', to: 'siso' },
    { tags: ['686'], when: { hasValue: { code: '2', oneOf: ['zizo'] } }, from: 'a', as: 'class', level: 'work', relation: 'refZizos', to: 'zizo' },
    { tags: ['333'], from: 'a', as: 'name', level: 'work', relation: 'refTargetAudiences', to: 'target_audience' },
    { tags: ['100'], from: '17', as: 'code', codes: audiences, level: 'work', relation: 'refTargetAudiences', to: 'target_audience', otherwise: true },
    { tags: ['500'], from: 'ahi', as: 'uniform', level: 'work', relation: 'refUniformTitles', to: 'title' }
  ],

  titles: [
    { tags: ['500'], from: 'ahirsu', as: 'uniform', kind: 'uniform' },
    { tags: ['454'], from: 't', as: 'title', kind: 'original', note: 'translation of' },
    { tags: ['300', '304', '305', '307', '311', '312', '324'], from: 'a', as: 'text', kind: 'original in a note', introducedBy: introducesOriginal },
    { tags: ['200'], from: 'ahi', as: 'title', kind: 'proper' },
    { tags: ['200'], from: 'a', as: 'title', kind: 'variant', note: 'without number and name of a part' },
    { tags: ['200'], from: 'd', as: 'title', kind: 'parallel' },
    { tags: ['510'], from: 'ahi', as: 'title', kind: 'parallel' },
    { tags: ['503', '512', '513', '514', '515', '516', '517', '518', '520', '532', '540', '541'], from: 'ahi', as: 'title', kind: 'variant' }
  ],

  contained: [
    { tags: ['423', '464'], when: { has: 't' }, from: 'thi', as: 'uniform', creator: 'personal name', evidence: 'analytic entry', note: 'pieces, and works issued with it' },
    { tags: ['463'], when: { has: 't', leaderLevel: 'cms' }, from: 'thi', as: 'uniform', creator: 'personal name', evidence: 'analytic entry', note: 'in a component part it is the host' },
    { tags: ['701', '702'], when: { has: 't' }, from: 't', as: 'uniform', creator: 'personal name', evidence: 'analytic entry' },
    { tags: ['200'], from: 'ac', as: 'title', evidence: 'part of the title', note: 'further $a: titles by the same author; $c: by another' },
    { tags: ['327'], from: 'a', as: 'text', evidence: 'contents note', note: 'each $a is one, or titles with “ -- ” between them' }
  ],

  links: [
    { link: 'original', tags: ['454'], from: 't', as: 'title', author: 'a', numbers: 'xy0' },
    { link: 'translation', tags: ['453'], from: 't', as: 'title', author: 'a', numbers: 'xy0' },
    { link: 'other edition', tags: ['451'], from: 't', as: 'title', author: 'a', numbers: 'xy0' },
    { link: 'other form', tags: ['452'], from: 't', as: 'title', author: 'a', numbers: 'xy0' },
    { link: 'host', tags: ['461', '462'], from: 't', as: 'title', author: 'a', numbers: 'xy0', part: 'v' },
    { link: 'host', tags: ['463'], when: { leaderLevel: 'a' }, from: 't', as: 'title', author: 'a', numbers: 'xy0', part: 'v' },
    { link: 'preceding', tags: ['430'], from: 't', as: 'title', author: 'a', numbers: 'xy0' },
    { link: 'succeeding', tags: ['440'], from: 't', as: 'title', author: 'a', numbers: 'xy0' },
    { link: 'related', tags: ['421', '422', '488'], from: 't', as: 'title', author: 'a', numbers: 'xy0', note: '421 a supplement, 422 the publication that this supplements' }
  ],

  materials: [
    { leaderTypes: 'ab', material: 'word', content: 'word', form: 'text', meaning: 'language material' },
    { leaderTypes: 'cd', material: 'music', content: 'music', form: 'notated music', meaning: 'music scores' },
    { leaderTypes: 'i', material: 'music', content: 'word', form: 'spoken', meaning: 'spoken word on a sound carrier: words, that are listened to' },
    { leaderTypes: 'j', material: 'music', content: 'music', form: 'performed music', meaning: 'musical sound recording' },
    { leaderTypes: 'ef', material: 'map', content: 'map', form: 'cartographic', meaning: 'cartographic material' },
    { leaderTypes: 'g', material: 'footage', content: 'footage', form: 'moving image', meaning: 'projected and video material' },
    { leaderTypes: 'k', material: 'footage', content: 'footage', form: 'still image', meaning: 'two-dimensional graphic' },
    { leaderTypes: 'r', material: 'footage', content: 'footage', form: 'object', meaning: 'three-dimensional object' },
    { leaderTypes: 'l', material: 'computer_file', content: 'computer_file', form: 'computer', meaning: 'electronic resource' },
    { leaderTypes: 'm', material: 'mixed_material', content: 'mixed_material', form: 'mixed', meaning: 'multimedia' }
  ],
  serialLevels: 's'
}
