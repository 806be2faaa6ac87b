import { type BatchOperation, identifiersOfOperation, isMerging, targetsOfOperation } from './batch-operation.ts'

interface Operating {
  readonly operation: BatchOperation
}

/**
 * Groups the operations of a batch into waves. Waves run one after the other; the operations of one
 * wave run at once, since none depends on another. Operations on one record stay in order; an
 * operation that refers to a record comes after the one that creates it, also when that one is
 * further down.
 *
 * Deletions depend on all references to a record, which a line need not contain, so they are in
 * waves of their own. So does a merge, which writes whatever refers to its victim: each is alone.
 */
export function intoWaves<T extends Operating>(all: readonly T[]): T[][] {
  const runs: T[][] = []
  let previous: string | undefined
  for (const each of all) {
    const kind = isMerging(each.operation) ? 'merge' : each.operation.op === 'delete' ? 'delete' : 'write'
    if (kind !== previous || kind === 'merge') runs.push([])
    runs.at(-1)?.push(each)
    previous = kind
  }
  return runs.flatMap(wavesOf)
}

function wavesOf<T extends Operating>(run: readonly T[]): T[][] {
  const positionsByName = new Map<string, number[]>()
  const earlier = run.map(({ operation }, position) => {
    const awaited = [...identifiersOfOperation(operation), ...targetsOfOperation(operation)]
    const last = awaited.flatMap(name => positionsByName.get(name)?.at(-1) ?? [])
    for (const name of new Set(identifiersOfOperation(operation))) {
      const positions = positionsByName.get(name)
      if (positions) positions.push(position)
      else positionsByName.set(name, [position])
    }
    return last
  })
  /**
   * Lines further down that create what this line refers to. Only those that wait for nothing
   * further up: so lines never wait for each other. A line that this does not help fails for its
   * missing target, and is tried again later.
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
    // A preliminary value, so that records which refer to each other do not recurse for ever.
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
