import { parseArgs } from 'node:util'

import { CatalogueError } from '#domain/errors.ts'
import { readConfig, settings } from '../config.ts'
import { refuseOldNode, version } from '../main.ts'
import { check } from './check.ts'
import type { Command } from './command.ts'
import { exportEntities } from './export.ts'
import { importEntities } from './import.ts'
import { move } from './move.ts'
import { undo } from './undo.ts'
import { serve } from './serve.ts'
import { token } from './token.ts'

/* `npx libretto <command>`: finds the command, reads its options, and says in words what went wrong. */

const commands: Readonly<Record<string, Command>> = {
  serve,
  token,
  import: importEntities,
  export: exportEntities,
  move,
  undo,
  check
}

/** Gives the exit code. */
export async function runCommand(
  [name = 'help', ...rest]: readonly string[],
  environment: Readonly<Record<string, string | undefined>>
): Promise<number> {
  if (name === '--version' || name === '-v') {
    console.log(version)
    return 0
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) {
    const isAsked = ['help', '--help', '-h'].includes(name)
    if (!isAsked) console.error(`There is no command "${name}".\n`)
    console[isAsked ? 'log' : 'error'](overview())
    return isAsked ? 0 : 2
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
  try {
    refuseOldNode(process.version)
    return await command.run({
      config: readConfig(environment),
      positionals: parsed.positionals,
      options: parsed.values
    })
  } catch (error) {
    console.error(describe(error))
    return 1
  }
}

function describe(error: unknown): string {
  if (error instanceof CatalogueError) {
    const faults = error.faults.map(fault => `  ${fault.pointer}: ${fault.message}`)
    return [error.message, ...(faults.length > 1 ? faults : [])].join('\n')
  }
  return error instanceof Error ? error.message : String(error)
}

function overview(): string {
  const width = Math.max(...Object.keys(commands).map(each => each.length)) + 2
  const lines = Object.entries(commands).map(([each, { summary }]) => `  ${each.padEnd(width)}${summary}`)
  return `Libretto ${version}: a catalogue service for libraries and stages.

Usage: npx libretto <command> [options]

${lines.join('\n')}

npx libretto <command> --help tells more of each. Settings come from the environment; the most used:
  ${settings.databaseUrl.name.padEnd(width + 8)}${settings.databaseUrl.meaning} (${settings.databaseUrl.defaultText})
  ${settings.port.name.padEnd(width + 8)}${settings.port.meaning} (${settings.port.defaultText})`
}

function help(command: Command): string {
  const options = Object.entries(command.options).map(
    ([option, { describe: meaning }]) => `  --${option.padEnd(16)}${meaning}`
  )
  return [command.usage, '', command.summary, ...(options.length > 0 ? ['', 'Options:', ...options] : [])].join('\n')
}
