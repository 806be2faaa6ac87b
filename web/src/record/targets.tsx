import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'

import { useSpeech } from '../words/words.tsx'
import type { ResolvedTarget } from './readable-relation.ts'

/** What records are related to, by relation, each a way to go on. */
export function Targets({ targets }: { readonly targets: readonly ResolvedTarget[] }) {
  const { relationName } = useSpeech()
  const groups = [...Map.groupBy(targets, target => target.type)]
  if (groups.length === 0) return null
  return (
    <dl className="facts">
      {groups.map(([type, all]) => (
        <div key={type}>
          <dt>{relationName(type)}</dt>
          <dd>
            <ul className="targets">
              {all.map(target => (
                <li key={target.key}>
                  <Target target={target} />
                </li>
              ))}
            </ul>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Target({ target }: { readonly target: ResolvedTarget }) {
  const { words } = useSpeech()
  if (target.isMissing)
    return (
      <span className="soft">
        {target.key} ({words.missingRecord})
      </span>
    )
  const broader = target.levels.slice(0, -1)
  return (
    <>
      {broader.length > 0 && (
        <span className="levels">
          {broader.map(({ level, title }) => (
            <span key={level}>
              {title} <ChevronRight size={12} aria-hidden="true" />
            </span>
          ))}
        </span>
      )}
      <Link to={`/record/${encodeURIComponent(target.key)}`}>{target.name}</Link>
      {target.more !== undefined && <span className="soft"> {target.more}</span>}
      {target.role !== undefined && <span className="role">{target.role}</span>}
    </>
  )
}
