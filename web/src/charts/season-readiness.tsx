import { useQuery } from '@tanstack/react-query'
import { Link } from '../parts/router.tsx'

import { readinessFields, ruleName } from '../data/readiness-fields.ts'
import { relationFilter } from '../../../src/domain/find/relation-filter.ts'
import { recordKey } from '../data/use-record.ts'
import { readinessStates } from '../../../src/domain/find/readiness-states.ts'
import { findAddress } from '../../../src/domain/find/find-state.ts'
import { SectionNote } from '../parts/section-note.tsx'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { Bar, Chart, type ChartRow } from './chart.tsx'

/** The declared states with their colours, from complete to not applicable. */
const declared = {
  complete: 'tone-good',
  partially: 'tone-middling',
  follows_later: 'tone-waiting',
  status_to_be_determined: 'tone-open',
  not_applicable: 'tone-none'
} as const
const undecided = 'status_to_be_determined'

/**
 * The readiness of the productions of a season: declared status by category, and how many are
 * ready.
 */
export function SeasonReadiness({ seasonId }: { readonly seasonId: string }) {
  const { client, model } = useSession()
  const { words, language, valueName, fieldName, number, date } = useLocale()
  const { production, season } = model.stage
  const productionType = production?.type ?? ''
  const seasonRelation = season?.relation ?? ''
  const fields = readinessFields(production?.fields ?? []).map(({ key }) => key)
  const filters = [{ type: 'type', value: productionType }, relationFilter(seasonRelation, seasonId)]
  const pathOf = (field: string) => `properties.${field}.value`
  const declaredCounts = useQuery({
    queryKey: [...recordKey(seasonId), 'declared'],
    queryFn: ({ signal }) => client.entities.find(filters, { limit: 0, facets: fields.map(pathOf), signal })
  })
  const due = useQuery({
    queryKey: [...recordKey(seasonId), 'due'],
    queryFn: async ({ signal }) =>
      (await client.send('GET /entities/{id}/due', { path: { id: seasonId }, signal })).data
  })
  const byRule = Map.groupBy(due.data?.results ?? [], ({ name }) => name)
  const { data } = declaredCounts
  if (!data) return <SectionNote queries={[declaredCounts, due]} label={words.readiness} />
  if (data.count === 0) return null
  const series = Object.entries(declared).map(([key, tone]) => ({ key, name: valueName(key), tone }))
  const rows = fields.map((field): ChartRow => {
    const counts = new Map(data.facets?.[pathOf(field)]?.map(({ value, count }) => [value, count]))
    const said = [...counts.values()].reduce((sum, count) => sum + count, 0)
    // Without a declaration the status is still to be determined.
    counts.set(undecided, (counts.get(undecided) ?? 0) + data.count - said)
    return { key: field, name: fieldName(field), counts: series.map(({ key }) => counts.get(key) ?? 0) }
  })
  return (
    <div className="season-readiness">
      <SectionNote queries={[due]} label={words.readiness} />
      <ul className="season-states">
        {readinessStates.map(state => (
          <li key={state}>
            <Link
              to={findAddress({
                types: [productionType],
                related: `${seasonRelation}:${seasonId}`,
                readiness: state
              })}
            >
              <strong>{due.data ? number(due.data.states[state]) : '\u00a0'}</strong> {words.readinessStates[state]}
            </Link>
          </li>
        ))}
      </ul>
      {byRule.size > 0 && (
        <>
          <h3>{words.beforePublication}</h3>
          <ul className="plain-list">
            {[...byRule].map(([name, [first, ...others]]) => (
              <li key={name}>
                {first && ruleName(first, language)}: <strong>{number(others.length + 1)}</strong>{' '}
                {first?.due === undefined ? '' : words.ruleDue(date(first.due))}
              </li>
            ))}
          </ul>
        </>
      )}
      <Chart
        title={words.seasonReadinessTitle(data.count, number(data.count))}
        heading={words.media}
        series={series}
        rows={rows}
      >
        <div className="lying">
          {rows.map(row => [
            <span key={`${row.key} name`}>{row.name}</span>,
            <Bar key={row.key} row={row} series={series} most={data.count} />
          ])}
        </div>
      </Chart>
    </div>
  )
}
