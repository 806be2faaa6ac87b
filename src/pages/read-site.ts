import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, dirname, extname, resolve } from 'node:path'

import { type ForeignCatalogue, indexPattern, sruVersions, usualCatalogue } from '#domain/imports/foreign-catalogue.ts'
import { faultOfLines, type RecordTemplate } from '#domain/imports/record-template.ts'
import { table } from '#domain/table.ts'
import { contrastOf, minContrast, type Palette, readableIn, surfaces } from './colours.ts'
import { type Language, languages } from './phrases.ts'
import { type Block, type Logo, plainSite, type Site, type SiteFile, type SiteLink, type Words } from './site.ts'

/** Maximum size of a logo or a typeface, in bytes: readers wait for them. */
const maxFileBytes = 200_000

/** Maximum number of blocks, links or lines in a list of the file. */
const maxItems = 30

/**
 * The settings of a site: the content of the file, or what an administrator stored. Files of the
 * house are paths beside the file, or `data:` addresses.
 */
export type SiteDescription = Readonly<Record<string, unknown>>

/** A site, and the settings that describe it. */
export interface DescribedSite {
  readonly site: Site
  /** The settings, with every file as a `data:` address. */
  readonly settings: SiteDescription
}

/**
 * Reads the file that describes the site of the house. Throws an Error that names every fault: the
 * member, its value, and the reason.
 */
export function readSite(path: string | undefined, name: string): DescribedSite {
  if (path === undefined) return { site: plainSite(name), settings: {} }
  let json: unknown
  try {
    json = JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new Error(`SITE: "${path}" cannot be read: ${messageOf(cause)}`, { cause })
  }
  const { described, faults } = readSettings(json, name, dirname(resolve(path)))
  if (faults.length > 0)
    throw new Error(faults.map(({ at, message }) => `SITE: "${path}": ${at || 'the file'} ${message}`).join('\n'))
  return described
}

/** Reads settings that are not in a file, and lists their faults. */
export function readSettings(json: unknown, name: string, folder?: string) {
  const reader = new SiteReader(folder)
  const site = reader.read(json, name)
  const { logo, typefaces } = site
  const settings = {
    ...(isObject(json) ? json : {}),
    ...(logo && { logo: dataAddress(logo) }),
    ...((typefaces.titles ?? typefaces.text) && {
      typefaces: {
        ...(typefaces.titles && { titles: dataAddress(typefaces.titles) }),
        ...(typefaces.text && { text: dataAddress(typefaces.text) })
      }
    })
  }
  return { described: { site, settings } satisfies DescribedSite, faults: reader.faults }
}

/** A fault of the settings: the member, such as `links[0].address`, and the reason. */
export interface SiteFault {
  /** Empty for the settings as a whole. */
  readonly at: string
  readonly message: string
}

const dataAddress = ({ type, bytes }: SiteFile) => `data:${type};base64,${bytes.toString('base64')}`

const messageOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The members that a block may have beside its name. */
export const membersOfBlock: Readonly<Record<Block['block'], readonly string[]>> = table({
  featured: ['record', 'text'],
  week: ['title'],
  shows: ['record', 'title'],
  new: ['title'],
  shelf: ['title', 'address'],
  text: ['title', 'text']
})

const catalogueMembers = ['name', 'address', 'version', 'schema', 'isbn', 'words']

class SiteReader {
  readonly faults: SiteFault[] = []
  /** The folder of files; undefined where they must be in the settings. */
  readonly #folder: string | undefined

  constructor(folder: string | undefined) {
    this.#folder = folder
  }

