import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import { textOf } from '#domain/search/index-values.ts'
import { writeCalendar } from './icalendar/write-calendar.ts'
import { addressOf } from './rdf/address-of.ts'
import { element, xmlDocument } from './xml/write-xml.ts'

/* The tasks before publication, for calendars and feed readers. */

/** Something that a record lacks, with the day at which it is due. */
export interface DueTask {
  readonly entity: Entity
  readonly name: string
  readonly label?: Readonly<Record<string, string>>
  readonly due?: string
}

/** The list of tasks of a record. */
export interface DueList {
  readonly owner: Entity
  readonly entries: readonly DueTask[]
  /** The address of the list, and of the service. */
  readonly address: string
  readonly publicUrl: string
  readonly language: string
}

const titleOf = ({ metadata, id }: Entity) =>
  textOf(['title', 'name'].flatMap(key => valuesOf({ metadata }, key))[0] ?? id)
const labelOf = ({ name, label = {} }: DueTask, language: string) =>
  label[language] ?? label.en ?? name.replaceAll('_', ' ')
const summaryOf = (task: DueTask, language: string) => `${titleOf(task.entity)}: ${labelOf(task, language)}`
const changedAt = ({ entity }: DueTask) => Date.parse(entity.audit.updated.at)
const day = 86_400_000

/** Writes the tasks that have a day as a calendar of whole days. */
export const dueCalendar = ({ owner, entries, address, publicUrl, language }: DueList): string =>
  writeCalendar({
    name: titleOf(owner),
    address,
    events: entries.flatMap(task => {
      if (task.due === undefined) return []
      const at = Date.parse(task.due)
      return [
        {
          uid: `${task.entity._id}-${task.name}`,
          changed: changedAt(task),
          created: Date.parse(task.entity.audit.created.at),
          sequence: task.entity.version,
          status: 'CONFIRMED' as const,
          start: { at, isDay: true },
          end: { at: at + day, isDay: true },
          summary: summaryOf(task, language),
          url: addressOf(publicUrl, task.entity.id)
        }
      ]
    })
  })

/** Writes the tasks as an Atom feed (RFC 4287). */
export const dueFeed = ({ owner, entries, address, publicUrl, language }: DueList): string => {
  const newest = Math.max(Date.parse(owner.audit.updated.at), ...entries.map(changedAt))
  return xmlDocument(
    element(
      'feed',
      { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': language },
      element('title', {}, titleOf(owner)),
      element('id', {}, address),
      element('updated', {}, new Date(newest).toISOString()),
      element('author', {}, element('name', {}, publicUrl)),
      element('link', { rel: 'self', href: address }),
      ...entries.map(task =>
        element(
          'entry',
          {},
          element('title', {}, `${task.due === undefined ? '' : `${task.due} · `}${summaryOf(task, language)}`),
          element('id', {}, `urn:uuid:${task.entity._id}#${encodeURIComponent(task.name)}`),
          element('updated', {}, task.entity.audit.updated.at),
          element('link', { rel: 'alternate', href: addressOf(publicUrl, task.entity.id) })
        )
      )
    )
  )
}
