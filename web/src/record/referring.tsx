import { Link } from '../parts/router.tsx'
import { useQuery } from '@tanstack/react-query'

import type { Entity } from '../../../client/index.ts'
import { makers, pseudonymRelation, relationFilter } from '../../../src/domain/find/relation-filter.ts'
import { recordKey, useReferenceCounts } from '../data/use-record.ts'
import { findAddress } from '../../../src/domain/find/find-state.ts'
import { ResultList } from '../find/result-list.tsx'
import { SectionNote } from '../parts/section-note.tsx'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'

const shownOfEach = 8

/** Records with a date are ordered by it, the newest first. */
const orders: Readonly<Record<string, { readonly orderBy: string; readonly descending: boolean }>> = {
  production: { orderBy: 'premiere_date', descending: true },
  performance: { orderBy: 'start', descending: true }
}

interface ReferringProps {
  readonly entity: Entity
  /** Relations that are shown elsewhere. */
  readonly without?: readonly string[]
  /** Kinds of records that are shown elsewhere. */
  readonly withoutFamilies?: readonly string[]
}

/**
 * The records that refer to a record: for each relation and kind, the first few and their number.
 */
export function Referring({ entity, without = [], withoutFamilies = [] }: ReferringProps) {
  const { model } = useSession()
  const { words } = useLocale()
  const counts = useReferenceCounts(entity.id)
  const own = Object.keys(counts.data ?? {})
  // Works under a pseudonym are those of the person, who may have no others.
  const all = own.includes(pseudonymRelation) ? [...new Set([...own, makers])] : own
  const relations = all.filter(relation => !without.includes(relation))
  const groups = relations.flatMap(relation =>
    [...model.families]
      .filter(([, rows]) => rows.some(row => row.relations.some(each => each.type === relation)))
      .filter(([family]) => !withoutFamilies.includes(family))
      .map(([family]): Kind => ({ relation, family }))
  )
  if (!counts.data) return <SectionNote queries={[counts]} label={words.referredBy} />
  return groups.map(group => <Group key={`${group.relation} ${group.family}`} id={entity.id} {...group} />)
}

/** Records of a kind that refer by a relation. */
interface Kind {
  readonly relation: string
  readonly family: string
}

function Group({ id, relation, family }: Kind & { readonly id: string }) {
  const { client, model } = useSession()
  const { words, number, familyName, reverseName } = useLocale()
  const group = useQuery({
    queryKey: [...recordKey(id), 'group', relation, family],
    queryFn: ({ signal }) =>
      client.entities.find([relationFilter(relation, id, model.climbsBy(relation)), { type: 'type', value: family }], {
        limit: shownOfEach,
        ...(orders[family] ?? { orderBy: 'title,name,start' }),
        signal
      })
  })
  const { data } = group
  const title = reverseName(relation) ?? familyName(family)
  if (!data) return <SectionNote queries={[group]} label={title} />
  if (data.count === 0) return null
  return (
    <section>
      <h2 className="section-title">
        {title} <span className="count">{number(data.count)}</span>
      </h2>
      <ResultList entities={data.results} label={title} about={id} />
      {data.count > data.results.length && (
        <Link className="button show-all" to={findAddress({ types: [family], related: `${relation}:${id}` })}>
          {words.showAll(number(data.count))}
        </Link>
      )}
    </section>
  )
}
