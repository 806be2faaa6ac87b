import { memo, useState } from 'react'

import type { Entity, Summary } from '../../../client/index.ts'
import { toWork } from '../change/three-levels.ts'
import { type RecordModel, textOf, valuesOf } from '../data/record-model.ts'
import { coverShapes } from '../../../src/domain/find/cover-shapes.ts'
import { useCovers } from '../data/use-covers.ts'
import { useLangOf, useNameOf } from '../data/use-name-of.ts'
import { useRecords } from '../data/use-names.ts'
import { usePages } from '../data/use-pages.ts'
import { recordKey } from '../data/use-record.ts'
import { zoneName } from '../data/time-zones.ts'
import { useZones } from '../data/use-zone.ts'
import { useLocale } from '../i18n/locale.tsx'
import { FamilyIcon } from '../parts/family-icon.tsx'
import { Cover } from '../parts/picture.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { RecordLink } from '../parts/record-link.tsx'
import { ShowMore } from '../parts/show-more.tsx'
import { useSession } from '../session/session.tsx'
import { wordsIn } from '../../../src/domain/find/find-filters.ts'
import { Marked, moveByArrows, resultClass, tellingFacts } from './result-list.tsx'
import { useSummaries } from '../data/use-summaries.ts'
import type { Entry } from './use-find.ts'

/** Number of names of languages and authors in an entry. */
const maxNames = 4

/** Whether a record is what expressions belong to. */
const isWorkKind = (model: RecordModel, { type }: Entity) =>
  model.types.some(row => row.relations.some(each => each.type === toWork && each.to.includes(type)))

interface GroupedListProps {
  readonly entries: readonly Entry[]
  readonly text: string
  readonly label: string
}

/** Results with one entry for each work and production; their parts are folded into it. */
export const GroupedList = memo(function GroupedList({ entries, text, label }: GroupedListProps) {
  const { model } = useSession()
  const isSummarised = (entity: Entity) => isWorkKind(model, entity) || entity.type === model.stage.production?.type
  const summaries = useSummaries(entries.flatMap(({ entity }) => (isSummarised(entity) ? [entity.id] : [])))
  const editions = [...summaries.values()].flatMap(({ newest = [] }) => newest)
  const next = [...summaries.values()].flatMap(each => each.next_performance ?? [])
  const covers = useCovers([...entries.map(({ entity }) => entity), ...editions])
  const told = entries.flatMap(({ entity, languages }) => [
    ...tellingFacts.relationsOf(entity),
    ...languages.slice(0, maxNames)
  ])
  const venues = next.flatMap(each => tellingFacts.relationsOf(each))
  const records = useRecords([...told, ...venues])
  const zoneAt = useZones(next)
  return (
    <ul className="results entries" aria-label={label} onKeyDown={moveByArrows}>
      {entries.map(entry => (
        <EntryRow
          key={entry.entity.id}
          entry={entry}
          text={text}
          summary={summaries.get(entry.entity.id)}
          zone={zoneAt(summaries.get(entry.entity.id)?.next_performance ?? { relations: [] })}
          records={records}
          cover={
            covers.get(entry.entity.id) ??
            [...entry.parts, ...(summaries.get(entry.entity.id)?.newest ?? [])].flatMap(
              each => covers.get(each.id) ?? []
            )[0]
          }
        />
      ))}
    </ul>
  )
})

interface EntryRowProps {
  readonly entry: Entry
  readonly text: string
  readonly summary: Summary | undefined
  /** The time zone of the next performance. */
  readonly zone: string
  readonly records: ReadonlyMap<string, Entity>
  readonly cover: Entity | undefined
}

