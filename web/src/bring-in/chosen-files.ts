import type { ImportSettings } from '../../../client/index.ts'

interface ChosenFile {
  readonly file: File
  readonly settings: ImportSettings
}

/** The files of previews, for as long as the page is open: so that one can be imported without being chosen again. */
const chosen = new Map<string, ChosenFile>()

export const keepChosenFile = (previewId: string, file: ChosenFile) => chosen.set(previewId, file)
export const findChosenFile = (previewId: string) => chosen.get(previewId)
