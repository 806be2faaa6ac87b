import type { IncomingMessage, ServerResponse } from 'node:http'

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

/** Logs and counts a request; `describe` is called when its answer has ended. */
export type Observe = (request: IncomingMessage, response: ServerResponse, describe: () => Described) => void

type Described = Pick<EndedRequest, 'requestId' | 'route' | 'principal'>

/**
 * Logs and counts requests. Adds nothing to them, and returns undefined, where neither is wanted: a
 * hook costs a get as much as its look-up (bench/get.ts).
 */
export function observeRequests(
  app: App,
  { requestLog, metrics, traces: traceSettings }: Observation
): Observe | undefined {
  const isLogged = requestLog.share > 0 || requestLog.hasFailures
  if (!isLogged && metrics === undefined && traceSettings === undefined) return undefined
  const traces = traceSettings && createTraceExport({ ...traceSettings, onFault: message => app.log.warn(message) })
  app.addHook('onClose', async () => traces?.[Symbol.asyncDispose]())
  const log = isLogged ? createRequestLog(requestLog, app.log, Math.random) : undefined
  const observe: Observe = (request, response, describe) => {
    const begun = performance.now()
    const { socket, method = '' } = request
    const before = socket.bytesWritten ?? 0
    metrics?.begin()
    response.once('close', () => {
      const ended: EndedRequest = {
        ...describe(),
        method,
        status: response.writableFinished ? response.statusCode : clientClosed,
        milliseconds: performance.now() - begun,
        bytes: Math.max(0, (socket.bytesWritten ?? 0) - before)
      }
      metrics?.end(ended)
      log?.(ended)
      traces?.add(ended, request.headers.traceparent as string | undefined)
    })
  }
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(requestIdHeader, request.id)
    observe(request.raw, reply.raw, () => ({
      requestId: request.id,
      route: request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown'),
      // Null until a bearer was accepted.
      principal: request.principal?.name
    }))
    done()
  })
  return observe
}

/** The header with the id of a request, where requests are observed. */
export const requestIdHeader = 'x-request-id'
