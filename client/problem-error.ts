import type { Problem } from './api.ts'

/** The known codes; a newer service may send others. */
export type ProblemCode = Problem['code']

/**
 * A problem reported by the service (RFC 9457). `code` is stable, the wording of `message` is not.
 */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly problem: Problem
  readonly code: ProblemCode
  readonly status: number
  /** The faults with their JSON pointers; empty if the problem has none. */
  readonly errors: readonly { readonly pointer: string; readonly message: string }[]
  /** Seconds after which to try again, if the service sent them. */
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

/** No answer came, or one of something else, such as a proxy. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}

/** Whether an error is a problem of the service, with one of these codes if any are given. */
export function isProblem(error: unknown, ...codes: readonly ProblemCode[]): error is ProblemError {
  return error instanceof ProblemError && (codes.length === 0 || codes.includes(error.code))
}

/** Reads the problem from an error response. */
export async function problemOf(response: Response): Promise<ProblemError | ConnectionError> {
  const text = await response.text().catch(() => '')
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  try {
    const problem: unknown = JSON.parse(text)
    if (isProblemDocument(problem)) return new ProblemError(problem, Number.isNaN(retryAfter) ? undefined : retryAfter)
  } catch {
    // Not JSON: reported below.
  }
  return new ConnectionError(`The answer is not one of the service: ${response.status} ${response.statusText}`.trim())
}

function isProblemDocument(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false
  const { code, status, detail } = value as Readonly<Record<string, unknown>>
  return typeof code === 'string' && typeof status === 'number' && typeof detail === 'string'
}
