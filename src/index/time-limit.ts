/*
 * The time that a query may take. A thread answers one query at a time, so one limit serves all
 * loops of the index: each loop over documents, values or occurrences takes steps.
 */

/** Tells the time, in milliseconds, and how many steps are taken between two looks at it. */
export interface StepClock {
  now(): number
  readonly steps: number
}

/** A look costs as much as some 20 steps, and a step takes up to some microseconds. */
const systemClock: StepClock = { now: () => performance.now(), steps: 512 }

let clock = systemClock
let stopAt = Number.POSITIVE_INFINITY
/** Steps until the next look at the clock. */
let left = systemClock.steps

/** The steps of a search by halving. */
export const stepsOfLookup = 16

/** Thrown in work that takes too long. */
export class TimeIsOver extends Error {}

/** Does work that may take some milliseconds; `TimeIsOver` is thrown in it when they are over. */
export function withinTime<T>(milliseconds: number, work: () => T, by = systemClock): T {
  clock = by
  left = clock.steps
  stopAt = clock.now() + milliseconds
  try {
    return work()
  } finally {
    stopAt = Number.POSITIVE_INFINITY
  }
}

/** Looks at the clock: before work that may take long. */
export function checkTime() {
  left = clock.steps
  if (clock.now() > stopAt) throw new TimeIsOver()
}

/** Takes one step of a loop, or several, and looks at the clock after some. */
export function step(count = 1) {
  left -= count
  if (left <= 0) checkTime()
}

/** The number of simple steps of which a loop takes as many at once. */
const partsOfLook = 8

/**
 * Begins a part of a loop whose steps are so simple that taking each would cost as much, and
 * returns the end of the part.
 */
export function partFrom(first: number, end: number): number {
  const next = Math.min(first + partsOfLook * clock.steps, end)
  // Rounded: counting in fractions makes each step twice as slow.
  step(Math.ceil((next - first) / partsOfLook))
  return next
}

/** Calls back with such parts of a range. */
export function inParts(first: number, end: number, work: (first: number, end: number) => void) {
  for (let from = first, to = first; from < end; from = to) {
    to = partFrom(from, end)
    work(from, to)
  }
}
