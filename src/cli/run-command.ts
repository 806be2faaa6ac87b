import { table } from '#domain/table.ts'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

import { CatalogueError } from '#domain/errors.ts'
import { nearestName } from '#domain/search/nearest-name.ts'
import { readConfig, settings } from '../config.ts'
import { refuseOldNode, version } from '../version.ts'
import { type Command, type CommandOption, createOption, refuseMissingFolder, UsageError } from './command.ts'

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
  check: async () => (await import('./check.ts')).check,
  doctor: async () => (await import('./doctor.ts')).doctor,
  settings: async () => (await import('./settings.ts')).listSettings
})

const helpOption: CommandOption = { type: 'boolean', short: 'h', describe: 'This text' }
const requestsForHelp = ['help', '--help', '-h']
const requestsForVersion = ['version', '--version', '-v', '-V']

/** Runs a command line. Returns the exit code. */
export async function runCommand(
  given: readonly string[],
  environment: Readonly<Record<string, string | undefined>>
): Promise<number> {
  // `libretto help import` is `libretto import --help`.
  const [name = 'help', ...rest] = given[0] === 'help' && given[1] !== undefined ? [given[1], '--help'] : given
  if (requestsForVersion.includes(name)) {
    console.log(version)
    return 0
  }
  const command = Object.hasOwn(commands, name) ? await commands[name]?.() : undefined
  if (!command) {
    const isRequested = requestsForHelp.includes(name)
    const near = nearestName(name, Object.keys(commands))
    if (!isRequested)
      console.error(`Unknown command "${name}".${near === undefined ? '' : ` Did you mean "${near}"?`}\n`)
    console[isRequested ? 'log' : 'error'](await overview())
    return isRequested ? 0 : 2
  }
  try {
    const parsed = readOptions(command, rest)
    if (parsed.values.help) {
      console.log(help(command))
      return 0
    }
    const unexpected = parsed.positionals[command.maxWords ?? 0]
    if (unexpected !== undefined) throw new UsageError(`Unexpected argument "${unexpected}".`)
    if (name !== 'serve') endQuietlyWithReader()
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
    const isMisused = error instanceof UsageError
    console.error(
      isMisused
        ? `${error.message}\n\n${command.usage}\n\nnpx libretto ${name} --help describes it, with examples.`
        : describe(error)
    )
    return isMisused ? 2 : 1
  }
}

/** Reads the options and words of a command. Throws for those it does not have. */
function readOptions({ options }: Command, args: readonly string[]) {
  const known: Readonly<Record<string, CommandOption>> = { ...options, help: helpOption }
  const parsed = parseArgs({ args: [...args], options: known, allowPositionals: true, strict: false, tokens: true })
  const names = new Set<string>()
  for (const token of parsed.tokens) {
    if (token.kind !== 'option') continue
    const { name, rawName, value } = token
    const option = Object.hasOwn(known, name) ? known[name] : undefined
    if (option === undefined) {
      const near = nearestName(name, Object.keys(known))
      throw new UsageError(`Unknown option "${rawName}"${near === undefined ? '.' : `; did you mean "--${near}"?`}`)
    }
    if (option.type === 'boolean' && value !== undefined) throw new UsageError(`${rawName} takes no value.`)
    if (option.type === 'string' && !value) throw new UsageError(`${rawName} needs a value.`)
    if (option.type === 'string' && !token.inlineValue && value?.startsWith('--'))
      throw new UsageError(`${rawName} needs a value; for one that begins with a dash, write ${rawName}="${value}"`)
    if (names.has(name) && !option.multiple) throw new UsageError(`${rawName} was given twice.`)
    names.add(name)
  }
  return parsed
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

npx libretto <command> --help describes each, with examples. Settings are environment variables, such as
${settings.databaseUrl.name} (${settings.databaseUrl.defaultText}) and ${settings.port.name} (${settings.port.defaultText}); npx libretto settings lists all.

Exit codes: 0 success, 1 failure, 2 a command line that cannot be understood.`
}

function help(command: Command): string {
  const options = Object.entries(command.options).map(
    ([option, { describe: meaning }]) => `  --${option.padEnd(17)}${meaning}`
  )
  const examples = command.examples.flatMap(([line, meaning]) => [`  # ${meaning}`, `  ${line}`])
  return [
    command.usage,
    '',
    command.summary,
    ...(options.length > 0 ? ['', 'Options:', ...options] : []),
    '',
    'Examples:',
    ...examples
  ].join('\n')
}
