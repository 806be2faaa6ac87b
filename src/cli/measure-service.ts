import { monitorEventLoopDelay } from 'node:perf_hooks'

import type { MetricFamily, MetricSample } from '#http/observe/metric-text.ts'
import type { RequestMetrics } from '#http/observe/request-metrics.ts'
import type { Libretto } from '../main.ts'
import { version } from '../version.ts'
import { createImportMeasurement } from './measure-imports.ts'
import { gauge, one } from './metric-families.ts'

/** Milliseconds between two measurements of the event loop. */
const resolution = 10

/** Returns a function that measures the service, for Prometheus. */
export function createMeasurement(libretto: Libretto, requests: RequestMetrics): () => Promise<MetricFamily[]> {
  const delay = monitorEventLoopDelay({ resolution })
  delay.enable()
  const takeLongestTurn = monitorTurns()
  const measureImports = createImportMeasurement(libretto.imports)
  return async () => {
    const lag = [
      { labels: { statistic: 'median' }, value: delay.percentile(50) / 1e9 },
      { labels: { statistic: 'p99' }, value: delay.percentile(99) / 1e9 },
      { labels: { statistic: 'max' }, value: delay.max / 1e9 }
    ]
    delay.reset()
    return [
      gauge('libretto_info', 'The version of Libretto and of Node.', [
        { labels: { version, node: process.versions.node }, value: 1 }
      ]),
      ...requests.families(),
      gauge('libretto_event_loop_lag_seconds', 'Delay of the event loop since the last scrape.', lag),
      gauge(
        'libretto_event_loop_busy_seconds',
        'Most processor time that the event loop used without a pause since the last scrape. A longer delay is due to the machine.',
        one(takeLongestTurn())
      ),
      ...processFamilies(),
      gauge(
        'libretto_leader',
        'Whether this process sends webhooks and cleans up.',
        one(Number(libretto.leadership.isHeld()))
      ),
      ...cacheFamilies(libretto),
      ...databaseFamilies(libretto),
      ...replicaFamilies(libretto),
      ...(await measureImports()),
      ...(await webhookFamilies(libretto))
    ]
  }
}

/**
 * Returns a function that takes the most processor time, in seconds, that the main thread used
 * between two measurements.
 */
function monitorTurns(): () => number {
  const used = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1e6
  }
  let [before, longest] = [used(), 0]
  setInterval(() => {
    const now = used()
    longest = Math.max(longest, now - before)
    before = now
  }, resolution).unref()
  return () => {
    const taken = longest
    longest = 0
    return taken
  }
}

function processFamilies(): MetricFamily[] {
  const { rss, heapUsed, external } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return [
    gauge('process_resident_memory_bytes', 'Resident memory.', one(rss)),
    gauge('nodejs_heap_size_used_bytes', 'Used heap of the main thread.', one(heapUsed)),
    gauge('nodejs_external_memory_bytes', 'Memory outside the heap.', one(external)),
    {
      name: 'process_cpu_seconds_total',
      help: 'Processor time of all threads.',
      type: 'counter',
      samples: one((user + system) / 1e6)
    },
    gauge('process_start_time_seconds', 'Start of the process, since 1970.', one(Date.now() / 1000 - process.uptime()))
  ]
}

function cacheFamilies({ parts }: Libretto): MetricFamily[] {
  const { bytes, entries } = parts.cache.measure()
  return [
    gauge('libretto_cache_bytes', 'Estimated memory of cached answers.', one(bytes)),
    gauge('libretto_cache_entries', 'Cached answers and summaries.', one(entries))
  ]
}

function databaseFamilies({ store }: Libretto): MetricFamily[] {
  const pools = Object.entries(store.measure?.() ?? {})
  const samples = (member: 'open' | 'busy' | 'waiting') =>
    pools.map(([pool, state]) => ({ labels: { pool }, value: state[member] }))
  return [
    gauge('libretto_database_connections', 'Open connections to PostgreSQL.', samples('open')),
    gauge('libretto_database_connections_busy', 'Connections in use.', samples('busy')),
    gauge('libretto_database_waiting', 'Queries that wait for a connection.', samples('waiting'))
  ]
}

function replicaFamilies({ store }: Libretto): MetricFamily[] {
  const replicas = store.measureReplicas?.() ?? []
  const samples = (member: 'missingChanges' | 'answered' | 'passedOn') =>
    replicas.map(({ server, ...state }) => ({ labels: { server }, value: state[member] }))
  const counter = (name: string, help: string, list: readonly MetricSample[]): MetricFamily => ({
    name,
    help,
    type: 'counter',
    samples: list
  })
  return [
    gauge(
      'libretto_replica_lag_changes',
      'Changes that a replica lacked when it was last asked.',
      samples('missingChanges')
    ),
    counter('libretto_replica_answered_total', 'Queries that a replica answered.', samples('answered')),
    counter(
      'libretto_replica_passed_on_total',
      'Queries that the primary answered because the replica was behind or away.',
      samples('passedOn')
    )
  ]
}

async function webhookFamilies({ store }: Libretto): Promise<MetricFamily[]> {
  const webhooks = await store.listWebhooks()
  const { newest } = await store.feedState()
  const labelled = webhooks.map(webhook => ({ webhook, labels: { webhook: webhook.id } }))
  const states = Map.groupBy(webhooks, ({ state }) => state)
  return [
    gauge(
      'libretto_webhooks',
      'Webhooks by state.',
      [...states].map(([state, list]) => ({ labels: { state }, value: list.length }))
    ),
    gauge(
      'libretto_webhook_lag_changes',
      'Changes after the last one that a webhook was told of or skipped.',
      labelled.map(({ webhook, labels }) => ({ labels, value: Math.max(0, newest - webhook.cursor) }))
    ),
    gauge(
      'libretto_webhook_failing_seconds',
      'Time since deliveries to a webhook began to fail; 0 if the last one succeeded.',
      labelled.map(({ webhook: { failingSince }, labels }) => ({
        labels,
        value: failingSince === null ? 0 : (Date.now() - Date.parse(failingSince)) / 1000
      }))
    )
  ]
}
