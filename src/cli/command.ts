import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

import { nearestName } from '#domain/search/nearest-name.ts'
import { type Config, settings } from '../config.ts'

export interface CommandOption {
  readonly type: 'string' | 'boolean'
  readonly multiple?: boolean
  readonly short?: string
  readonly describe: string
}

export interface Invocation {
  readonly config: Config
  readonly positionals: readonly string[]
  readonly options: Readonly<Record<string, unknown>>
}

/** A command of the command line. */
export interface Command {
  readonly summary: string
  readonly usage: string
  /** Command lines that people copy, with what each does. */
  readonly examples: readonly (readonly [line: string, meaning: string])[]
  readonly options: Readonly<Record<string, CommandOption>>
  /** Maximum number of words beside the options; 0 by default. */
  readonly maxWords?: number
  /** Whether the database must exist. */
  readonly needsDatabase?: boolean
  /** Returns the exit code. */
  run(invocation: Invocation): Promise<number>
}

export const jsonOption: CommandOption = { type: 'boolean', describe: 'Answer in JSON' }

/** The option of commands that may begin a catalogue. Without it they need an existing database. */
export const createOption = 'create-database'
export const createDatabase = {
  [createOption]: { type: 'boolean', describe: 'Create the database if there is none' }
} as const

/** A command line that cannot be understood. The exit code is 2, that of a failure is 1. */
export class UsageError extends Error {}

/** Returns the one word of a command that needs one. Throws when there is none, or another. */
export function onlyWord([word, ...others]: readonly string[], advice: string): string {
  if (word === undefined || others.length > 0) throw new UsageError(advice)
  return word
}

/** Returns the value of an option that takes one of some names. Throws for another, or none. */
export function oneOf<Name extends string>(option: string, given: unknown, names: readonly Name[]): Name {
  const found = names.find(each => each === given)
  if (found !== undefined) return found
  const near = nearestName(String(given), names)
  const hint = near === undefined ? `use one of ${names.join(', ')}` : `did you mean "${near}"?`
  throw new UsageError(`Unknown ${option} "${given}"; ${hint}`)
}

/** The members of commands that work on an existing database and have no options but `--json`. */
export const onDatabase = { needsDatabase: true, options: { json: jsonOption } } as const

/**
 * Throws for a database file in a folder that does not exist, beside the default one: creating both
 * would turn a typo in a path, or a disk that is not mounted, into an empty catalogue.
 */
export function refuseMissingFolder(databaseUrl: string, name = 'DATABASE_URL') {
  const [, file] = /^sqlite:(.+)$/.exec(databaseUrl) ?? []
  if (file === undefined || databaseUrl === settings.databaseUrl.defaultText || existsSync(dirname(file))) return
  throw new Error(
    `${name}: there is no folder "${resolve(dirname(file))}" for the database; create it, or correct the path`
  )
}
