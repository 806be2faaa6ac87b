import Type, { type Static } from 'typebox'

import { clusterLevels } from '#domain/clustering/cluster-block.ts'
import { type ReasonCode, reasons } from '#domain/clustering/links.ts'
import { readMetadata, readRelations } from '#domain/editing/read-draft.ts'
import type { MetadataEntry, Relation } from '#domain/entity/entity.ts'
import type { Fault } from '#domain/errors.ts'
import { findJsonFaults, isJsonObject } from '#domain/json.ts'
import { readShape } from './read-shape.ts'

/*
 * Lines of NDJSON beside those of entities: `{"source": {"kind": …}}`. They contain what imports
 * know of the entities, so that a catalogue that imports the lines continues like the one that they
 * are from: the source records with their works, the authorities that they name, the records of
 * rows, holdings, and the decisions of people.
 */

const strict = { additionalProperties: false }
const text = Type.String({ maxLength: 100_000 })
const id = Type.String({ minLength: 1, maxLength: 1000 })
const oneOf = <T extends string>(values: readonly T[]) => Type.Unsafe<T>({ type: 'string', enum: [...values] })
const list = <T extends Type.TSchema>(of: T) => Type.Array(of, { maxItems: 20_000 })
const isTrue = Type.Optional(Type.Literal(true))

const question = {
  level: oneOf(clusterLevels),
  /** The other work: `record#place`. */
  other: id,
  reason: Type.Object(
    {
      code: oneOf(Object.keys(reasons) as ReasonCode[]),
      shared: Type.Optional(text),
      learnedFrom: Type.Optional(text)
    },
    strict
  ),
  confidence: Type.Number(),
  are_joined: Type.Boolean(),
  settles: Type.Optional(Type.Number())
}
const Question = Type.Object(question, strict)

/** The options of an import by which its records are read. */
const ReadingOptions = Type.Object(
  {
    /** The meaning of the columns of a table. */
    mapping: Type.Optional(Type.Unknown()),
    /** The meaning of fields with items. */
    items: Type.Optional(Type.Unknown())
  },
  strict
)
export type ReadingOptions = Static<typeof ReadingOptions>

const RecordLine = Type.Object(
  {
    kind: Type.Literal('record'),
    /** The name of the record: `(agency)number`. */
    record: id,
    manifestation_id: id,
    format: id,
    /** The record as received, in base64. */
    bytes: Type.String({ maxLength: 16_000_000 }),
    /** The record as last imported, if people have edited it since. */
    imported: Type.Optional(
      Type.Object({ form: id, base64: Type.String({ maxLength: 16_000_000 }), digest: text }, strict)
    ),
    options: Type.Optional(ReadingOptions),
    /** The versions of the rules that it was read by. */
    read_by: Type.Object({ evidence: Type.Integer(), description: Type.Integer() }, strict),
    /** The entities of each work in it, with the open review questions. */
    works: list(Type.Object({ work_id: id, expression_id: id, questions: Type.Optional(list(Question)) }, strict)),
    /** The entities of its items. */
    items: Type.Optional(list(Type.Object({ id, key: text }, strict))),
    /** Its entities that people have changed since. */
    edited: Type.Optional(list(id)),
    /** Their fields and relations that people have changed, as far as their versions tell. */
    edited_fields: Type.Optional(Type.Record(Type.String(), list(id)))
  },
  strict
)
export type RecordLine = Static<typeof RecordLine>

const StoredRelation = Type.Object(
  {
    relation: id,
    target: text,
    role: Type.Optional(Type.Object({ code: text, wording: text }, strict)),
    number: Type.Optional(text)
  },
  strict
)

const SourceBytes = Type.Object({ form: id, base64: Type.String({ maxLength: 16_000_000 }) }, strict)

