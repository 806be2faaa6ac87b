import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aPng, createMediafile } from '../support/records/media.ts'
import { aProduction, aRecord, idsOf, metadata, relations } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'

/* The rules of a house, as docs/models/season.json declares them. */

const service = await start(
  { after },
  {
    MODEL: 'docs/models/season.json',
    PUBLIC_URL: 'https://house.example.org',
    ANONYMOUS_ACCESS: 'read:production:published,read:mediafile'
  }
)
const season = await service.create(aRecord('season', { name: '2027–2028' }))
const { id } = await service.create(
  aProduction({ title: 'Nachtegaal', premiere_date: '2027-10-01' }, { relations: relations({ refSeasons: season.id }) })
)
const readiness = async (of = id) => (await service.get(`/entities/${of}/readiness`)).body
const unmet = async () =>
  (await readiness()).rules.flatMap(({ name, met }: { name: string; met: boolean }) => (met ? [] : [name]))
const patch = async (of: string, body: object) => {
  const answer = await service.patch(`/entities/${of}`, body)
  assert.equal(answer.status, 200, answer.text)
}
const counted = async (key: string, value = 'incomplete') =>
  idsOf((await service.filter([{ type: 'readiness', key, value }])).body)

const all = [
  ...['short_text_nl', 'short_text_en', 'long_text_nl', 'credits', 'picture', 'rights_of_pictures'],
  ...['credit_of_pictures', 'alt_text_of_pictures', 'dates', 'prices']
]
const ofPictures = ['rights_of_pictures', 'credit_of_pictures', 'alt_text_of_pictures']

describe('The rules of readiness of a model file', () => {
  it('tell what a production lacks, and each is found by a filter', async () => {
    // No media file is without rights as long as there is none.
    assert.deepEqual(
      await unmet(),
      all.filter(name => !ofPictures.includes(name))
    )
    for (const name of all)
      assert.deepEqual(await counted(name, ofPictures.includes(name) ? 'ready' : 'incomplete'), [id], name)
  })

  it('are met one after the other, by texts of a length in a language, and by parts of the production', async () => {
    const text = (lang: string, length: number) => ({ lang, value: `<p>${'x'.repeat(length)}</p>` })
    const steps: readonly (readonly [string, () => Promise<unknown>, readonly string[]])[] = [
      [
        'a text that is too short',
        () => patch(id, { metadata: [{ key: 'description_short', ...text('nl', 79) }] }),
        []
      ],
      ['the text', () => patch(id, { metadata: [{ key: 'description_short', ...text('nl', 80) }] }), ['short_text_nl']],
      [
        'in English',
        () => patch(id, { metadata: [{ key: 'description_short', ...text('en', 300) }] }),
        ['short_text_en']
      ],
      ['the long text', () => patch(id, { metadata: [{ key: 'description', ...text('nl', 400) }] }), ['long_text_nl']],
      ['credits', () => patch(id, { metadata: metadata({ credits: 'Direction: A' }) }), ['credits']],
      [
        'a date with a price',
        () =>
          service.create(
            aRecord('performance', { start: '2027-10-01T18:00:00Z', price: '20 EUR Standard' }, { refProduction: id })
          ),
        ['dates', 'prices']
      ]
    ]
    let lacking = await unmet()
    for (const [what, step, met] of steps) {
      await step()
      lacking = lacking.filter((name: string) => !met.includes(name))
      assert.deepEqual(await unmet(), lacking, what)
    }
    const { mediafile } = await createMediafile(service, aPng(), 'posters', id)
    assert.deepEqual(await unmet(), ofPictures)
    for (const [key, name] of [
      ['copyright', 'rights_of_pictures'],
      ['credit', 'credit_of_pictures'],
      ['alt_text', 'alt_text_of_pictures']
    ] as const) {
      assert.ok((await unmet()).includes(name))
      await patch(mediafile, { metadata: metadata({ [key]: 'x' }) })
    }
    assert.deepEqual(await unmet(), [])
  })

  it('count for the state: a production is ready when it meets them and its media are complete', async () => {
    const { categories } = await readiness()
    const statuses = categories.map(({ category, files }: { category: string; files: number }) => [
      `${category}_status`,
      files > 0 ? 'complete' : 'not_applicable'
    ])
    const found = async (value: string) => idsOf((await service.filter([{ type: 'readiness', value }])).body)
    await patch(id, { metadata: metadata(Object.fromEntries(statuses)) })
    assert.equal((await readiness()).state, 'ready')
    assert.deepEqual(await found('ready'), [id])
    const other = await service.create(
      aProduction({ title: 'Other', ...Object.fromEntries(statuses), posters_status: 'not_applicable' })
    )
    assert.equal((await readiness(other.id)).state, 'incomplete')
    assert.deepEqual(await found('incomplete'), [other.id])
    assert.deepEqual(await found('ready'), [id])
    await service.delete(`/entities/${other.id}`)
  })
})

