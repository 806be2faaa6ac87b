import { type ProblemCode, problemKinds } from './errors.ts'

/* Static pages. They are generated here, contain no script and load nothing. */

export const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

interface OpenApiOperation {
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly security?: readonly unknown[]
  readonly parameters?: readonly {
    name: string
    in: string
    required?: boolean
    description?: string
    schema: JsonSchema
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> }
  readonly responses: Readonly<
    Record<
      string,
      { readonly description: string; readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>> }
    >
  >
}

type JsonSchema = Readonly<Record<string, unknown>>

/** The reference of the interface as one page, made from the OpenAPI document. */
export function referencePage(document: object): string {
  const { info, paths, components } = document as OpenApiDocument
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation }))
  )
  const tags = [...new Set(operations.flatMap(each => each.operation.tags))]
  const body = [
    `<header><h1>${escapeHtml(info.title)}</h1><p>${escapeHtml(info.description ?? '')} As a document for programs: <a href="openapi.json">openapi.json</a>.</p></header>`,
    `<nav><ul>${[...tags, 'Records'].map(tag => `<li><a href="#${slug(tag)}">${escapeHtml(tag)}</a></li>`).join('')}</ul></nav><main>`,
    ...tags.map(
      tag =>
        `<section><h2 id="${slug(tag)}">${escapeHtml(tag)}</h2>${operations
          .filter(each => each.operation.tags.includes(tag))
          .map(operationHtml)
          .join('')}</section>`
    ),
    `<section><h2 id="records">Records</h2><p>Schemas of answers and bodies.</p>${Object.entries(components.schemas).map(schemaHtml).join('')}</section></main>`
  ]
  return page(info.title, body.join(''))
}

/** The explanation of one problem, for people who follow the `type` of an error. */
export function problemPage(code: ProblemCode): string {
  const { title, status, explanation, clientCode } = problemKinds[code]
  return page(
    title,
    `<main><h1>${escapeHtml(title)}</h1><p>${inlineCode(explanation)}</p><p>Status ${status}, code <code>${code}</code>, <code>${clientCode}</code> in <code>message</code>.</p></main>`
  )
}

/** Replaces the web page where it was not built. */
export function missingPage(): string {
  return page(
    'Libretto',
    '<main><h1>Libretto</h1><p>The service runs, but its web page was not built here. <code>npm start</code> and <code>npm run build</code> build it. The interface is at <a href="docs">docs</a>.</p></main>'
  )
}

function operationHtml({
  path,
  method,
  operation
}: {
  path: string
  method: string
  operation: OpenApiOperation
}): string {
  const parameters = (operation.parameters ?? []).map(
    ({ name, in: where, required, description, schema }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${where}${required ? ', required' : ''}</td><td>${escapeHtml(typeText(schema))}</td><td>${inlineCode(description ?? '')}</td></tr>`
  )
  const bodies = Object.entries(operation.requestBody?.content ?? {}).map(
    ([media, { schema }]) => `<code>${escapeHtml(media)}</code>: ${schemaLink(schema)}`
  )
  const answers = Object.entries(operation.responses).map(([status, { description, content }]) => {
    const shapes = Object.values(content ?? {}).map(each => (each.schema ? schemaLink(each.schema) : ''))
    return `<li><strong>${status}</strong> ${inlineCode(description)} ${shapes.filter(Boolean).join(', ')}</li>`
  })
  return `<article><h3><span class="method">${method}</span> <code>${escapeHtml(path)}</code></h3><p>${inlineCode(operation.summary)}. ${inlineCode(operation.description ?? '')}${
    operation.security?.length === 0 ? ' <em>Needs no bearer.</em>' : ''
  }</p>${parameters.length > 0 ? `<table><caption>Parameters</caption><tbody>${parameters.join('')}</tbody></table>` : ''}${
    bodies.length > 0 ? `<p>Body: ${bodies.join('; ')}</p>` : ''
  }<ul>${answers.join('')}</ul></article>`
}

function schemaHtml([name, schema]: [string, JsonSchema]): string {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
  const required = (schema.required ?? []) as readonly string[]
  const rows = properties.map(
    ([key, each]) =>
      `<tr><td><code>${escapeHtml(key)}</code>${required.includes(key) ? ' *' : ''}</td><td>${schemaLink(each)}</td><td>${inlineCode(String(each.description ?? ''))}</td></tr>`
  )
  return `<article><h3 id="schema-${slug(name)}"><code>${escapeHtml(name)}</code></h3><p>${inlineCode(String(schema.description ?? ''))}</p>${
    rows.length > 0 ? `<table><tbody>${rows.join('')}</tbody></table>` : `<p>${schemaLink(schema)}</p>`
  }</article>`
}

function schemaLink(schema: JsonSchema): string {
  const reference = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined
  if (reference !== undefined) return `<a href="#schema-${slug(reference)}">${escapeHtml(reference)}</a>`
  if (schema.type === 'array' && schema.items) return `list of ${schemaLink(schema.items as JsonSchema)}`
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map(each => schemaLink(each as JsonSchema)).join(' or ')
  return escapeHtml(typeText(schema))
}

function typeText(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return schema.enum.join(', ')
  const range = [schema.minimum, schema.maximum].some(each => each !== undefined)
    ? ` ${schema.minimum ?? ''}–${schema.maximum ?? ''}`
    : ''
  const fallback = schema.default === undefined || schema.default === '' ? '' : `, default ${String(schema.default)}`
  return `${String(schema.type ?? 'any')}${range}${fallback}`
}

const slug = (text: string) => text.toLowerCase().replace(/[^a-z0-9]+/g, '-')

const inlineCode = (text: string) => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const page = (title: string, body: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title><style>${style}</style></head><body>${body}</body></html>
`

const style = `
:root{color-scheme:light dark;--ink:light-dark(#1d1f24,#e6e6ea);--soft:light-dark(#5b606b,#a5a9b4);--line:light-dark(#d9dce3,#3a3d46);--page:light-dark(#fff,#16181d);--mark:light-dark(#0b5cad,#7fb8ff)}
body{font:1rem/1.55 system-ui,sans-serif;color:var(--ink);background:var(--page);max-width:64rem;margin:0 auto;padding:1.5rem}
h1{font-size:1.7rem}h2{margin-top:2.5rem;border-bottom:1px solid var(--line)}h3{font-size:1.05rem;margin:1.6rem 0 .2rem}
a{color:var(--mark)}nav ul{display:flex;gap:1.2rem;list-style:none;padding:0}p,li{color:var(--ink)}caption{text-align:left;color:var(--soft);font-size:.9rem}
table{border-collapse:collapse;width:100%;font-size:.92rem}td{border-top:1px solid var(--line);padding:.25rem .8rem .25rem 0;vertical-align:top}
code{font-family:ui-monospace,monospace;font-size:.92em}.method{color:var(--mark);font-weight:700}
`
