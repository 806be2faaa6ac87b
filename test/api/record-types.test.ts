import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import type { Json } from '#domain/entity/entity.ts'
import type { Field, RecordType } from '#domain/record-types/record-type.ts'
import { contentHashField } from '#domain/entity/server-fields.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { aProduction, metadata, relations } from '../support/records/entities.ts'
import { holdToChanges } from '../support/records/changes.ts'
import { start } from '../support/services/start.ts'
import {
  assertProblem,
  badValues,
  createOneOfEach,
  fieldOf,
  goodValue,
  messagesOf,
  pointersOf,
  requiredMetadata,
  smallest,
  targetFor,
  typesUnder
} from '../support/records/write-cases.ts'

const service = await start({ after })
holdToChanges(service)
const { create, get, patch, post } = service
const targets = await createOneOfEach(service)

/**
 * The record types with their prefixes, typed once more by hand: the tables are compared with this
 * list, not with themselves.
 */
const prefixes: Readonly<Record<string, string>> = {
  language: 'LANG',
  person: 'PERS',
  corporation: 'CORP',
  subject: 'SUBJ',
  publisher: 'PUB',
  series: 'SER',
  target_audience: 'AUD',
  genre: 'GEN',
  place: 'PL',
  time: 'TIME',
  title: 'TIT',
  siso: 'SISO',
  code_wording: 'CW',
  zizo: 'ZIZO',
  item: 'IT',
  library: 'LIB',
  production: 'PR',
  performance: 'PF',
  venue: 'VE',
  company: 'CO',
  booking_agency: 'BA',
  season: 'SEA',
  hall: 'HALL',
  subscription: 'ABO',
  tour: 'TOUR',
  mediafile: 'MF'
}
const materials = ['word', 'music', 'map', 'serial', 'footage', 'mixed_material', 'computer_file']
const waysToTakeIn = ['reading', 'listening', 'watching', 'playing', 'orienting', 'easy_reading']

const fieldsOf = {
  work: 'title* original_title literary_type year scale coordinates work_number',
  expression: 'title* content_type year',
  manifestation:
    'title* subtitle isbn issn ean year_of_publication edition extent material_type series_statement responsibility is_omnibus summary contents note performers credits thesis duration link access dewey lcc udc lccn publisher_number cancelled_isbn cancelled_issn host preceding_title succeeding_title parallel_title',
  language: 'name* code*',
  person: 'name* non_preferred_name life_dates',
  corporation: 'name* non_preferred_name',
  subject: 'name* non_preferred_name',
  publisher: 'name* non_preferred_name',
  series: 'name* non_preferred_name issn',
  target_audience: 'name* non_preferred_name',
  genre: 'name* non_preferred_name',
  place: 'name* non_preferred_name',
  time: 'name* non_preferred_name',
  title: 'title* subtitle non_preferred_name',
  siso: 'code* land_or_language',
  code_wording: 'code* wording code_wording_type',
  zizo: 'code* title* level',
  item: 'shelf_mark barcode location volume status note',
  library: 'name* code non_preferred_name address postal_code city country website email phone',
  production:
    'title* subtitle description description_short credits status duration interval premiere_date age_category price rights language_icon posters_status scene_images_status trailer_status review_status rider_status framing_status music_fragments_status social_media_status',
  performance:
    'start* end doors interval event_type status status_reason former_start availability on_sale_from price url attendance accessibility',
  hall: 'name* capacity accessibility',
  subscription: 'name* description price on_sale_from url',
  tour: 'name* description start_date end_date url',
  venue:
    'name* address postal_code city country latitude longitude time_zone capacity accessibility website email phone',
  company: 'name* website email phone city country',
  booking_agency: 'name* website email phone city country',
  season: 'name* start_date end_date',
  mediafile: 'mediafile_type* title description copyright filename mimetype size sha256 width height external_url'
}

