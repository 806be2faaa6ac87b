import { exportFormats } from '../../../client/formats.ts'
import type { Words } from '../i18n/en.ts'

export type Format = (typeof exportFormats)[number]

const ofKinds = (...kinds: readonly Format['kind'][]) => exportFormats.filter(({ kind }) => kinds.includes(kind))

/** The export formats, grouped by audience. */
export const exportGroups = {
  people: ofKinds('table', 'citations'),
  catalogues: ofKinds('catalogue records'),
  programs: ofKinds('whole records', 'linked data')
} as const

/** The name of a format in a menu. */
export const formatLabel = ({ kind, title }: Format, { formatKinds }: Pick<Words, 'formatKinds'>) =>
  kind === 'catalogue records' ? title : `${formatKinds[kind]}, ${title}`
