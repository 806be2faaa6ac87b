import { ChevronRight } from 'lucide-react'
import { Link } from '../parts/router.tsx'

import { useLangOf, useNameOf } from '../data/use-name-of.ts'
import { useRecords } from '../data/use-names.ts'
import { useLocale } from '../i18n/locale.tsx'
import type { ResolvedTarget } from './readable-relation.ts'

/** The related records, grouped by relation. */
export function Targets({ targets }: { readonly targets: readonly ResolvedTarget[] }) {
  const { relationName, typeName } = useLocale()
  const named = useNamed(targets)
  const groups = [...Map.groupBy(named, target => target.type)]
  /** A work and its expression may have the same name: then the kind is shown. */
  const kindOf = ({ key, name, kind }: NamedTarget, all: readonly NamedTarget[]) =>
    kind !== undefined && all.some(other => other.key !== key && other.name === name) ? typeName(kind) : undefined
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
                  <Target target={target} kind={kindOf(target, all)} />
                </li>
              ))}
            </ul>
          </dd>
        </div>
      ))}
    </dl>
  )
}

interface NamedTarget extends ResolvedTarget {
  readonly kind: string | undefined
  readonly lang: string | undefined
}

/** Names the targets in the language of the reader, as soon as the records are known. */
function useNamed(targets: readonly ResolvedTarget[]): readonly NamedTarget[] {
  const nameOf = useNameOf()
  const langOf = useLangOf()
  const { roleName } = useLocale()
  const records = useRecords(targets.filter(({ isMissing }) => !isMissing).map(({ key }) => key))
  return targets.map(target => {
    const record = records.get(target.key)
    // A term for a role is known by its code in every language.
    const role = target.roleCode === undefined ? undefined : roleName(target.roleCode)
    if (role !== undefined && role !== target.roleCode)
      return { ...target, name: role, kind: record?.type, lang: undefined }
    return {
      ...target,
      name: record ? nameOf(record) : target.name,
      kind: record?.type,
      lang: record && langOf(record)
    }
  })
}

interface TargetProps {
  readonly target: NamedTarget
  readonly kind: string | undefined
}

function Target({ target, kind }: TargetProps) {
  const { words, roleName } = useLocale()
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
      <Link to={`/record/${encodeURIComponent(target.key)}`} dir="auto" lang={target.lang}>
        {target.name}
      </Link>
      {kind !== undefined && <span className="soft"> {kind}</span>}
      {target.number !== undefined && <span> ; {target.number}</span>}
      {target.more !== undefined && <span className="soft"> {target.more}</span>}
      {target.role !== undefined && <span className="role">{roleName(target.role)}</span>}
    </>
  )
}
