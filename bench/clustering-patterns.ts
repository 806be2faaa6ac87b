import { patterns } from '../test/support/clustering-patterns.ts'
import { measurePattern } from '../test/support/measure-patterns.ts'

/*
 * Precision and recall for each pattern of the generated corpus: pairs of mentions of one work, or
 * expression.
 */

const share = (part: number, whole: number) => (whole === 0 ? '1.00' : (part / whole).toFixed(2))

console.log('| pattern | P | R | wrong | missed | asked |\n|---|---|---|---|---|---|')
for (const pattern of patterns) {
  const { found, right, wanted, asked } = measurePattern(pattern)
  const row = [pattern.name, share(right, found), share(right, wanted), found - right, wanted - right, asked]
  console.log(`| ${row.join(' | ')} |`)
}
