import { createTurns } from '#catalogue/take-turns.ts'
import { type Entity, type Json, type MetadataEntry, targetsOf, valuesOf } from '#domain/entity/entity.ts'
import { type Fault, invalidWith } from '#domain/errors.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Field } from '#domain/record-types/record-type.ts'
import { readCell } from '#formats/tables/read-cell.ts'
import { detectDelimiter, maxRowBytes, readCsv } from '#formats/tables/read-csv.ts'
import { joinValues, splitValues, withoutGuard } from '#formats/tables/write-csv.ts'
import { type Column, maxColumns, readColumns } from '../export/csv-columns.ts'

/*
 * A table of entities as operations of a batch: a row names a record and gives values for some of
 * its fields. Omitted fields and records do not change, so a part of an export can be corrected in
 * a spreadsheet and sent back.
 */

export interface TableSurroundings {
  readonly model: Model
  readonly maxRows: number
  /** Finds the record of an identifier, as the sender of the table may read it. */
  readonly find: (identifier: string) => Promise<Entity | undefined>
}

/** An operation of a batch. */
export type TableOperation =
  | { readonly op: 'create'; readonly entity: Readonly<Record<string, unknown>> }
  | { readonly op: 'patch'; readonly id: string; readonly entity: Readonly<Record<string, unknown>> }

/**
 * Reads a table in CSV. Throws `invalid` with every unreadable row; the write checks the values.
 */
export async function readEntityTable(bytes: Buffer, surroundings: TableSurroundings): Promise<TableOperation[]> {
  const { maxRows } = surroundings
  const delimiter = detectDelimiter(bytes.subarray(0, 4096).toString('utf8'))
  const faults: Fault[] = []
  const operations: TableOperation[] = []
  let columns: readonly Column[] | undefined
  const takeTurns = createTurns()
  for await (const { found, position } of readCsv([bytes], { delimiter, limit: maxRowBytes })) {
    await takeTurns()
    const pointer = columns === undefined ? '' : `/${position.number - 2}`
    if (operations.length + faults.length >= maxRows) {
      faults.push({ pointer, message: `A table may have at most ${maxRows} rows; send it in parts` })
      break
    }
    if ('defect' in found) {
      faults.push({ pointer, message: `Line ${position.number} cannot be read: ${found.defect.message}` })
      if (columns === undefined) break
    } else if (columns === undefined) {
      columns = readHead(found.cells.map(cell => cell.trim()))
    } else if (found.cells.length > columns.length) {
      faults.push({ pointer, message: `The row has ${found.cells.length} cells, the first line ${columns.length}` })
    } else {
      const operation = await operationOf(columns, found.cells, surroundings)
      if (operation.op === 'create' && operation.entity.type === '')
        faults.push({
          pointer: `${pointer}/type`,
          message: 'The row names no existing record, and a new record needs a "type"'
        })
      operations.push(operation)
    }
  }
  if (columns === undefined && faults.length === 0)
    faults.push({ pointer: '', message: 'The first line must name the columns' })
  if (faults.length > 0) throw invalidWith(faults)
  return operations
}

/** Reads the columns of the first line, named as in an export. Throws `invalid`. */
function readHead(names: readonly string[]): Column[] {
  if (names.length > maxColumns)
    throw invalidWith([{ pointer: '', message: `A table may have at most ${maxColumns} columns, not ${names.length}` }])
  const faults: Fault[] = []
  if (!names.some(name => ['id', 'identifiers', 'type'].includes(name)))
    faults.push({ pointer: '', message: 'The first line needs a column "id", "identifiers" or "type"' })
  for (const [index, name] of names.entries()) {
    if (name === '') faults.push({ pointer: '', message: `Column ${index + 1} has no name on the first line` })
    else if (names.indexOf(name) < index) faults.push({ pointer: '', message: `The column "${name}" appears twice` })
  }
  if (faults.length > 0) throw invalidWith(faults)
  return readColumns(names)
}

async function operationOf(
  columns: readonly Column[],
  cells: readonly string[],
  { model, find }: TableSurroundings
): Promise<TableOperation> {
  const texts = cells.map(cell => withoutGuard(cell).trim())
  const textOf = (kind: Column['path']['kind']) => texts[columns.findIndex(({ path }) => path.kind === kind)] ?? ''
  const id = textOf('id')
  const identifiers = splitValues(textOf('identifiers'))
  const current = await firstFound([id, ...identifiers], find)
  const type = current?.type ?? textOf('type')
  const metadata: MetadataEntry[] = []
  const relations: { type: string; key: string }[] = []
  for (const [index, { path }] of columns.entries()) {
    const text = texts[index] ?? ''
    if (text === '') continue
    if (path.kind === 'metadata') metadata.push(...entriesOf(path.key, text, model.fieldOf(type, path.key), current))
    if (path.kind === 'relation_key' || path.kind === 'relation_name') {
      // Equal to the cell of an export, which names the related records: unchanged.
      if (current !== undefined && text === joinValues(await namesOfTargets(current, path.type, { model, find })))
        continue
      relations.push(...splitValues(text).map(key => ({ type: path.type, key })))
    }
  }
  if (current === undefined) {
    const named = id === '' ? {} : { id }
    return { op: 'create', entity: { ...named, type, identifiers, metadata, relations } }
  }
  return { op: 'patch', id: current.id, entity: { identifiers, metadata, relations } }
}

/** The names of the records that a relation leads to, as an export shows them. */
async function namesOfTargets(
  entity: Entity,
  type: string,
  { model, find }: Pick<TableSurroundings, 'model' | 'find'>
): Promise<string[]> {
  const names: string[] = []
  for (const key of targetsOf(entity, type)) {
    const target = await find(key)
    const name = target && valuesOf(target, model.findType(target.type)?.nameField ?? '')[0]
    names.push(typeof name === 'string' ? name : key)
  }
  return names
}

async function firstFound(names: readonly string[], find: TableSurroundings['find']): Promise<Entity | undefined> {
  for (const name of names) {
    const entity = name === '' ? undefined : await find(name)
    if (entity !== undefined) return entity
  }
  return undefined
}

/**
 * Reads the values of a cell. Each value keeps the language and other members of the value at its
 * position.
 */
function entriesOf(key: string, cell: string, field: Field | undefined, current: Entity | undefined): MetadataEntry[] {
  const before = current?.metadata.filter(entry => entry.key === key) ?? []
  // Equal to the cell of an export: unchanged.
  if (current !== undefined && joinValues(valuesOf(current, key).map(String)) === cell) return []
  return valuesIn(cell, field).map((value, index) => ({ ...before[index], key, value }))
}

function valuesIn(cell: string, field: Field | undefined): Json[] {
  switch (field?.kind) {
    case 'number':
    case 'minutes':
    case 'boolean': {
      // Exports write numbers with a decimal point.
      if (field.kind !== 'boolean' && Number.isFinite(Number(cell))) return [Number(cell)]
      const read = readCell(field, cell, [], { order: undefined, zone: undefined })
      // Text that cannot be read stays text, and the check refuses it.
      return ['value' in read ? read.value : cell]
    }
    case 'codes':
      return [splitValues(cell)]
    case 'html':
      return [cell]
    default:
      return splitValues(cell)
  }
}
