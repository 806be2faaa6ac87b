import type { ReactNode } from 'react'
import { Link } from 'react-router'

import type { Tree } from '../../../client/index.ts'
import { textOf } from '../data/record-model.ts'
import { useNameOf } from '../data/use-name-of.ts'
import { useRecords } from '../data/use-names.ts'
import { useTree } from '../data/use-record.ts'
import { QueryNote } from '../parts/query-note.tsx'
import { useSpeech } from '../words/words.tsx'
import { resolvedTarget } from './readable-relation.ts'
import './levels.css'

type Level = Tree['work'] | Tree['expressions'][number]

interface WorkTreeProps {
  readonly workId: string
  /** The record that the page is about; it is marked in the tree. */
  readonly current: string
}

/** A work, its expressions and their editions. Each level has its colour, its line and its place further in. */
export function WorkTree({ workId, current }: WorkTreeProps) {
  const { words, number } = useSpeech()
  const tree = useTree(workId)
  const languagesOf = useLanguages(tree.data?.expressions ?? [])
  if (!tree.data) return <QueryNote query={tree} />
  const { work, expressions, count } = tree.data
  return (
    <section className="levels-tree" aria-label={words.expressionsAndEditions}>
      <LevelCard level="work" label={words.work} id={work.id} current={current} title={titleOf(work)}>
        {line(targetNames(work, 'refAuthors'), [firstText(work, 'year')])}
        <span className="levels-count">
          {words.expressions(expressions.length, number(expressions.length))} · {words.editions(count, number(count))}
        </span>
      </LevelCard>
      {expressions.length === 0 && <p className="soft levels-none">{words.noExpressions}</p>}
      <ul>
        {expressions.map(expression => (
          <li key={expression.id}>
            <LevelCard
              level="expression"
              label={words.expression}
              id={expression.id}
              current={current}
              title={titleOf(expression)}
              tags={languagesOf(expression)}
            >
              {line(targetNames(expression, 'refAuthors', true), [
                firstText(expression, 'content_type'),
                firstText(expression, 'year')
              ])}
            </LevelCard>
            {expression.manifestations.length === 0 && <p className="soft levels-none">{words.noEditions}</p>}
            <ul>
              {expression.manifestations.map(manifestation => (
                <li key={manifestation.id}>
                  <LevelCard
                    level="manifestation"
                    label={words.manifestation}
                    id={manifestation.id}
                    current={current}
                    title={titleOf(manifestation)}
                  >
                    {line(
                      [firstText(manifestation, 'year_of_publication')],
                      targetNames(manifestation, 'refPublishers'),
                      [firstText(manifestation, 'material_type'), firstText(manifestation, 'isbn')]
                    )}
                  </LevelCard>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The languages of expressions, named in the language of whoever looks as soon as that is known. */
function useLanguages(expressions: readonly Level[]): (expression: Level) => readonly string[] {
  const nameOf = useNameOf()
  const targetsOf = (level: Level) =>
    Object.entries(level.relations)
      .map(([key, relation]) => resolvedTarget(key, relation))
      .filter(({ type }) => type === 'refLanguages')
  const records = useRecords(expressions.flatMap(targetsOf).map(({ key }) => key))
  return expression =>
    targetsOf(expression).map(({ key, name }) => {
      const record = records.get(key)
      return record ? nameOf(record) : name
    })
}

interface LevelCardProps {
  readonly level: 'work' | 'expression' | 'manifestation'
  readonly label: string
  readonly id: string
  readonly current: string
  readonly title: string
  readonly tags?: readonly string[]
  readonly children: ReactNode
}

function LevelCard({ level, label, id, current, title, tags = [], children }: LevelCardProps) {
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
    </div>
  )
}

const line = (...parts: readonly (readonly (string | undefined)[])[]) => parts.flat().filter(Boolean).join(' · ')

export function firstText(level: Pick<Level, 'metadata'>, key: string): string | undefined {
  const found = level.metadata[key]
  return found === undefined ? undefined : textOf(found.value)
}

export const titleOf = (level: Pick<Level, 'metadata'>) => firstText(level, 'title') ?? '—'

function targetNames(level: Pick<Level, 'relations'>, type: string, withRoles = false): string[] {
  return Object.entries(level.relations)
    .map(([key, relation]) => resolvedTarget(key, relation))
    .filter(target => target.type === type)
    .map(({ name, role }) => (withRoles && role !== undefined ? `${name} (${role})` : name))
}
