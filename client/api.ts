/* Written by `npm run docs` from the OpenAPI document of the service. Changes made here are lost. */

export type Answered = {
  answered: number
  /** How many entities were changed by it */
  changed: number
}

export type AuditStamp = {
  at: string
  by: string
}

/** The entity under `entity`, or its members beside `op` */
export type BatchLine = {
  /** create, replace, patch, upsert or delete */
  op: string
  id?: string
  /** Any JSON value */
  entity?: unknown
  /** The version the entity must have */
  if_match?: number
  /** `detach`, with delete */
  references?: string
  [key: string]: unknown
}

export type BatchLineResult = {
  index: number
  status: number
  outcome: string
  id?: string
  version?: number
  warnings?: Fault[]
  problem?: Problem
}

/** CloudEvents 1.0 */
export type ChangeEvent = {
  specversion: '1.0'
  /** Also the cursor after this change */
  id: string
  source: string
  /** entity.created, entity.updated, entity.deleted or entity.merged */
  type: string
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
  /** Send it as `since` to go on */
  cursor: string
  /** Whether there is more to read at once */
  more: boolean
}

export type Deletion = {
  /** Ids of parts that were deleted too */
  deleted: string[]
  /** Ids of records that point here no more */
  detached: string[]
}

export type Deliveries = {
  deliveries: Delivery[]
  next?: string
}

export type Delivery = {
  id: string
  reason: 'change' | 'test' | 'replay'
  /** The `webhook-id` it had, and the `id` of the event */
  event_id: string
  event_type: string
  /** Id of the entity; of the webhook, for a test */
  subject: string
  /** From 1 */
  attempt: number
  at: string
  duration_ms: number
  /** Whether the receiver answered 2xx */
  delivered: boolean
  /** What the receiver answered */
  status: number | null
  /** Why there was no answer */
  error: string | null
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

export type Entity = {
  /** Human-readable id with a type prefix */
  id: string
  _id: string
  /** The same as `id` */
  _key: string
  type: string
  version: number
  metadata: MetadataEntry[]
  relations: Relation[]
  identifiers: string[]
  audit: {
    created: AuditStamp
    updated: AuditStamp
  }
}

/** A new entity. The schemas named after record types say which fields and relations each has. Members that the server owns may be sent back and are ignored. A record has at most 2000 metadata entries (each element of a list of values counts), 10000 relations and 500 identifiers, names of 1000 characters, HTML values of 100000 characters and 5000 elements, and 1048576 bytes in all; more is refused with `invalid` */
export type EntityInput = {
  id?: string
  type: string
  metadata?: MetadataEntry[]
  relations?: Relation[]
  identifiers?: string[]
}

export type EntityPage = {
  /** How many match in all; exact */
  count: number
  results: Entity[]
  skip: number
  limit: number
  /** Relative URL of the next page, only when there is one */
  next?: string
  /** Relative URL of the page before, only when there is one */
  previous?: string
  /** For each path that was asked for its values, the most frequent first */
  facets?: { [key: string]: {
    value: string
    /** The name of the related entity */
    label?: string
    /** How many of the matches have the value; exact */
    count: number
  }[] }
  /** For each result, by its id, the texts that have what was searched for */
  highlights?: { [key: string]: {
    /** The metadata key, or the type of the relation */
    key: string
    /** The related entity, where it is the name of one */
    id?: string
    parts: {
      text: string
      hit?: boolean
    }[]
  }[] }
}

/** Metadata replaces that of the same key and language, relations those of the same type and key; the rest is kept */
export type EntityPatch = {
  id?: string
  type?: string
  metadata?: MetadataEntry[]
  relations?: Relation[]
  identifiers?: string[]
}

/** All of an entity; its id, UUID and type stay */
export type EntityReplacement = {
  id?: string
  type?: string
  metadata?: MetadataEntry[]
  relations?: Relation[]
  identifiers?: string[]
}

export type Fault = {
  /** JSON pointer into the body, or the name of a parameter */
  pointer: string
  message: string
}

export type FieldRow = {
  /** The metadata key */
  key: string
  /** What is meant by a value */
  kind: 'text' | 'html' | 'choice' | 'number' | 'minutes' | 'year' | 'date' | 'moment' | 'boolean' | 'isbn' | 'codes' | 'age_category'
  required: boolean
  /** A record may have several values */
  repeatable: boolean
  /** A record may have one value for each `lang` */
  translatable: boolean
  /** The values that a `choice` may have */
  of?: string[]
  /** Given to a record that comes without the field */
  default?: string
  /** In Unicode code points of the stored text */
  max_length?: number
  min?: number
  max?: number
}

export type Filter = {
  /** type, text, selection, date, number, boolean, id, search or readiness */
  type: string
  key?: string | string[]
  /** Any JSON value */
  value: unknown
  match_exact?: boolean
  /** Turns the filter into its opposite */
  match_not?: boolean
  or?: Filter[]
  operator?: 'or' | 'and'
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
    /** Against the version before */
    changes: Difference[]
  }[]
  skip: number
  limit: number
  next?: string
}

export type Import = {
  id: string
  name: string
  state: 'uploading' | 'waiting' | 'running' | 'done' | 'failed' | 'stopped' | 'undoing' | 'undone'
  is_preview: boolean
  created_by: string
  created_at: string
  /** When it was begun */
  started_at: string | null
  /** When it was done, failed, stopped or taken back */
  ended_at: string | null
  /** Bytes of the file */
  size: number | null
  /** Bytes of the file that are done */
  bytes: number
  /** Things in the file that are done */
  records: number
  /** While it worked */
  records_per_second: number | null
  /** At that rate */
  seconds_left: number | null
  counts: ImportCounts
  entities: { [key: string]: unknown }
  /** How many things in the file there is something to say of */
  remarks: number
  /** Why it failed */
  failure: string | null
  /** Records whose number another record has, where neither names its agency and nothing else agrees. They are imported as records of their own; import the file with `agency` to tell the numbers apart */
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
}

