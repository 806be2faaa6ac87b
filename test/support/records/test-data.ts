import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

/*
 * Real records are not part of the repository. `TEST_DATA=<folder>` names a folder that holds some,
 * for the long tests and for the benchmarks; CONTRIBUTING.md lists the files that are looked for.
 */

/** The folder of real records; undefined when TEST_DATA is not set. */
export const testData: string | undefined = findTestData(process.env.TEST_DATA)

/** The words in place of a result that needs real records. */
export const notMeasured =
  testData === undefined ? 'not measured: TEST_DATA names no folder' : `not measured: ${testData} has no such file`

function findTestData(named: string | undefined): string | undefined {
  if (named === undefined || named === '') return undefined
  const folder = resolve(named)
  if (!existsSync(folder)) throw new Error(`TEST_DATA names ${folder}, which does not exist`)
  return folder
}

/** The path of a file or folder among the real records; undefined when there is none. */
export function findTestFile(...names: readonly string[]): string | undefined {
  if (testData === undefined) return undefined
  const path = resolve(testData, ...names)
  return existsSync(path) ? path : undefined
}
