import { Link } from '../parts/router.tsx'

import type { Entity } from '../../../client/index.ts'
import { useLocale } from '../i18n/locale.tsx'
import type { Refusal } from './send-bulk-change.ts'
import { RecordName } from '../parts/record-name.tsx'

interface RefusedListProps {
  readonly title: string
  readonly hint?: string
  readonly refused: readonly Refusal[]
  readonly entities: readonly Entity[]
}

/** The refused records with the reasons. */
export function RefusedList({ title, hint, refused, entities }: RefusedListProps) {
  const { number } = useLocale()
  if (refused.length === 0) return null
  const byId = new Map(entities.map(entity => [entity.id, entity]))
  return (
    <section className="refused">
      <h3 className="section-title">
        {title} <span className="count">{number(refused.length)}</span>
      </h3>
      {hint !== undefined && <p className="soft">{hint}</p>}
      <ul>
        {refused.map(({ id, messages }) => {
          const entity = byId.get(id)
          return (
            <li key={id}>
              <Link to={`/record/${encodeURIComponent(id)}`}>{entity ? <RecordName record={entity} /> : id}</Link>
              {[...new Set(messages)].map(message => (
                <p key={message} className="fault">
                  {message}
                </p>
              ))}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
