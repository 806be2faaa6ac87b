import type { Catalogue } from '#catalogue/catalogue.ts'
import { invalidWith } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import { type DescribedSite, readSettings, type SiteDescription, type SiteFault } from './read-site.ts'
import type { Site } from './site.ts'

/*
 * The site in force. Settings that an administrator stored replace those of the file as a whole,
 * so that one place says how the site looks; without stored settings the file holds.
 */

/** The settings in force, as an administrator sees them. */
export interface ShownSettings {
  /** Where they are from: `database` if an administrator stored them, else `file`. */
  readonly source: 'database' | 'file'
  /** The version of stored settings; `file` without any. */
  readonly version: string
  readonly settings: SiteDescription
}

export interface SiteSettings {
  /** The site in force, as far as this process knows. */
  current(): Site
  show(): ShownSettings
  /** Stores settings. Throws `invalid` with every fault, and `version_mismatch`. */
  replace(principal: Principal, settings: unknown, isExpected: IsExpected): Promise<ShownSettings>
  /** Deletes the stored settings, so that those of the file hold. */
  remove(principal: Principal, isExpected: IsExpected): Promise<ShownSettings>
  /** Looks for a change by another process. */
  refresh(): Promise<void>
}

/** Whether the settings may be changed, by the version of those in force. */
export type IsExpected = (version: string) => boolean

const key = 'site'
const ofFile = 'file'

/**
 * Makes the settings of a site. `reader` reads them for everybody, and `described` is the site of
 * the file.
 */
export function createSiteSettings(
  { settings: stored }: Pick<Catalogue, 'settings'>,
  reader: Principal,
  described: DescribedSite
): SiteSettings {
  const { name } = described.site
  let shown: ShownSettings = { source: 'file', version: ofFile, settings: described.settings }
  let site = described.site

  const refresh = async () => {
    const version = (await stored.findVersion(reader, key)) ?? ofFile
    if (version === shown.version) return
    const found = version === ofFile ? undefined : await stored.find(reader, key)
    // Settings that an earlier version of the service stored may have members that are gone.
    const read = found && readSettings(JSON.parse(found.text), name).described
    shown =
      read === undefined || found === undefined
        ? { source: 'file', version: ofFile, settings: described.settings }
        : { source: 'database', version: found.version, settings: read.settings }
    site = read === undefined ? described.site : { ...read.site, version: shown.version }
  }
  const store = async (principal: Principal, text: string | undefined, isExpected: IsExpected) => {
    await stored.store(principal, key, { text, isExpected: version => isExpected(version ?? ofFile) })
    await refresh()
    return shown
  }

  return {
    refresh,
    current: () => site,
    show: () => shown,
    remove: (principal, isExpected) => store(principal, undefined, isExpected),
    async replace(principal, settings, isExpected) {
      const { faults } = readSettings(settings, name)
      if (faults.length > 0) throw invalidWith(faults.map(toFault))
      return store(principal, JSON.stringify(settings), isExpected)
    }
  }
}

const toFault = ({ at, message }: SiteFault) => ({
  message: `${at || 'The body'} ${message}`,
  pointer: at === '' ? '' : `/${at.replaceAll(/\[(\d+)\]/g, '/$1').replaceAll('.', '/')}`
})
