import { castDetails, priceField, recordHead, spokenIn } from './common-fields.ts'
import { noPlaceIn, ofService } from './left-out.ts'
import type { Field, RecordType } from './record-type.ts'

const productionStatuses = ['concept', 'published', 'archived'] as const

/** The declared states of the files of a category. */
export const mediaAvailabilities = [
  'status_to_be_determined',
  'not_applicable',
  'follows_later',
  'partially',
  'complete'
] as const
export type MediaAvailability = (typeof mediaAvailabilities)[number]

/** The categories of media files of a production; `mediafile_type` of a file is one of them. */
export const mediaCategories = [
  'posters',
  'scene_images',
  'trailer',
  'review',
  'rider',
  'framing',
  'music_fragments',
  'social_media'
] as const
export type MediaCategory = (typeof mediaCategories)[number]

/** The field with the declared status of a category. */
export const statusFieldOf = (category: string) => `${category}_status`

const mediaStatusFields: Record<string, Field> = Object.fromEntries(
  mediaCategories.map(category => [
    statusFieldOf(category),
    {
      kind: 'choice',
      of: mediaAvailabilities,
      default: 'status_to_be_determined',
      isInternal: true,
      leftOut: ofService
    }
  ])
)

/**
 * The field with the number of files of a category, in their production. The service maintains it;
 * absent for none.
 */
export const filesField = (category: string) => `${category}_files`

const publicationMoment: Field = { kind: 'moment', isInternal: true, leftOut: ofService }

/** A show, as it is offered to venues. */
export const production: RecordType = {
  ...recordHead('production', 'PR', 'A show, as it is offered to venues', 'title'),
  toldApartBy: ['subtitle', 'premiere_date', 'refCompanies', 'refSeasons'],
  fields: {
    title: { kind: 'text', required: true },
    subtitle: { kind: 'text', isSubtitle: true, leftOut: noPlaceIn('dc') },
    description: { kind: 'html' },
    description_short: { kind: 'html', maxLength: 500, tooLong: 'description_too_long' },
    credits: { kind: 'html', leftOut: noPlaceIn('rdf', 'schema') },
    status: { kind: 'choice', of: productionStatuses, default: 'concept', facet: { order: 110 }, leftOut: ofService },
    publish_at: publicationMoment,
    withdraw_at: publicationMoment,
    duration: { kind: 'minutes', min: 0, leftOut: noPlaceIn('dc') },
    interval: { kind: 'minutes', min: 0, leftOut: noPlaceIn('rdf', 'schema', 'dc') },
    premiere_date: { kind: 'date' },
    age_category: { kind: 'age_category', leftOut: noPlaceIn('dc') },
    price: priceField,
    rights: { kind: 'text', leftOut: noPlaceIn('schema') },
    language_icon: { kind: 'text', isCode: true, isInternal: true, leftOut: ofService },
    ...mediaStatusFields
  },
  relations: {
    refVenues: { to: ['venue'], facet: { order: 80 } },
    refCompanies: { to: ['company'], facet: { order: 90 } },
    refCoproducers: { to: ['company', 'corporation'] },
    refSupporters: { to: ['company', 'corporation', 'person'] },
    refBookingAgency: { to: ['booking_agency'], max: 1 },
    refGenres: { to: ['genre'] },
    refSeasons: { to: ['season'], facet: { order: 70 } },
    refSubscriptions: { to: ['subscription'], facet: { order: 75 } },
    refTours: { to: ['tour'], facet: { order: 76 } },
    refWorks: { to: ['work', 'expression'] },
    refAuthors: { to: ['person', 'corporation'], details: castDetails },
    ...spokenIn
  },
  counts: mediaCategories.map(filesField),
  statusField: 'status',
  dueBefore: 'premiere_date',
  publication: { from: 'publish_at', until: 'withdraw_at' },
  periods: [{ from: 'publish_at', to: 'withdraw_at' }],
  needs: [{ field: 'status', is: 'published', fields: ['title', 'description_short'] }]
}
