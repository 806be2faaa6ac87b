import { isJsonObject, type JsonObject } from '#domain/json.ts'
import type { Model } from '#domain/record-types/model.ts'
import { subjectOf, type TableSubject } from './table-subject.ts'
import { bytesToDetectSource, detectSource } from '../source/detect-source.ts'
import { type ByteSource, close, peek } from '../source/bytes.ts'
import { type ColumnMeanings, composeMapping, proposeMeanings, sampleColumns } from './propose-mapping.ts'
import { readRows } from './row-items.ts'

/** The subject of a file, and a mapping for it. */
export interface MappingProposal {
  /** `other` for a file that is neither a table nor JSON objects, such as MARC. */
  readonly subject: TableSubject | 'entities' | 'other'
  readonly columns: readonly { readonly name: string; readonly example: string; readonly meaning: string }[]
  readonly mapping: JsonObject | undefined
}

export interface ProposalOptions {
  /** The beginning of identifiers, made of the name of the file. */
  readonly name: string
  /** Meanings that a person chose; those of other columns are proposed. */
  readonly meanings?: ColumnMeanings
}

const maxRows = 20

/** Proposes a mapping from the first rows of a file. */
export async function proposeForFile(
  source: ByteSource,
  model: Model,
  { name, meanings = new Map() }: ProposalOptions
): Promise<MappingProposal> {
  const { head, all } = await peek(source, bytesToDetectSource)
  const text = head.toString('utf8').replace(/^\ufeff/, '')
  const isJson = /^\s*[[{]/.test(text)
  const format = detectSource(head)
  if (!isJson && format !== 'csv') {
    await close(all)
    return { subject: 'other', columns: [], mapping: undefined }
  }
  if (isJson && format === 'json') {
    await close(all)
    return { subject: 'other', columns: [], mapping: undefined }
  }
  const { rows, values } = /^\s*\{\s*\n/.test(text)
    ? await readList(all)
    : { rows: undefined, values: await firstRows(all) }
  if (values.some(each => isJsonObject(each) && typeof each.type === 'string' && Array.isArray(each.metadata)))
    return { subject: 'entities', columns: [], mapping: undefined }
  const columns = sampleColumns(values)
  const names = columns.map(each => each.name)
  const chosen = new Map([...proposeMeanings(names, model, name), ...meanings])
  const prefix =
    name
      .replace(/\.\w+$/, '')
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .slice(0, 40) || 'file'
  const subject = subjectOf(names)
  return {
    // JSON objects are never publications: there is no mapping of columns for them.
    subject: isJson && subject === 'publications' ? 'unclear' : subject,
    columns: columns.map(each => ({
      name: each.name,
      example: each.examples[0] ?? '',
      meaning: chosen.get(each.name) ?? ''
    })),
    mapping: composeMapping(columns, chosen, model, { prefix, rows })
  }
}

async function firstRows(source: ByteSource): Promise<unknown[]> {
  const values: unknown[] = []
  for await (const { found } of readRows(source, {})) {
    if ('value' in found) values.push(found.value)
    if (values.length >= maxRows) break
  }
  return values
}

/** The first list of objects in a JSON file that is one object. */
async function readList(
  source: ByteSource
): Promise<{ readonly rows: string | undefined; readonly values: unknown[] }> {
  const nothing = { rows: undefined, values: [] }
  const chunks: Uint8Array[] = []
  for await (const chunk of source) chunks.push(chunk)
  let document: unknown
  try {
    document = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return nothing
  }
  let level: readonly (readonly [path: string, value: unknown])[] = [['', document]]
  for (let depth = 0; depth < 4; depth++) {
    const next = level.flatMap(([path, value]) =>
      isJsonObject(value)
        ? Object.entries(value).map(([name, each]) => [path === '' ? name : `${path}.${name}`, each] as const)
        : []
    )
    const found = next.find(([, value]) => Array.isArray(value) && value.some(isJsonObject))
    if (found !== undefined) return { rows: found[0], values: (found[1] as unknown[]).slice(0, maxRows) }
    level = next
  }
  return nothing
}
