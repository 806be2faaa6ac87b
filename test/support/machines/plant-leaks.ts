import { openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread, Worker } from 'node:worker_threads'

/*
 * Loaded before the program (`node --import`): its main thread leaks what TEST_LEAKS lists, at a
 * steady rate whatever it is asked, and from the start.
 */

const hoard: unknown[] = []
const folder = process.env.TMPDIR ?? '.'
let files = 0
let ticks = 0

const leaks: Readonly<Record<string, () => void>> = {
  heap: () => hoard.push(Array.from({ length: 25_000 }, (_, at) => at + 0.5)),
  external: () => hoard.push(new Uint8Array(500_000).fill(1)),
  handles: () => hoard.push(openSync('/dev/null', 'r')),
  files: () => writeFileSync(join(folder, `leak-${files++}`), ''),
  threads: () => {
    if (ticks++ % 10 === 0) hoard.push(new Worker('setInterval(() => {}, 60_000)', { eval: true }))
  }
}

if (isMainThread)
  for (const name of (process.env.TEST_LEAKS ?? '').split(',').filter(Boolean)) {
    const leak = leaks[name]
    if (leak === undefined) throw new Error(`TEST_LEAKS names "${name}", which is none of ${Object.keys(leaks)}`)
    setInterval(leak, 50).unref()
  }
