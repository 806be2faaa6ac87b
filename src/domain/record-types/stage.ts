import {
  accessibilityField,
  addressFields,
  castDetails,
  contactFields,
  nameFields,
  placeFields,
  priceField,
  recordHead,
  spokenIn
} from './common-fields.ts'
import { noPlaceIn, ofService } from './left-out.ts'
import type { RecordType } from './record-type.ts'
import { mediaCategories } from './production.ts'

/* Records around productions: performances, venues, companies, seasons and media files. */

const performanceStatuses = ['scheduled', 'cancelled', 'postponed', 'sold_out', 'moved'] as const

/** The kinds of events of a production; an event without one is a performance. */
export const eventTypes = [
  'performance',
  'introduction',
  'talk',
  'workshop',
  'open_rehearsal',
  'school_performance'
] as const

const moment = { kind: 'moment', leftOut: noPlaceIn('dc') } as const

export const performance: RecordType = {
  ...recordHead('performance', 'PF', 'One showing of a production, at a moment and a place', 'start'),
  toldApartBy: ['refProduction', 'refVenues'],
  fields: {
    start: { kind: 'moment', required: true },
    end: moment,
    doors: moment,
    interval: { kind: 'minutes', min: 0, leftOut: noPlaceIn('rdf', 'schema', 'dc') },
    event_type: { kind: 'choice', of: eventTypes, facet: { order: 82 }, leftOut: noPlaceIn('dc') },
    status: { kind: 'choice', of: performanceStatuses, leftOut: noPlaceIn('dc') },
    status_reason: { kind: 'text', leftOut: noPlaceIn('rdf', 'schema', 'dc') },
    former_start: moment,
    availability: {
      kind: 'choice',
      of: ['on_sale', 'few_left', 'sold_out'],
      facet: { order: 86 },
      leftOut: noPlaceIn('dc')
    },
    on_sale_from: moment,
    price: priceField,
    url: { kind: 'text', isCode: true, isAddress: true },
    attendance: { kind: 'choice', of: ['on_site', 'online', 'mixed'], leftOut: noPlaceIn('dc') },
    accessibility: { ...accessibilityField, facet: { order: 84 } }
  },
  relations: {
    refProduction: { to: ['production'], min: 1, max: 1 },
    refVenues: { to: ['venue'] },
    refHalls: { to: ['hall'] },
    refAuthors: { to: ['person', 'corporation'], details: castDetails },
    refSubscriptions: { to: ['subscription'] },
    refTours: { to: ['tour'] },
    ...spokenIn
  },
  partOf: 'refProduction',
  moved: { start: 'start', former: 'former_start', status: 'status', is: 'moved', usual: 'scheduled' },
  periods: [
    { from: 'start', to: 'end' },
    { from: 'doors', to: 'start' }
  ]
}

/** A share of the width or height of a picture, from the left or the top. */
const share = { kind: 'number', min: 0, max: 1, isInternal: true, leftOut: ofService } as const

const capacity = { kind: 'number', min: 0, leftOut: noPlaceIn('dc') } as const

export const venue: RecordType = {
  ...recordHead('venue', 'VE', 'A place where shows are played'),
  toldApartBy: ['city', 'country'],
  fields: {
    name: nameFields.name,
    ...addressFields,
    latitude: { kind: 'number', min: -90, max: 90, leftOut: noPlaceIn('dc') },
    longitude: { kind: 'number', min: -180, max: 180, leftOut: noPlaceIn('dc') },
    time_zone: { kind: 'time_zone', leftOut: noPlaceIn('rdf', 'schema', 'dc') },
    capacity,
    accessibility: accessibilityField,
    ...contactFields('schema', 'dc')
  }
}

/** A hall is a record of its own, since a venue is sold and found as a whole. */
export const hall: RecordType = {
  ...recordHead('hall', 'HALL', 'A hall of a venue'),
  toldApartBy: ['refVenues'],
  fields: { name: nameFields.name, capacity, accessibility: accessibilityField },
  relations: { refVenues: { to: ['venue'], min: 1, max: 1 } }
}

const organisation = (type: string, idPrefix: string, description: string): RecordType => ({
  ...recordHead(type, idPrefix, description),
  toldApartBy: ['city', 'country'],
  fields: { name: nameFields.name, ...contactFields('dc'), ...placeFields }
})

export const company: RecordType = { ...organisation('company', 'CO', 'A company that makes shows'), isMaker: true }
export const bookingAgency = organisation('booking_agency', 'BA', 'An agency that books shows')

export const season: RecordType = {
  ...recordHead('season', 'SEA', 'A season of shows'),
  toldApartBy: ['start_date', 'end_date'],
  fields: {
    name: nameFields.name,
    start_date: { kind: 'date' },
    end_date: { kind: 'date', leftOut: noPlaceIn('dc') }
  },
  periods: [{ from: 'start_date', to: 'end_date' }]
}

export const subscription: RecordType = {
  ...recordHead('subscription', 'ABO', 'A series of performances that are sold together'),
  toldApartBy: ['refSeasons'],
  fields: {
    name: nameFields.name,
    description: { kind: 'html' },
    price: priceField,
    on_sale_from: moment,
    url: { kind: 'text', isCode: true, isAddress: true }
  },
  relations: { refSeasons: { to: ['season'], max: 1 } }
}

export const tour: RecordType = {
  ...recordHead('tour', 'TOUR', 'A tour: performances of a company at several venues'),
  toldApartBy: ['start_date', 'refCompanies'],
  fields: {
    name: nameFields.name,
    description: { kind: 'html' },
    start_date: { kind: 'date' },
    end_date: { kind: 'date', leftOut: noPlaceIn('dc') },
    url: { kind: 'text', isCode: true, isAddress: true }
  },
  relations: {
    refCompanies: { to: ['company'] },
    refBookingAgency: { to: ['booking_agency'], max: 1 },
    refSeasons: { to: ['season'], max: 1 }
  },
  periods: [{ from: 'start_date', to: 'end_date' }]
}

export const mediafile: RecordType = {
  ...recordHead('mediafile', 'MF', 'A media file of a production', 'title'),
  toldApartBy: ['mediafile_type', 'filename', 'sha256', 'external_url', 'refProductions'],
  fields: {
    mediafile_type: {
      kind: 'choice',
      of: mediaCategories,
      readAs: { poster: 'posters' },
      required: true,
      leftOut: noPlaceIn('rdf', 'schema')
    },
    title: { kind: 'text' },
    description: { kind: 'text' },
    alt_text: { kind: 'text', leftOut: noPlaceIn('rdf', 'schema', 'dc') },
    credit: { kind: 'text', leftOut: noPlaceIn('dc') },
    copyright: { kind: 'text' },
    focus_x: share,
    focus_y: share,
    filename: { kind: 'text', isCode: true, leftOut: noPlaceIn('rdf', 'schema', 'dc') },
    mimetype: { kind: 'text', isCode: true, ofContent: true },
    size: { kind: 'number', min: 0, ofContent: true, leftOut: noPlaceIn('dc') },
    sha256: { kind: 'text', isCode: true, ofContent: true, isInternal: true, leftOut: noPlaceIn('dc') },
    width: { kind: 'number', min: 0, ofContent: true, leftOut: noPlaceIn('dc') },
    height: { kind: 'number', min: 0, ofContent: true, leftOut: noPlaceIn('dc') },
    external_url: { kind: 'text', isCode: true, isAddress: true }
  },
  relations: { refProductions: { to: ['production'] } },
  partOf: 'refProductions',
  countedBy: 'mediafile_type'
}
