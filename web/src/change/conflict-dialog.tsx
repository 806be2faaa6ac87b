import { useState } from 'react'

import type { Entity, MetadataEntry, Relation } from '../../../client/index.ts'
import { textOf } from '../data/record-model.ts'
import { useRecords } from '../data/use-names.ts'
import { Dialog } from '../parts/dialog.tsx'
import { FieldValue } from '../record/field-value.tsx'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { type Conflict, joinContents, type NewRecord } from './form-content.ts'
import { RecordName } from '../parts/record-name.tsx'

type Content = Pick<Entity, 'metadata' | 'relations'>

interface ConflictDialogProps {
  readonly base: Content
  readonly mine: Content
  /** The records that are created with mine. */
  readonly made: readonly NewRecord[]
  /** The record as the other user saved it. */
  readonly theirs: Entity
  readonly onSettle: (content: Content) => void
  readonly onClose: () => void
}

/** Resolves conflicting changes of two users, field by field; all others are combined. */
export function ConflictDialog({ base, mine, made, theirs, onSettle, onClose }: ConflictDialogProps) {
  const { words, fieldName, relationName, whoName } = useLocale()
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set())
  const { conflicts, content } = joinContents(base, mine, theirs, name => taken.has(name))
  const toggle = (name: string, isMine: boolean) => {
    const changed = new Set(taken)
    if (isMine) changed.add(name)
    else changed.delete(name)
    setTaken(changed)
  }
  return (
    <Dialog title={words.conflictTitle} onClose={onClose} wide>
      <p>{words.conflictIntro(whoName(theirs.audit.updated.by))}</p>
      {conflicts.map(conflict => {
        const name = `${conflict.part} ${conflict.name}`
        const title = conflict.part === 'metadata' ? fieldName(conflict.name) : relationName(conflict.name)
        return (
          <fieldset key={name} className="conflict">
            <legend>{title}</legend>
            {[false, true].map(isMine => (
              <label key={String(isMine)} className={taken.has(name) === isMine ? 'side chosen' : 'side'}>
                <span className="check">
                  <input
                    type="radio"
                    name={name}
                    checked={taken.has(name) === isMine}
                    onChange={() => toggle(name, isMine)}
                  />
                  {isMine ? words.mine : words.theirs}
                </span>
                <Values
                  type={theirs.type}
                  conflict={conflict}
                  values={isMine ? conflict.mine : conflict.theirs}
                  made={made}
                />
              </label>
            ))}
          </fieldset>
        )
      })}
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          {words.cancel}
        </button>
        <button type="button" className="button primary" onClick={() => onSettle(content)}>
          {words.save}
        </button>
      </div>
    </Dialog>
  )
}

interface ValuesProps {
  readonly type: string
  readonly conflict: Conflict
  readonly values: readonly unknown[]
  readonly made: readonly NewRecord[]
}

function Values({ type, conflict, values, made }: ValuesProps) {
  const { model } = useSession()
  const { words } = useLocale()
  const isField = conflict.part === 'metadata'
  const records = useRecords(isField ? [] : (values as Relation[]).map(({ key }) => key))
  if (values.length === 0) return <span className="soft">{words.emptyValue}</span>
  if (isField)
    return (values as MetadataEntry[]).map(entry => (
      <div key={textOf(entry.value)}>
        <FieldValue name={conflict.name} kind={model.fieldOf(type, conflict.name)?.kind} value={entry.value} />
      </div>
    ))
  return (values as Relation[]).map(({ key }) => {
    const record = made.find(({ id }) => id === key) ?? records.get(key)
    return <div key={key}>{record ? <RecordName record={record} /> : key}</div>
  })
}
