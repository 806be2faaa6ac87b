import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { buildPage } from '../web/build.ts'
import { buildProgram } from './build-program.ts'
import { packagesInside, writeBillOfMaterials, writeLicences } from './packages-inside.ts'

/*
 * `npm run build`: makes all that the npm package has beside the files of the repository. Node does
 * not take the types out of files below `node_modules`, so the program is made plain JavaScript.
 * Packages stay outside and are installed with this one.
 */

const root = join(import.meta.dirname, '..')

await buildPage()
await buildProgram(join(root, 'lib'))
const packages = packagesInside(root)
writeFileSync(join(root, 'THIRD-PARTY-LICENCES.md'), writeLicences(packages))
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, string>
writeFileSync(join(root, 'sbom.cdx.json'), writeBillOfMaterials({ name, version }, packages))
