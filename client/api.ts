/* Written by `npm run docs` from the OpenAPI document. Changes made here are lost. */

export type AcceptedCases = {
  /** Ids of offered cases */
  cases: string[]
}

export type Act = {
  /** Acts are numbered in the order in which they were logged */
  number: number
  at: string
  /** Name of the token or person; `operator` for a command or the service */
  by: string
  /** Such as `token.create` or `webhook.delete` */
  act: string
  /** Id of the token, webhook, import or record */
  subject: string | null
  /** Network address that the request came from; null for a command */
  address: string | null
  /** Facts about the act; never a secret */
  details: unknown
}

export type Acts = {
  acts: Act[]
  /** Address of the next page; absent on the last one */
  next?: string
}

export type Answered = {
  answered: number
  /** Number of changed entities */
  changed: number
}

export type AuditStamp = {
  at: string
  by: string
}

/** The entity under `entity`, or its members beside `op` */
export type BatchLine = {
  /** create, replace, patch, upsert, delete, merge or unmerge */
  op: string
  id?: string
  /** Any JSON value */
  entity?: unknown
  /** The version the entity must have */
  if_match?: number
  /** `detach`, for `delete` */
  references?: string
  /** The record that is merged into this one, or was */
  victim_id?: string
  /** `both`, for `merge` */
  keep?: string
  [key: string]: unknown
}

export type BatchLineResult = {
  index: number
  status: number
  outcome: string
  id?: string
  version?: number
  warnings?: Fault[]
  merge?: MergeOutcome
  unmerge?: UnmergeOutcome
  problem?: Problem
}

/** CloudEvents 1.0 */
export type ChangeEvent = {
  specversion: '1.0'
  /** Also the cursor after this change */
  id: string
  source: string
  type: 'entity.created' | 'entity.updated' | 'entity.deleted' | 'entity.merged' | 'entity.purged'
  /** Id of the entity */
  subject: string
  time: string
  datacontenttype: string
  data: {
    id: string
    _id: string
    type: string
    version: number
    by: string
    entity?: Entity
    merged_into?: string
  }
}

export type ChangesPage = {
  changes: ChangeEvent[]
  /** Send it as `since` to continue */
  cursor: string
  /** Whether more changes are available now */
  more: boolean
}

/** The answer where a filter asks for options (`provide_value_options_for_key`) or has `facets` */
export type ClientPage = {
  count: number
  results: (Entity | Option)[]
  skip: number
  limit: number
  /** Relative URL of the next page, if there is one */
  next?: string
  /** Relative URL of the previous page, if there is one */
  previous?: string
  /** By the path with underscores for dots */
  facets?: { [key: string]: {
    /** The value */
    _id: string
    /** Exact number of matches with the value */
    count: number
  }[] }[]
}

export type DeletedEntities = {
  deleted: string[]
  /** Always empty: there is no job to wait for */
  parent_job_id: string
}

export type Deletion = {
  /** Ids of deleted parts */
  deleted: string[]
  /** Ids of records whose relation to this one was removed */
  detached: string[]
}

export type Deliveries = {
  deliveries: Delivery[]
  next?: string
}

export type Delivery = {
  id: string
  reason: 'change' | 'test' | 'replay'
  /** The `webhook-id` of the request and the `id` of the event */
  event_id: string
  event_type: string
  /** Id of the entity; of the webhook, for a test */
  subject: string
  /** Counted from 1 */
  attempt: number
  at: string
  duration_ms: number
  /** Whether the receiver answered 2xx */
  delivered: boolean
  /** Status of the answer */
  status: number | null
  /** Reason for a missing answer */
  error: string | null
}

export type Derivatives = {
  count: number
  results: {
    /** Maximum width in pixels */
    width: number
    /** Height in pixels, of a form */
    height?: number
    /** The purpose, such as `poster` */
    form?: string
    mimetype: string
    /** Address, valid for an hour */
    location: string
  }[]
}

/** One field that changed */
export type Difference = {
  field: 'metadata'
  key: string
  lang?: string
  before: unknown[]
  after: unknown[]
} | {
  field: 'relation'
  type: string
  key: string
  before: Relation | null
  after: Relation | null
} | {
  field: 'identifier'
  before: string | null
  after: string | null
} | {
  field: 'order'
  /** `metadata`, `relations` or `identifiers`: the same entries in another order */
  of: string
}

export type DownloadUrls = {
  /** Address of the bytes */
  original_file_location?: string
  /** Address of a thumbnail of an image */
  thumbnail_file_location?: string
  /** Validity of the addresses in seconds */
  expires_in: number
}

export type Due = {
  /** The record whose tasks these are */
  id: string
  count: number
  /** Number of its productions in each state of readiness */
  states: {
    ready: number
    incomplete: number
    contradictory: number
  }
  results: {
    /** The record that lacks it */
    id: string
    name: string
    /** The name for people, by language */
    label?: { [key: string]: unknown }
    /** The day at which it is due: `2026-11-14` */
    due?: string
  }[]
}

export type DuplicateGroup = {
  /** The number of records, of which at most 50 are listed */
  count: number
  records: {
    id: string
    type: string
    /** The name of the record */
    label: string
    /** Path for `POST` with the `victim_id` of another record of the group */
    merge: string
    /**
     * Path for `POST` of `[{"type": "refDifferentFrom", "key": "…"}]`, which says that two records
     * are different
     */
    relations: string
  }[]
  reasons: {
    /** `name`, `similar`, or the key of the field with the equal number */
    reason: string
    /** The equal number or name */
    value: string
  }[]
  /** How likely similar records are the same: right pairs in a hundred, as measured */
  score?: number
  /**
   * For terms of several schemes: a `POST` of this relation to the other term to `relations` joins
   * them, and each keeps its scheme
   */
  same_as?: string
  /** Pairs of ids of records that somebody said are different */
  different: string[][]
}

export type DuplicatePage = {
  /** The exact number of groups */
  count: number
  results: DuplicateGroup[]
  /** Path of the next page */
  next?: string
}

export type EditedRecord = {
  /** Human-readable id with a type prefix */
  id: string
  type: string
  outcome: 'created' | 'updated' | 'deleted'
  changes: Difference[]
}

export type Entity = {
  /** Human-readable id with a type prefix */
  id: string
  _id: string
  /** The same as `id` */
  _key: string
  type: keyof RecordFields & string
  version: number
  metadata: MetadataEntry[]
  relations: Relation[]
  identifiers: string[]
  audit: {
    created: AuditStamp
    updated: AuditStamp
  }
  /**
   * The times of a performance on the clocks of its venue, by their fields, as
   * `2026-01-16T20:00:00`; with `include=local`
   */
  local?: {
    /** Name in the IANA database */
    zone: string
  }
}

/**
 * A new entity. The schemas named after record types list the fields and relations of each. Members
 * that the server sets may be sent and are ignored. A record has at most 2000 metadata entries
 * (each element of a list of values counts) of 500 different keys, 10000 relations of 200 different
 * types and 500 identifiers, a name of 1000 characters, other values of 100000 characters, HTML of
 * 5000 elements, and 1048576 bytes in all; more is refused with `invalid`
 */
export type EntityInput = {
  id?: string
  type: 'work_word' | 'work_music' | 'work_map' | 'work_serial' | 'work_footage' | 'work_mixed_material' | 'work_computer_file' | 'expression_word' | 'expression_music' | 'expression_map' | 'expression_serial' | 'expression_footage' | 'expression_mixed_material' | 'expression_computer_file' | 'reading' | 'listening' | 'watching' | 'playing' | 'orienting' | 'easy_reading' | 'manifestation_word' | 'manifestation_music' | 'manifestation_map' | 'manifestation_serial' | 'manifestation_footage' | 'manifestation_mixed_material' | 'manifestation_computer_file' | 'language' | 'person' | 'corporation' | 'subject' | 'publisher' | 'series' | 'target_audience' | 'genre' | 'place' | 'time' | 'title' | 'siso' | 'code_wording' | 'zizo' | 'item' | 'library' | 'production' | 'performance' | 'venue' | 'hall' | 'company' | 'booking_agency' | 'season' | 'subscription' | 'tour' | 'mediafile' | (string & {})
  metadata?: MetadataEntry[]
  relations?: Relation[]
  identifiers?: string[]
}

export type EntityPage = {
  /** Exact number of matches */
  count: number
  results: Entity[]
  skip: number
  limit: number
  /** Relative URL of the next page, if there is one */
  next?: string
  /** Relative URL of the previous page, if there is one */
  previous?: string
  /** The values of each requested path, the most frequent first */
  facets?: { [key: string]: {
    value: string
    /** The name of the related entity */
    label?: string
    /** Exact number of matches with the value */
    count: number
  }[] }
  /** Names in the filters that no record has, and an ISBN with a mistake */
  warnings?: Fault[]
  /** Other searches, if a search found nothing */
  instead?: InsteadOffer[]
  /** The matching passages of each result, by its id */
  highlights?: { [key: string]: {
    /** The metadata key, or the type of the relation */
    key: string
    /** The related entity, where the passage is its name */
    id?: string
    parts: {
      text: string
      hit?: boolean
    }[]
  }[] }
  /**
   * With `include=summary`: facts of works and productions that are in other records, by their ids
   */
  summaries?: { [key: string]: Summary }
}

/**
 * Metadata replaces entries with the same key and language, relations those with the same type and
 * key; other entries do not change
 */
export type EntityPatch = {
  id?: string
  type?: string
  metadata?: MetadataEntry[]
  relations?: Relation[]
  identifiers?: string[]
}

/** A complete entity; its id, UUID and type do not change */
export type EntityReplacement = {
  id?: string
  type?: string
  metadata?: MetadataEntry[]
  relations?: Relation[]
  identifiers?: string[]
}

/** Values by which a search page narrows results */
export type FacetRow = {
  /** The place among all facets, smallest first */
  order: number
  /** Counted from the start; others when people unfold them */
  open: boolean
  /** The public pages have it */
  for_readers: boolean
}

export type Fault = {
  /** JSON pointer into the body, or the name of a parameter */
  pointer: string
  message: string
  /**
   * In warnings: `duplicate` for a record that may be the same, `missing_target` for a relation
   * that was not restored, `doubtful_value` for one that does not have the form of its field,
   * `undeclared_name`, `second_value` (dropped), `unsafe_markup` (removed), `default_category`;
   * `isbn` for a search by an ISBN with a mistake
   */
  code?: string
  /** With a code: the value that it is about, such as an id */
  value?: string
  /** In warnings: the field or relation */
  key?: string
}

export type FieldRow = {
  /** The metadata key */
  key: string
  /** The name for people, if `lang` or `Accept-Language` asks for a known language */
  label?: string
  /** The kind of the values */
  kind: 'text' | 'html' | 'choice' | 'number' | 'minutes' | 'year' | 'date' | 'moment' | 'boolean' | 'isbn' | 'codes' | 'age_category' | 'price' | 'time_zone'
  required: boolean
  /** A record may have several values */
  repeatable: boolean
  /** A record may have one value for each `lang` */
  translatable: boolean
  /** The values that a `choice` may have */
  of?: string[]
  /** The names of these values for people */
  of_labels?: { [key: string]: unknown }
  /** Value for records created without the field */
  default?: string
  /** In Unicode code points of the stored text */
  max_length?: number
  min?: number
  max?: number
  facet?: FacetRow
}

export type Filter = {
  /** type, text, selection, date, number, boolean, id, search, readiness, geo or together */
  type: string
  key?: string | string[]
  /** Any JSON value */
  value: unknown
  match_exact?: boolean
  /** Negates the filter */
  match_not?: boolean
  /** Every word of a text is in the field, in any order */
  match_all_words?: boolean
  /** All values of a selection, not any of them */
  and_condition?: boolean
  /**
   * Every word of a text is in a field, or in the name of a record that one of these relations
   * leads to
   */
  relation_keys?: string[]
  or?: Filter[]
  operator?: 'or' | 'and'
  /** Only records of these types */
  item_types?: string[]
  /** A path: of the records with the same value there, only the first created is found */
  distinct_by?: string
  /** size: the number filter is about how many there are */
  aggregation?: 'size' | ''
  /** The text is a regular expression, of a safe subset */
  regex?: boolean
  regex_options?: '' | 'i'
  /** Members that the entry must have beside its value */
  inner_exact_matches?: { [key: string]: unknown }
  /** Joins others by a relation: from, local_field, foreign_field and as, which keys begin with */
  lookup?: { [key: string]: unknown }
  /** Objects with a `key`, to count the values of over all matches */
  facets?: { [key: string]: unknown }[]
  /** `results` hold the values of the key as `{label, value}`, instead of entities */
  provide_value_options_for_key?: boolean
}

export type ForeignAnswer = {
  /** The name of the catalogue, as an administrator gave it */
  name: string
  /** Number of records that it has found, of which at most 10 are listed */
  count: number
  records: {
    title: string
    responsibility: string
    publisher: string
    year: string
    isbn: string[]
    /** The record in XML, for `POST /imports` */
    source: string
    /** Records of this catalogue that are likely to be the same */
    here: {
      id: string
      type: string
      label: string
    }[]
  }[]
  /** The reason, where the catalogue gave no records */
  error?: string
}

/** The answer to `soft=1`: the caller may do this */
export type Good = 'good'

export type Growth = {
  growth: {
    /** Year and month of creation, in UTC: `2026-11` */
    month: string
    type: string
    count: number
  }[]
}

export type Health = {
  status: string
  /**
   * While an index in memory is built: the share of the records that were read, from 0 to 1. Lists
   * and searches are refused with 503 until the first one is ready; records can be read by id and
   * written
   */
  indexing?: number
}

export type History = {
  id: string
  type: string
  count: number
  results: {
    version: number
    /** created, updated, deleted, merged or restored */
    kind: string
    at: string
    by: string
    merged_into?: string
    /**
     * Another catalogue made this version, at this moment and by this editor; an import brought it
     */
    carried?: true
    /** Compared with the previous version */
    changes: Difference[]
  }[]
  skip: number
  limit: number
  next?: string
}

export type HistoryEntry = {
  _id: string
  collection: string
  /** When the version was written */
  timestamp: string
  user: string
  object: Entity
}

export type HistoryEntryPage = {
  /** Exact number of matches */
  count: number
  results: HistoryEntry[]
  skip: number
  limit: number
  /** Relative URL of the next page, if there is one */
  next?: string
  /** Relative URL of the previous page, if there is one */
  previous?: string
  /** The values of each requested path, the most frequent first */
  facets?: { [key: string]: {
    value: string
    /** The name of the related entity */
    label?: string
    /** Exact number of matches with the value */
    count: number
  }[] }
  /** Names in the filters that no record has, and an ISBN with a mistake */
  warnings?: Fault[]
  /** Other searches, if a search found nothing */
  instead?: InsteadOffer[]
  /** The matching passages of each result, by its id */
  highlights?: { [key: string]: {
    /** The metadata key, or the type of the relation */
    key: string
    /** The related entity, where the passage is its name */
    id?: string
    parts: {
      text: string
      hit?: boolean
    }[]
  }[] }
  /**
   * With `include=summary`: facts of works and productions that are in other records, by their ids
   */
  summaries?: { [key: string]: Summary }
}

