import type { Filter, Operations } from './api.ts'
import { type CallOptions, queryText, type Sender } from './send-request.ts'

export interface ExportOptions extends CallOptions {
  /** Begins a table with a byte order mark, by which some spreadsheets know UTF-8. */
  readonly hasBom?: boolean
}

export type ExportFormat = NonNullable<Operations['POST /export']['query']['format']>

/** Records as files. The answers are open: their bytes can be read as they come, however many there are. */
export function createExports(sender: Sender) {
  return {
    /** Everything that the filters match. Reading it to its end rejects when it was cut short. */
    matching(filters: readonly Filter[], format: ExportFormat, options: ExportOptions = {}): Promise<Response> {
      const { hasBom = false, ...call } = options
      return sender.open(`/export${queryText({ format, bom: hasBom ? 1 : undefined })}`, {
        ...call,
        method: 'POST',
        headers: { ...call.headers, 'content-type': 'application/json' },
        body: new Blob([JSON.stringify(filters)])
      })
    },

    /** One entity in one of its forms, such as `bibtex` or `turtle`. */
    one: (id: string, form: string, call: CallOptions = {}): Promise<Response> =>
      sender.open(`/entities/${encodeURIComponent(id)}${queryText({ format: form })}`, call)
  }
}
