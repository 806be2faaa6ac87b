import { notMeasured, testData } from '../support/records/test-data.ts'

/**
 * The folder that TEST_DATA names. Throws when it names none: test/run.ts runs these files only
 * with one.
 */
export function realFolder(): string {
  if (testData === undefined) throw new Error(notMeasured)
  return testData
}
