import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'

import type { Entity, EntityPage } from '../../../client/index.ts'
import { textOf, valuesOf } from '../data/record-model.ts'
import { useNameOf } from '../data/use-name-of.ts'
import { usePages } from '../data/use-pages.ts'
import { recordKey, relationFilter } from '../data/use-record.ts'
import { QueryNote } from '../parts/query-note.tsx'
import { ShowMore } from '../parts/show-more.tsx'
import { findAddress } from '../find/find-state.ts'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import './browse.css'

const classesAtOnce = 200

interface HierarchyProps {
  /** The type of its classes. */
  readonly type: string
  /** The relation to the broader record. */
  readonly climbsBy: string
  /** The current record, if any: the path to it is open. */
  readonly entity?: Entity
}

/**
 * A classification as a tree, from the broadest classes down. A level is fetched when it is opened.
 */
export function Hierarchy({ type, climbsBy, entity }: HierarchyProps) {
  const { client } = useSession()
  const path = usePath(entity, climbsBy)
  const filters = [
    { type: 'type', value: type },
    { type: 'selection', key: `relations.${climbsBy}.key`, value: [''] }
  ]
  const roots = usePages({
    queryKey: ['broadest', type],
    body: filters,
    first: signal => client.entities.find(filters, { limit: classesAtOnce, orderBy: 'code,title,name', signal })
  })
  const counted = useCountedRelation(type)
  if (!roots.data || (entity && !path)) return <QueryNote query={roots} />
  const shared = { type, climbsBy, counted, path: path ?? [], current: entity?.id }
  return <Level pages={roots} {...shared} />
}

interface BranchContext {
  readonly type: string
  readonly climbsBy: string
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
            isLeaf={parents !== undefined && !parents.has(entity.id)}
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
  const { path, current, climbsBy, counted } = context
  const [isOpen, setOpen] = useState(path.some(each => each.id === entity.id))
  const children = useNarrower(entity.id, climbsBy, isOpen)
  const [code] = valuesOf(entity, 'code', language)
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
        <Link to={`/record/${encodeURIComponent(entity.id)}`} aria-current={entity.id === current ? 'page' : undefined}>
          {nameOf(entity)}
        </Link>
        {code !== undefined && <span className="code soft">{textOf(code)}</span>}
        {counted !== undefined && <WorkCount id={entity.id} relation={counted} climbsBy={climbsBy} />}
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
  readonly climbsBy: string
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
function useWhoHasNarrower(entities: readonly Entity[], climbsBy: string): ReadonlySet<string> | undefined {
  const { client } = useSession()
  const ids = entities.map(({ id }) => id)
  const path = `relations.${climbsBy}.key`
  const { data } = useQuery({
    queryKey: ['has narrower', climbsBy, ids],
    enabled: ids.length > 0,
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

function useNarrower(id: string, climbsBy: string, isWanted: boolean) {
  const { client } = useSession()
  const filters = [relationFilter(climbsBy, id)]
  return usePages({
    queryKey: [...recordKey(id), 'narrower'],
    enabled: isWanted,
    body: filters,
    first: signal => client.entities.find(filters, { limit: classesAtOnce, orderBy: 'code,title,name', signal })
  })
}

/** Maximum number of levels; a deeper hierarchy is a cycle. */
const maxLevels = 30

/** The path from the broadest record to this one; undefined until it is known. */
function usePath(entity: Entity | undefined, climbsBy: string): readonly Entity[] | undefined {
  const { client } = useSession()
  const { data } = useQuery({
    queryKey: [...recordKey(entity?.id ?? ''), 'path'],
    enabled: entity !== undefined,
    queryFn: async ({ signal }) => {
      const path = entity ? [entity] : []
      while (path.length < maxLevels) {
        const above = path[0]?.relations.find(({ type }) => type === climbsBy)?.key
        if (above === undefined || path.some(({ id }) => id === above)) break
        path.unshift(await client.entities.read(above, { signal }))
      }
      return path
    }
  })
  return data
}