const relationsOf = {
  work: 'refParts refPrecededBy refAuthors refSubjects refGenres refPlaces refTimes refZizos refSisos refTargetAudiences refUniformTitles refLanguages refRelatedWorks refCodeWordings',
  expression: 'refWork refLanguages refAuthors refCodeWordings refTargetAudiences',
  manifestation:
    'refExpressions refPublishers refSeries refHost refPlaces refAuthors refLanguages refSisos refZizos refTargetAudiences refCodeWordings',
  zizo: 'refParentZizo',
  item: 'refManifestation refLibrary',
  production:
    'refVenues refCompanies refCoproducers refSupporters refBookingAgency refGenres refSeasons refSubscriptions refTours refWorks refAuthors refLanguages refSurtitles',
  performance: 'refProduction refVenues refHalls refAuthors refSubscriptions refTours refLanguages refSurtitles',
  hall: 'refVenues',
  subscription: 'refSeasons',
  tour: 'refCompanies refBookingAgency refSeasons',
  mediafile: 'refProductions'
}

const relationTargets: Readonly<Record<string, readonly string[]>> = {
  refAuthors: ['person', 'corporation'],
  refSubjects: ['subject', 'person', 'corporation', 'place', 'title', 'work'],
  refGenres: ['genre'],
  refPlaces: ['place'],
  refTimes: ['time'],
  refZizos: ['zizo'],
  refSisos: ['siso'],
  refTargetAudiences: ['target_audience'],
  refUniformTitles: ['title'],
  refLanguages: ['language'],
  refRelatedWorks: ['work'],
  refCodeWordings: ['code_wording'],
  refWork: ['work'],
  refExpressions: ['expression'],
  refPublishers: ['publisher'],
  refSeries: ['series'],
  refHost: ['manifestation'],
  refParts: ['work'],
  refPrecededBy: ['work'],
  refParentZizo: ['zizo'],
  refManifestation: ['manifestation'],
  refLibrary: ['library'],
  refVenues: ['venue'],
  refCompanies: ['company'],
  refBookingAgency: ['booking_agency'],
  refSeasons: ['season'],
  refHalls: ['hall'],
  refSubscriptions: ['subscription'],
  refTours: ['tour'],
  refSurtitles: ['language'],
  refCoproducers: ['company', 'corporation'],
  refSupporters: ['company', 'corporation', 'person'],
  refWorks: ['work', 'expression'],
  refProduction: ['production'],
  refProductions: ['production']
}

const without = (names: readonly string[], others: readonly string[]) => names.filter(each => !others.includes(each))

