import type { RecordType } from './record-type.ts'
import { mediaCategories } from './production.ts'

/* Records around productions: performances, venues, companies, seasons and media files. */

export const performanceStatuses = ['scheduled', 'cancelled', 'postponed', 'sold_out'] as const

export const performance: RecordType = {
  type: 'performance',
  idPrefix: 'PF',
  description: 'One showing of a production, at a moment and a place',
  nameField: 'start',
  toldApartBy: ['refProduction', 'refVenues'],
  fields: {
    start: { kind: 'moment', required: true },
    end: { kind: 'moment' },
    status: { kind: 'choice', of: performanceStatuses },
    url: { kind: 'text', isCode: true, isAddress: true }
  },
  relations: {
    refProduction: { to: ['production'], min: 1, max: 1 },
    refVenues: { to: ['venue'] }
  },
  partOf: 'refProduction',
  periods: [{ from: 'start', to: 'end' }]
}

export const venue: RecordType = {
  type: 'venue',
  idPrefix: 'VE',
  description: 'A place where shows are played',
  nameField: 'name',
  toldApartBy: ['city', 'country'],
  fields: {
    name: { kind: 'text', required: true },
    address: { kind: 'text' },
    postal_code: { kind: 'text', isCode: true },
    city: { kind: 'text' },
    country: { kind: 'text' },
    latitude: { kind: 'number', min: -90, max: 90 },
    longitude: { kind: 'number', min: -180, max: 180 },
    time_zone: { kind: 'time_zone' },
    capacity: { kind: 'number', min: 0 },
    website: { kind: 'text', repeatable: true, isAddress: true },
    email: { kind: 'text', repeatable: true, form: 'email' },
    phone: { kind: 'text', repeatable: true }
  },
  relations: {}
}

const organisation = (type: string, idPrefix: string, description: string): RecordType => ({
  type,
  idPrefix,
  description,
  nameField: 'name',
  toldApartBy: ['city', 'country'],
  fields: {
    name: { kind: 'text', required: true },
    website: { kind: 'text', repeatable: true, isAddress: true },
    email: { kind: 'text', repeatable: true, form: 'email' },
    phone: { kind: 'text', repeatable: true },
    city: { kind: 'text' },
    country: { kind: 'text' }
  },
  relations: {}
})

export const company: RecordType = { ...organisation('company', 'CO', 'A company that makes shows'), isMaker: true }
export const bookingAgency = organisation('booking_agency', 'BA', 'An agency that books shows')

export const season: RecordType = {
  type: 'season',
  idPrefix: 'SEA',
  description: 'A season of shows',
  nameField: 'name',
  toldApartBy: ['start_date', 'end_date'],
  fields: {
    name: { kind: 'text', required: true },
    start_date: { kind: 'date' },
    end_date: { kind: 'date' }
  },
  relations: {},
  periods: [{ from: 'start_date', to: 'end_date' }]
}

export const mediafile: RecordType = {
  type: 'mediafile',
  idPrefix: 'MF',
  description: 'A media file of a production',
  nameField: 'title',
  toldApartBy: ['mediafile_type', 'filename', 'sha256', 'external_url', 'refProductions'],
  fields: {
    mediafile_type: { kind: 'choice', of: mediaCategories, readAs: { poster: 'posters' }, required: true },
    title: { kind: 'text' },
    description: { kind: 'text' },
    copyright: { kind: 'text' },
    filename: { kind: 'text', isCode: true },
    mimetype: { kind: 'text', isCode: true, ofContent: true },
    size: { kind: 'number', min: 0, ofContent: true },
    sha256: { kind: 'text', isCode: true, ofContent: true },
    width: { kind: 'number', min: 0, ofContent: true },
    height: { kind: 'number', min: 0, ofContent: true },
    external_url: { kind: 'text', isCode: true, isAddress: true }
  },
  relations: { refProductions: { to: ['production'] } },
  partOf: 'refProductions',
  countedBy: 'mediafile_type'
}
