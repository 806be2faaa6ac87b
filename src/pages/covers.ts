import { coverShapes } from '#domain/find/cover-shapes.ts'
import { hasValue, isRelatedTo } from '#domain/filter/filter.ts'
import { type Entity, targetsOf, valuesOf } from '#domain/entity/entity.ts'
import type { Model } from '#domain/record-types/model.ts'
import { mediaRelation, primaryRelations } from '#domain/record-types/media-relations.ts'
import { programme } from '#domain/record-types/programme.ts'
import { mediafile } from '#domain/record-types/stage.ts'
import { langOf } from './facts.ts'
import type { ShownValue } from './locale.ts'
import { type Content, html, type Markup } from './markup.ts'
import type { PageParts } from './page.ts'
import { isPicture, thumbnailPath } from './picture-files.ts'
import { readRecords } from './read-records.ts'

/** Relations to pictures, the best first. */
const relationsToPictures: readonly string[] = [primaryRelations.thumbnail, primaryRelations.mediafile, mediaRelation]

/** Whether a record may have a picture: it names one, or files may name it. */
export const mayHavePicture = ({ type, relations }: Entity): boolean =>
  type === programme.production || relations.some(each => relationsToPictures.includes(each.type))

/** Maximum number of files that are read to find the picture of a record. */
const maxFiles = 4

/** Maximum number of posters that are read for a page of productions. */
const maxPosters = 100

/**
 * The picture of each record that has one: a cover, a portrait, or the poster of a production. The
 * posters are among `known`, where that has all media files of the records.
 */
export async function coversOf(
  parts: PageParts,
  entities: readonly Entity[],
  known?: readonly Entity[]
): Promise<ReadonlyMap<string, Entity>> {
  const { principal } = parts
  if (!principal.mayRead(mediafile.type)) return new Map()
  const filesOf = (entity: Entity) =>
    relationsToPictures.flatMap(relation => targetsOf(entity, relation)).slice(0, maxFiles)
  const files = await readRecords(parts, entities.flatMap(filesOf))
  const covers = new Map<string, Entity>()
  const posters = known?.filter(each => isPoster(each) && isPicture(each)) ?? (await postersOf(parts, entities))
  for (const file of posters)
    for (const id of targetsOf(file, mediafile.partOf ?? '')) if (!covers.has(id)) covers.set(id, file)
  for (const entity of entities) {
    const file = filesOf(entity)
      .flatMap(key => files.get(key) ?? [])
      .find(isPicture)
    if (file) covers.set(entity.id, file)
  }
  return covers
}

const poster = 'posters'

const isPoster = (file: Entity) =>
  valuesOf(file, mediafile.countedBy ?? '')
    .flat()
    .includes(poster)

/** The posters of all productions among some records, the oldest first. */
async function postersOf({ catalogue, principal }: PageParts, entities: readonly Entity[]): Promise<Entity[]> {
  const productions = entities.filter(({ type }) => type === programme.production).map(({ id }) => id)
  if (productions.length === 0) return []
  const page = await catalogue.lists.entities(principal, {
    filter: {
      kind: 'all',
      of: [
        { kind: 'types', types: [mediafile.type] },
        isRelatedTo(mediafile.partOf ?? '', productions),
        hasValue(mediafile.countedBy ?? '', [poster])
      ]
    },
    order: { items: [{ by: 'created' }], ascending: true },
    ...{ skip: 0, limit: maxPosters, cursor: undefined, isCounted: false }
  })
  return page.entities.map(({ json }) => JSON.parse(json) as Entity).filter(isPicture)
}

/** A record to show a cover of. */
interface Covered {
  readonly type: string
  readonly name: ShownValue
  readonly maker?: ShownValue | undefined
  /** The media file with its picture. */
  readonly file: Entity | undefined
}

/**
 * The cover, poster or portrait of a record, without words for screen readers: its name stands
 * beside it. Where there is none, one is made of the name.
 */
export function coverHtml(
  model: Model,
  { type, name, maker, file }: Covered,
  base: string,
  width: 160 | 320 | 640 = 160
): Content {
  const family = model.umbrellaOf(type)
  const shape = coverShapes[family]
  if (file)
    return html`<span class="entry-cover"><span class="cover cover-${shape ?? 'book'}"><img class="thumbnail" src="${base}${thumbnailPath(file)}?width=${width}" alt="" loading="lazy"></span></span>`
  if (shape === undefined) return undefined
  return html`<span class="entry-cover"><span class="cover cover-${shape} made-cover tone-${toneOf(filedAs(name))}" aria-hidden="true">${
    shape === 'round' ? initials(name) : madeTitle(name, maker)
  }</span></span>`
}

/** The cover that is made for a record without a picture; undefined where its kind has none. */
export function madeCoverOf(model: Model, type: string, name: ShownValue) {
  const shape = coverShapes[model.umbrellaOf(type)]
  const text = String(name.value)
  return shape && { shape, tone: toneOf(filedAs(name)), text: shape === 'round' ? initialsOf(text) : text }
}

const initials = (name: ShownValue): Markup =>
  html`<span class="made-initials"${langOf(name)}>${initialsOf(String(name.value))}</span>`

const madeTitle = (name: ShownValue, maker: ShownValue | undefined): Markup =>
  html`<span class="made-title"${langOf(name)}>${String(name.value)}</span>${maker && html`<span class="made-author"${langOf(maker)}>${String(maker.value)}</span>`}`

const filedAs = ({ filed, value }: ShownValue) => String(filed ?? value)

/** Number of colours of made covers, as in `picture.css`. */
const tones = 8

/** The same colour for the same name, on every page and in the application. */
function toneOf(text: string): number {
  let sum = 0
  for (const letter of text) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521
  return sum % tones
}

/** At most two initials; of "Chekhov, Anton" the given name comes first. */
function initialsOf(name: string): string {
  const words = name.split(', ').reverse().join(' ').split(/\s+/).filter(Boolean)
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends.map(word => [...(word ?? '')][0]?.toLocaleUpperCase() ?? '').join('')
}
