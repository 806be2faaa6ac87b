import type { Config } from '../config.ts'

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

/** One command of the command line. */
export interface Command {
  readonly summary: string
  readonly usage: string
  readonly options: Readonly<Record<string, CommandOption>>
  /** How many words it takes beside its options. */
  readonly mostWords: number
  /** It asks a database that is there already, and makes none. */
  readonly needsDatabase?: boolean
  /** Gives the exit code. */
  run(invocation: Invocation): Promise<number>
}

export const jsonOption: CommandOption = { type: 'boolean', describe: 'Answer in JSON, for programs' }
