import type { ReactNode } from 'react'
import { Link } from 'react-router'

interface LevelCardProps {
  readonly level: 'work' | 'expression' | 'manifestation'
  readonly label: string
  readonly id: string
  readonly current: string
  readonly title: string
  readonly tags?: readonly string[]
  readonly action?: ReactNode
  readonly children: ReactNode
}

/** One record in the tree of a work, with the colour of its level. */
export function LevelCard({ level, label, id, current, title, tags = [], action, children }: LevelCardProps) {
  const isCurrent = id === current
  return (
    <div className={`level level-${level}${isCurrent ? ' current' : ''}`}>
      <span className="level-label">{label}</span>
      <span className="level-title">
        <Link to={`/record/${encodeURIComponent(id)}`} aria-current={isCurrent ? 'page' : undefined}>
          {title}
        </Link>
        {tags.map(tag => (
          <span key={tag} className="tag">
            {tag}
          </span>
        ))}
      </span>
      <span className="level-line">{children}</span>
      {action}
    </div>
  )
}

/** The parts of a line that are there, separated by dots. */
export const levelLine = (...parts: readonly (readonly (string | undefined)[])[]) =>
  parts.flat().filter(Boolean).join(' · ')