export type ImportCounts = {
  /** Records that are new */
  created: number
  /** Records that are other than when they were imported last */
  updated: number
  /** Records that were there as they are */
  unchanged: number
  /** Records that the file says are gone */
  deleted: number
  /** Records that should have gone, but people have changed them or point to them */
  kept: number
  /** Things in the file of which no record could be made */
  unreadable: number
  /** Works that records joined instead of making a new one */
  joined_works: number
}

export type ImportRemark = {
  /** Which thing in the file, counted from 1 */
  number: number
  /** Its first byte, counted from 0 */
  offset: number
  control_number?: string
  outcome: 'unreadable' | 'kept' | 'noticed'
  remarks: string[]
}

export type ManyEntities = {
  entities: (Entity | WriteReceipt)[]
  /** Always empty: an error refuses the whole request */
  errors: unknown[]
}

export type Me = {
  /** As it stands in the audit of what this token writes */
  name: string
  /** May look after tokens and webhooks */
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
  /** Any identifier of the entity that is merged away */
  victim_id: string
  /** What the survivor holds afterwards; its own where left out */
  metadata?: unknown[]
  relations?: Relation[]
}

export type MergeOutcome = {
  survivor_id: string
  victim_id: string
  repointed_references: number
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
  /** Shown this once; only a hash is kept */
  token: string
}

export type Origin = {
  import_id: string
  record: string
  form: string
  links: {
    work_id: string
    expression_id: string
    /** The manifestation whose record it was joined to; null for the first of a work */
    joined_to: string | null
    /** Why, as a code */
    reason: string | null
    /** Why, in words */
    explanation: string | null
    /** 0 to 1 */
    confidence: number | null
    /** Whether nobody needs to look at it */
    is_sure: boolean | null
  }[]
}

export type PreviewLine = {
  number: number
  record: string
  title: string
  outcome: string
  works: {
    title: string
    is_new: boolean
    /** Why it would be with others */
    explanation: string | null
    /** Why, as a code */
    reason?: string
    /** 0 to 1 */
    confidence: number | null
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
  /** Outlives the wording. Those there are now stand under `examples`; more may come */
  code: 'invalid' | 'description_too_long' | 'invalid_filter' | 'unknown_filter_type' | 'bad_request' | 'malformed_json' | 'unauthenticated' | 'sign_in_failed' | 'forbidden' | 'not_found' | 'incomplete_wem' | 'no_such_path' | 'method_not_allowed' | 'not_acceptable' | 'request_timeout' | 'identifier_taken' | 'still_referenced' | 'patch_not_applicable' | 'cursor_expired' | 'key_reused' | 'version_mismatch' | 'offset_mismatch' | 'checksum_mismatch' | 'media_too_large' | 'body_too_large' | 'uri_too_long' | 'unsupported_media_type' | 'range_not_satisfiable' | 'unsupported_tus_version' | 'rate_limited' | 'headers_too_large' | 'internal' | 'query_timeout' | 'unavailable' | 'storage_full' | (string & {})
  errors?: Fault[]
  /** `<CODE> | var:value - text`, for clients that parse it */
  message: string
  [key: string]: unknown
}

export type QuestionSide = {
  manifestation_id: string
  /** What the record goes by: `(agency)number` */
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
    /** How many files there are */
    files: number
    /** Whether the declared status and the files go together */
    agrees: boolean
    /** Whether nothing more is to come */
    done: boolean
  }[]
  publishable: boolean
  /** What stands in the way of publishing it */
  missing: string[]
}

export type RecordTypeRow = {
  type: string
  /** The name under which it is found with its like */
  umbrella?: string
  id_prefix: string
  description: string
  /** The field people know a record by */
  name_field: string
  /** The relation to the broader record, in a hierarchy */
  climbs_by?: string
  fields: FieldRow[]
  relations: RelationRow[]
  /** What the token may do with records of this type */
  may: ('read' | 'write' | 'delete')[]
}

export type RecordTypes = {
  record_types: RecordTypeRow[]
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
  /** What is true of this relation only */
  metadata?: MetadataEntry[]
  [key: string]: unknown
}

export type RelationRow = {
  /** The relation type */
  type: string
  /** The types it may point to; umbrellas stand as their subtypes */
  to: string[]
  min?: number
  max?: number
}

export type ResolvedRelation = {
  /** Relation type */
  type: string
  /** Type of the related entity; `nomen` for a subject, `missing` when it does not exist */
  label: string
  /** All relation types, where there are several */
  types?: string[]
  metadata?: MetadataEntry[]
  [key: string]: unknown
}

export type RevertInput = {
  /** The version to go back to */
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
  /** How it is until somebody answers */
  are_joined: boolean
  confidence: number
  reason: string
  explanation: string
  one: QuestionSide
  other: QuestionSide
  /** What somebody said, of one that was answered */
  settled?: {
    verdict: 'same' | 'different'
    by: string
    at: string
  }
}

export type SignInAddress = {
  /** Where to send the browser */
  address?: string
}

export type SignInEnd = {
  /** One of `GET /sign-in/issuers` */
  issuer: string
  /** Where the issuer sends the browser back to */
  redirect_uri: string
  /** Is taken back */
  refresh_token?: string
  /** Tells the issuer whose session ends */
  id_token?: string
}

export type SignInIssuers = {
  issuers: {
    issuer: string
    /** What people know it by */
    name: string
  }[]
}

export type SignInRefresh = {
  /** One of `GET /sign-in/issuers` */
  issuer: string
  /** As it was given last */
  refresh_token: string
}