describe('Record types', () => {
  it('are those of the interface', () => {
    const expected = [
      ...materials.map(material => `work_${material}`),
      ...materials.map(material => `expression_${material}`),
      ...waysToTakeIn,
      ...materials.map(material => `manifestation_${material}`),
      ...Object.keys(prefixes)
    ]

    assert.deepEqual(builtInRecordTypes.map(each => each.type).sort(), expected.sort())
  })

  it('have at least the fields and relations of the interface, required where it says so', () => {
    for (const recordType of builtInRecordTypes) {
      const name = (recordType.umbrella ?? recordType.type) as keyof typeof fieldsOf
      const fields = Object.entries(recordType.fields).map(([key, field]) => (field.required ? `${key}*` : key))
      assert.deepEqual(without(fieldsOf[name].split(' '), fields), [], recordType.type)
      // A client that sends the fields of the interface is not asked for others.
      const required = fields.filter(each => each.endsWith('*'))
      assert.deepEqual(without(required, fieldsOf[name].split(' ')), [], recordType.type)
      const expected = ((relationsOf as Record<string, string>)[name] ?? '').split(' ').filter(each => each !== '')
      assert.deepEqual(without(expected, Object.keys(recordType.relations)), [], recordType.type)
      for (const type of expected)
        assert.deepEqual(recordType.relations[type]?.to, relationTargets[type], `${recordType.type} ${type}`)
    }
  })

  for (const recordType of builtInRecordTypes) {
    const { type, umbrella } = recordType
    const prefix = prefixes[type] ?? { work: 'W', expression: 'E', manifestation: 'M' }[umbrella ?? '']

    it(`${type} is created from its required fields alone, with an id that begins with ${prefix}-`, async () => {
      const entity = await create(smallest(recordType, targets))

      assert.equal(entity.type, type)
      assert.match(entity.id, new RegExp(`^${prefix}-[A-Z0-9]{9}$`))
      for (const { key, value } of requiredMetadata(recordType)) assert.deepEqual(fieldOf(entity, key), value)
    })

    it(`${type} keeps every declared field with a good value`, async () => {
      const given = clientFields(recordType).map(([key, field]) => ({ key, value: goodValue(field) }))
      const { metadata: kept } = await create({ ...smallest(recordType, targets), metadata: given })

      assert.deepEqual(kept, given)
    })

    for (const { key } of requiredMetadata(recordType)) {
      it(`${type} without ${key}, or with an empty one, is refused`, async () => {
        const whole = smallest(recordType, targets)
        const others = whole.metadata.filter(entry => entry.key !== key)
        for (const entries of [others, ...['', null, []].map(value => [...others, { key, value }])]) {
          const answer = await post('/entities', { ...whole, metadata: entries })
          assertProblem(answer, 'invalid')
          assert.deepEqual(messagesOf(answer), [`"${key}" is required for a ${type}`])
        }
      })
    }
  }

  it('take the values of each kind of field and refuse others, with the place', async () => {
    for (const recordType of builtInRecordTypes.filter(
      each => each.umbrella === undefined || each.type.endsWith('_word')
    )) {
      const whole = smallest(recordType, targets)
      for (const [key, field] of clientFields(recordType)) {
        const others = whole.metadata.filter(entry => entry.key !== key)
        for (const value of badValues[field.kind]) {
          const answer = await post('/entities?dry_run=1', { ...whole, metadata: [...others, { key, value }] })
          assertProblem(answer, 'invalid')
          assert.deepEqual(
            pointersOf(answer),
            [`/metadata/${others.length}/value`],
            `${recordType.type} ${key} ${JSON.stringify(value)}`
          )
          assert.ok((messagesOf(answer)[0] ?? '').startsWith(`"${key}" must be `))
        }
      }
    }
  })

  it('take an empty value of a declared field for none, and store nothing of it', async () => {
    for (const empty of [null, '', []]) {
      const fields = { title: 'x', duration: empty, premiere_date: empty, age_category: empty, subtitle: empty }
      const made = await create({ type: 'production', metadata: metadata({ ...fields, status: empty, note: 'x' }) })
      assert.deepEqual(
        made.metadata.map((entry: { key: string }) => entry.key).filter((key: string) => !key.endsWith('_status')),
        ['title', 'note', 'status']
      )
      assert.equal(fieldOf(made, 'status'), 'concept')
    }
  })
})

describe('Umbrella types', () => {
  for (const umbrella of ['work', 'expression', 'manifestation']) {
    it(`${umbrella} cannot be written; the refusal names its subtypes`, async () => {
      const answer = await post('/entities', { type: umbrella, metadata: metadata({ title: 'x' }) })

      assertProblem(answer, 'invalid')
      assert.deepEqual(pointersOf(answer), ['/type'])
      assert.match(answer.body.detail, new RegExp(`${umbrella}_word`))
    })
  }
})

describe('Relations', () => {
  /** One type of each table; the subtypes of an umbrella share theirs. */
  const ofEachTable = builtInRecordTypes.filter(each => each.umbrella === undefined || each.type.endsWith('_word'))

  for (const recordType of ofEachTable) {
    for (const [relation, rule] of Object.entries(recordType.relations)) {
      const allowed = typesUnder(rule.to)

      it(`${recordType.type} ${relation} points to ${rule.to.join(' or ')} and to nothing else`, async () => {
        const whole = smallest(recordType, targets)
        const others = whole.relations.filter(each => each.type !== relation)
        for (const [type, key] of targets) {
          const answer = await post('/entities?dry_run=1', {
            ...whole,
            relations: [...others, { key, type: relation }]
          })
          if (allowed.includes(type)) assert.equal(answer.status, 200, `${type}: ${answer.text}`)
          else {
            assertProblem(answer, 'invalid')
            assert.deepEqual(pointersOf(answer), [`/relations/${others.length}/key`])
            assert.ok(answer.body.detail.includes(`is a ${type}`), answer.body.detail)
          }
        }
      })

      const { min = 0, max = Number.POSITIVE_INFINITY } = rule
      const several = max === Number.POSITIVE_INFINITY ? 'any number' : `at most ${max}`
      it(`${recordType.type} has ${min > 0 ? `at least ${min} and ` : ''}${several} of ${relation}`, async () => {
        const whole = smallest(recordType, targets)
        const others = whole.relations.filter(each => each.type !== relation)
        const [first] = allowed
        const base = builtInRecordTypes.find(each => each.type === first)
        assert.ok(base)
        const keys = [targetFor(rule.to, targets), (await create(smallest(base, targets))).id]
        const send = (count: number) =>
          post('/entities?dry_run=1', {
            ...whole,
            relations: [...others, ...relations({ [relation]: keys.slice(0, count) })]
          })

        for (const count of [0, 1, 2]) {
          const answer = await send(count)
          if (count >= min && count <= max) assert.equal(answer.status, 200, answer.text)
          else {
            assertProblem(answer, 'invalid')
            assert.deepEqual(pointersOf(answer), ['/relations'])
          }
        }
      })
    }
  }

  it('are bounded where a record has one whole, or needs one', () => {
    const bounds = ofEachTable.flatMap(({ type, relations: rules }) =>
      Object.entries(rules)
        .filter(([, rule]) => rule.min !== undefined || rule.max !== undefined)
        .map(([relation, rule]) => `${type} ${relation} ${rule.min ?? 0}..${rule.max ?? ''}`)
    )

    assert.deepEqual(bounds.sort(), [
      'expression_word refWork 1..1',
      'hall refVenues 1..1',
      'item refLibrary 0..1',
      'item refManifestation 1..1',
      'manifestation_word refExpressions 1..',
      'performance refProduction 1..1',
      'production refBookingAgency 0..1',
      'subscription refSeasons 0..1',
      'tour refBookingAgency 0..1',
      'tour refSeasons 0..1',
      'zizo refParentZizo 0..1'
    ])
  })
})

