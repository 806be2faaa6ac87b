import { hangLimit } from './hang-limit.ts'
import { pause, type ServerProcess } from '../services/server-process.ts'

/** Collects the garbage of a process that was started with `--inspect=127.0.0.1:0`. */
export interface Collector {
  collect(): Promise<void>
  close(): void
}

export async function openCollector({ output }: ServerProcess): Promise<Collector> {
  const giveUp = performance.now() + hangLimit
  const address = () => /Debugger listening on (ws:\S+)/.exec(output().err)?.[1]
  while (address() === undefined && performance.now() < giveUp) await pause(20)
  const socket = new WebSocket(address() ?? '')
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('The inspector does not answer')))
  })
  let calls = 0
  const collectOnce = () =>
    new Promise<void>(resolve => {
      const id = ++calls
      const heard = ({ data }: MessageEvent) => {
        if ((JSON.parse(String(data)) as { id?: number }).id !== id) return
        socket.removeEventListener('message', heard)
        resolve()
      }
      socket.addEventListener('message', heard)
      socket.send(JSON.stringify({ id, method: 'HeapProfiler.collectGarbage' }))
    })
  return {
    // The second collection frees what finalizers released.
    async collect() {
      await collectOnce()
      await pause(100)
      await collectOnce()
    },
    close: () => socket.close()
  }
}