export type SignInReturn = {
  /** One of `GET /sign-in/issuers` */
  issuer: string
  /** Where the issuer sends the browser back to */
  redirect_uri: string
  /** The query of the address that the browser was sent back to */
  query: string
  /** Comes back in the address */
  state: string
  /** Comes back in the ID token */
  nonce: string
  code_verifier: string
}

export type SignInStart = {
  /** One of `GET /sign-in/issuers` */
  issuer: string
  /** Where the issuer sends the browser back to */
  redirect_uri: string
  /** Comes back in the address */
  state: string
  /** Comes back in the ID token */
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
  /** What the person is called there */
  name?: string
}

export type Suggestions = {
  suggestions: {
    id: string
    type: string
    label: string
  }[]
}

export type TicketInput = {
  /** The media file it is good for */
  mediafile_id?: string
  /** Instead: the filename of the media file, for uploads */
  filename?: string
  /** Instead: the venue, company, production or season whose calendar it is */
  entity_id?: string
  action?: 'download' | 'upload' | 'calendar'
  /** Seconds that it is good for: at most 86400, and 300 where left out; of a calendar 34560000 */
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
  /** How many manifestations there are in all */
  count: number
  skip: number
  limit: number
  next?: string
}

export type TreeExpression = {
  id: string
  type: string
  metadata: { [key: string]: WemMetadata }
  relations: { [key: string]: ResolvedRelation }
  manifestations: TreeManifestation[]
}

export type TreeManifestation = {
  id: string
  type: string
  metadata: { [key: string]: WemMetadata }
  relations: { [key: string]: ResolvedRelation }
}

export type TreeWork = {
  id: string
  type: string
  metadata: { [key: string]: WemMetadata }
  relations: { [key: string]: ResolvedRelation }
}

export type UnmergeInput = {
  /** Which merge to take back, where there were several; else the newest */
  victim_id?: string
}

export type UnmergeOutcome = {
  survivor_id: string
  victim_id: string
  restored_references: number
}

export type Webhook = {
  id: string
  /** An http or https address. Private, local and reserved addresses are refused, also when a name leads to them */
  url: string
  /** For people */
  description: string
  /** What to be told of: entity.created, entity.updated, entity.deleted, entity.merged; all of them when empty */
  event_types: ('entity.created' | 'entity.updated' | 'entity.deleted' | 'entity.merged')[]
  /** Of which types; an umbrella such as `work` stands for its subtypes; of all types when empty */
  entity_types: string[]
  /** `parked`: the last retry failed; `disabled`: the receiver answered 410. `resume` makes it active again */
  state: 'active' | 'paused' | 'parked' | 'disabled'
  /** The last change of the feed that it was told of, or that was not for it */
  cursor: string
  /** How often the next change was sent without success */
  attempts: number
  /** Since when nothing could be delivered */
  failing_since: string | null
  /** When it is tried again */
  next_attempt_at: string | null
  /** Until then what is sent is signed with the secret before, too */
  previous_secret_until: string | null
  created_at: string
  created_by: string
}

export type WebhookInput = {
  /** An http or https address. Private, local and reserved addresses are refused, also when a name leads to them */
  url: string
  /** For people */
  description?: string
  /** What to be told of: entity.created, entity.updated, entity.deleted, entity.merged; all of them when empty */
  event_types?: string[]
  /** Of which types; an umbrella such as `work` stands for its subtypes; of all types when empty */
  entity_types?: string[]
  /** Where to begin: `now`, `beginning`, or a cursor of the change feed; `now` where left out */
  from?: string
}

export type WebhookPatch = {
  /** An http or https address. Private, local and reserved addresses are refused, also when a name leads to them */
  url?: string
  /** For people */
  description?: string
  /** What to be told of: entity.created, entity.updated, entity.deleted, entity.merged; all of them when empty */
  event_types?: string[]
  /** Of which types; an umbrella such as `work` stands for its subtypes; of all types when empty */
  entity_types?: string[]
  /** `active` is the same as `resume` */
  state?: 'active' | 'paused'
}

export type WebhookWithSecret = {
  id: string
  /** An http or https address. Private, local and reserved addresses are refused, also when a name leads to them */
  url: string
  /** For people */
  description: string
  /** What to be told of: entity.created, entity.updated, entity.deleted, entity.merged; all of them when empty */
  event_types: ('entity.created' | 'entity.updated' | 'entity.deleted' | 'entity.merged')[]
  /** Of which types; an umbrella such as `work` stands for its subtypes; of all types when empty */
  entity_types: string[]
  /** `parked`: the last retry failed; `disabled`: the receiver answered 410. `resume` makes it active again */
  state: 'active' | 'paused' | 'parked' | 'disabled'
  /** The last change of the feed that it was told of, or that was not for it */
  cursor: string
  /** How often the next change was sent without success */
  attempts: number
  /** Since when nothing could be delivered */
  failing_since: string | null
  /** When it is tried again */
  next_attempt_at: string | null
  /** Until then what is sent is signed with the secret before, too */
  previous_secret_until: string | null
  created_at: string
  created_by: string
  /** Checks the signatures (Standard Webhooks). Shown this once */
  secret: string
}

export type Wem = {
  work: WemLevel
  expression: WemLevel
  manifestation: WemLevel
}

export type WemBatchAnswer = {
  results: {
    id: string
    wem?: Wem
    problem?: Problem
  }[]
}

export type WemLevel = {
  type: string
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

/** For tokens that may write the type but not read it */
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
  type: string
  version: number
  metadata: MetadataEntry[]
  relations: Relation[]
  identifiers: string[]
  audit: {
    created: AuditStamp
    updated: AuditStamp
  }
  /** What was changed or looks wrong, but was accepted */
  warnings?: Fault[]
}

