import { builtInRecordTypes } from '../../src/domain/record-types/built-in.ts'
import { createModel, type Model } from '../../src/domain/record-types/model.ts'

/** The record types that descriptions are made of. */
export const recordModel: Model = createModel(builtInRecordTypes)
