import { labelsOf } from './labels-of.ts'

export const labels = labelsOf.fr
