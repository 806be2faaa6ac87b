/** A progress line for people; shown on a terminal only. */
export interface Progress {
  show(items: number, bytes?: number): void
  end(): void
}

const barWidth = 24
const interval = 100

export function createProgress(task: string, totalBytes: number | undefined): Progress {
  if (!process.stderr.isTTY) return { show: () => {}, end: () => {} }
  const started = performance.now()
  let shown = 0
  return {
    show(items, bytes = 0) {
      const now = performance.now()
      if (now - shown < interval) return
      shown = now
      const seconds = (now - started) / 1000
      const rate = `${Math.round(items / Math.max(seconds, 0.001))}/s`
      const share = totalBytes ? Math.min(1, bytes / totalBytes) : undefined
      const bar =
        share === undefined
          ? ''
          : ` [${'█'.repeat(Math.round(share * barWidth)).padEnd(barWidth, '·')}] ${Math.round(share * 100)} %`
      const left = share ? `, ${Math.ceil((seconds / share) * (1 - share))} s left` : ''
      process.stderr.write(`\r\u001b[K${task}${bar} ${items} records, ${rate}${left}`)
    },
    end: () => process.stderr.write('\r\u001b[K')
  }
}
