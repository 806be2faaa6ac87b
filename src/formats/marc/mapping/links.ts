import { person } from '#domain/record-types/related.ts'
import type { RecordNumbers } from '#domain/imports/record-links.ts'
import { type DataField, type Dialect, isDataField } from '../record.ts'
import { identifiersOf, readPerson } from './agents.ts'
import type { LinkDraft } from '../../description/description.ts'
import { titleKey } from '../../description/keys.ts'
import { type Reader, uniformFields } from './reader.ts'
import { clean, type FieldIndex, fieldsOf, firstPart, joinTitle, namesPart, originOf, partsOf } from './values.ts'

export function readLinks(reader: Reader, languages: readonly string[]): LinkDraft[] {
  const links: LinkDraft[] = []
  for (const row of reader.table.links)
    for (const found of fieldsOf(reader.fields, row, reader.record.leader)) {
      const { field } = found
      if (!isDataField(field)) continue
      if (field.tag.startsWith('7') && field.tag < '740' && namesPart(field)) continue
      const text = joinTitle(partsOf(field, row.from).map(({ value }) => value))
      const author = row.author === undefined ? undefined : readPerson(field, row.author, person.type, reader.style)
      const identifiers = row.numbers === undefined ? [] : identifiersOf(field, row.numbers)
      if (text === '' && identifiers.length === 0) continue
      links.push({
        kind: row.link,
        title: text === '' ? undefined : text,
        titleKey: text === '' ? undefined : titleKey(text, 0, languages),
        author: author && {
          name: author.metadata[0]?.value ?? '',
          key: author.key,
          birthYear: author.birthYear,
          role: 'aut',
          identifiers: author.identifiers
        },
        identifiers,
        numbers: numbersIn(field, reader.dialect),
        ...withPart(
          row.part === undefined
            ? ''
            : partsOf(field, row.part)
                .map(({ value }) => clean(value))
                .join(', ')
        ),
        from: originOf(found, row.from)
      })
    }
  return links
}

const withPart = (part: string) => (part === '' ? {} : { part })

const numberCodes = {
  marc21: { control: 'w', issn: 'x', isbn: 'z' },
  unimarc: { control: '0', issn: 'x', isbn: 'y' }
} as const satisfies Record<Dialect, Readonly<Record<keyof RecordNumbers, string>>>

function numbersIn(field: DataField, dialect: Dialect): RecordNumbers {
  const { control, issn, isbn } = numberCodes[dialect]
  return {
    control: identifiersOf(field, control),
    issn: identifiersOf(field, issn),
    isbn: identifiersOf(field, isbn)
  }
}

export function workIdentifiers(reader: Reader): string[] {
  const tags = [...uniformFields[reader.dialect], ...(reader.dialect === 'marc21' ? ['758'] : [])]
  const found = tags.flatMap(tag => reader.fields.get(tag) ?? [])
  return [
    ...new Set(found.flatMap(({ field }) => (isDataField(field) ? identifiersOf(field, reader.style.identifiers) : [])))
  ]
}

export function manifestationIdentifiers(reader: Reader): string[] {
  const found = (reader.fields.get('035') ?? []).flatMap(({ field }) => partsOf(field, 'a').map(({ value }) => value))
  return [...new Set(found)]
}

export function findAgency(fields: FieldIndex, dialect: Dialect): string | undefined {
  const found = fields.get(dialect === 'marc21' ? '003' : '801')?.[0]
  if (found === undefined) return undefined
  const value = isDataField(found.field) ? firstPart(found.field, 'b') : found.field.value.trim()
  return value === '' ? undefined : value
}