describe('GET /entities/{id}/due', () => {
  const statesOf = async (of: string) => (await service.get(`/entities/${of}/due`)).body.states

  it('lists what is due before the première, of a production or of all of a season, in every format', async () => {
    await patch(id, { metadata: [{ key: 'credits', value: null }] })
    // Without a date of its own, the first night counts.
    const second = await service.create(
      aProduction(
        { title: 'Zonnebloem', credits: 'x', price: '10 EUR Standard' },
        { relations: relations({ refSeasons: season.id }) }
      )
    )
    await service.create(aRecord('performance', { start: '2028-03-01T19:00:00Z' }, { refProduction: second.id }))
    const { body } = await service.get(`/entities/${season.id}/due`)
    assert.deepEqual(
      body.results.map(({ id, name, due }: Record<string, string>) => [id, name, due]),
      [
        [id, 'credits', '2027-07-03'],
        [second.id, 'short_text_nl', '2027-11-02'],
        [second.id, 'picture', '2027-11-02'],
        [second.id, 'short_text_en', '2027-12-02'],
        [second.id, 'long_text_nl', '2027-12-02']
      ]
    )
    assert.deepEqual(body.states, { ready: 0, incomplete: 2, contradictory: 0 })
    await patch(second.id, { metadata: metadata({ posters_status: 'complete' }) })
    assert.deepEqual(await statesOf(season.id), { ready: 0, incomplete: 1, contradictory: 1 })
    assert.deepEqual(await statesOf(second.id), { ready: 0, incomplete: 0, contradictory: 1 })
    assert.equal((await service.get(`/entities/${id}/due`)).body.count, 1)
    const { body: ticket } = await service.post('/tickets', { entity_id: season.id })
    const calendar = await service.get(`/entities/${season.id}/due?format=ics&lang=nl&ticket=${ticket}`, {
      token: undefined
    })
    assert.match(String(calendar.headers['content-type']), /^text\/calendar/)
    assert.equal(calendar.text.match(/BEGIN:VEVENT/g)?.length, 5)
    assert.match(calendar.text, /DTSTART;VALUE=DATE:20271102\r\n/)
    assert.match(calendar.text, /SUMMARY:Zonnebloem: Korte tekst\r\n/)
    const feed = await service.get(`/entities/${season.id}/due?format=atom`)
    assert.match(String(feed.headers['content-type']), /^application\/atom\+xml/)
    assert.match(feed.text, /<title>2027-07-03 · Nachtegaal: Credits<\/title>/)
  })
})

describe('What changed since a production was last published', () => {
  it('is compared with the version at its status or at its moment, whichever came later', async () => {
    const published = async () => (await readiness()).published
    const keys = async () => (await published())?.changes.map(({ key }: { key: string }) => key)
    assert.equal(await published(), undefined)
    await patch(id, { metadata: metadata({ status: 'published' }) })
    assert.deepEqual(await keys(), [])
    await patch(id, { metadata: metadata({ subtitle: 'x' }) })
    assert.deepEqual(await keys(), ['subtitle'])
    // Withdrawn and changed, and published again.
    await patch(id, { metadata: metadata({ status: 'concept' }) })
    await patch(id, { metadata: metadata({ duration: 90 }) })
    assert.deepEqual(await keys(), ['status', 'subtitle', 'duration'])
    await patch(id, { metadata: metadata({ status: 'published', publish_at: '2099-01-01T00:00:00Z' }) })
    assert.deepEqual(await keys(), ['subtitle', 'duration', 'publish_at'])
    await patch(id, { metadata: metadata({ publish_at: '2020-01-01T00:00:00Z' }) })
    assert.deepEqual(await keys(), [])
  })
})

describe('A media file without rights, credit or text', () => {
  it('is not shown to visitors, at any address', async () => {
    const { id: show } = await service.create(
      aProduction({ title: 'Vuurtoren', status: 'published', description_short: 'x' })
    )
    const { mediafile } = await createMediafile(service, aPng(), 'posters', show)
    const fields = ['copyright', 'credit', 'alt_text'] as const
    const seen = async () => {
      const told = []
      for (const address of [
        `/entities/${mediafile}`,
        `/mediafiles/${mediafile}/content`,
        `/mediafiles/${mediafile}/thumbnail`
      ])
        told.push((await service.get(address, { token: undefined })).status === 200)
      for (const address of [
        '/entities?type=mediafile',
        `/entities/${show}/mediafiles`,
        `/record/${show}`,
        '/export?format=ndjson'
      ])
        told.push((await service.get(address, { token: undefined })).text.includes(mediafile))
      return [...new Set(told)]
    }
    for (const key of fields) {
      assert.deepEqual(await seen(), [false], `without ${key}`)
      await patch(mediafile, { metadata: metadata({ [key]: 'x' }) })
    }
    assert.deepEqual(await seen(), [true])
  })
})
