import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/* The packages that are inside the npm package or installed with it, beside our own code. */

export interface PackageInside {
  readonly name: string
  readonly version: string
  /** The SPDX expression that the package states. */
  readonly licence: string
  /**
   * `service`: built into the program. `page`: built into the web page. `node`: the runtime, which
   * is installed with Libretto, optional.
   */
  readonly part: 'service' | 'page' | 'node'
  /** The digest of the published archive, as package-lock.json has it. */
  readonly integrity: string
  /**
   * The text of the licence, where the package is built in and so no longer carries it.
   */
  readonly text?: string
}

interface LockedPackage {
  readonly version: string
  readonly integrity?: string
  readonly license?: string
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly optional?: boolean
  readonly link?: boolean
}

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

/** Reads the packages from the lock file, and those of the page from what its build noted. */
export function packagesInside(root: string): PackageInside[] {
  const { packages } = readJson(join(root, 'package-lock.json')) as { packages: Record<string, LockedPackage> }
  const lockedIn = (folder: string, part: PackageInside['part'], text?: string): PackageInside => {
    const entry = packages[folder]
    if (entry?.integrity === undefined) throw new Error(`package-lock.json has no digest of ${folder}`)
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const licence = entry.license ?? readJson(join(root, folder, 'package.json')).license
    if (typeof licence !== 'string') throw new Error(`${folder} states no licence`)
    return { name, version: entry.version, licence, part, integrity: entry.integrity, ...(text && { text }) }
  }
  const installed = Object.entries(packages)
    .filter(([folder, entry]) => folder.startsWith('node_modules/') && !entry.dev && !entry.devOptional && !entry.link)
    .map(([folder, entry]) =>
      entry.optional ? lockedIn(folder, 'node') : lockedIn(folder, 'service', textOf(join(root, folder)))
    )
  return [...installed, ...packagesOfPage(root).map(({ name, text }) => lockedIn(`node_modules/${name}`, 'page', text))]
}

/** Modules are noted by the build of the page; fonts are not, as style sheets ask for them. */
function packagesOfPage(root: string): { name: string; text: string }[] {
  const noted = readJson(join(root, 'web/dist/licences.json')) as { name: string; text: string }[]
  const { devDependencies } = readJson(join(root, 'web/package.json')) as { devDependencies: Record<string, string> }
  const fonts = Object.keys(devDependencies).filter(name => name.startsWith('@fontsource'))
  return [
    ...noted.map(({ name, text }) => ({ name, text })),
    ...fonts.map(name => ({ name, text: textOf(join(root, 'node_modules', name)) }))
  ]
}

function textOf(folder: string): string {
  const [file] = existsSync(folder) ? globSync('{LICEN[SC]E,licen[sc]e}*', { cwd: folder }) : []
  if (file !== undefined) return readFileSync(join(folder, file), 'utf8')
  // A few packages state their licence only by name.
  const { license, author } = readJson(join(folder, 'package.json'))
  if (typeof license !== 'string') throw new Error(`${folder} states no licence`)
  return `${license}. Author: ${author?.name ?? author ?? 'see the package'}. The package has no file with the text.`
}

const titles = {
  service: 'Built into the program',
  page: 'Built into the web page',
  node: 'Node, for machines whose own is too old'
} as const

/**
 * Returns the list of licences as Markdown, with the texts of those that are built in.
 */
export function writeLicences(packages: readonly PackageInside[]): string {
  const parts = Object.entries(titles).map(([part, title]) => {
    const rows = packages
      .filter(each => each.part === part)
      .map(each => `| ${each.name} | ${each.version} | ${each.licence} |`)
    return [`## ${title}`, '', '| Package | Version | Licence |', '|---|---|---|', ...rows, ''].join('\n')
  })
  const texts = packages.flatMap(each =>
    each.text === undefined ? [] : [`### ${each.name}`, '', '```', each.text.replace(/\r/g, '').trim(), '```', '']
  )
  return ['# Licences of other packages', '', ...parts, '## Texts', '', ...texts].join('\n')
}

/** Returns a software bill of materials, CycloneDX 1.5. The same packages give the same text. */
export function writeBillOfMaterials(
  { name, version }: Readonly<Record<string, string | undefined>>,
  packages: readonly PackageInside[]
): string {
  const components = packages.map(each => ({
    type: 'library',
    'bom-ref': `${each.part}:${each.name}@${each.version}`,
    name: each.name,
    version: each.version,
    scope: each.part === 'node' ? 'optional' : 'required',
    hashes: [
      { alg: 'SHA-512', content: Buffer.from(each.integrity.replace(/^sha512-/, ''), 'base64').toString('hex') }
    ],
    licenses: [{ expression: each.licence }],
    purl: `pkg:npm/${each.name.replace('@', '%40')}@${each.version}`,
    properties: [{ name: 'libretto:part', value: each.part }]
  }))
  const component = {
    type: 'application',
    'bom-ref': `${name}@${version}`,
    name,
    version,
    purl: `pkg:npm/${name}@${version}`
  }
  return `${JSON.stringify(
    {
      $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      version: 1,
      metadata: { component },
      components
    },
    undefined,
    2
  )}\n`
}
