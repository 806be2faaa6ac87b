import { useQuery } from '@tanstack/react-query'
import { Link } from '../parts/router.tsx'

import type { Client, Entity, EntityPage, Filter } from '../../../client/index.ts'
import { findAddress } from '../../../src/domain/find/find-state.ts'
import { FamilyIcon } from '../parts/family-icon.tsx'
import { FullPageNote } from '../parts/full-page-note.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { latestQuery } from '../session/early-answers.ts'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { RecordName } from '../parts/record-name.tsx'

const maxLines = 10
const maxRequests = 6
const namedInGroup = 3
/**
 * Changes of one person to records of one kind within this many milliseconds are one event, such as
 * an import.
 */
const together = 3_600_000

/** The author of a change by an import begins so; the id of the import follows. */
const importMark = 'import:'

/**
 * The latest changes, newest first. Many records of a kind that were added at once are one line,
 * and so is an import.
 */
export function Recent() {
  const { client, model } = useSession()
  const { words } = useLocale()
  const recent = useQuery({
    queryKey: ['recent'],
    queryFn: ({ signal }) => findGroups(client, type => model.familyOf(type), signal)
  })
  if (!recent.data) return <QueryNote query={recent} />
  if (recent.data.length === 0) return <FullPageNote title={words.nothingYet}>{words.nothingYetHint}</FullPageNote>
  return (
    <ol className="recent">
      {recent.data.map(group => (
        <Line key={group.entities[0].id} group={group} />
      ))}
    </ol>
  )
}

interface Group {
  /** The kind of its records; undefined for an import, which has records of many kinds. */
  readonly family: string | undefined
  readonly by: string
  readonly isNew: boolean
  readonly entities: readonly [Entity, ...Entity[]]
  /** Whether there are more than were fetched. */
  readonly isCut: boolean
}

function Line({ group: { family, by, isNew, entities, isCut } }: { readonly group: Group }) {
  const { model } = useSession()
  const { words, typeName, familyName, ago, number, whoName } = useLocale()
  const [newest] = entities
  const isOne = entities.length === 1
  const named = entities.slice(0, namedInGroup)
  const more = entities.length - named.length
  return (
    <li>
      <FamilyIcon family={family ?? model.familyOf(newest.type)} />
      <span className="recent-what">
        {named.map((entity, index) => (
          <span key={entity.id}>
            {index > 0 && ' · '}
            <Link className="recent-name" to={`/record/${encodeURIComponent(entity.id)}`}>
              <RecordName record={entity} />
            </Link>
          </span>
        ))}
        {more > 0 && (
          <>
            {' '}
            <Link
              to={
                family === undefined
                  ? `/manage/imports/${encodeURIComponent(by.slice(importMark.length))}`
                  : findAddress({ types: [family], sort: 'newest' })
              }
            >
              {isCut ? words.andManyMore : words.andMore(number(more))}
            </Link>
          </>
        )}{' '}
        {(isOne || family !== undefined) && (
          <span className="recent-type">
            {family === undefined || isOne ? typeName(newest.type) : familyName(family)}
          </span>
        )}
      </span>
      <span className="recent-when">
        {(isNew ? words.createdBy : words.updatedBy)(whoName(by), ago(newest.audit.updated.at))}
      </span>
    </li>
  )
}

/**
 * Reads changes backwards from now: after each page without the imports that were on it, and
 * without the kind of record at its end.
 */
async function findGroups(
  client: Client,
  familyOf: (type: string) => string,
  signal: AbortSignal
): Promise<readonly Group[]> {
  const groups: Group[] = []
  const passed: string[] = []
  const imports: string[] = []
  const seen = new Set<string>()
  let before: string | undefined
  for (let look = 0; look < maxRequests && groups.length < maxLines; look++) {
    const filters: Filter[] = [
      ...(passed.length > 0 ? [{ type: 'type', value: passed, match_not: true }] : []),
      ...(imports.length > 0
        ? [{ type: 'selection', key: 'audit.updated.by', value: imports, match_exact: true, match_not: true }]
        : []),
      ...(before === undefined ? [] : [{ type: 'date', key: 'date_updated', value: { max: before } }])
    ]
    const page =
      look === 0
        ? ((await client.send('GET /entities', { query: latestQuery, signal })).data as EntityPage)
        : await client.entities.find(filters, {
            limit: latestQuery.limit,
            orderBy: latestQuery.order_by,
            descending: true,
            signal
          })
    const found = groupsOf(
      page.results.filter(({ id }) => !seen.has(id)),
      familyOf
    )
    for (const { id } of page.results) seen.add(id)
    const last = found.findLast(each => each.entities.some(({ id }) => id === page.results.at(-1)?.id))
    if (!last || page.next === undefined) return [...groups, ...found].slice(0, maxLines)
    groups.push(...found.map(each => (each === last || isImport(each) ? { ...each, isCut: true } : each)))
    imports.push(...found.filter(isImport).map(({ by }) => by))
    if (last.family !== undefined) passed.push(last.family)
    before = page.results.at(-1)?.audit.updated.at
  }
  return groups.slice(0, maxLines)
}

const isImport = ({ family }: Group) => family === undefined

function groupsOf(entities: readonly Entity[], familyOf: (type: string) => string): Group[] {
  const groups: (Group & { readonly entities: [Entity, ...Entity[]] })[] = []
  for (const entity of entities) {
    const { at, by } = entity.audit.updated
    const isNew = entity.version === 1
    if (by.startsWith(importMark)) {
      const known = groups.find(each => each.by === by)
      if (known) known.entities.push(entity)
      else groups.push({ family: undefined, by, isNew, entities: [entity], isCut: false })
      continue
    }
    const family = familyOf(entity.type)
    const last = groups.at(-1)
    const isSame = last?.family === family && last.by === by && last.isNew === isNew
    if (last && isSame && Date.parse(last.entities[0].audit.updated.at) - Date.parse(at) < together)
      last.entities.push(entity)
    else groups.push({ family, by, isNew, entities: [entity], isCut: false })
  }
  return groups
}
