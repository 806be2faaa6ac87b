import { type Clock, inTime, noTurn, stoppedAfter, systemClock, tooSlow } from './deadline.ts'

/*
 * Who has a reader thread, and who waits for one. A thread has one question at a time, and keeps it until it has done with it, also where the asker
 * was told by then that it takes too long: what SQLite sorts or joins in one go cannot be stopped.
 *
 * Those that wait are served in the order in which they came, but questions that are quick go before the others: they hardly hold those up, and
 * would else wait for them. So that they cannot keep them waiting for ever, one of the others goes in between after some.
 */
export interface ReaderTurns<Place> {
  /** Does the work when a place is free. Answers or refuses before the deadline, counted from now, whatever the work does. */
  take<T>(work: (place: Place, waited: () => number) => Promise<T>, isQuick: boolean): Promise<T>
  readonly isIdle: boolean
}

/** So many quick questions go before one of the others. */
export const mostAhead = 16

interface Waiting<Place> {
  /** Gives false when there is no time left for it. */
  begin(place: Place): boolean
}

export function createReaderTurns<Place>(
  places: readonly Place[],
  deadline: number,
  clock: Clock = systemClock
): ReaderTurns<Place> {
  const free = [...places]
  const quick: Waiting<Place>[] = []
  const others: Waiting<Place>[] = []
  let ahead = 0

  const next = (): Waiting<Place> | undefined => {
    const isQuickFirst = others.length === 0 || (quick.length > 0 && ahead < mostAhead)
    ahead = isQuickFirst && others.length > 0 ? ahead + 1 : 0
    return (isQuickFirst ? quick : others).shift()
  }

  const giveBack = (place: Place) => {
    for (let waiting = next(); waiting; waiting = next()) if (waiting.begin(place)) return
    free.push(place)
    // The first that is free is taken, so that a quiet service starts only one.
    free.sort((one, other) => places.indexOf(one) - places.indexOf(other))
  }

  return {
    take<T>(work: (place: Place, waited: () => number) => Promise<T>, isQuick: boolean): Promise<T> {
      const askedAt = clock.now()
      const waited = () => clock.now() - askedAt
      let waitedBefore: number | undefined
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      const waiting: Waiting<Place> = {
        begin(place) {
          if (waited() >= stoppedAfter(deadline)) {
            reject(noTurn(deadline))
            return false
          }
          waitedBefore = waited()
          const done = work(place, waited)
          resolve(done)
          const end = () => giveBack(place)
          done.then(end, end)
          return true
        }
      }
      const line = isQuick ? quick : others
      const place = free.shift()
      if (place === undefined) line.push(waiting)
      else waiting.begin(place)
      const refuse = () => {
        if (waitedBefore !== undefined) return tooSlow(deadline, waitedBefore)
        const index = line.indexOf(waiting)
        if (index >= 0) line.splice(index, 1)
        return noTurn(deadline)
      }
      return inTime(promise, deadline, refuse, clock)
    },
    get isIdle() {
      return free.length === places.length
    }
  }
}
