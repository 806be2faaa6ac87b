import type { Model } from '#domain/record-types/model.ts'
import type { SourceOptions } from '../source/source-item.ts'
import { readCsvMapping } from './publication-mapping.ts'
import { isRowMapping, readRowMapping } from './row-mapping.ts'

/**
 * Reads the mapping of a table: of publications, or of rows that become records of any type. Throws
 * `invalid` with the pointer of every fault.
 */
export const readTableMapping = (given: unknown, model: Model): Pick<SourceOptions, 'mapping' | 'rows'> =>
  isRowMapping(given) ? { rows: { mapping: readRowMapping(given, model), model } } : { mapping: readCsvMapping(given) }
