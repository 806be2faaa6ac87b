import { byMaterial } from '#domain/record-types/subtypes.ts'
import { commonWord, rareWord, type Samples } from './catalogue-file.ts'
import { measure, postRequest } from './load.ts'
import { adminToken, type ServerProcess } from './processes.ts'

export interface AskedQuestion {
  readonly name: string
  readonly filters: readonly unknown[]
  readonly query?: string
}

const titleKey = ['catalog:1|properties.title.value']
export const manifestations = { type: 'type', value: 'manifestation' }
export const titled = (value: string) => ({ type: 'text', key: titleKey, value })

/** One question of each kind that `POST /entities/filter` answers. */
export function questionsAbout({ isbn, publisher, author, authorName, recently }: Samples): AskedQuestion[] {
  const related = (relation: string, value: string) => ({
    type: 'selection',
    key: [`catalog:1|properties.${relation}`],
    value: [value],
    match_exact: true
  })
  const updatedSince = { type: 'date', key: ['catalog:1|audit.updated.at'], value: { min: recently } }
  const years = {
    type: 'number',
    key: ['catalog:1|properties.year_of_publication.value'],
    value: { min: 1990, max: 1995 }
  }
  return [
    { name: 'a type', filters: [manifestations] },
    { name: 'a type, by title', filters: [manifestations], query: 'order_by=title' },
    {
      name: 'seven subtypes',
      filters: [{ type: 'selection', key: 'type', value: byMaterial('manifestation'), match_exact: true }]
    },
    { name: `title has a common word (${commonWord})`, filters: [manifestations, titled(commonWord)] },
    { name: 'the same, by title', filters: [manifestations, titled(commonWord)], query: 'order_by=title' },
    { name: `title has a rare word (${rareWord})`, filters: [manifestations, titled(rareWord)] },
    { name: 'title has two letters (no index)', filters: [manifestations, titled('qx')] },
    { name: 'title begins with', filters: [manifestations, titled('Gouden*')] },
    { name: 'an exact ISBN', filters: [related('isbn.value', isbn)] },
    { name: 'an author by id', filters: [manifestations, related('ref_authors.value', author)] },
    { name: 'the biggest publisher by id', filters: [related('ref_publishers.value', publisher)] },
    { name: 'the same, by title', filters: [related('ref_publishers.value', publisher)], query: 'order_by=title' },
    { name: 'an author by exact name', filters: [related('ref_authors.name', authorName)] },
    {
      name: 'an author by part of the name',
      filters: [
        manifestations,
        { type: 'text', key: ['catalog:1|properties.ref_authors.name'], value: authorName.slice(0, 8) }
      ]
    },
    { name: 'updated since', filters: [manifestations, updatedSince] },
    { name: 'updated since, by date_updated', filters: [manifestations, updatedSince], query: 'order_by=date_updated' },
    { name: 'a range of years', filters: [manifestations, years] },
    { name: 'a range of years, by title', filters: [manifestations, years], query: 'order_by=title' },
    { name: 'a type, count only', filters: [manifestations], query: 'limit=0' },
    { name: 'page 2000 by skip=40000', filters: [manifestations], query: 'skip=40000' }
  ]
}

/** The cursor behind the first 40,000 manifestations, or near the end where there are fewer. */
export async function findDeepCursor({ port }: ServerProcess): Promise<string> {
  let path = '/entities/filter?limit=1000'
  for (let page = 0; page < 40; page++) {
    const { next } = await askOnce(port, postRequest(path, [manifestations]))
    if (next === undefined) break
    path = next
  }
  return new URLSearchParams(path.split('?')[1]).get('cursor') ?? ''
}

/** Asks once, and gives the body. */
export async function askOnce(port: number, request: Buffer): Promise<{ count: number; next?: string }> {
  let answer: { count: number; next?: string } | undefined
  await measure({
    port,
    connections: 1,
    seconds: 1,
    next: () => request,
    goOn: () => false,
    onBody: body => {
      answer = JSON.parse(body.toString())
    }
  })
  if (!answer) throw new Error('No answer')
  return answer
}

export interface Tried {
  readonly status: number
  readonly count: string
  readonly took: number
}

/** Asks once; any answer will do. */
export async function tryOnce(port: number, request: Buffer): Promise<Tried> {
  const [head = '', body] = request.toString().split('\r\n\r\n')
  const [method = 'GET', path = '/'] = head.split(' ')
  const started = performance.now()
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { authorization: `Bearer ${adminToken}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body } : {})
  })
  const json = (await answer.json()) as { count?: number; suggestions?: unknown[] }
  const count = json.count ?? json.suggestions?.length
  return { status: answer.status, count: count === undefined ? '' : String(count), took: performance.now() - started }
}
