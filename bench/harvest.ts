import { commonWord, findSamples, prepareCatalogue, rareWord } from './support/catalogue-file.ts'
import { adminToken, type ServerProcess, startLibretto } from './support/processes.ts'
import { median, printTable, type RunOptions } from './support/report.ts'

/** Number of records that are read of each list, and number of runs of each query. */
const records = 5000
const times = 7

/**
 * Measures how many records a second a harvester gets in each format, compared with reading the
 * same records as a list page by page; and the cost of searches by SRU compared with a get by id.
 * One client sends one request after the other.
 */
export async function run({ manifestations, rounds }: RunOptions) {
  const path = await prepareCatalogue(manifestations)
  const samples = findSamples(path)
  await using libretto = await startLibretto(path, { QUERY_DEADLINE: '30000' })
  const ask = askerOf(libretto)
  const recently = `${samples.recently.slice(0, 19)}Z`
  const lists: readonly [name: string, read: () => Promise<number>][] = [
    ['GET /entities, 100 at once', () => readList(libretto)],
    ['libretto', () => harvest(libretto, 'libretto', manifestationSet)],
    ['oai_dc', () => harvest(libretto, 'oai_dc', manifestationSet)],
    ['mods', () => harvest(libretto, 'mods')],
    ['marcxml', () => harvest(libretto, 'marcxml')],
    ['oai_dc, from the last fiftieth', () => harvest(libretto, 'oai_dc', `&from=${recently}`)]
  ]
  const rates = new Map<string, number[]>(lists.map(([name]) => [name, []]))
  for (let round = 0; round < rounds; round++)
    for (const [name, read] of lists) {
      const started = performance.now()
      const count = await read()
      rates.get(name)?.push((count / (performance.now() - started)) * 1000)
    }
  const [base = 1] = [median(rates.get(lists[0]?.[0] ?? '') ?? [])]
  console.log('records a second, median; one client')
  printTable(
    ['list', 'records/s', 'share of the list'],
    lists.map(([name]) => [
      name,
      median(rates.get(name) ?? []).toFixed(0),
      (median(rates.get(name) ?? []) / base).toFixed(2)
    ])
  )

  const [id = ''] = /M-[A-Z0-9]+/.exec((await ask('/entities?type=manifestation&limit=1')).text) ?? []
  const sru = (cql: string) => `/sru?maximumRecords=10&query=${encodeURIComponent(cql)}`
  const questions: readonly [name: string, path: string][] = [
    ['GET /entities/{id}', `/entities/${id}`],
    ['rec.identifier', sru(`rec.identifier = ${id}`)],
    ['bath.isbn', sru(`bath.isbn = "${samples.isbn}"`)],
    ['dc.title, a rare word', sru(`dc.title = ${rareWord}`)],
    ['dc.title, a common word', sru(`dc.title = ${commonWord}`)],
    ['dc.creator', sru(`dc.creator = "${samples.authorName}"`)],
    ['creator and title', sru(`dc.creator = "${samples.authorName}" and dc.title = ${commonWord}`)],
    ['anywhere, a rare word', sru(rareWord)],
    ['anywhere, a common word', sru(commonWord)],
    ['anywhere, two words', sru(`"${samples.authorName.split(',')[0]} ${commonWord}"`)],
    ['dc.date within, sorted', sru('dc.date within "1990 2000" sortBy dc.title')],
    ['scan dc.title', `/sru?scanClause=dc.title=${commonWord}&maximumTerms=20`]
  ]
  const measured: [string, number][] = []
  for (const [name, path] of questions) {
    const took: number[] = []
    for (let time = 0; time < times; time++) {
      const started = performance.now()
      await ask(path)
      took.push(performance.now() - started)
    }
    measured.push([name, median(took)])
  }
  const get = measured[0]?.[1] ?? 1
  console.log('\nmilliseconds, median; one client')
  printTable(
    ['question', 'ms', 'gets by id'],
    measured.map(([name, milliseconds]) => [name, milliseconds.toFixed(1), (milliseconds / get).toFixed(0)])
  )
}

const manifestationSet = '&set=bibliographic:manifestation'

const askerOf =
  ({ port }: ServerProcess) =>
  async (query: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${query}`, {
      headers: { authorization: `Bearer ${adminToken}` }
    })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${query}: ${response.status} ${text.slice(0, 200)}`)
    return { text, link: response.headers.get('link') ?? '' }
  }

async function readList(libretto: ServerProcess): Promise<number> {
  const ask = askerOf(libretto)
  let read = 0
  for (let next = '/entities?type=manifestation&limit=100'; read < records; read += 100) {
    const { link } = await ask(next)
    next = /<([^>]*)>; rel="next"/.exec(link)?.[1] ?? ''
    if (next === '') break
  }
  return read
}

/** Harvests some thousand records; gives how many, which is 0 for a format that is not offered. */
export async function harvest(libretto: ServerProcess, prefix: string, more = ''): Promise<number> {
  const ask = askerOf(libretto)
  let read = 0
  for (let next = `verb=ListRecords&metadataPrefix=${prefix}${more}`; read < records; ) {
    const { text } = await ask(`/oai?${next}`)
    read += text.split('<header').length - 1
    const token = /<resumptionToken[^>]*>([^<]+)</.exec(text)?.[1]
    if (token === undefined) break
    next = `verb=ListRecords&resumptionToken=${token}`
  }
  return read
}
