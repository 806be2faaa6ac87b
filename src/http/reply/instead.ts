import type { Instead, Offer, TextSearch } from '#catalogue/lists/offer-instead.ts'
import type { Fault } from '#domain/errors.ts'
import type { Filter } from '#domain/filter/filter.ts'
import { isJsonObject } from '#domain/json.ts'

/* Other searches for one that found nothing, as the body of a request has them. */

/** A body of filters with one search by a text, and the places of its other filters. */
export interface SearchedBody {
  readonly search: TextSearch
  readonly shown: (instead: Instead) => ShownInstead
}

export interface ShownInstead {
  readonly instead?: readonly unknown[]
  readonly warnings?: readonly Fault[]
}

const isPlain = (item: unknown) =>
  isJsonObject(item) && item.match_not !== true && item.operator !== 'or' && (item.or ?? undefined) === undefined

/** The search of a body of filters; undefined if it has none, or one that is not required. */
export function readSearchedBody(body: unknown, read: (body: unknown) => Filter): SearchedBody | undefined {
  if (!Array.isArray(body)) return undefined
  const at = body.findIndex(item => isPlain(item) && item.type === 'search' && typeof item.value === 'string')
  if (at < 0 || !body.every(isPlain)) return undefined
  const others = body.flatMap((item, place) => (place === at ? [] : withoutParts(body, item, place)))
  const withText = (text: string) => body.with(at, { ...body[at], value: text })
  const queryOf = (offer: Offer) =>
    offer.kind === 'filter'
      ? { left_out: [others[offer.place]?.leftOut], query: others[offer.place]?.query }
      : { left_out: offer.leftOut, changed: offer.changed, query: withText(offer.text) }
  return {
    search: {
      text: body[at].value,
      withText: text => read(withText(text)),
      withoutEach: others.map(
        ({ query }) =>
          () =>
            read(query)
      )
    },
    shown: ({ offers, isbnFault }) => ({
      ...(offers.length === 0
        ? {}
        : { instead: offers.map(offer => ({ kind: offer.kind, ...queryOf(offer), count: offer.count })) }),
      ...(isbnFault === undefined
        ? {}
        : { warnings: [{ pointer: `/${at}/value`, message: isbnMessages[isbnFault], code: 'isbn' }] })
    })
  }
}

/** The body without a filter of it, or without each of the filters that are met together. */
function withoutParts(body: readonly unknown[], item: { type: string; value: unknown }, place: number) {
  const inner = item.type === 'together' && Array.isArray(item.value) ? item.value : []
  if (inner.length < 2 || !inner.every(isPlain)) return [{ leftOut: item, query: body.toSpliced(place, 1) }]
  return inner.map((leftOut, at) => ({
    leftOut,
    query: body.with(place, { ...item, value: inner.toSpliced(at, 1) })
  }))
}

const isbnMessages = {
  length: 'This looks like an ISBN, but an ISBN has 10 or 13 digits',
  check_digit: 'This looks like an ISBN, but its last digit does not agree with the others: a digit is wrong'
} as const
