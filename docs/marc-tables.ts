import { marcDefectKinds } from '#formats/source/defects.ts'
import { type Dialect, dialects } from '#formats/marc/record.ts'
import { titleKinds } from '#formats/description/description.ts'
import { mappingTables } from '#formats/marc/mapping/reader.ts'
import { roles } from '#formats/description/roles.ts'
import { type Condition, readings } from '#formats/marc/mapping/table.ts'
import { table } from './tables.ts'

/* The tables of docs/reference/marc-mapping.md, from the tables that the mapping itself reads. */

export function marcTables(): Readonly<Record<string, string>> {
  const perDialect = dialects.flatMap(dialect => Object.entries(tablesOf(dialect)))
  return {
    ...Object.fromEntries(perDialect),
    'marc readings': table(
      ['Word', 'Meaning'],
      Object.entries(readings).map(([word, meaning]) => [word, meaning])
    ),
    'marc title kinds': titleKinds.map((kind, index) => `${index + 1}. ${kind}`).join('\n'),
    'marc roles': table(
      ['Code', 'UNIMARC', 'Role', 'Level'],
      roles.map(({ code, unimarc = '', wording, level }) => [code, unimarc, wording, level])
    ),
    'marc defects': table(
      ['Defect', 'Meaning, and what the reader does'],
      Object.entries(marcDefectKinds).map(([kind, meaning]) => [`\`${kind}\``, meaning])
    )
  }
}

function tablesOf(dialect: Dialect): Record<string, string> {
  const { metadata, relations, titles, contained, links, materials } = mappingTables[dialect]
  return {
    [`${dialect} metadata`]: table(
      ['Field', 'Level', 'Gives', 'How', 'Written', ''],
      metadata.map(row => [
        fieldOf(row),
        row.level,
        `\`${row.gives}\``,
        row.as,
        row.written === undefined ? '' : `\`${row.tags[0]} ${row.written.replaceAll(' ', '_')}\``,
        remarks(row.otherwise, row.note)
      ])
    ),
    [`${dialect} relations`]: table(
      ['Field', 'Level', 'Gives', 'How', ''],
      relations.map(row => [
        fieldOf(row),
        row.level,
        `\`${row.relation}\` → ${row.to}`,
        row.as,
        remarks(row.otherwise, row.note)
      ])
    ),
    [`${dialect} titles`]: table(
      ['Field', 'A title of the work', 'How', ''],
      titles.map(row => [fieldOf(row), row.kind, row.as, row.note ?? ''])
    ),
    [`${dialect} contained`]: table(
      ['Field', 'Why', 'Author', ''],
      contained.map(row => [fieldOf(row), row.evidence, row.creator ?? '', row.note ?? ''])
    ),
    [`${dialect} links`]: table(
      ['Field', 'Link', ''],
      links.map(row => [fieldOf(row), row.link, row.note ?? ''])
    ),
    [`${dialect} materials`]: table(
      ['Leader/06', 'Meaning', 'Manifestation', 'Work and expression', 'Form'],
      materials.map(row => [
        [...row.leaderTypes].join(', '),
        row.meaning,
        `\`manifestation_${row.material}\``,
        `\`work_${row.content}\``,
        row.form
      ])
    )
  }
}

function fieldOf(row: { readonly tags: readonly string[]; readonly from: string; readonly when?: Condition }): string {
  const isPlaces = /^\d+(?:-\d+)?$/.test(row.from)
  const part = isPlaces ? `/${row.from}` : ` ${[...row.from].map(code => `$${code}`).join(' ')}`
  return `${row.tags.join(', ')}${part}${row.when === undefined ? '' : ` ${conditionOf(row.when)}`}`
}

function conditionOf(when: Condition): string {
  const words = [
    when.indicator && `indicator ${when.indicator.place} is ${[...when.indicator.is].join(' or ')}`,
    when.unlessIndicator && `indicator ${when.unlessIndicator.place} is not ${when.unlessIndicator.is}`,
    when.has && `with ${[...when.has].map(code => `$${code}`).join(' or ')}`,
    when.lacks && `without ${[...when.lacks].map(code => `$${code}`).join(', ')}`,
    when.isPart && 'indicator 2 is 2, or $i says “container of” or the like',
    when.hasValue && `$${when.hasValue.code} is ${when.hasValue.oneOf.join(' or ')}`,
    when.place && `place ${when.place.at} is ${when.place.is}`,
    when.leaderType && `leader/06 is one of ${when.leaderType}`,
    when.leaderLevel && `leader/07 is one of ${when.leaderLevel}`
  ]
  return `(${words.filter(Boolean).join(', ')})`
}

const remarks = (otherwise: true | undefined, note: string | undefined) =>
  [otherwise ? 'if nothing above gave it' : '', note ?? ''].filter(Boolean).join('; ')
