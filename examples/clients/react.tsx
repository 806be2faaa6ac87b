import { createClient, type EntityOf, label, related, value } from 'libretto-client'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

const libretto = createClient({ baseUrl: document.documentElement.dataset.catalogue ?? '' })

interface Shown {
  readonly performance: EntityOf<'performance'>
  readonly production: string
  readonly venues: string
}

async function findComing(signal: AbortSignal): Promise<Shown[]> {
  const { results } = await libretto.entities.find(
    [
      { type: 'type', value: 'performance' },
      { type: 'date', key: 'properties.start.value', value: { min: new Date().toISOString() } }
    ],
    { orderBy: 'start', limit: 20, signal }
  )
  const targets = await libretto.entities.readRelated(results, { types: ['refProduction', 'refVenues'], signal })
  return results.map(performance => {
    const names = (type: 'refProduction' | 'refVenues') =>
      related(performance, type)
        .map(({ key }) => label(targets.get(key) ?? { metadata: [] }, 'en'))
        .join(', ')
    return { performance, production: names('refProduction'), venues: names('refVenues') }
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
        {shown?.map(({ performance, production, venues }) => (
          <li key={performance.id} id={performance.id}>
            {production}, {venues}{' '}
            <time dateTime={value(performance, 'start')}>{dayOf(value(performance, 'start'))}</time>
          </li>
        ))}
      </ul>
    </main>
  )
}

const dayOf = (start = '') => new Date(start).toLocaleDateString('en', { dateStyle: 'long' })

createRoot(document.querySelector('#root') as Element).render(<Coming />)
