import type { MetricFamily, MetricSample } from './metric-text.ts'
import type { EndedRequest } from './request-log.ts'

/** Upper bounds of the buckets of durations, in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

interface Durations {
  readonly method: string
  readonly route: string
  /** Requests in each bucket alone, and above the last bound. */
  readonly counts: number[]
  seconds: number
}

/** Counts requests by route and status, and how long they took. */
export interface RequestMetrics {
  begin(): void
  end(request: EndedRequest): void
  families(): MetricFamily[]
}

export function createRequestMetrics(): RequestMetrics {
  const counts = new Map<string, { readonly labels: Readonly<Record<string, string>>; value: number }>()
  const durations = new Map<string, Durations>()
  let inFlight = 0
  let bytes = 0

  return {
    begin() {
      inFlight++
    },
    end({ method, route, status, milliseconds, bytes: sent }) {
      inFlight--
      bytes += sent
      const key = `${method} ${route}`
      const statusKey = `${key} ${status}`
      const count = counts.get(statusKey)
      if (count) count.value++
      else counts.set(statusKey, { labels: { method, route, status: String(status) }, value: 1 })
      const seconds = milliseconds / 1000
      const known = durations.get(key) ?? { method, route, counts: bounds.map(() => 0).concat(0), seconds: 0 }
      durations.set(key, known)
      const bucket = bounds.findIndex(bound => seconds <= bound)
      const place = bucket === -1 ? bounds.length : bucket
      known.counts[place] = (known.counts[place] ?? 0) + 1
      known.seconds += seconds
    },
    families: () => [
      {
        name: 'libretto_http_requests_total',
        help: 'Requests that have ended; 499 if the client went away.',
        type: 'counter',
        samples: [...counts.values()]
      },
      {
        name: 'libretto_http_request_duration_seconds',
        help: 'Time from the arrival of a request to the end of its answer.',
        type: 'histogram',
        samples: [...durations.values()].flatMap(samplesOf)
      },
      {
        name: 'libretto_http_requests_in_flight',
        help: 'Requests that have not ended, event streams included.',
        type: 'gauge',
        samples: [{ value: inFlight }]
      },
      {
        name: 'libretto_http_sent_bytes_total',
        help: 'Bytes of answers, with headers.',
        type: 'counter',
        samples: [{ value: bytes }]
      }
    ]
  }
}

/** Buckets are cumulative: each counts all requests up to its bound. */
function samplesOf({ method, route, counts, seconds }: Durations): MetricSample[] {
  let sum = 0
  const buckets = counts.map((count, index) => {
    sum += count
    return { suffix: '_bucket', labels: { method, route, le: String(bounds[index] ?? '+Inf') }, value: sum }
  })
  const labels = { method, route }
  return [...buckets, { suffix: '_sum', labels, value: seconds }, { suffix: '_count', labels, value: sum }]
}