export type Import = {
  id: string
  name: string
  state: 'uploading' | 'waiting' | 'running' | 'done' | 'failed' | 'stopped' | 'undoing' | 'undone'
  is_preview: boolean
  created_by: string
  created_at: string
  /** Start */
  started_at: string | null
  /** End: done, failed, stopped or undone */
  ended_at: string | null
  /** Bytes of the file */
  size: number | null
  /** Bytes processed */
  bytes: number
  /** Items of the file processed */
  records: number
  /** Rate while running */
  records_per_second: number | null
  /** Estimate at that rate */
  seconds_left: number | null
  counts: ImportCounts
  entities: { [key: string]: unknown }
  /** How many things in the file there is something to say of */
  remarks: number
  /** Why it failed */
  failure: string | null
  /**
   * Of an undone import: the first 100 entities that were not deleted, or not restored as they were
   */
  retained: {
    id: string
    reason: string
  }[]
  /**
   * Records with the number of another record, where neither names its agency and nothing else
   * agrees. They are imported as separate records; import the file with `agency` to distinguish the
   * numbers
   */
  collisions: {
    /** Records with the number of another record */
    count: number
    /** The first ten */
    first: {
      /** Which record of the file, counted from 1 */
      number: number
      control_number: string
      title: string
      /** The title of the record that has the number already */
      other_title: string
      /** The import that the other record came with */
      other_import: string
    }[]
  }
  /** Parts of records that have no place in the model; they are in the source records only */
  not_mapped: {
    /** At most 200, the most frequent first */
    kinds: {
      /** Field, element, property or column: `084 $a`, `note/date` */
      name: string
      /** How often the file has it */
      count: number
    }[]
    /** How often the file has further kinds */
    others: number
  }
}

export type ImportCounts = {
  /** New records */
  created: number
  /** Records that differ from their last import */
  updated: number
  /** Records that had been imported with the same content */
  unchanged: number
  /** Records that the file deletes */
  deleted: number
  /** Deletions that were not applied: the record was edited here or other records refer to it */
  kept: number
  /** Items of the file that could not be read as a record */
  unreadable: number
  /** Existing works that records were added to */
  joined_works: number
  /** Lines of an export with source records, or with what belongs to them, that were taken */
  sources: number
  /** Lines of an export with versions of records that were taken */
  versions: number
  /** Contents of media files in an export that are stored now */
  contents: number
  /** Media files of an export whose bytes are not stored; the remarks name them */
  missing_contents: number
}

export type ImportRemark = {
  /** Number of the item in the file, from 1 */
  number: number
  /** Offset of its first byte, from 0 */
  offset: number
  control_number?: string
  outcome: 'unreadable' | 'kept' | 'noticed'
  remarks: string[]
}

export type InsteadOffer = {
  /** Without words, with other spellings, by another ISBN, or without a filter */
  kind: 'words' | 'spelling' | 'isbn' | 'filter'
  /** The words that were left out as they were typed, or the filter that was */
  left_out: (string | { [key: string]: unknown })[]
  /** The words in place of others */
  changed?: {
    from: string
    to: string
  }[]
  /** The filters, as the body of the same request */
  query: { [key: string]: unknown }[]
  /** Number of matches; of an ISBN at most 10 are counted */
  count: number
}

export type Job = {
  _id: string
  _key: string
  /** Always `import` */
  job_type: string
  /** Name of the file */
  job_info: string
  status: 'queued' | 'in-progress' | 'finished' | 'failed'
  user: string
  start_time: string | null
  end_time: string | null
  /** Records of the file that were processed */
  completed_jobs: number
}

export type LikeCase = {
  id: string
  /** The decision that is offered */
  verdict: 'same' | 'different'
  /**
   * `titles`: the same two titles; `authors`: one title by the same two authors; `pattern`: the
   * same author and the same reason
   */
  likeness: 'titles' | 'authors' | 'pattern'
  /** Reason to compare the two, as a code; for a pattern */
  reason: string | null
  explanation: string
  /** Whether the two are one work at present */
  are_joined: boolean
  one: QuestionSide
  other: QuestionSide
  /** The decision that the case is like, with the titles of its two records */
  decided: {
    one: string
    other: string
    made_by: 'review' | 'merge' | 'split'
    /** The person; null for a merge */
    by: string | null
    /** Time of the decision; null for a merge */
    at: string | null
  }
}

export type LikeCases = {
  cases: LikeCase[]
}

export type ManyEntities = {
  entities: (Entity | WriteReceipt)[]
  /** Always empty: an error refuses the whole request */
  errors: unknown[]
}

export type MappingProposal = {
  /**
   * The kind of rows, judged by the names of columns: publications, other records, entities of this
   * catalogue; `other` is no table
   */
  subject: 'publications' | 'records' | 'unclear' | 'entities' | 'other'
  columns: {
    /** Name of a column, or path to a value in JSON */
    name: string
    example: string
    /** Type and field that it fills; empty for none */
    meaning: string
  }[]
  /** A mapping of rows for `POST /imports`; null if no record can be made */
  mapping: { [key: string]: unknown } | null
}

export type Me = {
  /** Name in the audit of writes by this token */
  name: string
  /** May administer tokens and webhooks */
  is_admin: boolean
}

/** A new media file, as an entity or with its fields beside `metadata`; the bytes are sent later */
export type MediafileInput = {
  filename?: string
  mediafile_type?: 'posters' | 'scene_images' | 'trailer' | 'review' | 'rider' | 'framing' | 'music_fragments' | 'social_media' | 'poster'
  /** Any JSON value */
  metadata?: unknown
  /** Any JSON value */
  relations?: unknown
  [key: string]: unknown
}

export type MergeInput = {
  /** Any identifier of the entity that is merged into the survivor */
  victim_id: string
  /** The metadata of the survivor afterwards; its own by default */
  metadata?: unknown[]
  relations?: Relation[]
  /**
   * `both` adds the values of the victim for which the survivor has room: fields and relations that
   * it lacks, and more values of those that may have several
   */
  keep?: string
}

export type MergeOutcome = {
  survivor_id: string
  victim_id: string
  repointed_references: number
  /** With `keep`: what the survivor gains from the victim, and what of the victim is dropped */
  gained?: {
    metadata: MetadataEntry[]
    relations: Relation[]
  }
  /** With `keep`: what the survivor gains from the victim, and what of the victim is dropped */
  dropped?: {
    metadata: MetadataEntry[]
    relations: Relation[]
  }
}

export type MetadataEntry = {
  key: string
  /** Any JSON value */
  value: unknown
  lang?: string
  [key: string]: unknown
}

export type NewToken = {
  id: string
  name: string
  scopes: string[]
  created_at: string
  created_by: string
  expires_at: string | null
  /** Shown only in this answer; the service stores a hash */
  token: string
}

export type Option = {
  label: string
  value: string
}

export type Origin = {
  import_id: string
  record: string
  form: string
  links: {
    work_id: string
    expression_id: string
    /** The manifestation whose record it was joined with; null for the first of a work */
    joined_to: string | null
    /** Reason, as a code */
    reason: string | null
    /** Reason, as a sentence */
    explanation: string | null
    /** 0 to 1 */
    confidence: number | null
    /** Whether the link needs no review */
    is_sure: boolean | null
  }[]
  /** Decisions of people about this record and another */
  decisions: {
    level: 'work' | 'expression'
    /** Whether the two are the same work or expression */
    verdict: 'same' | 'different'
    /** The manifestation of the other record */
    other_id: string
    made_by: 'review' | 'merge' | 'split'
    /** The person; null for a merge */
    by: string | null
    /** Time of the decision; null for a merge */
    at: string | null
  }[]
}

export type Part = {
  id: string
  /** Its number in the whole, as text */
  number?: string
  type: keyof RecordFields & string
  metadata: { [key: string]: WemMetadata }
  relations: { [key: string]: ResolvedRelation }
}

export type PartList = {
  results: Part[]
  /** Number of parts */
  count: number
  skip: number
  limit: number
  next?: string
}

export type PreviewLine = {
  number: number
  record: string
  title: string
  outcome: string
  works: {
    title: string
    is_new: boolean
    /** Reason for joining other records */
    explanation: string | null
    /** Reason, as a code */
    reason?: string
    /** 0 to 1 */
    confidence: number | null
  }[]
  /** The records of a row, for a file with a mapping of rows; each at its first row */
  records?: {
    type: string
    title: string
    outcome: 'created' | 'updated' | 'unchanged' | 'refused'
    metadata: {
      key: string
      value: unknown
      lang?: string
    }[]
    relations: {
      type: string
      /** Name of the related record, or its id */
      name: string
    }[]
  }[]
}

/** RFC 9457 */
export type Problem = {
  /** Path of a page that explains the problem */
  type: string
  title: string
  status: number
  detail: string
  instance?: string
  /** Stable, unlike the wording. `examples` lists the current codes; more may be added */
  code: 'invalid' | 'description_too_long' | 'invalid_filter' | 'unknown_filter_type' | 'bad_request' | 'malformed_json' | 'unauthenticated' | 'sign_in_failed' | 'forbidden' | 'not_found' | 'incomplete_wem' | 'several_matches' | 'no_such_path' | 'method_not_allowed' | 'not_acceptable' | 'request_timeout' | 'identifier_taken' | 'still_referenced' | 'patch_not_applicable' | 'cursor_expired' | 'key_reused' | 'version_mismatch' | 'offset_mismatch' | 'checksum_mismatch' | 'media_too_large' | 'body_too_large' | 'uri_too_long' | 'unsupported_media_type' | 'range_not_satisfiable' | 'unsupported_tus_version' | 'rate_limited' | 'too_many_imports' | 'headers_too_large' | 'internal' | 'query_timeout' | 'unavailable' | 'storage_full' | (string & {})
  errors?: Fault[]
  /** `<CODE> | var:value - text`, for clients that parse it */
  message: string
  [key: string]: unknown
}

export type QuestionSide = {
  manifestation_id: string
  /** Name of the record: `(agency)number` */
  record: string
  title: string
  creators: string[]
  languages: string[]
  work_id: string
  expression_id: string
}

export type Readiness = {
  id: string
  state: 'ready' | 'incomplete' | 'contradictory'
  categories: {
    category: 'posters' | 'scene_images' | 'trailer' | 'review' | 'rider' | 'framing' | 'music_fragments' | 'social_media'
    declared: 'status_to_be_determined' | 'not_applicable' | 'follows_later' | 'partially' | 'complete'
    /** Number of files */
    files: number
    /** Whether the declared status matches the files */
    agrees: boolean
    /** Whether the category is complete */
    done: boolean
  }[]
  publishable: boolean
  /** Reasons why it cannot be published */
  missing: string[]
  /** Keys of the fields that are missing for it */
  missing_fields: string[]
  /** The rules of the model for records that are published */
  rules: {
    name: string
    /** The name for people, by language */
    label?: { [key: string]: unknown }
    /** The day at which it is due: `2026-11-14` */
    due?: string
    /** Whether the record meets the rule */
    met: boolean
  }[]
  /** The last time that it became public; absent for never */
  published?: {
    /** The version that was current then */
    version: number
    at: string
    /** Differences between that version and the current one */
    changes: Difference[]
  }
}

export type Recent = {
  results: RecentChange[]
}

export type RecentChange = {
  /** The latest of the changes */
  at: string
  by: string
  /** The id of the import that made the changes */
  import?: string
  /** The type of the records, or its umbrella; absent for imports, which have many */
  kind?: string
  /** Whether the records were created, not changed */
  created: boolean
  /** The number of records that were read */
  count: number
  /** Whether there may be more than `count` */
  more: boolean
  /** The latest of the records, at most 3 */
  records: {
    id: string
    type: string
    /** The name, in each of its languages */
    metadata: MetadataEntry[]
  }[]
}

export type RecordTemplate = {
  name: string
  /** Fields, one on each line: `245 10 $a :$b /$c`. `#` stands for a blank */
  lines: string
}

export type RecordTypeRow = {
  type: string
  /** The name for people, if `lang` or `Accept-Language` asks for a known language */
  label?: string
  /** Name of the group of types it belongs to */
  umbrella?: string
  id_prefix: string
  description: string
  /** The field with the name of a record */
  name_field: string
  /** The relation to the broader record, in a hierarchy */
  climbs_by?: string
  /** The relation to the record that one of this type belongs to */
  part_of?: string
  fields: FieldRow[]
  relations: RelationRow[]
  /**
   * Relations to media files, which records of every type may have; empty for tokens that do not
   * see media files
   */
  media_relations: RelationRow[]
  /** Permissions of the token for records of this type */
  may: ('read' | 'write' | 'delete')[]
}

export type RecordTypes = {
  record_types: RecordTypeRow[]
  /** Time zone of times at places whose own zone is not known */
  time_zone: string
}

export type References = {
  count: number
  /** Number of references by relation type */
  count_by_relation: { [key: string]: number }
  results: {
    id: string
    type: string
    relation: string
  }[]
  skip: number
  limit: number
  next?: string
}

export type Relation = {
  /** Id of the related entity */
  key: string
  /** Relation type, such as `refVenues` */
  type: string
  /** Metadata of this relation */
  metadata?: MetadataEntry[]
  [key: string]: unknown
}

export type RelationRow = {
  /** The relation type */
  type: string
  /** The name for people, if `lang` or `Accept-Language` asks for a known language */
  label?: string
  /** Types of its targets; umbrellas are expanded to their subtypes */
  to: string[]
  min?: number
  max?: number
  /** The record is a part of the target; `number` of the relation orders the parts */
  is_part?: boolean
  /** Keys of the metadata of the relation itself, such as `role` */
  details?: string[]
  facet?: FacetRow
}

export type ResolvedRelation = {
  /** Relation type */
  type: string
  /** Type of the related entity; `nomen` for a subject, `missing` when it does not exist */
  label: string
  /** All relation types, if there are several */
  types?: string[]
  /** Metadata of the relation, such as a role */
  metadata?: MetadataEntry[]
  /** Metadata of each relation type, if there are several */
  roles?: { [key: string]: MetadataEntry[] }
  [key: string]: unknown
}

export type RevertInput = {
  /** The version to restore */
  version: number
}

export type Review = {
  questions: ReviewQuestion[]
  /** A relative URL for the rest; null at the end */
  next: string | null
}

export type ReviewQuestion = {
  id: string
  level: 'work' | 'expression'
  /** State until the question is answered */
  are_joined: boolean
  confidence: number
  /** Number of records whose work or expression depends on the answer; the largest come first */
  settles: number
  reason: string
  explanation: string
  one: QuestionSide
  other: QuestionSide
  /** The answer, for an answered question */
  settled?: {
    verdict: 'same' | 'different'
    by: string
    at: string
  }
}

export type SavedSearch = {
  id: string
  _id: string
  _key: string
  type: string
  /** The name of its owner, as in `audit` */
  user: string
  /** Whether the token of the request is its owner */
  is_own: boolean
  /** Whether only its owner may read it */
  private: boolean
  /** Its name, with the key `title` */
  metadata: {
    key: string
    value: string
    lang?: string | null
  }[]
  /** Filters for `POST /entities/filter`. Those of an address follow from it */
  definition: { [key: string]: unknown }[]
  /** The address of the search: `/find?q=hamlet` */
  address?: string
  /** The address of its feed, where visitors may read */
  feed?: string
  date_created: string
  date_updated: string
}

