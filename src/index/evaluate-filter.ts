import type { FieldTest, Filter, Search } from '#domain/filter/filter.ts'
import type { ColumnPath, FilterPath } from '#domain/filter/filter-path.ts'
import { instantAt, instantsOfBlock } from './times.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { leadingTo } from './leading-to.ts'
import { readableIn, type Scope } from './readable.ts'
import { isDerivedFlag } from './columns.ts'
import type { IndexedDocument } from './document.ts'
import { addMarked } from './document-values.ts'
import { type EntryCandidate, entryCandidates, type EntryFilter } from './entries.ts'
import { firstOfEach, reachedFrom, withCount, withinArea } from './evaluate-counts.ts'
import { markValues, textPredicate, valuePredicate } from './field-tests.ts'
import { nameAt } from './names.ts'
import { kindOf } from './relations.ts'
import { add, addAll, type DocumentSet, has, keepCommon, removeAll } from './sets.ts'
import { checkTime, step } from './time-limit.ts'

/** The conditions of a query beside its filter. */
export interface Evaluation extends Scope {
  /** The documents that a search finds. */
  readonly search: (search: Search) => DocumentSet
  /** The documents that have the entry of a filter, of those that may have it. */
  readonly entries: (filter: EntryFilter, candidates: readonly EntryCandidate[]) => DocumentSet
}

/**
 * The documents of which a filter is true, also such as may not be read. Relations to what may not
 * be read do not exist. The set must not be changed: it may be remembered.
 */
export function evaluateFilter(index: CatalogueIndex, filter: Filter, context: Evaluation): DocumentSet {
  checkTime()
  switch (filter.kind) {
    case 'all':
    case 'any':
      return combine(index, filter, context)
    case 'not': {
      const set = index.everything().slice()
      removeAll(set, evaluateFilter(index, filter.of, context))
      return set
    }
    case 'types':
      return index.ofTypes(filter.types)
    case 'identifiers':
      return withIdentifiers(index, filter.identifiers)
    case 'search':
      return filter.search.words.length === 0 ? index.everything() : context.search(filter.search)
    case 'field':
      return remembered(index, filter, context, () => evaluateField(index, filter.path, filter.test, context))
    case 'related': {
      const targets = evaluateFilter(index, filter.of, context).slice()
      const readable = readableIn(index, context)
      if (readable) keepCommon(targets, readable)
      return leadingTo(index, filter.type, targets)
    }
    case 'referred':
      return reachedFrom(index, filter.type, readableMatches(index, filter.of, context))
    case 'count': {
      const sources = filter.of.kind === 'incoming' ? readableMatches(index, filter.of.of, context) : undefined
      return withCount(index, filter, readableIn(index, context), sources)
    }
    case 'first_of':
      return firstOfEach(index, filter.path, readableMatches(index, filter.of, context), readableIn(index, context))
    case 'within':
      return withinArea(index, filter)
    case 'entry':
      return withEntry(index, filter, context, undefined)
  }
}

/** Documents of a set that have an entry; of all documents where none is given. */
function withEntry(
  index: CatalogueIndex,
  filter: EntryFilter,
  context: Evaluation,
  among: DocumentSet | undefined
): DocumentSet {
  const possible = evaluateField(index, filter.path, filter.test, context).slice()
  if (among) keepCommon(possible, among)
  return context.entries(filter, entryCandidates(index, filter, possible, readableIn(index, context)))
}

function readableMatches(index: CatalogueIndex, of: Filter, context: Evaluation): DocumentSet {
  const set = evaluateFilter(index, of, context).slice()
  const readable = readableIn(index, context)
  if (readable) keepCommon(set, readable)
  return set
}

/** The longest text that a set is remembered by. */
const maxKeyLength = 4000

function remembered(
  index: CatalogueIndex,
  filter: Filter,
  { readableTypes, limits }: Evaluation,
  make: () => DocumentSet
): DocumentSet {
  const key = JSON.stringify([filter, readableTypes, limits])
  return key.length > maxKeyLength ? make() : index.remember(key, make)
}

