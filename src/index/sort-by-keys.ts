import { inParts } from './time-limit.ts'

/** The bits of a digit, which numbers of 32 bits have a whole number of. */
const digitBits = 16
const digits = 1 << digitBits

/**
 * Sorts documents by their keys, whole numbers below 2^48, in time in proportion to their number:
 * by one digit after the other, the lowest first. Those with the same key stay in their order.
 */
export function sortByKeys(numbers: Uint32Array, keys: Float64Array): Uint32Array {
  const { length } = numbers
  let max = 0
  inParts(0, length, (first, end) => {
    for (let at = first; at < end; at++) if ((keys[at] as number) > max) max = keys[at] as number
  })
  let [sorted, sortedKeys] = [numbers, keys]
  for (let bits = 0; 2 ** bits <= max; bits += digitBits) {
    const [from, fromKeys] = [sorted, sortedKeys]
    const [to, toKeys] = [new Uint32Array(length), new Float64Array(length)]
    const digitsOf = new Uint16Array(length)
    /** The place of the next document with each digit. */
    const next = new Uint32Array(digits + 1)
    inParts(0, length, (first, end) => {
      for (let at = first; at < end; at++) {
        const key = fromKeys[at] as number
        const digit = (bits < 32 ? key >>> bits : Math.floor(key / 2 ** bits)) & (digits - 1)
        digitsOf[at] = digit
        next[digit + 1] = (next[digit + 1] as number) + 1
      }
    })
    inParts(1, digits, (first, end) => {
      for (let digit = first; digit < end; digit++) next[digit] = (next[digit] as number) + (next[digit - 1] as number)
    })
    inParts(0, length, (first, end) => {
      for (let at = first; at < end; at++) {
        const digit = digitsOf[at] as number
        const place = next[digit] as number
        next[digit] = place + 1
        to[place] = from[at] as number
        toKeys[place] = fromKeys[at] as number
      }
    })
    sorted = to
    sortedKeys = toKeys
  }
  return sorted
}
