import { registerHooks } from 'node:module'
import { parseSync } from 'rolldown/utils'

/*
 * Counts how often each function and each loop of some sources runs. Sources that are imported
 * after the call get a counter at each beginning.
 */

export interface Runs {
  /** The piece that ran most often since the last call, as its file and line. */
  take(): { readonly runs: number; readonly place: string }
}

export function countRunsIn(isCounted: (url: string) => boolean): Runs {
  const places: string[] = []
  const counts = new Uint32Array(10_000)
  Object.assign(globalThis, { runsOfPieces: counts })
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (!isCounted(url) || loaded.source === undefined || loaded.source === null) return loaded
      return { ...loaded, source: withCounters(String(loaded.source), url, places) }
    }
  })
  return {
    take() {
      let most = 0
      for (let piece = 1; piece < places.length; piece++)
        if ((counts[piece] as number) > (counts[most] as number)) most = piece
      const taken = { runs: counts[most] as number, place: places[most] ?? '' }
      counts.fill(0, 0, places.length)
      return taken
    }
  }
}

/** A node of a syntax tree, by its place in the source. */
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly body?: Node | null
}

/** The source with a counter at the beginning of each function and of each loop's body. */
function withCounters(source: string, url: string, places: string[]): string {
  const inserted: { readonly at: number; readonly text: string }[] = []
  const count = ({ type, start, end }: Node) => {
    const line = source.slice(0, start).split('\n').length
    const counter = `globalThis.runsOfPieces[${places.push(`${url.replace(/^.*\/src\//, 'src/')}:${line}`) - 1}]++`
    if (type === 'BlockStatement' || type === 'FunctionBody') inserted.push({ at: start + 1, text: `${counter};` })
    else {
      const [open, close] = type.endsWith('Statement') ? [`{${counter};`, '}'] : [`(${counter},`, ')']
      inserted.push({ at: start, text: open }, { at: end, text: close })
    }
  }
  const visit = (node: Node) => {
    if (/^(?:For|While|DoWhile)\w*Statement$|Function/.test(node.type) && node.body) count(node.body)
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child)
  }
  visit(parseSync(url, source).program as unknown as Node)
  let text = ''
  let from = 0
  // Of two at the same place, the outer one was found first, and closes last.
  const inOrder = inserted.map((each, found) => ({ ...each, found }))
  inOrder.sort((one, other) => one.at - other.at || orderAt(one) - orderAt(other))
  for (const { at, text: piece } of inOrder) {
    text += source.slice(from, at) + piece
    from = at
  }
  return text + source.slice(from)
}

const orderAt = ({ text, found }: { readonly text: string; readonly found: number }) =>
  text === '}' || text === ')' ? -found - 1 : found

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'start' in value
