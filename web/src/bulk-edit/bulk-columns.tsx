import { Choices } from '../parts/choices.tsx'
import type { Entity } from '../../../client/index.ts'
import { useStoredState } from '../change/use-stored-state.ts'
import { valuesOf } from '../data/record-model.ts'
import { useNameOf } from '../data/use-name-of.ts'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { FieldValue } from '../record/field-value.tsx'

/** A field or a relation that is shown beside each change. */
export interface Column {
  readonly key: string
  readonly name: string
  readonly isRelation: boolean
}

/** The fields and relations that the records have, and those of them that the user has chosen. */
export function useColumns(entities: readonly Entity[]) {
  const { fieldName, relationName } = useLocale()
  const [chosen, setChosen] = useStoredState<readonly string[]>('columns of bulk edit', [])
  const keys = new Set(entities.flatMap(({ metadata }) => metadata.map(({ key }) => key)))
  const types = new Set(entities.flatMap(({ relations }) => relations.map(({ type }) => type)))
  const all: Column[] = [
    ...[...keys].map(key => ({ key, name: fieldName(key), isRelation: false })),
    ...[...types].map(key => ({ key, name: relationName(key), isRelation: true }))
  ].toSorted((one, other) => one.name.localeCompare(other.name))
  return { all, shown: all.filter(({ key }) => chosen.includes(key)), chosen, setChosen }
}

/** Chooses the columns. */
export function ColumnChoice({ all, chosen, setChosen }: ReturnType<typeof useColumns>) {
  const { words } = useLocale()
  return (
    <details className="many-columns">
      <summary>{words.columnsShown}</summary>
      <fieldset className="chips">
        <legend className="visually-hidden">{words.columnsShown}</legend>
        <Choices
          of={all.map(({ key }) => key)}
          chosen={chosen}
          onChoose={setChosen}
          name={key => all.find(each => each.key === key)?.name}
        />
      </fieldset>
    </details>
  )
}

/** The ids of the records in a column. */
export const relatedIn = ({ relations }: Entity, { key, isRelation }: Column): string[] =>
  isRelation ? relations.filter(({ type }) => type === key).map(each => each.key) : []

interface ColumnValueProps {
  readonly entity: Entity
  readonly column: Column
  /** The related records of all columns, as far as they are known. */
  readonly related: ReadonlyMap<string, Entity>
}

/** The values of a record in a column. */
export function ColumnValue({ entity, column, related }: ColumnValueProps) {
  const { model } = useSession()
  const nameOf = useNameOf()
  const { key, isRelation } = column
  const nameAt = (id: string) => {
    const found = related.get(id)
    return found ? nameOf(found) : id
  }
  if (isRelation) return relatedIn(entity, column).map(nameAt).join(', ')
  return valuesOf(entity, key).map((value, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: values of a field have no other identity
    <span key={index}>
      {index > 0 && ', '}
      <FieldValue name={key} kind={model.fieldOf(entity.type, key)?.kind} value={value} />
    </span>
  ))
}
