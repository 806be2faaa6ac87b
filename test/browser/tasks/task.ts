import type { Page } from 'playwright-core'

import type { Entity } from '#domain/entity/entity.ts'
import type { TestService } from '../../support/services/start.ts'
import type { User } from '../user.ts'

/** A task of somebody at the page, with the clicks and keys that it takes. */
export interface Task {
  readonly name: string
  readonly clicks: number
  readonly keys: number
  /** The clicks that it takes in a narrow window, where they are others. */
  readonly clicksOnPhone?: number
  readonly language?: 'nl'
  run(place: TaskPlace): Promise<void>
}

/** The place where a task is done: a window of one browser, width and theme. */
export interface TaskPlace extends RecordTools {
  readonly page: Page
  readonly user: User
  readonly service: TestService
  readonly url: string
  readonly isPhone: boolean
  /** Goes to an address of the page, and waits until it is there. */
  go(path: string): Promise<void>
  /** Acts, and returns the bytes of the file that the page then offers, as Latin-1. */
  download(act: () => Promise<void>): Promise<string>
  /** Fails if axe finds a fault in the page as it is now. */
  isAccessible(): Promise<void>
}

export interface RecordTools {
  /** Creates a record and returns its id. */
  create(type: string, fields: Record<string, unknown>, relations?: Record<string, string>): Promise<string>
  // biome-ignore lint/suspicious/noExplicitAny: a test looks wherever it likes into a record
  read(id: string): Promise<any>
  /** The records to which a relation of a record leads. */
  keysOf(id: string, relation: string): Promise<string[]>
  fieldOf(id: string, key: string): Promise<unknown>
}

/** Creates and reads records without the page. */
export function recordTools(service: TestService): RecordTools {
  const read = async (id: string) => (await service.get(`/entities/${id}`)).body as Entity
  return {
    read,
    create: async (type, fields, relations = {}) =>
      (
        await service.create({
          type,
          metadata: Object.entries(fields).map(([key, value]) => ({ key, value })),
          relations: Object.entries(relations).map(([relation, key]) => ({ type: relation, key }))
        })
      ).id,
    keysOf: async (id, relation) =>
      (await read(id)).relations.filter(({ type }) => type === relation).map(({ key }) => key),
    fieldOf: async (id, key) => (await read(id)).metadata.find(each => each.key === key)?.value
  }
}

/** The record of an address of the page. */
export const idOf = (url: string) => decodeURIComponent(/\/record\/([^/]+)$/.exec(new URL(url).pathname)?.[1] ?? '')
