import { keys, type Undo } from './import-state.ts'
import type { Staging } from './staging.ts'

/** Stages the state of things before an import changes them, so that the import can be undone. */
export class UndoNotes {
  readonly #staging: Staging
  readonly #job: string
  #count: number

  /** `count` is the number of notes that the import has made already. */
  constructor(staging: Staging, job: string, count: number) {
    this.#staging = staging
    this.#job = job
    this.#count = count
  }

  get count(): number {
    return this.#count
  }

  add(undo: Undo): void {
    this.#staging.put('undo', keys.undo(this.#job, this.#count++), undo)
  }
}
