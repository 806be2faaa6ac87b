import { Children, type ReactNode } from 'react'
import { Link } from '../parts/router.tsx'

interface LevelCardProps {
  readonly level: 'work' | 'expression' | 'manifestation'
  readonly label: string
  readonly id: string
  readonly current: string
  readonly title: string
  /** The language of the title, where the record gives it. */
  readonly lang: string | undefined
  /** The title in the heading of the page. A record with the same one is named by its line. */
  readonly known?: string | undefined
  readonly tags?: readonly string[]
  readonly action?: ReactNode
  readonly children: ReactNode
}

/** One record in the tree of a work, with the colour of its level. */
export function LevelCard({
  level,
  label,
  id,
  current,
  title,
  lang,
  known,
  tags = [],
  action,
  children
}: LevelCardProps) {
  const isCurrent = id === current
  const isNamedByLine = title === known && children !== undefined
  return (
    <div className={`level level-${level}${isCurrent ? ' current' : ''}`}>
      <span className="level-label">{label}</span>
      <span className={isNamedByLine ? 'level-title by-line' : 'level-title'} dir="auto">
        <Link
          to={`/record/${encodeURIComponent(id)}`}
          lang={isNamedByLine ? undefined : lang}
          aria-current={isCurrent ? 'page' : undefined}
        >
          {isNamedByLine ? children : title}
        </Link>
        {tags.map(tag => (
          <span key={tag} className="tag">
            {tag}
          </span>
        ))}
      </span>
      {!isNamedByLine && (
        <span className="level-line" dir="auto">
          {children}
        </span>
      )}
      {action}
    </div>
  )
}

/** The parts of a line that are there, separated by dots. */
export function levelLine(...parts: readonly (readonly ReactNode[])[]): ReactNode {
  const shown = Children.toArray(parts.flat()).filter(each => each !== '')
  return shown.length === 0 ? undefined : shown.flatMap((each, index) => (index === 0 ? [each] : [' · ', each]))
}
