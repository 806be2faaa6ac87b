import { randomUUIDv7 } from 'node:crypto'

import { type ImportJob, noCounts } from '#domain/imports/job.ts'

/** An import that has not begun. */
export const newJob = (wanted: Partial<ImportJob> = {}): ImportJob => ({
  id: randomUUIDv7(),
  name: 'test',
  state: 'waiting',
  isPreview: false,
  options: {},
  by: 'test',
  createdAt: new Date().toISOString(),
  startedAt: null,
  endedAt: null,
  size: null,
  handled: 0,
  bytes: 0,
  worked: 0,
  counts: noCounts,
  entities: {},
  remarks: 0,
  undoNotes: 0,
  failure: null,
  ...wanted
})
