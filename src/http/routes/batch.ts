import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import { WeighedLine } from '#catalogue/batches/weighed-line.ts'
import { maxAtomicBatch as maxArrayLength } from '#catalogue/batches/write-atomic-batch.ts'
import type { BatchOutcome, BatchResult } from '#catalogue/batches/write-batch.ts'
import { CatalogueError } from '#domain/errors.ts'
import { HttpError, logFailure, type Problem, readableTypes, toProblem } from '../reply/errors.ts'
import { requestKey } from '../access/idempotency.ts'
import { countValues, maxValuesIn, readJsonBody } from '../body/json-body.ts'
import { rightsOf, whileInForce } from '../access/lasting-rights.ts'
import { createLineSink } from '../body/line-sink.ts'
import {
  checkedByDomain,
  CreateQuery,
  Fault,
  flag,
  maxWholeNumber,
  Problem as ProblemSchema
} from '../schemas/common.ts'
import { AnyJson } from '../schemas/entity.ts'
import { MergeOutcome, UnmergeOutcome } from '../schemas/history.ts'
import type { App } from '../openapi/typebox-provider.ts'
import { route } from '../openapi/route.ts'

const lineMediaTypes = ['application/x-ndjson', 'application/ndjson', 'application/jsonl'] as const

const BatchLine = Type.Object(
  {
    op: Type.String({ description: 'create, replace, patch, upsert, delete, merge or unmerge' }),
    id: Type.Optional(Type.String()),
    entity: Type.Optional(AnyJson),
    if_match: Type.Optional(Type.Integer({ maximum: maxWholeNumber, description: 'The version the entity must have' })),
    references: Type.Optional(Type.String({ description: '`detach`, for `delete`' })),
    victim_id: Type.Optional(Type.String({ description: 'The record that is merged into this one, or was' })),
    keep: Type.Optional(Type.String({ description: '`both`, for `merge`' }))
  },
  { $id: 'BatchLine', additionalProperties: true, description: 'The entity under `entity`, or its members beside `op`' }
)

const BatchLineResult = Type.Object(
  {
    index: Type.Integer({ minimum: 0 }),
    status: Type.Integer(),
    outcome: Type.String(),
    id: Type.Optional(Type.String()),
    version: Type.Optional(Type.Integer()),
    warnings: Type.Optional(Type.Array(Fault)),
    merge: Type.Optional(MergeOutcome),
    unmerge: Type.Optional(UnmergeOutcome),
    problem: Type.Optional(ProblemSchema)
  },
  { $id: 'BatchLineResult', additionalProperties: false }
)

const statusByOutcome: Record<Exclude<BatchOutcome, 'refused'>, number> = {
  created: 201,
  replaced: 200,
  patched: 200,
  unchanged: 200,
  merged: 200,
  unmerged: 200,
  deleted: 204
}

/** Many writes in one request. */
export function batchRoutes(app: App, catalogue: Catalogue, maxLineBytes: number) {
  // Lines are streamed, never collected. Only here: other routes would take the stream for a parsed
  // body.
  app.addContentTypeParser([...lineMediaTypes], (request, payload, done) => {
    const readable = readableTypes(request)
    if (['*/*', ...lineMediaTypes].some(type => readable.includes(type))) done(null, payload)
    else done(new HttpError('unsupported_media_type', 'Only /entities/batch reads lines of JSON; send one JSON value'))
  })

  app.post(
    '/entities/batch',
    route(
      {
        querystring: Type.Object({
          atomic: flag('1 writes all or none, in one transaction; at most 10,000 operations'),
          ...CreateQuery.properties
        }),
        body: checkedByDomain(Type.Array(BatchLine)),
        response: { 200: Type.Array(BatchLineResult) }
      },
      {
        tag: 'Entities',
        needs: 'write or delete',
        summary: 'Create, change, delete and merge many entities',
        description:
          'A JSON array, or NDJSON of any length, streamed. One result for each line, in order, each with its status. A record may refer to a later one within 500 lines, or anywhere in an atomic batch. `merge` and `unmerge` have the survivor as `id` and the `victim_id`, and run one after the other, each in a transaction.',
        problems: [
          'invalid',
          'identifier_taken',
          'not_found',
          'version_mismatch',
          'still_referenced',
          'key_reused',
          'storage_full'
        ],
        consumes: ['application/json', ...lineMediaTypes],
        alsoProduces: [lineMediaTypes[0]],
        isStreamed: true
      }
    ),
    async (request, reply) => {
      const { atomic, allow_dangling, dry_run } = request.query
      const rights = rightsOf(request, reply)
      const options = {
        allowDangling: allow_dangling === 1,
        dryRun: dry_run === 1,
        once: requestKey(request),
        rights
      }
      const isLines = isStream(request.body)
      const lines = isLines
        ? readLines(whileInForce(request.body as unknown as Readable, rights), maxLineBytes)
        : readArray(request.body)
      const toLine = lineWriter()
      if (atomic === 1) {
        const results = (await catalogue.batches.writeAtomic(request.principal, lines, options)).map(toLine)
        if (!isLines) return reply.send(results)
        return reply.type(lineMediaTypes[0]).send(results.map(each => `${JSON.stringify(each)}\n`).join(''))
      }
      const results = catalogue.batches.write(request.principal, lines, options)
      if (!isLines) return reply.send((await Array.fromAsync(results)).map(toLine))
      await sendLines(request, reply, results)
      return reply
    }
  )
}

