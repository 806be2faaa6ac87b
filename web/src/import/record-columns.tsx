import { useId } from 'react'

import type { MappingProposal } from '../../../client/index.ts'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { ColumnTable } from './column-table.tsx'

/** The meanings that a person chose, by column: `venue name`. */
export type Meanings = Readonly<Record<string, string>>

/** The key of columns that identify a record. */
const identifier = 'identifier'

interface RecordColumnsProps {
  readonly proposal: MappingProposal
  readonly meanings: Meanings
  readonly onMeanings: (meanings: Meanings) => void
  /** The mapping as text, once it was written by hand. */
  readonly written: string | undefined
  readonly onWritten: (text: string | undefined) => void
}

/** Chooses the field of a record that each column fills. The service makes the mapping of it. */
export function RecordColumns({ proposal, meanings, onMeanings, written, onWritten }: RecordColumnsProps) {
  const { model } = useSession()
  const { words, typeName, fieldName, relationName, roleName } = useLocale()
  const id = useId()
  const text = written ?? (proposal.mapping === null ? '' : JSON.stringify(proposal.mapping, null, 2))
  const choose = (column: string, meaning: string) => {
    onWritten(undefined)
    onMeanings({ ...meanings, [column]: meaning })
  }
  return (
    <fieldset className="field columns">
      <legend>{words.columnsTitle}</legend>
      <p className="hint">{words.recordColumnsHint}</p>
      <ColumnTable
        columns={proposal.columns}
        chosen={({ name, meaning }) => meanings[name] ?? meaning}
        onChoose={choose}
      >
        <option value="">{words.leaveOut}</option>
        {[...new Set(proposal.columns.map(({ meaning }) => meaning))].map(meaning => {
          // The people of a production in a role: `production refAuthors director`.
          const [type = '', relation = '', ...role] = meaning.split(' ')
          return (
            role.length > 0 && (
              <option key={meaning} value={meaning}>
                {typeName(type)}: {relationName(relation)}: {roleName(role.join(' '))}
              </option>
            )
          )
        })}
        {model.types.map(({ type, fields }) => (
          <optgroup key={type} label={typeName(type)}>
            <option value={`${type} ${identifier}`}>
              {typeName(type)}: {words.recordNumber}
            </option>
            {fields.map(({ key }) => (
              <option key={key} value={`${type} ${key}`}>
                {typeName(type)}: {fieldName(key)}
              </option>
            ))}
          </optgroup>
        ))}
      </ColumnTable>
      {proposal.mapping === null && written === undefined && <p className="note note-warn">{words.noRecordMade}</p>}
      <details>
        <summary>{words.mappingAsText}</summary>
        <textarea
          aria-label={words.mappingAsText}
          className="code"
          rows={14}
          spellCheck={false}
          value={text}
          aria-describedby={`${id}-mapping-hint`}
          onChange={event => onWritten(event.target.value)}
        />
        <p id={`${id}-mapping-hint`} className="hint">
          {words.mappingHint}
        </p>
      </details>
    </fieldset>
  )
}
