import type { Entity } from '#domain/entity/entity.ts'
import type { Locale } from './locale.ts'
import type { Content } from './markup.ts'
import type { PageParts } from './page.ts'
import type { ListAddress } from './paging.ts'
import type { RecordPhrases } from './record-phrases.ts'

/** Everything that the sections of the page of a record are made with. */
export interface RecordContext {
  readonly parts: PageParts
  readonly locale: Locale
  readonly words: RecordPhrases
  /** The base path of the service. */
  readonly base: string
  readonly address: ListAddress
  readonly entity: Entity
  /** The records that it refers to, by the keys of its relations. */
  readonly related: ReadonlyMap<string, Entity>
}

/** A part of a page, with the parameters of its lists. */
export interface Section {
  readonly markup: Content
  readonly lists: readonly string[]
}
