import { QueryClient, queryOptions } from '@tanstack/react-query'

import { type Client, ConnectionError, isProblem, type ProblemError } from '../../../client/index.ts'
import { createSignedClient } from './token-refresh.ts'
import { type Credentials, currentCredentials } from './token-storage.ts'

/** A client of the signed-in user, and the cache of its answers. */
export interface Connection {
  readonly client: Client
  readonly queries: QueryClient
}

interface FirstConnection extends Connection {
  readonly credentials: Credentials
  onLost: () => void
}

let first: FirstConnection | undefined

/**
 * The connection that is made before anything is drawn, so that answers which are there already are
 * part of the first picture. None if nobody is signed in.
 */
export function connectEarly(): Connection | undefined {
  const credentials = currentCredentials()
  if (!credentials) return undefined
  // A loss before the page is there is noticed again by its own requests.
  const made: FirstConnection = {
    ...connect(() => made.onLost()),
    credentials,
    onLost() {}
  }
  first = made
  return made
}

/** The connection for these credentials: the early one, if it was made with the same. */
export function connectionFor(onLost: () => void): Connection {
  if (first === undefined || first.credentials !== currentCredentials()) return connect(onLost)
  first.onLost = onLost
  return first
}

const connect = (onLost: () => void): Connection => ({ client: createSignedClient(onLost), queries: createQueries() })

/** The user with the tables of the record types: what every page needs. */
export const sessionQuestion = (client: Client) =>
  queryOptions({
    queryKey: ['session'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const [me, { data }] = await Promise.all([client.me({ signal }), client.send('GET /record-types', { signal })])
      return { me, tables: data }
    }
  })

/**
 * Answers are cached briefly and fetched again when the window gets the focus. Refused requests are
 * not repeated.
 */
function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: mayRetry,
        retryDelay
      },
      // Without a connection a form says so at once, and its content stays.
      mutations: { networkMode: 'always' }
    }
  })
}

/** Maximum number of retries after a lost connection, and after "try again later" (429 and 503). */
const maxRetries = { lost: 2, later: 4 }

/** Milliseconds before a retry where the service names no time, and at most. */
const delays = { default: 1_000, max: 10_000 }

const isLater = (error: Error): error is ProblemError =>
  isProblem(error, 'unavailable', 'query_timeout', 'rate_limited')

function mayRetry(failures: number, error: Error): boolean {
  if (error instanceof ConnectionError) return failures < maxRetries.lost
  return isLater(error) && error.retryAfter !== undefined && failures < maxRetries.later
}

/** Waits as long as the service asks for in `Retry-After`. */
function retryDelay(failures: number, error: Error): number {
  const seconds = isLater(error) ? error.retryAfter : undefined
  return Math.min(delays.max, seconds === undefined ? delays.default * 2 ** failures : Math.max(1, seconds) * 1_000)
}
