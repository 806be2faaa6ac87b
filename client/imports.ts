import type { Answered, Import, ImportRemark, MappingProposal, PreviewLine, Review } from './api.ts'
import type { importFormats } from './formats.ts'
import { type CallOptions, queryText, type Sender } from './send-request.ts'

/** The name of a format of files. */
export type ImportFormat = (typeof importFormats)[number]['name']

/** Settings for reading a file, where the file does not contain them. */
export interface ImportSettings {
  /** The display name of the file. */
  readonly name?: string
  /** The format of the file, such as `iso2709`, `aleph`, `onix` or `csv`; detected by default. */
  readonly format?: ImportFormat
  /** The agency of the record numbers, where records do not name it. */
  readonly agency?: string
  /** For CSV and JSON: the records of each row; for CSV: the meaning of each column. */
  readonly mapping?: unknown
  /** Previews the import without writing. */
  readonly isPreview?: boolean
}

export interface Numbered extends CallOptions {
  readonly limit?: number
  /** Only items after this number. */
  readonly after?: number
}

const pageLength = 1000

/** Imports of files, and the works found in them. */
export function createImports(sender: Sender) {
  const { send, open } = sender
  const numbered = ({ limit, after, ...call }: Numbered) => ({ query: { limit, after }, ...call })
  return {
    /** Uploads a file. Answered once it is stored; `read` then gives the progress. */
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

    /**
     * Proposes a mapping for a table or a JSON file, from the names of its columns or the meanings
     * given: `{"Zaal": "venue name"}`.
     */
    async proposeMapping(
      file: Blob,
      { name, meanings }: { readonly name?: string; readonly meanings?: Readonly<Record<string, string>> } = {},
      call: CallOptions = {}
    ): Promise<MappingProposal> {
      const query = { name, meanings: meanings === undefined ? undefined : JSON.stringify(meanings) }
      const headers = { ...call.headers, 'content-type': 'application/octet-stream' }
      const response = await open(`/imports/mapping${queryText(query)}`, {
        ...call,
        method: 'POST',
        headers,
        body: file
      })
      return (await response.json()) as MappingProposal
    },

    /** All imports, newest first. */
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

    /** The remarks of an import, with their position in the file. */
    remarks: async (id: string, given: Numbered = {}): Promise<ImportRemark[]> =>
      (await send('GET /imports/{id}/remarks', { path: { id }, ...numbered(given) })).data,

    /** The lines of a preview, page by page. */
    preview: async (id: string, given: Numbered = {}): Promise<PreviewLine[]> =>
      (await send('GET /imports/{id}/preview', { path: { id }, ...numbered(given) })).data,

    /** The open review questions of an import or, with `areSettled`, the answered ones. */
    async review(
      id: string,
      given: CallOptions & { limit?: number; after?: string; areSettled?: boolean } = {}
    ): Promise<Review> {
      const { limit, after, areSettled = false, ...call } = given
      const query = { limit, after, ...(areSettled ? { settled: 1 as const } : {}) }
      return (await send('GET /imports/{id}/review', { path: { id }, query, ...call })).data
    },

    /**
     * Answers a review question: are these two the same? A later answer replaces an earlier one.
     */
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

    /** Undoes an import. */
    undo: async (id: string, call: CallOptions = {}): Promise<Import> =>
      (await send('POST /imports/{id}/undo', { path: { id }, ...call })).data
  }
}
