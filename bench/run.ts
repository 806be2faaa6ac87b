import { cpus } from 'node:os'
import { parseArgs } from 'node:util'

import { benchSize } from './support/generate-catalogue.ts'
import type { RunOptions } from './support/report.ts'

/*
 * `npm run bench` runs every benchmark, `npm run bench -- wem get` those named. README.md tells
 * what each measures.
 */

const benchmarks = {
  wem: () => import('./wem.ts'),
  get: () => import('./get.ts'),
  filter: () => import('./filter.ts'),
  search: () => import('./search.ts'),
  index: () => import('./index.ts'),
  finding: () => import('./finding.ts'),
  start: () => import('./start.ts'),
  postgres: () => import('./postgres.ts'),
  'postgres-drivers': () => import('./postgres-drivers.ts'),
  marc: () => import('./marc.ts'),
  coverage: () => import('./coverage.ts'),
  duplicates: () => import('./duplicates.ts'),
  import: () => import('./import.ts'),
  beside: () => import('./beside.ts'),
  importing: () => import('./importing.ts'),
  forms: () => import('./forms.ts'),
  harvest: () => import('./harvest.ts'),
  export: () => import('./export.ts'),
  page: () => import('./page.ts'),
  'public-pages': () => import('./public-pages.ts')
} satisfies Record<string, () => Promise<{ run(options: RunOptions): Promise<void> }>>

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    database: { type: 'string' },
    checkout: { type: 'string' },
    parts: { type: 'string' },
    manifestations: { type: 'string', default: String(benchSize.manifestations) }
  }
})
const options: RunOptions = {
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  manifestations: Number(values.manifestations),
  database: values.database,
  checkout: values.checkout,
  parts: values.parts?.split(',')
}
const names = positionals.length > 0 ? positionals : Object.keys(benchmarks)
for (const name of names) if (!Object.hasOwn(benchmarks, name)) throw new Error(`There is no benchmark "${name}"`)

const [cpu] = cpus()
console.log(
  `Node ${process.version}, ${cpus().length} cores (${cpu?.model ?? 'unknown'}), ${new Date().toISOString()}\n`
)
for (const name of names) {
  console.log(`## ${name}\n`)
  const { run } = await benchmarks[name as keyof typeof benchmarks]()
  await run(options)
}
