import { type Clock, inTime, noTurn, stoppedAfter, systemClock, tooSlow } from '../deadline.ts'

/*
 * Who has a reader thread, and who waits for one. A thread has one question at a time, and keeps it
 * until it has done with it, also where the asker was told by then that it takes too long: what
 * SQLite sorts or joins in one go cannot be stopped.
 *
 * Those that wait are served in the order in which they came, but questions that are quick go
 * before the others: they hardly hold those up, and would else wait for them. So that they cannot
 * keep them waiting for ever, one of the others goes in between after some.
 */
export interface ReaderQueue<Place> {
  /**
   * Does the work when a place is free. Answers or refuses before the deadline, counted from now,
   * whatever the work does.
   */
  take<T>(work: (place: Place, waited: () => number) => Promise<T>, isQuick: boolean): Promise<T>
  readonly isIdle: boolean
}

/** So many quick questions go before one of the others. */
export const maxAhead = 16

interface Waiting<Place> {
  /** Gives false when there is no time left for it. */
  begin(place: Place): boolean
}

/** How a place is made ready that nobody has used yet. */
export interface Preparation<Place> {
  /**
   * The number of places that are ready from the start; the others are made ready when all of those
   * are taken.
   */
  readonly readyAtStart: number
  makeReady(place: Place): Promise<void>
}

/**
 * Creates the turns of some places. `deadline` gives the deadline of a query that comes now. A
 * query that finds no free place has one made ready, but does not wait for that one: it takes the
 * first that is free.
 */
export function createReaderQueue<Place>(
  places: readonly Place[],
  deadline: () => number,
  clock: Clock = systemClock,
  { readyAtStart, makeReady }: Preparation<Place> = { readyAtStart: places.length, makeReady: async () => {} }
): ReaderQueue<Place> {
  const free = places.slice(0, readyAtStart)
  const unprepared = places.slice(readyAtStart)
  let running = 0
  const quick: Waiting<Place>[] = []
  const others: Waiting<Place>[] = []
  let ahead = 0

  const next = (): Waiting<Place> | undefined => {
    const isQuickFirst = others.length === 0 || (quick.length > 0 && ahead < maxAhead)
    ahead = isQuickFirst && others.length > 0 ? ahead + 1 : 0
    return (isQuickFirst ? quick : others).shift()
  }

  const giveBack = (place: Place) => {
    for (let waiting = next(); waiting; waiting = next()) if (waiting.begin(place)) return
    free.push(place)
    // The first that is free is taken, so that a quiet service starts only one.
    free.sort((one, other) => places.indexOf(one) - places.indexOf(other))
  }

  const prepareNext = () => {
    const place = unprepared.shift()
    if (place === undefined) return
    makeReady(place).then(
      () => giveBack(place),
      () => unprepared.unshift(place)
    )
  }

  return {
    take<T>(work: (place: Place, waited: () => number) => Promise<T>, isQuick: boolean): Promise<T> {
      const limit = deadline()
      const askedAt = clock.now()
      const waited = () => clock.now() - askedAt
      let waitedBefore: number | undefined
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      const waiting: Waiting<Place> = {
        begin(place) {
          if (waited() >= stoppedAfter(limit)) {
            reject(noTurn(limit))
            return false
          }
          waitedBefore = waited()
          const done = work(place, waited)
          resolve(done)
          running++
          const end = () => {
            running--
            giveBack(place)
          }
          done.then(end, end)
          return true
        }
      }
      const line = isQuick ? quick : others
      const place = free.shift()
      if (place !== undefined) {
        if (!waiting.begin(place)) giveBack(place)
      } else {
        line.push(waiting)
        prepareNext()
      }
      const refuse = () => {
        if (waitedBefore !== undefined) return tooSlow(limit, waitedBefore)
        const index = line.indexOf(waiting)
        if (index >= 0) line.splice(index, 1)
        return noTurn(limit)
      }
      return inTime(promise, limit, refuse, clock)
    },
    get isIdle() {
      return running === 0 && quick.length === 0 && others.length === 0
    }
  }
}