export type SavedSearchDraft = {
  /** Ignored */
  type?: string
  /** Whether only its owner may read it */
  private?: boolean
  /** Its name, with the key `title` */
  metadata?: {
    key: string
    value: string
    lang?: string | null
  }[]
  /** Filters for `POST /entities/filter`. Those of an address follow from it */
  definition?: { [key: string]: unknown }[]
  /** The address of the search: `/find?q=hamlet` */
  address?: string
}

export type SavedSearchList = {
  count: number
  skip: number
  limit: number
  results: SavedSearch[]
}

export type SignInAddress = {
  /** Address to open in the browser */
  address?: string
}

export type SignInEnd = {
  /** One of `GET /sign-in/issuers` */
  issuer: string
  /** Address that the issuer returns the browser to */
  redirect_uri: string
  /** Is revoked */
  refresh_token?: string
  /** Identifies the session to the issuer */
  id_token?: string
}

export type SignInIssuers = {
  issuers: {
    issuer: string
    /** Name for people */
    name: string
  }[]
}

export type SignInRefresh = {
  /** One of `GET /sign-in/issuers` */
  issuer: string
  /** The last refresh token received */
  refresh_token: string
}

export type SignInReturn = {
  /** One of `GET /sign-in/issuers` */
  issuer: string
  /** Address that the issuer returns the browser to */
  redirect_uri: string
  /** Query of the address that the browser returned to */
  query: string
  /** Returned in the address */
  state: string
  /** Returned in the ID token */
  nonce: string
  code_verifier: string
}

export type SignInStart = {
  /** One of `GET /sign-in/issuers` */
  issuer: string
  /** Address that the issuer returns the browser to */
  redirect_uri: string
  /** Returned in the address */
  state: string
  /** Returned in the ID token */
  nonce: string
  /** S256 of the verifier (RFC 7636) */
  code_challenge: string
}

export type SignedIn = {
  /** The bearer */
  access_token: string
  /** Seconds */
  expires_in: number
  refresh_token?: string
  id_token?: string
  /** Name of the person at the issuer */
  name?: string
}

export type SiteSettings = {
  /** `database` if an administrator stored the settings; `file` if those of `SITE` hold */
  source: 'database' | 'file'
  /** The `ETag`, without quotes */
  version: string
  /**
   * The members of the file that `SITE` names: name, description, logo, colours, typefaces,
   * contact, navigation, links, languages, start, catalogues, templates. Files are `data:`
   * addresses
   */
  settings: { [key: string]: unknown }
  /** Public catalogues, for `settings.catalogues` */
  presets: { [key: string]: unknown }[]
  /** The blocks that `settings.start` may name, each with the members that it may have */
  blocks: { [key: string]: string[] }
  /** The members `start`, and of a `catalogue`, where none are given */
  usual: { [key: string]: unknown }
}

export type SourceRecord = {
  leader: string
  /** A member for each field, by its tag: a text, or `ind1`, `ind2` and `subfields` */
  fields: unknown[]
}

export type SplitInput = {
  /** A manifestation of the same work; without it, all others of the work */
  from?: string
}

export type Suggestions = {
  suggestions: {
    id: string
    type: string
    label: string
    type_label?: string
  }[]
}

export type Summary = {
  /** Number of editions of a work */
  editions?: number
  /** The first and the last year of the editions; one if they are the same */
  years?: string[]
  /** The newest editions, at most 10 */
  newest?: Entity[]
  next_performance?: Entity
  premiere?: Entity
  last_night?: Entity
}

export type TicketInput = {
  /** The media file of the ticket */
  mediafile_id?: string
  /** Alternatively: the filename of the media file, for uploads */
  filename?: string
  /** Alternatively: the venue, company, production or season of a calendar */
  entity_id?: string
  action?: 'download' | 'upload' | 'calendar'
  /** Validity in seconds: at most 86400, by default 300; for a calendar 34560000 */
  expires_in?: number
  [key: string]: unknown
}

export type Token = {
  id: string
  name: string
  scopes: string[]
  created_at: string
  created_by: string
  expires_at: string | null
}

export type TokenInput = {
  name: string
  /** read, write, delete, admin; each alone or narrowed to a type, as in `read:manifestation` */
  scopes: string[]
  /** ISO 8601; a token without it does not expire */
  expires_at?: string
}

export type Tree = {
  work: TreeWork
  expressions: TreeExpression[]
  /** Number of manifestations */
  count: number
  skip: number
  limit: number
  next?: string
}

export type TreeExpression = {
  id: string
  type: keyof RecordFields & string
  metadata: { [key: string]: WemMetadata }
  relations: { [key: string]: ResolvedRelation }
  manifestations: TreeManifestation[]
}

export type TreeManifestation = {
  id: string
  type: keyof RecordFields & string
  metadata: { [key: string]: WemMetadata }
  relations: { [key: string]: ResolvedRelation }
  /** With `items=1`: the copies that libraries hold */
  items?: WemItem[]
}

export type TreeWork = {
  id: string
  type: keyof RecordFields & string
  metadata: { [key: string]: WemMetadata }
  relations: { [key: string]: ResolvedRelation }
}

export type UnmergeInput = {
  /** The merge to undo, where there were several; by default the newest */
  victim_id?: string
}

export type UnmergeOutcome = {
  survivor_id: string
  victim_id: string
  restored_references: number
  /** Relations that were not restored: their targets do not exist any more */
  warnings?: Fault[]
}

export type Webhook = {
  id: string
  /**
   * An http or https address. Private, local and reserved addresses are refused, also when a host
   * name resolves to them
   */
  url: string
  /** For people */
  description: string
  /**
   * Events to send: entity.created, entity.updated, entity.deleted, entity.merged, entity.purged;
   * all when empty
   */
  event_types: ('entity.created' | 'entity.updated' | 'entity.deleted' | 'entity.merged' | 'entity.purged')[]
  /** Entity types; an umbrella such as `work` includes its subtypes; all types when empty */
  entity_types: string[]
  /**
   * `parked`: the last retry failed; `disabled`: the receiver answered 410. `resume` makes it
   * active again
   */
  state: 'active' | 'paused' | 'parked' | 'disabled'
  /** The last change of the feed that was sent or did not match */
  cursor: string
  /** Failed attempts for the next change */
  attempts: number
  /** Time of the first of the current failures */
  failing_since: string | null
  /** Time of the next attempt */
  next_attempt_at: string | null
  /** Until this time deliveries are also signed with the previous secret */
  previous_secret_until: string | null
  created_at: string
  created_by: string
}

export type WebhookInput = {
  /**
   * An http or https address. Private, local and reserved addresses are refused, also when a host
   * name resolves to them
   */
  url: string
  /** For people */
  description?: string
  /**
   * Events to send: entity.created, entity.updated, entity.deleted, entity.merged, entity.purged;
   * all when empty
   */
  event_types?: string[]
  /** Entity types; an umbrella such as `work` includes its subtypes; all types when empty */
  entity_types?: string[]
  /**
   * Start of the deliveries: `now`, `beginning`, or a cursor of the change feed; `now` by default
   */
  from?: string
}

export type WebhookPatch = {
  /**
   * An http or https address. Private, local and reserved addresses are refused, also when a host
   * name resolves to them
   */
  url?: string
  /** For people */
  description?: string
  /**
   * Events to send: entity.created, entity.updated, entity.deleted, entity.merged, entity.purged;
   * all when empty
   */
  event_types?: string[]
  /** Entity types; an umbrella such as `work` includes its subtypes; all types when empty */
  entity_types?: string[]
  /** `active` is the same as `resume` */
  state?: 'active' | 'paused'
}

export type WebhookWithSecret = {
  id: string
  /**
   * An http or https address. Private, local and reserved addresses are refused, also when a host
   * name resolves to them
   */
  url: string
  /** For people */
  description: string
  /**
   * Events to send: entity.created, entity.updated, entity.deleted, entity.merged, entity.purged;
   * all when empty
   */
  event_types: ('entity.created' | 'entity.updated' | 'entity.deleted' | 'entity.merged' | 'entity.purged')[]
  /** Entity types; an umbrella such as `work` includes its subtypes; all types when empty */
  entity_types: string[]
  /**
   * `parked`: the last retry failed; `disabled`: the receiver answered 410. `resume` makes it
   * active again
   */
  state: 'active' | 'paused' | 'parked' | 'disabled'
  /** The last change of the feed that was sent or did not match */
  cursor: string
  /** Failed attempts for the next change */
  attempts: number
  /** Time of the first of the current failures */
  failing_since: string | null
  /** Time of the next attempt */
  next_attempt_at: string | null
  /** Until this time deliveries are also signed with the previous secret */
  previous_secret_until: string | null
  created_at: string
  created_by: string
  /** Verifies the signatures (Standard Webhooks). Shown only in this answer */
  secret: string
}

export type Wem = {
  work: WemLevel
  expression: WemLevel
  manifestation: WemLevel
  /** With `items=1`: the copies that libraries hold */
  items?: WemItem[]
}

export type WemBatchAnswer = {
  results: {
    id: string
    wem?: Wem
    problem?: Problem
  }[]
}

export type WemItem = {
  id: string
  type: keyof RecordFields & string
  metadata: { [key: string]: WemMetadata }
  relations: { [key: string]: ResolvedRelation }
}

export type WemLevel = {
  type: keyof RecordFields & string
  metadata: { [key: string]: WemMetadata }
  relations: { [key: string]: ResolvedRelation }
}

export type WemMetadata = {
  /** Any JSON value */
  value: unknown
  lang?: string
  values?: unknown[]
  langs?: (string | null)[]
}

/** The answer with `group_by=work` */
export type WorkPage = {
  /** Exact number of entries */
  count: number
  results: WorkResult[]
  skip: number
  limit: number
  /** Relative URL of the next page, if there is one */
  next?: string
  /** Relative URL of the previous page, if there is one */
  previous?: string
  /** The values of each requested path, the most frequent first */
  facets?: { [key: string]: {
    value: string
    /** The name of the related entity */
    label?: string
    /** Exact number of matches with the value */
    count: number
  }[] }
  /** Names in the filters that no record has, and an ISBN with a mistake */
  warnings?: Fault[]
  /** Other searches, if a search found nothing */
  instead?: InsteadOffer[]
  /** The matching passages of each result, by its id */
  highlights?: { [key: string]: {
    /** The metadata key, or the type of the relation */
    key: string
    /** The related entity, where the passage is its name */
    id?: string
    parts: {
      text: string
      hit?: boolean
    }[]
  }[] }
  /**
   * With `include=summary`: facts of works and productions that are in other records, by their ids
   */
  summaries?: { [key: string]: Summary }
  /** Exact number of matching records */
  count_records: number
}

export type WorkResult = {
  /** The work of the matches */
  work?: Entity
  /** The record that matches or that the matches are part of, if it is not a work */
  record?: Entity
  /** Its best matching expression, if any matches */
  expression?: Entity
  /** Its best matching manifestation, if any matches */
  manifestation?: Entity
  /** Its best matching performance or media file */
  part?: Entity
  /** Whether the work or the record itself matches */
  is_match: boolean
  /** Number of matching records of each level */
  matching: {
    expressions: number
    manifestations: number
    /** Performances and media files */
    parts: number
  }
  /** Languages of all expressions of the work, the most frequent first */
  languages: {
    id: string
    label?: string
  }[]
}

/** The answer for tokens that may write the type but not read it */
export type WriteReceipt = {
  /** Human-readable id with a type prefix */
  id: string
  version: number
  warnings?: Fault[]
}

export type WrittenEntity = {
  /** Human-readable id with a type prefix */
  id: string
  _id: string
  /** The same as `id` */
  _key: string
  type: keyof RecordFields & string
  version: number
  metadata: MetadataEntry[]
  relations: Relation[]
  identifiers: string[]
  audit: {
    created: AuditStamp
    updated: AuditStamp
  }
  /** Values that were changed or look wrong, but were accepted, and records that may be the same */
  warnings?: Fault[]
  /** For a body in MARC: the records that it changes, such as the work and its authors */
  records?: EditedRecord[]
}

