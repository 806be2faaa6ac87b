import type { ReactNode } from 'react'

import { TableHead } from '../parts/table-head.tsx'
import { useLocale } from '../i18n/locale.tsx'

interface ColumnTableProps<Column> {
  readonly columns: readonly Column[]
  readonly chosen: (column: Column) => string
  readonly onChoose: (name: string, meaning: string) => void
  /** The options of each select. */
  readonly children: ReactNode
}

/** The columns of a file with their first values, and a choice of what each column means. */
export function ColumnTable<Column extends { readonly name: string; readonly example: string }>({
  columns,
  chosen,
  onChoose,
  children
}: ColumnTableProps<Column>) {
  const { words } = useLocale()
  return (
    <table className="manage-table">
      <TableHead names={[words.column, words.firstRow, words.meaning]} />
      <tbody>
        {columns.map(column => (
          <tr key={column.name}>
            <th scope="row">{column.name}</th>
            <td className="soft column-example">{column.example}</td>
            <td>
              <select
                aria-label={`${words.meaning}: ${column.name}`}
                value={chosen(column)}
                onChange={event => onChoose(column.name, event.target.value)}
              >
                {children}
              </select>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
