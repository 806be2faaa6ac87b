import type { Catalogue } from '#catalogue/catalogue.ts'
import { type Entity, targetsOf } from '#domain/entity/entity.ts'
import type { GivenName } from '#domain/filter/field-names.ts'
import type { Principal } from '#domain/permissions.ts'
import type { Model } from '#domain/record-types/model.ts'
import { writeCsvRow } from '#formats/tables/write-csv.ts'
import { cellsOf, namedRelations, namesInColumns, readColumns, usualColumns } from './csv-columns.ts'

export interface TableOptions {
  /** Types whose fields and relations are the default columns; all when empty. */
  readonly types: readonly string[]
  /** Columns by name; the default ones when empty. */
  readonly columns?: readonly string[]
  /** Writes cells that look like formulas without an apostrophe. */
  readonly keepsFormulas?: boolean
}

/** A table of entities: its first line, and the rows of some of them. */
export interface EntityTable {
  readonly head: string
  /** The names in its columns, where they were given, for the query of its rows. */
  readonly names: readonly GivenName[]
  rows(entities: readonly { readonly json: string }[]): Promise<string>
}

/** Prepares a table of entities in CSV. Throws `invalid` for unknown columns. */
export function entityTable(
  { catalogue, model }: { readonly catalogue: Catalogue; readonly model: Model },
  principal: Principal,
  { types, columns: named = [], keepsFormulas = false }: TableOptions
): EntityTable {
  const shown = types.length === 0 ? model.recordTypes.map(({ type }) => type) : types
  // The headings do not reveal types that the principal may not read.
  const readable = shown.filter(type => principal.mayRead(type))
  const columns = named.length > 0 ? readColumns(named) : usualColumns(model, readable)
  const relations = [...namedRelations(columns)]
  const names = named.length > 0 ? namesInColumns(columns) : []
  const options = { guardsFormulas: !keepsFormulas }
  return {
    names,
    head: writeCsvRow(
      columns.map(({ heading }) => heading),
      options
    ),
    async rows(list) {
      const entities = list.map(({ json }) => JSON.parse(json) as Entity)
      const keys = entities.flatMap(entity => relations.flatMap(type => targetsOf(entity, type)))
      const shownNames = await catalogue.entities.findNames(principal, keys)
      return entities.map(each => writeCsvRow(cellsOf(each, columns, shownNames), options)).join('')
    }
  }
}
