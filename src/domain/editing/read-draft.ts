import { type EntityContent, type MetadataEntry, type Relation, serverOwnedMembers } from '../entity/entity.ts'
import { type Fault, invalidWith } from '../errors.ts'
import {
  hasLength,
  idPattern,
  isIdentifier,
  maxIdentifierLength,
  storedIdentifier,
  uuidPattern
} from '../entity/ids.ts'
import { findJsonFaults, isJsonObject, type JsonObject, pointerTo } from '../json.ts'

/**
 * JSON pointers to the metadata entries and relations of a request. Some faults are found only
 * after the lists of the request were joined with those of the record, where positions differ.
 */
export type Pointers = Map<MetadataEntry | Relation, string>

/** The content to store, with pointers to the entries that came with the request. */
export interface WantedContent extends EntityContent {
  readonly pointers?: Pointers | undefined
}

/** An entity as a client sent it, checked for its form but not yet for its meaning. */
export interface Draft {
  readonly id: string | undefined
  readonly uuid: string | undefined
  readonly type: string | undefined
  readonly metadata: readonly MetadataEntry[]
  readonly relations: readonly Relation[]
  readonly identifiers: readonly string[]
  /** Members that were sent; a patch leaves the other lists unchanged. */
  readonly given: ReadonlySet<string>
  readonly pointers: Pointers
}

const ownMembers = ['id', 'type', 'metadata', 'relations', 'identifiers']
const maxKeyLength = 512
/**
 * Shorter than keys: PostgreSQL stores it in one index entry together with an identifier of any
 * language, and an entry has at most 2,704 bytes.
 */
export const maxRelationTypeLength = 128

/**
 * Reads the body of a create, replace or patch. Adds every fault of its form to `faults`; throws
 * `invalid` at once for values that no entity may hold.
 */
export function readDraft(body: unknown, faults: Fault[]): Draft {
  const pointers: Pointers = new Map()
  const draft = {
    id: undefined,
    uuid: undefined,
    type: undefined,
    metadata: [],
    relations: [],
    identifiers: [],
    given: new Set<string>(),
    pointers
  }
  if (!isJsonObject(body)) {
    faults.push({ pointer: '', message: 'An entity must be a JSON object' })
    return draft
  }
  const unreadable = findJsonFaults(body)
  if (unreadable.length > 0) throw invalidWith(unreadable)
  for (const member of Object.keys(body)) {
    if (!ownMembers.includes(member) && !(serverOwnedMembers as readonly string[]).includes(member)) {
      faults.push({ pointer: pointerTo('', member), message: `Unknown member "${member}" of an entity` })
    }
  }
  return {
    id: asStored(
      readText(body.id, '/id', faults, {
        isGood: text => idPattern.test(text) && isIdentifier(text),
        message: 'An id has 1 to 200 of A–Z a–z 0–9 . _ : ~ @ - and is neither . nor ..'
      })
    ),
    uuid: typeof body._id === 'string' && uuidPattern.test(body._id) ? body._id.toLowerCase() : undefined,
    type: readText(body.type, '/type', faults),
    metadata: body.metadata === undefined ? [] : readMetadata(body.metadata, '/metadata', faults, pointers),
    relations: body.relations === undefined ? [] : readRelations(body.relations, '/relations', faults, pointers),
    identifiers: body.identifiers === undefined ? [] : readIdentifiers(body.identifiers, faults),
    given: new Set(Object.keys(body)),
    pointers
  }
}

/**
 * Reads a list of metadata entries; a single entry stands for a list of one. Adds the pointer to
 * each entry to `pointers`.
 */
export function readMetadata(
  value: unknown,
  pointer: string,
  faults: Fault[],
  pointers: Pointers = new Map()
): MetadataEntry[] {
  return readList(value, pointer, 'metadata entries', faults).flatMap(([entry, at]) => {
    const before = faults.length
    readText(entry.key, `${at}/key`, faults, keyRule)
    if (entry.value === undefined) faults.push({ pointer: `${at}/value`, message: 'A metadata entry needs a "value"' })
    readText(entry.lang, `${at}/lang`, faults, langRule)
    return faults.length > before ? [] : [located(entry as unknown as MetadataEntry, at, pointers)]
  })
}

