import type { RouteOptions } from 'fastify'

import { isJsonObject } from '#domain/json.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { App } from '#http/openapi/typebox-provider.ts'

/*
 * Records as the clients send them: the forms of their pages send every number as text, and null
 * as the language of a value without one.
 */

const writing = ['POST', 'PUT', 'PATCH']
const ofRecords = /^\/(?:batch$|(?:entities|mediafiles)(?:$|\/(?!filter)))/
const number = /^-?\d+(?:\.\d+)?$/

/** Adds these forms to the routes that write records. */
export function addBodyForms(app: App, model: Model) {
  const numbers = keysOfNumbers(model)
  app.addHook('onRoute', route => {
    if (writing.includes(String(route.method)) && ofRecords.test(route.url)) withForms(route, numbers)
  })
}

/** The keys under which every type that declares them has a number. */
function keysOfNumbers({ recordTypes }: Model): ReadonlySet<string> {
  const fields = recordTypes.flatMap(({ fields: own }) => Object.entries(own))
  const others = new Set(fields.flatMap(([key, { kind }]) => (kind === 'number' || kind === 'minutes' ? [] : key)))
  return new Set(fields.map(([key]) => key)).difference(others)
}

function withForms(route: RouteOptions, numbers: ReadonlySet<string>) {
  const { handler } = route
  route.handler = function (request, reply) {
    // A JSON Patch and a merge patch mean null as they say it.
    if (request.headers['content-type']?.startsWith('application/json')) readForms(request.body, numbers)
    return handler.call(this, request, reply)
  }
}

/** Changes the metadata entries of a body: a list of entries, a record, or a list of records. */
function readForms(body: unknown, numbers: ReadonlySet<string>) {
  for (const each of Array.isArray(body) ? body : [body]) {
    const { metadata, relations } = (each ?? {}) as { metadata?: unknown; relations?: unknown }
    readEntries([each], numbers)
    readEntries(metadata, numbers)
    if (Array.isArray(relations)) for (const relation of relations) readEntries(relation?.metadata, numbers)
  }
}

function readEntries(entries: unknown, numbers: ReadonlySet<string>) {
  for (const entry of Array.isArray(entries) ? entries : []) {
    if (!isJsonObject(entry)) continue
    const { key, value, lang } = entry
    const changed = entry as Record<string, unknown>
    if (lang === null) delete changed.lang
    if (typeof key === 'string' && typeof value === 'string' && numbers.has(key) && number.test(value))
      changed.value = Number(value)
  }
}
