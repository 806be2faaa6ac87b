import type { ForeignCatalogue } from '#domain/imports/foreign-catalogue.ts'
import type { RecordTemplate } from '#domain/imports/record-template.ts'
import type { Palette } from './colours.ts'
import { type Language, languages } from './phrases.ts'

/** A text of the house: the same in every language, or one for each language that it names. */
export type Words = string | Readonly<Partial<Record<Language, string>>>

/** A file of the house, served under `/site/`. */
export interface SiteFile {
  /** The name in its address, with a digest of the content. */
  readonly name: string
  readonly type: string
  readonly bytes: Buffer
}

export interface Logo extends SiteFile {
  readonly width: number
  readonly height: number
}

export interface SiteLink {
  readonly text: Words
  /** A path of this service, which begins with a slash, or an address elsewhere. */
  readonly address: string
}

/** A part of the first page. Parts without content are left out. */
export type Block =
  | { readonly block: 'featured'; readonly record?: string | undefined; readonly text?: Words | undefined }
  | { readonly block: 'week' | 'new'; readonly title?: Words | undefined }
  | { readonly block: 'shows'; readonly record?: string | undefined; readonly title?: Words | undefined }
  | { readonly block: 'shelf'; readonly title: Words; readonly address: string }
  | { readonly block: 'text'; readonly title?: Words | undefined; readonly text: Words }

/** The house whose site the public pages are. */
export interface Site {
  /** Tells the settings of the site from others, for cached pages. */
  readonly version: string
  readonly name: string
  readonly description: Words | undefined
  readonly logo: Logo | undefined
  readonly colours: Palette | undefined
  readonly typefaces: { readonly titles?: SiteFile | undefined; readonly text?: SiteFile | undefined }
  readonly contact: readonly Words[]
  readonly navigation: readonly SiteLink[] | undefined
  readonly links: readonly SiteLink[]
  /** The languages that readers may choose; the first where the reader's own is not among them. */
  readonly languages: readonly Language[]
  readonly start: readonly Block[]
  /** The catalogues that records are copied from. */
  readonly catalogues: readonly ForeignCatalogue[]
  /** The templates that MARC records are begun with, beside those of the editor. */
  readonly templates: readonly RecordTemplate[]
}

/** The blocks of the first page where the settings name none. */
export const usualStart: Site['start'] = [
  { block: 'featured' },
  { block: 'week' },
  { block: 'shows' },
  { block: 'new' }
]

/** The site where no file describes one. */
export const plainSite = (name: string): Site => ({
  version: 'file',
  name,
  description: undefined,
  logo: undefined,
  colours: undefined,
  typefaces: {},
  contact: [],
  navigation: undefined,
  links: [],
  languages,
  start: usualStart,
  catalogues: [],
  templates: []
})

/** A text in a language; else in English, else in the first that it has. */
export const wordsIn = (words: Words, language: Language): string =>
  typeof words === 'string' ? words : (words[language] ?? words.en ?? Object.values(words)[0] ?? '')

/** The path of a file of the house. */
export const sitePath = ({ name }: SiteFile) => `/site/${name}`

/** Every file of the house, by its name in its address. */
export function filesOf({ logo, typefaces }: Site): ReadonlyMap<string, SiteFile> {
  const files = [logo, typefaces.titles, typefaces.text]
  return new Map(files.flatMap(each => (each ? [[each.name, each] as const] : [])))
}
