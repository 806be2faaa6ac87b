import { useQuery } from '@tanstack/react-query'

import { SectionNote } from '../parts/section-note.tsx'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { Bar, Chart, type ChartRow, type Series } from './chart.tsx'

const maxMonths = 12
/** Maximum number of kinds with a colour of their own; the others share one. */
const tones = ['tone-1', 'tone-2'] as const
const tonesOfLevels: Readonly<Record<string, string>> = {
  work: 'tone-work',
  expression: 'tone-expression',
  manifestation: 'tone-manifestation'
}
const maxSeries = Object.keys(tonesOfLevels).length + tones.length
const longStale = 300_000

/** Records created per month, by kind. */
export function GrowthChart() {
  const { client, model } = useSession()
  const { words, familyName, number, locale } = useLocale()
  // A column has no room for more; the table has the exact numbers.
  const shortly = new Intl.NumberFormat(locale, { notation: 'compact' })
  const growth = useQuery({
    queryKey: ['growth'],
    staleTime: longStale,
    queryFn: async ({ signal }) => (await client.send('GET /growth', { signal })).data.growth
  })
  const { data } = growth
  if (!data) return <SectionNote queries={[growth]} label={words.inTheCatalogue} />
  if (data.length === 0) return null
  const months = lastMonths(new Date())
  const recent = data.filter(({ month }) => months.includes(month))
  const total = new Map<string, number>()
  for (const { type, count } of recent) add(total, model.familyOf(type), count)
  const series = seriesOf(total, familyName, words.others)
  const rows = months.map((month): ChartRow => {
    const counts = new Map<string, number>()
    for (const each of recent) {
      const family = model.familyOf(each.type)
      if (each.month === month) add(counts, series.some(({ key }) => key === family) ? family : '', each.count)
    }
    return { key: month, name: monthName(month, locale, 'long'), counts: series.map(({ key }) => counts.get(key) ?? 0) }
  })
  const sums = rows.map(row => row.counts.reduce((sum, count) => sum + count, 0))
  const most = Math.max(...sums)
  const all = sums.reduce((sum, count) => sum + count, 0)
  return (
    <Chart title={words.growthTitle(all, number(all))} heading={words.month} series={series} rows={rows}>
      <div className="columns">
        {rows.map((row, index) => (
          <div key={row.key} className="column">
            <span>{sums[index] === 0 ? '' : shortly.format(sums[index] ?? 0)}</span>
            <span className="bar-place">
              <Bar row={row} series={series} most={most} isUpright />
            </span>
            <span>{monthName(row.key, locale, 'narrow')}</span>
          </div>
        ))}
      </div>
    </Chart>
  )
}

const add = (counts: Map<string, number>, key: string, count: number) => counts.set(key, (counts.get(key) ?? 0) + count)

/**
 * The largest kinds, each with a colour; the three levels always have theirs. The rest is under ''.
 */
function seriesOf(
  total: ReadonlyMap<string, number>,
  familyName: (family: string) => string,
  others: string
): readonly Series[] {
  const families = [...total].sort(([, one], [, other]) => other - one).map(([family]) => family)
  const levels = Object.keys(tonesOfLevels).filter(family => families.includes(family))
  const rest = families.filter(family => !(family in tonesOfLevels)).slice(0, tones.length)
  const named = [
    ...levels.map(family => ({ key: family, name: familyName(family), tone: tonesOfLevels[family] ?? '' })),
    ...rest.map((family, index) => ({ key: family, name: familyName(family), tone: tones[index] ?? '' }))
  ].slice(0, maxSeries)
  return families.length > named.length ? [...named, { key: '', name: others, tone: 'tone-other' }] : named
}

/** The last months, oldest first, as the service writes them, in UTC. */
function lastMonths(now: Date): readonly string[] {
  const first = (back: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1))
  return Array.from({ length: maxMonths }, (_, index) =>
    first(maxMonths - 1 - index)
      .toISOString()
      .slice(0, 7)
  )
}

const monthName = (month: string, locale: string, length: 'narrow' | 'long') =>
  new Intl.DateTimeFormat(locale, {
    month: length,
    ...(length === 'long' ? { year: 'numeric' } : {}),
    timeZone: 'UTC'
  }).format(new Date(`${month}-01T00:00:00Z`))
