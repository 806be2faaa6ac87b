import type { ImportItem } from '#domain/imports/item.ts'
import type { PaperWrite, Store } from '#store/store.ts'
import type { Placed } from './placing.ts'
import { explain } from './review.ts'

/** What would become of a record. */
export interface PreviewLine {
  readonly number: number
  readonly record: string
  readonly title: string
  readonly outcome: Placed['outcome']
  readonly works: readonly {
    readonly title: string
    /** Where it would be joined to others: to which, why, and how sure that is. */
    readonly is_new: boolean
    readonly explanation: string | null
    /** Why, as a code. */
    readonly reason?: string
    readonly confidence: number | null
  }[]
}

const kind = 'import preview'
/** Shown of each preview; the counts are of all. */
const mostLines = 1000

export function previewPapers(job: string, placed: readonly Placed[], items: readonly ImportItem[]): PaperWrite[] {
  const byName = new Map(placed.map(each => [each.name, each]))
  return items.flatMap((item): PaperWrite[] => {
    if (item.kind !== 'record' || item.position.number > mostLines) return []
    const found = byName.get(item.name)
    if (found === undefined) return []
    const line: PreviewLine = {
      number: item.position.number,
      record: item.number ?? item.name,
      title: titleIn(item.manifestation.metadata),
      outcome: found.outcome,
      works: found.works.map(({ isNewWork, link }, place) => ({
        title: titleIn(item.mentions[place]?.work.metadata ?? []),
        is_new: isNewWork,
        explanation: link === undefined ? null : explain(link.reason),
        ...(link === undefined ? {} : { reason: link.reason.code }),
        confidence: link?.confidence ?? null
      }))
    }
    return [{ kind, key: `${job}\n${String(line.number).padStart(10, '0')}`, value: JSON.stringify(line) }]
  })
}

const titleIn = (metadata: readonly { readonly key: string; readonly value: string | boolean }[]) =>
  String(metadata.find(each => each.key === 'title')?.value ?? '')

export async function listPreview(store: Store, job: string, limit: number, after = 0): Promise<PreviewLine[]> {
  const range = { heading: job, after: `${job}\n${String(after).padStart(10, '0')}`, limit }
  return (await store.readPapers(kind, range)).map(({ value }) => JSON.parse(value) as PreviewLine)
}
