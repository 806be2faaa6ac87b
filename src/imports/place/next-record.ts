import { hash } from 'node:crypto'

import { evidenceVersion } from '#domain/clustering/evidence.ts'
import { isIdentifier } from '#domain/entity/ids.ts'
import { descriptionVersion, type LinkDraft } from '#formats/description/description.ts'
import { authoritiesOf, toStoredDraft } from '#formats/description/stored-drafts.ts'
import { mentionsIn, type SourceRecord } from '#formats/source/source-item.ts'
import type { NextRecord } from './placing.ts'
import { librariesOf, toStoredItem } from './place-items.ts'
import { linkKeys, workKeys } from '#domain/imports/record-links.ts'
import {
  basisLink,
  type ImportedSource,
  linkKinds,
  type StoredAuthority,
  type StoredLink,
  type StoredRecord
} from '#domain/imports/stored.ts'
import { isGenericTitle, seriesKey } from '#formats/description/series.ts'

/** The stored record that an item is about. */
export interface RecordIdentity {
  /** The key of the stored record. */
  readonly name: string
  /** The control number, when no agency is known: records of other libraries may have it, too. */
  readonly number?: string
}

/** Tells one state of a record from another. */
const digestOf = ({ format, source }: Pick<SourceRecord, 'format' | 'source'>) =>
  hash('sha256', Buffer.concat([Buffer.from(format), source]), 'base64')

/** The part of a stored record that follows from the record alone. */
export interface DescribedState extends Pick<NextRecord, 'items' | 'mentions' | 'source'> {
  readonly record: Omit<NextRecord['record'], 'job' | 'number' | 'imported'>
  /** The entries of the authorities that it refers to. */
  readonly authorities: readonly (readonly [key: string, authority: Omit<StoredAuthority, 'id'>])[]
}

/** A record in the form in which it is stored; `imported` is set if people have edited it. */
export const toNextRecord = (
  item: SourceRecord,
  identity: RecordIdentity,
  job: string,
  imported?: ImportedSource
): NextRecord => identifyState(describeState(item), identity, job, imported)

/** Adds the facts that do not follow from the record alone. */
export function identifyState(
  { record, authorities, ...rest }: DescribedState,
  { name, number }: RecordIdentity,
  job: string,
  imported?: ImportedSource
): NextRecord {
  return {
    record: {
      job,
      ...record,
      ...(number === undefined ? {} : { number }),
      ...(imported === undefined ? {} : { imported })
    },
    ...rest,
    authorities: new Map(authorities),
    identifier: record.controlNumber !== undefined && isIdentifier(number ?? name) ? (number ?? name) : undefined
  }
}

export function describeState(item: SourceRecord): DescribedState {
  const { description, format, source } = item
  const { manifestation, controlNumber } = description
  const mentions = mentionsIn(item)
  const { items = [] } = description
  const links = linksOf(item)
  const isAdaptation = links.links?.some(each => each.kind === basisLink) ?? false
  const drafts = [manifestation, ...mentions.flatMap(({ work, expression }) => [work, expression])]
  return {
    record: {
      manifestation: toStoredDraft(manifestation),
      digest: digestOf(item),
      evidenceVersion,
      descriptionVersion,
      mentions: mentions.length,
      ...links,
      ...(controlNumber === undefined ? {} : { controlNumber })
    },
    mentions: mentions.map(({ evidence, work, expression, titleRank }, place) => ({
      evidence,
      work: toStoredDraft(work),
      expression: toStoredDraft(expression),
      titleRank,
      ...(place > 0 || mentions.length < 2 ? {} : { parts: mentions.length - 1 }),
      ...(place === 0 && isAdaptation ? { isAdaptation } : {})
    })),
    items: items.map(toStoredItem),
    source: { form: format, base64: Buffer.from(source).toString('base64') },
    authorities: [
      ...authoritiesOf([...drafts.flatMap(each => each.relations.map(({ target }) => target)), ...librariesOf(items)])
    ]
  }
}

/** The links of a record to others, and the keys by which others find it. */
function linksOf({ name, description }: SourceRecord): Pick<StoredRecord, 'links' | 'names'> {
  const agency = /^\(([^()]+)\)/.exec(name)?.[1] ?? description.agency
  const links = description.links.flatMap(each => toStoredLink(each, agency) ?? []).slice(0, maxLinks)
  const names = namesOf(description, agency)
  return { ...(links.length === 0 ? {} : { links }), ...(names.length === 0 ? {} : { names }) }
}

/** Maximum links of a record. */
const maxLinks = 100

function toStoredLink(
  { kind, title, author, numbers, part }: LinkDraft,
  agency: string | undefined
): StoredLink | undefined {
  const known = linkKinds.find(each => each === kind)
  if (known === undefined) return undefined
  const named = titleOf(title, author === undefined ? [] : [author.name])
  const keys = linkKeys(numbers, named, agency)
  if (kind === basisLink && named !== undefined) keys.push(...workKeys(named))
  return keys.length === 0 ? undefined : { kind: known, keys, ...(part === undefined ? {} : { number: part }) }
}

/** Titles that any number of publications have name none of them. */
const titleOf = (title: string | undefined, authors: readonly string[]) =>
  title === undefined || isGenericTitle(title) ? undefined : { key: seriesKey(title), authors }

/** A part of a publication has the numbers of its host, so only its own number names it. */
function namesOf(description: SourceRecord['description'], agency: string | undefined): string[] {
  const { controlNumber, manifestation, works, isComponent = false } = description
  const valuesOf = (key: string) =>
    manifestation.metadata.filter(each => each.key === key).map(each => String(each.value))
  const control = [
    ...(controlNumber === undefined ? [] : [controlNumber]),
    ...manifestation.identifiers.filter(each => each.startsWith('(')),
    ...valuesOf('lccn').map(each => `(DLC)${each}`)
  ]
  if (isComponent) return linkKeys({ control, issn: [], isbn: [] }, undefined, agency)
  const authors = (works[0]?.relations ?? [])
    .filter(each => each.relation === 'refAuthors')
    .flatMap(({ target }) => target.metadata.find(each => each.key === 'name')?.value ?? [])
  const [title] = valuesOf('title')
  const keys = linkKeys({ control, issn: valuesOf('issn'), isbn: valuesOf('isbn') }, titleOf(title, authors), agency)
  const known = (works[0]?.keys.titles ?? []).filter(each => each.kind === 'uniform' || each.kind === 'original')
  const further = known.map(({ text }) => seriesKey(text)).filter(key => key !== seriesKey(title ?? ''))
  return [...keys, ...new Set(further.slice(0, 3).flatMap(key => workKeys({ key, authors })))]
}
