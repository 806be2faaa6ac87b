import { table } from '#domain/table.ts'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

import { CatalogueError } from '#domain/errors.ts'
import { readConfig, settings } from '../config.ts'
import { refuseOldNode, version } from '../version.ts'
import { type Command, createOption, refuseMissingFolder } from './command.ts'

/* `npx libretto <command>`: finds the command, reads its options, and prints errors. */

/** Each command is loaded on demand: loading is most of the time to start. */
const commands: Readonly<Record<string, () => Promise<Command>>> = table({
  serve: async () => (await import('./serve.ts')).serve,
  token: async () => (await import('./token.ts')).token,
  import: async () => (await import('./import.ts')).importEntities,
  export: async () => (await import('./export.ts')).exportEntities,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./restore.ts')).restore,
  'renew-feed': async () => (await import('./renew-feed.ts')).renewFeed,
  move: async () => (await import('./move.ts')).move,
  undo: async () => (await import('./undo.ts')).undo,
  purge: async () => (await import('./purge.ts')).purge,
  check: async () => (await import('./check.ts')).check
})

/** Runs a command line. Returns the exit code. */
export async function runCommand(
  [name = 'help', ...rest]: readonly string[],
  environment: Readonly<Record<string, string | undefined>>
): Promise<number> {
  if (name === '--version' || name === '-v') {
    console.log(version)
    return 0
  }
  const command = Object.hasOwn(commands, name) ? await commands[name]?.() : undefined
  if (!command) {
    const isRequested = ['help', '--help', '-h'].includes(name)
    if (!isRequested) console.error(`Unknown command "${name}".\n`)
    console[isRequested ? 'log' : 'error'](await overview())
    return isRequested ? 0 : 2
  }
  let parsed: ReturnType<typeof parseArgs>
  try {
    parsed = parseArgs({
      args: rest,
      options: { ...command.options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true
    })
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${help(command)}`)
    return 2
  }
  if (parsed.values.help) {
    console.log(help(command))
    return 0
  }
  const unexpected = parsed.positionals[command.maxWords ?? 0]
  if (unexpected !== undefined) {
    console.error(`Unexpected argument "${unexpected}".\n\n${help(command)}`)
    return 2
  }
  if (name !== 'serve') endQuietlyWithReader()
  try {
    refuseOldNode(process.version)
    const config = readConfig(environment)
    if (command.needsDatabase && !parsed.values[createOption]) refuseMissingDatabase(config.databaseUrl, command)
    refuseMissingFolder(config.databaseUrl)
    return await command.run({
      config,
      positionals: parsed.positionals,
      options: parsed.values
    })
  } catch (error) {
    console.error(describe(error))
    return 1
  }
}

/**
 * Throws for a missing database: opening would create it, and a typo in its name would look like an
 * empty catalogue.
 */
function refuseMissingDatabase(databaseUrl: string, { options }: Command) {
  const [, file] = /^sqlite:(.+)$/.exec(databaseUrl) ?? []
  if (file === undefined || existsSync(file)) return
  const advice = createOption in options ? `, and --${createOption} creates an empty one` : ''
  throw new Error(
    `There is no database "${resolve(file)}". ${settings.databaseUrl.name} is "${databaseUrl}"; set it to the database of the service. "npx libretto serve" creates a database${advice}`
  )
}

/**
 * Ends without a message when the reader of the output closes it, as `head` does, with the usual
 * exit code of a shell.
 */
function endQuietlyWithReader() {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(141)
    console.error(`The output cannot be written: ${error.message}`)
    process.exit(1)
  })
}

function describe(error: unknown): string {
  if (error instanceof CatalogueError) {
    const faults = error.faults.map(fault => `  ${fault.pointer}: ${fault.message}`)
    return [error.message, ...(faults.length > 1 ? faults : [])].join('\n')
  }
  return error instanceof Error ? error.message : String(error)
}

async function overview(): Promise<string> {
  const width = Math.max(...Object.keys(commands).map(each => each.length)) + 2
  const lines = await Promise.all(
    Object.entries(commands).map(async ([each, load]) => `  ${each.padEnd(width)}${(await load()).summary}`)
  )
  return `Libretto ${version}: a catalogue service for libraries and theatres.

Usage: npx libretto <command> [options]

${lines.join('\n')}

npx libretto <command> --help describes each. Settings are environment variables; the most used:
  ${settings.databaseUrl.name.padEnd(width + 8)}${settings.databaseUrl.meaning} (${settings.databaseUrl.defaultText})
  ${settings.port.name.padEnd(width + 8)}${settings.port.meaning} (${settings.port.defaultText})`
}

function help(command: Command): string {
  const options = Object.entries(command.options).map(
    ([option, { describe: meaning }]) => `  --${option.padEnd(16)}${meaning}`
  )
  return [command.usage, '', command.summary, ...(options.length > 0 ? ['', 'Options:', ...options] : [])].join('\n')
}
