import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'

/*
 * Programs of others, from Debian: clients and parsers that were not written by us, so that a
 * misreading of ours does not agree with itself. A test asks for the packages that it needs. They
 * are installed where that can be done; where it cannot, the test is skipped and says what to
 * install, or fails where everything must run (CI=true).
 */

/** Makes sure that packages are there. Gives false, and skips the test, when they cannot be had. */
export function needDebian(t: Pick<TestContext, 'skip'>, packages: readonly string[]): boolean {
  const missing = packages.filter(name => !isInstalled(name))
  if (missing.length === 0 || install(missing)) return true
  const reason = `needs packages of Debian: apt-get install ${missing.join(' ')}`
  if (process.env.CI === 'true') throw new Error(`This test ${reason}`)
  t.skip(reason)
  return false
}

/** The path of a program, looked for where a shell would. */
export function findProgram(program: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin']
  return folders.map(folder => join(folder, program)).find(path => existsSync(path))
}

function isInstalled(name: string): boolean {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the form of dpkg-query
  const { status, stdout } = spawnSync('dpkg-query', ['-W', '-f', '${Status}', name], { encoding: 'utf8' })
  return status === 0 && stdout.endsWith(' installed')
}

/** Waits for others that install at the same time. */
function install(names: readonly string[]): boolean {
  if (process.getuid?.() !== 0) return false
  const apt = (...parameters: readonly string[]) =>
    spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=240', ...parameters], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: 'ignore',
      timeout: 600_000
    }).status === 0
  const take = () => apt('install', '-y', '--no-install-recommends', ...names)
  // Old lists, or lists of a part of the sources, name older versions that may not do.
  apt('update')
  return take() && names.every(isInstalled)
}

const execute = promisify(execFile)

/**
 * Runs a program of others and gives what it printed. Fails, with what it complained of, when it
 * does.
 */
export async function runTool(
  program: string,
  parameters: readonly string[],
  input = '',
  timeout = 120_000
): Promise<string> {
  const running = execute(program, [...parameters], { timeout, maxBuffer: 256 * 1024 * 1024 })
  running.child.stdin?.end(input)
  try {
    return (await running).stdout
  } catch (error) {
    const { stderr = '', stdout = '' } = error as { stderr?: string; stdout?: string }
    throw new Error(`${program} failed: ${stderr.slice(0, 2000)}\n${stdout.slice(0, 500)}`, { cause: error })
  }
}
