import type { Answered, Import, ImportRemark, PreviewLine, Review } from './api.ts'
import { type CallOptions, queryText, type Sender } from './send-request.ts'

/** How a file is to be read, where it does not say so itself. */
export interface ImportSettings {
  /** What the file is called, for people. */
  readonly name?: string
  /** `iso2709`, `marcxml`, `json`, `mrk`, `onix`, `csv` or `ndjson`; found out by itself where left out. */
  readonly format?: string
  /** Whose record numbers these are, where records do not say so. */
  readonly agency?: string
  /** For CSV: which column means what. */
  readonly mapping?: unknown
  /** Says what would happen, and writes nothing. */
  readonly isPreview?: boolean
}

export interface Numbered extends CallOptions {
  readonly limit?: number
  /** Only those after this number. */
  readonly after?: number
}

const pageLength = 1000

/** Files of records, and the works that were found in them. */
export function createImports(sender: Sender) {
  const { send, open } = sender
  const numbered = ({ limit, after, ...call }: Numbered) => ({ query: { limit, after }, ...call })
  return {
    /** Sends a file. Answered once it is kept; `read` then says how far it is. */
    async add(file: Blob, settings: ImportSettings = {}, call: CallOptions = {}): Promise<Import> {
      const { isPreview = false, mapping, ...rest } = settings
      const query = {
        ...rest,
        mapping: mapping === undefined ? undefined : JSON.stringify(mapping),
        preview: isPreview ? 1 : undefined
      }
      const headers = { ...call.headers, 'content-type': 'application/octet-stream' }
      const response = await open(`/imports${queryText(query)}`, { ...call, method: 'POST', headers, body: file })
      return (await response.json()) as Import
    },

    /** All of them, the newest first. */
    async list(call: CallOptions = {}): Promise<Import[]> {
      const all: Import[] = []
      for (let after: string | undefined; ; after = all.at(-1)?.id) {
        const { data } = await send('GET /imports', { query: { limit: pageLength, after }, ...call })
        all.push(...data)
        if (data.length < pageLength) return all.reverse()
      }
    },

    read: async (id: string, call: CallOptions = {}): Promise<Import> =>
      (await send('GET /imports/{id}', { path: { id }, ...call })).data,

    /** What was odd or could not be read, with its place in the file. */
    remarks: async (id: string, given: Numbered = {}): Promise<ImportRemark[]> =>
      (await send('GET /imports/{id}/remarks', { path: { id }, ...numbered(given) })).data,

    /** What would become of the records of a preview. */
    preview: async (id: string, given: Numbered = {}): Promise<PreviewLine[]> =>
      (await send('GET /imports/{id}/preview', { path: { id }, ...numbered(given) })).data,

    /** Which works and expressions were joined, or kept apart, without being sure; or, `areSettled`, what was said of those. */
    async review(
      id: string,
      given: CallOptions & { limit?: number; after?: string; areSettled?: boolean } = {}
    ): Promise<Review> {
      const { limit, after, areSettled = false, ...call } = given
      const query = { limit, after, ...(areSettled ? { settled: 1 as const } : {}) }
      return (await send('GET /imports/{id}/review', { path: { id }, query, ...call })).data
    },

    /** Says of two whether they are the same; who thinks better of it says it again. */
    answer: async (
      id: string,
      question: string,
      verdict: 'same' | 'different',
      call: CallOptions = {}
    ): Promise<Answered> =>
      (await send('POST /imports/{id}/review', { path: { id }, body: [{ question, verdict }], ...call })).data,

    stop: async (id: string, call: CallOptions = {}): Promise<Import> =>
      (await send('POST /imports/{id}/stop', { path: { id }, ...call })).data,

    resume: async (id: string, call: CallOptions = {}): Promise<Import> =>
      (await send('POST /imports/{id}/resume', { path: { id }, ...call })).data,

    /** Takes an import back as a whole. */
    undo: async (id: string, call: CallOptions = {}): Promise<Import> =>
      (await send('POST /imports/{id}/undo', { path: { id }, ...call })).data
  }
}
