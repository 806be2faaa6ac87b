import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

/*
 * Makes the package libretto-client: modules with their types for programs that are built, and one
 * file for pages that are not.
 */

const root = join(import.meta.dirname, '..')
const home = join(root, 'client')

/** Writes the client as one file, which a page loads with `<script type="module">`. */
export async function buildBrowserFile(file: string) {
  await using bundle = await rolldown({ cwd: root, input: join(home, 'index.ts'), platform: 'browser' })
  await bundle.write({ file, format: 'esm', codeSplitting: false, minify: true })
}

if (import.meta.main) {
  const dist = join(home, 'dist')
  rmSync(dist, { recursive: true, force: true })
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  execFileSync(process.execPath, [compiler, '-p', join(home, 'tsconfig.build.json')], { stdio: 'inherit' })
  await buildBrowserFile(join(dist, 'libretto-client.js'))
}