/**
 * Reads a list of relations; a single relation stands for a list of one. The same (type, key) may
 * not come twice.
 */
export function readRelations(
  value: unknown,
  pointer: string,
  faults: Fault[],
  pointers: Pointers = new Map()
): Relation[] {
  const seen = new Set<string>()
  return readList(value, pointer, 'relations', faults).flatMap(([relation, at]) => {
    const before = faults.length
    readText(relation.key, `${at}/key`, faults, targetRule)
    readText(relation.type, `${at}/type`, faults, relationTypeRule)
    if (relation.metadata !== undefined) readMetadata(relation.metadata, `${at}/metadata`, faults)
    const identity = `${String(relation.type)}\n${String(relation.key)}`
    if (seen.has(identity)) faults.push(repeatedRelation(at))
    seen.add(identity)
    return faults.length > before ? [] : [located(relation as unknown as Relation, at, pointers)]
  })
}

function located<T extends MetadataEntry | Relation>(entry: T, pointer: string, pointers: Pointers): T {
  pointers.set(entry, pointer)
  return entry
}

function readIdentifiers(value: unknown, faults: Fault[]): string[] {
  if (!Array.isArray(value)) {
    faults.push({ pointer: '/identifiers', message: '"identifiers" must be an array of strings' })
    return []
  }
  const identifiers = new Set<string>()
  for (const [index, each] of value.entries()) {
    if (typeof each === 'string' && isIdentifier(each)) identifiers.add(storedIdentifier(each))
    else {
      faults.push({
        pointer: `/identifiers/${index}`,
        message: `An identifier is text of 1 to ${maxIdentifierLength} characters without control characters, and neither . nor ..`
      })
    }
  }
  return [...identifiers]
}

function readList(value: unknown, pointer: string, what: string, faults: Fault[]): [JsonObject, string][] {
  const list = isJsonObject(value) ? [value] : value
  if (!Array.isArray(list)) {
    faults.push({ pointer, message: `Must be an array of ${what}` })
    return []
  }
  return list.flatMap((each: unknown, index): [JsonObject, string][] => {
    if (isJsonObject(each)) return [[each, `${pointer}/${index}`]]
    faults.push({ pointer: `${pointer}/${index}`, message: 'Must be an object' })
    return []
  })
}

/** A rule for a text, and the sentence that states it. */
interface TextRule {
  readonly isGood: (text: string) => boolean
  readonly message: string
  readonly required?: boolean
}

const keyRule: TextRule = {
  isGood: text => text.length >= 1 && text.length <= maxKeyLength,
  message: `A key has 1 to ${maxKeyLength} characters`,
  required: true
}
const langRule: TextRule = {
  isGood: text => text.length <= 64,
  message: 'A language tag has at most 64 characters'
}
const targetRule: TextRule = {
  isGood: isIdentifier,
  message: `A key has 1 to ${maxIdentifierLength} characters and is neither . nor ..`,
  required: true
}
const relationTypeRule: TextRule = {
  isGood: text => hasLength(text, maxRelationTypeLength),
  message: `A relation type has 1 to ${maxRelationTypeLength} characters`,
  required: true
}

function readText(
  value: unknown,
  pointer: string,
  faults: Fault[],
  { isGood, message, required = false }: TextRule = { isGood: () => true, message: '' }
): string | undefined {
  if (value === undefined && !required) return undefined
  if (typeof value === 'string' && isGood(value)) return value
  const name = pointer.slice(pointer.lastIndexOf('/') + 1)
  faults.push({ pointer, message: typeof value === 'string' ? message : `"${name}" must be a string` })
  return undefined
}

const asStored = (id: string | undefined) => (id === undefined ? undefined : storedIdentifier(id))

export const repeatedRelation = (pointer: string): Fault => ({ pointer, message: 'The same relation is given twice' })
