import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { rolldown } from 'rolldown'
import { isPackage } from './build-program.ts'

/*
 * Makes the package libretto-records (decision 40): its front door and everything that it uses of
 * src/formats and src/domain as one JavaScript file, and the types that it names.
 */

const root = join(import.meta.dirname, '..')
const home = join(root, 'packages', 'records')

/** Builds the package in a folder, which is emptied first. */
async function buildRecords(folder = join(home, 'dist')) {
  rmSync(folder, { recursive: true, force: true })
  await using bundle = await rolldown({
    cwd: root,
    input: join(home, 'index.ts'),
    platform: 'node',
    external: isPackage,
    // No module of formats and domain has effects; those without use are left out.
    treeshake: { moduleSideEffects: false }
  })
  await bundle.write({ file: join(folder, 'index.js'), format: 'esm', codeSplitting: false })
  const emitted = join(folder, 'emitted')
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  execFileSync(process.execPath, [compiler, '-p', join(home, 'tsconfig.build.json'), '--outDir', emitted])
  const files = new Set(['packages/records/index.d.ts'])
  // Iterating a set includes members added meanwhile.
  for (const file of files) {
    const text = readFileSync(join(emitted, file), 'utf8').replaceAll(importedFile, (_, start, name, end) => {
      // `#domain/…` is resolved by the package.json of the repository.
      const target = name.startsWith('#') ? `src/${name.slice(1)}` : posix.join(posix.dirname(file), name)
      files.add(target.replace(/\.ts$/, '.d.ts'))
      const near = posix.relative(posix.dirname(file), target)
      return `${start}${near.startsWith('.') ? near : `./${near}`}${end}`
    })
    mkdirSync(join(folder, 'types', posix.dirname(file)), { recursive: true })
    writeFileSync(join(folder, 'types', file), text)
  }
  rmSync(emitted, { recursive: true })
}

/** The name of another file of ours, in an import or an export of types. */
const importedFile = /((?:from |import\()["'])([#.][^"']*)(["'])/g

if (import.meta.main) await buildRecords()
