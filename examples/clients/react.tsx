import { createClient, type EntityOf, label, localTime, related } from 'libretto-client'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

const libretto = createClient({ baseUrl: document.documentElement.dataset.catalogue ?? '' })

interface Shown {
  readonly performance: EntityOf<'performance'>
  /** The day on the clocks of the venue, wherever the reader is. */
  readonly day: string
  readonly production: string
  readonly venues: string
}

async function findComing(signal: AbortSignal): Promise<Shown[]> {
  const { results } = await libretto.entities.find(
    [
      { type: 'type', value: 'performance' },
      { type: 'date', key: 'properties.start.value', value: { min: new Date().toISOString() } }
    ],
    { include: ['local'], orderBy: 'start', limit: 20, signal }
  )
  const targets = await libretto.entities.readRelated(results, { types: ['refProduction', 'refVenues'], signal })
  return results.map(performance => {
    const names = (type: 'refProduction' | 'refVenues') =>
      related(performance, type)
        .map(({ key }) => label(targets.get(key) ?? { metadata: [] }, 'en'))
        .join(', ')
    const day = localTime(performance)?.day ?? ''
    return { performance, day, production: names('refProduction'), venues: names('refVenues') }
  })
}

function Coming() {
  const [shown, setShown] = useState<readonly Shown[]>()
  const [failure, setFailure] = useState('')
  useEffect(() => {
    const stop = new AbortController()
    findComing(stop.signal).then(setShown, (error: Error) => {
      if (!stop.signal.aborted) setFailure(error.message)
    })
    return () => stop.abort()
  }, [])
  return (
    <main>
      <h1>Coming performances</h1>
      <p role="status">{failure && `The list cannot be shown: ${failure}`}</p>
      <ul aria-busy={shown === undefined && failure === ''}>
        {shown?.map(({ performance, day, production, venues }) => (
          <li key={performance.id} id={performance.id}>
            {production}, {venues} <time dateTime={day}>{dayText(day)}</time>
          </li>
        ))}
      </ul>
    </main>
  )
}

const dayText = (day: string) => new Date(day).toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' })

createRoot(document.querySelector('#root') as Element).render(<Coming />)
