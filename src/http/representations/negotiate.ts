/* Content negotiation, RFC 9110, section 12.5.1. */

interface Range {
  readonly type: string
  readonly subtype: string
  readonly quality: number
}

/**
 * Returns the offers that `Accept` allows, by quality, then by their own order. The most specific
 * range decides, and quality 0 refuses. Parameters of media types are ignored: no two offers differ
 * in them.
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

function readRange(text: string): Range[] {
  const [media = '', ...parameters] = text.split(';')
  const [, type, subtype] = /^\s*([^\s/]+)\/([^\s/]+)\s*$/.exec(media.toLowerCase()) ?? []
  // A lone `*` is not in the grammar; some clients send it for `*/*`.
  if (type === undefined || subtype === undefined)
    return media.trim() === '*' ? [{ type: '*', subtype: '*', quality: readQuality(parameters) }] : []
  return [{ type, subtype, quality: readQuality(parameters) }]
}

/** The quality of a range; an unreadable one counts as 1. */
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
