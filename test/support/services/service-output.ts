import { appendFileSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/*
 * The output of every service and command that a test started as a process. The runner searches all
 * of it for secrets at the end.
 */

/** The admin token of every test service. */
export const adminToken = 'test-admin-token-0123456789'

/** The secret key of every test service, so that several can share a database. */
export const secretKey = 'test-secret-key-0123456789-0123456789'

/** Secrets that every test service has, and that none may ever say. */
const planted = [adminToken, secretKey]

/** Secrets by their form: API tokens, and secrets of webhooks. A command may print a new one. */
const formsOfSecrets = /libretto_[0-9a-f]{12}_[\w-]{43}|whsec_[\w+/=]{20,}/

const variable = 'TEST_SERVICE_OUTPUT'

export interface Said {
  readonly out: string
  readonly err: string
}

/** Stores what a process said, where the runner asked for it. */
export function storeOutput(args: readonly string[], { out, err }: Said) {
  const folder = process.env[variable]
  if (folder === undefined) return
  const line = JSON.stringify({ args: args.slice(0, 2), secrets: secretsIn({ out, err }), length: (out + err).length })
  appendFileSync(join(folder, `${process.pid}.ndjson`), `${line}\n`)
}

/** The lines of an output that hold a secret, without the secret. */
export function secretsIn({ out, err }: Said): string[] {
  const lines = [...out.split('\n'), ...err.split('\n')]
  const isLogged = (line: string) => line.startsWith('{"level":') || err.includes(line)
  return lines
    .filter(line => planted.some(each => line.includes(each)) || (isLogged(line) && formsOfSecrets.test(line)))
    .map(line => planted.reduce((text, each) => text.replaceAll(each, '…'), line).replace(formsOfSecrets, '…'))
}

export interface Searched {
  readonly processes: number
  readonly characters: number
  /** The secrets that were found, by the command that printed them. */
  readonly found: readonly string[]
}

/** Asks test processes to store what services say. The result tells what was found. */
export function watchOutput(): () => Searched {
  const folder = mkdtempSync(join(tmpdir(), 'libretto-said-'))
  process.env[variable] = folder
  return () => {
    const lines = globSync('*.ndjson', { cwd: folder }).flatMap(name =>
      readFileSync(join(folder, name), 'utf8')
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line) as { args: string[]; secrets: string[]; length: number })
    )
    rmSync(folder, { recursive: true, force: true })
    return {
      processes: lines.length,
      characters: lines.reduce((sum, { length }) => sum + length, 0),
      found: lines.flatMap(({ args, secrets }) => secrets.map(line => `${args.join(' ')}: ${line}`))
    }
  }
}
