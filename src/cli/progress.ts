/** The progress of a command, for the people who wait for it. */
export interface Progress {
  show(items: number, bytes?: number): void
  /** Names a step that cannot be counted. */
  step(words: string): void
  end(): void
}

/** Where progress is written, and the clock it looks at. */
export interface ProgressOutput {
  readonly isTTY?: boolean
  write(text: string): unknown
}

const barWidth = 24
/** Milliseconds between two states of the line on a terminal. */
const interval = 100
/** Milliseconds between two lines in a file or a journal. The first comes after as many. */
const lineInterval = 10_000

/**
 * Shows progress on standard error: one line that changes on a terminal, and a line now and then
 * where the output is stored.
 */
export function createProgress(
  task: string,
  totalBytes?: number,
  output: ProgressOutput = process.stderr,
  clock: () => number = () => performance.now()
): Progress {
  const started = clock()
  const isTerminal = output.isTTY === true
  const least = isTerminal ? interval : lineInterval
  let shown = isTerminal ? started - interval : started
  const write = (words: string) => output.write(isTerminal ? `\r\u001b[K${task}${words}` : `${task}${words}\n`)
  return {
    show(items, bytes = 0) {
      const now = clock()
      if (now - shown < least) return
      shown = now
      const seconds = (now - started) / 1000
      const share = totalBytes ? Math.min(1, bytes / totalBytes) : undefined
      const rate = `${Math.round(items / Math.max(seconds, 0.001))}/s`
      const left = share ? `, ${Math.ceil((seconds / share) * (1 - share))} s left` : ''
      write(`${share === undefined ? ':' : shareOf(share, isTerminal)} ${items} records, ${rate}${left}`)
    },
    step(words) {
      const now = clock()
      if (!isTerminal && now - shown < least) return
      shown = now
      write(`: ${words}`)
    },
    end() {
      if (isTerminal) output.write('\r\u001b[K')
    }
  }
}

function shareOf(share: number, hasBar: boolean): string {
  const percent = `${Math.round(share * 100)} %`
  return hasBar ? ` [${'█'.repeat(Math.round(share * barWidth)).padEnd(barWidth, '·')}] ${percent}` : `: ${percent},`
}