const categories = 'posters scene_images trailer review rider framing music_fragments social_media'.split(' ')

describe('Media availability of a production', () => {
  const values = ['status_to_be_determined', 'not_applicable', 'follows_later', 'partially', 'complete']
  const others = ['COMPLETE', 'complete ', 'done', 'published', 0, true, ['complete'], {}]

  for (const category of categories) {
    for (const value of values) {
      it(`${category}_status may be ${value}`, async () => {
        assert.equal(fieldOf(await create(aProduction({ [`${category}_status`]: value })), `${category}_status`), value)
      })
    }

    it(`${category}_status may be nothing else`, async () => {
      for (const value of others) {
        const entries = [...metadata({ title: 'x' }), { key: `${category}_status`, value }]
        const answer = await post('/entities', { type: 'production', metadata: entries })
        assertProblem(answer, 'invalid')
        assert.deepEqual(pointersOf(answer), ['/metadata/1/value'], JSON.stringify(value))
      }
    })

    it(`${category}_status is status_to_be_determined where it is left out`, async () => {
      assert.equal(fieldOf(await create(aProduction()), `${category}_status`), 'status_to_be_determined')
    })

    it(`${category}_status goes from any value to any other`, async () => {
      const { id } = await create(aProduction())
      for (const from of values) {
        for (const to of values) {
          for (const value of [from, to]) {
            const answer = await patch(`/entities/${id}/metadata`, metadata({ [`${category}_status`]: value }))
            assert.equal(answer.status, 200, `${from} → ${to}`)
          }
        }
      }
    })
  }
})

