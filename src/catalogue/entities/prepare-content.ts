import { checkMetadata, checkRelationCounts, type SanitizeHtml } from '#domain/editing/check-fields.ts'
import { contentOf, type Entity, type EntityContent, type Relation } from '#domain/entity/entity.ts'
import { CatalogueError, type Fault, invalidWith, missingTarget } from '#domain/errors.ts'
import { identityOfRelation } from '#domain/editing/merge-lists.ts'
import type { Pointers, WantedContent } from '#domain/editing/read-draft.ts'
import type { Principal } from '#domain/permissions.ts'
import { findByteExcess, findExcess, newHtmlBudget } from '#domain/editing/record-limits.ts'
import type { RecordType } from '#domain/record-types/record-type.ts'
import { type ContentFacts, retainServerFields } from '#domain/entity/server-fields.ts'
import type { Identified } from '#store/store.ts'
import type { Parts } from '../parts.ts'

export interface Prepared {
  readonly content: EntityContent
  readonly warnings: readonly Fault[]
}

export interface PrepareOptions {
  readonly allowDangling?: boolean
  /** The entity as it was; relations it had already are not held against it. */
  readonly before?: Pick<Entity, 'relations'>
  /**
   * The entity whose counts and content it keeps: as it is now, or as it was when it was deleted.
   */
  readonly keeps?: Entity
  /** New content that it gets. */
  readonly content?: ContentFacts | undefined
  /** Relations that the writer cannot see and that stay. */
  readonly kept?: readonly Relation[]
  /**
   * What is created together with this, by id and other identifiers, and so not in the store yet.
   */
  readonly together?: ReadonlyMap<string, Identified>
}

/**
 * Holds what a client wants to store against its record type, and puts it into the form that is
 * stored: safe HTML, defaults, relations by the id of their target. Throws one `invalid` with
 * everything that is wrong, those in `faults` included.
 */
export async function prepareContent(
  parts: Parts,
  principal: Principal,
  recordType: RecordType,
  { pointers, ...wanted }: WantedContent,
  faults: Fault[],
  options: PrepareOptions = {}
): Promise<Prepared> {
  const before = options.keeps && contentOf(options.keeps)
  const given = retainServerFields(recordType, wanted.metadata, options.keeps?.metadata ?? [], options.content)
  const excess = findExcess(recordType, wanted, before, pointers)
  // Nothing else is done with what is too much.
  if (excess.length > 0) throw invalidWith([...excess, ...faults])
  const { metadata, warnings } = checkMetadata(
    recordType,
    given,
    sanitizerFor(parts, options.keeps),
    faults,
    options.keeps?.metadata,
    pointers
  )
  checkRelationCounts(recordType, wanted.relations, faults)
  const relations = await checkTargets(parts, principal, recordType, wanted.relations, faults, { ...options, pointers })
  await refuseLoop(parts, recordType, { ...wanted, relations }, faults)
  if (options.content?.size === 0) faults.push({ pointer: '', message: 'The file is empty' })
  if (faults.length > 0) throw toError(recordType, faults)
  const content = { ...wanted, metadata, relations }
  // HTML may have become longer: what was not closed is.
  const grown = findByteExcess(content, before)
  if (grown.length > 0) throw invalidWith(grown)
  return { content, warnings }
}

/**
 * Sanitizes the HTML of one record. HTML that it holds already stays as it is, even where it is
 * more than a record may hold by now.
 */
function sanitizerFor({ sanitizeHtml }: Parts, keeps: Entity | undefined): SanitizeHtml {
  const budget = newHtmlBudget()
  return html => {
    const safe = sanitizeHtml(html, budget)
    const isKept = safe.excess !== undefined && keeps?.metadata.some(each => each.value === html)
    return isKept ? { html, removed: [] } : safe
  }
}

/** Steps to climb in search of a loop: no classification is deeper. */
const maxClimb = 64

