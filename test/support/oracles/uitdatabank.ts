import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/*
 * The rules of UiTdatabank for an event that is sent to its entry API, written after the public
 * JSON schemas of publiq (the repository udb3-json-schemas, its event.json and the files that it
 * names, as of 2026): required members, lists of values, patterns, and those rules that only the
 * descriptions there tell. Members that the service never sends are refused.
 * https://docs.publiq.be/docs/uitdatabank/models/event
 */

const text = { type: 'string', pattern: '\\S', minLength: 1 } as const
const texts = {
  type: 'object',
  properties: { nl: text, fr: text, de: text, en: text },
  additionalProperties: false,
  minProperties: 1
} as const
/** Their pattern of an address of the web. */
const webAddress = { type: 'string', format: 'uri', pattern: '^https?://[\\w\\-.]+\\.\\w{2,}(/.*)?$' } as const
const moment = { type: 'string', format: 'date-time' } as const
const uuid = '[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-?[0-9A-Fa-f]{12}'
const reference = (kind: string) => ({
  type: 'object',
  properties: { '@id': { type: 'string', format: 'uri', pattern: `^https?://.+?/${kind}s?/${uuid}/?` } },
  required: ['@id'],
  additionalProperties: false
})

const schema = {
  type: 'object',
  properties: {
    '@id': reference('event').properties['@id'],
    mainLanguage: { enum: ['nl', 'fr', 'de', 'en'] },
    name: texts,
    description: texts,
    terms: {
      type: 'array',
      uniqueItems: true,
      contains: { properties: { domain: { const: 'eventtype' } } },
      minContains: 1,
      maxContains: 1,
      items: {
        type: 'object',
        properties: { id: text, label: text, domain: { enum: ['eventtype', 'theme', 'facility'] } },
        required: ['id']
      }
    },
    location: reference('place'),
    organizer: reference('organizer'),
    calendarType: { enum: ['single', 'multiple', 'periodic', 'permanent'] },
    subEvent: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        properties: {
          id: { type: 'integer' },
          startDate: moment,
          endDate: moment,
          status: {
            type: 'object',
            properties: { type: { enum: ['Available', 'TemporarilyUnavailable', 'Unavailable'] }, reason: texts },
            required: ['type']
          },
          bookingAvailability: {
            type: 'object',
            properties: { type: { enum: ['Available', 'Unavailable'] } },
            required: ['type']
          }
        },
        required: ['startDate', 'endDate'],
        additionalProperties: false
      }
    },
    attendanceMode: { enum: ['online', 'offline', 'mixed'] },
    typicalAgeRange: { type: 'string', pattern: '^[\\d]*-[\\d]*$' },
    priceInfo: {
      type: 'array',
      minItems: 1,
      contains: { properties: { category: { const: 'base' } } },
      minContains: 1,
      maxContains: 1,
      items: {
        type: 'object',
        properties: {
          category: { enum: ['base', 'tariff'] },
          price: { type: 'number', minimum: 0 },
          priceCurrency: { const: 'EUR' },
          name: texts
        },
        required: ['category', 'price'],
        if: { properties: { category: { const: 'tariff' } } },
        // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
        then: { required: ['name'] }
      }
    },
    bookingInfo: {
      type: 'object',
      properties: { url: webAddress, urlLabel: texts, availabilityStarts: moment },
      dependentRequired: { url: ['urlLabel'] },
      additionalProperties: false
    }
  },
  required: ['mainLanguage', 'name', 'terms', 'location', 'calendarType', 'subEvent'],
  additionalProperties: false
}

const ajv = new Ajv2020({ allErrors: true, strict: false })
addFormats.default(ajv)
const validate = ajv.compile(schema)

/** The faults of an event, a line for each. A language that is the main one must have a name. */
export function uitFaults(event: Readonly<Record<string, unknown>>): string[] {
  const found = validate(event) ? [] : (validate.errors ?? []).map(each => `${each.instancePath} ${each.message}`)
  const {
    mainLanguage,
    name,
    description,
    priceInfo = []
  } = event as {
    mainLanguage: string
    name: Record<string, string>
    description?: Record<string, string>
    priceInfo?: { name?: Record<string, string> }[]
  }
  const tariffs = priceInfo.flatMap(each => each.name?.[mainLanguage] ?? [])
  return [
    ...found,
    ...(name[mainLanguage] === undefined ? ['/name lacks the main language'] : []),
    ...(description !== undefined && description[mainLanguage] === undefined
      ? ['/description lacks the main language']
      : []),
    ...(new Set(tariffs).size < tariffs.length ? ['/priceInfo has two tariffs of one name'] : [])
  ]
}
