/* Which form of an answer a client wants: RFC 9110, section 12.5.1. */

interface Range {
  readonly type: string
  readonly subtype: string
  readonly quality: number
}

/**
 * The offers that `Accept` allows, the most wanted first; those wanted alike in the order in which
 * they are offered. The most specific range decides over an offer, and a quality of 0 refuses it.
 * Parameters of a media type are passed over: no two offers differ in them.
 */
export function acceptable<T extends { readonly mediaType: string }>(
  accept: string | undefined,
  offers: readonly T[]
): T[] {
  if (accept === undefined || accept.trim() === '') return [...offers]
  const ranges = accept.split(',').flatMap(readRange)
  return offers
    .map(offer => ({ offer, quality: qualityOf(offer.mediaType, ranges) }))
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ offer }) => offer)
}

/**
 * Whether a client asks for nothing but the usual form: nearly all do, and nearly all in one of
 * these ways.
 */
export const wantsJson = (accept: string | undefined) =>
  accept === undefined || accept === '*/*' || accept === 'application/json' || accept === ''

function readRange(text: string): Range[] {
  const [media = '', ...parameters] = text.split(';')
  const [, type, subtype] = /^\s*([^\s/]+)\/([^\s/]+)\s*$/.exec(media.toLowerCase()) ?? []
  // A lone star is not in the grammar; some clients send it, and mean anything.
  if (type === undefined || subtype === undefined)
    return media.trim() === '*' ? [{ type: '*', subtype: '*', quality: readQuality(parameters) }] : []
  return [{ type, subtype, quality: readQuality(parameters) }]
}

/** The quality among the parameters of a range; one that cannot be read counts as 1. */
function readQuality(parameters: readonly string[]): number {
  for (const parameter of parameters) {
    const quality = /^\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*$/i.exec(parameter)?.[1]
    if (quality !== undefined) return Math.min(1, Number(quality))
  }
  return 1
}

function qualityOf(mediaType: string, ranges: readonly Range[]): number {
  const [type, subtype] = mediaType.split('/')
  let found = { precision: -1, quality: 0 }
  for (const range of ranges) {
    if (range.type !== '*' && range.type !== type) continue
    if (range.subtype !== '*' && range.subtype !== subtype) continue
    const precision = (range.type === '*' ? 0 : 1) + (range.subtype === '*' ? 0 : 1)
    if (precision > found.precision) found = { precision, quality: range.quality }
    else if (precision === found.precision) found.quality = Math.max(found.quality, range.quality)
  }
  return found.quality
}
