import { lookup } from 'node:dns/promises'
import { flushCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'

import type { AllowedReceivers } from './address-guard.ts'
import { postWebhook, type WebhookOutcome, type WebhookRequest } from './post-webhook.ts'

/*
 * The thread that talks to receivers. Receivers are not trusted: in the worst case one of them ends
 * this thread, and the service starts another.
 */

export interface SenderData extends AllowedReceivers {
  readonly timeout: number
}

export interface SenderRequest {
  readonly number: number
  readonly request: WebhookRequest
}

export interface SenderAnswer {
  readonly number: number
  readonly outcome: WebhookOutcome
}

const settings = workerData as SenderData
const port = parentPort
if (!port) throw new Error('webhook-sender-worker.ts is started as a worker thread')

const resolve = (host: string) => lookup(host, { all: true })

// A thread is terminated, it never ends by itself: the compiled code of its program is stored now,
// for the next start.
flushCompileCache()

port.on('message', async ({ number, request }: SenderRequest) => {
  const outcome = await postWebhook(request, { ...settings, resolve })
  port.postMessage({ number, outcome } satisfies SenderAnswer)
})
