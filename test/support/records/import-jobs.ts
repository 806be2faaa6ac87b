import { randomUUIDv7 } from 'node:crypto'

import { type ImportJob, newImportJob } from '#domain/imports/job.ts'

/** An import that has not begun. */
export const newJob = (wanted: Partial<ImportJob> = {}): ImportJob =>
  newImportJob({
    id: randomUUIDv7(),
    name: 'test',
    state: 'waiting',
    isPreview: false,
    options: {},
    by: 'test',
    createdAt: new Date().toISOString(),
    ...wanted
  })
