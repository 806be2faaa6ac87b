/** A line of a batch together with the memory that it takes, by which batches are limited. */
export class WeighedLine {
  readonly value: unknown
  /** Estimated bytes in memory. */
  readonly weight: number

  constructor(value: unknown, weight: number) {
    this.value = value
    this.weight = weight
  }
}

/** The value of a line and its weight; a line that was not weighed weighs nothing. */
export const weigh = (line: unknown): { readonly value: unknown; readonly weight: number } =>
  line instanceof WeighedLine ? line : { value: line, weight: 0 }
