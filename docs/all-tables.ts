import { readFileSync } from 'node:fs'

import { importEntities } from '../src/cli/import.ts'
import { addressTables } from './addresses.ts'
import { clientCallTables } from './client-calls.ts'
import { installationTables } from './installations.ts'
import { marcTables } from './marc-tables.ts'
import { rdfTables } from './rdf-tables.ts'
import type { ServiceFacts } from './service-facts.ts'
import { sourceTables } from './source-tables.ts'
import { table, tables } from './tables.ts'

/** Every generated part of the documents, by name. */
export const allTables = ({ operations, firstAnswer }: ServiceFacts): Readonly<Record<string, string>> => ({
  ...tables(operations, firstAnswer),
  ...marcTables(),
  ...rdfTables(),
  ...sourceTables(),
  ...addressTables,
  ...installationTables,
  ...clientCallTables,
  'import options': table(
    ['Option', 'Meaning'],
    Object.entries(importEntities.options).map(([name, { describe }]) => [`\`--${name}\``, describe])
  ),
  'tutorial script': `\`\`\`js\n${readFileSync(new URL('tutorial/season.mjs', import.meta.url), 'utf8')}\`\`\``
})
