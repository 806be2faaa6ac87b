import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'

import type { Entity } from '../../../client/index.ts'
import { textOf, valuesOf } from '../data/record-model.ts'
import { useNameOf } from '../data/use-name-of.ts'
import { recordKey, relationFilter } from '../data/use-record.ts'
import { useSession } from '../session/session.tsx'
import { useSpeech } from '../words/words.tsx'

const mostChildren = 500

interface HierarchyProps {
  readonly entity: Entity
  /** The relation that leads to the broader record. */
  readonly climbsBy: string
}

/** A classification as a tree to walk: the way from the broadest class down to this one, and on from here. */
export function Hierarchy({ entity, climbsBy }: HierarchyProps) {
  const { words } = useSpeech()
  const path = usePath(entity, climbsBy)
  const [top] = path
  return (
    <section>
      <h2 className="section-title">{words.hierarchy}</h2>
      {top && (
        <ul className="hierarchy">
          <Branch entity={top} climbsBy={climbsBy} path={path} current={entity.id} />
        </ul>
      )}
    </section>
  )
}

interface BranchProps extends HierarchyProps {
  readonly path: readonly Entity[]
  readonly current: string
}

function Branch({ entity, climbsBy, path, current }: BranchProps) {
  const nameOf = useNameOf()
  const { language, words } = useSpeech()
  const isOnPath = path.some(each => each.id === entity.id)
  const [isOpen, setOpen] = useState(isOnPath)
  const children = useNarrower(entity.id, climbsBy)
  const [code] = valuesOf(entity, 'code', language)
  const isLeaf = children.data?.length === 0
  return (
    <li>
      <div className={entity.id === current ? 'branch current' : 'branch'}>
        <button
          type="button"
          className="icon-button"
          aria-expanded={isOpen}
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
      </div>
      {isOpen && children.data && children.data.length > 0 && (
        <ul>
          {children.data.map(child => (
            <Branch key={child.id} entity={child} climbsBy={climbsBy} path={path} current={current} />
          ))}
        </ul>
      )}
    </li>
  )
}

function useNarrower(id: string, climbsBy: string) {
  const { client } = useSession()
  return useQuery({
    queryKey: [...recordKey(id), 'narrower'],
    queryFn: ({ signal }) =>
      client.entities
        .find([relationFilter(climbsBy, id)], { limit: mostChildren, orderBy: 'code,title', signal })
        .then(page => page.results)
  })
}

/** Deeper than this is no classification but a circle. */
const mostLevels = 30

/** The records from the broadest to this one. */
function usePath(entity: Entity, climbsBy: string): readonly Entity[] {
  const { client } = useSession()
  const { data } = useQuery({
    queryKey: [...recordKey(entity.id), 'path'],
    queryFn: async ({ signal }) => {
      const path = [entity]
      while (path.length < mostLevels) {
        const above = path[0]?.relations.find(({ type }) => type === climbsBy)?.key
        if (above === undefined || path.some(({ id }) => id === above)) break
        path.unshift(await client.entities.read(above, { signal }))
      }
      return path
    }
  })
  return data ?? []
}
