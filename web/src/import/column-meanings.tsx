import { useId } from 'react'

import { Options } from '../parts/options.tsx'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { ColumnTable } from './column-table.tsx'
import type { TableHead } from './table-head.ts'

/** The meanings chosen for columns, by column name. */
export type ColumnChoices = Readonly<Record<string, string>>

const levels = ['manifestation', 'expression', 'work'] as const
/** The level of a role: authors belong to the work, translators to the expression. */
const roles = { aut: 'work', trl: 'expression', ill: 'expression', edt: 'expression', nrt: 'expression' } as const
const peopleRelation = 'refAuthors'
/** The relations between the levels, which no column gives. */
const structural = ['refExpressions', 'refWork']

/** The kind of rows that have none. */
export const usualMaterial = 'word'

/** The mapping sent to the service; undefined if all columns are recognised by name. */
export function mappingOf(choices: ColumnChoices, material: string): unknown {
  const columns = Object.entries(choices)
    .filter(([, choice]) => choice !== '')
    .map(([name, choice]) => [name, ruleOf(choice)])
  if (columns.length === 0 && material === usualMaterial) return undefined
  return {
    ...(material === usualMaterial ? {} : { material }),
    ...(columns.length === 0 ? {} : { columns: Object.fromEntries(columns) })
  }
}

function ruleOf(choice: string): unknown {
  if (choice === 'name') return 'name'
  const [is, level, name, role] = choice.split(' ')
  if (is === 'key') return { level, key: name }
  if (is === 'relation') return { level, relation: name, ...(role === undefined ? {} : { role }) }
  return null
}

interface ColumnMeaningsProps {
  readonly head: TableHead
  readonly choices: ColumnChoices
  readonly onChoose: (choices: ColumnChoices) => void
  readonly material: string
  readonly onMaterial: (material: string) => void
}

/** Chooses a meaning for each column. The choices come from the tables of the record types. */
export function ColumnMeanings({ head, choices, onChoose, material, onMaterial }: ColumnMeaningsProps) {
  const { model } = useSession()
  const { words, familyName, fieldName, relationName, typeName } = useLocale()
  const id = useId()
  const groups = levels.flatMap(level => {
    const [row] = model.families.get(level) ?? []
    if (row === undefined) return []
    const people = Object.entries(roles)
      .filter(([, at]) => at === level)
      .map(([role]) => ({
        value: `relation ${level} ${peopleRelation} ${role}`,
        name: words.columnRoles[role as keyof typeof roles]
      }))
    return [
      {
        level,
        options: [
          ...row.fields.map(({ key }) => ({ value: `key ${level} ${key}`, name: fieldName(key) })),
          ...people,
          ...row.relations
            .filter(({ type }) => type !== peopleRelation && !structural.includes(type))
            .map(({ type }) => ({ value: `relation ${level} ${type}`, name: relationName(type) }))
        ]
      }
    ]
  })
  const materials = (model.families.get('manifestation') ?? []).map(({ type }) => type)
  return (
    <fieldset className="field columns">
      <legend>{words.columnsTitle}</legend>
      <p className="hint">{words.columnsHint}</p>
      <ColumnTable
        columns={head.columns}
        chosen={({ name }) => choices[name] ?? ''}
        onChoose={(name, meaning) => onChoose({ ...choices, [name]: meaning })}
      >
        <option value="">{words.byItsName}</option>
        <option value="name">{words.recordNumber}</option>
        {groups.map(({ level, options }) => (
          <optgroup key={level} label={familyName(level)}>
            <Options
              of={options.map(({ value }) => value)}
              name={value => options.find(each => each.value === value)?.name ?? value}
            />
          </optgroup>
        ))}
        <option value="nothing">{words.leaveOut}</option>
      </ColumnTable>
      <label htmlFor={`${id}-material`}>{words.materialOfRows}</label>
      <select id={`${id}-material`} value={material} onChange={event => onMaterial(event.target.value)}>
        {materials.map(type => (
          <option key={type} value={type.replace(/^manifestation_/, '')}>
            {typeName(type)}
          </option>
        ))}
      </select>
    </fieldset>
  )
}
