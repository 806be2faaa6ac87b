import { readdirSync, statSync } from 'node:fs'

import { postgresDialect } from '#store/postgres/dialect.ts'
import { sqliteDialect } from '#store/sqlite/dialect.ts'
import { runStatement } from '../databases/database.ts'
import type { ServerProcess } from '../services/server-process.ts'
import { findMetrics } from '../services/watched-service.ts'
import { openCollector } from './collect-garbage.ts'

/*
 * Measures what a service holds while it works, again and again, and judges whether that grows. Its
 * garbage is collected before each measurement; the lowest values of the last quarter are compared
 * with those of the second, since the first is for caches to fill.
 */

/** A service, and where it leaves files. */
export interface MeasuredService {
  /** Started with `METRICS_PORT`, and `--inspect=127.0.0.1:0` in `NODE_OPTIONS`. */
  readonly server: ServerProcess
  readonly databaseUrl: string
  readonly folders: readonly string[]
}

/** Memory in bytes, and numbers of other things, that a service holds at one moment. */
export interface Holding {
  readonly heap: number
  readonly external: number
  readonly resident: number
  readonly handles: number
  readonly threads: number
  readonly files: number
  readonly database: number
  /** The number of changes so far. */
  readonly written: number
}

export type Held = Exclude<keyof Holding, 'written'>

/** How much may be held more in the last quarter than in the second. */
export type GrowthLimits = Readonly<Record<Exclude<Held, 'database'>, number>> & {
  /** Bytes of the database for each change meanwhile, and beside these. */
  readonly database: { readonly perChange: number; readonly besides: number }
}

export interface Measurement extends Disposable {
  /** Collects the garbage, and measures. */
  take(): Promise<Holding>
}

/** Needs `/proc`. */
export async function openMeasurement({ server, databaseUrl, folders }: MeasuredService): Promise<Measurement> {
  const { pid } = server.child
  const metrics = await findMetrics(server)
  const collector = await openCollector(server)
  const countFiles = () => folders.reduce((sum, folder) => sum + listAll(folder).length, 0)
  return {
    async take() {
      await collector.collect()
      const text = await (await fetch(metrics)).text()
      const metric = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
      return {
        heap: metric('nodejs_heap_size_used_bytes'),
        external: metric('nodejs_external_memory_bytes'),
        resident: metric('process_resident_memory_bytes'),
        handles: readdirSync(`/proc/${pid}/fd`).length,
        threads: readdirSync(`/proc/${pid}/task`).length,
        files: countFiles(),
        ...(await measureDatabase(databaseUrl))
      }
    },
    // A process does not end while somebody inspects it.
    [Symbol.dispose]: () => collector.close()
  }
}

/** A file may go while its folder is read. */
function listAll(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true }) as string[]
  } catch {
    return []
  }
}

async function measureDatabase(url: string): Promise<Pick<Holding, 'database' | 'written'>> {
  const isFile = url.startsWith('sqlite:')
  const { newestChange } = isFile ? sqliteDialect : postgresDialect
  const size = isFile ? statSync(url.slice('sqlite:'.length)).size : 'pg_database_size(current_database())'
  const [row] = await runStatement(url, `SELECT ${newestChange} AS written, ${size} AS size`)
  return { database: Number(row?.size), written: Number(row?.written) }
}

/** Describes what grew by more than its limit, by its name. */
export function findGrowth(holdings: readonly Holding[], limits: GrowthLimits): Map<Held, string> {
  const grown = growthOf(holdings)
  const maxima = {
    ...limits,
    database: limits.database.besides + limits.database.perChange * grown.written
  }
  const names = Object.keys(maxima) as Held[]
  return new Map(
    names
      .filter(name => !(grown[name] <= maxima[name]))
      .map(name => [name, `${name} grew by ${grown[name]}, at most ${maxima[name]} is allowed`])
  )
}

/** The growth from the second quarter to the last. */
export function growthOf(holdings: readonly Holding[]): Holding {
  const quarter = Math.floor(holdings.length / 4)
  if (quarter === 0) throw new Error(`${holdings.length} measurements are too few to judge`)
  const [second, last] = [holdings.slice(quarter, 2 * quarter), holdings.slice(-quarter)]
  const least = (part: readonly Holding[], name: keyof Holding) => Math.min(...part.map(each => each[name]))
  const names = Object.keys(holdings[0] ?? {}) as (keyof Holding)[]
  return Object.fromEntries(names.map(name => [name, least(last, name) - least(second, name)])) as unknown as Holding
}
