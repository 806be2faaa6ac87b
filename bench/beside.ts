import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import { compareImports, comparePostgres } from './beside/databases.ts'
import { compareExports, compareForms } from './beside/formats.ts'
import type { Version, Versions } from './beside/in-turns.ts'
import { comparePageCosts, comparePages } from './beside/pages.ts'
import { compareQuestions, compareSummaries } from './beside/questions.ts'
import { compareReads, compareRequests } from './beside/requests.ts'
import { compareStarts } from './beside/start.ts'
import { manifestationIds, prepareCatalogue } from './support/catalogue-file.ts'
import { ownCheckout } from './support/processes.ts'
import type { RunOptions } from './support/report.ts'

/*
 * This program beside another version of it, in turns in one run: the figures of the other
 * benchmarks, on catalogues that each version makes of the same records.
 */

const parts: Readonly<Record<string, (versions: Versions, options: RunOptions) => Promise<void>>> = {
  reads: compareReads,
  requests: compareRequests,
  questions: compareQuestions,
  summaries: compareSummaries,
  forms: compareForms,
  exports: compareExports,
  imports: compareImports,
  postgres: comparePostgres,
  start: compareStarts,
  pages: comparePages,
  'page-costs': comparePageCosts
}

export async function run(options: RunOptions) {
  const { checkout, parts: wanted = Object.keys(parts) } = options
  if (checkout === undefined) {
    console.log('not measured: --checkout names no folder with another version\n')
    return
  }
  const own = { checkout: ownCheckout, catalogue: prepareCatalogue }
  for (const name of wanted) {
    const compare = parts[name]
    if (!compare) throw new Error(`There is no part "${name}"; there are ${Object.keys(parts).join(', ')}`)
    console.log(`### ${name}, ${options.manifestations.toLocaleString('en')} manifestations\n`)
    await compare({ other: otherVersion(resolve(checkout)), own }, options)
  }
}

const otherVersion = (checkout: string): Version => ({
  checkout,
  async catalogue(manifestations) {
    const module = pathToFileURL(join(checkout, 'bench/support/catalogue-file.ts')).href
    const program = `import(${JSON.stringify(module)}).then(async ({ prepareCatalogue }) =>
      console.log(await prepareCatalogue(${manifestations})))`
    // In a folder of its own: a version removes the catalogues of others.
    const temporary = join(checkout, 'node_modules', '.bench')
    mkdirSync(temporary, { recursive: true })
    const said = execFileSync(process.execPath, ['--eval', program], {
      cwd: checkout,
      encoding: 'utf8',
      env: { ...process.env, TMPDIR: temporary }
    })
    const path = said.trim().split('\n').at(-1) as string
    const count = manifestationIds(path).length
    if (count !== manifestations) throw new Error(`${path} has ${count} manifestations; remove it and start again`)
    return path
  }
})
