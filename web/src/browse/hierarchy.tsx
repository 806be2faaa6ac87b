import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { Link } from '../parts/router.tsx'

import type { Entity, EntityPage } from '../../../client/index.ts'
import { textOf, valuesOf } from '../data/record-model.ts'
import { useNameOf } from '../data/use-name-of.ts'
import { usePages } from '../data/use-pages.ts'
import { relationFilter } from '../../../src/domain/find/relation-filter.ts'
import { recordKey } from '../data/use-record.ts'
import { QueryNote } from '../parts/query-note.tsx'
import { ShowMore } from '../parts/show-more.tsx'
import { findAddress } from '../../../src/domain/find/find-state.ts'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { useClassPaths } from './use-class-paths.ts'
import './browse.css'
import { RecordName } from '../parts/record-name.tsx'

const classesAtOnce = 200

interface HierarchyProps {
  /** The type of its classes. */
  readonly type: string
  /** The relation to the broader record; undefined for a list of classes without levels. */
  readonly climbsBy: string | undefined
  /** Where a class is chosen, and not opened. */
  readonly picking?: Picking
  /** The current record, if any: the path to it is open. */
  readonly entity?: Entity
}

interface Picking {
  readonly isPicked: (id: string) => boolean
  readonly onPick: (entity: Entity) => void
}

/**
 * A classification as a tree, from the broadest classes down. A level is fetched when it is opened.
 */
export function Hierarchy({ type, climbsBy, entity, picking }: HierarchyProps) {
  const { client } = useSession()
  const paths = useClassPaths(entity ? [entity] : [])
  // The path to the current record is open.
  const path = entity && [...(paths?.get(entity.id) ?? []), entity]
  const filters = [
    { type: 'type', value: type },
    ...(climbsBy === undefined ? [] : [{ type: 'selection', key: `relations.${climbsBy}.key`, value: [''] }])
  ]
  const roots = usePages({
    queryKey: ['broadest', type],
    body: filters,
    first: signal => client.entities.find(filters, { limit: classesAtOnce, orderBy: 'code,title,name', signal })
  })
  const counted = useCountedRelation(type)
  if (!roots.data || !paths) return <QueryNote query={roots} />
  const shared = { type, climbsBy, counted, picking, path: path ?? [], current: entity?.id }
  return <Level pages={roots} {...shared} />
}

interface BranchContext {
  readonly type: string
  readonly climbsBy: string | undefined
  readonly picking: Picking | undefined
  /** The relation from works to classes. */
  readonly counted: string | undefined
  readonly path: readonly Entity[]
  readonly current: string | undefined
}

interface LevelProps extends BranchContext {
  readonly pages: ReturnType<typeof usePages<EntityPage>>
}

function Level({ pages, ...context }: LevelProps) {
  const entities = pages.data?.pages.flatMap(page => page.results) ?? []
  const parents = useWhoHasNarrower(entities, context.climbsBy)
  if (entities.length === 0) return null
  return (
    <>
      <ul className="hierarchy">
        {entities.map(entity => (
          <Branch
            key={entity.id}
            entity={entity}
            isLeaf={context.climbsBy === undefined || (parents !== undefined && !parents.has(entity.id))}
            {...context}
          />
        ))}
      </ul>
      <ShowMore pages={pages} shown={entities.length} count={pages.data?.pages[0]?.count} />
    </>
  )
}

interface BranchProps extends BranchContext {
  readonly entity: Entity
  readonly isLeaf: boolean
}

function Branch({ entity, isLeaf, ...context }: BranchProps) {
  const nameOf = useNameOf()
  const { language, words } = useLocale()
  const { path, current, climbsBy, counted, picking } = context
  const [isOpen, setOpen] = useState(path.some(each => each.id === entity.id))
  const children = useNarrower(entity.id, climbsBy, isOpen)
  const beside = ['code', 'land_or_language']
    .flatMap(key => valuesOf(entity, key, language).slice(0, 1).map(textOf))
    .filter(each => each !== nameOf(entity))
  return (
    <li>
      <div className={entity.id === current ? 'branch current' : 'branch'}>
        <button
          type="button"
          className="icon-button"
          aria-expanded={isOpen && !isLeaf}
          aria-label={`${words.narrower}: ${nameOf(entity)}`}
          disabled={isLeaf}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronRight size={16} aria-hidden="true" />
        </button>
        {picking ? (
          <button
            type="button"
            className="link-button"
            disabled={picking.isPicked(entity.id)}
            onClick={() => picking.onPick(entity)}
          >
            <RecordName record={entity} />
          </button>
        ) : (
          <Link
            to={`/record/${encodeURIComponent(entity.id)}`}
            aria-current={entity.id === current ? 'page' : undefined}
          >
            <RecordName record={entity} />
          </Link>
        )}
        {beside.length > 0 && <span className="code soft">{beside.join(' · ')}</span>}
        {counted !== undefined && !picking && <WorkCount id={entity.id} relation={counted} climbsBy={climbsBy} />}
      </div>
      {isOpen && <Level pages={children} {...context} />}
    </li>
  )
}

const countedFamily = 'work'

/** The number of works in a class and its subclasses. */
function WorkCount({
  id,
  relation,
  climbsBy
}: {
  readonly id: string
  readonly relation: string
  readonly climbsBy: string | undefined
}) {
  const { client } = useSession()
  const { words, number } = useLocale()
  const { data: count } = useQuery({
    queryKey: [...recordKey(id), 'works beneath'],
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      client.entities
        .find([{ type: 'type', value: countedFamily }, relationFilter(relation, id, climbsBy)], { limit: 0, signal })
        .then(page => page.count)
  })
  if (count === undefined || count === 0) return null
  return (
    <Link className="work-count" to={findAddress({ types: [countedFamily], related: `${relation}:${id}` })}>
      {words.works(count, number(count))}
    </Link>
  )
}

/** The relation from works to classes. */
function useCountedRelation(type: string): string | undefined {
  const { model } = useSession()
  const rows = model.families.get(countedFamily) ?? []
  return rows.flatMap(row => row.relations).find(relation => relation.to.includes(type))?.type
}

/** The classes among these that have narrower ones, found by one request. */
function useWhoHasNarrower(entities: readonly Entity[], climbsBy: string | undefined): ReadonlySet<string> | undefined {
  const { client } = useSession()
  const ids = entities.map(({ id }) => id)
  const path = `relations.${climbsBy}.key`
  const { data } = useQuery({
    queryKey: ['has narrower', climbsBy, ids],
    enabled: ids.length > 0 && climbsBy !== undefined,
    queryFn: ({ signal }) =>
      client.entities
        .find([{ type: 'selection', key: path, value: ids, match_exact: true }], {
          limit: 0,
          facets: [path],
          facetLimit: 1000,
          signal
        })
        .then(page => page.facets?.[path]?.map(({ value }) => value) ?? [])
  })
  return data && new Set(data)
}

function useNarrower(id: string, climbsBy: string | undefined, isWanted: boolean) {
  const { client } = useSession()
  const filters = [relationFilter(climbsBy ?? '', id)]
  return usePages({
    queryKey: [...recordKey(id), 'narrower'],
    enabled: isWanted && climbsBy !== undefined,
    body: filters,
    first: signal => client.entities.find(filters, { limit: classesAtOnce, orderBy: 'code,title,name', signal })
  })
}
