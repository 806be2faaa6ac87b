import { createClient, label, related, value } from 'libretto-client'

const libretto = createClient({
  baseUrl: process.env.LIBRETTO_URL ?? 'http://127.0.0.1:8080',
  token: process.env.LIBRETTO_TOKEN
})

const { results } = await libretto.entities.find(
  [
    { type: 'type', value: 'performance' },
    { type: 'date', key: 'properties.start.value', value: { min: new Date().toISOString() } }
  ],
  { orderBy: 'start', limit: 20 }
)
const targets = await libretto.entities.readRelated(results, { types: ['refProduction', 'refVenues'] })
for (const performance of results) {
  const names = type => related(performance, type).map(({ key }) => label(targets.get(key) ?? { metadata: [] }, 'en'))
  console.log(performance.id, value(performance, 'start'), ...names('refProduction'), ...names('refVenues'))
}