async function sendLines(request: FastifyRequest, reply: FastifyReply, results: AsyncIterable<BatchResult>) {
  const toLine = lineWriter()
  reply.hijack()
  reply.raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), 'content-type': lineMediaTypes[0] })
  await using sink = createLineSink(reply.raw)
  try {
    for await (const result of results) await sink.write(`${JSON.stringify(toLine(result))}\n`)
  } catch (error) {
    // Results sent so far remain valid; the last line reports the error.
    logFailure(request, error, 'A batch was cut short')
    await sink.write(`${JSON.stringify({ problem: toProblem(error) })}\n`)
  }
  await sink.end()
}

/**
 * Writes results as lines. Refusals have details until they fill their share of the answer, then
 * only their code.
 */
function lineWriter() {
  let left = maxRefusalBytes
  return (result: BatchResult) => {
    const line = toLine(result)
    if (!('problem' in line) || line.problem === undefined) return line
    if (left <= 0) return { ...line, problem: inShort(line.problem, result.error) }
    left -= JSON.stringify(line.problem).length
    return line
  }
}

function inShort(problem: Problem, error: CatalogueError | undefined): Problem {
  if (!error) return problem
  // An error costs as much as ten lines of an answer.
  const known = problemsInShort.get(error.code)
  if (known) return known
  const short = toProblem(new CatalogueError(error.code, 'Refused; details are omitted, since the answer is too long'))
  problemsInShort.set(error.code, short)
  return short
}

const problemsInShort = new Map<CatalogueError['code'], Problem>()

/** Maximum bytes of detailed refusals in one answer, exceeded by at most one. */
const maxRefusalBytes = 1_048_576

function toLine({ index, outcome, entity, merge, warnings, error }: BatchResult) {
  if (error || outcome === 'refused') {
    const problem = toProblem(error)
    return { index, status: problem.status, outcome: 'refused', problem }
  }
  return {
    index,
    status: statusByOutcome[outcome],
    outcome,
    ...(entity ? { id: entity.id, version: entity.version } : {}),
    ...(merge ? { id: merge.survivor_id, [outcome === 'merged' ? 'merge' : 'unmerge']: merge } : {}),
    ...(warnings && warnings.length > 0 ? { warnings } : {})
  }
}

function readArray(body: unknown): readonly unknown[] {
  if (Array.isArray(body) && body.length <= maxArrayLength) return body
  if (Array.isArray(body))
    throw new CatalogueError('invalid', `An array may hold at most ${maxArrayLength} operations; send more as NDJSON`, {
      faults: [{ pointer: `/${maxArrayLength}`, message: `An array may hold at most ${maxArrayLength} operations` }]
    })
  throw new HttpError('bad_request', 'A batch must be a JSON array of operations, or NDJSON', [
    { pointer: '', message: 'Must be an array' }
  ])
}

const isStream = (body: unknown) => typeof body === 'object' && body !== null && 'pipe' in body

/**
 * Reads NDJSON. A line that is not JSON yields an error and reading continues; a line that is too
 * long ends the request.
 */
async function* readLines(stream: AsyncIterable<Buffer>, maxLineBytes: number): AsyncGenerator<unknown> {
  const maxValues = maxValuesIn(maxLineBytes)
  /** The beginning of a line that has not ended, in pieces: joining them each time is quadratic. */
  let begun: Buffer[] = []
  let begunBytes = 0
  for await (const chunk of stream) {
    let from = 0
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      if (begunBytes + end - from > maxLineBytes) throw tooLong(maxLineBytes)
      yield* readLine(joined(begun, chunk.subarray(from, end)), maxValues)
      begun = []
      begunBytes = 0
      from = end + 1
    }
    begun.push(chunk.subarray(from))
    begunBytes += chunk.length - from
    if (begunBytes > maxLineBytes) throw tooLong(maxLineBytes)
  }
  yield* readLine(Buffer.concat(begun), maxValues)
}

const joined = (begun: readonly Buffer[], end: Buffer) => (begun.length === 0 ? end : Buffer.concat([...begun, end]))

const tooLong = (maxLineBytes: number) =>
  new HttpError('body_too_large', `A line may have at most ${maxLineBytes} bytes`)

const lineFeed = 0x0a

/**
 * Estimated memory of a JSON value beside its text: `{},{},…` takes some 60 bytes for each three
 * letters.
 */
const bytesPerValue = 24

function* readLine(line: Buffer, maxValues: number): Generator<unknown> {
  const trimmed = line.at(-1) === 0x0d ? line.subarray(0, -1) : line
  if (trimmed.length === 0) return
  try {
    yield new WeighedLine(readJsonBody(trimmed, maxValues), trimmed.length + bytesPerValue * countValues(trimmed))
  } catch (error) {
    yield new CatalogueError('invalid', (error as Error).message, {
      faults: [{ pointer: '', message: (error as Error).message }]
    })
  }
}
