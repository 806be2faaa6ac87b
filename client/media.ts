import type { EntityPage, WrittenEntity } from './api.ts'
import type { FieldKey, FieldValue } from './checked-names.ts'
import { ConnectionError, ProblemError } from './problem-error.ts'
import { type CallOptions, pause, queryText, type Sender } from './send-request.ts'

/** The fields of a media file: `mediafile_type`, `title`, `copyright` … */
export type MediaFields = {
  readonly [Key in FieldKey<'mediafile'>]?: FieldValue<Key, 'mediafile'> & string
}

/** The category of a media file: posters, trailers and so on. */
export type MediaCategory = FieldValue<'mediafile_type', 'mediafile'>

/** The widths of thumbnails. */
export type ThumbnailWidth = 160 | 320 | 640 | 1280

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

/** Whether the connection was lost, or the service was away, so that the rest can be sent later. */
const isLoss = (error: unknown) =>
  error instanceof ConnectionError || (error instanceof ProblemError && error.status === 503)

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
      for (let [sent, losses] = [0, 0]; sent < file.size; ) {
        const piece = file.slice(sent, sent + maxAtOnce)
        try {
          await sender.open(place, {
            ...call,
            method: 'PATCH',
            headers: { ...tus, 'upload-offset': String(sent), 'content-type': 'application/offset+octet-stream' },
            body: piece
          })
          sent += piece.size
          losses = 0
        } catch (error) {
          // The service knows how much has arrived.
          if (!isLoss(error) || signal?.aborted || losses === sender.retries) throw error
          await pause(500 * 2 ** losses++, signal)
          const reached = await sender.open(place, { ...call, method: 'HEAD', headers: tus }).catch(() => undefined)
          sent = Number(reached?.headers.get('upload-offset') ?? sent)
        }
        onProgress?.(sent, file.size)
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
    async list(
      id: string,
      options: CallOptions & { category?: MediaCategory; limit?: number } = {}
    ): Promise<EntityPage> {
      const { category, limit, ...call } = options
      const address = `/entities/${encodeURIComponent(id)}/mediafiles${queryText({ category, limit })}`
      return (await sender.follow<EntityPage>(address, call)).data
    },

    /** The address of the bytes of a media file, for `<img src>`, where visitors may read it. */
    contentUrl: (id: string): string => sender.addressOf(`/mediafiles/${encodeURIComponent(id)}/content`),

    /** The address of a smaller picture. */
    thumbnailUrl: (id: string, width: ThumbnailWidth): string =>
      sender.addressOf(`/mediafiles/${encodeURIComponent(id)}/thumbnail${queryText({ width })}`),

    /** An address of the bytes that needs no token for a time, 300 seconds by default. */
    async ticketUrl(id: string, options: CallOptions & { readonly expiresIn?: number } = {}): Promise<string> {
      const { expiresIn, ...call } = options
      const body = { mediafile_id: id, ...(expiresIn === undefined ? {} : { expires_in: expiresIn }) }
      const { data: ticket } = await sender.send('POST /tickets', { body, ...call })
      return sender.addressOf(`/mediafiles/${encodeURIComponent(id)}/content${queryText({ ticket })}`)
    },

    /** The bytes of a media file. */
    content: async (id: string, options: CallOptions = {}): Promise<Blob> =>
      (await sender.open(`/mediafiles/${encodeURIComponent(id)}/content`, options)).blob(),

    /** A smaller picture of a media file, 160, 320, 640 or 1280 pixels wide. */
    thumbnail: async (id: string, width: ThumbnailWidth, options: CallOptions = {}): Promise<Blob> =>
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
