import { type Entity, targetsOf, valuesOf } from '#domain/entity/entity.ts'
import { notFound } from '#domain/errors.ts'
import { programme } from '#domain/record-types/programme.ts'
import { zoneOfShow } from '#domain/values/zone-of-place.ts'
import { inkOn, type Palette } from './colours.ts'
import { coversOf, madeCoverOf } from './covers.ts'
import { type Locale, nameOf, nameText } from './locale.ts'
import { type PageParts, recordPath } from './page.ts'
import { cardPath } from './picture-files.ts'
import { readRecords } from './read-records.ts'

/** The texts, colours and picture of a card, a picture for previews of links. */
export interface CardContent {
  readonly title: string
  readonly maker: string | undefined
  readonly house: string
  readonly ground: string
  readonly ink: string
  readonly picture: { readonly sha256: string; readonly mimetype: string } | undefined
  readonly madeCover: { readonly shape: 'book' | 'round'; readonly tone: string; readonly text: string } | undefined
}

/** The ground of pages where the house has no colours, as `--band` in `public.css`. */
const usualGround: Palette['accent'] = '#43141f'

/** The colours of made covers, as in `picture.css`. */
export const tones = ['#7a2e3b', '#2f5d62', '#4a3f78', '#7a4b14', '#2d4f7c', '#44602c', '#6d3564', '#4d4a45'] as const

/** Maximum number of makers that a card names. */
const maxMakers = 2

/**
 * The address of the picture for previews of links to a record: a card, or the best picture there
 * is where cards are not drawn.
 */
export async function imageOf(
  { areCardsDrawn, publicUrl }: PageParts,
  { prefix }: Locale,
  { id }: Entity,
  cover: Entity | undefined
): Promise<string | undefined> {
  if (await areCardsDrawn()) return `${publicUrl}${prefix}${recordPath(id)}/card.jpg`
  return cover && publicUrl + cardPath(cover)
}

/** The card of a record; of a performance that of its production, with its moment. */
export async function cardOf(parts: PageParts, identifier: string, locale: Locale): Promise<CardContent> {
  const { catalogue, model, principal, site, now, timeZone } = parts
  const entity = (await readRecords(parts, [identifier])).get(identifier)
  if (!entity) throw notFound('entity', identifier)
  const { partOf } = model.findType(entity.type) ?? {}
  const wholes = await readRecords(parts, targetsOf(entity, partOf ?? ''))
  const whole = wholes.values().next().value
  const shown = whole ?? entity
  const zone = whole && (zoneOfShow(entity, key => wholes.get(key)) ?? timeZone)
  const newest = (await catalogue.lists.summarise(principal, [shown], { now: now() })).get(shown.id)?.newest ?? []
  const covers = await coversOf(parts, [shown, ...newest])
  const [file] = [shown, ...newest].flatMap(({ id }) => covers.get(id) ?? [])
  const makers = await makersOf(parts, shown)
  const name = nameOf(model, shown, locale.language)
  const made = file ? undefined : madeCoverOf(model, shown.type, name)
  const ground = site.colours?.accent ?? usualGround
  return {
    title: nameText(model, shown, locale),
    maker: whole
      ? nameText(model, entity, locale, zone)
      : makers.map(each => nameText(model, each, locale)).join(' · ') || lifeOf(entity),
    house: site.name,
    ...{ ground, ink: inkOn(ground) },
    picture: file && {
      sha256: String(valuesOf(file, 'sha256')[0]),
      mimetype: String(valuesOf(file, 'mimetype')[0])
    },
    madeCover: made && { shape: made.shape, tone: tones[made.tone] ?? tones[0], text: made.text }
  }
}

/** The authors of a work, at any of its levels, or the companies of a show. */
async function makersOf(parts: PageParts, shown: Entity): Promise<Entity[]> {
  const { catalogue, principal } = parts
  const by = shown.type === programme.production ? programme.by : 'refAuthors'
  const [publication] = (await catalogue.publications.readMany(principal, [shown.id])).values()
  const levels = [...(publication?.expressions.flatMap(({ work }) => work?.entity ?? []) ?? []), shown]
  const makers = await readRecords(
    parts,
    levels.flatMap(each => targetsOf(each, by))
  )
  return [...new Map([...makers.values()].map(each => [each.id, each])).values()].slice(0, maxMakers)
}

const lifeOf = (entity: Entity) => valuesOf(entity, 'life_dates').map(String)[0]?.replace('-', '–')