/** Every path of the interface, by its method: what goes in and what comes out. */
export interface Operations {
  /** List entities */
  'GET /entities': {
    path: {}
    query: {
      /** A type, an umbrella such as `manifestation`, or a comma list */
      type?: string
      /** Comma list of identifiers */
      ids?: string
      /** How many results to pass over */
      skip?: number
      /** How many results to give; 0 gives only the count */
      limit?: number
      /** Comma list of `date_created` (default), `date_updated`, `id`, `type`, or a metadata key. Records without the key come last */
      order_by?: string
      /** 1 ascending, 0 descending */
      asc?: 0 | 1
      /** Where to go on: part of the `next` and `previous` of an answer */
      cursor?: string
      /** 1 answers an object with the count, as the filter does, instead of a plain array */
      envelope?: 0 | 1
      /** Comma list of field paths, such as `type,properties.ref_genres.value`, to count the values of over all matches */
      facets?: string
      /** How many values to give of each facet */
      facet_limit?: number
    }
    body: undefined
    answer: Entity[] | EntityPage
  }
  /** Create an entity */
  'POST /entities': {
    path: {}
    query: {
      /** 1 checks everything and answers what would happen, but writes nothing */
      dry_run?: 0 | 1
      /** 1 lets relations point to entities that do not exist (yet) */
      allow_dangling?: 0 | 1
    }
    body: EntityInput
    answer: WrittenEntity
  }
  /** Create or change many entities, all or none */
  'PUT /entities': {
    path: {}
    query: {
      /** 1 replaces the entities that exist instead of changing what is sent of them */
      replace?: 0 | 1
    }
    body: EntityInput[]
    answer: ManyEntities
  }
  /** Search entities */
  'POST /entities/filter': {
    path: {}
    query: {
      /** How many results to pass over */
      skip?: number
      /** How many results to give; 0 gives only the count */
      limit?: number
      /** Comma list of `date_created` (default), `date_updated`, `id`, `type`, or a metadata key. Records without the key come last */
      order_by?: string
      /** 1 ascending, 0 descending */
      asc?: 0 | 1
      /** Where to go on: part of the `next` and `previous` of an answer */
      cursor?: string
      /** Comma list of field paths, such as `type,properties.ref_genres.value`, to count the values of over all matches */
      facets?: string
      /** How many values to give of each facet */
      facet_limit?: number
      /** 1 adds the matching passages of each result */
      highlight?: 0 | 1
    }
    body: Filter[]
    answer: EntityPage
  }
  /** Read one entity by any of its identifiers */
  'GET /entities/{id}': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** 1 adds the related entity to each relation, as in WEM */
      resolve?: 0 | 1
      /** The entity as it was at this version */
      version?: number
      /** The entity as it was at this moment: ISO 8601; a bare date means the end of that day */
      at?: string
      /** Format of the answer; takes precedence over `Accept` */
      format?: 'json' | 'jsonld' | 'turtle' | 'ntriples' | 'rdfxml' | 'schema' | 'bibtex' | 'ris' | 'csl' | 'marc21' | 'marcxml' | 'marcjson'
    }
    body: undefined
    answer: Entity
  }
  /** Replace an entity */
  'PUT /entities/{id}': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** 1 checks everything and answers what would happen, but writes nothing */
      dry_run?: 0 | 1
    }
    body: EntityReplacement
    answer: WrittenEntity
  }
  /** Change part of an entity */
  'PATCH /entities/{id}': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** 1 checks everything and answers what would happen, but writes nothing */
      dry_run?: 0 | 1
    }
    body: EntityPatch
    answer: WrittenEntity
  }
  /** Delete an entity */
  'DELETE /entities/{id}': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** 1 checks everything and answers what would happen, but writes nothing */
      dry_run?: 0 | 1
      /** `detach` takes the relations that point here out of their records; `delete_parts` also deletes what is a part of this record only, such as its performances and media files, and says what became of each */
      references?: 'detach' | 'delete_parts'
    }
    body: undefined
    answer: Deletion | undefined
  }
  /** List the entities that refer to this one */
  'GET /entities/{id}/references': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** Comma list of relation types to include */
      type?: string
      /** How many results to pass over */
      skip?: number
      /** How many results to give; 0 gives only the count */
      limit?: number
    }
    body: undefined
    answer: References
  }
  /** Read a manifestation with its expression and its work, every relation resolved */
  'GET /entities/wem/{manifestation_id}': {
    path: {
      /** Any identifier of the manifestation */
      manifestation_id: string
    }
    query: {
      /** The entity as it was at this version */
      version?: number
      /** The entity as it was at this moment: ISO 8601; a bare date means the end of that day */
      at?: string
      /** Format of the answer; takes precedence over `Accept` */
      format?: 'json' | 'jsonld' | 'turtle' | 'ntriples' | 'rdfxml' | 'schema' | 'bibtex' | 'ris' | 'csl' | 'marc21' | 'marcxml' | 'marcjson'
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
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** How many results to pass over */
      skip?: number
      /** How many results to give; 0 gives only the count */
      limit?: number
    }
    body: undefined
    answer: Tree
  }
  /** Names that may be meant by what is being typed */
  'GET /suggest': {
    path: {}
    query: {
      /** What was typed so far */
      q?: string
      /** A type, an umbrella such as `work`, or a comma list */
      type?: string
      /** How many to give */
      limit?: number
    }
    body: undefined
    answer: Suggestions
  }
  /** How many of the records there are were made in which month, by type */
  'GET /growth': {
    path: {}
    query: {}
    body: undefined
    answer: Growth
  }
  /** The metadata of an entity */
  'GET /entities/{id}/metadata': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {}
    body: undefined
    answer: MetadataEntry[]
  }
  /** Add to metadata of an entity */
  'POST /entities/{id}/metadata': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** 1 checks everything and answers what would happen, but writes nothing */
      dry_run?: 0 | 1
    }
    body: MetadataEntry[]
    answer: MetadataEntry[]
  }
  /** Replace all metadata of an entity */
  'PUT /entities/{id}/metadata': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** 1 checks everything and answers what would happen, but writes nothing */
      dry_run?: 0 | 1
    }
    body: MetadataEntry[]
    answer: MetadataEntry[]
  }
  /** Replace matching metadata of an entity */
  'PATCH /entities/{id}/metadata': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** 1 checks everything and answers what would happen, but writes nothing */
      dry_run?: 0 | 1
    }
    body: MetadataEntry[]
    answer: MetadataEntry[]
  }
  /** Remove named metadata of an entity */
  'DELETE /entities/{id}/metadata': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** 1 checks everything and answers what would happen, but writes nothing */
      dry_run?: 0 | 1
    }
    body: MetadataEntry[]
    answer: MetadataEntry[]
  }
  /** The relations of an entity */
  'GET /entities/{id}/relations': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {}
    body: undefined
    answer: Relation[]
  }
  /** Add to relations of an entity */
  'POST /entities/{id}/relations': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** 1 checks everything and answers what would happen, but writes nothing */
      dry_run?: 0 | 1
    }
    body: Relation[]
    answer: Relation[]
  }
  /** Replace all relations of an entity */
  'PUT /entities/{id}/relations': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** 1 checks everything and answers what would happen, but writes nothing */
      dry_run?: 0 | 1
    }
    body: Relation[]
    answer: Relation[]
  }
  /** Replace matching relations of an entity */
  'PATCH /entities/{id}/relations': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** 1 checks everything and answers what would happen, but writes nothing */
      dry_run?: 0 | 1
    }
    body: Relation[]
    answer: Relation[]
  }
  /** Remove named relations of an entity */
  'DELETE /entities/{id}/relations': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** 1 checks everything and answers what would happen, but writes nothing */
      dry_run?: 0 | 1
    }
    body: Relation[]
    answer: Relation[]
  }
  /** The metadata of a media file */
  'GET /mediafiles/{id}/metadata': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {}
    body: undefined
    answer: MetadataEntry[]
  }
  /** Add to metadata of a media file */
  'POST /mediafiles/{id}/metadata': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** 1 checks everything and answers what would happen, but writes nothing */
      dry_run?: 0 | 1
    }
    body: MetadataEntry[]
    answer: MetadataEntry[]
  }
  /** Replace all metadata of a media file */
  'PUT /mediafiles/{id}/metadata': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** 1 checks everything and answers what would happen, but writes nothing */
      dry_run?: 0 | 1
    }
    body: MetadataEntry[]
    answer: MetadataEntry[]
  }
  /** Replace matching metadata of a media file */
  'PATCH /mediafiles/{id}/metadata': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** 1 checks everything and answers what would happen, but writes nothing */
      dry_run?: 0 | 1
    }
    body: MetadataEntry[]
    answer: MetadataEntry[]
  }
  /** Remove named metadata of a media file */
  'DELETE /mediafiles/{id}/metadata': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** 1 checks everything and answers what would happen, but writes nothing */
      dry_run?: 0 | 1
    }
    body: MetadataEntry[]
    answer: MetadataEntry[]
  }
  /** The relations of a media file */
  'GET /mediafiles/{id}/relations': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {}
    body: undefined
    answer: Relation[]
  }
  /** Add to relations of a media file */
  'POST /mediafiles/{id}/relations': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** 1 checks everything and answers what would happen, but writes nothing */
      dry_run?: 0 | 1
    }
    body: Relation[]
    answer: Relation[]
  }
  /** Replace all relations of a media file */
  'PUT /mediafiles/{id}/relations': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** 1 checks everything and answers what would happen, but writes nothing */
      dry_run?: 0 | 1
    }
    body: Relation[]
    answer: Relation[]
  }
  /** Replace matching relations of a media file */
  'PATCH /mediafiles/{id}/relations': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** 1 checks everything and answers what would happen, but writes nothing */
      dry_run?: 0 | 1
    }
    body: Relation[]
    answer: Relation[]
  }
  /** Remove named relations of a media file */
  'DELETE /mediafiles/{id}/relations': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** 1 checks everything and answers what would happen, but writes nothing */
      dry_run?: 0 | 1
    }
    body: Relation[]
    answer: Relation[]
  }
  /** Every version of an entity, newest first, with what each changed */
  'GET /entities/{id}/history': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** How many results to pass over */
      skip?: number
      /** How many results to give; 0 gives only the count */
      limit?: number
    }
    body: undefined
    answer: History
  }
  /** Make an entity again what it was at a version */
  'POST /entities/{id}/revert': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** 1 checks everything and answers what would happen, but writes nothing */
      dry_run?: 0 | 1
    }
    body: RevertInput
    answer: WrittenEntity
  }
  /** Merge another entity into this one */
  'POST /entities/{id}/merge': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** 1 checks everything and answers what would happen, but writes nothing */
      dry_run?: 0 | 1
    }
    body: MergeInput
    answer: MergeOutcome
  }
  /** Take a merge back */
  'POST /entities/{id}/unmerge': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** 1 checks everything and answers what would happen, but writes nothing */
      dry_run?: 0 | 1
    }
    body: UnmergeInput
    answer: UnmergeOutcome
  }
  /** Many creations, changes and deletions at once */
  'POST /entities/batch': {
    path: {}
    query: {
      /** 1 writes all or none, in one transaction; up to 10,000 operations */
      atomic?: 0 | 1
      /** 1 lets relations point to entities that do not exist (yet) */
      allow_dangling?: 0 | 1
      /** 1 checks everything and answers what would happen, but writes nothing */
      dry_run?: 0 | 1
    }
    body: BatchLine[]
    answer: BatchLineResult[]
  }
  /** Everything, or all of some types, as a file */
  'GET /export': {
    path: {}
    query: {
      /** `marc21`: MARC 21 in ISO 2709; manifestations with their expressions and works. `marcxml`: The same as MARCXML, where no record is too long. `ndjson`: Every entity as it is, one on a line. `csv`: A table with a row for each entity. `bibtex`: Manifestations as BibTeX. `ris`: Manifestations as RIS. `csl`: Manifestations as a list of CSL-JSON. `mods`: Manifestations as MODS 3.7. `jsonld`: Linked data: a list of JSON-LD. `turtle`: Linked data as Turtle. `ntriples`: Linked data as N-Triples */
      format?: 'marc21' | 'marcxml' | 'ndjson' | 'csv' | 'bibtex' | 'ris' | 'csl' | 'mods' | 'jsonld' | 'turtle' | 'ntriples'
      /** A type, an umbrella such as `manifestation`, or a comma list; everything where left out */
      type?: string
      /** Of a table: a comma list of metadata keys, relations, or paths as filters have them; all fields and relations of the types where left out */
      columns?: string
      /** 1 begins a table with a byte order mark, by which some spreadsheets know UTF-8 */
      bom?: 0 | 1
      /** 1 writes cells that look like formulas as they are, without an apostrophe before them */
      raw?: 0 | 1
    }
    body: undefined
    answer: string
  }
  /** Everything that filters match, as a file */
  'POST /export': {
    path: {}
    query: {
      /** `marc21`: MARC 21 in ISO 2709; manifestations with their expressions and works. `marcxml`: The same as MARCXML, where no record is too long. `ndjson`: Every entity as it is, one on a line. `csv`: A table with a row for each entity. `bibtex`: Manifestations as BibTeX. `ris`: Manifestations as RIS. `csl`: Manifestations as a list of CSL-JSON. `mods`: Manifestations as MODS 3.7. `jsonld`: Linked data: a list of JSON-LD. `turtle`: Linked data as Turtle. `ntriples`: Linked data as N-Triples */
      format?: 'marc21' | 'marcxml' | 'ndjson' | 'csv' | 'bibtex' | 'ris' | 'csl' | 'mods' | 'jsonld' | 'turtle' | 'ntriples'
      /** A type, an umbrella such as `manifestation`, or a comma list; everything where left out */
      type?: string
      /** Of a table: a comma list of metadata keys, relations, or paths as filters have them; all fields and relations of the types where left out */
      columns?: string
      /** 1 begins a table with a byte order mark, by which some spreadsheets know UTF-8 */
      bom?: 0 | 1
      /** 1 writes cells that look like formulas as they are, without an apostrophe before them */
      raw?: 0 | 1
    }
    body: Filter[]
    answer: string
  }
  /** List the media files of an entity */
  'GET /entities/{id}/mediafiles': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** One category of files */
      category?: 'posters' | 'scene_images' | 'trailer' | 'review' | 'rider' | 'framing' | 'music_fragments' | 'social_media' | 'poster'
      /** How many results to pass over */
      skip?: number
      /** How many results to give; 0 gives only the count */
      limit?: number
      /** Part of the `next` of an answer */
      cursor?: string
    }
    body: undefined
    answer: EntityPage
  }
  /** Add a media file to an entity */
  'POST /entities/{id}/mediafiles': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** 1 checks everything and answers what would happen, but writes nothing */
      dry_run?: 0 | 1
    }
    body: MediafileInput
    answer: WrittenEntity
  }
  /** Create a media file; its bytes are sent later */
  'POST /mediafiles': {
    path: {}
    query: {
      /** 1 checks everything and answers what would happen, but writes nothing */
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
      /** How many results to pass over */
      skip?: number
      /** How many results to give; 0 gives only the count */
      limit?: number
      /** Part of the `next` of an answer */
      cursor?: string
    }
    body: undefined
    answer: EntityPage
  }
  /** Read the record of a media file */
  'GET /mediafiles/{id}': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {}
    body: undefined
    answer: Entity
  }
  /** Replace the record of a media file */
  'PUT /mediafiles/{id}': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** 1 checks everything and answers what would happen, but writes nothing */
      dry_run?: 0 | 1
    }
    body: EntityReplacement
    answer: WrittenEntity
  }
  /** Change part of the record of a media file */
  'PATCH /mediafiles/{id}': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** 1 checks everything and answers what would happen, but writes nothing */
      dry_run?: 0 | 1
    }
    body: EntityPatch
    answer: WrittenEntity
  }
  /** Delete a media file */
  'DELETE /mediafiles/{id}': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {}
    body: undefined
    answer: undefined
  }
  /** Make a ticket: a right to fetch or send the bytes of one media file, or to fetch one calendar, without a bearer */
  'POST /tickets': {
    path: {}
    query: {}
    body: TicketInput
    answer: string
  }
  /** How far the media of a production are, and whether it can be published */
  'GET /entities/{id}/readiness': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {}
    body: undefined
    answer: Readiness
  }
  /** Tenants: a catalogue here has none, so the list is empty */
  'GET /tenants': {
    path: {}
    query: {
      /** How many results to pass over */
      skip?: number
      /** How many results to give; 0 gives only the count */
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
  /** Settings for clients of another platform: there are none */
  'GET /config': {
    path: {}
    query: {}
    body: undefined
    answer: { [key: string]: unknown }
  }
  /** What happened, in the order in which it was committed */
  'GET /changes': {
    path: {}
    query: {
      /** Cursor of an earlier answer; without it, from the oldest change kept */
      since?: string
      /** How many changes to give at most */
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
      /** Where to go on: `now`, `beginning`, or a cursor of the change feed; where it was, when left out */
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
  /** OAI-PMH 2.0: harvesting */
  'GET /oai': {
    path: {}
    query: {
      /** Identify, ListMetadataFormats, ListSets, ListIdentifiers, ListRecords or GetRecord */
      verb?: string
      /** oai_dc, marcxml, mods or libretto */
      metadataPrefix?: string
      /** `oai:<domain>:<id>` */
      identifier?: string
      /** Day or second from which records changed */
      from?: string
      /** Day or second until which records changed */
      until?: string
      /** A set of `ListSets` */
      set?: string
      /** Of the answer before; nothing else is given with it */
      resumptionToken?: string
    }
    body: undefined
    answer: string
  }
  /** OAI-PMH 2.0, with the arguments in the body */
  'POST /oai': {
    path: {}
    query: {}
    body: {
      /** Identify, ListMetadataFormats, ListSets, ListIdentifiers, ListRecords or GetRecord */
      verb?: string
      /** oai_dc, marcxml, mods or libretto */
      metadataPrefix?: string
      /** `oai:<domain>:<id>` */
      identifier?: string
      /** Day or second from which records changed */
      from?: string
      /** Day or second until which records changed */
      until?: string
      /** A set of `ListSets` */
      set?: string
      /** Of the answer before; nothing else is given with it */
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
  /** SRU 1.2 and 2.0: searching publications */
  'GET /sru': {
    path: {}
    query: {
      /** 1.1, 1.2 or 2.0; 2.0 where neither it nor `operation` is given */
      version?: string
      /** explain, searchRetrieve or scan; 2.0 needs none */
      operation?: string
      /** CQL */
      query?: string
      /** From 1 */
      startRecord?: string
      /** 10 where it is not given, at most 100 */
      maximumRecords?: string
      /** dc, marcxml, mods, libretto or json */
      recordSchema?: string
      /** xml or string (1.1, 1.2) */
      recordPacking?: string
      /** xml or string (2.0) */
      recordXMLEscaping?: string
      /** Beside `sortBy` in the query */
      sortKeys?: string
      /** An index, a relation and the term to begin at */
      scanClause?: string
      /** Where in the answer the term stands */
      responsePosition?: string
      /** 20 where it is not given, at most 100 */
      maximumTerms?: string
    }
    body: undefined
    answer: string
  }
  /** SRU, with the parameters in the body */
  'POST /sru': {
    path: {}
    query: {}
    body: {
      /** 1.1, 1.2 or 2.0; 2.0 where neither it nor `operation` is given */
      version?: string
      /** explain, searchRetrieve or scan; 2.0 needs none */
      operation?: string
      /** CQL */
      query?: string
      /** From 1 */
      startRecord?: string
      /** 10 where it is not given, at most 100 */
      maximumRecords?: string
      /** dc, marcxml, mods, libretto or json */
      recordSchema?: string
      /** xml or string (1.1, 1.2) */
      recordPacking?: string
      /** xml or string (2.0) */
      recordXMLEscaping?: string
      /** Beside `sortBy` in the query */
      sortKeys?: string
      /** An index, a relation and the term to begin at */
      scanClause?: string
      /** Where in the answer the term stands */
      responsePosition?: string
      /** 20 where it is not given, at most 100 */
      maximumTerms?: string
    }
    answer: string
  }
  /** SRU over records of other types */
  'GET /sru/{database}': {
    path: {
      /** A type, an umbrella, a family (bibliographic, related, stage, other), or `all` */
      database: string
    }
    query: {
      /** 1.1, 1.2 or 2.0; 2.0 where neither it nor `operation` is given */
      version?: string
      /** explain, searchRetrieve or scan; 2.0 needs none */
      operation?: string
      /** CQL */
      query?: string
      /** From 1 */
      startRecord?: string
      /** 10 where it is not given, at most 100 */
      maximumRecords?: string
      /** dc, marcxml, mods, libretto or json */
      recordSchema?: string
      /** xml or string (1.1, 1.2) */
      recordPacking?: string
      /** xml or string (2.0) */
      recordXMLEscaping?: string
      /** Beside `sortBy` in the query */
      sortKeys?: string
      /** An index, a relation and the term to begin at */
      scanClause?: string
      /** Where in the answer the term stands */
      responsePosition?: string
      /** 20 where it is not given, at most 100 */
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
    }
    body: undefined
    answer: Import[]
  }
  /** Import a file of records */
  'POST /imports': {
    path: {}
    query: {
      /** What the file is called, for people */
      name?: string
      /** How it is written, where it should not be guessed: iso2709, marcxml, json, mrk, onix, csv or ndjson */
      format?: string
      /** Whose record numbers these are, where records do not say so */
      agency?: string
      /** For CSV: which column means what, as JSON; guessed from the header otherwise */
      mapping?: string
      /** 1 lets relations of NDJSON refer to entities that do not exist */
      allow_dangling?: 0 | 1
      /** 1 says what would happen and writes nothing */
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
      /** Only those after this number */
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
      /** Only those after this number */
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
      /** The id of the last question that was seen */
      after?: string
      /** 1 gives the questions that were answered */
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
      /** Whether the two are one work, or expression */
      verdict: 'same' | 'different'
    }[]
    answer: Answered
  }
  /** Read the source record of a manifestation, and why it belongs to its works */
  'GET /entities/{id}/origin': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {}
    body: undefined
    answer: Origin
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
  /** The issuers that people can sign in with */
  'GET /sign-in/issuers': {
    path: {}
    query: {}
    body: undefined
    answer: SignInIssuers
  }
  /** Where to send a browser so that somebody signs in */
  'POST /sign-in/start': {
    path: {}
    query: {}
    body: SignInStart
    answer: SignInAddress
  }
  /** Exchange what a browser came back with for a bearer */
  'POST /sign-in/finish': {
    path: {}
    query: {}
    body: SignInReturn
    answer: SignedIn
  }
  /** A fresh bearer for a refresh token of an issuer */
  'POST /sign-in/refresh': {
    path: {}
    query: {}
    body: SignInRefresh
    answer: SignedIn
  }
  /** Sign out: take back a refresh token, and find out where the issuer ends its session */
  'POST /sign-in/end': {
    path: {}
    query: {}
    body: SignInEnd
    answer: SignInAddress
  }
  /** The record types, with their fields and relations, and what the token may do with each */
  'GET /record-types': {
    path: {}
    query: {}
    body: undefined
    answer: RecordTypes
  }
  /** Whose token this is */
  'GET /me': {
    path: {}
    query: {}
    body: undefined
    answer: Me
  }
  /** The context of our JSON-LD */
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
      /** One query, as JSON or only its text */
      query?: string
      /** JSON: `{ids, properties}`, whose values are wanted */
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
      /** One query, as JSON or only its text */
      query?: string
      /** JSON: `{ids, properties}`, whose values are wanted */
      extend?: string
    }
    answer: { [key: string]: unknown }
  }
  /** Reconciliation: records whose name begins so */
  'GET /reconcile/suggest/entity': {
    path: {}
    query: {
      /** What was typed so far */
      prefix?: string
      /** Comma list of types, for entities */
      type?: string
    }
    body: undefined
    answer: {
      result: { [key: string]: unknown }[]
    }
  }
  /** Reconciliation: types whose name begins so */
  'GET /reconcile/suggest/type': {
    path: {}
    query: {
      /** What was typed so far */
      prefix?: string
      /** Comma list of types, for entities */
      type?: string
    }
    body: undefined
    answer: {
      result: { [key: string]: unknown }[]
    }
  }
  /** Reconciliation: properties whose name begins so */
  'GET /reconcile/suggest/property': {
    path: {}
    query: {
      /** What was typed so far */
      prefix?: string
      /** Comma list of types, for entities */
      type?: string
    }
    body: undefined
    answer: {
      result: { [key: string]: unknown }[]
    }
  }
  /** Reconciliation: the properties of a type whose values can be fetched */
  'GET /reconcile/properties': {
    path: {}
    query: {
      /** A type or an umbrella */
      type?: string
    }
    body: undefined
    answer: { [key: string]: unknown }
  }
  /** Reconciliation: a record on a card */
  'GET /reconcile/preview': {
    path: {}
    query: {
      /** Any identifier */
      id: string
    }
    body: undefined
    answer: string
  }
  /** The performances of a venue, company, booking agency, production or season as a calendar */
  'GET /entities/{id}/calendar.ics': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** Only performances that begin then or later: ISO 8601 */
      from?: string
      /** Only performances that begin then or earlier; a bare date means the end of that day */
      to?: string
      /** Instead of a bearer: made by `POST /tickets` with `entity_id` */
      ticket?: string
    }
    body: undefined
    answer: string
  }
  /** The performances of a venue, company, booking agency, production or season as a table */
  'GET /entities/{id}/programme.csv': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** Only performances that begin then or later: ISO 8601 */
      from?: string
      /** Only performances that begin then or earlier; a bare date means the end of that day */
      to?: string
    }
    body: undefined
    answer: string
  }
  /** Whether the process runs */
  'GET /health/live': {
    path: {}
    query: {}
    body: undefined
    answer: Health
  }
  /** Whether the service can answer requests */
  'GET /health/ready': {
    path: {}
    query: {}
    body: undefined
    answer: Health
  }
  /** This interface as an OpenAPI 3.1 document */
  'GET /openapi.json': {
    path: {}
    query: {}
    body: undefined
    answer: { [key: string]: unknown }
  }
  /** This interface as a page to read */
  'GET /docs': {
    path: {}
    query: {}
    body: undefined
    answer: string
  }
  /** What a problem means */
  'GET /problems/{name}': {
    path: {
      name: string
    }
    query: {}
    body: undefined
    answer: string
  }
  /** Send the bytes of a media file */
  'PUT /mediafiles/{id}/content': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** A ticket, instead of a bearer */
      ticket?: string
    }
    body: undefined
    answer: WrittenEntity
  }
  /** Send the bytes of a media file, also as a form */
  'POST /mediafiles/{id}/content': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** A ticket, instead of a bearer */
      ticket?: string
    }
    body: undefined
    answer: WrittenEntity
  }
  /** The bytes of a media file */
  'GET /mediafiles/{id}/content': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** A ticket, instead of a bearer */
      ticket?: string
    }
    body: undefined
    answer: string
  }
  /** A smaller picture of an image */
  'GET /mediafiles/{id}/thumbnail': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {
      /** A ticket, instead of a bearer */
      ticket?: string
      /** Pixels; never larger than the original */
      width?: 160 | 320 | 640 | 1280
    }
    body: undefined
    answer: string
  }
  /** What resumable uploads can do (tus 1.0.0) */
  'OPTIONS /mediafiles/{id}/uploads': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {}
    body: undefined
    answer: undefined
  }
  /** Begin a resumable upload of the bytes of a media file (tus 1.0.0) */
  'POST /mediafiles/{id}/uploads': {
    path: {
      /** Any identifier of the entity: its id, its UUID, or one a client added */
      id: string
    }
    query: {}
    body: undefined
    answer: null
  }
  /** Go on with an upload (tus 1.0.0) */
  'PATCH /uploads/{upload_id}': {
    path: {
      /** As the address of the upload has it */
      upload_id: string
    }
    query: {}
    body: undefined
    answer: undefined
  }
  /** Give up an upload */
  'DELETE /uploads/{upload_id}': {
    path: {
      /** As the address of the upload has it */
      upload_id: string
    }
    query: {}
    body: undefined
    answer: undefined
  }
}
