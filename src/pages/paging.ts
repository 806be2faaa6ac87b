import { invalidWith } from '#domain/errors.ts'
import type { Locale } from './locale.ts'
import { type Content, html } from './markup.ts'
import { recordPhrases } from './record-phrases.ts'

/** Maximum number of records that a list may skip. */
const maxSkip = 1_000_000

/** The address of a page with lists, each of which has a parameter of its own for its pages. */
export interface ListAddress {
  /** The path of the page, without the base path of the service. */
  readonly path: string
  /** The base path of the service. */
  readonly base: string
  readonly parameters: URLSearchParams
}

/** The number of records that a list skips. Throws `invalid` for anything but a whole number. */
export function skipOf({ parameters }: ListAddress, list: string): number {
  const text = parameters.get(list) ?? '0'
  const skip = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN
  if (!(skip <= maxSkip))
    throw invalidWith([{ pointer: list, message: `Must be a whole number of at most ${maxSkip}, not "${text}"` }])
  return skip
}

/** The address with some parameters changed; undefined removes one. */
export function addressWith(
  { path, base, parameters }: ListAddress,
  changes: Readonly<Record<string, string | undefined>>
): string {
  const next = new URLSearchParams(parameters)
  for (const [name, value] of Object.entries(changes))
    if (value === undefined) next.delete(name)
    else next.set(name, value)
  return `${base}${path}${next.size > 0 ? `?${next}` : ''}`
}

/**
 * The canonical path: with the pages of lists, which have other records; without orders and
 * filters, which show the same ones.
 */
export function canonicalPath({ path, parameters }: ListAddress, lists: readonly string[]): string {
  const paged = new URLSearchParams(
    lists.flatMap(list => {
      const skip = parameters.get(list) ?? ''
      return /^0*$/.test(skip) ? [] : [[list, skip]]
    })
  )
  return `${path}${paged.size > 0 ? `?${paged}` : ''}`
}

export interface ListPage {
  /** The parameter of the list. */
  readonly list: string
  readonly skip: number
  readonly shown: number
  readonly count: number
  readonly size: number
  /** The id of the section of the list, where its pages begin. */
  readonly anchor: string
  /** The name of the list. */
  readonly label: string
}

/** Links to the pages beside this one, with the part that is shown; nothing where all are shown. */
export function pagingOf(
  address: ListAddress,
  { list, skip, shown, count, size, anchor, label }: ListPage,
  locale: Locale
): Content {
  if (skip === 0 && shown >= count) return undefined
  const { phrases, number } = locale
  const to = (at: number) => `${addressWith(address, { [list]: at > 0 ? String(at) : undefined })}#${anchor}`
  return html`<nav class="paging" aria-label="${phrases.pages}: ${label}">${
    skip > 0 && html`<a rel="prev" href="${to(Math.max(0, skip - size))}">${phrases.previous}</a>`
  }<span>${recordPhrases[locale.language].shown(number(Math.min(skip + 1, count)), number(skip + shown), number(count))}</span>${
    skip + shown < count && html`<a rel="next" href="${to(skip + shown)}">${phrases.next}</a>`
  }</nav>`
}