/** Refuses a record that would stand above itself in its hierarchy. */
async function refuseLoop(parts: Parts, { type, climbsBy }: RecordType, content: EntityContent, faults: Fault[]) {
  if (climbsBy === undefined) return
  let above = content.relations.find(relation => relation.type === climbsBy)?.key
  for (let step = 0; step < maxClimb && above !== undefined; step++) {
    if (above === content.id || above === content.uuid) {
      faults.push({ pointer: '/relations', message: `A ${type} cannot stand above itself` })
      return
    }
    const stored = await parts.store.findEntity(above)
    const entity = stored && (JSON.parse(stored.json) as Entity)
    above = entity?.relations.find(relation => relation.type === climbsBy)?.key
  }
}

/** Relations by the id of their target, each held against the types it may point to. */
async function checkTargets(
  parts: Parts,
  principal: Principal,
  recordType: RecordType,
  relations: readonly Relation[],
  faults: Fault[],
  { allowDangling = false, before, kept = [], together, pointers }: PrepareOptions & Pick<WantedContent, 'pointers'>
): Promise<Relation[]> {
  if (relations.length === 0) return []
  const known = await parts.store.identify([...new Set(relations.map(relation => relation.key))])
  const had = new Set(before?.relations.map(identityOfRelation))
  const staying = new Set(kept)
  const seen = new Set<string>()
  return relations.map((relation, index) => {
    const pointer = pointers?.get(relation) ?? `/relations/${index}`
    const given = identityOfRelation(relation)
    if (had.has(given) && !seen.has(given)) {
      // As it was, whatever has become of its target: one that dangled may by now lead to a type
      // that does not fit.
      seen.add(given)
      return relation
    }
    const found = together?.get(relation.key) ?? known.get(relation.key)
    const target = found && (existsFor(principal, found.type) || staying.has(relation)) ? found : undefined
    const resolved = target && target.id !== relation.key ? { ...relation, key: target.id } : relation
    const identity = identityOfRelation(resolved)
    if (seen.has(identity)) faults.push({ pointer, message: 'The same relation is given twice' })
    seen.add(identity)
    if (!target) {
      if (!allowDangling && !had.has(identity)) faults.push(missingTarget(`${pointer}/key`, relation.key))
    } else {
      const rule = Object.hasOwn(recordType.relations, relation.type) ? recordType.relations[relation.type] : undefined
      const isAllowed = !rule || rule.to.some(name => parts.model.typesNamed(name).includes(target.type))
      if (!isAllowed) {
        faults.push({
          pointer: `${pointer}/key`,
          message: `${relation.type} points to ${rule.to.join(' or ')}, but "${relation.key}" is a ${target.type}`
        })
      }
    }
    return resolved
  })
}

/**
 * Replaces each key by the id of the entity that it names, where that exists for the principal.
 * A relation that is replaced gets the pointer of the one it replaces.
 */
export async function relationsById(
  parts: Parts,
  principal: Principal,
  relations: readonly Relation[],
  pointers?: Pointers
): Promise<Relation[]> {
  if (relations.length === 0) return []
  const known = await parts.store.identify(relations.map(relation => relation.key))
  return relations.map(relation => {
    const target = known.get(relation.key)
    if (!target || !existsFor(principal, target.type)) return relation
    const byId = { ...relation, key: target.id }
    const pointer = pointers?.get(relation)
    if (pointer !== undefined) pointers?.set(byId, pointer)
    return byId
  })
}

/**
 * What a principal can neither read nor write cannot be pointed to either: the refusal would tell
 * that it is there.
 */
const existsFor = (principal: Principal, type: string) => principal.mayRead(type) || principal.mayWrite(type)

/** A field that is too long, and nothing else, may be an error of its own that clients know. */
function toError({ fields }: RecordType, faults: readonly Fault[]): CatalogueError {
  const error = invalidWith(faults)
  const [{ code, value = '' } = {}, ...more] = faults
  const known = code === 'too_long' && more.length === 0 ? fields[value]?.tooLong : undefined
  return known === undefined ? error : new CatalogueError(known, error.message, { faults })
}
