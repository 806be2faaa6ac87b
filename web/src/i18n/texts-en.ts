export { labels } from '../../../src/domain/labels/en.ts'
export { en as words } from './en.ts'
