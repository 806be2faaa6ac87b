import type { Example } from './examples.ts'

/*
 * The example of an operation as code: in the shell, in TypeScript with our client, and in Python.
 * `x-codeSamples` is the name by which viewers of OpenAPI documents know them.
 */

export interface CodeSample {
  readonly lang: string
  readonly label: string
  readonly source: string
}

interface Call extends Example {
  readonly method: string
  readonly template: string
  readonly isPublic: boolean
}

export const codeSamples = (call: Call): readonly CodeSample[] => [
  { lang: 'shell', label: 'Shell', source: inShell(call) },
  { lang: 'typescript', label: 'TypeScript', source: isJson(call) ? withClient(call) : withFetch(call) },
  { lang: 'python', label: 'Python', source: inPython(call) }
]

const formType = 'application/x-www-form-urlencoded'
const isForm = ({ headers }: Call) => headers?.['content-type'] === formType
const isJson = (call: Call) =>
  call.file === undefined && !isForm(call) && (call.mediaType === undefined || call.mediaType === 'application/json')

/** The path and query of a call. */
function addressOf({ template, path = {}, query = {} }: Call): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))
  const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  return parameters.size === 0 ? filled : `${filled}?${parameters}`
}

const formOf = (body: unknown) => String(new URLSearchParams(body as Record<string, string>))

/** The headers of a call beside its bearer. */
const headersOf = (call: Call): [string, string][] => {
  const given = Object.entries(call.headers ?? {})
  return call.body === undefined || isForm(call) ? given : [['content-type', 'application/json'], ...given]
}

function inShell(call: Call): string {
  const { method, body, file, isPublic } = call
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
  const parts = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$BASE${addressOf(call)}"`,
    ...(isPublic ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...headersOf(call).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(isForm(call) ? formOf(body) : JSON.stringify(body))}`]),
    ...(file === undefined ? [] : [`--data-binary @${file}`])
  ]
  return parts.join(' \\\n  ')
}

function withClient({ method, template, path, query, headers, body, status }: Call): string {
  const request = Object.entries({ path, query, headers, body }).filter(([, value]) => value !== undefined)
  const given = request.map(([name, value]) => `${name}: ${typeScript(value, '  ')}`)
  const call = `await libretto.send('${method} ${template}', {${given.length === 0 ? '' : `\n  ${given.join(',\n  ')}\n`}})`
  return status === 204 ? call : `const { data } = ${call}`
}

function withFetch(call: Call): string {
  const { method, body, file, isPublic, mediaType = '' } = call
  const headers = [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the code has the template
    ...(isPublic ? [] : ['authorization: `Bearer ${token}`']),
    ...headersOf(call).map(([name, value]) => `'${name}': '${value}'`)
  ]
  const members = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(', ')} }`]),
    ...(body === undefined
      ? []
      : [`body: ${isForm(call) ? 'new URLSearchParams' : 'JSON.stringify'}(${typeScript(body, '  ')})`]),
    ...(file === undefined ? [] : [`body: await openAsBlob('${file}')`])
  ]
  const options = members.length === 0 ? '' : `, {\n  ${members.join(',\n  ')}\n}`
  const read = mediaType.includes('json') ? 'json' : /^text|xml/.test(mediaType) ? 'text' : 'blob'
  return `const answer = await fetch(\`\${baseUrl}${addressOf(call)}\`${options})\nconst data = await answer.${read}()`
}

function inPython(call: Call): string {
  const { method, template, path = {}, query, headers, body, file, mediaType = '', answer } = call
  const address = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))
  const parameters = [
    `f"{base}${address}"`,
    ...(query === undefined ? [] : [`params=${python(query, '    ')}`]),
    ...(headers === undefined || isForm(call) ? [] : [`headers=${python(headers, '    ')}`]),
    ...(body === undefined ? [] : [`${isForm(call) ? 'data' : 'json'}=${python(body, '    ')}`]),
    ...(file === undefined ? [] : [`data=open("${file}", "rb")`])
  ]
  const name = method === 'OPTIONS' ? 'options' : method.toLowerCase()
  const sent = `answer = session.${name}(\n    ${parameters.join(',\n    ')},\n)\nanswer.raise_for_status()`
  const read = mediaType.includes('json') ? 'json()' : answer === undefined ? 'content' : 'text'
  return mediaType === '' ? sent : `${sent}\ndata = answer.${read}`
}

/** Maximum width of a value on one line. */
const maxWidth = 88

/** Writes a value as a literal, on one line if it fits. */
function literal(value: unknown, indent: string, { scalar, key }: Language): string {
  if (typeof value !== 'object' || value === null) return scalar(value)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const write = (inner: string) =>
    Array.isArray(value)
      ? value.map(each => literal(each, inner, { scalar, key }))
      : Object.entries(value).map(([name, each]) => `${key(name)}: ${literal(each, inner, { scalar, key })}`)
  const space = open === '{' ? ' ' : ''
  const line = `${open}${space}${write('').join(', ')}${space}${close}`
  if (line.length + indent.length <= maxWidth && !line.includes('\n')) return line === '{  }' ? '{}' : line
  return `${open}\n${indent}  ${write(`${indent}  `).join(`,\n${indent}  `)}\n${indent}${close}`
}

interface Language {
  readonly scalar: (value: unknown) => string
  readonly key: (name: string) => string
}

const typeScript = (value: unknown, indent: string) =>
  literal(value, indent, {
    scalar: each => (typeof each === 'string' && !each.includes("'") ? `'${each}'` : JSON.stringify(each)),
    key: name => (/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`)
  })

const pythonWords = new Map<unknown, string>([
  [true, 'True'],
  [false, 'False'],
  [null, 'None']
])

const python = (value: unknown, indent: string) =>
  literal(value, indent, {
    scalar: each => pythonWords.get(each) ?? JSON.stringify(each),
    key: name => JSON.stringify(name)
  })
