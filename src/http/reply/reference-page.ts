import { exampleOf } from '../openapi/examples.ts'
import { escapeHtml, inlineCode, page } from './html-pages.ts'

interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: { readonly schemas: Schemas }
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
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>
  }
  readonly responses: Readonly<
    Record<
      string,
      { readonly description: string; readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>> }
    >
  >
}

type JsonSchema = Readonly<Record<string, unknown>>
type Schemas = Readonly<Record<string, JsonSchema>>

/**
 * The reference of the interface as one page, made from the OpenAPI document: every operation with
 * an example. `script` is the markup that loads the script of the page, which adds search and
 * trying out (`web/src/reference`); without it the page has everything else.
 */
export function referencePage(document: object, script = ''): string {
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
          .map(each => operationHtml(each, components.schemas))
          .join('')}</section>`
    ),
    `<section><h2 id="records">Records</h2><p>Schemas of answers and bodies.</p>${Object.entries(components.schemas).map(schemaHtml).join('')}</section></main>`
  ]
  return page(info.title, body.join(''), script)
}

interface Listed {
  readonly path: string
  readonly method: string
  readonly operation: OpenApiOperation
}

function operationHtml({ path, method, operation }: Listed, schemas: Schemas): string {
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
  return `<article data-method="${method}" data-path="${escapeHtml(path)}"><h3><span class="method">${method}</span> <code>${escapeHtml(path)}</code></h3><p>${inlineCode(operation.summary)}. ${inlineCode(operation.description ?? '')}${
    operation.security?.length === 0 ? ' <em>Needs no bearer.</em>' : ''
  }</p>${parameters.length > 0 ? `<table><caption>Parameters</caption><tbody>${parameters.join('')}</tbody></table>` : ''}${
    bodies.length > 0 ? `<p>Body: ${bodies.join('; ')}</p>` : ''
  }<ul>${answers.join('')}</ul>${exampleHtml({ path, method, operation }, schemas)}</article>`
}

/** The request as a command, and the answer to it. */
function exampleHtml({ path, method, operation }: Listed, schemas: Schemas): string {
  const isPublic = operation.security?.length === 0
  const [[media, body] = ['', undefined]] = Object.entries(operation.requestBody?.content ?? {})
  const sent = body && (body.example ?? exampleOf(body.schema, schemas))
  const isJson = media.endsWith('json')
  const command = [
    `curl${method === 'GET' ? '' : ` -X ${method}`}`,
    ...(isPublic ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(body === undefined ? [] : [`-H "Content-Type: ${media}"`]),
    ...(body === undefined ? [] : [isJson ? `-d '${JSON.stringify(sent)}'` : '--data-binary @file']),
    `"$BASE${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)}"`
  ].join(' ')
  const [status, answer] = Object.entries(operation.responses).find(([each]) => each.startsWith('2')) ?? []
  const shape = answer?.content?.['application/json']?.schema
  const shown = shape && JSON.stringify(exampleOf(shape, schemas), undefined, 2)
  return `<details><summary>Example</summary><pre tabindex="0"><code>${escapeHtml(command)}</code></pre>${
    shown === undefined ? '' : `<p>Answer, ${status}:</p><pre tabindex="0"><code>${escapeHtml(shown)}</code></pre>`
  }</details>`
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
