import { readFileSync } from 'node:fs'

/* Which Libretto this is, and which Node it may run on. */

/** The folder of the package: that of the sources and that of the built program are both below it. */
export const packageFolder = new URL('../', import.meta.url)

export const version: string = JSON.parse(readFileSync(new URL('package.json', packageFolder), 'utf8')).version

const oldestSafeNode = [26, 5, 1] as const

/** Throws when the runtime is older than its last fix that matters here. */
export function refuseOldNode(nodeVersion: string) {
  const parts = nodeVersion.replace(/^v/, '').split('.').map(Number)
  for (const [index, least] of oldestSafeNode.entries()) {
    const part = parts[index] ?? 0
    if (part > least) return
    if (part < least) {
      throw new Error(
        `Node ${nodeVersion} is too old: ${oldestSafeNode.join('.')} or newer is needed. "npx libretto" and "npm start" use the one that is installed with Libretto`
      )
    }
  }
}
