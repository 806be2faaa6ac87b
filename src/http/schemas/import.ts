import Type from 'typebox'

import { clusterLevels } from '#domain/clustering/cluster-block.ts'
import { likenesses } from '#domain/clustering/like-cases.ts'
import { importStates } from '#domain/imports/job.ts'
import { tableSubjects } from '#formats/tables/table-subject.ts'
import { sourceFormatNames } from '#formats/source/source-formats.ts'
import { flag, maxPerPage } from './common.ts'

const nullable = (type: 'string' | 'integer' | 'number' | 'boolean', description: string) =>
  Type.Unsafe<string | number | boolean | null>({ type: [type, 'null'], description })
const count = (description: string) => Type.Integer({ minimum: 0, description })

/** The scopes of imports, for the descriptions of their routes. */
export const importScopes =
  'Needs the scopes `read` and `write`, not narrowed to types: an import searches the works of all records. Deletions in a file are applied only with the scope `delete`.'

export const ImportParams = Type.Object({ id: Type.String({ maxLength: 100 }) })

export const ImportQuery = Type.Object({
  name: Type.Optional(Type.String({ maxLength: 200, description: 'Name of the file, for people' })),
  format: Type.Optional(
    Type.String({
      maxLength: 20,
      description: `Format of the file, where it should not be detected: ${sourceFormatNames.join(', ')}`
    })
  ),
  agency: Type.Optional(
    Type.String({ maxLength: 100, description: 'Agency of the record numbers, where records do not name one' })
  ),
  mapping: Type.Optional(
    Type.String({
      maxLength: 20_000,
      description:
        'For CSV or JSON, as JSON: the records that each row becomes (`records`); or the meaning of each column of a table of publications, by default derived from the header'
    })
  ),
  items: Type.Optional(
    Type.String({
      maxLength: 20_000,
      description:
        'For MARC: the fields with the copies that libraries hold, as JSON: `{"949": {"a": "shelf_mark", "i": "barcode", "m": "library"}}`; by default 852 and 876 to 878'
    })
  ),
  allow_dangling: flag('1 lets relations of NDJSON refer to entities that do not exist'),
  preview: Type.Integer({ enum: [0, 1], default: 0, description: '1 computes the outcome and writes nothing' })
})

export const MappingQuery = Type.Object({
  name: Type.Optional(
    Type.String({ maxLength: 200, description: 'Name of the file; identifiers of its records begin with it' })
  ),
  meanings: Type.Optional(
    Type.String({
      maxLength: 20_000,
      description:
        'The meaning of columns, as JSON: `{"Zaal": "venue name", "Nr": "production identifier", "Notes": ""}`; by default by their names'
    })
  )
})

export const MappingProposal = Type.Object(
  {
    subject: Type.String({
      enum: [...tableSubjects, 'entities', 'other'],
      description:
        'The kind of rows, judged by the names of columns: publications, other records, entities of this catalogue; `other` is no table'
    }),
    columns: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Name of a column, or path to a value in JSON' }),
        example: Type.String(),
        meaning: Type.String({ description: 'Type and field that it fills; empty for none' })
      })
    ),
    mapping: Type.Unsafe<object | null>({
      type: ['object', 'null'],
      description: 'A mapping of rows for `POST /imports`; null if no record can be made'
    })
  },
  { $id: 'MappingProposal', additionalProperties: false }
)

export const ImportCounts = Type.Object(
  {
    created: count('New records'),
    updated: count('Records that differ from their last import'),
    unchanged: count('Records that had been imported with the same content'),
    deleted: count('Records that the file deletes'),
    kept: count('Deletions that were not applied: the record was edited here or other records refer to it'),
    unreadable: count('Items of the file that could not be read as a record'),
    joined_works: count('Existing works that records were added to'),
    sources: count('Lines of an export with source records, or with what belongs to them, that were taken'),
    versions: count('Lines of an export with versions of records that were taken'),
    contents: count('Contents of media files in an export that are stored now'),
    missing_contents: count('Media files of an export whose bytes are not stored; the remarks name them')
  },
  { $id: 'ImportCounts', additionalProperties: false }
)

