import { classes, properties } from './schema-org-facts.ts'

/* A validator of schema.org JSON-LD: by the vocabulary, without fetching anything. */

type Node = Readonly<Record<string, unknown>>

/** Tests for texts, by the data type that a property takes. */
const literals: Readonly<Record<string, (text: string) => boolean>> = {
  Text: () => true,
  URL: text => URL.canParse(text),
  Date: text => /^\d{4}(?:-\d\d(?:-\d\d)?)?$/.test(text),
  DateTime: text => /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text)),
  Number: text => /^-?\d+(?:\.\d+)?$/.test(text),
  Integer: text => /^-?\d+$/.test(text),
  Duration: text => /^P(?=.)(?:\d+D)?(?:T(?=.)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?$/.test(text),
  Distance: text => /^\d+/.test(text),
  EventAttendanceModeEnumeration: text => /^https:\/\/schema\.org\/\w+EventAttendanceMode$/.test(text),
  EventStatusType: text => /^https:\/\/schema\.org\/Event\w+$/.test(text),
  ItemAvailability: text => /^https:\/\/schema\.org\/\w+$/.test(text)
}

/** The faults of a JSON-LD document, a line for each. */
export function schemaOrgFaults(document: unknown): string[] {
  const faults: string[] = []
  const context = (document as Node)['@context']
  if (context !== 'https://schema.org') faults.push(`@context is ${JSON.stringify(context)}`)
  const { '@context': _, '@graph': graph, ...root } = document as Node
  for (const [index, node] of listOf(graph ?? root).entries()) checkNode(node as Node, `/${index}`)
  return faults

  function checkNode(node: Node, at: string) {
    const types = listOf(node['@type'] ?? []) as string[]
    const members = Object.keys(node).filter(key => !key.startsWith('@'))
    if (types.length === 0 && members.length > 0) faults.push(`${at}: no @type`)
    for (const type of types) if (!Object.hasOwn(classes, type)) faults.push(`${at}: unknown class ${type}`)
    const ancestors = new Set(types.flatMap(ancestorsOf))
    for (const key of members) {
      const property = Object.hasOwn(properties, key) ? properties[key] : undefined
      if (!property) faults.push(`${at}: unknown property ${key}`)
      else if (!property.of.some(each => ancestors.has(each))) faults.push(`${at}: ${types} has no ${key}`)
      else for (const value of listOf(node[key])) checkValue(value, property.takes, `${at}/${key}`)
    }
  }

  function checkValue(value: unknown, takes: readonly string[], at: string) {
    if (value !== null && typeof value === 'object' && !('@value' in value)) {
      const node = value as Node
      const types = listOf(node['@type'] ?? []) as string[]
      const isReference = types.length === 0 && Object.keys(node).every(key => key === '@id')
      const isTaken = types.some(type => ancestorsOf(type).some(each => takes.includes(each)))
      if (!isReference && !isTaken) faults.push(`${at}: a ${types} is none of ${takes.join(', ')}`)
      return checkNode(node, at)
    }
    const text = String(value !== null && typeof value === 'object' ? (value as Node)['@value'] : value)
    if (!takes.some(type => literals[type]?.(text))) faults.push(`${at}: “${text}” is none of ${takes.join(', ')}`)
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

/** A class and those above it. */
const ancestorsOf = (type: string): string[] => [type, ...(classes[type] ?? []).flatMap(ancestorsOf)]
