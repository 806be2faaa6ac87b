import { noPlaceIn, type RuledFormat } from './left-out.ts'
import type { Field, RecordType, RelationRule } from './record-type.ts'

/* Parts that several record types have. */

const text = { kind: 'text' } as const

/** Other forms of the name, as existing clients call them: pseudonyms, spellings, translations. */
export const variantNames: Field = { ...text, repeatable: true, isVariantName: true, leftOut: noPlaceIn('dc') }

/** A name, and other forms of it. */
export const nameFields = { name: { ...text, required: true }, non_preferred_name: variantNames } as const

export const placeFields = { city: text, country: text } as const

export const addressFields = {
  address: { ...text, leftOut: noPlaceIn('dc') },
  postal_code: { ...text, isCode: true, leftOut: noPlaceIn('dc') },
  ...placeFields
} as const

/** The ways to reach somebody; `email` has no place in the given formats. */
export const contactFields = (...noEmailIn: readonly RuledFormat[]): RecordType['fields'] => ({
  website: { ...text, repeatable: true, isAddress: true },
  email: { ...text, repeatable: true, form: 'email', leftOut: noPlaceIn(...noEmailIn) },
  phone: { ...text, repeatable: true, leftOut: noPlaceIn('dc') }
})

/** The tariffs of a ticket, each with its amount, currency and name. */
export const priceField: Field = { kind: 'price', repeatable: true, leftOut: noPlaceIn('dc') }

/** The languages that are spoken or sung on a stage, and those of its surtitles. */
export const spokenIn = {
  refLanguages: { to: ['language'] },
  refSurtitles: { to: ['language'], leftOut: noPlaceIn('schema') }
} as const satisfies Readonly<Record<string, RelationRule>>

/** The details of somebody in a cast: `part` is the character, `alternate` true for a stand-in. */
export const castDetails = ['role', 'part', 'instrument', 'alternate'] as const

/** The details of somebody who made a publication. */
export const roleDetails = ['role'] as const

/** Services and facilities for visitors with a disability, of a performance or a place. */
export const accessibilityField: Field = {
  kind: 'choice',
  of: [
    ...['wheelchair', 'hearing_loop', 'assistance_dogs', 'sign_language', 'audio_description', 'captions'],
    ...['touch_tour', 'relaxed']
  ],
  repeatable: true,
  leftOut: noPlaceIn('dc')
}

/** The members that begin a record type: its name, the prefix of its ids, and its naming field. */
export const recordHead = (type: string, idPrefix: string, description: string, nameField = 'name') =>
  ({ type, idPrefix, description, nameField, relations: {} }) as const
