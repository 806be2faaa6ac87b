import type { Json } from '../entity/entity.ts'
import { CatalogueError, type Fault, invalidWith } from '../errors.ts'
import { isEqualJson, isJsonObject, isPointer, maxJsonDepth, membersOfPointer, tooDeep } from '../json.ts'

/*
 * JSON Patch (RFC 6902). Pointers follow own members and existing positions of arrays only: a
 * pointer to an inherited member could change the program itself.
 */

type Operation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: Json }
  | { readonly op: 'move' | 'copy'; readonly path: string; readonly from: string }
  | { readonly op: 'remove'; readonly path: string }

const operationNames = ['add', 'remove', 'replace', 'move', 'copy', 'test']

/** Maximum operations of a patch; each can move all elements of a list. */
const maxOperations = 10_000

/**
 * Maximum characters that a patch may copy. Each copy can double the document, so a short patch
 * could ask for more than any memory holds.
 */
const maxCopiedCharacters = 1_000_000

/**
 * The document changed by a patch; the one given stays unchanged. Throws `invalid` for a malformed
 * patch, `patch_not_applicable` when an operation does not fit the document.
 */
export function applyJsonPatch(document: Json, patch: unknown): Json {
  let changed: Json = structuredClone(document)
  let copied = 0
  for (const [index, operation] of readOperations(patch).entries()) {
    if (operation.op === 'copy') {
      const value = findPlace(changed, operation.from)?.value ?? null
      // Copies of copies: the result could not even be written as text.
      if (isDeeperThan(value, maxJsonDepth)) throw invalidWith([tooDeep(`/${index}`)])
      copied += JSON.stringify(value).length
      if (copied > maxCopiedCharacters) {
        throw invalidWith([
          { pointer: `/${index}`, message: `A patch may copy at most ${maxCopiedCharacters} characters in all` }
        ])
      }
    }
    const outcome = applyOne(changed, operation)
    if ('misfit' in outcome) {
      throw new CatalogueError(
        'patch_not_applicable',
        `Operation ${index} of the patch does not fit the entity: ${outcome.misfit}`,
        { faults: [{ pointer: `/${index}`, message: outcome.misfit }] }
      )
    }
    changed = outcome.document
  }
  return changed
}

function readOperations(patch: unknown): Operation[] {
  if (!Array.isArray(patch)) {
    throw invalidWith([{ pointer: '', message: 'A JSON Patch must be an array of operations' }])
  }
  if (patch.length > maxOperations)
    throw invalidWith([
      { pointer: '', message: `A patch may have at most ${maxOperations} operations, not ${patch.length}` }
    ])
  const faults: Fault[] = []
  patch.forEach((operation: unknown, index) => {
    const problem = findOperationProblem(operation)
    if (problem !== undefined) faults.push({ pointer: `/${index}`, message: problem })
  })
  if (faults.length > 0) throw invalidWith(faults)
  return patch as Operation[]
}

function findOperationProblem(operation: unknown): string | undefined {
  if (!isJsonObject(operation)) return 'An operation must be an object'
  const { op, path, from, value } = operation
  if (typeof op !== 'string' || !operationNames.includes(op)) return `"op" must be one of ${operationNames.join(', ')}`
  if (!isPointer(path)) return '"path" must be a JSON pointer'
  if ((op === 'move' || op === 'copy') && !isPointer(from)) return '"from" must be a JSON pointer'
  if ((op === 'add' || op === 'replace' || op === 'test') && value === undefined) return `"${op}" needs a "value"`
  return undefined
}

type Outcome = { readonly document: Json } | { readonly misfit: string }

function applyOne(document: Json, operation: Operation): Outcome {
  const { path } = operation
  switch (operation.op) {
    case 'add':
      return addAt(document, path, structuredClone(operation.value))
    case 'remove':
      return removeAt(document, path)
    case 'replace': {
      // A copy: later operations may change it, and the patch may be applied again.
      const value = structuredClone(operation.value)
      if (path === '') return { document: value }
      const place = findPlace(document, path)
      if (place?.value === undefined) return nothingAt(path)
      place.holder[place.member] = value
      return { document }
    }
    case 'test': {
      const value = findPlace(document, path)?.value
      if (value === undefined) return nothingAt(path)
      return isEqualJson(value, operation.value) ? { document } : { misfit: `the value at "${path}" is different` }
    }
    case 'copy': {
      const value = findPlace(document, operation.from)?.value
      return value === undefined ? nothingAt(operation.from) : addAt(document, path, structuredClone(value))
    }
    case 'move': {
      const { from } = operation
      const value = findPlace(document, from)?.value
      if (value === undefined) return nothingAt(from)
      if (path === from || path === '') return path === '' ? { document: value } : { document }
      if (path.startsWith(`${from}/`)) return { misfit: `"${from}" cannot be moved into itself` }
      const removed = removeAt(document, from)
      return 'misfit' in removed ? removed : addAt(removed.document, path, value)
    }
  }
}

function addAt(document: Json, path: string, value: Json): Outcome {
  if (path === '') return { document: value }
  const place = findPlace(document, path)
  if (!place) return nothingAt(path)
  const { holder, member } = place
  if (!Array.isArray(holder)) {
    holder[member] = value
    return { document }
  }
  const index = member === '-' ? holder.length : toIndex(member)
  if (index === undefined || index > holder.length) return nothingAt(path)
  holder.splice(index, 0, value)
  return { document }
}

function removeAt(document: Json, path: string): Outcome {
  const place = findPlace(document, path)
  if (path === '' || place?.value === undefined) return nothingAt(path)
  const { holder, member } = place
  if (Array.isArray(holder)) holder.splice(Number(member), 1)
  else delete holder[member]
  return { document }
}

const nothingAt = (pointer: string): Outcome => ({ misfit: `there is nothing at "${pointer}"` })

/** The position that a pointer leads to. `value` is undefined where nothing is yet. */
interface Place {
  readonly holder: Record<string, Json>
  readonly member: string
  readonly value: Json | undefined
}

/** Returns undefined when the parent of the position does not exist. */
function findPlace(document: Json, pointer: string): Place | undefined {
  let place: Place = { holder: {}, member: '', value: document }
  for (const member of membersOfPointer(pointer)) {
    const holder = place.value
    if (typeof holder !== 'object' || holder === null) return undefined
    const isThere = Array.isArray(holder)
      ? (toIndex(member) ?? holder.length) < holder.length
      : Object.hasOwn(holder, member)
    const own = holder as Record<string, Json>
    // Assigning to this member would set the prototype.
    if (member === '__proto__') return undefined
    place = { holder: own, member, value: isThere ? own[member] : undefined }
  }
  return place
}

const toIndex = (member: string) => (/^(?:0|[1-9]\d{0,14})$/.test(member) ? Number(member) : undefined)

/** Tests whether a value has more levels than `levels`. Looks no deeper than that. */
function isDeeperThan(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some(inner => isDeeperThan(inner as Json, levels - 1))
}
