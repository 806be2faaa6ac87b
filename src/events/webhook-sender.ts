import { Worker } from 'node:worker_threads'

import type { Model } from '#domain/record-types/model.ts'
import type { Store } from '#store/store.ts'
import type { WebhookOutcome, WebhookRequest } from './post-webhook.ts'
import type { SenderAnswer, SenderData, SenderRequest } from './webhook-sender-worker.ts'

/** Sends requests to receivers in a separate thread. */
export interface WebhookSender extends AsyncDisposable {
  /** Sends one event and returns the outcome; never rejects. */
  send(request: WebhookRequest): Promise<WebhookOutcome>
}

/** Everything that a delivery to a webhook needs. */
export interface SendingParts {
  readonly store: Store
  readonly model: Model
  readonly sender: WebhookSender
  /** The `source` of events (CloudEvents). */
  readonly eventSource: string
  readonly userAgent: string
  readonly now: () => number
}

/**
 * Milliseconds after the timeout of a request until a thread without a response counts as hung and
 * is terminated.
 */
const graceTime = 5000

const senderFile = new URL('./webhook-sender-worker.ts', import.meta.url)

/**
 * Makes a sender. The thread is started when it is first needed. When it dies, only the requests
 * under way fail, and the next request starts another thread.
 */
export function createWebhookSender(settings: SenderData, file: URL = senderFile): WebhookSender {
  const pending = new Map<number, (outcome: WebhookOutcome) => void>()
  let numbers = 0
  let worker: Worker | undefined
  let isClosed = false

  const start = (): Worker => {
    const started = new Worker(file, {
      workerData: settings,
      resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }
    })
    started.on('message', ({ number, outcome }: SenderAnswer) => {
      pending.get(number)?.(outcome)
      if (pending.size === 0) started.unref()
    })
    const fail = (reason: string) => {
      if (worker !== started) return
      worker = undefined
      const callbacks = [...pending.values()]
      for (const settle of callbacks) settle({ error: reason, duration: 0 })
    }
    started.on('error', (error: Error) => fail(`The sending thread failed: ${error.message}`))
    started.on('exit', () => fail('The sending thread ended'))
    return started
  }

  return {
    send(request) {
      if (isClosed) return Promise.resolve({ error: 'The service is stopping', duration: 0 })
      worker ??= start()
      const target = worker
      const number = ++numbers
      return new Promise(resolve => {
        const watch = setTimeout(() => void target.terminate(), settings.timeout + graceTime)
        watch.unref()
        pending.set(number, outcome => {
          clearTimeout(watch)
          pending.delete(number)
          resolve(outcome)
        })
        target.ref()
        target.postMessage({ number, request } satisfies SenderRequest)
      })
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      await worker?.terminate()
    }
  }
}
