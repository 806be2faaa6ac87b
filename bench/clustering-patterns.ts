import { patterns } from '../test/support/records/clustering-patterns.ts'
import { measurePattern } from '../test/support/oracles/measure-patterns.ts'

/*
 * Precision and recall for each pattern of the generated corpus, before and after: pairs of
 * mentions of one work, or expression. Patterns that depend on words come in five languages or
 * more.
 */

const share = (part: number, whole: number) => (whole === 0 ? '1.00' : (part / whole).toFixed(2))

/** Precision and recall at commit 795804b, with the same records. */
const before: Readonly<Record<string, string>> = {
  'same form of music, no number (240)': '0.33 | 1.00',
  'same form of music, other opus or number': '1.00 | 1.00',
  'form titles without uniform title': '1.00 | 0.00',
  'documents of a body: reports, bulletins, programmes': '0.33 | 1.00',
  'same title, other number in one series': '0.33 | 1.00',
  'names keep their letters': '1.00 | 1.00',
  'titles keep their letters': '0.50 | 1.00',
  'two uniform titles in one record': '0.00 | 0.00',
  'contained works are entered once': '1.00 | 1.00',
  'translators in the statement of responsibility': '1.00 | 0.90',
  'forms in words': '0.33 | 1.00',
  'levels and parts of courses': '0.00 | 1.00',
  'volumes as physical units': '1.00 | 0.00',
  'wrapped titles': '1.00 | 0.00',
  'no main entry': '1.00 | 1.00',
  'identifiers without agreement': '0.00 | 1.00'
}

console.log('| pattern | P before | R before | P | R | wrong | missed | asked |\n|---|---|---|---|---|---|---|---|')
for (const pattern of patterns) {
  const { found, right, wanted, asked } = measurePattern(pattern)
  const after = [share(right, found), share(right, wanted), found - right, wanted - right, asked]
  console.log(`| ${[pattern.name, before[pattern.name] ?? '- | -', ...after].join(' | ')} |`)
}
