import type { ReactNode } from 'react'

import { TableHead } from '../parts/table-head.tsx'
import { useLocale } from '../i18n/locale.tsx'
import './chart.css'

/* A chart is a picture and a table with the same rows (decision 19). */

/** A series of a chart. `tone` is a class of chart.css with its colour. */
export interface Series {
  readonly key: string
  readonly name: string
  readonly tone: string
}

export interface ChartRow {
  readonly key: string
  readonly name: string
  /** One value for each series, in order. */
  readonly counts: readonly number[]
}

interface ChartProps {
  readonly title: string
  /** The name of the rows. */
  readonly heading: string
  readonly series: readonly Series[]
  readonly rows: readonly ChartRow[]
  /** The picture. It is hidden from screen readers, which read the table. */
  readonly children: ReactNode
}

export function Chart({ title, heading, series, rows, children }: ChartProps) {
  const { words, number } = useLocale()
  return (
    <figure className="chart">
      <figcaption>{title}</figcaption>
      <div aria-hidden="true">{children}</div>
      <ul className="chart-legend" aria-hidden="true">
        {series.map(({ key, name, tone }) => (
          <li key={key}>
            <span className={`chart-key ${tone}`} /> {name}
          </li>
        ))}
      </ul>
      <details>
        <summary>{words.asTable}</summary>
        {/* Scrollable by the keyboard, since it may be wider than a phone. */}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached */}
        <section className="chart-table" tabIndex={0} aria-label={title}>
          <table>
            <TableHead names={[heading, ...series.map(({ name }) => name)]} />
            <tbody>
              {rows.map(row => (
                <tr key={row.key}>
                  <th scope="row">{row.name}</th>
                  {series.map(({ key }, index) => (
                    <td key={key}>{number(row.counts[index] ?? 0)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  )
}

interface BarProps {
  readonly row: ChartRow
  readonly series: readonly Series[]
  /** The value of the full length. */
  readonly most: number
  readonly isUpright?: boolean
}

/** One bar, horizontal or vertical, with its series one after the other. */
export function Bar({ row, series, most, isUpright = false }: BarProps) {
  const length = 1000
  let at = 0
  const pieces = series.map(({ key, name, tone }, index) => {
    const count = row.counts[index] ?? 0
    const long = (count / Math.max(1, most)) * length
    const from = at
    at += long
    return { key, tone, from, long, title: `${name}: ${count}` }
  })
  return (
    <svg
      className={isUpright ? 'bar upright' : 'bar'}
      viewBox={isUpright ? `0 0 10 ${length}` : `0 0 ${length} 10`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {pieces
        .filter(({ long }) => long > 0)
        .map(({ key, tone, from, long, title }) => (
          <rect
            key={key}
            className={tone}
            {...(isUpright
              ? { x: 0, width: 10, y: length - from - long, height: long }
              : { x: from, width: long, y: 0, height: 10 })}
          >
            <title>{title}</title>
          </rect>
        ))}
    </svg>
  )
}
