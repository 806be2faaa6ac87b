import { Link } from '../parts/router.tsx'

import type { Entity } from '../../../client/index.ts'
import { textOf, valuesOf } from '../data/record-model.ts'
import { altOf, useCovers } from '../data/use-covers.ts'
import { useLangOf, useNameOf } from '../data/use-name-of.ts'
import { useRecords } from '../data/use-names.ts'
import { usePages } from '../data/use-pages.ts'
import { relationFilter } from '../../../src/domain/find/relation-filter.ts'
import { recordKey } from '../data/use-record.ts'
import { useSummaries } from '../data/use-summaries.ts'
import { useLocale } from '../i18n/locale.tsx'
import { Cover } from '../parts/picture.tsx'
import { SectionNote } from '../parts/section-note.tsx'
import { ShowMore } from '../parts/show-more.tsx'
import { useSession } from '../session/session.tsx'
import { RecordName } from '../parts/record-name.tsx'

const productionsAtOnce = 24

/** The productions of a season as a board of posters, by premiere. */
export function SeasonBoard({ entity }: { readonly entity: Entity }) {
  const { client, model } = useSession()
  const { words, number, date, valueName, language } = useLocale()
  const nameOf = useNameOf()
  const langOf = useLangOf()
  const { production, season } = model.stage
  const filters = [{ type: 'type', value: production?.type }, relationFilter(season?.relation ?? '', entity.id)]
  const pages = usePages({
    queryKey: [...recordKey(entity.id), 'board'],
    enabled: production !== undefined && season !== undefined,
    body: filters,
    first: signal => client.entities.find(filters, { limit: productionsAtOnce, orderBy: 'premiere_date,title', signal })
  })
  const found = pages.data?.pages.flatMap(page => page.results) ?? []
  const covers = useCovers(found)
  const summaries = useSummaries(found.map(({ id }) => id))
  const companyOf = (each: Entity) => each.relations.find(({ type }) => type === 'refCompanies')?.key ?? ''
  const companies = useRecords(found.map(companyOf).filter(id => id !== ''))
  const count = pages.data?.pages[0]?.count
  if (!pages.data) return <SectionNote queries={[pages]} label={words.productions} />
  if (count === 0) return null
  return (
    <section>
      <h2 className="section-title">
        {words.productions} <span className="count">{number(count ?? 0)}</span>
      </h2>
      <ul className="board">
        {found.map(each => {
          const company = companies.get(companyOf(each))
          const status = textOf(valuesOf(each, 'status')[0] ?? '')
          const cover = covers.get(each.id)
          const upcoming = summaries.get(each.id)?.next_performance
          const day = upcoming
            ? textOf(valuesOf(upcoming, 'start')[0] ?? '')
            : textOf(valuesOf(each, 'premiere_date')[0] ?? '')
          return (
            <li key={each.id}>
              <Link to={`/record/${encodeURIComponent(each.id)}`}>
                <Cover
                  fileId={cover?.id}
                  title={nameOf(each)}
                  author={company && nameOf(company)}
                  width={320}
                  alt={cover ? altOf(cover, language) : ''}
                />
                <span className="board-name" dir="auto" lang={langOf(each)}>
                  {nameOf(each)}
                </span>
              </Link>
              <span className="soft">{company ? <RecordName record={company} /> : '\u00a0'}</span>
              <span className="soft">{day === '' ? '\u00a0' : date(day)}</span>
              {status !== '' && <span className={`tag status-${status}`}>{valueName(status)}</span>}
            </li>
          )
        })}
      </ul>
      <ShowMore pages={pages} shown={found.length} count={count} label={words.productions} />
    </section>
  )
}
