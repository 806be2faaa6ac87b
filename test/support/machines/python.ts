import type { TestContext } from 'node:test'

import { runTool } from './debian.ts'

/**
 * Installs packages of Python in a folder, from which a script takes them by its first argument.
 * Gives false, and skips the test, where they cannot be had; fails where everything must run.
 */
export async function needPython(
  t: Pick<TestContext, 'skip'>,
  folder: string,
  packages: readonly string[]
): Promise<boolean> {
  try {
    await runTool('python3', ['-m', 'pip', 'install', '--quiet', '--target', folder, ...packages])
    return true
  } catch (error) {
    const reason = `needs packages of Python: pip install ${packages.join(' ')}`
    if (process.env.CI === 'true') throw new Error(`This test ${reason}`, { cause: error })
    t.skip(reason)
    return false
  }
}
