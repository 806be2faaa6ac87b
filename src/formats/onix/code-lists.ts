import { table } from '#domain/table.ts'
import type { ContentForm } from '../description/description.ts'

/*
 * Codes of ONIX and their meanings in the catalogue. https://ns.editeur.org/onix — the numbers are
 * those of the lists.
 */

/** List 17: roles, as MARC relator codes. Other codes mean a contributor. */
// biome-ignore format: a list
export const relators: Readonly<Record<string, readonly string[]>> = table({
  A01: ['aut'], A02: ['aut'], A03: ['aus'], A04: ['lbt'], A05: ['lyr'], A06: ['cmp'], A07: ['art'], A08: ['pht'], A09: ['cre'], A10: ['cre'], A11: ['dsr'], A12: ['ill'],
  A13: ['pht'], A14: ['aut'], A15: ['wpr'], A16: ['wpr'], A19: ['aft'], A20: ['ann'], A21: ['cmm'], A22: ['aft'], A23: ['wfw'], A24: ['win'], A25: ['ann'], A26: ['aut'], A29: ['win', 'ann'],
  A30: ['prg'], A31: ['lyr'], A35: ['ill'], A36: ['cov'], A38: ['aut'], A39: ['ctg'], A40: ['ill'], A42: ['aut'], A43: ['ivr'], A44: ['ive'], A45: ['aut'], A46: ['ill'], A47: ['clr'], A48: ['ltr'],
  B01: ['edt'], B02: ['edt'], B03: ['adp'], B04: ['abr'], B05: ['adp'], B06: ['trl'], B08: ['trl', 'cmm'], B10: ['edt', 'trl'], B11: ['edt'], B12: ['edt'], B13: ['edt'], B16: ['edt'],
  B18: ['edt'], B21: ['edt'], B25: ['arr'], B27: ['ths'], C01: ['com'], C02: ['com'], D01: ['pro'], D02: ['drt'], D03: ['cnd'], D04: ['chr'], E01: ['act'], E02: ['dnc'], E03: ['nrt'],
  E04: ['cmm'], E05: ['sng'], E06: ['itr'], E07: ['nrt'], E08: ['prf'], E09: ['spk'], E10: ['hst'], F01: ['cng'], F02: ['flm']
})

export interface OnixKind {
  readonly material: string
  readonly content: string
  readonly form: ContentForm
  readonly contentType: string
}

const text = { content: 'word', form: 'text', contentType: 'text' } as const
const spoken = { content: 'word', form: 'spoken', contentType: 'spoken word' } as const
const music = { content: 'music', form: 'performed music', contentType: 'performed music' } as const
const film = { content: 'footage', form: 'moving image', contentType: 'two-dimensional moving image' } as const
const score = { content: 'music', form: 'notated music', contentType: 'notated music' } as const
const map = { content: 'map', form: 'cartographic', contentType: 'cartographic image' } as const
const game = { content: 'computer_file', form: 'computer', contentType: 'computer program' } as const

/** List 81: the contents of a product. They take precedence over the form. */
// biome-ignore format: a list
const contents: Readonly<Record<string, Omit<OnixKind, 'material'>>> = table({
  '01': spoken, '02': spoken, '03': music, '04': music, '06': film, '08': spoken, '10': text, '11': score, '12': map, '13': spoken, '14': game, '17': text, '18': text, '26': film, '27': film,
  '31': film, '32': film, '33': game, '39': text, '40': text, '42': film, '44': text
})

/** Lists 7 and 150: the form, by its first letters; the longer beginning counts. */
const forms: readonly (readonly [begins: string, material: string, holds: Omit<OnixKind, 'material'>, word: string])[] =
  [
    ['AC', 'music', spoken, 'audio disc'],
    ['AI', 'music', spoken, 'audio disc'],
    ['AJ', 'music', spoken, 'online resource'],
    ['AA', 'music', spoken, 'audiobook'],
    ['AB', 'music', spoken, 'audiocassette'],
    ['A', 'music', spoken, 'audiobook'],
    ['BB', 'word', text, 'hardback'],
    ['BC', 'word', text, 'paperback'],
    ['B', 'word', text, 'book'],
    ['C', 'map', map, 'map'],
    ['DE', 'computer_file', game, 'game'],
    ['DB', 'computer_file', text, 'computer disc'],
    ['D', 'computer_file', text, 'e-book'],
    ['E', 'computer_file', text, 'online resource'],
    ['F', 'footage', film, 'film'],
    ['L', 'computer_file', text, 'online resource'],
    ['M', 'word', text, 'microform'],
    ['PI', 'music', score, 'sheet music'],
    ['P', 'word', text, 'printed item'],
    ['S', 'mixed_material', text, 'multiple-item product'],
    ['VI', 'footage', film, 'videodisc'],
    ['VO', 'footage', film, 'videodisc'],
    ['V', 'footage', film, 'video'],
    ['00', 'word', text, '']
  ]

/** The kind of material of a form and its contents, and the word for the form. */
export function kindFor(form: string, contentTypes: readonly string[]): OnixKind & { readonly word: string } {
  const [, material, holds, word] = forms.find(([begins]) => form.startsWith(begins)) ?? ['', 'word', text, '']
  const [byContent] = contentTypes.flatMap(each => contents[each] ?? [])
  return { material, ...(byContent ?? holds), word }
}