  read(json: unknown, name: string): Site {
    const plain = plainSite(name)
    const known = Object.keys(plain).filter(each => each !== 'version')
    const members = this.#object(json, '', known)
    const list = <T>(key: string, read: (value: unknown, at: string) => T | undefined) =>
      members[key] === undefined ? undefined : this.#list(members[key], key, read)
    const link = (value: unknown, at: string) => this.#link(value, at)
    const words = (value: unknown, at: string) => this.#words(value, at)
    const offered = list('languages', (value, at) => this.#oneOf(value, at, languages))
    return {
      version: plain.version,
      name: this.#text(members.name ?? name, 'name') ?? name,
      description: members.description === undefined ? undefined : words(members.description, 'description'),
      logo: members.logo === undefined ? undefined : this.#logo(members.logo),
      colours: members.colours === undefined ? undefined : this.#colours(members.colours),
      typefaces: this.#typefaces(members.typefaces ?? {}),
      contact: list('contact', words) ?? plain.contact,
      navigation: list('navigation', link),
      links: list('links', link) ?? plain.links,
      languages: offered === undefined || offered.length === 0 ? plain.languages : [...new Set(offered)],
      start: list('start', (value, at) => this.#block(value, at)) ?? plain.start,
      catalogues: list('catalogues', (value, at) => this.#catalogue(value, at)) ?? plain.catalogues,
      templates: list('templates', (value, at) => this.#template(value, at)) ?? plain.templates
    }
  }

  #fault(at: string, message: string): undefined {
    this.faults.push({ at, message })
  }

  #object(value: unknown, at: string, known: readonly string[]): Members {
    if (!isObject(value)) {
      this.#fault(at, `must be an object with ${known.join(', ')}`)
      return {}
    }
    for (const key of Object.keys(value))
      if (!known.includes(key)) this.#fault(at, `has the unknown member "${key}"; it may have ${known.join(', ')}`)
    return value
  }

  #list<T>(value: unknown, at: string, read: (value: unknown, at: string) => T | undefined): T[] {
    if (!Array.isArray(value) || value.length > maxItems) {
      this.#fault(at, `must be a list of at most ${maxItems}`)
      return []
    }
    return value.flatMap((each, index) => read(each, `${at}[${index}]`) ?? [])
  }

  #text(value: unknown, at: string): string | undefined {
    if (typeof value === 'string' && value.trim() !== '') return value
    return this.#fault(at, `must be a text, got ${JSON.stringify(value)}`)
  }

