import type { RunOptions } from './support/report.ts'
import { compareWithBare } from './support/share-of-bare.ts'

/** `GET /entities/{id}` beside a bare server. Aim: 70 % of its throughput for hot ids. */
export const run = (options: RunOptions) => compareWithBare('get', id => `/entities/${id}`, options)
