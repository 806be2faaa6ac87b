import { commonWord, findSamples, manifestationIds, prepareCatalogue, rareWord } from './support/catalogue-file.ts'
import { getRequest, inTurn, type Measured, measure, postRequest } from './support/load.ts'
import { type ServerProcess, startLibretto } from './support/processes.ts'
import { type AskedQuestion, askOnce, manifestations, tryOnce } from './support/questions.ts'
import { printTable, type RunOptions } from './support/report.ts'

/**
 * What searches, suggestions and facets cost, their 95th percentile as a ratio to that of a get by
 * id in the same run; then the questions that are meant to be as costly as can be, none of which
 * may pass the deadline.
 */
export async function run({ seconds, manifestations: size }: RunOptions) {
  const database = await prepareCatalogue(size)
  {
    // What a question costs is told also of those that cost too much.
    await using patient = await startLibretto(database, { QUERY_DEADLINE: '60000' })
    await measureSearches(patient, database, seconds)
  }
  await using libretto = await startLibretto(database)
  await measureAdversaries(libretto)
}

const search = (value: string) => ({ type: 'search', value })

/** In milliseconds, as the service has it by default. */
const deadline = 2000

/** As many as there are reader threads: more would only queue. */
const askers = 2

interface RepeatedQuestion extends AskedQuestion {
  /** Asked with the same words each time, so that what was counted once may be remembered. */
  readonly isRepeated?: boolean
}

const facetsOfMany = [
  { name: 'facet of the types of all', filters: [], query: 'facets=type&limit=0' },
  { name: 'facet of the languages of all', filters: [], query: 'facets=properties.ref_languages.value&limit=0' },
  {
    name: 'facet of the years of all',
    filters: [],
    query: 'facets=properties.year_of_publication.value&limit=0'
  },
  {
    name: 'facet of the publishers of all manifestations',
    filters: [manifestations],
    query: 'facets=properties.ref_publishers.value&limit=0'
  }
] as const

/**
 * The same question in as many words as it takes for nothing to be remembered: facets are, as long
 * as nothing is written.
 */
function requestsFor({ filters, query = '', isRepeated }: RepeatedQuestion): Buffer[] {
  const isVaried = query.includes('facets=') && !isRepeated
  return Array.from({ length: isVaried ? 80 : 1 }, (_, index) =>
    postRequest(`/entities/filter?${query}${isVaried ? `&facet_limit=${20 + index}` : ''}`, filters)
  )
}

async function measureSearches(libretto: ServerProcess, database: string, seconds: number) {
  const { isbn, authorName } = findSamples(database)
  const gets = inTurn(
    manifestationIds(database)
      .slice(0, 1000)
      .map(id => getRequest(`/entities/${id}`))
  )
  const ask = (next: () => Buffer, most = seconds / 2) =>
    measure({ port: libretto.port, connections: askers, seconds: most, next })
  const [surname = ''] = authorName.split(' ').toReversed()
  const questions: RepeatedQuestion[] = [
    { name: `a rare word (${rareWord})`, filters: [search(rareWord)] },
    { name: `a common word (${commonWord})`, filters: [search(commonWord)] },
    { name: 'two common words', filters: [search(`${commonWord} liefde`)] },
    { name: 'a title with stop words', filters: [search('de geschiedenis van het water')] },
    { name: 'an author', filters: [search(authorName)] },
    { name: 'an author and a word', filters: [search(`${surname} ${commonWord}`)] },
    { name: 'a beginning of three letters', filters: [search('ges')] },
    { name: 'a word with a slip', filters: [search('geschidenis')] },
    { name: 'two words with slips', filters: [search('gschiedenis schadw')] },
    { name: 'an ISBN', filters: [search(isbn)] },
    { name: 'a stop word (de)', filters: [search('de')] },
    { name: 'a common word, among manifestations', filters: [search(commonWord), manifestations] },
    { name: 'the same, with highlights', filters: [search(commonWord), manifestations], query: 'highlight=1' },
    {
      name: 'the same, with three facets',
      filters: [search(commonWord), manifestations],
      query: 'facets=type,properties.ref_languages.value,properties.year_of_publication.value'
    },
    ...facetsOfMany,
    { ...facetsOfMany[0], name: 'facet of the types of all again, remembered', isRepeated: true },
    { name: 'count only, a common word', filters: [search(commonWord)], query: 'limit=0' }
  ]
  const requests = questions.map(question => ({ name: question.name, next: inTurn(requestsFor(question)) }))
  const add = (name: string, request: Buffer) => requests.push({ name, next: () => request })
  add('page 50 of a common word, by cursor', await pageDeep(libretto.port))
  add('suggestions for three letters', getRequest('/suggest?q=ges'))
  add('suggestions for a slip', getRequest('/suggest?q=geschidenis'))

  await ask(gets)
  const base = await ask(gets)
  const rows = [['get by id', '', ...figures(base), '1']]
  for (const { name, next } of requests) {
    const first = await tryOnce(libretto.port, next())
    // A question that is near the deadline may pass it when two ask at once.
    const measured = first.status === 200 ? await ask(next).catch(() => undefined) : undefined
    rows.push(
      measured
        ? [name, first.count, ...figures(measured), (measured.p95 / base.p95).toFixed(0)]
        : [name, first.count, 'passes the deadline', '', '', '']
    )
  }
  console.log(`${askers} connections; the ratio is of the 95th percentile to that of get by id`)
  printTable(['question', 'matches', 'requests/s', 'p50 ms', 'p95 ms', 'ratio'], rows)
}

