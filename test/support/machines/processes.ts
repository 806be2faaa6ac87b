import { readFileSync } from 'node:fs'

/** The processes that one has started and that still run. */
export function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return text.trim() === '' ? [] : text.trim().split(' ').map(Number)
  } catch {
    return []
  }
}

/** Whether a process exists. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