export const Import = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    state: Type.String({ enum: importStates }),
    is_preview: Type.Boolean(),
    created_by: Type.String(),
    created_at: Type.String({ format: 'date-time' }),
    started_at: nullable('string', 'Start'),
    ended_at: nullable('string', 'End: done, failed, stopped or undone'),
    size: nullable('integer', 'Bytes of the file'),
    bytes: count('Bytes processed'),
    records: count('Items of the file processed'),
    records_per_second: nullable('number', 'Rate while running'),
    seconds_left: nullable('integer', 'Estimate at that rate'),
    counts: ImportCounts,
    entities: Type.Record(
      Type.String(),
      Type.Object({ created: Type.Integer(), updated: Type.Integer(), deleted: Type.Integer() })
    ),
    remarks: count('How many things in the file there is something to say of'),
    failure: nullable('string', 'Why it failed'),
    retained: Type.Array(Type.Object({ id: Type.String(), reason: Type.String() }, { additionalProperties: false }), {
      description: 'Of an undone import: the first 100 entities that were not deleted, or not restored as they were'
    }),
    collisions: Type.Object(
      {
        count: count('Records with the number of another record'),
        first: Type.Array(
          Type.Object(
            {
              number: Type.Integer({ description: 'Which record of the file, counted from 1' }),
              control_number: Type.String(),
              title: Type.String(),
              other_title: Type.String({ description: 'The title of the record that has the number already' }),
              other_import: Type.String({ description: 'The import that the other record came with' })
            },
            { additionalProperties: false }
          ),
          { description: 'The first ten' }
        )
      },
      {
        additionalProperties: false,
        description:
          'Records with the number of another record, where neither names its agency and nothing else agrees. They are imported as separate records; import the file with `agency` to distinguish the numbers'
      }
    ),
    not_mapped: Type.Object(
      {
        kinds: Type.Array(
          Type.Object(
            {
              name: Type.String({ description: 'Field, element, property or column: `084 $a`, `note/date`' }),
              count: count('How often the file has it')
            },
            { additionalProperties: false }
          ),
          { description: 'At most 200, the most frequent first' }
        ),
        others: count('How often the file has further kinds')
      },
      {
        additionalProperties: false,
        description: 'Parts of records that have no place in the model; they are in the source records only'
      }
    )
  },
  { $id: 'Import', additionalProperties: false }
)

export const ImportPage = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: maxPerPage, default: 100 }),
  after: Type.Optional(Type.Integer({ minimum: 0, description: 'Only items after this number' }))
})

export const ImportRemark = Type.Object(
  {
    number: Type.Integer({ description: 'Number of the item in the file, from 1' }),
    offset: Type.Integer({ description: 'Offset of its first byte, from 0' }),
    control_number: Type.Optional(Type.String()),
    outcome: Type.String({ enum: ['unreadable', 'kept', 'noticed'] }),
    remarks: Type.Array(Type.String())
  },
  { $id: 'ImportRemark', additionalProperties: false }
)

export const PreviewLine = Type.Object(
  {
    number: Type.Integer(),
    record: Type.String(),
    title: Type.String(),
    outcome: Type.String(),
    works: Type.Array(
      Type.Object({
        title: Type.String(),
        is_new: Type.Boolean(),
        explanation: nullable('string', 'Reason for joining other records'),
        reason: Type.Optional(Type.String({ description: 'Reason, as a code' })),
        confidence: nullable('number', '0 to 1')
      })
    ),
    records: Type.Optional(
      Type.Array(
        Type.Object({
          type: Type.String(),
          title: Type.String(),
          outcome: Type.String({ enum: ['created', 'updated', 'unchanged', 'refused'] }),
          metadata: Type.Array(
            Type.Object({ key: Type.String(), value: Type.Unknown(), lang: Type.Optional(Type.String()) })
          ),
          relations: Type.Array(
            Type.Object({
              type: Type.String(),
              name: Type.String({ description: 'Name of the related record, or its id' })
            })
          )
        }),
        { description: 'The records of a row, for a file with a mapping of rows; each at its first row' }
      )
    )
  },
  { $id: 'PreviewLine', additionalProperties: false }
)

const QuestionSide = Type.Object(
  {
    manifestation_id: Type.String(),
    record: Type.String({ description: 'Name of the record: `(agency)number`' }),
    title: Type.String(),
    creators: Type.Array(Type.String()),
    languages: Type.Array(Type.String()),
    work_id: Type.String(),
    expression_id: Type.String()
  },
  { $id: 'QuestionSide', additionalProperties: false }
)

const verdicts = ['same', 'different']

