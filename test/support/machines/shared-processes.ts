import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/*
 * To start Node, read the program and warm it up costs as much as most test files do by themselves:
 * ten that only ask a service of their own cost 11.5 s of processor time apart, and 4.4 s in one
 * process.
 */

/** The command line of the tests cannot be carried out: no such file, for example. */
export class WrongCommand extends Error {}

/**
 * Deals out files to processes. Neighbours in the list, which are often alike in length, come into
 * different ones. Too many in one would hold too many services open at once: each closes its own
 * when the last test of all has ended.
 */
export function dealOut(files: readonly string[], filesInOne: number): string[][] {
  const count = Math.ceil(files.length / filesInOne)
  return Array.from({ length: count }, (_, share) => files.filter((_, index) => index % count === share))
}

/**
 * Returns a function that takes one part of a list: of `2/4` the second of four. Neighbours come
 * into different parts.
 */
export function takePart(part: string): (files: readonly string[]) => string[] {
  const [, number = 0, count = 0] = (/^(\d+)\/(\d+)$/.exec(part) ?? []).map(Number)
  if (number < 1 || number > count) throw new WrongCommand(`--part must be 1/${count || 4}, for example; got "${part}"`)
  return files => files.filter((_, index) => index % count === number - 1)
}

/** The name of the test that is none. */
export const waitingForAll = 'waits until all files are loaded'

/** A file that cannot be loaded is a test that fails; its neighbours are run all the same. */
const loadingOf = 'loads '

/**
 * Writes a module that loads these files, and gives its path. Its first test waits until all are
 * loaded: Node ends when no test is left, although a file that is still being loaded has some.
 */
export function writeSharedModule(files: readonly string[], folder: string): string {
  const module = join(folder, 'shared.mjs')
  const addresses = JSON.stringify(files.map(file => pathToFileURL(file).href))
  writeFileSync(
    module,
    `import { it } from 'node:test'

const loaded = Promise.withResolvers()
it('${waitingForAll}', () => loaded.promise)
for (const file of ${addresses})
  await import(file).catch(error => void it('${loadingOf}' + file, () => Promise.reject(error)))
loaded.resolve()
`
  )
  return module
}
