import { globSync } from 'node:fs'

import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { labels } from '#domain/labels/en.ts'
import { createModel } from '#domain/record-types/model.ts'
import type { RecordType } from '#domain/record-types/record-type.ts'
import { problemKinds, problemPath, type ProblemCode, type ProblemKind } from '#http/reply/errors.ts'
import { allFormats } from '#protocols/formats/registry.ts'
import { settings } from '../src/config.ts'
import { printWhole } from './first-answer.ts'

/*
 * The parts of documents that repeat what the code says, most of them tables. In a document they
 * are between `<!-- table: name -->` and `<!-- end -->`. `npm run docs` writes them, and
 * `test/docs.test.ts` fails when they differ from the code.
 */

export interface Operation {
  readonly method: string
  readonly path: string
  readonly summary: string
}

export function tables(operations: readonly Operation[], firstAnswer: unknown): Readonly<Record<string, string>> {
  return {
    'first answer': `\`\`\`json\n${printWhole(firstAnswer)}\n\`\`\``,
    settings: table(
      ['Setting', 'Meaning', 'Default'],
      Object.values(settings).map(({ name, meaning, defaultText }) => [
        `\`${name}\``,
        // Links of meanings begin at docs/; the table is one folder below.
        meaning.replaceAll('](', '](../'),
        defaultText && `\`${defaultText}\``
      ])
    ),
    problems: table(
      ['Status', 'Code', '`message` begins with', 'Meaning'],
      (Object.entries(problemKinds) as [ProblemCode, ProblemKind][])
        .toSorted(([, one], [, other]) => one.status - other.status)
        .map(([code, kind]) => [
          String(kind.status),
          `[\`${code}\`](${problemPath(code)})`,
          `\`${kind.clientCode}\``,
          kind.explanation
        ])
    ),
    routes: table(
      ['Method', 'Path', ''],
      operations.map(({ method, path, summary }) => [method, `\`${path}\``, summary])
    ),
    forms: table(
      ['`format`', 'Content', 'Of', 'Media type', 'File', 'OAI-PMH', 'SRU', 'Imported as'],
      [
        ['`json`', 'The entity, or the WEM; one record only', 'every entity', '`application/json`', '', '', '', ''],
        ...allFormats.map(({ name, describe, of, mediaType, isByNameOnly, extension, oai, sru, reads }) => [
          code(name),
          describe,
          of,
          `${code(mediaType)}${isByNameOnly ? ', by `format` only' : ''}`,
          code(`.${extension}`),
          code(oai?.prefix),
          code(sru?.name),
          code(reads)
        ])
      ]
    ),
    facets: table(
      ['Facet', 'Of', 'Readers have it'],
      createModel(builtInRecordTypes).facets.map(({ name, field, isForStaff }) => [
        (field ? labels.fields : labels.relations)[name] ?? name,
        `\`${name}\``,
        isForStaff ? 'no' : 'yes'
      ])
    ),
    'record types': table(['Type (id prefix)', 'Fields', 'Relations'], groupedTypes().map(typeRow))
  }
}

const code = (text: string | undefined) => (text === undefined ? '' : `\`${text}\``)

/** Groups subtypes that share a table into one row. */
function groupedTypes(): RecordType[][] {
  const groups = Map.groupBy(builtInRecordTypes, each => each.umbrella ?? each.type)
  return [...groups.values()]
}

function typeRow(group: readonly RecordType[]): string[] {
  const [first] = group
  if (!first) return []
  const names = group.map(each => `\`${each.type}\``).join(', ')
  const fields = Object.entries(first.fields).map(([key, field]) => {
    const range = field.of
      ? `: ${field.of.join(', ')}`
      : field.maxLength
        ? `, at most ${field.maxLength} characters`
        : ''
    return `\`${key}\`${field.required ? '\\*' : ''} (${field.kind}${range})`
  })
  const relations = Object.entries(first.relations).map(([type, rule]) => {
    const count =
      rule.min === 1 && rule.max === 1
        ? ', exactly one'
        : rule.min === 1
          ? ', one or more'
          : rule.max === 1
            ? ', at most one'
            : ''
    return `\`${type}\` → ${rule.to.join(', ')}${count}`
  })
  return [`${names} (${first.idPrefix}). ${first.description}`, fields.join('; '), relations.join('; ')]
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map(cell => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** The Markdown documents of the repository that may hold tables. */
export const documents: readonly string[] = globSync(
  ['*.md', '{bench,client,examples/season,packages/records,sample}/README.md', 'docs/**/*.md'],
  { cwd: new URL('../', import.meta.url) }
).map(path => path.replaceAll('\\', '/'))

/** Returns the names of the tables of a document. */
export const tablesIn = (text: string) =>
  [...text.matchAll(/<!-- table: ([a-z0-9 ]+) -->/g)].map(([, name = '']) => name)

/** Returns a document with its tables brought up to date. */
export function withTables(text: string, current: Readonly<Record<string, string>>): string {
  return text.replace(
    /(<!-- table: ([a-z0-9 ]+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, before: string, name: string, after: string) => {
      const body = current[name]
      if (body === undefined) throw new Error(`There is no table "${name}"`)
      return `${before}${body}\n${after}`
    }
  )
}
