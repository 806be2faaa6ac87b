import { table } from './tables.ts'

/** A package manager and a Node with which tests install the package. */
export interface Installation {
  /** The name in the table of commands of `docs/how-to/install.md`. */
  readonly manager: string
  readonly version: string
  readonly node: number
  /** The npm package of the manager. */
  readonly comesFrom: string
  /** The programs of the manager, by the name that people type. */
  readonly programs: Readonly<Record<string, string>>
}

const npm = (version: string, node: number): Installation => ({
  manager: 'npm 9 to 11',
  version: `npm ${version}`,
  node,
  comesFrom: `npm@${version}`,
  programs: { npm: 'npm/bin/npm-cli.js', npx: 'npm/bin/npx-cli.js' }
})
const pnpm = (version: string, node: number, file = 'pnpm/bin/pnpm.cjs'): Installation => ({
  manager: 'pnpm 9 to 12',
  version: `pnpm ${version}`,
  node,
  comesFrom: `pnpm@${version}`,
  programs: { pnpm: file }
})

export const installations: readonly Installation[] = [
  npm('9', 18),
  npm('10', 20),
  npm('10', 22),
  npm('11', 24),
  npm('11', 26),
  pnpm('9', 18),
  pnpm('12', 22, 'pnpm/bin/pnpm.mjs'),
  { manager: 'yarn 1', version: 'yarn 1', node: 18, comesFrom: 'yarn@1', programs: { yarn: 'yarn/bin/yarn.js' } },
  {
    manager: 'yarn 4',
    version: 'yarn 4',
    node: 20,
    comesFrom: '@yarnpkg/cli-dist@4',
    programs: { yarn: '@yarnpkg/cli-dist/bin/yarn.js' }
  },
  { manager: 'bun', version: 'bun 1', node: 20, comesFrom: 'bun', programs: { bun: 'bin/bun', bunx: 'bin/bun x' } }
]

export const installationTables: Readonly<Record<string, string>> = {
  installations: table(
    ['Node', 'Package manager', 'Libretto runs on'],
    installations.map(({ node, version }) => [
      String(node),
      version,
      node < 26 ? 'the Node that is installed with it' : 'its own'
    ])
  )
}
