import { existsSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import threads, { type WorkerOptions } from 'node:worker_threads'

import { builtProgram } from './program.ts'

/*
 * Each service starts threads, and each thread loads its part of the program. From the sources
 * that is most of what a service in a test costs, so the threads are started from the built program
 * where there is one. They speak with the service by messages only.
 */

const sources = resolve(import.meta.dirname, '../../../src')

/** The built form of a module of the sources, or the module itself. */
function builtFormOf(module: string | URL, folder: string): string | URL {
  const file = module instanceof URL ? fileURLToPath(module) : module
  const built = join(folder, `${basename(file, '.ts')}.js`)
  return file.startsWith(sources) && existsSync(built) ? built : module
}

if (builtProgram !== undefined) {
  const folder = dirname(builtProgram)
  const { Worker } = threads
  threads.Worker = class extends Worker {
    constructor(module: string | URL, options?: WorkerOptions) {
      super(builtFormOf(module, folder), options)
    }
  }
  syncBuiltinESMExports()
}
