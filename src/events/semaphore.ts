/** A fixed number of places, given out in the order in which they were asked for. */
export interface Semaphore {
  /** Resolves, when there is a place, to what gives it back. */
  take(isFailing: boolean): Promise<() => void>
}

/**
 * Those that failed the last time may hold only some of the places: however many of them hang, the
 * others get on.
 */
export function createSemaphore(total: number, forFailing: number): Semaphore {
  const waiting: { isFailing: boolean; admit: () => void }[] = []
  let taken = 0
  let takenByFailing = 0

  const isRoomFor = (isFailing: boolean) => taken < total && (!isFailing || takenByFailing < forFailing)
  const admitNext = () => {
    const next = waiting.findIndex(each => isRoomFor(each.isFailing))
    if (next >= 0) waiting.splice(next, 1)[0]?.admit()
  }

  return {
    take: isFailing =>
      new Promise(resolve => {
        const admit = () => {
          taken++
          if (isFailing) takenByFailing++
          resolve(() => {
            taken--
            if (isFailing) takenByFailing--
            admitNext()
          })
        }
        waiting.push({ isFailing, admit })
        admitNext()
      })
  }
}