/** A person, a subject or the like that source records name. */
const AuthorityLine = Type.Object(
  {
    kind: Type.Literal('authority'),
    /** Identifies it in records. */
    key: text,
    authority: Type.Object(
      {
        id,
        type: id,
        metadata: list(Type.Object({ key: id, value: text }, strict)),
        variants: Type.Optional(list(text)),
        identifiers: list(text),
        birthYear: Type.Optional(text),
        editedName: Type.Optional(text),
        isRecord: isTrue,
        /** Statements of authority records about it, by the names of the records. */
        records: Type.Optional(
          Type.Record(
            Type.String(),
            Type.Object(
              {
                metadata: list(Type.Object({ key: id, value: text }, strict)),
                relations: list(StoredRelation),
                source: Type.Optional(SourceBytes),
                imported: Type.Optional(SourceBytes)
              },
              strict
            )
          )
        )
      },
      strict
    ),
    /** Whether it has no entity, since no work, text or publication refers to it. */
    is_missing: isTrue,
    /** Whether people have changed its entity since, and which fields and relations of it. */
    is_edited: isTrue,
    edited_fields: Type.Optional(list(id))
  },
  strict
)

const StoredDraft = Type.Object(
  {
    type: id,
    metadata: list(
      Type.Object({ key: id, value: Type.Union([text, Type.Boolean()]), lang: Type.Optional(text) }, strict)
    ),
    relations: list(StoredRelation),
    identifiers: list(text)
  },
  strict
)

const HoldingsLine = Type.Object(
  {
    kind: Type.Literal('holdings'),
    name: id,
    /** The name of the record of the publication. */
    record: id,
    manifestation_id: id,
    items: list(Type.Object({ id, key: text, draft: StoredDraft, from: Type.Optional(list(Type.Integer())) }, strict)),
    source: Type.Optional(SourceBytes),
    /** Its items that people have changed since. */
    edited: Type.Optional(list(id))
  },
  strict
)

/** A record that a mapping made of rows: the values that the file had for it. */
const RowLine = Type.Object(
  {
    kind: Type.Literal('row'),
    /** Identifies it in the file. */
    key: text,
    id,
    metadata: Type.Unsafe<readonly MetadataEntry[]>(list(Type.Unknown())),
    relations: Type.Unsafe<readonly Relation[]>(list(Type.Unknown())),
    is_shared: isTrue
  },
  strict
)

/** A review question that a person answered; the answer itself is a line of its own. */
const SettledLine = Type.Object(
  { kind: Type.Literal('settled'), ...question, one: id, verdict: oneOf(['same', 'different']), at: id },
  strict
)

/** The decision of a person about two works of records: `record#place`. */
const AnswerLine = Type.Object(
  {
    kind: Type.Literal('answer'),
    level: oneOf(clusterLevels),
    one: id,
    other: id,
    verdict: oneOf(['same', 'different']),
    at: id,
    /** The entity that was merged into another. */
    merged: Type.Optional(id),
    /** The manifestation that was separated from others. */
    split: Type.Optional(id)
  },
  strict
)

const schemas = {
  record: RecordLine,
  authority: AuthorityLine,
  holdings: HoldingsLine,
  row: RowLine,
  settled: SettledLine,
  answer: AnswerLine
}

export type SourceLine = { [Kind in keyof typeof schemas]: Static<(typeof schemas)[Kind]> }[keyof typeof schemas]

/** Reads the value of `source` on a line; returns the fault of another value. */
export function readSourceLine(given: unknown): SourceLine | { readonly fault: string } {
  const kinds = Object.keys(schemas)
  const kind = isJsonObject(given) ? kinds.find(each => each === given.kind) : undefined
  if (kind === undefined) return { fault: `source/kind: Must be one of ${kinds.join(', ')}` }
  const line: SourceLine | { readonly fault: string } = readShape(
    schemas[kind as keyof typeof schemas],
    given,
    'source'
  )
  if ('fault' in line) return line
  const faults: Fault[] = findJsonFaults(line)
  if (line.kind === 'row') {
    readMetadata(line.metadata, '/metadata', faults)
    readRelations(line.relations, '/relations', faults)
  }
  const [fault] = faults
  return fault === undefined ? line : { fault: `source${fault.pointer}: ${fault.message}` }
}
