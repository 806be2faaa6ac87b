import { nameReason, numberKeysOf } from '#domain/entity/duplicates.ts'
import type { Entity, EntityContent } from '#domain/entity/entity.ts'
import type { Fault } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import type { SameRecord } from '#store/ports/queries.ts'
import { scopeOf } from '../guarded/visibility.ts'
import type { Parts } from '../parts.ts'

/** Maximum number of records that the warnings of a write name. */
const maxNamed = 5

/**
 * Warns of records that are likely to be the same as one that is being written, as far as the
 * principal may read them: an equal number, or an equal name and an equal value of those that tell
 * records apart, such as dates. Equal names alone are common, and on the list of duplicates. A
 * change is compared only if it concerns these values. There are no warnings while the index is
 * being built, nor when it fails: the write does not depend on them.
 */
export async function warnOfDuplicates(
  { store, model, maxDuplicateWait }: Parts,
  principal: Principal,
  content: EntityContent,
  before?: Entity
): Promise<Fault[]> {
  const recordType = model.findType(content.type)
  if (!recordType || !principal.mayRead(content.type)) return []
  const { building, records } = store.findingState()
  if (building && records === undefined) return []
  const { nameField, toldApartBy = [] } = recordType
  const compared = new Set([nameField, ...numberKeysOf(recordType), ...toldApartBy])
  if (before && isSameIn(compared, before, content)) return []
  const has = (keys: readonly string[]) =>
    content.metadata.some(({ key }) => keys.includes(key)) || content.relations.some(({ type }) => keys.includes(type))
  const isNameEnough = has(toldApartBy)
  if (!isNameEnough && !has(numberKeysOf(recordType))) return []
  const search = async () =>
    store.findSameRecords({
      content: { uuid: content.uuid, type: content.type, metadata: content.metadata, relations: content.relations },
      ...scopeOf(principal),
      limit: maxNamed
    })
  const isTold = ({ reason }: SameRecord) => isNameEnough || reason.reason !== nameReason
  return (await inTime(search(), maxDuplicateWait)).filter(isTold).map(toFault)
}

type Compared = Pick<EntityContent, 'metadata' | 'relations'>

function isSameIn(keys: ReadonlySet<string>, one: Compared, other: Compared): boolean {
  const partOf = ({ metadata, relations }: Compared) =>
    JSON.stringify([
      metadata.filter(({ key }) => keys.has(key)).map(({ key, value }) => [key, value]),
      relations.filter(({ type }) => keys.has(type)).map(({ key, type }) => [key, type])
    ])
  return partOf(one) === partOf(other)
}

const toFault = ({ id, type, label, reason: { reason, value } }: SameRecord): Fault => ({
  pointer: '/metadata',
  code: 'duplicate',
  value: id,
  message:
    reason === nameReason
      ? `The ${type} "${id}" has the same name, "${label}"; it may be the same record`
      : `The ${type} "${id}" has the same ${reason}, ${value}; it may be the same record`
})

/** The records, or none when the index fails or does not answer in time. */
async function inTime(found: Promise<readonly SameRecord[]>, maxWait: number): Promise<readonly SameRecord[]> {
  const { promise: late, resolve } = Promise.withResolvers<readonly SameRecord[]>()
  const timer = setTimeout(resolve, maxWait, [])
  try {
    return await Promise.race([found.catch(() => []), late])
  } finally {
    clearTimeout(timer)
  }
}
