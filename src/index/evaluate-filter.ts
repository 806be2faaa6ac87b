import { type FieldTest, type Filter, foldFilter, type Search } from '#domain/filter/filter.ts'
import type { ColumnPath, FilterPath } from '#domain/filter/filter-path.ts'
import type { CatalogueIndex } from './catalogue-index.ts'
import { readableIn, type Scope } from './readable.ts'
import { type EntryCandidate, entryCandidates, type EntryFilter } from './entries.ts'
import { firstOfEach, reachedFrom, withCount, withinArea } from './evaluate-counts.ts'
import { withFact, withinInstants } from './facts.ts'
import { textPredicate } from './field-tests.ts'
import { withParts, withWholes } from './owners.ts'
import { add, addAll, type DocumentSet, has, keepCommon, removeAll } from './sets.ts'
import { checkTime } from './time-limit.ts'

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
      return index.relatives.by(filter.type).leadingTo(targets)
    }
    case 'referred':
      return reachedFrom(index, filter.type, readableMatches(index, filter.of, context))
    case 'part_of':
    case 'whole_of': {
      const near = filter.kind === 'part_of' ? withParts : withWholes
      return remembered(index, filter, context, () =>
        near(index, evaluateFilter(index, filter.of, context), readableIn(index, context))
      )
    }
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
  // A search finds words with typos or without, and entries are read from the database.
  const isFixed = foldFilter<boolean>(filter, ({ kind }, inner) =>
    kind === 'search' || kind === 'entry' ? false : inner.every(Boolean)
  )
  return key.length > maxKeyLength || !isFixed ? make() : index.remember(key, make)
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
  const set = index.values(key).meeting(test)
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
    return index.relatives.by(type).leadingTo(reached)
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
    return index.relatives.by(type).leadingTo(targets)
  }
  const { isKey, targets } = keysMeeting(index, test)
  const set = index.newSet()
  const known = new Map<string, boolean>()
  // The key of a relation may be no identifier any more; then only its own text counts.
  const isKeyMet = (key: string): boolean => {
    let isMet = known.get(key)
    if (isMet === undefined) {
      isMet = isKey(key)
      known.set(key, isMet)
    }
    return isMet
  }
  index.relatives.by(type).forEach((source, target, position) => {
    if (target < 0) {
      if (isKeyMet(index.relatives.keyOf(source, position))) add(set, source)
    } else if ((!readable || has(readable, target)) && (targets === 'all' || has(targets, target))) add(set, source)
  })
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
  return index.relatives.by(type).leadingTo(named)
}

/** Documents of which the name that they are known by meets a test. */
function withName(index: CatalogueIndex, test: FieldTest): DocumentSet {
  const set = index.newSet()
  for (const [key, types] of typesByNameField(index)) {
    const found = index.values(key).meeting(test, 'own')
    keepCommon(found, index.ofTypes(types))
    addAll(set, found)
  }
  return set
}

export function typesByNameField({ model, types }: CatalogueIndex): ReadonlyMap<string, string[]> {
  const byField = new Map<string, string[]>()
  for (const type of types.texts) {
    const field = model.findType(type)?.nameField
    if (field !== undefined) byField.set(field, [...(byField.get(field) ?? []), type])
  }
  return byField
}

/** Documents of which something that is kept beside the metadata meets a test. */
function withColumn(index: CatalogueIndex, path: ColumnPath, test: FieldTest): DocumentSet {
  if (test.kind === 'present') return index.everything()
  if (test.kind === 'instant')
    return path === 'created_at' || path === 'updated_at' ? withinInstants(index, path, test) : index.newSet()
  if (path === 'type' && test.kind === 'equals') return index.ofTypes(test.values)
  if (path === 'identifiers' && test.kind === 'equals') return withIdentifiers(index, test.values)
  if (path === 'id' && test.kind === 'equals') return withIds(index, test.values)
  return withFact(index, path, test)
}

function withIds(index: CatalogueIndex, ids: readonly string[]): DocumentSet {
  const set = index.newSet()
  for (const id of ids) {
    const number = index.resolve(id)
    if (number >= 0 && index.idOf(number) === id) add(set, number)
  }
  return set
}
