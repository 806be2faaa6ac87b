import { type ReactNode, useId, useState } from 'react'

import type { Tree } from '../../../client/index.ts'
import { textOf } from '../data/record-model.ts'
import { useNameOf } from '../data/use-name-of.ts'
import { useRecords } from '../data/use-names.ts'
import { useEditionCounts, useTree } from '../data/use-record.ts'
import { wordsIn } from '../../../src/domain/find/find-filters.ts'
import { QueryNote } from '../parts/query-note.tsx'
import { RecordName } from '../parts/record-name.tsx'
import { useDebounced } from '../parts/use-debounced.ts'
import { useLocale } from '../i18n/locale.tsx'
import { AddEdition } from './add-here.tsx'
import { Editions } from './editions.tsx'
import { LevelCard, levelLine } from './level-card.tsx'
import { resolvedTarget } from './readable-relation.ts'
import './work-tree.css'

type Level = Tree['work'] | Tree['expressions'][number]

interface WorkTreeProps {
  readonly workId: string
  /** The record that the page is about; it is marked in the tree. */
  readonly current: string
  /** The title in the heading of the page, which is not repeated. */
  readonly known?: string
}

/** Number of editions from which the tree can be filtered. */
const minFiltered = 10

/** Number of expressions shown at first, and added by each "Show more". */
const expressionsAtOnce = 50

/** Maximum number of expressions that are unfolded when a filter leaves only them. */
const maxUnfolded = 5

/**
 * A work, its expressions and their editions. Each level has its colour, its line and its indent.
 */
export function WorkTree({ workId, current, known }: WorkTreeProps) {
  const { words, number, language, roleName } = useLocale()
  const tree = useTree(workId)
  const [typed, setTyped] = useState('')
  const wanted = wordsIn(useDebounced(typed, 150)).join(' ')
  const isWhole = tree.data !== undefined && tree.data.next === undefined && wanted === ''
  const counted = useEditionCounts(workId, wanted, tree.data !== undefined && !isWhole)
  const { text = '', byExpression: counts } = isWhole ? {} : (counted.data ?? {})
  const [max, setMax] = useState(expressionsAtOnce)
  const languagesOf = useLanguages(tree.data?.expressions ?? [])
  const authorsOf = useTargetNames(tree.data ? [tree.data.work, ...tree.data.expressions] : [], 'refAuthors')
  const filterId = useId()
  if (!tree.data) return <QueryNote query={tree} />
  const { work, expressions, count } = tree.data
  const matching = text === '' || !counts ? expressions : expressions.filter(({ id }) => counts.has(id))
  const shown = matching.slice(0, max)
  const currentExpression = matching.find(({ id }) => id === current)
  if (currentExpression && !shown.includes(currentExpression)) shown.push(currentExpression)
  return (
    <section className="levels-tree" aria-label={words.expressionsAndEditions}>
      <LevelCard level="work" label={words.work} id={work.id} current={current} {...titleIn(work, language)}>
        {levelLine(authorsOf(work), [firstText(work, 'year')])}
        <span className="levels-count">
          {words.expressions(expressions.length, number(expressions.length))} · {words.editions(count, number(count))}
        </span>
      </LevelCard>
      {count > minFiltered && (
        <div className="levels-filter">
          <label htmlFor={filterId} className="visually-hidden">
            {words.filterEditions}
          </label>
          <input
            id={filterId}
            type="search"
            value={typed}
            placeholder={words.filterEditions}
            onChange={event => setTyped(event.target.value)}
          />
        </div>
      )}
      {expressions.length === 0 && <p className="soft levels-none">{words.noExpressions}</p>}
      {!isWhole && !counts && <QueryNote query={counted} />}
      {text !== '' && counts && matching.length === 0 && (
        <p className="soft levels-none" role="status">
          {words.nothingFound(text)}
        </p>
      )}
      <ul>
        {(isWhole || counts) &&
          shown.map(expression => (
            <li key={expression.id}>
              <LevelCard
                level="expression"
                label={words.expression}
                id={expression.id}
                current={current}
                {...titleIn(expression, language)}
                known={known}
                tags={languagesOf(expression)}
                action={<AddEdition expression={expression} isSmall />}
              >
                {levelLine(authorsOf(expression, roleName), [
                  firstFact(expression, 'content_type'),
                  firstText(expression, 'year')
                ])}
              </LevelCard>
              {isWhole ? (
                <WholeEditions expression={expression} current={current} known={known} />
              ) : (
                <FoldedEditions
                  expressionId={expression.id}
                  count={counts?.get(expression.id) ?? 0}
                  text={text}
                  current={current}
                  known={known}
                  isOpenAtFirst={text !== '' && matching.length <= maxUnfolded}
                />
              )}
            </li>
          ))}
      </ul>
      {matching.length > max && (
        <p className="show-more-line">
          <span className="soft">{words.shownOf(number(max), number(matching.length))}</span>
          <button type="button" className="button" onClick={() => setMax(max + expressionsAtOnce)}>
            {words.showMore}
          </button>
        </p>
      )}
    </section>
  )
}

