import { flushCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'

import { createModel } from '#domain/record-types/model.ts'
import { sanitizeHtml } from '#formats/html/sanitize-html.ts'
import { readSource } from '#formats/source/read-source.ts'
import { signInterval } from '#threads/signs-of-life.ts'
import {
  type DescribingData,
  type DescribingMessage,
  type DescribingRequest,
  divideFile,
  maxWaitingParts,
  textOfItem
} from './describing.ts'
import { prepareItem } from './place/prepare-record.ts'
import { sourceOptionsOf } from './read-items.ts'

/* The program of the threads that `describing-threads.ts` starts. */

const { recordTypes, options, ...share } = workerData as DescribingData
const port = parentPort
if (!port) throw new Error('describing-thread.ts is started as a worker thread')
const send = (message: DescribingMessage) => port.postMessage(message)

flushCompileCache()
const signs = setInterval(() => send({ kind: 'alive' }), signInterval).unref()

const pieces: Uint8Array[] = []
let isEnd = false
let waiting = 0
let wake = () => {}
const untilMessage = () =>
  new Promise<void>(resolve => {
    wake = resolve
  })
port.on('message', (request: DescribingRequest) => {
  if ('bytes' in request) pieces.push(request.bytes)
  else if ('isEnd' in request) isEnd = true
  else waiting--
  wake()
})

async function* readPieces() {
  for (let received = 0; ; received++) {
    if (pieces.length === 0 && !isEnd) send({ kind: 'more', received })
    while (pieces.length === 0 && !isEnd) await untilMessage()
    const piece = pieces.shift()
    if (piece === undefined) return
    yield piece
  }
}

let items: string[] = []
const sendPart = () => {
  if (items.length === 0) return
  send({ kind: 'part', items: `[${items.join()}]` })
  items = []
  waiting++
}

const model = createModel(recordTypes)
const sourceOptions = { ...sourceOptionsOf(options, model), isOwn: divideFile(share, sendPart) }
for await (const item of readSource(readPieces(), sourceOptions)) {
  while (waiting >= maxWaitingParts) await untilMessage()
  items.push(textOfItem(prepareItem(item, { model, sanitizeHtml })))
}
sendPart()
send({ kind: 'end' })
clearInterval(signs)
port.close()
