import { findJob } from '#imports/state/import-state.ts'
import { refuseUndo, undoImport } from '#imports/undo-import.ts'
import { takeImportLock } from '#imports/import-lock.ts'
import { openLibretto } from '../main.ts'
import { type Command, jsonOption } from './command.ts'
import { createProgress } from './progress.ts'

export const undo: Command = {
  summary: 'Takes an import back as a whole. What people or later imports made of its records stays.',
  usage: 'npx libretto undo <import id> [--json]',
  mostWords: 1,
  needsDatabase: true,
  options: { json: jsonOption },
  async run({ config, positionals, options }) {
    const [id] = positionals
    if (id === undefined || positionals.length > 1) throw new Error('Name one import: npx libretto undo <import id>')
    await using libretto = await openLibretto(config)
    const job = await findJob(libretto.store, id)
    if (job === undefined) throw new Error(`There is no import "${id}"`)
    // One that was cut off while it was written from a file can be taken back, too.
    if (!(job.state === 'undoing' || (job.state === 'running' && job.origin !== undefined))) refuseUndo(job)
    await using turn = await takeImportLock(libretto.store)
    if (turn === undefined) throw new Error('Another import is running; wait until it is done, or stop it')
    const progress = createProgress('Taking back', undefined)
    const done = await undoImport(libretto.parts, job, {
      onProgress: now => progress.show(job.handled - now.handled)
    })
    progress.end()
    const kept = done.counts.kept - job.counts.kept
    if (options.json) console.log(JSON.stringify({ id, state: done.state, kept }))
    else
      console.log(
        `The import of ${job.name} was taken back.${kept > 0 ? ` ${kept} records stay: people have changed them or point to them.` : ''}`
      )
    return 0
  }
}
