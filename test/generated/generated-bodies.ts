import type { Chance } from '../support/records/chance.ts'
import { marcFile, saltRoad } from '../support/records/marc-files.ts'
import { aForm, aPng } from '../support/records/media.ts'

/* Bodies that are no JSON, and the headers of routes that need more than a bearer. */

interface Values {
  oddText(): string
  aRecord(): Record<string, unknown>
  aCqlQuery(depth: number): string
  parameter(name: string, schema: object): string
  anId(): string
}

interface Written {
  readonly body: string | Buffer
  readonly headers?: Record<string, string>
}

interface Named {
  readonly method: string
  readonly path: string
}

export function createBodyWriter(chance: Chance, values: Values) {
  const { oddText, aRecord, anId } = values

  const batchLine = () => {
    const op = chance.pick(['create', 'create', 'update', 'patch', 'replace', 'delete', 'x'])
    return JSON.stringify(op === 'create' ? { op, entity: aRecord() } : { op, id: anId(), metadata: [] })
  }
  const lines = () => Array.from({ length: chance.below(6) }, batchLine).join(chance.pick(['\n', '\r\n', '\n\n']))

  /** A table, with texts that need quotes and some that have the wrong ones. */
  const table = () => {
    const cell = () => {
      const text = oddText()
      return chance.pick([text, `"${text.replaceAll('"', '""')}"`, `"${text}`, '', anId(), '\ufeff"a'])
    }
    const row = () => [anId(), chance.pick(['person', 'venue', 'production', 'x']), cell(), cell()].join(',')
    return ['id,type,name,title', ...Array.from({ length: chance.below(5) }, row)].join('\n')
  }

  const form = (names: readonly [string, ...string[]]) =>
    Array.from({ length: 1 + chance.below(4) }, () => {
      const name = chance.pick(names)
      return `${name}=${encodeURIComponent(values.parameter(name, {}))}`
    }).join('&')

  const formOf = (path: string): string => {
    if (path === '/oai') return `verb=${values.parameter('verb', {})}&${form(['metadataPrefix', 'identifier', 'set'])}`
    if (path === '/reconcile') return form(['queries', 'extend'])
    return form(['query', 'scanClause', 'maximumRecords', 'recordSchema', 'operation'])
  }

  const multipart = (): Written => {
    const metadata = JSON.stringify([{ key: 'title', value: oddText() }])
    const fields = {
      mediafile_type: chance.pick(['posters', 'trailer', 'x']),
      ...(chance.oneIn(2) ? { metadata } : {})
    }
    const file = {
      filename: oddText().replaceAll(/["\r\n]/g, ''),
      bytes: chance.oneIn(2) ? aPng() : Buffer.from(oddText())
    }
    const { body, headers } = aForm(fields, chance.oneIn(8) ? undefined : file)
    return chance.oneIn(8) ? { body: body.subarray(0, chance.below(body.length)), headers } : { body, headers }
  }

  /** A file to import: of the format that its media type names, or broken. */
  const file = (media: string): string | Buffer => {
    const form = media === 'application/marc' || media === 'application/octet-stream' ? 'iso2709' : 'marcxml'
    const whole =
      media === 'text/csv' ? Buffer.from(table()) : media.endsWith('json') ? Buffer.from(lines()) : marc[form]
    return chance.oneIn(3) ? whole.subarray(0, chance.below(whole.length + 1)) : whole
  }

  return {
    /** Writes the body of a request in its media type. */
    write(path: string, media: string, json: () => string): Written {
      if (path === '/imports' || path === '/imports/mapping') return { body: file(media) }
      if (media === 'multipart/form-data') return multipart()
      if (media === 'text/csv') return { body: table() }
      if (media === 'application/x-www-form-urlencoded') return { body: formOf(path) }
      if (/ndjson|jsonl/.test(media)) return { body: lines() }
      if (path === '/entities/batch')
        return {
          body: `[${lines()
            .split(/\s*\n+/)
            .filter(Boolean)
            .join()}]`
        }
      return { body: json() }
    },

    /** The bytes that a route takes in any media type. */
    withoutDescription({ method, path }: Named): { readonly body: Buffer } | undefined {
      const takesBytes = /^\/mediafiles\/\{id\}\/(?:content|uploads)$|^\/uploads\//.test(path)
      if (!takesBytes || method === 'GET' || method === 'DELETE' || method === 'OPTIONS') return undefined
      return { body: chance.oneIn(2) ? aPng() : Buffer.from('0123456789'.slice(0, chance.below(10))) }
    },

    headersOf({ method, path }: Named): Record<string, string> {
      if (path === '/changes' && chance.oneIn(4)) return { accept: 'text/event-stream' }
      if (path.endsWith('/content') && method !== 'GET')
        return { 'content-type': chance.pick(['image/png', 'x/y', 'text/html']) }
      if (!path.includes('/uploads')) return {}
      return {
        'tus-resumable': chance.oneIn(20) ? '0.2' : '1.0.0',
        'upload-length': chance.oneIn(10) ? oddNumber() : String(chance.below(12)),
        'upload-offset': chance.oneIn(10) ? oddNumber() : String(chance.pick([0, 0, 0, 5])),
        'content-type': chance.oneIn(20) ? 'text/plain' : 'application/offset+octet-stream'
      }
    }
  }

  function oddNumber(): string {
    return chance.pick(['-1', '1e9', '99999999999999', 'x', ''])
  }
}

/** Some records, and two that may be of the same work, which makes a review question. */
export const shelf = {
  ...saltRoad,
  dated: '100 1# $aVerhoeven, Mila,$d1911-1984\n245 14 $aThe lighthouse /$cMila Verhoeven.',
  near: '100 1# $aVerhoeven, Mila,$d1911-1984\n245 14 $aThe lighthouses /$cMila Verhoeven.'
}
const marc = { iso2709: marcFile(shelf, 'iso2709'), marcxml: marcFile(shelf, 'marcxml') }
