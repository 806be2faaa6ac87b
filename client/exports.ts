import type { AnyFilter, CheckedFilter } from './checked-names.ts'
import type { exportFormats } from './formats.ts'
import { type CallOptions, queryText, type Sender } from './send-request.ts'

export interface ExportOptions extends CallOptions {
  /** Starts a table with a byte order mark, by which some spreadsheets recognise UTF-8. */
  readonly hasBom?: boolean
  /** For NDJSON: leaves out the source records of imported entities. */
  readonly omitsSources?: boolean
  /**
   * For NDJSON: adds the bytes of media files, or all versions of the records. For MARC: adds the
   * authority records, or writes copies as holdings records.
   */
  readonly include?: readonly ('media' | 'history' | 'authorities' | 'holdings')[]
}

/** The name of a format in which records are exported. */
export type ExportFormat = (typeof exportFormats)[number]['name']

/** Exports. The responses are streams: their bytes can be read as they arrive. */
export function createExports(sender: Sender) {
  return {
    /**
     * Exports all entities that match the filters. Reading to the end rejects if the export was cut
     * short.
     */
    matching<const Each extends AnyFilter>(
      filters: readonly (Each & CheckedFilter<Each>)[],
      format: ExportFormat,
      options: ExportOptions = {}
    ): Promise<Response> {
      const { hasBom = false, omitsSources = false, include = [], ...call } = options
      const query = {
        format,
        bom: hasBom ? 1 : undefined,
        sources: omitsSources ? 0 : undefined,
        include: include.join(',') || undefined
      }
      return sender.open(`/export${queryText(query)}`, {
        ...call,
        method: 'POST',
        headers: { ...call.headers, 'content-type': 'application/json' },
        body: new Blob([JSON.stringify(filters)])
      })
    },

    /** One entity in one of its formats, such as `bibtex` or `turtle`. */
    one: (id: string, form: ExportFormat | 'json', call: CallOptions = {}): Promise<Response> =>
      sender.open(`/entities/${encodeURIComponent(id)}${queryText({ format: form })}`, call)
  }
}