/** List 21 and the codes of 2.1: types of edition, in words. */
export const editionWords: Readonly<Record<string, string>> = table({
  ABR: 'abridged edition',
  ADP: 'adapted edition',
  ANN: 'annotated edition',
  BLL: 'bilingual edition',
  BRL: 'braille edition',
  ENL: 'enlarged edition',
  FAC: 'facsimile',
  ILL: 'illustrated edition',
  LTE: 'large type edition',
  REV: 'revised edition',
  SIM: 'simplified language edition',
  UBR: 'unabridged edition'
})

/** List 28: audience. */
export const audienceWords: Readonly<Record<string, string>> = table({
  '01': 'General',
  '02': 'Juvenile',
  '03': 'Adolescent',
  '04': 'Primary and secondary education',
  '05': 'Tertiary education',
  '06': 'Specialised',
  '07': 'Language learners',
  '08': 'Adult'
})

/** List 27: subject schemes that are codes. Other schemes with words give subjects. */
export const schemeNames: Readonly<Record<string, string>> = table({
  '10': 'bisac',
  '12': 'bic',
  '32': 'nur',
  '29': 'clil',
  '26': 'wgs',
  '93': 'thema',
  '94': 'thema place',
  '95': 'thema language',
  '96': 'thema time',
  '97': 'thema educational purpose',
  '98': 'thema interest age',
  '99': 'thema style'
})

/** List 27: schemes of libraries, by the key of their classes. */
export const classKeys: Readonly<Record<string, string>> = table({
  '01': 'dewey',
  '02': 'dewey',
  '03': 'lcc',
  '05': 'udc'
})

/** Literary forms in Thema and BISAC. */
export const literaryTypes: readonly (readonly [scheme: string, begins: string, word: string])[] = [
  ['thema', 'DC', 'poetry'],
  ['thema', 'DD', 'drama'],
  ['thema', 'F', 'fiction'],
  ['thema', 'YF', 'fiction'],
  ['bisac', 'FIC', 'fiction'],
  ['bisac', 'JUV', 'fiction'],
  ['bisac', 'YAF', 'fiction'],
  ['bisac', 'POE', 'poetry'],
  ['bisac', 'DRA', 'drama']
]

/** List 41: the achievement of a prize. */
export const prizeWords: Readonly<Record<string, string>> = table({
  '01': 'winner',
  '02': 'runner-up',
  '03': 'commended',
  '04': 'shortlisted',
  '05': 'longlisted',
  '06': 'joint winner',
  '07': 'nominated'
})

/** List 64: the status of the publication; active ones say nothing. */
export const statusWords: Readonly<Record<string, string>> = table({
  '01': 'cancelled',
  '02': 'forthcoming',
  '03': 'postponed indefinitely',
  '05': 'no longer our product',
  '06': 'out of stock indefinitely',
  '07': 'out of print',
  '08': 'inactive',
  '10': 'remaindered',
  '11': 'withdrawn from sale',
  '13': 'active, but not sold separately',
  '15': 'recalled',
  '16': 'temporarily withdrawn from sale',
  '17': 'permanently withdrawn from sale'
})

/** List 65: availability from the supplier. */
export const availabilityWords: Readonly<Record<string, string>> = table({
  '01': 'cancelled',
  '09': 'not yet available, postponed indefinitely',
  '10': 'not yet available',
  '11': 'awaiting stock',
  '12': 'not yet available, will be print on demand',
  '20': 'available',
  '21': 'in stock',
  '22': 'to order',
  '23': 'print on demand',
  '30': 'temporarily unavailable',
  '31': 'out of stock',
  '32': 'reprinting',
  '33': 'awaiting reissue',
  '34': 'temporarily withdrawn from sale',
  '40': 'not available',
  '41': 'replaced by another product',
  '42': 'available in another format',
  '43': 'no longer supplied',
  '44': 'apply direct to the publisher',
  '45': 'not sold separately',
  '46': 'withdrawn from sale',
  '47': 'remaindered',
  '49': 'recalled',
  '51': 'out of print'
})

/** List 54 of ONIX 2.1: availability. */
export const availabilityCodes: Readonly<Record<string, string>> = table({
  AB: 'cancelled',
  CS: 'availability uncertain',
  EX: 'no longer supplied',
  IP: 'available',
  MD: 'print on demand',
  NP: 'not yet available',
  NY: 'not yet available',
  OF: 'available in another format',
  OI: 'out of stock indefinitely',
  OP: 'out of print',
  OR: 'replaced by another edition',
  PP: 'postponed indefinitely',
  RF: 'refer to another supplier',
  RM: 'remaindered',
  RP: 'reprinting',
  RU: 'reprinting',
  TO: 'to order',
  TP: 'temporarily out of stock',
  TU: 'temporarily unavailable',
  UR: 'unavailable, awaiting reissue',
  WR: 'will be remaindered',
  WS: 'withdrawn from sale'
})

/** List 58: price types without tax. */
export const pricesWithoutTax: readonly string[] = ['01', '03', '05', '11', '13', '21', '23']
