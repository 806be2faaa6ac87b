import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'

import { allTables } from './all-tables.ts'
import { clientFormats } from './client-formats.ts'
import { clientTypes } from './client-types.ts'
import { type Example, exampleFile, readExamples } from '../src/http/openapi/examples.ts'
import { printShort } from './first-answer.ts'
import { comparable, printExamples, recordExamples } from './record-examples.ts'
import { readServiceFacts } from './service-facts.ts'
import { documents, tablesIn, withTables } from './tables.ts'

/*
 * `npm run docs` writes the parts of the documents that follow from the code: the tables, the
 * answer in the README, the types of the client, and the examples of the interface.
 */

const at = (path: string) => new URL(`../${path}`, import.meta.url)
const readme = readFileSync(at('README.md'), 'utf8')
const firstPath = /127\.0\.0\.1:8080(\/entities\/wem\/\S+)/.exec(readme)?.[1]
if (firstPath === undefined) throw new Error('The README has no first curl')

await using ends = new AsyncDisposableStack()
const { examples } = await recordExamples({ after: cleanUp => ends.defer(async () => cleanUp()) })
const stored = readExamples(fileURLToPath(at('.')))
// Ids differ each time, which is no reason to write the file.
const comparableOf = ([name, example]: [string, Example]) => [name, comparable(example)]
const isCurrent = isDeepStrictEqual(
  Object.entries(stored).map(comparableOf),
  Object.entries(examples).map(comparableOf)
)
if (!isCurrent) writeFileSync(at(exampleFile), printExamples(examples))

const facts = await readServiceFacts(firstPath)
writeFileSync(
  at('README.md'),
  readme.replace(/```js\n[\s\S]*?```/, () => `\`\`\`js\n${printShort(facts.firstAnswer)}\n\`\`\``)
)
writeFileSync(at('client/api.ts'), clientTypes(facts.openApi))
writeFileSync(at('client/formats.ts'), clientFormats())
const current = allTables(facts)
for (const file of documents) {
  const text = readFileSync(at(file), 'utf8')
  if (tablesIn(text).length > 0) writeFileSync(at(file), withTables(text, current))
}
