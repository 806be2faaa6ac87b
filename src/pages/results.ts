import { type Entity, targetsOf, valuesOf } from '#domain/entity/entity.ts'
import { programme } from '#domain/record-types/programme.ts'
import type { EntityGroup, EntityPage } from '#catalogue/lists/list-entities.ts'
import type { Summary } from '#catalogue/lists/summarise.ts'
import { momentText, timeIn } from './clock.ts'
import { coverHtml, coversOf } from './covers.ts'
import { kindText, linkTo, nameHtml } from './facts.ts'
import { type Locale, nameOf, nameText } from './locale.ts'
import { type Content, html } from './markup.ts'
import { keepButton, type PageParts, recordPath } from './page.ts'
import { runNights, runOf } from './posters.ts'
import { readRecords } from './read-records.ts'

/** Maximum number of makers and of languages that an entry names. */
const maxNames = 3

/** Relations that an edition among results is told by. */
const editionRelations = ['refPublishers', 'refLanguages']

/**
 * The entries of a page of results, with covers: a work with its makers, years, languages and
 * editions, which unfold; a production with its company and next performance; the name of others.
 */
export async function resultsOf(
  parts: PageParts,
  page: Pick<EntityPage, 'entities' | 'groups'>,
  locale: Locale,
  base: string
): Promise<Content> {
  const { model } = parts
  const all = page.entities.map(({ json }) => JSON.parse(json) as Entity)
  const byId = new Map(all.map(each => [each.id, each]))
  const groups = page.groups && new Map(page.groups.map(each => [each.head, each]))
  const entities = groups ? [...groups.keys()].flatMap(id => byId.get(id) ?? []) : all
  const summaries = await parts.catalogue.lists.summarise(parts.principal, entities, { now: parts.now() })
  const summarised = [...summaries.values()]
  const editions = summarised.flatMap(({ newest = [] }) => newest)
  const found = groups ? [...groups.values()].flatMap(each => byId.get(each.manifestation ?? '') ?? []) : []
  const covers = await coversOf(parts, [...entities, ...found, ...editions])
  const zoneOf = await parts.catalogue.productions.zones(parts.principal, [
    ...entities,
    ...summarised.flatMap(each => each.next_performance ?? []),
    ...runNights(summarised)
  ])
  const languages = [...(groups?.values() ?? [])].flatMap(each => each.languages.slice(0, maxNames).map(({ id }) => id))
  const related = await readRecords(parts, [
    ...entities.flatMap(makersOf),
    ...languages,
    ...editions.flatMap(each => editionRelations.flatMap(relation => targetsOf(each, relation)))
  ])
  /** The names of records, each marked with its language. */
  const named = (keys: readonly string[]) => {
    const records = keys.flatMap(key => related.get(key) ?? []).slice(0, maxNames)
    return records.length > 0 && records.map((each, at) => html`${at > 0 && '; '}${nameHtml(model, each, locale)}`)
  }
  const context: EntryContext = { model, locale, base, named }

  return entities.map(entity => {
    const summary = summaries.get(entity.id)
    const ofWork = (summary?.editions ?? 0) > 0 ? summary : undefined
    const performance = summary?.next_performance
    const [maker] = makersOf(entity).flatMap(key => related.get(key) ?? [])
    const group = groups?.get(entity.id)
    const file = [entity.id, group?.manifestation ?? '', ...(ofWork?.newest?.map(({ id }) => id) ?? [])].flatMap(
      id => covers.get(id) ?? []
    )[0]
    const cover = {
      type: entity.type,
      name: { ...nameOf(model, entity, locale.language), value: nameText(model, entity, locale, zoneOf(entity)) },
      maker: maker && nameOf(model, maker, locale.language),
      file
    }
    const details = [
      kindText(model, entity.type, locale),
      named(makersOf(entity)),
      ofWork ? undefined : ((summary && runOf(summary, zoneOf, locale, parts.now())) ?? yearText(entity, locale)),
      named(group?.languages.map(({ id }) => id) ?? []),
      ofWork?.years?.join('–'),
      performance &&
        locale.phrases.nextPerformance(
          momentText(locale, timeIn(performance, zoneOf(performance)), parts.timeZone, parts.now())
        )
    ]
    return html`<li>${coverHtml(model, cover, base)}<div>${linkTo(model, entity, locale, base, { zone: zoneOf(entity) })} <span class="details">${separated(details)}</span>${foundIn(context, group, byId)}${ofWork && unfolded(context, entity, ofWork)}</div>${keepButton(entity.id, locale)}</li>`
  })
}

/** Everything that an entry is written with beside its record. */
interface EntryContext {
  readonly model: PageParts['model']
  readonly locale: Locale
  readonly base: string
  readonly named: (keys: readonly string[]) => Content
}

/** Texts with points between them. */
const separated = (items: readonly Content[]): Content =>
  items
    .filter(each => each !== undefined && each !== '' && each !== false)
    .map((each, index) => html`${index > 0 && ' · '}${each}`)

const makersOf = (entity: Entity): readonly string[] =>
  targetsOf(entity, entity.type === programme.production ? programme.by : 'refAuthors')

/** The year of an edition or a work, or the day of a premiere. */
function yearText(entity: Entity, locale: Locale): string | undefined {
  const [year] = ['year_of_publication', 'year'].flatMap(key => valuesOf(entity, key))
  const [premiere] = valuesOf(entity, 'premiere_date')
  return year !== undefined ? String(year) : premiere === undefined ? undefined : locale.date(String(premiere))
}

/** The expression or edition that was found, where the work itself was not. */
function foundIn(
  { model, locale, base }: EntryContext,
  group: EntityGroup | undefined,
  byId: ReadonlyMap<string, Entity>
): Content {
  if (group === undefined || group.isMatch) return undefined
  const part = byId.get(group.manifestation ?? group.expression ?? group.part ?? '')
  return (
    part &&
    html`<p class="found">${linkTo(model, part, locale, base)} <span class="details">${separated([kindText(model, part.type, locale), yearText(part, locale)])}</span></p>`
  )
}

/** The newest editions of a work, folded; its page has all. */
function unfolded(
  { model, locale, base, named }: EntryContext,
  work: Entity,
  { editions: count = 0, newest = [] }: Summary
): Content {
  const { phrases } = locale
  return html`<details class="editions"><summary>${phrases.editionsOfWork(count, locale.number(count))}</summary><ul>${newest.map(
    each =>
      html`<li>${linkTo(model, each, locale, base)} <span class="details">${separated([
        yearText(each, locale),
        ...editionRelations.map(relation => named(targetsOf(each, relation))),
        valuesOf(each, 'isbn').map(String)[0]
      ])}</span></li>`
  )}${count > newest.length && html`<li><a href="${base}${locale.prefix}${recordPath(work.id)}">${phrases.more(locale.number(count))}</a></li>`}</ul></details>`
}
