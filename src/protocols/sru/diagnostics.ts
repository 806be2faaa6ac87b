/*
 * Diagnostics, by the numbers of the standard (info:srw/diagnostic/1/…) and in its words.
 * http://www.loc.gov/standards/sru/diagnostics/diagnosticsList.html
 */

export const diagnosticMessages = {
  1: 'General system error',
  4: 'Unsupported operation',
  5: 'Unsupported version',
  6: 'Unsupported parameter value',
  7: 'Mandatory parameter not supplied',
  8: 'Unsupported parameter',
  10: 'Query syntax error',
  11: 'Unsupported query type',
  12: 'Too many characters in query',
  13: 'Invalid or unsupported use of parentheses',
  14: 'Invalid or unsupported use of quotes',
  15: 'Unsupported context set',
  16: 'Unsupported index',
  19: 'Unsupported relation',
  20: 'Unsupported relation modifier',
  22: 'Unsupported combination of relation and index',
  23: 'Too many characters in term',
  27: 'Empty term unsupported',
  28: 'Masking character not supported',
  36: 'Term in invalid format for index or relation',
  38: 'Too many boolean operators in query',
  39: 'Proximity not supported',
  46: 'Unsupported boolean modifier',
  47: 'Cannot process query; reason unknown',
  61: 'First record position out of range',
  64: 'Record temporarily unavailable',
  66: 'Unknown schema for retrieval',
  67: 'Record not available in this schema',
  71: 'Unsupported record packing',
  72: 'XPath retrieval unsupported',
  80: 'Sort not supported',
  84: 'Too many sort keys to sort',
  88: 'Unsupported path for sort',
  90: 'Unsupported direction value',
  91: 'Unsupported case value',
  92: 'Unsupported missing value action',
  110: 'Stylesheets not supported',
  120: 'Response position out of range',
  121: 'Too many terms matched by scan'
} as const

export type DiagnosticNumber = keyof typeof diagnosticMessages

export interface Diagnostic {
  readonly number: DiagnosticNumber
  /** The parameter, index or word at fault. */
  readonly details: string
}

/** A request that cannot be answered. */
export class SruError extends Error {
  readonly diagnostic: Diagnostic

  constructor(number: DiagnosticNumber, details: string) {
    super(`${diagnosticMessages[number]}: ${details}`)
    this.name = 'SruError'
    this.diagnostic = { number, details }
  }
}
