import { parentPort, workerData } from 'node:worker_threads'

import type { Entity } from '#domain/entity.ts'
import { createModel } from '#domain/model.ts'
import type { RecordType } from '#domain/record-type.ts'
import { type Base, type BaseBuilder, buildBase } from '#index/base.ts'
import { CatalogueIndex, emptyBase } from '#index/catalogue-index.ts'
import { toIndexedDocument } from '#index/document.ts'
import { type FindAnswer, find } from '#index/find.ts'
import { suggest } from '#index/suggest.ts'
import type { FinderState } from '../finding.ts'
import type { Question, SuggestionQuestion } from '../store.ts'
import { type Reply, type Request, toFailure, upReply } from '../worker-link.ts'

/* A thread that finds by an index, or builds one. It never speaks with the database: what it needs is handed to it. */

export interface DocumentRow {
  readonly number: number
  readonly changed: number
  readonly document: string
}

/** What the index of a thread must know before it answers. */
export interface KeepingUp {
  /** A newer base; 'none' for beginning with nothing. Undefined for going on with what is there. */
  readonly base: Base | 'none' | undefined
  /** The last change that the index is taken to know of, after the base was taken. */
  readonly from: number
  /** What happened since, up to a change. */
  readonly change: number
  readonly written: readonly DocumentRow[]
  readonly removed: readonly string[]
  /** How long, in milliseconds, the answer may take. */
  readonly timeLeft: number
}

export type IndexRequest =
  | {
      readonly kind: 'find'
      readonly keepingUp: KeepingUp
      readonly question: Question
      /** The last changes of documents at the beginning of a walk, where the thread asked for them. */
      readonly before?: readonly (readonly [number: number, changed: number])[]
    }
  | { readonly kind: 'suggest'; readonly keepingUp: KeepingUp; readonly question: SuggestionQuestion }
  | { readonly kind: 'add'; readonly rows: readonly DocumentRow[] }
  | { readonly kind: 'build'; readonly change: number }

/** `isLost`: the index is not the one it was taken for, since the thread was started anew. */
export type IndexReply =
  | { readonly kind: 'found'; readonly answer: FindAnswer; readonly state: FinderState }
  | { readonly kind: 'suggested'; readonly numbers: readonly number[]; readonly state: FinderState }
  /** It has to be told what the last changes of these documents were, up to a change. */
  | {
      readonly kind: 'needs'
      readonly numbers: readonly number[]
      readonly change: number
      readonly state: FinderState
    }
  | { readonly kind: 'lost' }
  | { readonly kind: 'late'; readonly state: FinderState }

export interface IndexWorkerData {
  readonly recordTypes: readonly RecordType[]
}

class Late extends Error {}

class NeedsChanges extends Error {
  readonly numbers: readonly number[]
  readonly change: number

  constructor(numbers: readonly number[], change: number) {
    super('The last changes of some documents are needed')
    this.numbers = numbers
    this.change = change
  }
}

const { recordTypes } = workerData as IndexWorkerData
const model = createModel(recordTypes)
const port = parentPort
if (!port) throw new Error('index-worker.ts is started as a worker thread')

let index: CatalogueIndex | undefined
let builder: BaseBuilder | undefined

const toDocument = ({ number, changed, document }: DocumentRow) =>
  toIndexedDocument(model, JSON.parse(document) as Entity, number, changed)

function keepUp({ base, from, change, written, removed }: KeepingUp): CatalogueIndex | undefined {
  if (base !== undefined) index = new CatalogueIndex(model, base === 'none' ? emptyBase() : base)
  if (index?.change !== from) return undefined
  if (change > from || written.length > 0) index.apply({ change, written: written.map(toDocument), removed })
  return index
}

function answer(request: IndexRequest): unknown {
  if (request.kind === 'add') {
    builder ??= buildBase()
    for (const row of request.rows) builder.add(toDocument(row))
    return undefined
  }
  if (request.kind === 'build') {
    const base = (builder ?? buildBase()).done(request.change)
    builder = undefined
    return base
  }
  const stopAt = performance.now() + request.keepingUp.timeLeft
  const current = keepUp(request.keepingUp)
  if (!current) return { kind: 'lost' } satisfies IndexReply
  const state = { base: current.base.change, delta: current.delta.size, size: current.base.size, isBehind: false }
  const checkTime = () => {
    if (performance.now() > stopAt) throw new Late()
  }
  try {
    if (request.kind === 'suggest')
      return { kind: 'suggested', numbers: suggest(current, request.question, checkTime), state } satisfies IndexReply
    const before = request.before && new Map(request.before)
    const found = find(current, request.question, checkTime, (numbers, change) => {
      if (!before) throw new NeedsChanges(numbers, change)
      return before
    })
    return { kind: 'found', answer: found, state } satisfies IndexReply
  } catch (error) {
    if (error instanceof Late) return { kind: 'late', state } satisfies IndexReply
    if (!(error instanceof NeedsChanges)) throw error
    return { kind: 'needs', numbers: error.numbers, change: error.change, state } satisfies IndexReply
  }
}

port.on('message', ({ number, body }: Request<IndexRequest>) => {
  let reply: Reply
  try {
    reply = { number, result: answer(body) }
  } catch (error) {
    reply = { number, failure: toFailure(error) }
  }
  port.postMessage(reply)
})
port.postMessage(upReply)
