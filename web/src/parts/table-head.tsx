import type { ReactNode } from 'react'

interface TableHeadProps {
  readonly names: readonly ReactNode[]
  /** Whether only screen readers have it. */
  readonly isHidden?: boolean
}

/** The head of a table: the name of each column. */
export const TableHead = ({ names, isHidden = false }: TableHeadProps) => (
  <thead className={isHidden ? 'visually-hidden' : undefined}>
    <tr>
      {names.map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a table stay where they are
        <th key={index} scope="col">
          {name}
        </th>
      ))}
    </tr>
  </thead>
)
