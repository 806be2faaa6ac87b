export { labels } from '../../../src/domain/labels/nl.ts'
export { nl as words } from './nl.ts'
