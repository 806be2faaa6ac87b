import { readFileSync, writeFileSync } from 'node:fs'

import { clientTypes } from './client-types.ts'
import { marcTables } from './marc-tables.ts'
import { rdfTables } from './rdf-tables.ts'
import { readServiceFacts } from './service-facts.ts'
import { sourceTables } from './source-tables.ts'
import { tables, withTables } from './tables.ts'

/* `npm run docs`: brings the tables of the docs, the answer in the README, and the types of the client up to date. */

const at = (path: string) => new URL(`../${path}`, import.meta.url)
const readme = readFileSync(at('README.md'), 'utf8')
const firstPath = /127\.0\.0\.1:8080(\/entities\/wem\/\S+)/.exec(readme)?.[1]
if (firstPath === undefined) throw new Error('The README has no first curl')

const { operations, openApi, firstAnswer } = await readServiceFacts(firstPath)
writeFileSync(
  at('README.md'),
  readme.replace(/```json\n[\s\S]*?\n```/, () => `\`\`\`json\n${print(firstAnswer, 0)}\n\`\`\``)
)
writeFileSync(at('client/api.ts'), clientTypes(openApi))
const current = tables(operations)
const files = {
  'docs/interface.md': current,
  'docs/reference/marc-mapping.md': marcTables(),
  'docs/reference/linked-data.md': rdfTables(),
  'docs/reference/sources.md': sourceTables()
}
for (const [file, itsTables] of Object.entries(files)) {
  writeFileSync(at(file), withTables(readFileSync(at(file), 'utf8'), itsTables))
}

/** JSON with a line for each relation, so that it can be read on one screen. */
function print(value: unknown, depth: number): string {
  if (depth === 3 || typeof value !== 'object' || value === null || Array.isArray(value)) return spaced(value)
  const indent = '  '.repeat(depth + 1)
  const members = Object.entries(value).map(([name, inner]) =>
    name === 'metadata'
      ? `${indent}"metadata": ${spaced(inner)}`
      : `${indent}${JSON.stringify(name)}: ${print(inner, depth + 1)}`
  )
  return `{\n${members.join(',\n')}\n${'  '.repeat(depth)}}`
}

function spaced(value: unknown): string {
  return JSON.stringify(value, null, 1)
    .replace(/\n\s*/g, ' ')
    .replace(/([[{]) /g, '$1')
    .replace(/ ([\]}])/g, '$1')
}