describe('Status of a production', () => {
  const statuses = ['concept', 'published', 'archived']

  it('is concept where it is left out', async () => {
    assert.equal(fieldOf(await create(aProduction()), 'status'), 'concept')
  })

  for (const from of statuses) {
    for (const to of statuses) {
      it(`goes from ${from} to ${to}, and the version before is kept`, async () => {
        const { id } = await create(aProduction({ description_short: 'x', status: from }))
        const answer = await patch(`/entities/${id}/metadata`, metadata({ status: to }))

        assert.equal(answer.status, 200)
        assert.equal((await get(`/entities/${id}`)).body.version, from === to ? 1 : 2)
      })
    }
  }

  it('may be nothing else', async () => {
    for (const status of ['Published', 'draft', 1, ['concept']]) {
      const entries = [...metadata({ title: 'x' }), { key: 'status', value: status }]
      assertProblem(await post('/entities', { type: 'production', metadata: entries }), 'invalid')
    }
  })

  it('published needs a title and a description_short', async () => {
    for (const fields of [
      { title: 'x', status: 'published' },
      { title: 'x', status: 'published', description_short: '' },
      { title: 'x', status: 'published', description_short: '<script>x</script>' }
    ]) {
      const answer = await post('/entities', { type: 'production', metadata: metadata(fields) })
      assertProblem(answer, 'invalid')
      assert.match(answer.body.detail, /needs "description_short"/)
    }
    const untitled = await post('/entities', {
      type: 'production',
      metadata: metadata({ status: 'published', description_short: 'x' })
    })
    assert.ok(messagesOf(untitled).some(message => /needs "title"/.test(message)))
  })

  it('published cannot lose its description_short, in any way of writing', async () => {
    const { id } = await create(aProduction({ status: 'published', description_short: 'x' }))

    assertProblem(await patch(`/entities/${id}`, { metadata: metadata({ description_short: '' }) }), 'invalid')
    assertProblem(await service.put(`/entities/${id}`, aProduction({ status: 'published' })), 'invalid')
    assertProblem(await service.call('DELETE', `/entities/${id}/metadata`, { body: ['description_short'] }), 'invalid')
    assert.equal(
      (await patch(`/entities/${id}`, { metadata: metadata({ description_short: '', status: 'concept' }) })).status,
      200
    )
  })

  it('concept and archived need neither', async () => {
    for (const status of ['concept', 'archived'])
      assert.equal((await post('/entities', aProduction({ status }))).status, 201)
  })
})

describe('Other fields of a production', () => {
  it('age_category is an age of one or two digits with a plus, a range of ages, or all', async () => {
    for (const value of ['0+', '3+', '12+', '99+', '6-12', '0-0', 'all']) {
      assert.equal((await post('/entities', aProduction({ age_category: value }))).status, 201, value)
    }
    for (const value of badValues.age_category) {
      const entries = [...metadata({ title: 'x' }), { key: 'age_category', value }]
      assertProblem(await post('/entities', { type: 'production', metadata: entries }), 'invalid')
    }
  })

  it('duration is a number of minutes, 0 or more', async () => {
    for (const value of [0, 0.5, 90, 1e6])
      assert.equal(fieldOf(await create(aProduction({ duration: value })), 'duration'), value)
    // Forms of existing clients send numbers as text.
    assert.equal(fieldOf(await create(aProduction({ duration: '90' })), 'duration'), 90)
    for (const value of [-1, -0.001, '-1', '90 min', true]) {
      assertProblem(await post('/entities', aProduction({ duration: value })), 'invalid')
    }
  })

  it('premiere_date is an ISO 8601 date', async () => {
    for (const value of ['2026-11-14', '2024-02-29', '2026-11-14T20:00:00Z', '2026-11-14T20:00:00+01:00']) {
      assert.equal((await post('/entities', aProduction({ premiere_date: value }))).status, 201, value)
    }
    for (const value of ['2025-02-29', '2026-00-10', '2026-1-1', '14/11/2026', 20261114]) {
      assertProblem(await post('/entities', aProduction({ premiere_date: value })), 'invalid')
    }
  })
})

describe('description_short', () => {
  const send = (text: Json) => post('/entities', aProduction({ description_short: text }))

  it('may have 500 characters, counted in Unicode code points', async () => {
    for (const text of [
      'a'.repeat(500),
      '😀'.repeat(500),
      'é'.repeat(500),
      'e\u0301'.repeat(250),
      `<p>${'a'.repeat(493)}</p>`
    ]) {
      assert.equal((await send(text)).status, 201, `${[...text].length}`)
    }
  })

  it('with 501 is refused with W13000', async () => {
    for (const text of [
      'a'.repeat(501),
      '😀'.repeat(501),
      'e\u0301'.repeat(250).concat('x'),
      `<p>${'a'.repeat(494)}</p>`
    ]) {
      const answer = await send(text)
      assertProblem(answer, 'description_too_long')
      assert.match(answer.body.message, /^W13000 \| /)
      assert.deepEqual(pointersOf(answer), ['/metadata/1/value'])
      assert.match(answer.body.detail, /500 characters, not 501/)
    }
  })

  it('is counted as it is stored: markup that is removed does not count', async () => {
    assert.equal((await send(`<script>${'x'.repeat(600)}</script>${'a'.repeat(500)}`)).status, 201)
    assertProblem(await send(`${'<'.repeat(200)}${'a'.repeat(100)}`), 'description_too_long')
  })

  it('too long in any language, and by any way of writing, is refused', async () => {
    const { id } = await create(aProduction())
    const long = 'a'.repeat(501)

    assertProblem(
      await patch(`/entities/${id}`, { metadata: [{ key: 'description_short', value: long, lang: 'nl' }] }),
      'description_too_long'
    )
    assertProblem(await post(`/entities/${id}/metadata`, metadata({ description_short: long })), 'description_too_long')
    assertProblem(
      await service.put(`/entities/${id}`, aProduction({ description_short: long })),
      'description_too_long'
    )
  })

  it('too long among other faults is told as one of them', async () => {
    const answer = await post('/entities', aProduction({ description_short: 'a'.repeat(501), duration: -1 }))

    assertProblem(answer, 'invalid')
    assert.deepEqual(pointersOf(answer).sort(), ['/metadata/1/value', '/metadata/2/value'])
  })

  it('is the only field with a limit', async () => {
    assert.equal(
      (await post('/entities', aProduction({ description: 'a'.repeat(5000), credits: 'b'.repeat(5000) }))).status,
      201
    )
  })
})

