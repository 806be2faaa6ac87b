import { testStore } from '../databases/database.ts'

/* How much a test with chance in it does, and how to see it again. */

/** `LONG=1` asks for the long tier. */
export const isLong = process.env.LONG === '1'

/** `LONG_SHARE=0.1` runs a tenth of the long tier. */
const longShare = Number(process.env.LONG_SHARE ?? 1)

/** Set by `npm test` without names of files. */
const isQuick = process.env.QUICK === '1'

/**
 * How many of something a generated test makes. `npm test` as a whole makes the quick number of it,
 * and `npm run test:thorough` runs each file that has one again, with the short number. On
 * PostgreSQL the same test asks for less: what does not depend on the database was shown on SQLite,
 * and both answer the same questions in the tests that compare them. Its long tier is a tenth of
 * that of SQLite.
 */
export function howMany(counts: {
  readonly quick?: number
  readonly short: number
  readonly long: number
  readonly onPostgres: number
}): number {
  if (isLong) return Math.ceil(counts.long * longShare * (testStore === 'postgres' ? 0.1 : 1))
  if (testStore === 'postgres') return counts.onPostgres
  return isQuick ? (counts.quick ?? counts.short) : counts.short
}

/** At most so many records of each type, since each type has tables of its own. */
export const someOfEachType = <T extends { readonly type: string }>(records: readonly T[], count: number): T[] =>
  [...Map.groupBy(records, each => each.type).values()].flatMap(each => each.slice(0, count))

/**
 * `SEED=…` repeats a run. Without it the short tier is the same each time, so that what fails is
 * what was changed; every run of the long tier is another.
 */
export const seed = Number(process.env.SEED ?? (isLong ? Math.floor(Math.random() * 2 ** 31) : 2026))

/**
 * Runs a test so that its failure says how to see it again; `after` clears up whether it fails or
 * not.
 */
export async function repeatable(work: (after: (cleanUp: () => void | Promise<void>) => void) => Promise<void>) {
  const cleanUps: (() => void | Promise<void>)[] = []
  try {
    await work(cleanUp => cleanUps.unshift(cleanUp))
  } catch (cause) {
    const words = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`SEED=${seed} shows this again\n${words}`, { cause })
  } finally {
    for (const cleanUp of cleanUps) await cleanUp()
  }
}

/**
 * The parts of the long tier of a test, of which each is a test of its own, with its own chance: a
 * number of cases of at most this size. The short tier has one part.
 */
export function partsOf(
  count: number,
  maxSize: number
): { readonly says: string; readonly count: number; readonly chance: () => Chance }[] {
  const parts = Math.ceil(count / maxSize)
  return Array.from({ length: parts }, (_, part) => ({
    says: parts === 1 ? '' : `, part ${part + 1} of ${parts}`,
    count: Math.min(maxSize, count - part * maxSize),
    chance: () => createChance(seed + part)
  }))
}

/**
 * Random numbers that a seed repeats (mulberry32): for tests that make far more values than
 * fast-check is quick enough for.
 */
export interface Chance {
  /** A whole number below the bound. */
  below(bound: number): number
  /** True once in so many times. */
  oneIn(times: number): boolean
  pick<T>(from: readonly [T, ...T[]]): T
  pickOr<T>(from: readonly T[], otherwise: T): T
}

export function createChance(start: number): Chance {
  let state = start >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (bound: number) => Math.floor(next() * bound)
  return {
    below,
    oneIn: times => below(times) === 0,
    pick: from => from[below(from.length)] ?? from[0],
    pickOr: (from, otherwise) => from[below(from.length)] ?? otherwise
  }
}

/** A copy of a list in random order. */
export function shuffle<T>(list: readonly T[], chance: Chance): T[] {
  const all = [...list]
  for (let at = all.length - 1; at > 0; at--) {
    const other = chance.below(at + 1)
    ;[all[at], all[other]] = [all[other] as T, all[at] as T]
  }
  return all
}
