import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { documentFiles } from '../src/http/help/documents.ts'
import { buildPage } from '../web/build.ts'
import { buildProgram } from './build-program.ts'
import { packagesInside, writeBillOfMaterials, writeLicences } from './packages-inside.ts'

/*
 * `npm run build`: makes the folder of the npm package; `npm run package` packs it. Node does not
 * take the types out of files below `node_modules`, so the program is made plain JavaScript, with
 * the packages that it uses inside (decision 29).
 */

const root = join(import.meta.dirname, '..')
const folder = join(root, 'dist-package')

/** Members of package.json that the package has too. Its dependencies are inside. */
const members = [
  ...['name', 'version', 'description', 'license', 'private', 'homepage', 'repository', 'bugs', 'type', 'bin'],
  ...['engines', 'optionalDependencies', 'peerDependencies', 'peerDependenciesMeta']
]

await buildPage()
rmSync(folder, { recursive: true, force: true })
await buildProgram(join(folder, 'lib'))
const copied = globSync(['bin/*', 'sample/*', 'web/dist/**/*.*', ...documentFiles], { cwd: root })
for (const file of copied) {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  cpSync(join(root, file), join(folder, file))
}
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, string>
writeFileSync(
  join(folder, 'package.json'),
  `${JSON.stringify(Object.fromEntries(members.map(name => [name, manifest[name]])), undefined, 2)}\n`
)
const packages = packagesInside(root)
writeFileSync(join(folder, 'THIRD-PARTY-LICENCES.md'), writeLicences(packages))
writeFileSync(join(folder, 'sbom.cdx.json'), writeBillOfMaterials(manifest, packages))
