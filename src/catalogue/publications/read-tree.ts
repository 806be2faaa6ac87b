import { invalidWith, notFound } from '#domain/errors.ts'
import { maxPageBytes } from '#domain/page-budget.ts'
import type { Principal } from '#domain/permissions.ts'
import { wemLinks } from '#domain/entity/publication.ts'
import { fetchRelationSummaries } from '../entities/fetch-relation-summaries.ts'
import { findReferring } from '../entities/find-referring.ts'
import { findItemTexts } from './find-items.ts'
import { levelText } from './level-text.ts'
import type { Parts } from '../parts.ts'
import { findReadable, refuseBlind } from '../entities/read-entity.ts'
import { readWithinBudget } from '../entities/read-within-budget.ts'
import { readableTypes } from '../guarded/visibility.ts'

export interface Tree {
  /** The JSON of the work, without the outer braces: `"work":{…},"expressions":[…]`. */
  readonly members: string
  /** Number of manifestations; pages are pages of these. */
  readonly count: number
  /** Number of manifestations in this page, which also ends by bytes. */
  readonly shown: number
}

export interface TreePage {
  readonly skip: number
  readonly limit: number
  /** Whether manifestations are shown with their items. */
  readonly hasItems?: boolean
}

/** Every page has all expressions. */
const maxBytesOfExpressions = 4 * maxPageBytes

/**
 * Reads a work with its expressions and their manifestations, if wanted with their items. All
 * expressions are shown; manifestations a page at a time.
 */
export async function readTree(
  parts: Parts,
  principal: Principal,
  workId: string,
  { skip, limit, hasItems = false }: TreePage
): Promise<Tree> {
  refuseBlind(principal)
  const stored = await findReadable(parts, principal, workId)
  if (parts.model.umbrellaOf(stored.type) !== 'work') throw notFound('work', workId)

  const readable = readableTypes(principal)
  const expressionIds = await findReferring(parts.store, stored.id, readable, [wemLinks.expression])
  const pairs: { expressionId: string; manifestationId: string }[] = []
  for (const expressionId of expressionIds) {
    for (const manifestationId of await findReferring(parts.store, expressionId, readable, [wemLinks.manifestation])) {
      pairs.push({ expressionId, manifestationId })
    }
  }
  const above = [stored.id, ...expressionIds]
  const { entities: texts, length } = await readWithinBudget(parts.store, above, maxBytesOfExpressions)
  if (length < above.length) throw tooManyExpressions()
  const wanted = pairs.slice(skip, skip + limit)
  const manifestations = await readWithinBudget(
    parts.store,
    wanted.map(pair => pair.manifestationId)
  )
  const page = wanted.slice(0, manifestations.length)
  const entities = new Map([...texts, ...manifestations.entities])
  const relations = [...entities.values()].flatMap(entity => entity.relations)
  const relationSummaries = await fetchRelationSummaries(parts.store.findEntities, parts.model, principal, relations)
  const show = (id: string, link?: string): string[] => {
    const entity = entities.get(id)
    return entity ? [`"id":${JSON.stringify(entity.id)},${levelText(entity, relationSummaries, link)}`] : []
  }
  const items = hasItems
    ? await findItemTexts(parts, principal, [...new Set(page.map(pair => pair.manifestationId))])
    : undefined
  const itemsOf = (id: string) => (items ? `,"items":[${items.get(id) ?? ''}]` : '')

  const [work] = show(stored.id)
  if (work === undefined) throw notFound('work', workId)
  const expressions = expressionIds.flatMap(expressionId => {
    const ofExpression = page
      .filter(pair => pair.expressionId === expressionId)
      .flatMap(({ manifestationId: id }) => show(id, wemLinks.manifestation).map(text => `{${text}${itemsOf(id)}}`))
    return show(expressionId, wemLinks.expression).map(text => `{${text},"manifestations":[${ofExpression.join()}]}`)
  })
  const members = `"work":{${work}},"expressions":[${expressions.join()}]`
  return { members, count: pairs.length, shown: page.length }
}

const tooManyExpressions = () =>
  invalidWith([
    {
      pointer: 'id',
      message: `The expressions of this work have more than ${maxBytesOfExpressions} bytes; list them with a filter`
    }
  ])
