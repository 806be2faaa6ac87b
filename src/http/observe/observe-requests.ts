import type { App } from '../openapi/typebox-provider.ts'
import { createRequestLog, type EndedRequest, type RequestLogging } from './request-log.ts'
import type { RequestMetrics } from './request-metrics.ts'
import { createTraceExport, type TraceSettings } from './trace-export.ts'

/** The status of a request whose client went away before the answer was sent, as nginx has it. */
const clientClosed = 499

export interface Observation {
  readonly requestLog: RequestLogging
  /** Undefined where nobody asks for metrics. */
  readonly metrics: RequestMetrics | undefined
  /** Undefined where there is no collector of traces. */
  readonly traces: Omit<TraceSettings, 'onFault'> | undefined
}

/**
 * Logs and counts requests. Adds nothing to them where neither is wanted: a hook costs a get as
 * much as its look-up (bench/get.ts).
 */
export function observeRequests(app: App, { requestLog, metrics, traces: traceSettings }: Observation) {
  const isLogged = requestLog.share > 0 || requestLog.hasFailures
  if (!isLogged && metrics === undefined && traceSettings === undefined) return
  const traces = traceSettings && createTraceExport({ ...traceSettings, onFault: message => app.log.warn(message) })
  app.addHook('onClose', async () => traces?.[Symbol.asyncDispose]())
  const log = isLogged ? createRequestLog(requestLog, app.log, Math.random) : undefined
  app.addHook('onRequest', (request, reply, done) => {
    const begun = performance.now()
    const { socket } = request.raw
    const before = socket.bytesWritten ?? 0
    metrics?.begin()
    reply.header('x-request-id', request.id)
    reply.raw.once('close', () => {
      const ended: EndedRequest = {
        requestId: request.id,
        method: request.method,
        route: request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown'),
        status: reply.raw.writableFinished ? reply.raw.statusCode : clientClosed,
        milliseconds: performance.now() - begun,
        bytes: Math.max(0, (socket.bytesWritten ?? 0) - before),
        // Null until a bearer was accepted.
        principal: request.principal?.name
      }
      metrics?.end(ended)
      log?.(ended)
      traces?.add(ended, request.headers.traceparent)
    })
    done()
  })
}
