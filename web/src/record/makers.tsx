import { Link } from '../parts/router.tsx'

import type { Entity } from '../../../client/index.ts'
import { useLangOf, useNameOf } from '../data/use-name-of.ts'
import { useRecords } from '../data/use-names.ts'
import { useWem } from '../data/use-record.ts'
import { useSession } from '../session/session.tsx'

/**
 * The relation of each kind to the people or companies who are named beside its title; for an
 * edition, those of its expression and work.
 */
const makingRelations: Readonly<Record<string, { readonly relation: string; readonly isAbove?: boolean }>> = {
  work: { relation: 'refAuthors' },
  expression: { relation: 'refAuthors' },
  manifestation: { relation: 'refAuthors', isAbove: true },
  production: { relation: 'refCompanies' }
}

/** Maximum number of makers in the heading; the facts list all of them. */
const maxMakers = 6

/** The people or companies who made a record, below its title. */
export function Makers({ entity }: { readonly entity: Entity }) {
  const { model } = useSession()
  const making = makingRelations[model.familyOf(entity.type)]
  if (making === undefined) return null
  if (making.isAbove) return <MakersOfEdition id={entity.id} />
  const ids = entity.relations.filter(({ type }) => type === making.relation).map(({ key }) => key)
  return ids.length > 0 && <Names ids={ids} />
}

/** Those of its work come first, then those of its expression: translators, performers. */
function MakersOfEdition({ id }: { readonly id: string }) {
  const { data } = useWem(id)
  const ids = [data?.work, data?.expression].flatMap(level =>
    Object.entries(level?.relations ?? {})
      .filter(([, { type }]) => type === 'refAuthors')
      .map(([key]) => key)
  )
  return <Names ids={[...new Set(ids)]} />
}

function Names({ ids }: { readonly ids: readonly string[] }) {
  const nameOf = useNameOf()
  const langOf = useLangOf()
  const records = useRecords(ids.slice(0, maxMakers))
  const known = ids.flatMap(id => records.get(id) ?? [])
  // The line is there from the start, so that the page does not move when names arrive.
  return (
    <p className="record-makers">
      {known.map((record, index) => (
        <span key={record.id}>
          {index > 0 && ', '}
          <Link to={`/record/${encodeURIComponent(record.id)}`} dir="auto" lang={langOf(record)}>
            {nameOf(record)}
          </Link>
        </span>
      ))}
      {ids.length > maxMakers && ' …'}
    </p>
  )
}