function combine(
  index: CatalogueIndex,
  { kind, of }: Extract<Filter, { kind: 'all' | 'any' }>,
  context: Evaluation
): DocumentSet {
  // Documents are read for entries, so all other conditions come first.
  const [first, ...others] = of.toSorted((one, other) => Number(one.kind === 'entry') - Number(other.kind === 'entry'))
  if (!first) return kind === 'all' ? index.everything() : index.newSet()
  const found = evaluateFilter(index, first, context)
  if (others.length === 0) return found
  const set = found.slice()
  for (const each of others) {
    const isNarrowed = kind === 'all' && each.kind === 'entry'
    const other = isNarrowed ? withEntry(index, each, context, set) : evaluateFilter(index, each, context)
    if (kind === 'all') keepCommon(set, other)
    else addAll(set, other)
  }
  return set
}

function withIdentifiers(index: CatalogueIndex, identifiers: readonly string[]): DocumentSet {
  const set = index.newSet()
  for (const identifier of identifiers) {
    const number = index.resolve(identifier)
    if (number >= 0) add(set, number)
  }
  return set
}

function evaluateField(index: CatalogueIndex, path: FilterPath, test: FieldTest, context: Evaluation): DocumentSet {
  if (test.kind === 'absent') {
    const set = index.everything().slice()
    removeAll(set, evaluateField(index, path, { kind: 'present' }, context))
    return set
  }
  if (path.kind === 'metadata') return withMetadata(index, path.key, test)
  if (path.kind !== 'relation_key' && path.kind !== 'relation_name') return withColumn(index, path.kind, test)
  const found = (path.kind === 'relation_key' ? withTarget : withTargetName)(index, path.type, test, context)
  return through(index, path.through, found, context)
}

function withMetadata(index: CatalogueIndex, key: string, test: FieldTest): DocumentSet {
  const set = index.newSet()
  const column = index.columns.get(key)
  if (column) {
    addMarked(column, markValues(column, test), set)
    removeAll(set, index.hidden)
  }
  const isMet = valuePredicate(test)
  for (const { number, values } of index.delta.values()) {
    step(values.length)
    if (values.some(value => value.key === key && isMet(value))) add(set, number)
  }
  if (test.kind !== 'boolean' || test.value) return set
  const absent = index.everything().slice()
  removeAll(absent, withMetadata(index, key, { kind: 'present' }))
  addAll(set, absent)
  return set
}

/** Documents that lead, by relations of these types one after the other, to what is in a set. */
function through(
  index: CatalogueIndex,
  types: readonly string[] = [],
  found: DocumentSet,
  context: Evaluation
): DocumentSet {
  const readable = readableIn(index, context)
  return types.reduceRight((reached, type) => {
    if (readable) keepCommon(reached, readable)
    return leadingTo(index, type, reached)
  }, found)
}

/**
 * Documents with a relation of which the key meets a test; any identifier of the target stands for
 * it.
 */
function withTarget(index: CatalogueIndex, type: string, test: FieldTest, context: Evaluation): DocumentSet {
  const readable = readableIn(index, context)
  if (test.kind === 'equals' && test.values.every(value => index.resolve(value) >= 0)) {
    const targets = withIdentifiers(index, test.values)
    if (readable) keepCommon(targets, readable)
    return leadingTo(index, type, targets)
  }
  const isReadable = (target: number) => !readable || target < 0 || has(readable, target)
  const { isKey, targets } = keysMeeting(index, test)
  const set = index.newSet()
  const { starts, kinds, keys } = index.base.relations
  const kind = kindOf(index.base.relations, type)
  const known = new Map<number, boolean>()
  // The key of a relation may be no identifier any more; then only its own text counts.
  const isNameMet = (name: number): boolean => {
    let isMet = known.get(name)
    if (isMet === undefined) {
      isMet = isKey(nameAt(index.base.names, name))
      known.set(name, isMet)
    }
    return isMet
  }
  for (let source = 0, at = 0; kind >= 0 && source < index.base.size; source++) {
    const end = starts[source + 1] as number
    step(1 + end - at)
    for (; at < end; at++) {
      if (kinds[at] !== kind) continue
      const name = keys[at] as number
      const target = index.ownerOf(name)
      if (!isReadable(target)) continue
      if (target < 0 ? isNameMet(name) : targets === 'all' || has(targets, target)) add(set, source)
    }
  }
  removeAll(set, index.hidden)
  for (const document of index.delta.values()) {
    const leads = document.targets
    step(leads.length)
    const isMet = document.relations.some((relation, at) => {
      const target = leads[at] as number
      if (relation.type !== type || !isReadable(target)) return false
      return target >= 0 ? targets === 'all' || has(targets, target) : isKey(relation.key)
    })
    if (isMet) add(set, document.number)
  }
  return set
}

