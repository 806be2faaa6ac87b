import { type BatchOperation, namesOfOperation, targetsOfOperation } from './batch-operation.ts'

interface Operating {
  readonly operation: BatchOperation
}

/**
 * Puts the operations of a batch into waves that can be done one after the other, each of them all
 * at once: in one wave none depends on another. What is said of one record keeps its order; what
 * points to a record comes after the line that makes it, also when that line comes later.
 *
 * Deletions look at all that points to a record, which a line need not tell, so whatever else comes
 * before or after them does so in its wave too.
 */
export function intoWaves<T extends Operating>(all: readonly T[]): T[][] {
  const runs: T[][] = []
  let isDeleting: boolean | undefined
  for (const each of all) {
    const isDeletion = each.operation.op === 'delete'
    if (isDeletion !== isDeleting) runs.push([])
    runs.at(-1)?.push(each)
    isDeleting = isDeletion
  }
  return runs.flatMap(wavesOf)
}

function wavesOf<T extends Operating>(run: readonly T[]): T[][] {
  const positionsByName = new Map<string, number[]>()
  const earlier = run.map(({ operation }, position) => {
    const awaited = [...namesOfOperation(operation), ...targetsOfOperation(operation)]
    const last = awaited.flatMap(name => positionsByName.get(name)?.at(-1) ?? [])
    for (const name of new Set(namesOfOperation(operation))) {
      const positions = positionsByName.get(name)
      if (positions) positions.push(position)
      else positionsByName.set(name, [position])
    }
    return last
  })
  /**
   * Lines further down that make what this one points to. Only those that wait for nothing further
   * up: so whatever waits for each other does so in one direction. A line that is not helped by
   * this is tried, found to lack its target, and tried again later.
   */
  const laterMakers = (position: number) =>
    targetsOfOperation((run[position] as T).operation).flatMap(name => {
      const [first = -1] = positionsByName.get(name) ?? []
      return first > position && isMaking(run[first]) && earlier[first]?.length === 0 ? [first] : []
    })

  const waves: number[] = []
  const waveOf = (position: number): number => {
    const known = waves[position]
    if (known !== undefined) return known
    // Stands while it is worked out, so that records which point to each other do not go round for
    // ever.
    waves[position] = 0
    const awaited = [...(earlier[position] ?? []), ...laterMakers(position)]
    const wave = awaited.reduce((most, each) => Math.max(most, waveOf(each) + 1), 0)
    waves[position] = wave
    return wave
  }

  const result: T[][] = []
  run.forEach((each, position) => {
    const wave = waveOf(position)
    while (result.length <= wave) result.push([])
    result[wave]?.push(each)
  })
  return result
}

const isMaking = (each: Operating | undefined) => each?.operation.op === 'create' || each?.operation.op === 'upsert'
