import { escapeHtml, inlineCode } from './html-pages.ts'

/* A JSON schema as a tree of lists, whose branches open and close. */

export type JsonSchema = Readonly<Record<string, unknown>>

export const anchorOfSchema = (name: string) => `schema-${name}`

/** The tree of a schema. The script of the page fills branches that refer to another schema. */
export function schemaTree(schema: JsonSchema): string {
  const branches = branchesOf(schema)
  return branches === '' ? `<p>${labelOf(schema)}</p>` : `<ul class="tree">${branches}</ul>`
}

/** The members of an object, of the items of a list, or the alternatives; empty for a leaf. */
function branchesOf(schema: JsonSchema): string {
  const { properties, required = [], items, additionalProperties } = schema
  if (properties !== undefined)
    return Object.entries(properties as Record<string, JsonSchema>)
      .map(([name, each]) =>
        branch(each, `<code>${escapeHtml(name)}</code>${(required as string[]).includes(name) ? ' *' : ''} `)
      )
      .join('')
  const alternatives = alternativesOf(schema)
  if (alternatives.length > 0) return alternatives.map(each => branch(each, '')).join('')
  if (isSchema(items)) return referenceOf(items) === undefined ? branchesOf(items) : branch(items, 'each: ')
  if (isSchema(additionalProperties)) return branch(additionalProperties, 'any name: ')
  const reference = referenceOf(schema)
  return reference === undefined ? '' : branch(schema, '')
}

function branch(schema: JsonSchema, name: string): string {
  const text = `${name}${labelOf(schema)}${schema.description === undefined ? '' : ` ${inlineCode(String(schema.description))}`}`
  const reference = referenceOf(schema) ?? (isSchema(schema.items) ? referenceOf(schema.items) : undefined)
  if (reference !== undefined)
    return `<li><details data-of="${escapeHtml(reference)}"><summary>${text}</summary><a href="#${anchorOfSchema(reference)}">${escapeHtml(reference)}</a></details></li>`
  const inner = branchesOf(schema)
  return inner === '' ? `<li>${text}</li>` : `<li><details><summary>${text}</summary><ul>${inner}</ul></details></li>`
}

/** The type of a schema in words. */
function labelOf(schema: JsonSchema): string {
  const reference = referenceOf(schema)
  if (reference !== undefined) return `<em>${escapeHtml(reference)}</em>`
  if (schema.type === 'array' && isSchema(schema.items)) return `list of ${labelOf(schema.items)}`
  const alternatives = alternativesOf(schema)
  if (alternatives.length > 0 && alternatives.length <= maxNamed) return alternatives.map(labelOf).join(' or ')
  return alternatives.length > 0 ? 'one of' : `<em>${escapeHtml(typeText(schema))}</em>`
}

/** Maximum number of alternatives that are named on one line. */
const maxNamed = 4

const alternativesOf = ({ anyOf, oneOf }: JsonSchema) => (anyOf ?? oneOf ?? []) as readonly JsonSchema[]

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null

const referenceOf = ({ $ref }: JsonSchema) => (typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined)

/** A type with its choices, limits and default. */
export function typeText(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return schema.enum.join(', ')
  const range = [schema.minimum, schema.maximum].some(each => each !== undefined)
    ? ` ${schema.minimum ?? ''}–${schema.maximum ?? ''}`
    : ''
  const fallback = schema.default === undefined || schema.default === '' ? '' : `, default ${String(schema.default)}`
  return `${[schema.type ?? 'any'].flat().join(' or ')}${range}${fallback}`
}
