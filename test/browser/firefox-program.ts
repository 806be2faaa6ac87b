import { spawn } from 'node:child_process'
import { connect, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

/*
 * Starts Firefox for Playwright, and stands between the two. Playwright sends
 * `emulation.setMediaFeaturesOverride` to each new window, which Firefox ESR does not know, and
 * gives up when that is refused. It is replaced by a command that does nothing.
 */

const unknownCommand = 'emulation.setMediaFeaturesOverride'

const [program = 'firefox-esr', ...parameters] = process.argv.slice(2)
const browser = spawn(program, parameters, { stdio: ['ignore', 'inherit', 'pipe'] })
browser.on('exit', code => process.exit(code ?? 1))
process.on('SIGTERM', () => browser.kill())

createInterface({ input: browser.stderr }).on('line', line => {
  const port = /^WebDriver BiDi listening on ws:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1]
  if (port === undefined) return console.error(line)
  const server = createServer(socket => pass(socket, Number(port)))
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('No port')
    console.error(`WebDriver BiDi listening on ws://127.0.0.1:${address.port}`)
  })
})

/** Passes a WebSocket connection on: the request to open it, then each frame. */
function pass(client: Socket, firefoxPort: number) {
  const firefox = connect(firefoxPort, '127.0.0.1')
  for (const [one, other] of [
    [client, firefox],
    [firefox, client]
  ] as const) {
    one.on('error', () => other.destroy())
    one.on('close', () => other.destroy())
  }
  firefox.pipe(client)
  let isOpen = false
  let waiting: Buffer = Buffer.alloc(0)
  client.on('data', (chunk: Buffer) => {
    waiting = Buffer.concat([waiting, chunk])
    if (!isOpen) {
      const end = waiting.indexOf('\r\n\r\n')
      if (end < 0) return
      const request = waiting.subarray(0, end + 4).toString('latin1')
      // Firefox refuses a request for another port than its own.
      firefox.write(request.replace(/^Host: .*$/im, `Host: 127.0.0.1:${firefoxPort}`), 'latin1')
      waiting = waiting.subarray(end + 4)
      isOpen = true
    }
    for (let frame = readFrame(waiting); frame; frame = readFrame(waiting)) {
      firefox.write(
        isUnknown(frame.payload) ? writeFrame(withoutEffect(frame.payload)) : waiting.subarray(0, frame.end)
      )
      waiting = waiting.subarray(frame.end)
    }
  })
}

/** Reads the first frame that is here as a whole. A client masks its payloads (RFC 6455, 5.3). */
function readFrame(bytes: Buffer): { readonly payload: Buffer; readonly end: number } | undefined {
  if (bytes.length < 2) return undefined
  const short = (bytes[1] ?? 0) & 0x7f
  const start = { 126: 4, 127: 10 }[short] ?? 2
  if (bytes.length < start + 4) return undefined
  const length = start === 4 ? bytes.readUInt16BE(2) : start === 10 ? Number(bytes.readBigUInt64BE(2)) : short
  const end = start + 4 + length
  if (bytes.length < end) return undefined
  return { payload: masked(bytes.subarray(start + 4, end), bytes.subarray(start, start + 4)), end }
}

/** A short frame with a text. Firefox ends the connection where the mask is zero. */
function writeFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  if (payload.length > 125) throw new Error('The frame is too long')
  const mask = Buffer.from([1, 2, 3, 4])
  return Buffer.concat([Buffer.from([0x81, 0x80 | payload.length]), mask, masked(payload, mask)])
}

const masked = (payload: Buffer, mask: Buffer) =>
  Buffer.from(payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0)))

const isUnknown = (payload: Buffer) => payload.includes(`"method":"${unknownCommand}"`)

const withoutEffect = (payload: Buffer) =>
  JSON.stringify({ id: (JSON.parse(payload.toString()) as { id: number }).id, method: 'session.status', params: {} })
