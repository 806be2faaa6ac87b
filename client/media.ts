import type { EntityPage, WrittenEntity } from './api.ts'
import { type CallOptions, queryText, type Sender } from './send-request.ts'

/** The fields of a media file: `mediafile_type`, `title`, `copyright` … */
export type MediaFields = Readonly<Record<string, string>>

export interface UploadOptions extends CallOptions {
  /** Called after each chunk that was received; a small file is one chunk. */
  readonly onProgress?: (sent: number, all: number) => void
}

/**
 * Maximum size of a file that is sent in one request with its record. Larger files are sent in
 * chunks of this size, to show progress.
 */
const maxAtOnce = 4 * 1024 * 1024
const tus = { 'tus-resumable': '1.0.0' }

/** The media files of productions: listing, reading and adding. */
export function createMedia(sender: Sender) {
  const sendWhole = async (id: string, file: Blob, name: string, fields: MediaFields, options: UploadOptions) => {
    const form = new FormData()
    for (const [key, value] of Object.entries(fields)) form.set(key, value)
    form.set('file', file, name)
    const address = `/entities/${encodeURIComponent(id)}/mediafiles`
    const response = await sender.open(address, { ...options, method: 'POST', body: form })
    options.onProgress?.(file.size, file.size)
    return (await response.json()) as WrittenEntity
  }

  const sendInPieces = async (id: string, file: Blob, name: string, fields: MediaFields, options: UploadOptions) => {
    const { signal, onProgress } = options
    const metadata = Object.entries({ filename: name, ...fields }).map(([key, value]) => ({ key, value }))
    const call = signal === undefined ? {} : { signal }
    const { data } = await sender.send('POST /entities/{id}/mediafiles', { path: { id }, body: { metadata }, ...call })
    const made = data as WrittenEntity
    try {
      const begun = await sender.open(`/mediafiles/${encodeURIComponent(made.id)}/uploads`, {
        ...call,
        method: 'POST',
        headers: { ...tus, 'upload-length': String(file.size) }
      })
      // The service may give an absolute address; only its path is used.
      const place = (begun.headers.get('location') ?? '').replace(/^https?:\/\/[^/]+/, '')
      for (let sent = 0; sent < file.size; sent += maxAtOnce) {
        const piece = file.slice(sent, sent + maxAtOnce)
        await sender.open(place, {
          ...call,
          method: 'PATCH',
          headers: { ...tus, 'upload-offset': String(sent), 'content-type': 'application/offset+octet-stream' },
          body: piece
        })
        onProgress?.(sent + piece.size, file.size)
      }
    } catch (error) {
      // A media file without its bytes is useless.
      await sender.send('DELETE /entities/{id}', { path: { id: made.id } }).catch(() => {})
      throw error
    }
    return (await sender.send('GET /entities/{id}', { path: { id: made.id } })).data as WrittenEntity
  }

  return {
    /** The media files of an entity, optionally of one category. */
    async list(id: string, options: CallOptions & { category?: string; limit?: number } = {}): Promise<EntityPage> {
      const { category, limit, ...call } = options
      const address = `/entities/${encodeURIComponent(id)}/mediafiles${queryText({ category, limit })}`
      return (await sender.follow<EntityPage>(address, call)).data
    },

    /** The bytes of a media file. */
    content: async (id: string, options: CallOptions = {}): Promise<Blob> =>
      (await sender.open(`/mediafiles/${encodeURIComponent(id)}/content`, options)).blob(),

    /** A smaller picture of a media file, 160, 320, 640 or 1280 pixels wide. */
    thumbnail: async (id: string, width: 160 | 320 | 640 | 1280, options: CallOptions = {}): Promise<Blob> =>
      (await sender.open(`/mediafiles/${encodeURIComponent(id)}/thumbnail${queryText({ width })}`, options)).blob(),

    /** Adds a file to an entity. If it is rejected, nothing is stored. */
    add(
      id: string,
      file: Blob,
      name: string,
      fields: MediaFields,
      options: UploadOptions = {}
    ): Promise<WrittenEntity> {
      return (file.size <= maxAtOnce ? sendWhole : sendInPieces)(id, file, name, fields, options)
    }
  }
}
