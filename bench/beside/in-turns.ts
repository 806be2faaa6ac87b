import type { ServerProcess } from '../support/processes.ts'
import { median, printTable } from '../support/report.ts'

/** A version of the program. */
export interface Version {
  readonly checkout: string
  /** The path of the catalogue that it makes of the generated records; it is only to be read. */
  readonly catalogue: (manifestations: number) => Promise<string>
}

export interface Versions {
  readonly other: Version
  readonly own: Version
}

/** Figures of one round, by name; undefined or absent for what a version does not offer. */
export type Figures = Readonly<Record<string, number | undefined>>

/** A version that is measured round by round. */
export interface Measurable extends Partial<AsyncDisposable> {
  /** These sleep while the other version is measured. */
  readonly servers?: readonly ServerProcess[]
  readonly measure: () => Promise<Figures>
}

export interface Turns {
  readonly rounds: number
  /** Whether there is a round before them that is not counted. */
  readonly warms?: boolean
}

/**
 * Measures two versions in turns, so that both meet the same machine, each first in every second
 * round. Prints the median of each figure, and gives the ratios of this version to the other.
 */
export async function inTurns(
  { other, own }: Versions,
  { rounds, warms = false }: Turns,
  open: (version: Version, name: 'other' | 'own') => Promise<Measurable>
): Promise<readonly number[]> {
  await using opened = new AsyncDisposableStack()
  const sides: { readonly measurable: Measurable; readonly rounds: Figures[] }[] = []
  for (const [version, name] of [[other, 'other'] as const, [own, 'own'] as const]) {
    const measurable = await open(version, name)
    opened.defer(() => measurable[Symbol.asyncDispose]?.())
    for (const server of measurable.servers ?? []) server.pause()
    sides.push({ measurable, rounds: [] })
  }
  for (let round = warms ? -1 : 0; round < rounds; round++)
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const { servers = [], measure } = side.measurable
      for (const server of servers) server.resume()
      const figures = await measure()
      for (const server of servers) server.pause()
      if (round >= 0) side.rounds.push(figures)
    }
  const [before = [], after = []] = sides.map(side => side.rounds)
  const names = new Set([...after, ...before].flatMap(figures => Object.keys(figures)))
  const rows = [...names].map(name => {
    const [one, two] = [middleOf(before, name), middleOf(after, name)]
    return {
      ratio: one === undefined || two === undefined ? undefined : two / one,
      cells: [name, shown(one), shown(two)]
    }
  })
  printTable(
    ['figure', 'other', 'this', 'this / other'],
    rows.map(({ cells, ratio }) => [...cells, ratio?.toFixed(2) ?? ''])
  )
  return rows.flatMap(({ ratio }) => (ratio !== undefined && Number.isFinite(ratio) ? [ratio] : []))
}

function middleOf(rounds: readonly Figures[], name: string): number | undefined {
  const values = rounds.flatMap(figures => figures[name] ?? [])
  return values.length === 0 ? undefined : median(values)
}

function shown(figure: number | undefined): string {
  if (figure === undefined) return 'not offered'
  return figure >= 100 ? Math.round(figure).toLocaleString('en') : figure.toFixed(figure < 1 ? 3 : figure < 10 ? 2 : 1)
}
