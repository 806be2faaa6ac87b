import type { EntityPage, WrittenEntity } from './api.ts'
import { type CallOptions, queryText, type Sender } from './send-request.ts'

/** What is said of a file beside its bytes: `mediafile_type`, `title`, `copyright` … */
export type MediaFields = Readonly<Record<string, string>>

export interface UploadOptions extends CallOptions {
  /** Told after each piece that arrived; a small file arrives in one. */
  readonly onProgress?: (sent: number, all: number) => void
}

/** Up to here a file is sent whole, with its record: both are kept or neither. Above, piece by piece, so that it shows how far it is. */
const mostAtOnce = 4 * 1024 * 1024
const tus = { 'tus-resumable': '1.0.0' }

/** The files of productions: listing them, reading their bytes, bringing new ones. */
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
      // The service may give the address with its host; what is behind that is the path here.
      const place = (begun.headers.get('location') ?? '').replace(/^https?:\/\/[^/]+/, '')
      for (let sent = 0; sent < file.size; sent += mostAtOnce) {
        const piece = file.slice(sent, sent + mostAtOnce)
        await sender.open(place, {
          ...call,
          method: 'PATCH',
          headers: { ...tus, 'upload-offset': String(sent), 'content-type': 'application/offset+octet-stream' },
          body: piece
        })
        onProgress?.(sent + piece.size, file.size)
      }
    } catch (error) {
      // A record without its bytes would stand for nothing.
      await sender.send('DELETE /entities/{id}', { path: { id: made.id } }).catch(() => {})
      throw error
    }
    return (await sender.send('GET /entities/{id}', { path: { id: made.id } })).data as WrittenEntity
  }

  return {
    /** The media files of an entity, of one category where it is named. */
    async list(id: string, options: CallOptions & { category?: string; limit?: number } = {}): Promise<EntityPage> {
      const { category, limit, ...call } = options
      const address = `/entities/${encodeURIComponent(id)}/mediafiles${queryText({ category, limit })}`
      return (await sender.follow<EntityPage>(address, call)).data
    },

    /** The bytes of a media file. */
    content: async (id: string, options: CallOptions = {}): Promise<Blob> =>
      (await sender.open(`/mediafiles/${encodeURIComponent(id)}/content`, options)).blob(),

    /** Brings a file to an entity. Rejected, nothing of it is kept. */
    add(
      id: string,
      file: Blob,
      name: string,
      fields: MediaFields,
      options: UploadOptions = {}
    ): Promise<WrittenEntity> {
      return (file.size <= mostAtOnce ? sendWhole : sendInPieces)(id, file, name, fields, options)
    }
  }
}
