import type { AuditStamp, Entity, MetadataEntry } from '#domain/entity/entity.ts'
import type { Publication, PublicationLevel, RelatedEntity } from '#domain/entity/publication.ts'
import { readEvidence } from '#formats/description/evidence.ts'
import type { Draft, RecordDescription, RelationDraft, AuthorityDraft } from '#formats/description/description.ts'

/* Publications for tests of formats, made of what a record was read as, or of plain words. */

interface EntityParts extends Pick<Entity, 'id' | 'type' | 'metadata'> {
  readonly uuid: string
  readonly relations?: Entity['relations']
  readonly identifiers?: readonly string[]
  readonly stamp: AuditStamp
}

export const entityOf = ({ id, uuid, stamp, relations = [], identifiers = [], ...rest }: EntityParts): Entity => ({
  ...{ id, _id: uuid, _key: id, version: 1, ...rest, relations },
  identifiers: [uuid, id, ...identifiers],
  audit: { created: stamp, updated: stamp }
})

/** An entity that no store has seen. */
export function anEntityOf(
  type: string,
  id: string,
  metadata: readonly MetadataEntry[],
  identifiers: readonly string[] = []
): Entity {
  const uuid = `00000000-0000-7000-8000-${id.replaceAll(/\W/g, '').padStart(12, '0').slice(-12)}`
  return entityOf({ id, uuid, type, metadata, identifiers, stamp: { at: '2026-11-14T09:30:00.123Z', by: 'test' } })
}

/**
 * Returns the entities that an import would create from a record that shares nothing with others.
 */
export function publicationFrom(description: RecordDescription): Publication {
  const targets = new Map<string, Entity>()
  const entityFor = ({ type, metadata: own, variants = [], identifiers }: AuthorityDraft) => {
    const metadata = [...own, ...variants.map(value => ({ key: 'non_preferred_name', value }))]
    const name = `${type} ${metadata.map(each => each.value).join('|')}`
    const found = targets.get(name) ?? anEntityOf(type, `T${targets.size + 1}`, metadata, identifiers)
    targets.set(name, found)
    return found
  }
  const level = (draft: Draft, id: string): PublicationLevel => ({
    entity: anEntityOf(
      draft.type,
      id,
      draft.metadata.map(({ key, value, lang }) => ({ key, value, ...(lang === undefined ? {} : { lang }) })),
      draft.identifiers
    ),
    related: withRoles(draft.relations, entityFor)
  })
  const works = description.works.map((work, index) => level(work, `W${index}`))
  const made = new Set(readEvidence(description, '').works.map(each => each.described))
  return {
    manifestation: level(description.manifestation, 'M1'),
    expressions: description.expressions
      .filter(each => made.has(each.work))
      .map((expression, index) => ({ ...level(expression, `E${index}`), work: works[expression.work] }))
  }
}

/** One relation to each target, with all the roles and numbers it has. */
function withRoles(
  relations: readonly RelationDraft[],
  entityFor: (target: AuthorityDraft) => Entity
): RelatedEntity[] {
  const found = new Map<string, RelatedEntity>()
  for (const { relation, target, role, number } of relations) {
    const entity = entityFor(target)
    const name = `${relation} ${entity.id}`
    const before = found.get(name)?.metadata ?? []
    const metadata = [
      ...before,
      ...(role === undefined ? [] : [{ key: 'role', value: role.code === 'oth' ? role.wording : role.code }]),
      ...(number === undefined ? [] : [{ key: 'number', value: number }])
    ]
    found.set(name, { type: relation, metadata, entity })
  }
  return [...found.values()]
}
