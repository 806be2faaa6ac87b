import { hash } from 'node:crypto'

/** What a record goes by that says nothing of it: the same record is the same again. */
export const nameByContent = (source: Uint8Array) => `sha256:${hash('sha256', source, 'hex').slice(0, 32)}`
