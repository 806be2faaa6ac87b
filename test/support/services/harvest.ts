import assert from 'node:assert/strict'

/* A harvester of our own, for what third-party ones do not show: every header, in its order. */

export interface HarvestedHeader {
  readonly id: string
  readonly datestamp: string
  readonly set: string
  readonly isDeleted: boolean
  /** The content of `metadata`. */
  readonly metadata: string
}

export interface Harvested {
  readonly records: readonly HarvestedHeader[]
  readonly documents: readonly string[]
}

export const oaiDomain = 'libretto.invalid'

/** Asks with the query of an address, and gives the document. */
export type Fetch = (query: string) => Promise<string>

/** Reads a whole list, page by page. `between` is called after each page, with its number. */
export async function harvest(
  fetch: Fetch,
  query: string,
  between: (page: number) => Promise<unknown> | unknown = () => {}
): Promise<Harvested> {
  const verb = /verb=(\w+)/.exec(query)?.[1] ?? ''
  const records: HarvestedHeader[] = []
  const documents: string[] = []
  for (let next: string | undefined = query; next !== undefined; ) {
    const document: string = await fetch(next)
    documents.push(document)
    records.push(...headersIn(document))
    const token = tokenIn(document)
    next = token === undefined || token === '' ? undefined : `verb=${verb}&resumptionToken=${encodeURIComponent(token)}`
    await between(documents.length)
  }
  return { records, documents }
}

/** Undefined where there is none, empty at the end of a list. */
export function tokenIn(document: string): string | undefined {
  if (/<resumptionToken[^>]*\/>/.test(document)) return ''
  return /<resumptionToken[^>]*>([^<]*)<\/resumptionToken>/.exec(document)?.[1]
}

export function headersIn(document: string): HarvestedHeader[] {
  return document
    .split('<header')
    .slice(1)
    .map(text => {
      const [, id] = new RegExp(`<identifier>oai:${oaiDomain}:([^<]*)</identifier>`).exec(text) ?? []
      const [, datestamp] = /<datestamp>([^<]*)<\/datestamp>/.exec(text) ?? []
      const [, set] = /<setSpec>([^<]*)<\/setSpec>/.exec(text) ?? []
      assert.ok(id !== undefined && datestamp !== undefined && set !== undefined, text)
      return {
        id,
        datestamp,
        set,
        isDeleted: text.startsWith(' status="deleted"'),
        metadata: /<metadata>(.*)<\/metadata>/s.exec(text)?.[1] ?? ''
      }
    })
}

export const errorsIn = (document: string) => [...document.matchAll(/<error code="(\w+)">/g)].map(([, code]) => code)
