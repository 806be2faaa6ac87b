import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { rolldown } from 'rolldown'

import { buildPage } from '../web/build.ts'
import { packagesInside, writeBillOfMaterials, writeLicences } from './packages-inside.ts'

/*
 * `npm run build`: makes all that the npm package has beside the files of the repository. Node does
 * not take the types out of files below `node_modules`, so the program is made plain JavaScript:
 * one file for the command, one for each thread, and one for each part that is loaded later.
 * Packages stay outside and are installed with this one.
 */

const root = join(import.meta.dirname, '..')

/**
 * Addresses of threads, beside the module that starts them. In the package all modules are in one
 * folder.
 */
const addressOfThread = /new URL\('\.\/([a-z-]+)\.ts', import\.meta\.url\)/g

/** The modules that a process or a thread starts with. */
const starts = ['src/cli/libretto.ts', ...findThreads()]

/** The modules whose address some module has. Throws when two would be one file in the package. */
function findThreads(): string[] {
  const modules = globSync('src/**/*.ts', { cwd: root }).flatMap(file =>
    [...readFileSync(join(root, file), 'utf8').matchAll(addressOfThread)].map(
      ([, name]) => `${dirname(file)}/${name}.ts`
    )
  )
  const threads = [...new Set(modules)].sort()
  const names = threads.map(file => basename(file))
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Error(`Two threads start with a module named ${twice}: rename one of them`)
  return threads
}

async function buildProgram(folder: string) {
  rmSync(folder, { recursive: true, force: true })
  await using bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(starts.map(file => [basename(file, '.ts'), join(root, file)])),
    platform: 'node',
    // All but our own modules, which are named by a path or begin with "#", and the helpers that
    // Rolldown itself adds.
    external: id => /^[a-z@]/.test(id) && !id.startsWith('@oxc-project/'),
    // A module may be loaded for its effects alone.
    treeshake: false,
    plugins: [
      {
        name: 'addresses of threads',
        transform: code => code.replaceAll(addressOfThread, "new URL('./$1.js', import.meta.url)")
      }
    ]
  })
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name].js' })
}

await buildPage()
await buildProgram(join(root, 'lib'))
const packages = packagesInside(root)
writeFileSync(join(root, 'THIRD-PARTY-LICENCES.md'), writeLicences(packages))
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, string>
writeFileSync(join(root, 'sbom.cdx.json'), writeBillOfMaterials({ name, version }, packages))
