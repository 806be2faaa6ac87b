import { randomBytes } from 'node:crypto'

import type { EndedRequest } from './request-log.ts'

/*
 * Sends a span for each request to an OpenTelemetry collector: OTLP over HTTP, as JSON.
 * https://opentelemetry.io/docs/specs/otlp/
 */

/** Maximum number of spans that wait to be sent; more are dropped while the collector is away. */
const maxWaiting = 2048
/** Milliseconds between two messages to the collector. */
const interval = 2000
const maxSending = 5000

const serverKind = 2
const errorStatus = 2

export interface TraceExport extends AsyncDisposable {
  /** Adds the span of a request that has ended. `parent` is its header `traceparent`. */
  add(request: EndedRequest, parent: string | string[] | undefined): void
}

export interface TraceSettings {
  /** The address of the collector, without `/v1/traces`. */
  readonly endpoint: string
  /** Further headers of each message, such as a key of the collector. */
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
  readonly version: string
  /** Told once when the collector begins to refuse spans or is away. */
  onFault(message: string): void
}

export function createTraceExport({ onFault, ...settings }: TraceSettings): TraceExport {
  const { endpoint, headers } = settings
  let waiting: object[] = []
  let isFailing = false
  const send = async () => {
    if (waiting.length === 0) return
    const spans = waiting
    waiting = []
    const fault = await post(`${endpoint}/v1/traces`, headers, messageOf(settings, spans))
    if (fault !== undefined && !isFailing) onFault(`Traces cannot be sent to ${new URL(endpoint).host}: ${fault}`)
    isFailing = fault !== undefined
  }
  const timer = setInterval(() => void send(), interval)
  timer.unref()
  return {
    add(request, parent) {
      const context = contextOf(parent)
      if (context.isSampled && waiting.length < maxWaiting) waiting.push(spanOf(request, context))
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await send()
    }
  }
}

/** Returns what went wrong, or undefined. */
async function post(url: string, headers: TraceSettings['headers'], body: object): Promise<string | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(maxSending)
    })
    await response.body?.cancel()
    return response.ok ? undefined : `status ${response.status}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

interface TraceContext {
  readonly traceId: string
  readonly parentSpanId: string | undefined
  readonly isSampled: boolean
}

/** Reads the header `traceparent` (https://www.w3.org/TR/trace-context/), or begins a trace. */
function contextOf(parent: string | string[] | undefined): TraceContext {
  const [, traceId, parentSpanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(String(parent)) ?? []
  if (traceId === undefined || /^0+$/.test(traceId))
    return { traceId: randomBytes(16).toString('hex'), parentSpanId: undefined, isSampled: true }
  return { traceId, parentSpanId, isSampled: (Number.parseInt(flags ?? '0', 16) & 1) === 1 }
}

function spanOf(request: EndedRequest, { traceId, parentSpanId }: TraceContext): object {
  const end = Date.now()
  const nanoseconds = (milliseconds: number) => String(BigInt(Math.round(milliseconds * 1000)) * 1000n)
  return {
    traceId,
    spanId: randomBytes(8).toString('hex'),
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    name: `${request.method} ${request.route}`,
    kind: serverKind,
    startTimeUnixNano: nanoseconds(end - request.milliseconds),
    endTimeUnixNano: nanoseconds(end),
    attributes: [
      text('http.request.method', request.method),
      text('http.route', request.route),
      { key: 'http.response.status_code', value: { intValue: String(request.status) } },
      text('libretto.request_id', request.requestId)
    ],
    ...(request.status >= 500 ? { status: { code: errorStatus } } : {})
  }
}

const text = (key: string, stringValue: string) => ({ key, value: { stringValue } })

const messageOf = ({ serviceName, version }: Omit<TraceSettings, 'onFault'>, spans: readonly object[]) => ({
  resourceSpans: [
    {
      resource: { attributes: [text('service.name', serviceName), text('service.version', version)] },
      scopeSpans: [{ scope: { name: 'libretto', version }, spans }]
    }
  ]
})