/** The metadata keys of each record type, with the type of their values. */
export interface RecordFields {
  booking_agency: {
    name: string
    website: string
    email: string
    phone: string
    city: string
    country: string
  }
  code_wording: {
    code: string
    wording: string
    code_wording_type: string
  }
  company: {
    name: string
    website: string
    email: string
    phone: string
    city: string
    country: string
  }
  corporation: {
    name: string
    non_preferred_name: string
    name_kind: 'meeting'
    scheme: string
    note: string
    source: string
    link: string
    biography: string
    active_dates: string
    field_of_activity: string
  }
  easy_reading: {
    title: string
    content_type: string
    year: string | number
  }
  expression_computer_file: {
    title: string
    content_type: string
    year: string | number
  }
  expression_footage: {
    title: string
    content_type: string
    year: string | number
  }
  expression_map: {
    title: string
    content_type: string
    year: string | number
  }
  expression_mixed_material: {
    title: string
    content_type: string
    year: string | number
  }
  expression_music: {
    title: string
    content_type: string
    year: string | number
  }
  expression_serial: {
    title: string
    content_type: string
    year: string | number
  }
  expression_word: {
    title: string
    content_type: string
    year: string | number
  }
  genre: {
    name: string
    non_preferred_name: string
    scheme: string
    note: string
    source: string
    link: string
    same_as: string
    scope_note: string
  }
  hall: {
    name: string
    capacity: number
    accessibility: 'wheelchair' | 'hearing_loop' | 'assistance_dogs' | 'sign_language' | 'audio_description' | 'captions' | 'touch_tour' | 'relaxed'
  }
  item: {
    shelf_mark: string
    barcode: string
    location: string
    volume: string
    status: string
    note: string
    link: string
    licence: string
  }
  language: {
    name: string
    code: string
  }
  library: {
    name: string
    code: string
    non_preferred_name: string
    address: string
    postal_code: string
    city: string
    country: string
    website: string
    email: string
    phone: string
  }
  listening: {
    title: string
    content_type: string
    year: string | number
  }
  manifestation_computer_file: {
    title: string
    subtitle: string
    isbn: string
    issn: string
    isbn_qualifier: string
    ean: string
    year_of_publication: string | number
    publication_date: string
    copyright_date: string
    distribution: string
    edition: string
    extent: string
    material_type: string
    media_type: string
    series_statement: string
    responsibility: string
    is_omnibus: boolean
    summary: string
    contents: string
    note: string
    award: string
    cover_link: string
    performers: string
    credits: string
    thesis: string
    duration: number
    link: string
    access: string
    dewey: string
    lcc: string
    udc: string
    terms_of_availability: string
    lccn: string
    publisher_number: string
    cancelled_isbn: string
    cancelled_issn: string
    host: string
    preceding_title: string
    succeeding_title: string
    parallel_title: string
    frequency: string
    numbering: string
    other_version: string
    provenance: string
    technical_details: string
    classification: string
    other_number: string
    other_title: string
  }
  manifestation_footage: {
    title: string
    subtitle: string
    isbn: string
    issn: string
    isbn_qualifier: string
    ean: string
    year_of_publication: string | number
    publication_date: string
    copyright_date: string
    distribution: string
    edition: string
    extent: string
    material_type: string
    media_type: string
    series_statement: string
    responsibility: string
    is_omnibus: boolean
    summary: string
    contents: string
    note: string
    award: string
    cover_link: string
    performers: string
    credits: string
    thesis: string
    duration: number
    link: string
    access: string
    dewey: string
    lcc: string
    udc: string
    terms_of_availability: string
    lccn: string
    publisher_number: string
    cancelled_isbn: string
    cancelled_issn: string
    host: string
    preceding_title: string
    succeeding_title: string
    parallel_title: string
    frequency: string
    numbering: string
    other_version: string
    provenance: string
    technical_details: string
    classification: string
    other_number: string
    other_title: string
  }
  manifestation_map: {
    title: string
    subtitle: string
    isbn: string
    issn: string
    isbn_qualifier: string
    ean: string
    year_of_publication: string | number
    publication_date: string
    copyright_date: string
    distribution: string
    edition: string
    extent: string
    material_type: string
    media_type: string
    series_statement: string
    responsibility: string
    is_omnibus: boolean
    summary: string
    contents: string
    note: string
    award: string
    cover_link: string
    performers: string
    credits: string
    thesis: string
    duration: number
    link: string
    access: string
    dewey: string
    lcc: string
    udc: string
    terms_of_availability: string
    lccn: string
    publisher_number: string
    cancelled_isbn: string
    cancelled_issn: string
    host: string
    preceding_title: string
    succeeding_title: string
    parallel_title: string
    frequency: string
    numbering: string
    other_version: string
    provenance: string
    technical_details: string
    classification: string
    other_number: string
    other_title: string
  }
  manifestation_mixed_material: {
    title: string
    subtitle: string
    isbn: string
    issn: string
    isbn_qualifier: string
    ean: string
    year_of_publication: string | number
    publication_date: string
    copyright_date: string
    distribution: string
    edition: string
    extent: string
    material_type: string
    media_type: string
    series_statement: string
    responsibility: string
    is_omnibus: boolean
    summary: string
    contents: string
    note: string
    award: string
    cover_link: string
    performers: string
    credits: string
    thesis: string
    duration: number
    link: string
    access: string
    dewey: string
    lcc: string
    udc: string
    terms_of_availability: string
    lccn: string
    publisher_number: string
    cancelled_isbn: string
    cancelled_issn: string
    host: string
    preceding_title: string
    succeeding_title: string
    parallel_title: string
    frequency: string
    numbering: string
    other_version: string
    provenance: string
    technical_details: string
    classification: string
    other_number: string
    other_title: string
  }
  manifestation_music: {
    title: string
    subtitle: string
    isbn: string
    issn: string
    isbn_qualifier: string
    ean: string
    year_of_publication: string | number
    publication_date: string
    copyright_date: string
    distribution: string
    edition: string
    extent: string
    material_type: string
    media_type: string
    series_statement: string
    responsibility: string
    is_omnibus: boolean
    summary: string
    contents: string
    note: string
    award: string
    cover_link: string
    performers: string
    credits: string
    thesis: string
    duration: number
    link: string
    access: string
    dewey: string
    lcc: string
    udc: string
    terms_of_availability: string
    lccn: string
    publisher_number: string
    cancelled_isbn: string
    cancelled_issn: string
    host: string
    preceding_title: string
    succeeding_title: string
    parallel_title: string
    frequency: string
    numbering: string
    other_version: string
    provenance: string
    technical_details: string
    classification: string
    other_number: string
    other_title: string
  }
  manifestation_serial: {
    title: string
    subtitle: string
    isbn: string
    issn: string
    isbn_qualifier: string
    ean: string
    year_of_publication: string | number
    publication_date: string
    copyright_date: string
    distribution: string
    edition: string
    extent: string
    material_type: string
    media_type: string
    series_statement: string
    responsibility: string
    is_omnibus: boolean
    summary: string
    contents: string
    note: string
    award: string
    cover_link: string
    performers: string
    credits: string
    thesis: string
    duration: number
    link: string
    access: string
    dewey: string
    lcc: string
    udc: string
    terms_of_availability: string
    lccn: string
    publisher_number: string
    cancelled_isbn: string
    cancelled_issn: string
    host: string
    preceding_title: string
    succeeding_title: string
    parallel_title: string
    frequency: string
    numbering: string
    other_version: string
    provenance: string
    technical_details: string
    classification: string
    other_number: string
    other_title: string
  }
  manifestation_word: {
    title: string
    subtitle: string
    isbn: string
    issn: string
    isbn_qualifier: string
    ean: string
    year_of_publication: string | number
    publication_date: string
    copyright_date: string
    distribution: string
    edition: string
    extent: string
    material_type: string
    media_type: string
    series_statement: string
    responsibility: string
    is_omnibus: boolean
    summary: string
    contents: string
    note: string
    award: string
    cover_link: string
    performers: string
    credits: string
    thesis: string
    duration: number
    link: string
    access: string
    dewey: string
    lcc: string
    udc: string
    terms_of_availability: string
    lccn: string
    publisher_number: string
    cancelled_isbn: string
    cancelled_issn: string
    host: string
    preceding_title: string
    succeeding_title: string
    parallel_title: string
    frequency: string
    numbering: string
    other_version: string
    provenance: string
    technical_details: string
    classification: string
    other_number: string
    other_title: string
  }
  mediafile: {
    mediafile_type: 'posters' | 'scene_images' | 'trailer' | 'review' | 'rider' | 'framing' | 'music_fragments' | 'social_media'
    title: string
    description: string
    alt_text: string
    credit: string
    copyright: string
    focus_x: number
    focus_y: number
    filename: string
    mimetype: string
    size: number
    sha256: string
    width: number
    height: number
    external_url: string
  }
  orienting: {
    title: string
    content_type: string
    year: string | number
  }
  performance: {
    start: string
    end: string
    doors: string
    interval: number
    event_type: 'performance' | 'introduction' | 'talk' | 'workshop' | 'open_rehearsal' | 'school_performance'
    status: 'scheduled' | 'cancelled' | 'postponed' | 'sold_out' | 'moved'
    status_reason: string
    former_start: string
    availability: 'on_sale' | 'few_left' | 'sold_out'
    on_sale_from: string
    price: string
    url: string
    attendance: 'on_site' | 'online' | 'mixed'
    accessibility: 'wheelchair' | 'hearing_loop' | 'assistance_dogs' | 'sign_language' | 'audio_description' | 'captions' | 'touch_tour' | 'relaxed'
  }
  person: {
    name: string
    non_preferred_name: string
    life_dates: string
    fuller_name: string
    name_kind: 'family'
    scheme: string
    note: string
    source: string
    link: string
    biography: string
    active_dates: string
    field_of_activity: string
    occupation: string
  }
  place: {
    name: string
    non_preferred_name: string
    scheme: string
    note: string
    source: string
    link: string
    same_as: string
    scope_note: string
  }
  playing: {
    title: string
    content_type: string
    year: string | number
  }
  production: {
    title: string
    subtitle: string
    description: string
    description_short: string
    credits: string
    status: 'concept' | 'published' | 'archived'
    publish_at: string
    withdraw_at: string
    duration: number
    interval: number
    premiere_date: string
    age_category: string
    price: string
    rights: string
    language_icon: string
    posters_status: 'status_to_be_determined' | 'not_applicable' | 'follows_later' | 'partially' | 'complete'
    scene_images_status: 'status_to_be_determined' | 'not_applicable' | 'follows_later' | 'partially' | 'complete'
    trailer_status: 'status_to_be_determined' | 'not_applicable' | 'follows_later' | 'partially' | 'complete'
    review_status: 'status_to_be_determined' | 'not_applicable' | 'follows_later' | 'partially' | 'complete'
    rider_status: 'status_to_be_determined' | 'not_applicable' | 'follows_later' | 'partially' | 'complete'
    framing_status: 'status_to_be_determined' | 'not_applicable' | 'follows_later' | 'partially' | 'complete'
    music_fragments_status: 'status_to_be_determined' | 'not_applicable' | 'follows_later' | 'partially' | 'complete'
    social_media_status: 'status_to_be_determined' | 'not_applicable' | 'follows_later' | 'partially' | 'complete'
  }
  publisher: {
    name: string
    non_preferred_name: string
  }
  reading: {
    title: string
    content_type: string
    year: string | number
  }
  season: {
    name: string
    start_date: string
    end_date: string
  }
  series: {
    name: string
    non_preferred_name: string
    issn: string
  }
  siso: {
    code: string
    land_or_language: string
  }
  subject: {
    name: string
    non_preferred_name: string
    scheme: string
    note: string
    source: string
    link: string
    same_as: string
    scope_note: string
  }
  subscription: {
    name: string
    description: string
    price: string
    on_sale_from: string
    url: string
  }
  target_audience: {
    name: string
    non_preferred_name: string
  }
  time: {
    name: string
    non_preferred_name: string
    scheme: string
    note: string
    source: string
    link: string
    same_as: string
    scope_note: string
  }
  title: {
    title: string
    subtitle: string
    non_preferred_name: string
    scheme: string
    note: string
    source: string
    link: string
    same_as: string
    scope_note: string
  }
  tour: {
    name: string
    description: string
    start_date: string
    end_date: string
    url: string
  }
  venue: {
    name: string
    address: string
    postal_code: string
    city: string
    country: string
    latitude: number
    longitude: number
    time_zone: string
    capacity: number
    accessibility: 'wheelchair' | 'hearing_loop' | 'assistance_dogs' | 'sign_language' | 'audio_description' | 'captions' | 'touch_tour' | 'relaxed'
    website: string
    email: string
    phone: string
  }
  watching: {
    title: string
    content_type: string
    year: string | number
  }
  work_computer_file: {
    title: string
    original_title: string
    literary_type: string
    reading_level: string
    year: string | number
    geographic_area: string
    scale: string
    coordinates: string
    work_number: string
    medium: string
  }
  work_footage: {
    title: string
    original_title: string
    literary_type: string
    reading_level: string
    year: string | number
    geographic_area: string
    scale: string
    coordinates: string
    work_number: string
    medium: string
  }
  work_map: {
    title: string
    original_title: string
    literary_type: string
    reading_level: string
    year: string | number
    geographic_area: string
    scale: string
    coordinates: string
    work_number: string
    medium: string
  }
  work_mixed_material: {
    title: string
    original_title: string
    literary_type: string
    reading_level: string
    year: string | number
    geographic_area: string
    scale: string
    coordinates: string
    work_number: string
    medium: string
  }
  work_music: {
    title: string
    original_title: string
    literary_type: string
    reading_level: string
    year: string | number
    geographic_area: string
    scale: string
    coordinates: string
    work_number: string
    medium: string
  }
  work_serial: {
    title: string
    original_title: string
    literary_type: string
    reading_level: string
    year: string | number
    geographic_area: string
    scale: string
    coordinates: string
    work_number: string
    medium: string
  }
  work_word: {
    title: string
    original_title: string
    literary_type: string
    reading_level: string
    year: string | number
    geographic_area: string
    scale: string
    coordinates: string
    work_number: string
    medium: string
  }
  zizo: {
    code: string[]
    title: string
    level: string
  }
}

