import type { Problem } from './api.ts'

/** The codes there are; a newer service may send others. */
export type ProblemCode = Problem['code']

/** What the service refused, as it said it (RFC 9457). `code` outlives the wording of `message`. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly problem: Problem
  readonly code: ProblemCode
  readonly status: number
  /** Each place that is wrong, by its JSON pointer; empty where the problem is not about places. */
  readonly errors: readonly { readonly pointer: string; readonly message: string }[]
  /** Seconds after which it is worth asking again, where the service said so. */
  readonly retryAfter: number | undefined

  constructor(problem: Problem, retryAfter?: number) {
    super(problem.detail)
    this.problem = problem
    this.code = problem.code
    this.status = problem.status
    this.errors = problem.errors ?? []
    this.retryAfter = retryAfter
  }
}

/** No answer came, or one that is not of this service: it is away, or something between here and there answered in its place. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}

/** Whether something that was thrown is a problem that the service told, with one of these codes where any are named. */
export function isProblem(error: unknown, ...codes: readonly ProblemCode[]): error is ProblemError {
  return error instanceof ProblemError && (codes.length === 0 || codes.includes(error.code))
}

/** Reads the problem out of an answer that is none of the good ones. */
export async function problemOf(response: Response): Promise<ProblemError | ConnectionError> {
  const text = await response.text().catch(() => '')
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  try {
    const problem: unknown = JSON.parse(text)
    if (isProblemDocument(problem)) return new ProblemError(problem, Number.isNaN(retryAfter) ? undefined : retryAfter)
  } catch {
    // Not JSON: told below.
  }
  return new ConnectionError(`The answer is not one of the service: ${response.status} ${response.statusText}`.trim())
}

function isProblemDocument(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false
  const { code, status, detail } = value as Readonly<Record<string, unknown>>
  return typeof code === 'string' && typeof status === 'number' && typeof detail === 'string'
}
