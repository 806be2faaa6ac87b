import type { ReactNode } from 'react'
import { Link } from 'react-router'

interface LevelCardProps {
  readonly level: 'work' | 'expression' | 'manifestation'
  readonly label: string
  readonly id: string
  readonly current: string
  readonly title: string
  /** The title in the heading of the page. A record with the same one is named by its line. */
  readonly known?: string | undefined
  readonly tags?: readonly string[]
  readonly action?: ReactNode
  readonly children: ReactNode
}

/** One record in the tree of a work, with the colour of its level. */
export function LevelCard({ level, label, id, current, title, known, tags = [], action, children }: LevelCardProps) {
  const isCurrent = id === current
  const isNamedByLine = title === known && typeof children === 'string' && children !== ''
  return (
    <div className={`level level-${level}${isCurrent ? ' current' : ''}`}>
      <span className="level-label">{label}</span>
      <span className={isNamedByLine ? 'level-title by-line' : 'level-title'} dir="auto">
        <Link to={`/record/${encodeURIComponent(id)}`} aria-current={isCurrent ? 'page' : undefined}>
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
export const levelLine = (...parts: readonly (readonly (string | undefined)[])[]) =>
  parts.flat().filter(Boolean).join(' · ')
