import { monitorEventLoopDelay } from 'node:perf_hooks'

import type { MetricFamily } from '#http/observe/metric-text.ts'
import type { RequestMetrics } from '#http/observe/request-metrics.ts'
import type { Libretto } from '../main.ts'
import { version } from '../version.ts'
import { createImportMeasurement } from './measure-imports.ts'
import { counter, gauge, one } from './metric-families.ts'

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
      ...indexFamilies(libretto),
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
    counter('process_cpu_seconds_total', 'Processor time of all threads.', one((user + system) / 1e6)),
    gauge('process_start_time_seconds', 'Start of the process, since 1970.', one(Date.now() / 1000 - process.uptime()))
  ]
}

function cacheFamilies({ parts }: Libretto): MetricFamily[] {
  const { bytes, entries } = parts.cache.measure()
  return [
    gauge('libretto_cache_bytes', 'Estimated memory of cached answers.', one(bytes)),
    gauge('libretto_cache_entries', 'Cached answers, pages and summaries.', one(entries))
  ]
}

/** The index in memory, by which this process answers lists and searches. */
function indexFamilies({ store }: Libretto): MetricFamily[] {
  const state = store.findingState()
  const { builtAt, snapshot } = state
  return [
    gauge(
      'libretto_index_ready',
      'Whether lists and searches are answered; 0 while an index is built and there is none.',
      one(Number(state.isReady))
    ),
    gauge(
      'libretto_index_age_seconds',
      'Time since the base of the index was made. Later changes are applied to it, so answers are never older.',
      builtAt === undefined ? [] : one((Date.now() - builtAt) / 1000)
    ),
    gauge(
      'libretto_index_lag_changes',
      'Changes since the base of the index was made, which queries apply to it.',
      one(state.missingChanges)
    ),
    gauge('libretto_index_records', 'Records in the base of the index.', one(state.records ?? 0)),
    gauge('libretto_index_bytes', 'Memory of the base of the index.', one(state.bytes)),
    counter('libretto_index_answered_total', 'Queries that the index answered.', one(state.answered)),
    counter(
      'libretto_index_refused_total',
      'Queries that were refused because there was no index.',
      one(state.turnedAway)
    ),
    counter('libretto_index_builds_total', 'Bases of the index that were made.', one(state.builds)),
    counter('libretto_index_faults_total', 'Faults of the index, after which it was built again.', one(state.faults)),
    gauge(
      'libretto_index_snapshot_saved_seconds',
      'When this process last saved a snapshot of the index, since 1970.',
      snapshot.savedAt === undefined ? [] : one(snapshot.savedAt / 1000)
    ),
    counter(
      'libretto_index_snapshot_failures_total',
      'Attempts to save a snapshot of the index that failed.',
      one(snapshot.failures)
    )
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
  return [
    gauge(
      'libretto_replica_lag_changes',
      'Changes that a replica lacked when it was last asked.',
      samples('missingChanges')
    ),
    counter('libretto_replica_answered_total', 'Queries that a replica answered.', samples('answered')),
    counter(
      'libretto_replica_passed_on_total',
      'Queries that the primary answered because the replica was behind, ahead or away.',
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
