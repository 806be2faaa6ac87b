import { CatalogueError, forbidden } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import type { Parts } from '../parts.ts'

/*
 * Settings that an administrator stores beside the records, as one text under a name. Its version
 * is an entry of its own, so that every process can look for a change without reading the text.
 */

export interface StoredSettings {
  readonly version: string
  readonly text: string
}

const kind = 'settings'
const versionKey = (name: string) => `${name} version`

/** The version of some settings; undefined where none are stored. */
export async function findSettingsVersion({ store }: Parts, _: Principal, name: string): Promise<string | undefined> {
  return (await store.findState(kind, [versionKey(name)])).get(versionKey(name))
}

export async function findSettings({ store }: Parts, _: Principal, name: string): Promise<StoredSettings | undefined> {
  const found = await store.findState(kind, [name, versionKey(name)])
  const [text, version] = [found.get(name), found.get(versionKey(name))]
  return text === undefined || version === undefined ? undefined : { text, version }
}

/**
 * Stores settings, or deletes them where the text is undefined. Throws `forbidden`, and
 * `version_mismatch` where somebody else has changed them.
 */
export async function storeSettings(
  parts: Parts,
  principal: Principal,
  name: string,
  { text, isExpected }: { text: string | undefined; isExpected: (version: string | undefined) => boolean }
): Promise<void> {
  if (!principal.isAdmin) throw forbidden('change the settings')
  using _ = await parts.locks.take(`${kind} ${name}`)
  if (!isExpected(await findSettingsVersion(parts, principal, name)))
    throw new CatalogueError('version_mismatch', 'The settings were changed by somebody else meanwhile')
  const version = text === undefined ? null : parts.newUuid()
  await parts.store.write({
    writes: [],
    by: principal.name,
    state: [
      { kind, key: name, value: text ?? null },
      { kind, key: versionKey(name), value: version }
    ]
  })
}
