/** A price of a ticket. */
export interface Price {
  /** With a point before the cents: `24.50`. */
  readonly amount: string
  /** Code of ISO 4217: `EUR`. */
  readonly currency: string
  /** The name of the tariff; empty if there is only one. */
  readonly tariff: string
}

/** Reads a price such as `24.50 EUR Standard`; undefined if the text is none. */
export function readPrice(text: string): Price | undefined {
  const [, amount, currency, tariff = ''] = /^(\d{1,7}(?:\.\d{1,3})?) ([A-Z]{3})(?: (\S.*))?$/.exec(text) ?? []
  return amount !== undefined && currency !== undefined && isCurrency(currency)
    ? { amount, currency, tariff }
    : undefined
}

let currencies: ReadonlySet<string> | undefined

/** Tests whether a text is the code of a currency. */
export function isCurrency(code: string): boolean {
  currencies ??= new Set(Intl.supportedValuesOf('currency'))
  return currencies.has(code)
}

/** A price for a reader: the tariff, then the amount as the language writes it. */
export function priceText(tag: string, text: string): string {
  const price = readPrice(text)
  if (!price) return text
  const amount = new Intl.NumberFormat(tag, { style: 'currency', currency: price.currency }).format(
    Number(price.amount)
  )
  return price.tariff === '' ? amount : `${price.tariff}: ${amount}`
}

/**
 * The prices of a ticket for a reader, from the lowest to the highest; undefined if none can be
 * read, or they are in several currencies.
 */
export function priceRange(tag: string, texts: readonly string[]): string | undefined {
  const prices = texts.flatMap(text => readPrice(text) ?? [])
  const [{ currency } = { currency: '' }] = prices
  if (prices.length === 0 || prices.some(each => each.currency !== currency)) return undefined
  const amounts = prices.map(({ amount }) => Number(amount))
  const trailingZeroDisplay = amounts.every(each => Number.isInteger(each)) ? 'stripIfInteger' : 'auto'
  const format = new Intl.NumberFormat(tag, { style: 'currency', currency, trailingZeroDisplay })
  const [lowest, highest] = [Math.min(...amounts), Math.max(...amounts)]
  return lowest === highest ? format.format(lowest) : format.formatRange(lowest, highest)
}
