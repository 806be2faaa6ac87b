import { useQuery } from '@tanstack/react-query'
import { Link } from '../parts/router.tsx'

import { GrowthChart } from '../charts/growth-chart.tsx'
import { SeasonReadiness } from '../charts/season-readiness.tsx'
import { days } from '../data/stage-types.ts'
import { useNameOf } from '../data/use-name-of.ts'
import { SectionNote } from '../parts/section-note.tsx'
import { useTitle } from '../parts/use-title.ts'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { Attention } from './attention.tsx'
import { Counts } from './counts.tsx'
import { Recent } from './recent.tsx'
import './start.css'

/** The start page: what needs attention, what changed, and what the catalogue holds. */
export function StartPage() {
  const { model } = useSession()
  const { words } = useLocale()
  const mayWrite = model.types.some(row => row.may.includes('write'))
  useTitle(undefined)
  return (
    <div className="start">
      <h1 className="visually-hidden">{words.home}</h1>
      <div className="start-main">
        <section>
          <h2>{words.attention}</h2>
          <Attention />
          {mayWrite && <Link to="/find/duplicates">{words.likelyDuplicates}</Link>}
        </section>
        <section>
          <h2>{words.whatChanged}</h2>
          <Recent />
        </section>
      </div>
      <div className="start-side">
        <section>
          <h2>{words.inTheCatalogue}</h2>
          <Counts />
          <GrowthChart />
        </section>
        <Season />
      </div>
    </div>
  )
}

/** The current season. */
function Season() {
  const { client, model } = useSession()
  const { words } = useLocale()
  const nameOf = useNameOf()
  const today = new Date().toISOString().slice(0, 10)
  const { production, season: kind } = model.stage
  const mayRead = [production, kind?.row].every(row => row?.may.includes('read'))
  const current = useQuery({
    queryKey: ['being played', today],
    enabled: mayRead,
    queryFn: async ({ signal }) => {
      const during = [
        { type: 'type', value: kind?.row.type },
        { type: 'date', key: `properties.${days.first}.value`, value: { max: today } },
        { type: 'date', key: `properties.${days.last}.value`, value: { min: today } }
      ]
      return (
        (await client.entities.find(during, { limit: 1, orderBy: days.first, descending: true, signal })).results[0] ??
        null
      )
    }
  })
  const season = current.data
  if (!season) return <SectionNote queries={[current]} label={words.readiness} />
  return (
    <section>
      <h2>{words.readinessOfSeason(nameOf(season))}</h2>
      <SeasonReadiness seasonId={season.id} />
    </section>
  )
}
