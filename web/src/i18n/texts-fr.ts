export { labels } from '../../../src/domain/labels/fr.ts'
export { fr as words } from './fr.ts'