  #oneOf<const T extends string>(value: unknown, at: string, of: readonly T[]): T | undefined {
    return (
      of.find(each => each === value) ??
      this.#fault(at, `must be one of ${of.join(', ')}, got ${JSON.stringify(value)}`)
    )
  }

  #words(value: unknown, at: string): Words | undefined {
    if (typeof value === 'string') return this.#text(value, at)
    const isWords = (each: unknown): each is Readonly<Partial<Record<Language, string>>> =>
      isObject(each) &&
      Object.keys(each).length > 0 &&
      Object.entries(each).every(([key, text]) => languages.some(known => known === key) && typeof text === 'string')
    if (isWords(value)) return value
    return this.#fault(
      at,
      `must be a text, or an object with a text for ${languages.join(', ')}, got ${JSON.stringify(value)}`
    )
  }

  #address(value: unknown, at: string): string | undefined {
    const isOwn = typeof value === 'string' && /^\/(?!\/)/.test(value)
    if (isOwn || (typeof value === 'string' && /^(?:https?|mailto|tel):./.test(value) && URL.canParse(value)))
      return value as string
    return this.#fault(
      at,
      `must be a path such as /find?q=hamlet, or begin with https:, mailto: or tel:, got ${JSON.stringify(value)}`
    )
  }

  #link(value: unknown, at: string): SiteLink | undefined {
    const members = this.#object(value, at, ['text', 'address'])
    if (!isObject(value)) return undefined
    const text = this.#words(members.text, `${at}.text`)
    const address = this.#address(members.address, `${at}.address`)
    return text === undefined || address === undefined ? undefined : { text, address }
  }

  #catalogue(value: unknown, at: string): ForeignCatalogue | undefined {
    const { name, address, version, schema, isbn, words } = this.#object(value, at, catalogueMembers)
    if (!isObject(value)) return undefined
    const isWeb = typeof address === 'string' && /^https?:./.test(address) && URL.canParse(address)
    if (!isWeb) this.#fault(`${at}.address`, `must begin with http: or https:, got ${JSON.stringify(address)}`)
    const index = (given: unknown, key: string) => {
      if (typeof given === 'string' && indexPattern.test(given)) return given
      return this.#fault(`${at}.${key}`, `must be the name of an index of CQL, got ${JSON.stringify(given)}`)
    }
    const made = {
      name: this.#text(name, `${at}.name`),
      version: this.#oneOf(version ?? usualCatalogue.version, `${at}.version`, sruVersions),
      schema: this.#text(schema ?? usualCatalogue.schema, `${at}.schema`),
      isbn: index(isbn ?? usualCatalogue.isbn, 'isbn'),
      words: index(words ?? usualCatalogue.words, 'words')
    }
    const isWhole = (each: typeof made): each is Omit<ForeignCatalogue, 'address'> =>
      Object.values(each).every(member => member !== undefined)
    return isWeb && isWhole(made) ? { ...made, address } : undefined
  }

  #template(value: unknown, at: string): RecordTemplate | undefined {
    const members = this.#object(value, at, ['name', 'lines'])
    if (!isObject(value)) return undefined
    const name = this.#text(members.name, `${at}.name`)
    const lines = this.#text(members.lines, `${at}.lines`)
    const wrong = lines === undefined ? undefined : faultOfLines(lines)
    if (wrong !== undefined) return this.#fault(`${at}.lines`, wrong)
    return name === undefined || lines === undefined ? undefined : { name, lines }
  }

  #block(value: unknown, at: string): Block | undefined {
    const given = typeof value === 'string' ? { block: value } : value
    if (!isObject(given)) return this.#fault(at, 'must be the name of a block, or an object with the member "block"')
    const kind = this.#oneOf(given.block, `${at}.block`, Object.keys(membersOfBlock) as Block['block'][])
    if (kind === undefined) return undefined
    const members = this.#object(given, at, ['block', ...membersOfBlock[kind]])
    const optional = <T>(key: string, read: (value: unknown, at: string) => T | undefined) =>
      members[key] === undefined ? undefined : read(members[key], `${at}.${key}`)
    const words = (value: unknown, place: string) => this.#words(value, place)
    const title = optional('title', words)
    const text = optional('text', words)
    const record = optional('record', (each, place) => this.#text(each, place))
    if (kind === 'shelf') {
      const address = this.#address(members.address, `${at}.address`)
      if (title === undefined) return this.#fault(`${at}.title`, 'is missing: a shelf has a title')
      if (address !== undefined && !/^\/find(?:\?|$)/.test(address))
        return this.#fault(`${at}.address`, `must be the address of a search, such as /find?q=hamlet, got "${address}"`)
      return address === undefined ? undefined : { block: kind, title, address }
    }
    if (kind === 'text')
      return text === undefined ? this.#fault(`${at}.text`, 'is missing') : { block: kind, title, text }
    if (kind === 'featured') return { block: kind, record, text }
    return kind === 'shows' ? { block: kind, record, title } : { block: kind, title }
  }

  #colour(value: unknown, at: string): string | undefined {
    if (typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value)) return value.toLowerCase()
    return this.#fault(at, `must be a colour such as #8a2b3a, got ${JSON.stringify(value)}`)
  }

  /** The brand colour of a theme, which must be readable as text. */
  #readable(theme: 'light' | 'dark', value: unknown, at: string): string | undefined {
    const colour = this.#colour(value, at)
    if (colour === undefined) return undefined
    const contrast = contrastOf(colour, surfaces[theme])
    if (contrast >= minContrast) return colour
    return this.#fault(
      at,
      `"${colour}" has a contrast of ${contrast.toFixed(1)}:1 on the ${theme} page; text needs ${minContrast}:1. "${readableIn(theme, colour)}" would do`
    )
  }

  #colours(value: unknown): Palette | undefined {
    const { brand, accent } = this.#object(value, 'colours', ['brand', 'accent'])
    if (brand === undefined) return this.#fault('colours.brand', 'is missing')
    const both = isObject(brand) ? this.#object(brand, 'colours.brand', ['light', 'dark']) : undefined
    const light = this.#readable('light', both ? both.light : brand, both ? 'colours.brand.light' : 'colours.brand')
    const dark = both ? this.#readable('dark', both.dark, 'colours.brand.dark') : light && readableIn('dark', light)
    const ground = accent === undefined ? light : this.#colour(accent, 'colours.accent')
    if (light === undefined || dark === undefined || ground === undefined) return undefined
    return { brand: { light, dark }, accent: ground }
  }

  #file(value: unknown, at: string, types: Readonly<Record<string, string>>): SiteFile | undefined {
    const given = this.#text(value, at)
    if (given === undefined) return undefined
    const [, dataType, data = ''] = /^data:([\w/+.-]+);base64,([\w+/=]*)$/.exec(given) ?? []
    const ending = Object.keys(types).find(each => types[each] === dataType)
    const type = types[ending ?? extname(given).toLowerCase()]
    const label = ending === undefined ? given : `${at}${ending}`
    if (type === undefined || (ending === undefined && this.#folder === undefined))
      return this.#fault(at, `must be a file ending in ${Object.keys(types).join(' or ')}, got "${given.slice(0, 80)}"`)
    try {
      const bytes =
        ending === undefined ? readFileSync(resolve(this.#folder ?? '', given)) : Buffer.from(data, 'base64')
      if (bytes.length > maxFileBytes)
        return this.#fault(at, `"${label}" has ${bytes.length} bytes; at most ${maxFileBytes} are allowed`)
      return siteFile(basename(label), type, bytes)
    } catch (cause) {
      return this.#fault(at, `"${given}" cannot be read: ${messageOf(cause)}`)
    }
  }

  #logo(value: unknown): Logo | undefined {
    const file = this.#file(value, 'logo', table({ '.svg': 'image/svg+xml', '.png': 'image/png' }))
    if (file === undefined) return undefined
    const size = file.type === 'image/png' ? sizeOfPng(file.bytes) : sizeOfSvg(file.bytes.toString())
    if (size === undefined)
      return this.#fault(
        'logo',
        `"${String(value).slice(0, 80)}" must be ${file.type === 'image/png' ? 'a PNG picture' : 'an SVG picture with a viewBox'}`
      )
    return { ...file, ...size }
  }

  #typefaces(value: unknown): Site['typefaces'] {
    const members = this.#object(value, 'typefaces', ['titles', 'text'])
    const read = (key: 'titles' | 'text') => {
      if (members[key] === undefined) return undefined
      const file = this.#file(members[key], `typefaces.${key}`, table({ '.woff2': 'font/woff2' }))
      if (file === undefined || file.bytes.subarray(0, 4).toString('latin1') === 'wOF2') return file
      return this.#fault(`typefaces.${key}`, `"${String(members[key]).slice(0, 80)}" is no WOFF2 file`)
    }
    return { titles: read('titles'), text: read('text') }
  }
}

function siteFile(name: string, type: string, bytes: Buffer): SiteFile {
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  return { name: `${digest}-${name.replace(/[^\w.-]/g, '_')}`, type, bytes }
}

interface Size {
  readonly width: number
  readonly height: number
}

/** The header of a PNG has its size at fixed places. */
function sizeOfPng(bytes: Buffer): Size | undefined {
  if (bytes.length < 24 || bytes.subarray(1, 4).toString('latin1') !== 'PNG') return undefined
  return knownSize(bytes.readUInt32BE(16), bytes.readUInt32BE(20))
}

function sizeOfSvg(text: string): Size | undefined {
  const [, box = ''] = /<svg\b[^<>]*\bviewBox="([^"<>]*)"/.exec(text) ?? []
  const [, , width = 0, height = 0] = box
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  return knownSize(width, height)
}

const knownSize = (width: number, height: number): Size | undefined =>
  width > 0 && height > 0 ? { width, height } : undefined