function EntryRow({ entry, text, summary, zone, records, cover }: EntryRowProps) {
  const { entity, isFound, parts, languages } = entry
  const next = summary?.next_performance
  const { model } = useSession()
  const { words, typeName, language, moment } = useLocale()
  const nameOf = useNameOf()
  const langOf = useLangOf()
  const family = model.familyOf(entity.type)
  const name = nameOf(entity)
  const shape = coverShapes[family]
  const named = (ids: readonly string[]) => ids.flatMap(id => records.get(id) ?? []).map(nameOf)
  const isWork = isWorkKind(model, entity)
  const isProduction = entity.type === model.stage.production?.type
  const making = isProduction ? 'refCompanies' : 'refAuthors'
  const makerIds = entity.relations.filter(({ type }) => type === making).map(({ key }) => key)
  const makers = named(makerIds).slice(0, maxNames)
  // Keeps the place of names that are still to come.
  const made = makers.length === 0 && makerIds.length > 0 ? '\u00a0' : makers.join(', ')
  const first = (key: string) => valuesOf(entity, key, language).slice(0, 1).map(textOf)
  const lines = isWork
    ? [
        [made, ...first('year')],
        [named(languages.slice(0, maxNames)).join(', '), summary ? (summary.years ?? []).join('–') : '\u00a0']
      ]
    : isProduction
      ? [
          [made],
          next
            ? [
                words.nextOn(`${moment(textOf(valuesOf(next, 'start')[0] ?? ''), zone)} (${zoneName(zone)})`),
                named(next.relations.filter(({ type }) => type === 'refVenues').map(({ key }) => key)).join(', ')
              ]
            : ['\u00a0']
        ]
      : [tellingFacts.textsOf(entity, records, nameOf, language)]
  return (
    <li className={`${resultClass} entry`}>
      <RecordLink id={entity.id}>
        {shape === undefined && cover === undefined ? (
          <span className="entry-icon">
            <FamilyIcon family={family} />
          </span>
        ) : (
          <Cover
            fileId={cover?.id}
            title={name}
            author={isWork || isProduction ? makers[0] : undefined}
            shape={shape ?? 'book'}
          />
        )}
        <span className="result-name" dir="auto" lang={langOf(entity)}>
          <Marked text={name} words={wordsIn(text)} />
        </span>
        <span className="result-type">{typeName(entity.type)}</span>
        {[...lines.entries()].map(([at, line]) => {
          const shown = line.filter(each => each !== '').join(' · ')
          return (
            shown !== '' && (
              <span key={at} className="result-facts" dir="auto">
                {shown}
              </span>
            )
          )
        })}
      </RecordLink>
      {!isFound && (
        <ul className="entry-found">
          {parts.slice(0, maxPartsNamed).map(part => (
            <li key={part.id}>
              <PartLink part={part} owner={name} text={text} />
            </li>
          ))}
        </ul>
      )}
      {isWork && summary === undefined && <div className="entry-editions waiting" />}
      {isWork && (summary?.editions ?? 0) > 0 && (
        <Unfolded workId={entity.id} name={name} editions={summary?.editions ?? 0} />
      )}
    </li>
  )
}

/** Number of found parts that are named under a record that was not found itself. */
const maxPartsNamed = 2

interface UnfoldedProps {
  readonly workId: string
  readonly name: string
  readonly editions: number
}

const editionsAtOnce = 25

/** The editions of a work, fetched when they are unfolded. */
function Unfolded({ workId, name, editions }: UnfoldedProps) {
  const { words, number } = useLocale()
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="entry-editions" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>
        {words.editions(editions, number(editions))} <span className="visually-hidden">{words.ofThis(name)}</span>
      </summary>
      {isOpen && <EditionList workId={workId} name={name} />}
    </details>
  )
}

function EditionList({ workId, name }: Omit<UnfoldedProps, 'editions'>) {
  const { client } = useSession()
  const filters = [
    { type: 'selection', key: 'properties.refExpressions.refWork.value', value: [workId], match_exact: true }
  ]
  const pages = usePages({
    queryKey: [...recordKey(workId), 'editions of the work'],
    body: filters,
    first: signal =>
      client.entities.find(filters, {
        ...{ limit: editionsAtOnce, orderBy: 'year_of_publication,title', descending: true, signal }
      })
  })
  if (!pages.data) return <QueryNote query={pages} />
  const found = pages.data.pages.flatMap(page => page.results)
  return (
    <>
      <ul className="entry-found">
        {found.map(edition => (
          <li key={edition.id}>
            <PartLink part={edition} owner={name} text="" />
          </li>
        ))}
      </ul>
      <ShowMore pages={pages} shown={found.length} count={pages.data.pages[0]?.count} label={name} />
    </>
  )
}

interface PartLinkProps {
  readonly part: Entity
  /** The name of the record above, which is not repeated. */
  readonly owner: string
  readonly text: string
}

/** A link to a part of a record by what tells it from others: year, publisher, language, kind. */
function PartLink({ part, owner, text }: PartLinkProps) {
  const { typeName, language } = useLocale()
  const nameOf = useNameOf()
  const records = useRecords(tellingFacts.relationsOf(part))
  const name = nameOf(part)
  const facts = tellingFacts.textsOf(part, records, nameOf, language)
  const [isbn] = valuesOf(part, 'isbn')
  const shown = [...(name === owner && facts.length > 0 ? [] : [name]), ...facts, ...(isbn ? [textOf(isbn)] : [])]
  return (
    <RecordLink id={part.id}>
      <span className="part-name" dir="auto">
        <Marked text={shown.join(' · ')} words={wordsIn(text)} />
      </span>
      <span className="result-type">{typeName(part.type)}</span>
    </RecordLink>
  )
}
