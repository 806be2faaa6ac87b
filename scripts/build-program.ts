import { globSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { rolldown } from 'rolldown'

/*
 * Makes the program plain JavaScript: one file for the command, one for each thread, and one for
 * each part that is loaded later.
 */

const root = join(import.meta.dirname, '..')

/**
 * Addresses of threads, beside the module that starts them. In the package all modules are in one
 * folder.
 */
const addressOfThread = /new URL\('\.\/([a-z-]+)\.ts', import\.meta\.url\)/g

/** A package that is loaded without waiting, on first use. Node can load a module so. */
const loadedOnUse = /createRequire\(import\.meta\.url\)\('([a-z0-9-]+)'\)/g

const threads = findThreads()

/** The modules that a process or a thread starts with. */
const starts = ['src/cli/libretto.ts', ...threads]

/** Returns the first group of a pattern wherever the sources have it. */
function findMatches(pattern: RegExp): { file: string; name: string }[] {
  return globSync('src/**/*.ts', { cwd: root }).flatMap(file =>
    [...readFileSync(join(root, file), 'utf8').matchAll(pattern)].map(([, name = '']) => ({ file, name }))
  )
}

/** The modules whose address some module has. Throws when two would be one file in the package. */
function findThreads(): string[] {
  const modules = findMatches(addressOfThread).map(({ file, name }) => `${dirname(file)}/${name}.ts`)
  const threads = [...new Set(modules)].sort()
  const names = threads.map(file => basename(file))
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Error(`Two threads start with a module named ${twice}: rename one of them`)
  return threads
}

/**
 * Whether this is the name of a package. Our own modules are named by a path or begin with "#";
 * Rolldown adds helpers of its own.
 */
export const isPackage = (id: string) => /^[a-z@]/.test(id) && !id.startsWith('@oxc-project/')

/**
 * Builds the program in a folder directly below the root: it looks for the package one folder up.
 * Packages are put inside, which halves the time of a start. With `inOneFile` each thread is a
 * single file, which takes a quarter of the processor time from a service that is only started,
 * asked and ended, but makes the program larger by two thirds.
 */
export async function buildProgram(folder: string, { inOneFile = false } = {}) {
  rmSync(folder, { recursive: true, force: true })
  await using bundle = await bundleOf(
    Object.fromEntries([
      ...starts.map(file => [basename(file, '.ts'), join(root, file)]),
      ...findMatches(loadedOnUse).map(({ name }) => [name, name])
    ])
  )
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name].js' })
  for (const file of inOneFile ? threads : []) {
    await using thread = await bundleOf(join(root, file))
    await thread.write({ file: join(folder, `${basename(file, '.ts')}.js`), format: 'esm', codeSplitting: false })
  }
}

const bundleOf = (input: string | Record<string, string>) =>
  rolldown({
    cwd: root,
    input,
    platform: 'node',
    external: /^node:/,
    // A module may be loaded for its effects alone.
    treeshake: false,
    plugins: [
      {
        name: 'addresses of threads',
        transform: code =>
          code
            .replaceAll(addressOfThread, "new URL('./$1.js', import.meta.url)")
            .replaceAll(loadedOnUse, "createRequire(import.meta.url)('./$1.js')")
      }
    ]
  })
