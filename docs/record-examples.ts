import { calculatePKCECodeChallenge } from 'oauth4webapi'

import { loadSample } from '../src/cli/sample.ts'
import type { Example, Examples } from '../src/http/openapi/examples.ts'
import { startPeopleIssuer } from '../test/support/services/people-issuer.ts'
import { allowLoopback, startReceiver } from '../test/support/services/receiver.ts'
import { workOn } from '../test/support/services/import-file.ts'
import { type Answer, start, type Teardown, type TestService } from '../test/support/services/start.ts'
import { sendExamples } from './example-requests.ts'

/*
 * Records an example of each operation: its request, and the answer of a real service with the
 * sample catalogue. `npm run docs` writes them to `docs/reference/examples.json`, from where the
 * service puts them into its OpenAPI document; `test/api/examples.test.ts` sends them all.
 */

/** The request of an example. A file is sent as the body. */
export interface ExampleRequest extends Pick<Example, 'path' | 'query' | 'headers' | 'body'> {
  readonly file?: { readonly name: string; readonly bytes: Buffer }
}

export interface Sender {
  /** Sends the example of an operation, and records it. */
  send(operation: string, request?: ExampleRequest): Promise<Answer>
  /** Sends a request that an example needs before it. */
  prepare(method: string, url: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** Does the work of an import. */
  workOn(id: string): Promise<unknown>
  /** Replaces a value that is different each time. */
  replace(made: string, by: string): void
  /** The address of a receiver of webhooks. */
  readonly receiver: string
  /** A person at an OpenID Connect issuer. */
  readonly people: Readonly<
    Record<'issuer' | 'redirect_uri' | 'state' | 'nonce' | 'code_verifier' | 'code_challenge', string>
  > & {
    /** Signs in at an address, and returns the query of the address that the browser returns to. */
    visit(address: string): Promise<string>
  }
}

export interface Recording {
  readonly examples: Examples
  /** The answers as they came, by operation. */
  readonly answers: ReadonlyMap<string, Answer>
  readonly service: TestService
}

const publicUrl = 'https://catalogue.example.org'

/** Starts a service and what it talks to, sends all examples, and ends them with the teardown. */
export async function recordExamples(t: Teardown): Promise<Recording> {
  const issuer = await startPeopleIssuer(t)
  issuer.admit(publicUrl)
  const receiver = await startReceiver(t)
  const service = await start(t, {
    PUBLIC_URL: publicUrl,
    OIDC_ISSUERS: JSON.stringify([issuer.setting]),
    ...allowLoopback
  })
  await loadSample(service.libretto)
  const examples: Record<string, Example> = {}
  const answers = new Map<string, Answer>()
  const replaced: [string, string][] = [
    [issuer.url, 'https://login.example.org'],
    [encodeURIComponent(issuer.url), encodeURIComponent('https://login.example.org')],
    [receiver.url, 'https://www.example.org/webhook']
  ]
  const people = await personAt(issuer.url, address => issuer.visit(address))
  await sendExamples({
    receiver: receiver.url,
    people,
    async send(operation, request = {}) {
      const answer = await service.call(...callOf(operation, request))
      if (answer.status >= 300) throw new Error(`${operation}: ${answer.status} ${answer.text}`)
      answers.set(operation, answer)
      examples[operation] = exampleOf(request, answer)
      return answer
    },
    prepare: (method, url, body, headers = {}) =>
      service.call(method, url, { ...(body === undefined ? {} : { body }), headers }),
    workOn: id => workOn(service, id),
    replace: (made, by) => replaced.push([made, by])
  })
  const text = [...replaced, ...volatile].reduce(
    (all, [made, by]) => all.replaceAll(made, by),
    JSON.stringify(examples)
  )
  return { examples: JSON.parse(text) as Examples, answers, service }
}

/** The method, address and options of a call. */
function callOf(operation: string, { path = {}, query = {}, headers = {}, body, file }: ExampleRequest) {
  const [method = '', template = ''] = operation.split(' ')
  const address = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))
  const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const url = parameters.size === 0 ? address : `${address}?${parameters}`
  const isForm = headers['content-type']?.includes('form') === true
  const sent = file?.bytes ?? (isForm ? String(new URLSearchParams(body as Record<string, string>)) : body)
  return [method, url, { headers, ...(sent === undefined ? {} : { body: sent }) }] as const
}

/** Secrets and times in answers, and the values that examples show instead. */
const volatile: readonly (readonly [RegExp, string])[] = [
  [/eyJ[\w-]+(?:\.[\w-]+)+/g, 'eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl'],
  [/whsec_[\w+/=]+/g, 'whsec_c2VjcmV0IG9mIHRoaXMgd2ViaG9vaw=='],
  [/libretto_[0-9a-f]{12}_[\w-]+/g, 'libretto_0123456789ab_secret'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-03-10T20:00:00.000Z']
]

/** Maximum characters of an answer that an example shows. */
const maxAnswer = 10_000
/** Maximum characters of a text, and items of a list, that an example shows. */
const maxText = 1500
const maxItems = 3

function exampleOf({ file, ...request }: ExampleRequest, { status, headers, body, text }: Answer): Example {
  const mediaType = /^[^;]+/.exec(String(headers['content-type'] ?? ''))?.[0]
  const answer = shorten(body)
  const isShown = !/html|zip|image/.test(mediaType ?? '') && text !== '' && JSON.stringify(answer).length <= maxAnswer
  return {
    ...request,
    ...(file === undefined ? {} : { file: file.name }),
    status,
    ...(mediaType === undefined ? {} : { mediaType }),
    ...(isShown ? { answer } : {})
  }
}

/** Shortens texts and lists, so that an answer can be read. */
function shorten(value: unknown): unknown {
  if (typeof value === 'string') return value.length > maxText ? `${value.slice(0, maxText)}…` : value
  if (Array.isArray(value)) return value.slice(0, maxItems).map(shorten)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shorten(each)]))
}

const state = 'state-of-the-browser-0123456789'
const codeVerifier = 'verifier-of-the-browser-0123456789-0123456789'

async function personAt(issuer: string, visit: (address: string) => Promise<URL>): Promise<Sender['people']> {
  return {
    issuer,
    redirect_uri: `${publicUrl}/sign-in`,
    state,
    nonce: state,
    code_verifier: codeVerifier,
    code_challenge: await calculatePKCECodeChallenge(codeVerifier),
    visit: async address => (await visit(address)).search
  }
}

/** The text of the file: an operation on each line. */
export const printExamples = (examples: Examples) =>
  `{\n${Object.entries(examples)
    .map(([operation, example]) => `${JSON.stringify(operation)}: ${JSON.stringify(example)}`)
    .join(',\n')}\n}\n`

/** The members and types of a value, without what differs each time. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map(each => JSON.stringify(shapeOf(each))))].sort()
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, each]) => [key, shapeOf(each)] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1))
  )
}

/** An example without the values of its answer. */
export const comparable = ({ answer, ...request }: Example) => ({ ...request, answer: shapeOf(answer) })
