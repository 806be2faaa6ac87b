import type { CodeSample } from '../openapi/code-samples.ts'
import { escapeHtml, inlineCode, page } from './html-pages.ts'
import { anchorOfSchema, type JsonSchema, schemaTree, typeText } from './schema-tree.ts'

interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

interface OpenApiOperation {
  readonly operationId: string
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
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
  readonly 'x-codeSamples'?: readonly CodeSample[]
}

type Content = Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>

interface Listed {
  readonly path: string
  readonly method: string
  readonly operation: OpenApiOperation
}

/**
 * The reference of the interface as one page, made from the OpenAPI document: every operation with
 * its example. `script` is the markup that loads the script of the page, which adds search, the
 * choice of a language and trying out (`web/src/reference`); the page has everything else without
 * it.
 */
export function referencePage(document: object, script = ''): string {
  const { info, tags, paths, components } = document as OpenApiDocument
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation }))
  )
  const groups = tags.map(tag => ({ ...tag, all: operations.filter(each => each.operation.tags.includes(tag.name)) }))
  const schemas = Object.entries(components.schemas)
  const schemaLinks = schemas.map(([name]) => [anchorOfSchema(name), `<code>${escapeHtml(name)}</code>`] as const)
  const body = [
    `<header><h1>${escapeHtml(info.title)} ${escapeHtml(info.version)}</h1><p>${inlineCode(info.description ?? '')} As a document for programs: <a href="openapi.json">openapi.json</a>.</p></header>`,
    `<nav aria-label="Operations">${groups.map(({ name, all }) => navigationGroup(name, all.map(linkTo))).join('')}${navigationGroup('Schemas', schemaLinks)}</nav><main>`,
    `<section><h2 id="code">Code</h2>${introduction}</section>`,
    ...groups.map(
      ({ name, description, all }) =>
        `<section><h2 id="${slug(name)}">${escapeHtml(name)}</h2><p>${escapeHtml(description)}</p>${all.map(operationHtml).join('')}</section>`
    ),
    `<section><h2 id="schemas">Schemas</h2><p>Bodies and answers, member by member. Required members have a star.</p>${schemas.map(schemaHtml).join('')}</section></main>`
  ]
  return page(info.title, `<div class="reference">${body.join('')}</div>`, script)
}

/** The names that the examples use. */
const introduction = `<p>The examples are requests to the sample catalogue, with its answers. They use these names:</p>${[
  ['shell', 'BASE=https://catalogue.example.org\nTOKEN=…'],
  ['typescript', "import { createClient } from 'libretto-client'\n\nconst libretto = createClient({ baseUrl, token })"],
  ['python', 'import requests\n\nsession = requests.Session()\nsession.headers["Authorization"] = f"Bearer {token}"']
]
  .map(([language = '', source = '']) => code(language, source))
  .join('')}`

function code(language: string, source: string): string {
  return `<pre tabindex="0" class="code ${language}"><code>${escapeHtml(source)}</code></pre>`
}

const linkTo = ({ method, operation }: Listed) =>
  [operation.operationId, `<span class="method">${method}</span> ${inlineCode(operation.summary)}`] as const

const navigationGroup = (name: string, links: readonly (readonly [anchor: string, label: string])[]) =>
  `<details><summary>${escapeHtml(name)}</summary><ul><li><a href="#${slug(name)}">All of ${escapeHtml(name)}</a></li>${links
    .map(([anchor, label]) => `<li><a href="#${anchor}">${label}</a></li>`)
    .join('')}</ul></details>`

function operationHtml({ path, method, operation }: Listed): string {
  const { operationId, summary, description = '', security, parameters = [], requestBody, responses } = operation
  const rows = parameters.map(
    ({ name, in: where, required, description: meaning = '', schema }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${where}${required ? ', required' : ''}</td><td>${escapeHtml(typeText(schema))}</td><td>${inlineCode(meaning)}</td></tr>`
  )
  const answers = Object.entries(responses).map(
    // All problems have the same schema.
    ([status, { description: meaning, content }]) =>
      `<p><strong>${status}</strong> ${inlineCode(meaning)}</p>${Number(status) < 400 ? contentHtml(content) : ''}`
  )
  const parts = [
    ...(rows.length > 0 ? [['Parameters', `<table><tbody>${rows.join('')}</tbody></table>`]] : []),
    ...(requestBody ? [['Body', contentHtml(requestBody.content)]] : []),
    ['Answers', answers.join('')],
    ...exampleParts(operation)
  ]
  return `<article id="${operationId}" data-method="${method}" data-path="${escapeHtml(path)}"><h3><span class="method">${method}</span> <code>${escapeHtml(path)}</code></h3><p>${inlineCode(summary)}. ${inlineCode(description)}${
    security?.length === 0 ? ' <em>Needs no bearer.</em>' : ''
  }</p>${parts.map(([name, html]) => `<details><summary>${name}</summary>${html}</details>`).join('')}</article>`
}

/** Each media type with the tree of its schema; types of the same schema share one. */
function contentHtml(content: Content = {}): string {
  const bySchema = Map.groupBy(Object.entries(content), ([, { schema }]) => JSON.stringify(schema))
  return [...bySchema.values()]
    .map(
      same =>
        `<p>${same.map(([media]) => `<code>${escapeHtml(media)}</code>`).join(', ')}</p>${schemaTree(same[0]?.[1].schema ?? {})}`
    )
    .join('')
}

/** The request as code, and the answer to it. */
function exampleParts({ responses, 'x-codeSamples': samples }: OpenApiOperation): string[][] {
  if (samples === undefined) return []
  const answers = Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.values(content).flatMap(({ example }) => (example === undefined ? [] : [{ status, example }]))
  )
  const shown = answers.map(({ status, example }) => {
    const text = typeof example === 'string' ? example : JSON.stringify(example, undefined, 2)
    return `<p>Answer, ${status}:</p><pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`
  })
  return [['Example', `${samples.map(({ lang, source }) => code(lang, source)).join('')}${shown.join('')}`]]
}

const schemaHtml = ([name, schema]: [string, JsonSchema]) =>
  `<article id="${anchorOfSchema(name)}" data-schema="${escapeHtml(name)}"><h3><code>${escapeHtml(name)}</code></h3><p>${inlineCode(String(schema.description ?? ''))}</p>${schemaTree(schema)}</article>`

const slug = (text: string) => text.toLowerCase().replace(/[^a-z0-9]+/g, '-')
