import type { Entity } from '#domain/entity/entity.ts'
import { type Publication, type PublicationLevel, wemLinks } from '#domain/entity/publication.ts'
import {
  type DerivedContent,
  deriveAuthority,
  deriveExpression,
  deriveManifestation,
  deriveWork
} from '#domain/imports/derive.ts'
import { settleContent } from '#domain/imports/settle-content.ts'
import type { Model } from '#domain/record-types/model.ts'
import { authoritiesOf, toStoredDraft } from '../description/stored-drafts.ts'
import { sanitizeHtml } from '../html/sanitize-html.ts'
import { type DescribedRecord, mentionsIn } from './source-item.ts'

/**
 * Returns the publication that an import makes of a record that shares nothing with others, without
 * its links to other records. Its manifestation has the given id, its other entities have ids that
 * begin with it, and all were created at the given time (ISO 8601).
 */
export function toPublication(model: Model, described: DescribedRecord, id: string, at: string): Publication {
  const { manifestation } = described.description
  const mentions = mentionsIn(described)
  const drafts = [manifestation, ...mentions.flatMap(({ work, expression }) => [work, expression])]
  const targets = drafts.flatMap(({ relations }) => relations.map(({ target }) => target))
  const authorities = new Map(
    [...authoritiesOf(targets)].map(([key, target], index) => [key, { ...target, id: `${id}-a${index + 1}` }])
  )
  const find = (key: string) => authorities.get(key)

  const entityOf = (own: string, derived: DerivedContent): Entity => {
    const { type, metadata, relations, identifiers = [] } = settleContent(derived, { model, sanitizeHtml })
    const stamp = { at, by: id }
    const audit = { created: stamp, updated: stamp }
    return {
      ...{ id: own, _id: own, _key: own, type, version: 1, metadata, relations, audit },
      identifiers: [own, own, ...identifiers]
    }
  }
  const related = new Map(
    [...authorities.values()].map(each => [each.id, entityOf(each.id, deriveAuthority(each, find))])
  )
  const levelOf = (own: string, derived: DerivedContent, link?: string): PublicationLevel => {
    const entity = entityOf(own, derived)
    return {
      entity,
      related: entity.relations.flatMap(({ type, key, metadata = [] }) => {
        const target = type === link ? undefined : related.get(key)
        return target === undefined ? [] : [{ type, metadata, entity: target }]
      })
    }
  }

  const expressions = mentions.map((mention, index) => {
    const stored = { ...mention, work: toStoredDraft(mention.work), expression: toStoredDraft(mention.expression) }
    const work = levelOf(`${id}-w${index + 1}`, deriveWork([stored], find, model.fieldOf))
    const expression = deriveExpression([stored], work.entity.id, find, model.fieldOf)
    return { ...levelOf(`${id}-e${index + 1}`, expression, wemLinks.expression), work }
  })
  const ids = expressions.map(({ entity }) => entity.id)
  const derived = deriveManifestation(toStoredDraft(manifestation), ids, find)
  return { manifestation: levelOf(id, derived, wemLinks.manifestation), expressions }
}
