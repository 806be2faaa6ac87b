import type { ImportSettings } from '../../../client/index.ts'

interface ChosenFile {
  readonly file: File
  readonly settings: ImportSettings
}

/**
 * The files of previews, while the page is open: they can be imported without choosing them again.
 */
const chosen = new Map<string, ChosenFile>()

export const keepChosenFile = (previewId: string, file: ChosenFile) => chosen.set(previewId, file)
export const findChosenFile = (previewId: string) => chosen.get(previewId)