interface WholeEditionsProps {
  readonly expression: Tree['expressions'][number]
  readonly current: string
  readonly known: string | undefined
}

/** The editions of an expression, of a work whose tree came as a whole. */
function WholeEditions({ expression, current, known }: WholeEditionsProps) {
  const { words, language } = useLocale()
  const publishersOf = useTargetNames(expression.manifestations, 'refPublishers')
  if (expression.manifestations.length === 0) return <p className="soft levels-none">{words.noEditions}</p>
  return (
    <ul>
      {expression.manifestations.map(manifestation => (
        <li key={manifestation.id}>
          <LevelCard
            level="manifestation"
            label={words.manifestation}
            id={manifestation.id}
            current={current}
            {...titleIn(manifestation, language)}
            known={known}
          >
            {levelLine([firstText(manifestation, 'year_of_publication')], publishersOf(manifestation), [
              firstFact(manifestation, 'material_type'),
              firstText(manifestation, 'isbn')
            ])}
          </LevelCard>
        </li>
      ))}
    </ul>
  )
}

interface FoldedEditionsProps {
  readonly expressionId: string
  readonly count: number
  readonly text: string
  readonly current: string
  readonly known: string | undefined
  readonly isOpenAtFirst: boolean
}

/** The number of editions of an expression; they are fetched when it is unfolded. */
function FoldedEditions({ expressionId, count, text, current, known, isOpenAtFirst }: FoldedEditionsProps) {
  const { words, number } = useLocale()
  const record = useRecords([current]).get(current)
  const holdsCurrent =
    expressionId === current ||
    record?.relations.some(({ type, key }) => type === 'refExpressions' && key === expressionId) === true
  const [opened, setOpened] = useState<boolean>()
  const isOpen = opened ?? (holdsCurrent || isOpenAtFirst)
  if (count === 0) return <p className="soft levels-none">{words.noEditions}</p>
  return (
    <details className="levels-fold" open={isOpen} onToggle={event => setOpened(event.currentTarget.open)}>
      <summary>{words.editions(count, number(count))}</summary>
      {isOpen && <Editions expressionId={expressionId} text={text} current={current} known={known} />}
    </details>
  )
}

/** The languages of expressions, in the language of the reader as soon as the records are known. */
export function useLanguages(expressions: readonly Level[]): (expression: Level) => readonly string[] {
  const nameOf = useNameOf()
  const targetsOf = (level: Level) => targetsBy(level, 'refLanguages')
  const records = useRecords(expressions.flatMap(targetsOf).map(({ key }) => key))
  return expression =>
    targetsOf(expression).map(({ key, name }) => {
      const record = records.get(key)
      return record ? nameOf(record) : name
    })
}

export function firstText(level: Pick<Level, 'metadata'>, key: string): string | undefined {
  const found = level.metadata[key]
  return found === undefined ? undefined : textOf(found.value)
}

/** The first value of a field, marked with its language. */
function firstFact(level: Pick<Level, 'metadata'>, key: string): ReactNode {
  const text = firstText(level, key)
  return text === undefined ? undefined : <bdi lang={level.metadata[key]?.lang}>{text}</bdi>
}

/** The title of a level in the language of the reader, where it has one, and its language. */
export function titleIn(
  { metadata }: Pick<Level, 'metadata'>,
  language: string
): { readonly title: string; readonly lang: string | undefined } {
  const { value, values = [value], lang, langs = [lang] } = metadata.title ?? {}
  const own = Math.max(0, langs.indexOf(language))
  const title = values[own]
  return { title: title === undefined ? '—' : textOf(title), lang: langs[own] ?? undefined }
}

/** The targets of a relation, in the language of the reader as soon as their records are known. */
function useTargetNames(
  levels: readonly Pick<Level, 'relations'>[],
  type: string
): (level: Pick<Level, 'relations'>, roleName?: (role: string) => string) => readonly ReactNode[] {
  const records = useRecords(levels.flatMap(level => targetsBy(level, type)).map(({ key }) => key))
  return (level, roleName) =>
    targetsBy(level, type).map(({ key, name, role }) => {
      const record = records.get(key)
      return (
        <span key={`${key} ${role ?? ''}`}>
          {record ? <RecordName record={record} /> : name}
          {roleName && role !== undefined && ` (${roleName(role)})`}
        </span>
      )
    })
}

const targetsBy = (level: Pick<Level, 'relations'>, type: string) =>
  Object.entries(level.relations)
    .map(([key, relation]) => resolvedTarget(key, relation))
    .filter(target => target.type === type)

export function targetNames(
  level: Pick<Level, 'relations'>,
  type: string,
  roleName?: (role: string) => string
): string[] {
  return targetsBy(level, type).map(({ name, role }) =>
    roleName && role !== undefined ? `${name} (${roleName(role)})` : name
  )
}