/** The relation types of each record type. */
export interface RecordRelations {
  booking_agency: never
  code_wording: never
  company: never
  corporation: 'refMemberOf' | 'refEarlier' | 'refRelated' | 'refPlaces' | 'refLanguages'
  easy_reading: 'refWork' | 'refLanguages' | 'refAuthors' | 'refCodeWordings' | 'refTargetAudiences'
  expression_computer_file: 'refWork' | 'refLanguages' | 'refAuthors' | 'refCodeWordings' | 'refTargetAudiences'
  expression_footage: 'refWork' | 'refLanguages' | 'refAuthors' | 'refCodeWordings' | 'refTargetAudiences'
  expression_map: 'refWork' | 'refLanguages' | 'refAuthors' | 'refCodeWordings' | 'refTargetAudiences'
  expression_mixed_material: 'refWork' | 'refLanguages' | 'refAuthors' | 'refCodeWordings' | 'refTargetAudiences'
  expression_music: 'refWork' | 'refLanguages' | 'refAuthors' | 'refCodeWordings' | 'refTargetAudiences'
  expression_serial: 'refWork' | 'refLanguages' | 'refAuthors' | 'refCodeWordings' | 'refTargetAudiences'
  expression_word: 'refWork' | 'refLanguages' | 'refAuthors' | 'refCodeWordings' | 'refTargetAudiences'
  genre: 'refSameAs' | 'refBroader' | 'refEarlier' | 'refRelated'
  hall: 'refVenues'
  item: 'refManifestation' | 'refLibrary'
  language: never
  library: never
  listening: 'refWork' | 'refLanguages' | 'refAuthors' | 'refCodeWordings' | 'refTargetAudiences'
  manifestation_computer_file: 'refExpressions' | 'refPublishers' | 'refSeries' | 'refHost' | 'refPlaces' | 'refAuthors' | 'refLanguages' | 'refSisos' | 'refZizos' | 'refTargetAudiences' | 'refCodeWordings'
  manifestation_footage: 'refExpressions' | 'refPublishers' | 'refSeries' | 'refHost' | 'refPlaces' | 'refAuthors' | 'refLanguages' | 'refSisos' | 'refZizos' | 'refTargetAudiences' | 'refCodeWordings'
  manifestation_map: 'refExpressions' | 'refPublishers' | 'refSeries' | 'refHost' | 'refPlaces' | 'refAuthors' | 'refLanguages' | 'refSisos' | 'refZizos' | 'refTargetAudiences' | 'refCodeWordings'
  manifestation_mixed_material: 'refExpressions' | 'refPublishers' | 'refSeries' | 'refHost' | 'refPlaces' | 'refAuthors' | 'refLanguages' | 'refSisos' | 'refZizos' | 'refTargetAudiences' | 'refCodeWordings'
  manifestation_music: 'refExpressions' | 'refPublishers' | 'refSeries' | 'refHost' | 'refPlaces' | 'refAuthors' | 'refLanguages' | 'refSisos' | 'refZizos' | 'refTargetAudiences' | 'refCodeWordings'
  manifestation_serial: 'refExpressions' | 'refPublishers' | 'refSeries' | 'refHost' | 'refPlaces' | 'refAuthors' | 'refLanguages' | 'refSisos' | 'refZizos' | 'refTargetAudiences' | 'refCodeWordings'
  manifestation_word: 'refExpressions' | 'refPublishers' | 'refSeries' | 'refHost' | 'refPlaces' | 'refAuthors' | 'refLanguages' | 'refSisos' | 'refZizos' | 'refTargetAudiences' | 'refCodeWordings'
  mediafile: 'refProductions'
  orienting: 'refWork' | 'refLanguages' | 'refAuthors' | 'refCodeWordings' | 'refTargetAudiences'
  performance: 'refProduction' | 'refVenues' | 'refHalls' | 'refAuthors' | 'refSubscriptions' | 'refTours' | 'refLanguages' | 'refSurtitles'
  person: 'refPseudonymOf' | 'refMemberOf' | 'refEarlier' | 'refRelated' | 'refPlaces' | 'refLanguages'
  place: 'refSameAs' | 'refBroader' | 'refEarlier' | 'refRelated'
  playing: 'refWork' | 'refLanguages' | 'refAuthors' | 'refCodeWordings' | 'refTargetAudiences'
  production: 'refVenues' | 'refCompanies' | 'refCoproducers' | 'refSupporters' | 'refBookingAgency' | 'refGenres' | 'refSeasons' | 'refSubscriptions' | 'refTours' | 'refWorks' | 'refAuthors' | 'refLanguages' | 'refSurtitles'
  publisher: never
  reading: 'refWork' | 'refLanguages' | 'refAuthors' | 'refCodeWordings' | 'refTargetAudiences'
  season: never
  series: never
  siso: never
  subject: 'refSameAs' | 'refBroader' | 'refEarlier' | 'refRelated'
  subscription: 'refSeasons'
  target_audience: never
  time: 'refSameAs' | 'refBroader' | 'refEarlier' | 'refRelated'
  title: 'refSameAs' | 'refBroader' | 'refEarlier' | 'refRelated'
  tour: 'refCompanies' | 'refBookingAgency' | 'refSeasons'
  venue: never
  watching: 'refWork' | 'refLanguages' | 'refAuthors' | 'refCodeWordings' | 'refTargetAudiences'
  work_computer_file: 'refAuthors' | 'refSubjects' | 'refGenres' | 'refPlaces' | 'refTimes' | 'refZizos' | 'refSisos' | 'refTargetAudiences' | 'refUniformTitles' | 'refLanguages' | 'refParts' | 'refPrecededBy' | 'refSupplementTo' | 'refTranslationOf' | 'refBasedOn' | 'refRelatedWorks' | 'refCodeWordings'
  work_footage: 'refAuthors' | 'refSubjects' | 'refGenres' | 'refPlaces' | 'refTimes' | 'refZizos' | 'refSisos' | 'refTargetAudiences' | 'refUniformTitles' | 'refLanguages' | 'refParts' | 'refPrecededBy' | 'refSupplementTo' | 'refTranslationOf' | 'refBasedOn' | 'refRelatedWorks' | 'refCodeWordings'
  work_map: 'refAuthors' | 'refSubjects' | 'refGenres' | 'refPlaces' | 'refTimes' | 'refZizos' | 'refSisos' | 'refTargetAudiences' | 'refUniformTitles' | 'refLanguages' | 'refParts' | 'refPrecededBy' | 'refSupplementTo' | 'refTranslationOf' | 'refBasedOn' | 'refRelatedWorks' | 'refCodeWordings'
  work_mixed_material: 'refAuthors' | 'refSubjects' | 'refGenres' | 'refPlaces' | 'refTimes' | 'refZizos' | 'refSisos' | 'refTargetAudiences' | 'refUniformTitles' | 'refLanguages' | 'refParts' | 'refPrecededBy' | 'refSupplementTo' | 'refTranslationOf' | 'refBasedOn' | 'refRelatedWorks' | 'refCodeWordings'
  work_music: 'refAuthors' | 'refSubjects' | 'refGenres' | 'refPlaces' | 'refTimes' | 'refZizos' | 'refSisos' | 'refTargetAudiences' | 'refUniformTitles' | 'refLanguages' | 'refParts' | 'refPrecededBy' | 'refSupplementTo' | 'refTranslationOf' | 'refBasedOn' | 'refRelatedWorks' | 'refCodeWordings'
  work_serial: 'refAuthors' | 'refSubjects' | 'refGenres' | 'refPlaces' | 'refTimes' | 'refZizos' | 'refSisos' | 'refTargetAudiences' | 'refUniformTitles' | 'refLanguages' | 'refParts' | 'refPrecededBy' | 'refSupplementTo' | 'refTranslationOf' | 'refBasedOn' | 'refRelatedWorks' | 'refCodeWordings'
  work_word: 'refAuthors' | 'refSubjects' | 'refGenres' | 'refPlaces' | 'refTimes' | 'refZizos' | 'refSisos' | 'refTargetAudiences' | 'refUniformTitles' | 'refLanguages' | 'refParts' | 'refPrecededBy' | 'refSupplementTo' | 'refTranslationOf' | 'refBasedOn' | 'refRelatedWorks' | 'refCodeWordings'
  zizo: 'refParentZizo'
}

/** The groups of record types that have a name of their own. */
export interface RecordUmbrellas {
  expression: 'easy_reading' | 'expression_computer_file' | 'expression_footage' | 'expression_map' | 'expression_mixed_material' | 'expression_music' | 'expression_serial' | 'expression_word' | 'listening' | 'orienting' | 'playing' | 'reading' | 'watching'
  manifestation: 'manifestation_computer_file' | 'manifestation_footage' | 'manifestation_map' | 'manifestation_mixed_material' | 'manifestation_music' | 'manifestation_serial' | 'manifestation_word'
  work: 'work_computer_file' | 'work_footage' | 'work_map' | 'work_mixed_material' | 'work_music' | 'work_serial' | 'work_word'
}