/** Which keys meet a test, and which documents have an identifier that does. */
function keysMeeting(
  index: CatalogueIndex,
  test: FieldTest
): { readonly isKey: (key: string) => boolean; readonly targets: DocumentSet | 'all' } {
  if (test.kind === 'present') return { isKey: () => true, targets: 'all' }
  const isKey = textPredicate(test)
  return { isKey, targets: withColumn(index, 'identifiers', test) }
}

/** Documents with a relation to one whose name meets a test. */
function withTargetName(index: CatalogueIndex, type: string, test: FieldTest, context: Evaluation): DocumentSet {
  const named = withName(index, test)
  const readable = readableIn(index, context)
  if (readable) keepCommon(named, readable)
  return leadingTo(index, type, named)
}

/** Documents of which the name that they are known by meets a test. */
function withName(index: CatalogueIndex, test: FieldTest): DocumentSet {
  const set = index.newSet()
  for (const [key, types] of typesByNameField(index)) {
    const column = index.columns.get(key)
    if (!column) continue
    const marks = markValues(column, test)
    for (let at = 0; at < marks.length; at++) {
      step()
      if ((column.flags[at] as number) & isDerivedFlag) marks[at] = 0
    }
    const found = index.newSet()
    addMarked(column, marks, found)
    keepCommon(found, index.ofTypes(types))
    addAll(set, found)
  }
  removeAll(set, index.hidden)
  const isMet = valuePredicate(test)
  for (const { number, values } of index.delta.values()) {
    step(values.length)
    if (values.some(value => value.isName === 1 && isMet(value))) add(set, number)
  }
  return set
}

export function typesByNameField({ model, base }: CatalogueIndex): ReadonlyMap<string, string[]> {
  const types = new Map<string, string[]>()
  for (const type of base.typeNames) {
    const field = model.findType(type)?.nameField
    if (field !== undefined) types.set(field, [...(types.get(field) ?? []), type])
  }
  return types
}

/** Documents of which something that is kept beside the metadata meets a test. */
function withColumn(index: CatalogueIndex, path: ColumnPath, test: FieldTest): DocumentSet {
  if (test.kind === 'present') return index.everything()
  if (test.kind === 'instant') {
    if (path !== 'created_at' && path !== 'updated_at') return index.newSet()
    const set = withinInstants(index, path, test)
    for (const document of index.delta.values()) {
      step()
      const instant = path === 'created_at' ? document.createdAt : document.updatedAt
      if (instant >= test.from && instant <= test.to) add(set, document.number)
    }
    return set
  }
  const set = index.newSet()
  if (path === 'type' && test.kind === 'equals') return index.ofTypes(test.values)
  if (path === 'identifiers' && test.kind === 'equals') return withIdentifiers(index, test.values)
  if (path === 'id' && test.kind === 'equals') return withIds(index, test.values)
  const isMet = textPredicate(test)
  addInBase(index, path, isMet, set)
  removeAll(set, index.hidden)
  for (const document of index.delta.values()) {
    step()
    if (columnTexts(document, path).some(isMet)) add(set, document.number)
  }
  return set
}

function withIds(index: CatalogueIndex, ids: readonly string[]): DocumentSet {
  const set = index.newSet()
  for (const id of ids) {
    const number = index.resolve(id)
    if (number >= 0 && index.idOf(number) === id) add(set, number)
  }
  return set
}

