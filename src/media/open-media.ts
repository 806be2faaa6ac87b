import { dirname, join } from 'node:path'

import type { Store } from '#store/store.ts'
import { type CleanUpReport, cleanUpMedia, removeUnused } from './clean-up.ts'
import type { ContentStore } from './content-store.ts'
import { checkFolder, openFolderStore } from './filesystem/folder-store.ts'
import { createMediaManager, type MediaManager, type Tasks } from './media-manager.ts'
import { type Cards, createCards } from './cards/cards.ts'
import { createThumbnails, type Thumbnails } from './thumbnails.ts'
import { createUploadFolder, type UploadFolder } from './upload-folder.ts'

export interface MediaSettings {
  /** `file:<folder>` or `s3://…`; undefined for a folder beside the database. */
  readonly mediaUrl: string | undefined
  readonly mediaUploads: string | undefined
  readonly mediaLimit: number
  readonly mediaKeptDays: number
  readonly maxUploadsPerToken: number
  readonly maxUploadBytesPerToken: number
  readonly maxMediaBytesPerDay: number | undefined
  readonly databaseUrl: string
}

export interface Media extends AsyncDisposable {
  readonly manager: MediaManager
  readonly contents: ContentStore
  readonly uploads: UploadFolder
  readonly thumbnails: Thumbnails
  readonly cards: Cards
  /** Throws an Error in words where media files cannot be stored; asked at the start. */
  check(): Promise<void>
  /**
   * Removes media that have not been used for the time in the settings. Only one process at a time
   * needs to do it.
   */
  cleanUp(): Promise<CleanUpReport>
  /** Removes content and thumbnails that no record uses, at once. */
  removeUnused(hashes: readonly string[]): Promise<void>
}

/** The settings of media files alone; a thread can be given them. */
export const mediaSettingsOf = (settings: MediaSettings): MediaSettings => ({
  mediaUrl: settings.mediaUrl,
  mediaUploads: settings.mediaUploads,
  mediaLimit: settings.mediaLimit,
  mediaKeptDays: settings.mediaKeptDays,
  maxUploadsPerToken: settings.maxUploadsPerToken,
  maxUploadBytesPerToken: settings.maxUploadBytesPerToken,
  maxMediaBytesPerDay: settings.maxMediaBytesPerDay,
  databaseUrl: settings.databaseUrl
})

/** Opens the store that the settings name; no folder is created before something is stored. */
export async function openMedia(store: Store, settings: MediaSettings, tasks: Tasks): Promise<Media> {
  const folder = mediaFolderOf(settings)
  const contents = await openContents(settings)
  const uploadFolder = settings.mediaUploads ?? join(folder, 'uploads')
  const uploads = createUploadFolder(uploadFolder, settings.mediaLimit)
  const manager = createMediaManager(store, contents, uploads, tasks, {
    uploads: settings.maxUploadsPerToken,
    bytes: settings.maxUploadBytesPerToken,
    bytesPerDay: settings.maxMediaBytesPerDay
  })
  const thumbnails = createThumbnails(join(folder, 'thumbnails'), contents)
  const maxUnused = settings.mediaKeptDays * 24 * 3_600_000
  return {
    manager,
    contents,
    uploads,
    thumbnails,
    cards: createCards(join(folder, 'typefaces'), contents),
    async check() {
      await contents.check()
      await checkFolder(uploadFolder, settings.mediaUploads === undefined ? 'MEDIA_URL' : 'MEDIA_UPLOADS')
    },
    async cleanUp() {
      const before = Date.now() - maxUnused
      await thumbnails.removeBefore(before)
      return cleanUpMedia({ store, manager, contents, uploads }, { contents: before, uploads: before })
    },
    async removeUnused(hashes) {
      await thumbnails.remove(await removeUnused({ store, manager, contents }, hashes))
    },
    [Symbol.asyncDispose]: () => manager[Symbol.asyncDispose]()
  }
}

/** Opens where the bytes of media files are. */
export async function openContents(settings: Pick<MediaSettings, 'mediaUrl' | 'databaseUrl'>): Promise<ContentStore> {
  return settings.mediaUrl?.startsWith('s3:') ? openBucket(settings.mediaUrl) : openFolderStore(mediaFolderOf(settings))
}

/** Returns the folder of media files; with a bucket, that of uploads and small pictures. */
export function mediaFolderOf({ mediaUrl, databaseUrl }: Pick<MediaSettings, 'mediaUrl' | 'databaseUrl'>): string {
  return mediaUrl?.startsWith('file:') ? mediaUrl.slice('file:'.length) : folderBeside(databaseUrl)
}

/** Loads the client only when a bucket is used: it takes about 5 MB. */
async function openBucket(url: string): Promise<ContentStore> {
  const [{ readBucketUrl }, { openBucketStore }] = await Promise.all([
    import('./s3/bucket-client.ts'),
    import('./s3/bucket-store.ts')
  ])
  return openBucketStore(readBucketUrl(url))
}

function folderBeside(databaseUrl: string): string {
  const isFile = databaseUrl.startsWith('sqlite:')
  return join(isFile ? dirname(databaseUrl.slice('sqlite:'.length)) : 'data', 'media')
}
