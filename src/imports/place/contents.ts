import type { SourceContent } from '#formats/source/source-item.ts'
import type { ImportKind } from './import-kind.ts'

/*
 * The bytes of media files, which are stored while the file is read (collect-contents.ts). The
 * clean-up of media files removes those that no record names after an undo.
 */

export const contents: ImportKind<SourceContent, SourceContent> = {
  refuse: ({ fault }) => (fault === undefined ? undefined : [fault]),
  place: async items => items,
  summarise: item => ({ item, counted: ['contents'] }),
  undo: { of: [], restore: async () => {} }
}
