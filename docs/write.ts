import { readFileSync, writeFileSync } from 'node:fs'

import { clientFormats } from './client-formats.ts'
import { clientTypes } from './client-types.ts'
import { printShort } from './first-answer.ts'
import { marcTables } from './marc-tables.ts'
import { rdfTables } from './rdf-tables.ts'
import { readServiceFacts } from './service-facts.ts'
import { sourceTables } from './source-tables.ts'
import { tables, withTables } from './tables.ts'

/*
 * `npm run docs` writes the parts of the documents that follow from the code: the tables, the
 * answer in the README, and the types of the client.
 */

const at = (path: string) => new URL(`../${path}`, import.meta.url)
const readme = readFileSync(at('README.md'), 'utf8')
const firstPath = /127\.0\.0\.1:8080(\/entities\/wem\/\S+)/.exec(readme)?.[1]
if (firstPath === undefined) throw new Error('The README has no first curl')

const { operations, openApi, firstAnswer } = await readServiceFacts(firstPath)
writeFileSync(
  at('README.md'),
  readme.replace(/```js\n[\s\S]*?```/, () => `\`\`\`js\n${printShort(firstAnswer)}\n\`\`\``)
)
writeFileSync(at('client/api.ts'), clientTypes(openApi))
writeFileSync(at('client/formats.ts'), clientFormats())
const current = tables(operations, firstAnswer)
const files = {
  'docs/interface.md': current,
  'docs/reference/marc-mapping.md': marcTables(),
  'docs/reference/linked-data.md': rdfTables(),
  'docs/reference/sources.md': sourceTables()
}
for (const [file, itsTables] of Object.entries(files)) {
  writeFileSync(at(file), withTables(readFileSync(at(file), 'utf8'), itsTables))
}
