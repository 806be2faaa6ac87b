import type { Entity } from '../../../client/index.ts'
import { textOf, valuesOf } from '../data/record-model.ts'
import { useLangOf, useNameOf } from '../data/use-name-of.ts'
import { useRecords } from '../data/use-names.ts'
import { usePages } from '../data/use-pages.ts'
import { relationFilter } from '../../../src/domain/find/relation-filter.ts'
import { recordKey } from '../data/use-record.ts'
import { QueryNote } from '../parts/query-note.tsx'
import { ShowMore } from '../parts/show-more.tsx'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { LevelCard, levelLine } from './level-card.tsx'
import { RecordName } from '../parts/record-name.tsx'

const pageLength = 25

interface EditionsProps {
  readonly expressionId: string
  /** Words that the editions must match; empty for all. */
  readonly text: string
  /** The record that the page is about. It is shown even if its page is not fetched yet. */
  readonly current: string
  /** The title in the heading of the page, which is not repeated. */
  readonly known: string | undefined
}

/** The editions of one expression, page by page, the newest first. */
export function Editions({ expressionId, text, current, known: knownTitle }: EditionsProps) {
  const { client } = useSession()
  const { words } = useLocale()
  const filters = [
    relationFilter('refExpressions', expressionId),
    ...(text === '' ? [] : [{ type: 'search', value: text }])
  ]
  const pages = usePages({
    queryKey: [...recordKey(expressionId), 'editions', text],
    body: filters,
    first: signal =>
      client.entities.find(filters, {
        limit: pageLength,
        orderBy: 'year_of_publication,title',
        descending: true,
        signal
      })
  })
  const known = useRecords([current]).get(current)
  if (!pages.data) return <QueryNote query={pages} />
  const found = pages.data.pages.flatMap(page => page.results)
  const count = pages.data.pages[0]?.count
  const isElsewhere =
    known?.relations.some(({ type, key }) => type === 'refExpressions' && key === expressionId) &&
    !found.some(({ id }) => id === current)
  return (
    <>
      <ul>
        {[...(known && isElsewhere ? [known] : []), ...found].map(edition => (
          <li key={edition.id}>
            <Edition edition={edition} current={current} known={knownTitle} />
          </li>
        ))}
      </ul>
      <ShowMore pages={pages} shown={found.length} count={count} label={words.expressionsAndEditions} />
    </>
  )
}

interface EditionProps {
  readonly edition: Entity
  readonly current: string
  readonly known: string | undefined
}

function Edition({ edition, current, known }: EditionProps) {
  const { words, language } = useLocale()
  const nameOf = useNameOf()
  const langOf = useLangOf()
  const publisherIds = edition.relations.filter(({ type }) => type === 'refPublishers').map(({ key }) => key)
  const publishers = useRecords(publisherIds)
  const first = (key: string) => valuesOf(edition, key, language).slice(0, 1).map(textOf)
  return (
    <LevelCard
      level="manifestation"
      label={words.manifestation}
      id={edition.id}
      current={current}
      title={nameOf(edition)}
      lang={langOf(edition)}
      known={known}
    >
      {levelLine(
        first('year_of_publication'),
        publisherIds
          .flatMap(id => publishers.get(id) ?? [])
          .map(record => <RecordName key={record.id} record={record} />),
        first('material_type'),
        first('isbn')
      )}
    </LevelCard>
  )
}
