import type { Entity } from '../../../client/index.ts'
import { isEmpty, isComputed, textOf } from '../data/record-model.ts'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { FieldValue } from './field-value.tsx'

interface FactsProps {
  readonly entity: Pick<Entity, 'type' | 'metadata'>
  /** Keys that are shown elsewhere. */
  readonly without?: readonly string[]
  /** The time zone of the place, for moments. */
  readonly zone?: string | undefined
}

/** The fields of a record that have a value: declared fields in order, then all others. */
export function Facts({ entity, without = [], zone }: FactsProps) {
  const { model } = useSession()
  const { fieldName, languageName } = useLocale()
  const row = model.find(entity.type)
  const declared = row?.fields.map(field => field.key) ?? []
  const keys = [...new Set([...declared, ...entity.metadata.map(entry => entry.key)])]
  const shown = keys
    .filter(key => !without.includes(key) && !isComputed(row, key))
    .map(key => ({ key, entries: entity.metadata.filter(entry => entry.key === key && !isEmpty(entry.value)) }))
    .filter(({ entries }) => entries.length > 0)
  if (shown.length === 0) return null
  return (
    <dl className="facts">
      {shown.map(({ key, entries }) => (
        <div key={key}>
          <dt>{fieldName(key)}</dt>
          {entries.map(entry => (
            <dd key={`${textOf(entry.value)} ${entry.lang ?? ''}`} dir="auto">
              <span lang={entry.lang}>
                <FieldValue name={key} kind={model.fieldOf(entity.type, key)?.kind} value={entry.value} zone={zone} />
              </span>
              {entry.lang !== undefined && <span className="lang-tag"> {languageName(entry.lang)}</span>}
            </dd>
          ))}
        </div>
      ))}
    </dl>
  )
}
