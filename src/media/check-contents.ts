import { createHash } from 'node:crypto'

import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import { contentHashField, contentHashOf } from '#domain/entity/server-fields.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Inspector } from '#store/ports/administration.ts'
import type { ContentStore } from './content-store.ts'

export interface ContentCheck {
  /** Reads all bytes and compares their hash; otherwise only that they exist, and their number. */
  readonly readsBytes: boolean
}

/** Maximum number of contents that are looked up, or read, at the same time. */
const maxAtOnce = 8

const advice = 'Restore the file from a backup of the media files (MEDIA_URL), or upload it again'

/** Checks that the bytes of every media file exist, in the number that its record states. */
export function createContentInspector(model: Model, contents: ContentStore, { readsBytes }: ContentCheck): Inspector {
  return {
    async entities(page) {
      const files = page.filter(({ type }) => model.fieldOf(type, contentHashField)?.ofContent === true)
      const problems: string[] = []
      for (let at = 0; at < files.length; at += maxAtOnce) {
        const found = files.slice(at, at + maxAtOnce).map(each => findFault(contents, each, readsBytes))
        problems.push(...(await Promise.all(found)).flatMap(fault => fault ?? []))
      }
      return problems
    }
  }
}

async function findFault(contents: ContentStore, entity: Entity, readsBytes: boolean): Promise<string | undefined> {
  const say = (what: string) => `Media file "${entity.id}": ${what}. ${advice}`
  const hash = contentHashOf(entity)
  if (hash === undefined) return valuesOf(entity, contentHashField)[0] ? say('its sha256 is not a hash') : undefined
  const [size] = valuesOf(entity, 'size')
  const stored = await contents.find(hash)
  if (!stored) return say(`its bytes (sha256 ${hash}) are not stored`)
  if (typeof size === 'number' && stored.size !== size)
    return say(`its bytes (sha256 ${hash}) are ${stored.size} in number, not ${size}`)
  if (!readsBytes || stored.size === 0) return undefined
  const digest = createHash('sha256')
  for await (const chunk of await contents.read(hash, 0, stored.size - 1)) digest.update(chunk as Uint8Array)
  return digest.digest('hex') === hash ? undefined : say(`its bytes are damaged: they do not have the sha256 ${hash}`)
}
