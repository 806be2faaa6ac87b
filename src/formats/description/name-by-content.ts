import { hash } from 'node:crypto'

/** The name of a record without a control number: the same record has the same name again. */
export const nameByContent = (source: Uint8Array) => `sha256:${hash('sha256', source, 'hex').slice(0, 32)}`