export const ReviewQuestion = Type.Object(
  {
    id: Type.String(),
    level: Type.String({ enum: clusterLevels }),
    are_joined: Type.Boolean({ description: 'State until the question is answered' }),
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
    settles: Type.Integer({
      minimum: 1,
      description: 'Number of records whose work or expression depends on the answer; the largest come first'
    }),
    reason: Type.String(),
    explanation: Type.String(),
    one: QuestionSide,
    other: QuestionSide,
    settled: Type.Optional(
      Type.Object(
        {
          verdict: Type.String({ enum: verdicts }),
          by: Type.String(),
          at: Type.String({ format: 'date-time' })
        },
        { description: 'The answer, for an answered question' }
      )
    )
  },
  { $id: 'ReviewQuestion', additionalProperties: false }
)

export const ReviewQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: maxPerPage, default: 20 }),
  after: Type.Optional(Type.String({ maxLength: 2000, description: 'Id of the last question of the page before' })),
  settled: flag('1 lists answered questions')
})

export const Review = Type.Object(
  {
    questions: Type.Array(ReviewQuestion),
    next: nullable('string', 'A relative URL for the rest; null at the end')
  },
  { $id: 'Review', additionalProperties: false }
)

export const ReviewAnswers = Type.Array(
  Type.Object(
    {
      question: Type.String({ maxLength: 2000 }),
      verdict: Type.String({ enum: verdicts, description: 'Whether the two are the same work or expression' })
    },
    { additionalProperties: false }
  ),
  { minItems: 1, maxItems: 100 }
)

export const SplitInput = Type.Object(
  {
    from: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'A manifestation of the same work; without it, all others of the work'
      })
    )
  },
  { $id: 'SplitInput', additionalProperties: false }
)

export const Answered = Type.Object(
  { answered: Type.Integer(), changed: Type.Integer({ description: 'Number of changed entities' }) },
  { $id: 'Answered', additionalProperties: false }
)

export const LikeCases = Type.Object(
  {
    cases: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          verdict: Type.String({ enum: verdicts, description: 'The decision that is offered' }),
          likeness: Type.String({
            enum: [...likenesses],
            description:
              '`titles`: the same two titles; `authors`: one title by the same two authors; `pattern`: the same author and the same reason'
          }),
          reason: nullable('string', 'Reason to compare the two, as a code; for a pattern'),
          explanation: Type.String(),
          are_joined: Type.Boolean({ description: 'Whether the two are one work at present' }),
          one: QuestionSide,
          other: QuestionSide,
          decided: Type.Object(
            {
              one: Type.String(),
              other: Type.String(),
              made_by: Type.String({ enum: ['review', 'merge', 'split'] }),
              by: nullable('string', 'The person; null for a merge'),
              at: nullable('string', 'Time of the decision; null for a merge')
            },
            { description: 'The decision that the case is like, with the titles of its two records' }
          )
        },
        { $id: 'LikeCase', additionalProperties: false }
      )
    )
  },
  { $id: 'LikeCases', additionalProperties: false }
)

export const AcceptedCases = Type.Object(
  {
    cases: Type.Array(Type.String({ maxLength: 2000 }), {
      minItems: 1,
      maxItems: 100,
      description: 'Ids of offered cases'
    })
  },
  { $id: 'AcceptedCases', additionalProperties: false }
)

export const SourceRecord = Type.Object(
  {
    leader: Type.String(),
    fields: Type.Array(Type.Unknown(), {
      description: 'A member for each field, by its tag: a text, or `ind1`, `ind2` and `subfields`'
    })
  },
  { $id: 'SourceRecord' }
)

export const Origin = Type.Object(
  {
    import_id: Type.String(),
    record: Type.String(),
    form: Type.String(),
    links: Type.Array(
      Type.Object({
        work_id: Type.String(),
        expression_id: Type.String(),
        joined_to: nullable(
          'string',
          'The manifestation whose record it was joined with; null for the first of a work'
        ),
        reason: nullable('string', 'Reason, as a code'),
        explanation: nullable('string', 'Reason, as a sentence'),
        confidence: nullable('number', '0 to 1'),
        is_sure: nullable('boolean', 'Whether the link needs no review')
      })
    ),
    decisions: Type.Array(
      Type.Object({
        level: Type.String({ enum: [...clusterLevels] }),
        verdict: Type.String({ enum: verdicts, description: 'Whether the two are the same work or expression' }),
        other_id: Type.String({ description: 'The manifestation of the other record' }),
        made_by: Type.String({ enum: ['review', 'merge', 'split'] }),
        by: nullable('string', 'The person; null for a merge'),
        at: nullable('string', 'Time of the decision; null for a merge')
      }),
      { description: 'Decisions of people about this record and another' }
    )
  },
  { $id: 'Origin', additionalProperties: false }
)
