import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { mappings } from '#formats/rdf/mapping.ts'
import type { FieldRule, ReachRule, RelationRule } from '#formats/rdf/mapping-rule.ts'
import { prefixes, vocabularies } from '#formats/rdf/vocabularies.ts'
import { table } from './tables.ts'

/* The tables of docs/reference/linked-data.md, from the tables that the mapping itself reads. */

export function rdfTables(): Readonly<Record<string, string>> {
  const known = Object.entries(mappings)
  return {
    vocabularies: table(
      ['Prefix', 'Vocabulary'],
      prefixes.map(prefix => [`\`${prefix}\``, vocabularies[prefix]])
    ),
    classes: table(
      ['Type', 'Is a'],
      builtInRecordTypes.map(({ type, umbrella }) => {
        const classes = [umbrella ?? '', type].flatMap(name => mappings[name]?.classes ?? [])
        return [`\`${type}\``, classes.map(code).join(' ')]
      })
    ),
    'fields in linked data': table(
      ['Of', 'Field', 'Says'],
      known.flatMap(([name, { fields = {} }]) =>
        Object.entries(fields).map(([key, rules]) => [`\`${name}\``, `\`${key}\``, rules.map(fieldText).join('; ')])
      )
    ),
    'relations in linked data': table(
      ['Of', 'Relation', 'Says'],
      known.flatMap(([name, { relations = {}, reaches = [] }]) => [
        ...Object.entries(relations).map(([key, rules]) => [
          `\`${name}\``,
          `\`${key}\``,
          rules.map(relationText).join('; ')
        ]),
        ...reaches.map(rule => [`\`${name}\``, rule.by.map(code).join(' → '), reachText(rule)])
      ])
    )
  }
}

const code = (text: string) => `\`${text}\``

const partText = ({ in: part }: Pick<FieldRule, 'in'>) => (part ? ` of a ${code(part.is)} (${code(part.by)})` : '')

const fieldText = (rule: FieldRule) =>
  `${rule.predicates.map(code).join(' ')}${partText(rule)}${rule.as === undefined || rule.as === 'text' ? '' : `, as ${rule.as}`}`

function relationText(rule: RelationRule): string {
  if (rule.roles === 'ofEvent') return 'by the role'
  if (rule.roles === 'ofWork') return `by the role; ${code('bf:contribution')} with its ${code('bf:role')}`
  const back = rule.back ? ` (back: ${rule.back.map(code).join(' ')})` : ''
  return `${(rule.predicates ?? []).map(code).join(' ')}${partText(rule)}${back}`
}

function reachText(rule: ReachRule): string {
  if (rule.name) return `${code('schema:name')}: the name of what is reached`
  return rule.roles ? 'by the role' : relationText(rule)
}