/** Every path of the interface, by its method, with its input and output. */
export interface Operations {
  /** List entities */
  'GET /entities': {
    path: {}
    query: {
      /** A type, an umbrella such as `manifestation`, or a comma list */
      type?: string
      /** Comma list of identifiers */
      ids?: string
      /** Number of results to skip */
      skip?: number
      /** Maximum number of results; 0 returns only the count */
      limit?: number
      /**
       * Comma list of `date_created` (default), `date_updated`, `id`, `type`, `next_performance`,
       * or a metadata key. Records without the key are last
       */
      order_by?: string
      /** 1 ascending, 0 descending */
      asc?: 0 | 1
      /** Position of the page: part of `next` and `previous` in an answer */
      cursor?: string
      /** 1 answers an object with the count, as the filter does, instead of a plain array */
      envelope?: 0 | 1
      /**
       * Comma list of field paths, such as `type,properties.ref_genres.value`, whose values are
       * counted over all matches
       */
      facets?: string
      /** Maximum number of values of each facet */
      facet_limit?: number
      /**
       * `work` answers one entry for each work, with its best matching expression and
       * manifestation; `count` counts entries, `count_records` records
       */
      group_by?: 'work'
      /** With `group_by`: whether facets count entries (default) or records */
      facets_of?: 'groups' | 'records'
      /**
       * Comma list: with a `limit` of at most 200, `relations` resolves the relations of each
       * result, as `resolve=1` of one entity does; `summary` adds the editions of works, and the
       * next, first and last performances of productions; `local` adds the times of performances on
       * the clocks of their venues
       */
      include?: string
      /**
       * With resolved relations: comma list of metadata keys and relation types of the related
       * records, shown under `fields` of each relation
       */
      related_fields?: string
      /** Language of labels, such as `nl`; takes precedence over `Accept-Language` */
      lang?: string
      /**
       * For `Accept: text/csv`: comma list of columns; by default all fields and relations of the
       * types
       */
      columns?: string
    }
    body: undefined
    answer: Entity[] | EntityPage | WorkResult[] | WorkPage
  }
  /** Delete many entities, all or none */
  'DELETE /entities': {
    path: {}
    query: {
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
      /** Comma list of identifiers */
      ids?: string
      /** `detach` removes the relations that refer to the records */
      references?: 'detach'
      /** 1 also deletes the media files of these records that no other record has */
      delete_mediafiles?: 0 | 1
      /** Type of a relation: records that have one are not deleted */
      skip_items_with_relation?: string
      /** Has no effect */
      parent_job_id?: string
    }
    body: string[] | {
      ids: string[]
    }
    answer: DeletedEntities
  }
  /** Create an entity */
  'POST /entities': {
    path: {}
    query: {
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
      /** 1 allows relations to entities that do not exist (yet) */
      allow_dangling?: 0 | 1
    }
    body: EntityInput
    answer: WrittenEntity
  }
  /** Create or change many entities, all or none */
  'PUT /entities': {
    path: {}
    query: {
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
      /** 1 replaces existing entities instead of changing the sent parts */
      replace?: 0 | 1
    }
    body: (EntityInput | EntityPatch)[]
    answer: ManyEntities
  }
  /** Search entities */
  'POST /entities/filter': {
    path: {}
    query: {
      /** Number of results to skip */
      skip?: number
      /**
       * Maximum number of results; 0 returns only the count. At most 1000; requests for options of
       * a menu may exceed it and get at most 1000
       */
      limit?: number
      /**
       * Comma list of `date_created` (default), `date_updated`, `id`, `type`, `next_performance`,
       * or a metadata key. Records without the key are last
       */
      order_by?: string
      /** 1 ascending, 0 descending */
      asc?: 0 | 1
      /** Position of the page: part of `next` and `previous` in an answer */
      cursor?: string
      /**
       * Comma list of field paths, such as `type,properties.ref_genres.value`, whose values are
       * counted over all matches
       */
      facets?: string
      /** Maximum number of values of each facet */
      facet_limit?: number
      /**
       * `work` answers one entry for each work, with its best matching expression and
       * manifestation; `count` counts entries, `count_records` records
       */
      group_by?: 'work'
      /** With `group_by`: whether facets count entries (default) or records */
      facets_of?: 'groups' | 'records'
      /** 1 adds the matching passages of each result */
      highlight?: 0 | 1
      /**
       * Comma list: with a `limit` of at most 200, `relations` resolves the relations of each
       * result, as `resolve=1` of one entity does; `summary` adds the editions of works, and the
       * next, first and last performances of productions; `local` adds the times of performances on
       * the clocks of their venues
       */
      include?: string
      /**
       * With resolved relations: comma list of metadata keys and relation types of the related
       * records, shown under `fields` of each relation
       */
      related_fields?: string
      /** Language of labels, such as `nl`; takes precedence over `Accept-Language` */
      lang?: string
      /**
       * For `Accept: text/csv`: comma list of columns; by default all fields and relations of the
       * types
       */
      columns?: string
      /** 1 lists the versions of the one record that the filters select, newest first */
      history?: string
    }
    body: Filter[]
    answer: EntityPage | WorkPage | ClientPage
  }
  /** Search media files */
  'POST /mediafiles/filter': {
    path: {}
    query: {
      /** Number of results to skip */
      skip?: number
      /**
       * Maximum number of results; 0 returns only the count. At most 1000; requests for options of
       * a menu may exceed it and get at most 1000
       */
      limit?: number
      /**
       * Comma list of `date_created` (default), `date_updated`, `id`, `type`, `next_performance`,
       * or a metadata key. Records without the key are last
       */
      order_by?: string
      /** 1 ascending, 0 descending */
      asc?: 0 | 1
      /** Position of the page: part of `next` and `previous` in an answer */
      cursor?: string
      /**
       * Comma list of field paths, such as `type,properties.ref_genres.value`, whose values are
       * counted over all matches
       */
      facets?: string
      /** Maximum number of values of each facet */
      facet_limit?: number
      /**
       * `work` answers one entry for each work, with its best matching expression and
       * manifestation; `count` counts entries, `count_records` records
       */
      group_by?: 'work'
      /** With `group_by`: whether facets count entries (default) or records */
      facets_of?: 'groups' | 'records'
      /** 1 adds the matching passages of each result */
      highlight?: 0 | 1
      /**
       * Comma list: with a `limit` of at most 200, `relations` resolves the relations of each
       * result, as `resolve=1` of one entity does; `summary` adds the editions of works, and the
       * next, first and last performances of productions; `local` adds the times of performances on
       * the clocks of their venues
       */
      include?: string
      /**
       * With resolved relations: comma list of metadata keys and relation types of the related
       * records, shown under `fields` of each relation
       */
      related_fields?: string
      /** Language of labels, such as `nl`; takes precedence over `Accept-Language` */
      lang?: string
      /**
       * For `Accept: text/csv`: comma list of columns; by default all fields and relations of the
       * types
       */
      columns?: string
      /** 1 lists the versions of the one record that the filters select, newest first */
      history?: string
    }
    body: Filter[]
    answer: EntityPage | WorkPage | ClientPage
  }
  /** Read one entity by any of its identifiers */
  'GET /entities/{id}': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** 1 adds the related entity to each relation, as in WEM */
      resolve?: 0 | 1
      /**
       * Comma list: `relations` as `resolve=1`; `local` adds the times of performances on the
       * clocks of their venues
       */
      include?: string
      /**
       * With resolved relations: comma list of metadata keys and relation types of the related
       * records, shown under `fields` of each relation
       */
      related_fields?: string
      /** Language of labels, such as `nl`; takes precedence over `Accept-Language` */
      lang?: string
      /** The entity as it was at this version */
      version?: number
      /** The entity as it was at this moment: ISO 8601; a bare date means the end of that day */
      at?: string
      /** Format of the answer; takes precedence over `Accept` */
      format?: 'json' | 'jsonld' | 'dc' | 'turtle' | 'ntriples' | 'rdfxml' | 'schema' | 'bibtex' | 'ris' | 'csl' | 'marc21' | 'marcxml' | 'marcjson' | 'mrk' | 'mods' | 'marcauth' | 'skos' | 'libretto' | 'ndjson' | 'csv'
    }
    body: undefined
    answer: Entity
  }
  /** Change part of an entity */
  'PATCH /entities/{id}': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
    }
    body: EntityPatch
    answer: WrittenEntity
  }
  /** Delete an entity */
  'DELETE /entities/{id}': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
      /** 1 also deletes the media files of this record that no other record has */
      delete_mediafiles?: 0 | 1
      /**
       * 1 erases the record for ever, a deleted one too: all versions, source record, media and
       * changes. Needs the scope `admin`
       */
      purge?: 0 | 1
      /**
       * `detach` removes the relations that refer to this record; `delete_parts` also deletes parts
       * of this record only, such as its performances and media files, and lists them
       */
      references?: 'detach' | 'delete_parts'
    }
    body: undefined
    answer: Deletion | undefined
  }
  /** Replace an entity, or its source record */
  'PUT /entities/{id}': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
      /** 1 replaces a source record without `If-Match` */
      force?: 0 | 1
    }
    body: EntityReplacement
    answer: WrittenEntity
  }
  /** List the entities that refer to this one */
  'GET /entities/{id}/references': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** Comma list of relation types to include */
      type?: string
      /** Number of results to skip */
      skip?: number
      /** Maximum number of results; 0 returns only the count */
      limit?: number
    }
    body: undefined
    answer: References
  }
  /** Read a manifestation with its expression and its work, every relation resolved */
  'GET /entities/wem/{manifestation_id}': {
    path: {
      /** Any identifier of the manifestation, or its ISBN, ISSN or EAN */
      manifestation_id: string
    }
    query: {
      /** The entity as it was at this version */
      version?: number
      /** The entity as it was at this moment: ISO 8601; a bare date means the end of that day */
      at?: string
      /** Format of the answer; takes precedence over `Accept` */
      format?: 'json' | 'jsonld' | 'dc' | 'turtle' | 'ntriples' | 'rdfxml' | 'schema' | 'bibtex' | 'ris' | 'csl' | 'marc21' | 'marcxml' | 'marcjson' | 'mrk' | 'mods' | 'marcauth' | 'skos' | 'libretto' | 'ndjson' | 'csv'
      /** 1 shows the items of each manifestation, too */
      items?: 0 | 1
      /** Language of labels, such as `nl`; takes precedence over `Accept-Language` */
      lang?: string
    }
    body: undefined
    answer: Wem
  }
  /** Read at most 100 WEM answers, in the order requested */
  'POST /entities/wem': {
    path: {}
    query: {}
    body: {
      ids: string[]
    }
    answer: WemBatchAnswer
  }
  /** Read a work with its expressions and their manifestations, resolved as in WEM */
  'GET /entities/{id}/tree': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** Number of results to skip */
      skip?: number
      /** Maximum number of results; 0 returns only the count */
      limit?: number
      /** 1 shows the items of each manifestation, too */
      items?: 0 | 1
    }
    body: undefined
    answer: Tree
  }
  /** Read the parts of a record in the order of their numbers, such as the volumes of a series */
  'GET /entities/{id}/parts': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** Number of results to skip */
      skip?: number
      /** Maximum number of results; 0 returns only the count */
      limit?: number
    }
    body: undefined
    answer: PartList
  }
  /** Suggest names for a typed text */
  'GET /suggest': {
    path: {}
    query: {
      /** The typed text */
      q?: string
      /** A type, an umbrella such as `work`, or a comma list */
      type?: string
      /** Adds `type_label`, the name of the type in this language */
      lang?: string
      /** Maximum number of suggestions */
      limit?: number
    }
    body: undefined
    answer: Suggestions
  }
  /** List saved searches */
  'GET /saved_searches': {
    path: {}
    query: {
      /** Number of results to skip */
      skip?: number
      /** Maximum number of results; 0 returns only the count */
      limit?: number
      /** Part of the title */
      title?: string
    }
    body: undefined
    answer: SavedSearchList
  }
  /** Save a search */
  'POST /saved_searches': {
    path: {}
    query: {}
    body: SavedSearchDraft
    answer: SavedSearch
  }
  /** Read a saved search */
  'GET /saved_searches/{id}': {
    path: {
      id: string
    }
    query: {}
    body: undefined
    answer: SavedSearch
  }
  /** Rename, change, share or unshare a saved search */
  'PATCH /saved_searches/{id}': {
    path: {
      id: string
    }
    query: {}
    body: SavedSearchDraft
    answer: SavedSearch
  }
  /** Delete a saved search */
  'DELETE /saved_searches/{id}': {
    path: {
      id: string
    }
    query: {}
    body: undefined
    answer: undefined
  }
  /** Records created per month, by type */
  'GET /growth': {
    path: {}
    query: {}
    body: undefined
    answer: Growth
  }
  /** List the latest changes in groups */
  'GET /recent': {
    path: {}
    query: {
      /** Maximum number of groups */
      limit?: number
    }
    body: undefined
    answer: Recent
  }
  /** List likely duplicates */
  'GET /duplicates': {
    path: {}
    query: {
      /** A type, an umbrella such as `manifestation`, or a comma list */
      type?: string
      /** Groups with this reason only: name, similar, isbn, issn, ean, lccn, identifier, barcode */
      reason?: string
      /** Least score of similar records, with `reason=similar` */
      min_score?: number
      /** Maximum number of groups */
      limit?: number
      /** Position of the page: part of `next` in an answer */
      cursor?: string
    }
    body: undefined
    answer: DuplicatePage
  }
  /** Read the metadata of an entity */
  'GET /entities/{id}/metadata': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {}
    body: undefined
    answer: MetadataEntry[]
  }
  /** Add to the metadata of an entity */
  'POST /entities/{id}/metadata': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
    }
    body: MetadataEntry[]
    answer: MetadataEntry[]
  }
  /** Replace the metadata of an entity */
  'PUT /entities/{id}/metadata': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
    }
    body: MetadataEntry[]
    answer: MetadataEntry[]
  }
  /** Replace matching entries of the metadata of an entity */
  'PATCH /entities/{id}/metadata': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
    }
    body: MetadataEntry[]
    answer: MetadataEntry[]
  }
  /** Remove named entries of the metadata of an entity */
  'DELETE /entities/{id}/metadata': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
    }
    body: {
      key: string
      lang?: string
    }[]
    answer: MetadataEntry[]
  }
  /** Read the relations of an entity */
  'GET /entities/{id}/relations': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {}
    body: undefined
    answer: Relation[]
  }
  /** Add to the relations of an entity */
  'POST /entities/{id}/relations': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
    }
    body: Relation[]
    answer: Relation[]
  }
  /** Replace the relations of an entity */
  'PUT /entities/{id}/relations': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
    }
    body: Relation[]
    answer: Relation[]
  }
  /** Replace matching entries of the relations of an entity */
  'PATCH /entities/{id}/relations': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
    }
    body: Relation[]
    answer: Relation[]
  }
  /** Remove named entries of the relations of an entity */
  'DELETE /entities/{id}/relations': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
    }
    body: Relation[]
    answer: Relation[]
  }
  /** Read the metadata of a media file */
  'GET /mediafiles/{id}/metadata': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {}
    body: undefined
    answer: MetadataEntry[]
  }
  /** Add to the metadata of a media file */
  'POST /mediafiles/{id}/metadata': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
    }
    body: MetadataEntry[]
    answer: MetadataEntry[]
  }
  /** Replace the metadata of a media file */
  'PUT /mediafiles/{id}/metadata': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
    }
    body: MetadataEntry[]
    answer: MetadataEntry[]
  }
  /** Replace matching entries of the metadata of a media file */
  'PATCH /mediafiles/{id}/metadata': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
    }
    body: MetadataEntry[]
    answer: MetadataEntry[]
  }
  /** Remove named entries of the metadata of a media file */
  'DELETE /mediafiles/{id}/metadata': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
    }
    body: {
      key: string
      lang?: string
    }[]
    answer: MetadataEntry[]
  }
  /** Read the relations of a media file */
  'GET /mediafiles/{id}/relations': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {}
    body: undefined
    answer: Relation[]
  }
  /** Add to the relations of a media file */
  'POST /mediafiles/{id}/relations': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
    }
    body: Relation[]
    answer: Relation[]
  }
  /** Replace the relations of a media file */
  'PUT /mediafiles/{id}/relations': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
    }
    body: Relation[]
    answer: Relation[]
  }
  /** Replace matching entries of the relations of a media file */
  'PATCH /mediafiles/{id}/relations': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
    }
    body: Relation[]
    answer: Relation[]
  }
  /** Remove named entries of the relations of a media file */
  'DELETE /mediafiles/{id}/relations': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
    }
    body: Relation[]
    answer: Relation[]
  }
  /** List the versions of an entity, newest first, with their changes */
  'GET /entities/{id}/history': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** Number of results to skip */
      skip?: number
      /** Maximum number of results; 0 returns only the count */
      limit?: number
    }
    body: undefined
    answer: History
  }
  /** Revert an entity to a version */
  'POST /entities/{id}/revert': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
    }
    body: RevertInput
    answer: WrittenEntity
  }
  /** Merge another entity into this one */
  'POST /entities/{id}/merge': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
    }
    body: MergeInput
    answer: MergeOutcome
  }
  /** Undo a merge */
  'POST /entities/{id}/unmerge': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
    }
    body: UnmergeInput
    answer: UnmergeOutcome
  }
  /** Create, change, delete and merge many entities */
  'POST /entities/batch': {
    path: {}
    query: {
      /** 1 writes all or none, in one transaction; at most 10,000 operations */
      atomic?: 0 | 1
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
      /** 1 allows relations to entities that do not exist (yet) */
      allow_dangling?: 0 | 1
    }
    body: BatchLine[]
    answer: BatchLineResult[]
  }
  /** Export everything, or records of some types or ids, or of a search */
  'GET /export': {
    path: {}
    query: {
      /**
       * `jsonld`: Linked data: JSON-LD, in a file as a list. `dc`: The fifteen elements of Dublin
       * Core, as XML. `turtle`: Linked data as Turtle. `ntriples`: Linked data as N-Triples.
       * `rdfxml`: Linked data as RDF/XML. `schema`: Linked data in the vocabulary of schema.org,
       * for web pages. `bibtex`: Manifestations as BibTeX. `ris`: Manifestations as RIS. `csl`:
       * Manifestations as CSL-JSON, in a file as a list. `marc21`: MARC 21 in ISO 2709;
       * manifestations with their expressions and works. `marcxml`: The same as MARCXML, without a
       * limit of length. `marcjson`: The same as MARC-in-JSON, in a file one record per line.
       * `mrk`: The same in lines for editors (.mrk). `mods`: Manifestations as MODS 3.7.
       * `marcauth`: Persons, corporations, subjects, genres, places, periods and uniform titles as
       * MARC 21 authority records. `skos`: The same authorities as concepts of SKOS. `libretto`:
       * The entity itself as XML. `ndjson`: Entities, one per line; in a file, their source records
       * follow. `csv`: A table with a row for each entity
       */
      format?: 'jsonld' | 'dc' | 'turtle' | 'ntriples' | 'rdfxml' | 'schema' | 'bibtex' | 'ris' | 'csl' | 'marc21' | 'marcxml' | 'marcjson' | 'mrk' | 'mods' | 'marcauth' | 'skos' | 'libretto' | 'ndjson' | 'csv'
      /** A type, an umbrella such as `manifestation`, or a comma list; everything by default */
      type?: string
      /**
       * For tables: a comma list of metadata keys, relations or filter paths; by default all fields
       * and relations of the types
       */
      columns?: string
      /** 1 starts a table with a byte order mark, by which some spreadsheets recognise UTF-8 */
      bom?: 0 | 1
      /** 1 writes cells that look like formulas without a leading apostrophe */
      raw?: 0 | 1
      /** For NDJSON: 0 leaves out the source records of imported entities */
      sources?: 0 | 1
      /**
       * A comma list. For NDJSON: `media` adds the bytes of media files, `history` all versions of
       * the records, and those of deleted records. For MARC: `authorities` adds the authority
       * records, `holdings` writes copies as holdings records
       */
      include?: string
      /** A comma list of ids: only these records */
      ids?: string
      /**
       * The address of a search, such as `/find?q=hamlet&languages=LANG-NLD`: only the records that
       * it finds
       */
      search?: string
    }
    body: undefined
    answer: string
  }
  /** Export everything that filters match */
  'POST /export': {
    path: {}
    query: {
      /**
       * `jsonld`: Linked data: JSON-LD, in a file as a list. `dc`: The fifteen elements of Dublin
       * Core, as XML. `turtle`: Linked data as Turtle. `ntriples`: Linked data as N-Triples.
       * `rdfxml`: Linked data as RDF/XML. `schema`: Linked data in the vocabulary of schema.org,
       * for web pages. `bibtex`: Manifestations as BibTeX. `ris`: Manifestations as RIS. `csl`:
       * Manifestations as CSL-JSON, in a file as a list. `marc21`: MARC 21 in ISO 2709;
       * manifestations with their expressions and works. `marcxml`: The same as MARCXML, without a
       * limit of length. `marcjson`: The same as MARC-in-JSON, in a file one record per line.
       * `mrk`: The same in lines for editors (.mrk). `mods`: Manifestations as MODS 3.7.
       * `marcauth`: Persons, corporations, subjects, genres, places, periods and uniform titles as
       * MARC 21 authority records. `skos`: The same authorities as concepts of SKOS. `libretto`:
       * The entity itself as XML. `ndjson`: Entities, one per line; in a file, their source records
       * follow. `csv`: A table with a row for each entity
       */
      format?: 'jsonld' | 'dc' | 'turtle' | 'ntriples' | 'rdfxml' | 'schema' | 'bibtex' | 'ris' | 'csl' | 'marc21' | 'marcxml' | 'marcjson' | 'mrk' | 'mods' | 'marcauth' | 'skos' | 'libretto' | 'ndjson' | 'csv'
      /** A type, an umbrella such as `manifestation`, or a comma list; everything by default */
      type?: string
      /**
       * For tables: a comma list of metadata keys, relations or filter paths; by default all fields
       * and relations of the types
       */
      columns?: string
      /** 1 starts a table with a byte order mark, by which some spreadsheets recognise UTF-8 */
      bom?: 0 | 1
      /** 1 writes cells that look like formulas without a leading apostrophe */
      raw?: 0 | 1
      /** For NDJSON: 0 leaves out the source records of imported entities */
      sources?: 0 | 1
      /**
       * A comma list. For NDJSON: `media` adds the bytes of media files, `history` all versions of
       * the records, and those of deleted records. For MARC: `authorities` adds the authority
       * records, `holdings` writes copies as holdings records
       */
      include?: string
    }
    body: Filter[]
    answer: string
  }
  /** List the media files of an entity */
  'GET /entities/{id}/mediafiles': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** One category of files */
      category?: 'posters' | 'scene_images' | 'trailer' | 'review' | 'rider' | 'framing' | 'music_fragments' | 'social_media' | 'poster'
      /** Number of results to skip */
      skip?: number
      /** Maximum number of results; 0 returns only the count */
      limit?: number
      /**
       * Comma list of `date_created` (default), `date_updated`, `id`, `type`, `next_performance`,
       * or a metadata key. Records without the key are last
       */
      order_by?: string
      /** 1 ascending, 0 descending */
      asc?: 0 | 1
      /** Position of the page: part of `next` and `previous` in an answer */
      cursor?: string
    }
    body: undefined
    answer: EntityPage
  }
  /** Add a media file to an entity */
  'POST /entities/{id}/mediafiles': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
    }
    body: MediafileInput
    answer: WrittenEntity
  }
  /** Create a media file; its bytes are sent later */
  'POST /mediafiles': {
    path: {}
    query: {
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
    }
    body: MediafileInput
    answer: WrittenEntity
  }
  /** List media files */
  'GET /mediafiles': {
    path: {}
    query: {
      /** One category of files */
      category?: 'posters' | 'scene_images' | 'trailer' | 'review' | 'rider' | 'framing' | 'music_fragments' | 'social_media' | 'poster'
      /** Number of results to skip */
      skip?: number
      /** Maximum number of results; 0 returns only the count */
      limit?: number
      /**
       * Comma list of `date_created` (default), `date_updated`, `id`, `type`, `next_performance`,
       * or a metadata key. Records without the key are last
       */
      order_by?: string
      /** 1 ascending, 0 descending */
      asc?: 0 | 1
      /** Position of the page: part of `next` and `previous` in an answer */
      cursor?: string
      /** Has no effect */
      type?: '' | 'mediafile'
      /** A condition, such as `technical_origin==original`: key, `==`, value */
      q?: string
    }
    body: undefined
    answer: EntityPage
  }
  /** Delete many media files, all or none, for existing clients */
  'DELETE /mediafiles': {
    path: {}
    query: {
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
      /** 1 also deletes the media files of these records that no other record has */
      delete_mediafiles?: 0 | 1
      /** Type of a relation: records that have one are not deleted */
      skip_items_with_relation?: string
      /** Has no effect */
      parent_job_id?: string
    }
    body: string[] | {
      ids: string[]
    }
    answer: DeletedEntities
  }
  /** Read the record of a media file */
  'GET /mediafiles/{id}': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {}
    body: undefined
    answer: Entity
  }
  /** Replace the record of a media file */
  'PUT /mediafiles/{id}': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
    }
    body: EntityReplacement
    answer: WrittenEntity
  }
  /** Change part of the record of a media file */
  'PATCH /mediafiles/{id}': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
    }
    body: EntityPatch
    answer: WrittenEntity
  }
  /** Delete a media file */
  'DELETE /mediafiles/{id}': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
      /** Has no effect here */
      delete_mediafiles?: 0 | 1
    }
    body: undefined
    answer: Good | undefined
  }
  /** Set the primary media file of a record */
  'PUT /entities/{id}/set_primary_mediafile/{mediafile_id}': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
      /** Any identifier */
      mediafile_id: string
    }
    query: {
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
    }
    body: undefined
    answer: WrittenEntity
  }
  /** Set the thumbnail of a record */
  'PUT /entities/{id}/set_primary_thumbnail/{mediafile_id}': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
      /** Any identifier */
      mediafile_id: string
    }
    query: {
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
    }
    body: undefined
    answer: WrittenEntity
  }
  /** Read addresses of a media file that need no bearer */
  'GET /mediafiles/{id}/download-urls': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {}
    body: undefined
    answer: DownloadUrls
  }
  /** List the derivatives of a media file: the thumbnails of an image */
  'GET /mediafiles/{id}/derivatives': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {}
    body: undefined
    answer: Derivatives
  }
  /**
   * Create a ticket: a right to fetch or send the bytes of one media file, or to fetch one
   * calendar, without a bearer
   */
  'POST /tickets': {
    path: {}
    query: {}
    body: TicketInput
    answer: string
  }
  /** Read the media readiness of a production, and whether it can be published */
  'GET /entities/{id}/readiness': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {}
    body: undefined
    answer: Readiness
  }
  /** List what productions lack before they are published */
  'GET /entities/{id}/due': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** `ics` is a calendar to subscribe to, `atom` a feed */
      format?: 'json' | 'ics' | 'atom'
      /** The language of the calendar and the feed */
      lang?: string
      /** A ticket, instead of a bearer */
      ticket?: string
    }
    body: undefined
    answer: Due
  }
  /** Read the texts, performances and media files of a production as a ZIP archive */
  'GET /entities/{id}/press-kit.zip': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {}
    body: undefined
    answer: string
  }
  /** List tenants: always empty, since a catalogue has none */
  'GET /tenants': {
    path: {}
    query: {
      /** Number of results to skip */
      skip?: number
      /** Maximum number of results; 0 returns only the count */
      limit?: number
    }
    body: undefined
    answer: {
      count: number
      results: unknown[]
      skip: number
      limit: number
    }
  }
  /** Read the settings for clients of another platform: always empty */
  'GET /config': {
    path: {}
    query: {}
    body: undefined
    answer: { [key: string]: unknown }
  }
  /** List the permissions of the token, as scopes */
  'GET /user/permissions': {
    path: {}
    query: {}
    body: undefined
    answer: string[]
  }
  /** List the comparisons of each kind of filter, for existing clients */
  'GET /filter/matchers': {
    path: {}
    query: {}
    body: undefined
    answer: { [key: string]: unknown }
  }
  /** List what the token may do with an entity */
  'GET /entities/{id}/permissions': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {}
    body: undefined
    answer: ('read' | 'write' | 'delete')[]
  }
  /** List what the token may do with a media file */
  'GET /mediafiles/{id}/permissions': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {}
    body: undefined
    answer: ('read' | 'write' | 'delete')[]
  }
  /** List the records that have a media file */
  'GET /mediafiles/{id}/assets': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {}
    body: undefined
    answer: Entity[]
  }
  /** Read a version of a record, for existing clients */
  'GET /history/{collection}/{id}': {
    path: {
      /** `entities`, `mediafiles`, or the type of the record */
      collection: string
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** ISO 8601: the version at that moment instead of the newest */
      timestamp?: string
      /** 1 answers an array of all versions, newest first, at most 1000 and 16 MiB */
      all?: 0 | 1
    }
    body: undefined
    answer: HistoryEntry | HistoryEntry[]
  }
  /** List imports as jobs, newest first, for existing clients */
  'GET /jobs': {
    path: {}
    query: {
      /** Number of results to skip */
      skip?: number
      /** Maximum number of results; 0 returns only the count */
      limit?: number
      /** Only jobs with this status */
      status?: string
      /** Only jobs of this type: `import` */
      type?: string
    }
    body: undefined
    answer: {
      count: number
      results: Job[]
      skip: number
      limit: number
    }
  }
  /** Read an import as a job, for existing clients */
  'GET /jobs/{id}': {
    path: {
      id: string
    }
    query: {}
    body: undefined
    answer: Job
  }
  /** The same as `/entities/filter`, for existing clients */
  'POST /entities/filter_v2': {
    path: {}
    query: {
      /** Number of results to skip */
      skip?: number
      /**
       * Maximum number of results; 0 returns only the count. At most 1000; requests for options of
       * a menu may exceed it and get at most 1000
       */
      limit?: number
      /**
       * Comma list of `date_created` (default), `date_updated`, `id`, `type`, `next_performance`,
       * or a metadata key. Records without the key are last
       */
      order_by?: string
      /** 1 ascending, 0 descending */
      asc?: 0 | 1
      /** Position of the page: part of `next` and `previous` in an answer */
      cursor?: string
      /**
       * Comma list of field paths, such as `type,properties.ref_genres.value`, whose values are
       * counted over all matches
       */
      facets?: string
      /** Maximum number of values of each facet */
      facet_limit?: number
      /**
       * `work` answers one entry for each work, with its best matching expression and
       * manifestation; `count` counts entries, `count_records` records
       */
      group_by?: 'work'
      /** With `group_by`: whether facets count entries (default) or records */
      facets_of?: 'groups' | 'records'
      /** 1 adds the matching passages of each result */
      highlight?: 0 | 1
      /**
       * Comma list: with a `limit` of at most 200, `relations` resolves the relations of each
       * result, as `resolve=1` of one entity does; `summary` adds the editions of works, and the
       * next, first and last performances of productions; `local` adds the times of performances on
       * the clocks of their venues
       */
      include?: string
      /**
       * With resolved relations: comma list of metadata keys and relation types of the related
       * records, shown under `fields` of each relation
       */
      related_fields?: string
      /** Language of labels, such as `nl`; takes precedence over `Accept-Language` */
      lang?: string
      /**
       * For `Accept: text/csv`: comma list of columns; by default all fields and relations of the
       * types
       */
      columns?: string
      /** 1 lists the versions of the one record that the filters select, newest first */
      history?: string
    }
    body: Filter[]
    answer: EntityPage | WorkPage | ClientPage
  }
  /** List the history of records, newest first */
  'POST /history/filter': {
    path: {}
    query: {
      /** Number of results to skip */
      skip?: number
      /** Maximum number of results; 0 returns only the count */
      limit?: number
    }
    body: Filter[]
    answer: HistoryEntryPage
  }
  /** Read changes in commit order */
  'GET /changes': {
    path: {}
    query: {
      /**
       * Cursor of an earlier answer, or `now` for later changes only; by default the oldest stored
       * change
       */
      since?: string
      /** Maximum number of changes */
      limit?: number
      /** Comma list of entity types or umbrellas, and of event types such as `entity.deleted` */
      types?: string
      /** Comma list of identifiers */
      ids?: string
    }
    body: undefined
    answer: ChangesPage
  }
  /** List webhooks */
  'GET /webhooks': {
    path: {}
    query: {}
    body: undefined
    answer: Webhook[]
  }
  /** Create a webhook */
  'POST /webhooks': {
    path: {}
    query: {}
    body: WebhookInput
    answer: WebhookWithSecret
  }
  /** Read a webhook with its position in the feed and its failures */
  'GET /webhooks/{id}': {
    path: {
      id: string
    }
    query: {}
    body: undefined
    answer: Webhook
  }
  /** Change or pause a webhook */
  'PATCH /webhooks/{id}': {
    path: {
      id: string
    }
    query: {}
    body: WebhookPatch
    answer: Webhook
  }
  /** Delete a webhook and its log */
  'DELETE /webhooks/{id}': {
    path: {
      id: string
    }
    query: {}
    body: undefined
    answer: undefined
  }
  /** Rotate the secret of a webhook */
  'POST /webhooks/{id}/rotate-secret': {
    path: {
      id: string
    }
    query: {}
    body: undefined
    answer: WebhookWithSecret
  }
  /** Resume a paused, parked or disabled webhook */
  'POST /webhooks/{id}/resume': {
    path: {
      id: string
    }
    query: {
      /**
       * Where to continue: `now`, `beginning`, or a cursor of the change feed; by default the last
       * position
       */
      from?: string
    }
    body: undefined
    answer: Webhook
  }
  /** Send a test event now */
  'POST /webhooks/{id}/test': {
    path: {
      id: string
    }
    query: {}
    body: undefined
    answer: Delivery
  }
  /** List deliveries to a webhook, newest first */
  'GET /webhooks/{id}/deliveries': {
    path: {
      id: string
    }
    query: {
      /** Maximum number of deliveries */
      limit?: number
      /** Only deliveries before this one. Part of `next` */
      before?: string
    }
    body: undefined
    answer: Deliveries
  }
  /** Send the event of a delivery again, now */
  'POST /webhooks/{id}/deliveries/{delivery_id}/replay': {
    path: {
      id: string
      delivery_id: string
    }
    query: {}
    body: undefined
    answer: Delivery
  }
  /** Harvest records by OAI-PMH 2.0 */
  'GET /oai': {
    path: {}
    query: {
      /** Identify, ListMetadataFormats, ListSets, ListIdentifiers, ListRecords or GetRecord */
      verb?: string
      /** oai_dc, rdf, marcxml, mods, marcauth, skos, libretto */
      metadataPrefix?: string
      /** `oai:<domain>:<id>` */
      identifier?: string
      /** Earliest change, as a day or a second */
      from?: string
      /** Latest change, as a day or a second */
      until?: string
      /** A set of `ListSets` */
      set?: string
      /** Token of the previous answer; excludes all other arguments */
      resumptionToken?: string
    }
    body: undefined
    answer: string
  }
  /** Harvest by OAI-PMH 2.0, with the arguments in the body */
  'POST /oai': {
    path: {}
    query: {}
    body: {
      /** Identify, ListMetadataFormats, ListSets, ListIdentifiers, ListRecords or GetRecord */
      verb?: string
      /** oai_dc, rdf, marcxml, mods, marcauth, skos, libretto */
      metadataPrefix?: string
      /** `oai:<domain>:<id>` */
      identifier?: string
      /** Earliest change, as a day or a second */
      from?: string
      /** Latest change, as a day or a second */
      until?: string
      /** A set of `ListSets` */
      set?: string
      /** Token of the previous answer; excludes all other arguments */
      resumptionToken?: string
    }
    answer: string
  }
  /** The XML schema of records in the format `libretto` */
  'GET /oai/libretto.xsd': {
    path: {}
    query: {}
    body: undefined
    answer: string
  }
  /** Search publications by SRU 1.2 or 2.0 */
  'GET /sru': {
    path: {}
    query: {
      /** 1.1, 1.2 or 2.0; 2.0 by default, unless `operation` is given */
      version?: string
      /** explain, searchRetrieve or scan; not needed in 2.0 */
      operation?: string
      /** CQL */
      query?: string
      /** Number of the first record, from 1 */
      startRecord?: string
      /** At most 100; 10 by default */
      maximumRecords?: string
      /** dc, rdfxml, marcxml, mods, marcauth, skos, libretto, json */
      recordSchema?: string
      /** xml or string (1.1, 1.2) */
      recordPacking?: string
      /** xml or string (2.0) */
      recordXMLEscaping?: string
      /** Alternative to `sortBy` in the query */
      sortKeys?: string
      /** Terms to count, of all facets or of some: `10`, `10:dc.creator,5:dc.date` (2.0) */
      facetLimit?: string
      /** An index, a relation and the first term */
      scanClause?: string
      /** Position of the term in the answer */
      responsePosition?: string
      /** At most 100; 20 by default */
      maximumTerms?: string
    }
    body: undefined
    answer: string
  }
  /** Search by SRU, with the parameters in the body */
  'POST /sru': {
    path: {}
    query: {}
    body: {
      /** 1.1, 1.2 or 2.0; 2.0 by default, unless `operation` is given */
      version?: string
      /** explain, searchRetrieve or scan; not needed in 2.0 */
      operation?: string
      /** CQL */
      query?: string
      /** Number of the first record, from 1 */
      startRecord?: string
      /** At most 100; 10 by default */
      maximumRecords?: string
      /** dc, rdfxml, marcxml, mods, marcauth, skos, libretto, json */
      recordSchema?: string
      /** xml or string (1.1, 1.2) */
      recordPacking?: string
      /** xml or string (2.0) */
      recordXMLEscaping?: string
      /** Alternative to `sortBy` in the query */
      sortKeys?: string
      /** Terms to count, of all facets or of some: `10`, `10:dc.creator,5:dc.date` (2.0) */
      facetLimit?: string
      /** An index, a relation and the first term */
      scanClause?: string
      /** Position of the term in the answer */
      responsePosition?: string
      /** At most 100; 20 by default */
      maximumTerms?: string
    }
    answer: string
  }
  /** Search records of other types by SRU */
  'GET /sru/{database}': {
    path: {
      /** A type, an umbrella, a family (bibliographic, related, stage, other), or `all` */
      database: string
    }
    query: {
      /** 1.1, 1.2 or 2.0; 2.0 by default, unless `operation` is given */
      version?: string
      /** explain, searchRetrieve or scan; not needed in 2.0 */
      operation?: string
      /** CQL */
      query?: string
      /** Number of the first record, from 1 */
      startRecord?: string
      /** At most 100; 10 by default */
      maximumRecords?: string
      /** dc, rdfxml, marcxml, mods, marcauth, skos, libretto, json */
      recordSchema?: string
      /** xml or string (1.1, 1.2) */
      recordPacking?: string
      /** xml or string (2.0) */
      recordXMLEscaping?: string
      /** Alternative to `sortBy` in the query */
      sortKeys?: string
      /** Terms to count, of all facets or of some: `10`, `10:dc.creator,5:dc.date` (2.0) */
      facetLimit?: string
      /** An index, a relation and the first term */
      scanClause?: string
      /** Position of the term in the answer */
      responsePosition?: string
      /** At most 100; 20 by default */
      maximumTerms?: string
    }
    body: undefined
    answer: string
  }
  /** List imports, oldest first */
  'GET /imports': {
    path: {}
    query: {
      limit?: number
      /** Id of the last import of the page before */
      after?: string
      /** 1 lists only imports with open review questions */
      questions?: 0 | 1
    }
    body: undefined
    answer: Import[]
  }
  /** Import a file of records */
  'POST /imports': {
    path: {}
    query: {
      /** Name of the file, for people */
      name?: string
      /**
       * Format of the file, where it should not be detected: iso2709, marcxml, json, mrk, aleph,
       * pica, picaxml, mods, dc, turtle, ntriples, rdfxml, jsonld, icalendar, uitdatabank, cdbxml,
       * schemaorg, onix, csv, ndjson
       */
      format?: string
      /** Agency of the record numbers, where records do not name one */
      agency?: string
      /**
       * For CSV or JSON, as JSON: the records that each row becomes (`records`); or the meaning of
       * each column of a table of publications, by default derived from the header
       */
      mapping?: string
      /**
       * For MARC: the fields with the copies that libraries hold, as JSON: `{"949": {"a":
       * "shelf_mark", "i": "barcode", "m": "library"}}`; by default 852 and 876 to 878
       */
      items?: string
      /** 1 lets relations of NDJSON refer to entities that do not exist */
      allow_dangling?: 0 | 1
      /** 1 computes the outcome and writes nothing */
      preview?: 0 | 1
    }
    body: string
    answer: Import
  }
  /** Read the progress and the result of an import */
  'GET /imports/{id}': {
    path: {
      id: string
    }
    query: {}
    body: undefined
    answer: Import
  }
  /** List defects and unreadable records, with their position in the file */
  'GET /imports/{id}/remarks': {
    path: {
      id: string
    }
    query: {
      limit?: number
      /** Only items after this number */
      after?: number
    }
    body: undefined
    answer: ImportRemark[]
  }
  /** List the outcome of each record of a preview */
  'GET /imports/{id}/preview': {
    path: {
      id: string
    }
    query: {
      limit?: number
      /** Only items after this number */
      after?: number
    }
    body: undefined
    answer: PreviewLine[]
  }
  /** List uncertain matches: works and expressions that were joined or separated */
  'GET /imports/{id}/review': {
    path: {
      id: string
    }
    query: {
      limit?: number
      /** Id of the last question of the page before */
      after?: string
      /** 1 lists answered questions */
      settled?: 0 | 1
    }
    body: undefined
    answer: Review
  }
  /** Answer a review question: are these two the same? */
  'POST /imports/{id}/review': {
    path: {
      id: string
    }
    query: {}
    body: {
      question: string
      /** Whether the two are the same work or expression */
      verdict: 'same' | 'different'
    }[]
    answer: Answered
  }
  /** Read the source record of a manifestation, and why it belongs to its works */
  'GET /entities/{id}/origin': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {}
    body: undefined
    answer: Origin
  }
  /** Read the source record of a manifestation or an authority, as it is edited */
  'GET /entities/{id}/source': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {}
    body: undefined
    answer: SourceRecord
  }
  /** Separate an imported manifestation from the other records of its work */
  'POST /entities/{id}/split': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {}
    body: SplitInput
    answer: Answered
  }
  /** Undo the separation of an imported manifestation */
  'POST /entities/{id}/unsplit': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {}
    body: undefined
    answer: Answered
  }
  /** List cases like those that people decided about the works of a manifestation */
  'GET /entities/{id}/like-cases': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {}
    body: undefined
    answer: LikeCases
  }
  /** Accept like cases: decide them as offered */
  'POST /entities/{id}/like-cases': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {}
    body: AcceptedCases
    answer: Answered
  }
  /** Undo an import */
  'POST /imports/{id}/undo': {
    path: {
      id: string
    }
    query: {}
    body: undefined
    answer: Import
  }
  /** Stop an import */
  'POST /imports/{id}/stop': {
    path: {
      id: string
    }
    query: {}
    body: undefined
    answer: Import
  }
  /** Resume an import that was stopped or failed */
  'POST /imports/{id}/resume': {
    path: {
      id: string
    }
    query: {}
    body: undefined
    answer: Import
  }
  /** List the catalogues that records can be copied from */
  'GET /catalogues': {
    path: {}
    query: {}
    body: undefined
    answer: {
      name: string
    }[]
  }
  /** Search other catalogues for records to copy */
  'GET /catalogues/records': {
    path: {}
    query: {
      /** An ISBN, or words */
      q: string
    }
    body: undefined
    answer: ForeignAnswer[]
  }
  /** List the templates of MARC records */
  'GET /templates': {
    path: {}
    query: {}
    body: undefined
    answer: RecordTemplate[]
  }
  /** List API tokens */
  'GET /tokens': {
    path: {}
    query: {}
    body: undefined
    answer: Token[]
  }
  /** Create an API token */
  'POST /tokens': {
    path: {}
    query: {}
    body: TokenInput
    answer: NewToken
  }
  /** Revoke an API token */
  'DELETE /tokens/{id}': {
    path: {
      id: string
    }
    query: {}
    body: undefined
    answer: undefined
  }
  /** List administrative acts, newest first */
  'GET /audit': {
    path: {}
    query: {
      /** Maximum number of acts */
      limit?: number
      /** Only acts with a smaller number. Part of `next` */
      before?: number
    }
    body: undefined
    answer: Acts
  }
  /** Export all administrative acts, newest first */
  'GET /audit/export': {
    path: {}
    query: {
      /** NDJSON, or a table with commas */
      format?: 'ndjson' | 'csv'
    }
    body: undefined
    answer: string
  }
  /** List issuers for sign-in */
  'GET /sign-in/issuers': {
    path: {}
    query: {}
    body: undefined
    answer: SignInIssuers
  }
  /** Start a sign-in: get the address to open in the browser */
  'POST /sign-in/start': {
    path: {}
    query: {}
    body: SignInStart
    answer: SignInAddress
  }
  /** Finish a sign-in: exchange the returned query for a bearer */
  'POST /sign-in/finish': {
    path: {}
    query: {}
    body: SignInReturn
    answer: SignedIn
  }
  /** Refresh a bearer with a refresh token */
  'POST /sign-in/refresh': {
    path: {}
    query: {}
    body: SignInRefresh
    answer: SignedIn
  }
  /** Sign out: revoke a refresh token and get the address that ends the session */
  'POST /sign-in/end': {
    path: {}
    query: {}
    body: SignInEnd
    answer: SignInAddress
  }
  /** List record types with their fields, relations and the permissions of the token */
  'GET /record-types': {
    path: {}
    query: {
      /** Language of labels, such as `nl`; takes precedence over `Accept-Language` */
      lang?: string
    }
    body: undefined
    answer: RecordTypes
  }
  /** Read the name of the token */
  'GET /me': {
    path: {}
    query: {}
    body: undefined
    answer: Me
  }
  /** Read the JSON-LD context */
  'GET /context.jsonld': {
    path: {}
    query: {}
    body: undefined
    answer: string
  }
  /** Reconciliation (OpenRefine): the service manifest, or the candidates for queries */
  'GET /reconcile': {
    path: {}
    query: {
      /** JSON: an object of queries `{query, type, limit, properties}` */
      queries?: string
      /** One query, as JSON or as its text */
      query?: string
      /** JSON: `{ids, properties}` to fetch values of */
      extend?: string
    }
    body: undefined
    answer: { [key: string]: unknown }
  }
  /** Reconciliation, with the arguments in the body */
  'POST /reconcile': {
    path: {}
    query: {}
    body: {
      /** JSON: an object of queries `{query, type, limit, properties}` */
      queries?: string
      /** One query, as JSON or as its text */
      query?: string
      /** JSON: `{ids, properties}` to fetch values of */
      extend?: string
    }
    answer: { [key: string]: unknown }
  }
  /** Reconciliation: suggest records by the beginning of their name */
  'GET /reconcile/suggest/entity': {
    path: {}
    query: {
      /** The typed text */
      prefix?: string
      /** Comma list of types, for entities */
      type?: string
    }
    body: undefined
    answer: {
      result: { [key: string]: unknown }[]
    }
  }
  /** Reconciliation: suggest types by the beginning of their name */
  'GET /reconcile/suggest/type': {
    path: {}
    query: {
      /** The typed text */
      prefix?: string
      /** Comma list of types, for entities */
      type?: string
    }
    body: undefined
    answer: {
      result: { [key: string]: unknown }[]
    }
  }
  /** Reconciliation: suggest properties by the beginning of their name */
  'GET /reconcile/suggest/property': {
    path: {}
    query: {
      /** The typed text */
      prefix?: string
      /** Comma list of types, for entities */
      type?: string
    }
    body: undefined
    answer: {
      result: { [key: string]: unknown }[]
    }
  }
  /** Reconciliation: list the properties of a type that can be fetched */
  'GET /reconcile/properties': {
    path: {}
    query: {
      /** A type or an umbrella */
      type?: string
    }
    body: undefined
    answer: { [key: string]: unknown }
  }
  /** Reconciliation: preview a record as a card */
  'GET /reconcile/preview': {
    path: {}
    query: {
      /** Any identifier */
      id: string
    }
    body: undefined
    answer: string
  }
  /**
   * Read the performances of a venue, company, booking agency, production or season as a calendar
   */
  'GET /entities/{id}/calendar.ics': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** Earliest begin of performances: ISO 8601 */
      from?: string
      /** Latest begin of performances; a bare date means the end of that day */
      to?: string
      /**
       * Time zone of all times, such as `Europe/Brussels`; without it, that of each venue, else
       * that of the catalogue
       */
      tz?: string
      /** Replaces a bearer: created by `POST /tickets` with `entity_id` */
      ticket?: string
    }
    body: undefined
    answer: string
  }
  /** Read the performances of a venue, company, booking agency, production or season as a table */
  'GET /entities/{id}/programme.csv': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** Earliest begin of performances: ISO 8601 */
      from?: string
      /** Latest begin of performances; a bare date means the end of that day */
      to?: string
      /**
       * Time zone of all times, such as `Europe/Brussels`; without it, that of each venue, else
       * that of the catalogue
       */
      tz?: string
    }
    body: undefined
    answer: string
  }
  /** Read the performances of a venue, company, booking agency, production or season as a feed */
  'GET /entities/{id}/programme.rss': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** Earliest begin of performances: ISO 8601 */
      from?: string
      /** Latest begin of performances; a bare date means the end of that day */
      to?: string
      /**
       * Time zone of all times, such as `Europe/Brussels`; without it, that of each venue, else
       * that of the catalogue
       */
      tz?: string
      /** Language of texts and labels; else `Accept-Language` chooses it */
      lang?: string
    }
    body: undefined
    answer: string
  }
  /**
   * Read the performances of a venue, company, booking agency, production or season as a page to
   * print
   */
  'GET /entities/{id}/programme.html': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** Earliest begin of performances: ISO 8601 */
      from?: string
      /** Latest begin of performances; a bare date means the end of that day */
      to?: string
      /**
       * Time zone of all times, such as `Europe/Brussels`; without it, that of each venue, else
       * that of the catalogue
       */
      tz?: string
      /** Language of texts and labels; else `Accept-Language` chooses it */
      lang?: string
    }
    body: undefined
    answer: string
  }
  /**
   * Read the performances of a venue, company, booking agency, production or season as events of
   * UiTdatabank
   */
  'GET /entities/{id}/uitdatabank.json': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** Earliest begin of performances: ISO 8601 */
      from?: string
      /** Latest begin of performances; a bare date means the end of that day */
      to?: string
      /**
       * Time zone of all times, such as `Europe/Brussels`; without it, that of each venue, else
       * that of the catalogue
       */
      tz?: string
    }
    body: undefined
    answer: {
      /** Bodies for `POST /events` there */
      events: { [key: string]: unknown }[]
      left_out: {
        production_id: string
        /** The reason */
        message: string
      }[]
    }
  }
  /** Check that the process runs */
  'GET /health/live': {
    path: {}
    query: {}
    body: undefined
    answer: Health
  }
  /** Check that the service can answer requests */
  'GET /health/ready': {
    path: {}
    query: {}
    body: undefined
    answer: Health
  }
  /** Read the OpenAPI 3.1 document */
  'GET /openapi.json': {
    path: {}
    query: {}
    body: undefined
    answer: { [key: string]: unknown }
  }
  /** Read the reference of the interface */
  'GET /docs': {
    path: {}
    query: {}
    body: undefined
    answer: string
  }
  /** Read the explanation of a problem */
  'GET /problems/{name}': {
    path: {
      name: string
    }
    query: {}
    body: undefined
    answer: string
  }
  /** Read the settings of the site */
  'GET /site': {
    path: {}
    query: {}
    body: undefined
    answer: SiteSettings
  }
  /** Store the settings of the site */
  'PUT /site': {
    path: {}
    query: {}
    body: { [key: string]: unknown }
    answer: SiteSettings
  }
  /** Return to the settings of the file */
  'DELETE /site': {
    path: {}
    query: {}
    body: undefined
    answer: SiteSettings
  }
  /** The same as `PUT /entities`, for existing clients */
  'POST /batch': {
    path: {}
    query: {
      /** 1 checks the request and answers its result, but writes nothing */
      dry_run?: 0 | 1
      /** 1 replaces existing entities instead of changing the sent parts */
      replace?: 0 | 1
    }
    body: (EntityInput | EntityPatch)[]
    answer: ManyEntities
  }
  /** Send the bytes of a media file */
  'PUT /mediafiles/{id}/content': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** A ticket, instead of a bearer */
      ticket?: string
    }
    body: undefined
    answer: WrittenEntity
  }
  /** Send the bytes of a media file, optionally as a form */
  'POST /mediafiles/{id}/content': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** A ticket, instead of a bearer */
      ticket?: string
    }
    body: undefined
    answer: WrittenEntity
  }
  /** Read the bytes of a media file */
  'GET /mediafiles/{id}/content': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** A ticket, instead of a bearer */
      ticket?: string
    }
    body: undefined
    answer: string
  }
  /** Read a thumbnail of an image */
  'GET /mediafiles/{id}/thumbnail': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {
      /** A ticket, instead of a bearer */
      ticket?: string
      /** Pixels; at most the width of the original */
      width?: 160 | 320 | 640 | 1280
      /**
       * A picture for a purpose, as JPEG, in pixels: `card` 1200 × 630, `poster` 800 × 1200,
       * `banner` 1920 × 640, `square` 1080 × 1080, `social` 1200 × 630. It is cut around the focal
       * point (`focus_x`, `focus_y`); a card has the whole picture, on a blurred one. `width` is
       * not used
       */
      form?: 'card' | 'poster' | 'banner' | 'square' | 'social'
    }
    body: undefined
    answer: string
  }
  /** Read the options of resumable uploads (tus 1.0.0) */
  'OPTIONS /mediafiles/{id}/uploads': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {}
    body: undefined
    answer: undefined
  }
  /** Start a resumable upload of the bytes of a media file (tus 1.0.0) */
  'POST /mediafiles/{id}/uploads': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or another identifier */
      id: string
    }
    query: {}
    body: undefined
    answer: undefined
  }
  /** Continue an upload (tus 1.0.0) */
  'PATCH /uploads/{upload_id}': {
    path: {
      /** Id in the address of the upload */
      upload_id: string
    }
    query: {}
    body: undefined
    answer: undefined
  }
  /** Cancel an upload */
  'DELETE /uploads/{upload_id}': {
    path: {
      /** Id in the address of the upload */
      upload_id: string
    }
    query: {}
    body: undefined
    answer: undefined
  }
  /** Propose a mapping for a table or a JSON file */
  'POST /imports/mapping': {
    path: {}
    query: {
      /** Name of the file; identifiers of its records begin with it */
      name?: string
      /**
       * The meaning of columns, as JSON: `{"Zaal": "venue name", "Nr": "production identifier",
       * "Notes": ""}`; by default by their names
       */
      meanings?: string
    }
    body: string
    answer: MappingProposal
  }
}
