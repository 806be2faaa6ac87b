import type {
  Entity,
  EntityInput,
  MetadataEntry,
  ProblemError,
  RecordTypeRow,
  Relation
} from '../../../client/index.ts'
import { isEmpty } from '../data/record-model.ts'

/**
 * The content of a form. Each line has a number that stays the same while lines are added and
 * removed.
 */
export interface FormContent {
  readonly entries: readonly FormEntry[]
  readonly targets: readonly FormTarget[]
}

export interface FormEntry {
  readonly line: number
  readonly entry: MetadataEntry
}

export interface FormTarget {
  readonly line: number
  readonly relation: Relation
  /** The related record, if it is created together with this one. */
  readonly made?: NewRecord
}

/** A record that does not exist yet: a form creates it when it is saved. */
export type NewRecord = Pick<Entity, 'id' | 'type' | 'metadata'>

type Content = Pick<Entity, 'metadata' | 'relations'>

let lastLine = 0
export const nextLine = () => ++lastLine

/**
 * A record as form content: with an empty line for every field without a value. `made` are the
 * related records that do not exist yet.
 */
export function formOf(
  row: RecordTypeRow,
  { metadata, relations }: Content,
  made: readonly NewRecord[] = []
): FormContent {
  const entries = metadata.map(entry => ({ line: nextLine(), entry }))
  const blanks = row.fields
    .filter(({ key }) => !metadata.some(entry => entry.key === key))
    .map(({ key }) => ({ line: nextLine(), entry: { key, value: '' } }))
  const targets = relations.map(relation => {
    const isNew = made.find(({ id }) => id === relation.key)
    return { line: nextLine(), relation, ...(isNew ? { made: isNew } : {}) }
  })
  return { entries: [...entries, ...blanks], targets }
}

/** The related records that are created when these forms are saved, each once. */
export const madeIn = (...forms: readonly FormContent[]): NewRecord[] => [
  ...new Map(forms.flatMap(({ targets }) => targets.flatMap(({ made }) => (made ? [[made.id, made]] : [])))).values()
]

/** The form after some of its new records were created. */
export const withoutMade = (form: FormContent, created: readonly NewRecord[]): FormContent => ({
  ...form,
  targets: form.targets.map(({ made, ...target }) =>
    made && !created.some(({ id }) => id === made.id) ? { ...target, made } : target
  )
})

/** The content of a form as it is sent, without empty lines. */
export function contentOf(form: FormContent): Content {
  return {
    metadata: form.entries.filter(({ entry }) => !isBlank(entry)).map(({ entry }) => entry),
    relations: form.targets.map(({ relation }) => relation)
  }
}

const isBlank = ({ value }: MetadataEntry) => isEmpty(value) || (Array.isArray(value) && value.length === 0)

export const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** The faults of each line, of each field, and the rest. */
export interface FormFaults {
  readonly lines: ReadonlyMap<number, string>
  /** By metadata key and by relation type. */
  readonly fields: ReadonlyMap<string, string>
  readonly rest: readonly string[]
}

export const noFaults: FormFaults = { lines: new Map(), fields: new Map(), rest: [] }

/** Assigns each fault to its line: its pointer counts the lines as they were sent. */
export function faultsOf(
  error: ProblemError,
  form: FormContent,
  problemText: (error: Error) => string,
  within = ''
): FormFaults {
  const sentEntries = form.entries.filter(({ entry }) => !isBlank(entry))
  const lines = new Map<number, string>()
  const fields = new Map<string, string>()
  const rest: string[] = []
  for (const { pointer, message } of error.errors) {
    if (!pointer.startsWith(within)) continue
    const [, list, index] = /^\/(metadata|relations)(?:\/(\d+))?/.exec(pointer.slice(within.length)) ?? []
    const line = index && (list === 'metadata' ? sentEntries : form.targets)[Number(index)]?.line
    const name = nameIn(message)
    if (line) lines.set(line, message)
    else if (list !== undefined && name !== undefined) fields.set(name, message)
    else rest.push(message)
  }
  if (error.errors.length === 0) rest.push(problemText(error))
  return { lines, fields, rest }
}

/** The field or relation that a message is about: it begins with it, or names it as required. */
const nameIn = (message: string) =>
  /^"(\w+)"/.exec(message)?.[1] ?? /\bneeds "(\w+)"$/.exec(message)?.[1] ?? /\bref[A-Z]\w*/.exec(message)?.[0]

/** A field with conflicting changes. */
export interface Conflict {
  readonly part: 'metadata' | 'relations'
  /** The metadata key or the relation type. */
  readonly name: string
  readonly mine: readonly unknown[]
  readonly theirs: readonly unknown[]
}

/**
 * Combines two changes of a record, field by field. A field that both changed differently is a
 * conflict, which `takesMine` decides.
 */
export function joinContents(base: Content, mine: Content, theirs: Content, takesMine: (name: string) => boolean) {
  const conflicts: Conflict[] = []
  const join = <Each>(part: Conflict['part'], nameOf: (each: Each) => string, lists: readonly (readonly Each[])[]) => {
    const [ofBase = [], ofMine = [], ofTheirs = []] = lists
    const names = new Set([...ofTheirs, ...ofMine].map(nameOf))
    return [...names].flatMap(name => {
      const [was, my, their] = [ofBase, ofMine, ofTheirs].map(list => list.filter(each => nameOf(each) === name)) as [
        Each[],
        Each[],
        Each[]
      ]
      if (isSame(my, their) || isSame(was, my)) return their
      if (isSame(was, their)) return my
      conflicts.push({ part, name, mine: my, theirs: their })
      return takesMine(`${part} ${name}`) ? my : their
    })
  }
  const content: Pick<EntityInput, 'metadata' | 'relations'> = {
    metadata: join('metadata', each => each.key, [base.metadata, mine.metadata, theirs.metadata]),
    relations: join('relations', each => each.type, [base.relations, mine.relations, theirs.relations])
  }
  return { content: content as Content, conflicts }
}
