import type { Socket } from 'node:net'

import { type Connection, openConnection, type Servers } from './connection.ts'

/** A number that one statement reads again and again. */
export interface RepeatedNumber {
  /**
   * Reads the number by a statement that begins after this call; undefined if the connection is not
   * open, or is lost. Calls that come while one is under way share the next.
   */
  read(): Promise<number | undefined>
  close(): void
}

/** Milliseconds without an answer after which the connection is lost. */
const maxSilence = 500
/** Minimum milliseconds between two attempts to open the connection. */
const pause = 1000

/**
 * Reads a number on a connection of its own, which sends prepared bytes and understands nothing but
 * the answers to them. By the driver the same statement takes four times the processor time of this
 * process (decision 68).
 */
export function createRepeatedNumber(servers: Servers, text: string): RepeatedNumber {
  let current: RepeatedStatement | undefined
  let isClosed = false
  let opensAgainAt = Number.NEGATIVE_INFINITY

  const open = () => {
    const now = performance.now()
    if (isClosed || now < opensAgainAt) return
    opensAgainAt = now + pause
    openConnection(servers).then(
      connection => {
        if (isClosed || current) connection.link.destroy()
        else current = repeatStatement(connection, text, servers.prepares, () => (current = undefined))
      },
      // The caller reads by another connection, which has the error for the log.
      () => {}
    )
  }

  return {
    read() {
      if (current) return current.read()
      open()
      return nothing
    },
    close() {
      isClosed = true
      current?.close()
    }
  }
}

interface RepeatedStatement {
  read(): Promise<number | undefined>
  close(): void
}

const nothing = Promise.resolve(undefined)

/** For few connections, all of which are needed for other statements. */
export const noRepeatedNumber: RepeatedNumber = { read: () => nothing, close() {} }

/** A read, and what its callers wait for. */
type Read = PromiseWithResolvers<number | undefined>

/** Takes the socket from the driver, which has nothing left to read from it. */
function repeatStatement(
  { link, socket }: Connection,
  text: string,
  prepares: boolean,
  onLost: () => void
): RepeatedStatement {
  const message = createMessage(text, prepares)
  let isPrepared = false
  let running: Read | undefined
  let next: Read | undefined
  let runningSince = 0
  let isLost = false

  const lose = () => {
    if (isLost) return
    isLost = true
    clearInterval(watch)
    link.destroy()
    onLost()
    running?.resolve(undefined)
    next?.resolve(undefined)
  }
  const send = (read: Read) => {
    running = read
    runningSince = performance.now()
    socket.write(isPrepared ? message.again : message.first)
    isPrepared = prepares
  }
  const watch = setInterval(() => {
    if (running && performance.now() - runningSince > maxSilence) lose()
  }, maxSilence / 2).unref()

  socket.removeAllListeners('data')
  socket.once('error', lose).once('close', lose)
  readAnswers(socket, value => {
    const answered = running
    if (value === undefined || !answered) return lose()
    running = undefined
    // The next read is on its way while the callers of this one go on.
    const follower = next
    next = undefined
    if (follower) send(follower)
    answered.resolve(value)
  })

  return {
    read() {
      if (isLost) return nothing
      if (running) {
        next ??= Promise.withResolvers()
        return next.promise
      }
      const read: Read = Promise.withResolvers()
      send(read)
      return read.promise
    },
    close: lose
  }
}

/**
 * The messages that prepare a statement and run it, and those that run it again.
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
function createMessage(text: string, prepares: boolean) {
  const name = prepares ? 'repeated' : ''
  const parse = message('P', `${name}\0${text}\0\0\0`)
  // The portal without a name, the statement, and no formats, parameters and formats of results.
  const bind = message('B', `\0${name}\0\0\0\0\0\0\0`)
  // All rows of the portal without a name.
  const again = Buffer.concat([bind, message('E', '\0\0\0\0\0'), message('S', '')])
  return { first: Buffer.concat([parse, again]), again }
}

function message(type: string, content: string): Buffer {
  const bytes = Buffer.alloc(5 + Buffer.byteLength(content))
  bytes.write(type, 0, 'latin1')
  bytes.writeInt32BE(bytes.length - 1, 1)
  bytes.write(content, 5)
  return bytes
}

const [dataRow, errorResponse, readyForQuery] = ['D', 'E', 'Z'].map(type => type.charCodeAt(0))

/** Passes on the number of each answer; undefined after an error, or without a number. */
function readAnswers(socket: Socket, onAnswer: (value: number | undefined) => void) {
  let rest: Buffer = Buffer.alloc(0)
  let value: number | undefined
  socket.on('data', (chunk: Buffer) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let at = 0
    while (at + 5 <= bytes.length) {
      const end = at + 1 + bytes.readInt32BE(at + 1)
      if (end > bytes.length) break
      const type = bytes[at]
      // The count of columns and the length of the first stand before it.
      if (type === dataRow) value = numberIn(bytes.toString('latin1', at + 11, end))
      if (type === errorResponse) return onAnswer(undefined)
      if (type === readyForQuery) {
        onAnswer(value)
        value = undefined
      }
      at = end
    }
    rest = bytes.subarray(at)
  })
}

const numberIn = (text: string): number | undefined => (/^\d+$/.test(text) ? Number(text) : undefined)