const figures = ({ perSecond, p50, p95 }: Measured) => [perSecond.toPrecision(3), p50.toFixed(2), p95.toFixed(2)]

async function pageDeep(port: number): Promise<Buffer> {
  let path = '/entities/filter?limit=20'
  for (let page = 1; page < 50; page++) {
    const { next } = await askOnce(port, postRequest(path, [search(commonWord)]))
    if (next === undefined) break
    path = next
  }
  return postRequest(path, [search(commonWord)])
}

/** What a catalogue could be narrowed by: fields and relations that many records have. */
const manyFacets = [
  'type',
  ...['year', 'material_type', 'year_of_publication', 'content_type', 'literary_type', 'edition'],
  ...['ref_languages', 'ref_authors', 'ref_subjects', 'ref_places', 'ref_publishers', 'ref_genres'],
  ...['ref_target_audiences', 'ref_zizos', 'ref_sisos']
].map(name => (name === 'type' ? name : `properties.${name}.value`))

/**
 * Questions that are meant to be costly. By the clock of whoever asks, each is answered or refused
 * before the deadline.
 */
async function measureAdversaries({ port }: ServerProcess) {
  const letters = 'a b c d e f g h i j k l m n o p q r s t u v w x y z'
  const stopWords = 'de het een van the en of and in a'
  const paragraph = 'de stilte van het water en de schaduw over een oude stad in het licht van de laatste zomer '
    .repeat(6)
    .slice(0, 512)
  const many = (filter: unknown) => Array.from({ length: 64 }, () => filter)
  const contains = (value: string) => ({ type: 'text', key: ['properties.title.value'], value })
  const questions: AskedQuestion[] = [
    { name: 'one letter', filters: [search('a')] },
    { name: 'two letters', filters: [search('de')] },
    { name: 'all letters', filters: [search(letters)] },
    { name: 'ten stop words', filters: [search(stopWords)] },
    { name: 'a word of 512 letters', filters: [search('x'.repeat(512))] },
    { name: 'a paragraph of 512 characters', filters: [search(paragraph)] },
    {
      name: 'sixteen words with slips',
      filters: [search('gschiedenis schadw herinering koningn detectve '.repeat(4))]
    },
    { name: '64 searches for a stop word', filters: many(search('de')) },
    { name: '64 searches for a paragraph', filters: many(search(paragraph)) },
    { name: '64 searches with slips', filters: many(search('gschiedenis schadw')) },
    { name: 'all but a stop word', filters: [{ ...search('de'), match_not: true }] },
    { name: 'a stop word, by title', filters: [search('de')], query: 'order_by=title' },
    { name: 'contains one letter', filters: [contains('e')] },
    { name: 'contains 512 characters', filters: [contains('x'.repeat(512))] },
    { name: '64 times contains two letters', filters: many(contains('qx')) },
    {
      name: 'a stop word with sixteen facets',
      filters: [search('de')],
      query: `facets=${manyFacets.join()}`
    },
    { name: 'sixteen facets that there are, of everything', filters: [], query: `limit=0&facets=${manyFacets.join()}` },
    {
      name: 'sixteen facets of everything',
      filters: [],
      query: `limit=0&facets=${Array.from({ length: 16 }, (_, index) => (index === 0 ? 'properties.title.value' : `properties.k${index}.value`)).join()}`
    }
  ]
  const rows: string[][] = []
  let isLate = false
  for (const { name, filters, query = '' } of questions) {
    // Each a little different, so that none has the answer of another.
    const limit = query.includes('facets=') ? 'facet_limit' : 'limit'
    const requests = Array.from({ length: 9 }, (_, index) =>
      postRequest(`/entities/filter?${query}&${limit}=${20 + index}`, filters)
    )
    const [alone, ...crowd] = requests.map(request => () => tryOnce(port, request))
    if (!alone) continue
    const tried = await alone()
    const answers = await Promise.all(crowd.map(ask => ask()))
    const slowest = Math.max(...answers.map(({ took }) => took))
    isLate ||= tried.took > deadline || slowest > deadline
    const answered = answers.filter(({ status }) => status === 200).length
    const refused = answers.filter(({ status }) => status === 503).length
    if (answered + refused < answers.length) throw new Error(`${name}: ${answers.map(({ status }) => status).join()}`)
    rows.push([name, String(tried.status), tried.count, tried.took.toFixed(0), String(answered), slowest.toFixed(0)])
  }
  console.log(`The deadline is ${deadline} ms; 503 is what a question gets that would pass it. By the asker's clock:`)
  printTable(['question', 'status', 'matches', 'ms', 'answered of eight at once', 'slowest ms'], rows)
  console.log(isLate ? 'Some were late.' : 'None was late.')
  if (isLate) process.exitCode = 1
}
