import { element } from './element.ts'

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: { readonly enum?: readonly unknown[]; readonly default?: unknown }
}

interface Operation {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> }
}

interface Reference {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** Maximum characters of an answer that are shown. */
const maxShown = 100_000

/** The service is in the folder of this page. */
const base = new URL('.', location.href)

let loading: Promise<Reference> | undefined
const loadReference = (): Promise<Reference> => {
  loading ??= fetch(new URL('openapi.json', base)).then(answer => answer.json() as Promise<Reference>)
  return loading
}

/** A form that sends one operation with values of one's own, and shows the answer. */
export async function tryForm(method: string, path: string, readToken: () => string): Promise<HTMLElement> {
  const operation = (await loadReference()).paths[path]?.[method.toLowerCase()] ?? {}
  const form = element('form', { className: 'try' })
  form.setAttribute('aria-label', `${method} ${path}`)
  const inputs = (operation.parameters ?? []).map(parameter => ({ parameter, input: inputFor(parameter) }))
  for (const { parameter, input } of inputs) {
    const label = element('label', { textContent: `${parameter.name}${parameter.required ? ' (required)' : ''}` })
    label.append(input)
    form.append(label)
  }
  const [media = '', body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const text = element('textarea', { spellcheck: false })
  if (body !== undefined) {
    text.value = body.example === undefined ? '' : JSON.stringify(body.example, undefined, 2)
    const label = element('label', { textContent: `Body, ${media}` })
    label.append(text)
    form.append(label)
  }
  const send = element('button', { textContent: method === 'GET' ? 'Send' : `Send: this ${method} is carried out` })
  const status = element('output', { ariaLive: 'polite' })
  const answer = element('pre', { tabIndex: 0, hidden: true })
  form.append(send, status, answer)

  form.addEventListener('submit', async event => {
    event.preventDefault()
    const token = readToken()
    const url = addressOf(
      path,
      inputs.map(({ parameter, input }) => [parameter, input.value])
    )
    status.value = 'Waiting for the answer'
    answer.hidden = true
    try {
      const reply = await fetch(url, {
        method,
        cache: 'no-store',
        headers: {
          ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': media })
        },
        ...(body === undefined ? {} : { body: text.value })
      })
      status.value = `${reply.status} ${reply.statusText}`.trim()
      answer.textContent = await show(reply)
      answer.hidden = answer.textContent === ''
    } catch (error) {
      status.value = `The request failed: ${error instanceof Error ? error.message : String(error)}`
    }
  })
  return form
}

function inputFor({ required = false, schema }: Parameter): HTMLInputElement | HTMLSelectElement {
  if (schema.enum === undefined) return element('input', { type: 'text', required, autocomplete: 'off' })
  const select = element('select', { required })
  for (const value of ['', ...schema.enum.map(String)]) select.append(element('option', { value, textContent: value }))
  return select
}

function addressOf(path: string, values: readonly (readonly [Parameter, string])[]): URL {
  let filled = path.slice(1)
  for (const [{ name, in: where }, value] of values)
    if (where === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(value))
  const url = new URL(filled, base)
  for (const [{ name, in: where }, value] of values)
    if (where === 'query' && value !== '') url.searchParams.append(name, value)
  return url
}

/** The answer as text: JSON with one value on each line, other text as it is. */
async function show(reply: Response): Promise<string> {
  const type = reply.headers.get('content-type') ?? ''
  if (!/json|text|xml|csv|calendar|turtle|triples/.test(type)) return `${(await reply.blob()).size} bytes, ${type}`
  const text = await reply.text()
  const shown = /json$|json;/.test(type) && !type.includes('ndjson') ? pretty(text) : text
  return shown.length > maxShown ? `${shown.slice(0, maxShown)}\n…` : shown
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}
