import type { Clusters } from '#domain/clustering/cluster-block.ts'
import { clusterRecords } from './cluster-records.ts'
import type { Answer } from '#domain/clustering/cluster-block.ts'
import type { RecordEvidence } from '#domain/clustering/evidence.ts'
import { describeRecord } from '#formats/marc/mapping/describe-record.ts'
import { readMarcEvidence } from '#formats/marc/mapping/evidence.ts'
import type { MarcRecord } from '#formats/marc/record.ts'

/*
 * Records in lines, as cataloguers read them, and clusters in words. The people and titles are made
 * up.
 */

/**
 * A record from lines such as `245 10 $aTitle /$cName.`; a line that begins with LDR/06 says the
 * type, LDR/07 the level, and one that begins with 008/33 the literary form, which is else fiction.
 * A control field is its tag and value: `004 number`.
 */
export function marcFrom(name: string, lines: string, language = 'eng'): MarcRecord {
  const rows = lines
    .split('\n')
    .map(each => each.trim())
    .filter(Boolean)
  const type = rows.find(each => each.startsWith('LDR/06'))?.slice(-1) ?? 'a'
  const level = rows.find(each => each.startsWith('LDR/07'))?.slice(-1) ?? 'm'
  const form = rows.find(each => each.startsWith('008/33'))?.slice(-1) ?? '1'
  return {
    leader: `00000n${type}${level} a2200000 a 4500`,
    fields: [
      { tag: '001', value: name },
      { tag: '008', value: `970513s1997    be            000 ${form} ${language} d` },
      ...rows
        .filter(each => !each.startsWith('LDR') && !each.startsWith('008'))
        .map(row => {
          if (row.startsWith('00')) return { tag: row.slice(0, 3), value: row.slice(4) }
          const [head = '', ...parts] = row.split('$')
          return {
            tag: head.slice(0, 3),
            indicators: `${head.slice(4)}  `.slice(0, 2).replaceAll('#', ' '),
            subfields: parts.map(each => ({ code: each.slice(0, 1), value: each.slice(1).trim() }))
          }
        })
    ]
  }
}

export function evidenceFrom(name: string, lines: string, language = 'eng'): RecordEvidence {
  const record = marcFrom(name, lines, language)
  return readMarcEvidence(record, describeRecord(record), name)
}

/**
 * Which mentions are of one work, each work a line: `a b c#1`. The whole of a record goes by its
 * name alone.
 */
export const worksIn = ({ works }: Clusters) =>
  works.map(({ members }) => members.map(each => label(each.mention)).join(' ')).sort()

export const expressionsIn = ({ works }: Clusters) =>
  works
    .flatMap(({ expressions }) => expressions.map(({ members }) => members.map(each => label(each.mention)).join(' ')))
    .sort()

const label = (mention: string) => mention.replace(/#0$/, '')

/** Records by name, each as lines or as lines and a language. */
export type Shelf = Readonly<Record<string, string | readonly [lines: string, language: string]>>

export const evidenceOf = (shelf: Shelf) =>
  Object.entries(shelf).map(([name, given]) =>
    typeof given === 'string' ? evidenceFrom(name, given) : evidenceFrom(name, given[0], given[1])
  )

export const clusterShelf = (shelf: Shelf, answers: readonly Answer[] = []) =>
  clusterRecords(evidenceOf(shelf), answers)
