import type { eventLanguages } from '#domain/record-types/event-records.ts'
import type { Defect } from '../source/defects.ts'
import type { Position } from '../source/position.ts'

/*
 * An event as calendars, UiTdatabank and schema.org describe it: a show, and its nights. It is a
 * row of the mapping in `domain/record-types/event-records.ts`, so the members have the names of
 * the fields there.
 */

/** A text without a language (`text`), and in languages. */
export type Texts = Partial<Record<'text' | (typeof eventLanguages)[number], string>>

/** Members that a show and each of its nights may have. */
interface OfShowAndNight {
  /** Such as `24.50 EUR Standard`. */
  readonly price?: readonly string[]
  readonly cast?: readonly CastMember[]
  /** The names of the languages that are spoken, and of those of the surtitles. */
  readonly spoken?: readonly string[]
  readonly surtitles?: readonly string[]
  readonly tours?: readonly EventSeries[]
  readonly subscriptions?: readonly EventSeries[]
}

export interface EventShow extends OfShowAndNight {
  /** The identifier of the production; without one, it is found by its title. */
  readonly id?: string | undefined
  readonly title?: Texts
  readonly subtitle?: Texts
  readonly description?: Texts
  readonly description_short?: Texts
  /** In minutes. */
  readonly duration?: number | undefined
  readonly age_category?: string | undefined
  readonly premiere_date?: string | undefined
  readonly rights?: string | undefined
  readonly companies?: readonly string[]
  readonly genres?: readonly string[]
  /** Every language of the show and of its nights, as records. */
  readonly languages?: readonly EventLanguage[]
  readonly seasons?: readonly EventSeries[]
  /** The series of the show and of its nights, as records. */
  readonly all_tours?: readonly EventSeries[]
  readonly all_subscriptions?: readonly EventSeries[]
  readonly pictures?: readonly EventPicture[]
  readonly nights: readonly EventNight[]
}

export interface EventLanguage {
  readonly id: string
  readonly name: string
  readonly code: string
}

/** A season, a tour, or performances that are sold together. */
export interface EventSeries {
  readonly id?: string | undefined
  readonly name: string
  readonly start_date?: string | undefined
  readonly end_date?: string | undefined
  readonly companies?: readonly string[]
}

export interface EventPicture {
  readonly url: string
  readonly title?: string | undefined
  readonly copyright?: string | undefined
}

export interface CastMember {
  readonly name: string
  readonly role?: string | undefined
  readonly part?: string | undefined
  readonly instrument?: string | undefined
}

export interface EventNight extends OfShowAndNight {
  readonly id: string
  readonly start: string
  readonly end?: string | undefined
  readonly doors?: string | undefined
  readonly event_type?: string | undefined
  readonly status?: string | undefined
  readonly status_reason?: string | undefined
  readonly former_start?: string | undefined
  readonly availability?: string | undefined
  readonly on_sale_from?: string | undefined
  readonly url?: string | undefined
  readonly attendance?: string | undefined
  readonly accessibility?: readonly string[]
  readonly venue?: EventPlace | undefined
  /** The identifier of the venue, if nothing else is known about it. */
  readonly place?: string | undefined
  readonly hall?: { readonly id: string; readonly name: string; readonly capacity?: number | undefined } | undefined
}

export interface EventPlace {
  readonly id?: string | undefined
  readonly name: string
  readonly address?: string | undefined
  readonly postal_code?: string | undefined
  readonly city?: string | undefined
  readonly country?: string | undefined
  readonly latitude?: number | undefined
  readonly longitude?: number | undefined
  readonly time_zone?: string | undefined
  readonly website?: string | undefined
}

/** A show that was read. */
export interface ReadShow {
  readonly show: EventShow
  /** The members of the event that have no place in the model. */
  readonly unmapped: readonly string[]
  readonly defects: readonly Defect[]
}

/** An event of a file, or its defect. */
export interface ReadEvent {
  readonly position: Position
  readonly source: Buffer
  readonly found: ReadShow | { readonly defect: Defect }
}
