import { useState } from 'react'

import { TableHead } from '../parts/table-head.tsx'
import { Differences } from '../record/history-page.tsx'
import { useRecords } from '../data/use-names.ts'
import { useLocale } from '../i18n/locale.tsx'
import { differencesOf } from './bulk-change.ts'
import { ColumnChoice, ColumnValue, relatedIn, useColumns } from './bulk-columns.tsx'
import { RefusedList } from './refused-list.tsx'
import type { PlannedChange, Refusal } from './send-bulk-change.ts'
import { RecordName } from '../parts/record-name.tsx'

interface ManyPreviewProps {
  readonly all: number
  readonly changes: readonly PlannedChange[]
  readonly refused: readonly Refusal[]
  /** Called with the changes that can be made. */
  readonly onCarryOut: (changes: readonly PlannedChange[]) => void
}

const shownAtFirst = 20

/** The changes record by record, and the refused ones. */
export function ManyPreview({ all, changes, refused, onCarryOut }: ManyPreviewProps) {
  const { words, number, typeName } = useLocale()
  const [shown, setShown] = useState(shownAtFirst)
  const columns = useColumns(changes.map(({ entity }) => entity))
  const refusedIds = new Set(refused.map(({ id }) => id))
  const good = changes.filter(({ entity }) => !refusedIds.has(entity.id))
  const visible = good.slice(0, shown)
  const related = useRecords(
    visible.flatMap(({ entity }) => columns.shown.flatMap(column => relatedIn(entity, column)))
  )
  const stay = all - changes.length
  const told = [
    words.wouldChange(good.length, number(good.length)),
    ...(stay > 0 ? [words.wouldStay(stay, number(stay))] : []),
    ...(refused.length > 0 ? [words.wouldRefuse(refused.length, number(refused.length))] : [])
  ]
  return (
    <section className="many-preview">
      <h2 className="section-title">{words.changesPreview}</h2>
      <p role="status">{changes.length === 0 ? words.nothingWouldChange : `${told.join(', ')}.`}</p>
      {good.length > 0 && (
        <div className="many-actions">
          <button type="button" className="button primary" onClick={() => onCarryOut(good)}>
            {words.carryOut(good.length, number(good.length))}
          </button>
        </div>
      )}
      <RefusedList
        title={words.refusedRecords}
        hint={words.refusedHint}
        refused={refused}
        entities={changes.map(each => each.entity)}
      />
      {good.length > 0 && <ColumnChoice {...columns} />}
      {good.length > 0 && (
        <div className="many-changes">
          <table>
            <TableHead names={[words.recordColumn, ...columns.shown.map(({ name }) => name), words.changesPreview]} />
            <tbody>
              {visible.map(({ entity, next }) => (
                <tr key={entity.id}>
                  <th scope="row">
                    <span className="result-name">
                      <RecordName record={entity} />
                    </span>{' '}
                    <span className="result-type">{typeName(entity.type)}</span>
                  </th>
                  {columns.shown.map(column => (
                    <td key={column.key}>
                      <ColumnValue entity={entity} column={column} related={related} />
                    </td>
                  ))}
                  <td>
                    <Differences type={entity.type} changes={differencesOf(entity, next)} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {good.length > shown && (
        <button type="button" className="button" onClick={() => setShown(shown + 50)}>
          {words.showMore}
        </button>
      )}
    </section>
  )
}