describe('Choices of other types', () => {
  it('performance status is scheduled, cancelled, postponed, sold_out or moved', async () => {
    const production = targets.get('production') ?? ''
    const send = (status: Json) =>
      post('/entities', {
        type: 'performance',
        metadata: [...metadata({ start: '2026-11-14T20:00:00Z' }), { key: 'status', value: status }],
        relations: relations({ refProduction: production })
      })

    for (const status of ['scheduled', 'cancelled', 'postponed', 'sold_out', 'moved'])
      assert.equal((await send(status)).status, 201)
    for (const status of ['concept', 'Cancelled', 5]) assertProblem(await send(status), 'invalid')
  })

  it('mediafile_type is one of the eight categories, and poster is read as posters', async () => {
    const send = (value: string) =>
      post('/entities', { type: 'mediafile', metadata: metadata({ mediafile_type: value }) })

    for (const value of categories) {
      assert.equal(fieldOf((await send(value)).body, 'mediafile_type'), value)
    }
    assert.equal(fieldOf((await send('poster')).body, 'mediafile_type'), 'posters')
    assertProblem(await send('video'), 'invalid')
    assertProblem(await send('constructor'), 'invalid')
  })

  it('latitude and longitude lie on the globe, capacity and sizes are not negative', async () => {
    const send = (type: string, fields: Record<string, unknown>) =>
      post('/entities', { type, metadata: metadata(fields) })

    for (const fields of [
      { latitude: 90, longitude: -180 },
      { latitude: -90, longitude: 180, capacity: 0 }
    ]) {
      assert.equal((await send('venue', { name: 'x', ...fields })).status, 201)
    }
    for (const fields of [
      { latitude: 90.1 },
      { latitude: -91 },
      { longitude: 180.5 },
      { longitude: -181 },
      { capacity: -1 }
    ]) {
      assertProblem(await send('venue', { name: 'x', ...fields }), 'invalid')
    }
    for (const key of ['size', 'width', 'height'])
      assertProblem(await send('mediafile', { mediafile_type: 'review', [key]: -1 }), 'invalid')
  })

  it('a year is text or a whole number', async () => {
    for (const year of ['1603', 'ca. 1603', 1603, -44]) {
      assert.equal(
        (await post('/entities', { type: 'work_word', metadata: metadata({ title: 'x', year }) })).status,
        201
      )
    }
  })

  it('a zizo code is a list of strings', async () => {
    for (const value of [['a'], ['a', 'b']]) {
      assert.equal(
        (
          await post('/entities', {
            type: 'zizo',
            metadata: [
              { key: 'code', value },
              { key: 'title', value: 'x' }
            ]
          })
        ).status,
        201
      )
    }
    for (const value of ['a', [1], ['a', 1], {}]) {
      assertProblem(
        await post('/entities', {
          type: 'zizo',
          metadata: [
            { key: 'code', value },
            { key: 'title', value: 'x' }
          ]
        }),
        'invalid'
      )
    }
  })
})

/** All but the hash of the bytes, which only their arrival sets. */
function clientFields(recordType: RecordType): [string, Field][] {
  return Object.entries(recordType.fields).filter(([key]) => key !== contentHashField)
}
