import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { metricText, type MetricFamily } from './metric-text.ts'

/** Maximum number of ports that are tried: processes on one machine take one each. */
const maxPorts = 100

export interface MetricsServer extends AsyncDisposable {
  readonly port: number
}

/**
 * Answers `GET /metrics` on a port of its own, which no client of the catalogue needs to reach. It
 * takes the first free port from the given one on.
 */
export async function startMetricsServer(
  { host, port }: { readonly host: string; readonly port: number },
  measure: () => Promise<readonly MetricFamily[]>
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.url?.split('?')[0] !== '/metrics' || !['GET', 'HEAD'].includes(request.method ?? '')) {
      response.writeHead(404).end('See /metrics\n')
      return
    }
    measure().then(
      families =>
        response
          .writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
          .end(metricText(families)),
      () => response.writeHead(503).end('The metrics cannot be read\n')
    )
  })
  await listen(server, host, port)
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    }
  }
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        // Exclusive: workers of one cluster would otherwise share the port.
        server.listen({ host, port: port === 0 ? 0 : port + tries - 1, exclusive: true }, () => {
          server.off('error', reject)
          resolve()
        })
      })
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || tries === maxPorts)
        throw new Error(`METRICS_PORT: cannot listen at ${host}:${port}: ${(error as Error).message}`, { cause: error })
    }
  }
}
