/** A fixed number of permits, given out in the order of the requests. */
export interface Semaphore {
  /** Resolves, when a permit is free, to a function that releases it. */
  take(isFailing: boolean): Promise<() => void>
}

/**
 * Makes a semaphore. Holders that failed the last time get only some of the permits: however many
 * of them hang, the others proceed.
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
