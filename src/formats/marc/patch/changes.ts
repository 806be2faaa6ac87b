import { type Level, levels } from '#domain/entity/publication.ts'
import type { ChangedFields } from '#domain/imports/stored-source-record.ts'
import type { MarcField } from '../record.ts'
import type { Statement } from './statements.ts'

/** Fields that are not read back, by tag, and the field or relation that they are written for. */
const unread: Readonly<Record<string, string>> = {
  '024': 'identifier',
  '035': 'identifier',
  '246': 'title',
  '500': 'refCodeWordings',
  '730': 'refRelatedWorks',
  '758': 'identifier',
  '765': 'refTranslationOf',
  '772': 'refSupplementTo',
  '774': 'refParts',
  '787': 'refBasedOn',
  '880': 'title'
}

/** Fields by which a text is a translation, or not. */
const translating = ['refLanguages', 'refAuthors', 'original_title']

/** The fields that people changed, by level. */
export class Changes {
  readonly #fields: ChangedFields

  constructor(fields: ChangedFields) {
    this.#fields = fields
  }

  hasLevel(level: Level): boolean {
    return this.#fields.has(level)
  }

  has({ level, name }: Pick<Statement, 'level' | 'name'>): boolean {
    return this.hasLevel(level) && (this.#fields.get(level)?.has(name) ?? true)
  }

  /** Whether the text may be a translation now, or of another original. */
  get concernLanguages(): boolean {
    return levels.some(level => translating.some(name => this.has({ level, name })))
  }

  /** Tests whether a composed field that is not read back may tell of a change. */
  mayBeIn({ tag }: MarcField, speaksOf: readonly Level[]): boolean {
    return speaksOf.some(level => (tag in unread ? this.has({ level, name: unread[tag] ?? '' }) : this.hasLevel(level)))
  }
}