function addInBase(index: CatalogueIndex, path: ColumnPath, isMet: (text: string) => boolean, set: DocumentSet) {
  const { base } = index
  if (path === 'created_at' || path === 'updated_at') {
    const instants = path === 'created_at' ? base.createdAt : base.updatedAt
    // Records that were written together share a moment.
    let last = Number.NaN
    let isLastMet = false
    for (let number = 0; number < base.size; number++) {
      step()
      const instant = instantAt(instants, number)
      if (instant !== last) isLastMet = isMet(new Date(instant).toISOString())
      last = instant
      if (isLastMet) add(set, number)
    }
    keepCommon(set, index.everything())
    return
  }
  if (path === 'created_by' || path === 'updated_by') {
    const wanted = base.people.map(isMet)
    const people = path === 'created_by' ? base.createdBy : base.updatedBy
    for (let number = 0; number < people.length; number++) {
      step()
      if (wanted[people[number] as number]) add(set, number)
    }
    keepCommon(set, index.everything())
    return
  }
  if (path === 'type') {
    addAll(set, index.ofTypes(base.typeNames.filter(isMet)))
    return
  }
  for (let number = 0; number < base.size; number++) {
    step()
    if (!index.isInBase(number)) continue
    if (path === 'id') {
      if (isMet(index.idOf(number))) add(set, number)
      continue
    }
    const end = base.firstNames[number + 1] as number
    for (let name = base.firstNames[number] as number; name < end; name++) {
      step()
      if (isMet(nameAt(base.names, name))) add(set, number)
    }
  }
}

/** The documents whose moments are in a range, of those that are as they are in the base. */
function withinInstants(
  index: CatalogueIndex,
  path: 'created_at' | 'updated_at',
  { from, to }: Extract<FieldTest, { kind: 'instant' }>
): DocumentSet {
  const { base } = index
  const instants = path === 'created_at' ? base.createdAt : base.updatedAt
  const order = path === 'created_at' ? undefined : base.byChange
  const { earliest, latest } = instants
  const isWithin = (block: number) => (earliest[block] as number) >= from && (latest[block] as number) <= to
  const isOutside = (block: number) => (latest[block] as number) < from || (earliest[block] as number) > to
  const isMet = (instant: number) => instant >= from && instant <= to
  let within = 0
  for (let block = 0; block < earliest.length; block++) {
    step()
    if (isWithin(block)) within++
  }
  // The fewer documents are looked at: those in the range, or the others.
  const isMost = within * 2 > earliest.length
  const set = isMost ? index.everything().slice() : index.newSet()
  for (let block = 0; block < earliest.length; block++) {
    step()
    if (isMost ? isWithin(block) : isOutside(block)) continue
    const isMixed = !isWithin(block) && !isOutside(block)
    const first = block * instantsOfBlock
    const end = Math.min(order?.length ?? base.size, first + instantsOfBlock)
    step(instantsOfBlock >>> 3)
    for (let at = first; at < end; at++) {
      const number = order ? (order[at] as number) : at
      if (isMixed && isMet(instantAt(instants, number)) === isMost) continue
      const word = number >>> 5
      set[word] = (set[word] as number) ^ (1 << (number & 31))
    }
  }
  // Numbers without a document were changed over too, and changed documents are not decided.
  keepCommon(set, index.everything())
  return index.withoutHidden(set)
}

type ColumnTexts = Pick<
  IndexedDocument,
  'type' | 'id' | 'identifiers' | 'createdAt' | 'createdBy' | 'updatedAt' | 'updatedBy'
>

export function columnTexts(document: ColumnTexts, path: ColumnPath): readonly string[] {
  switch (path) {
    case 'type':
      return [document.type]
    case 'id':
      return [document.id]
    case 'identifiers':
      return document.identifiers
    case 'created_at':
      return [new Date(document.createdAt).toISOString()]
    case 'created_by':
      return [document.createdBy]
    case 'updated_at':
      return [new Date(document.updatedAt).toISOString()]
    case 'updated_by':
      return [document.updatedBy]
  }
}
