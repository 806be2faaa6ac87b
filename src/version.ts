import { readFileSync } from 'node:fs'

/* The version and the home page of Libretto, and the versions of Node it runs on. */

/**
 * The folder of the package: that of the sources and that of the built program are both below it.
 */
export const packageFolder = new URL('../', import.meta.url)

export const { version, homepage } = JSON.parse(readFileSync(new URL('package.json', packageFolder), 'utf8')) as {
  readonly version: string
  readonly homepage: string
}

const oldestSafeNode = [26, 5, 1] as const

/** Throws when the runtime lacks a fix that matters here. */
export function refuseOldNode(nodeVersion: string) {
  const parts = nodeVersion.replace(/^v/, '').split('.').map(Number)
  for (const [index, least] of oldestSafeNode.entries()) {
    const part = parts[index] ?? 0
    if (part > least) return
    if (part < least) {
      throw new Error(
        `Node ${nodeVersion} is too old: ${oldestSafeNode.join('.')} or newer is required. "npm start" and "npx libretto" use the one installed with Libretto`
      )
    }
  }
}
