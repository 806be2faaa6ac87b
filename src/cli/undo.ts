import { findJob } from '#imports/state/import-state.ts'
import { refuseUndo } from '#domain/imports/job.ts'
import { undoImport } from '#imports/undo-import.ts'
import { takeImportLock } from '#imports/import-lock.ts'
import { openLibretto } from '../main.ts'
import { type Command, onDatabase, onlyWord } from './command.ts'
import { createProgress } from './progress.ts'

export const undo: Command = {
  summary: 'Undoes an import. Later edits by people or other imports remain.',
  usage: 'npx libretto undo <import id> [--json]',
  examples: [['npx libretto undo IMP-0F3A', 'the import with that id; GET /imports lists them']],
  maxWords: 1,
  ...onDatabase,
  async run({ config, positionals, options }) {
    const id = onlyWord(positionals, 'Give the id of an import: npx libretto undo <import id>')
    await using libretto = await openLibretto(config)
    const job = await findJob(libretto.store, id)
    if (job === undefined) throw new Error(`There is no import "${id}"`)
    // An import from a file that was cut off can be undone too.
    if (!(job.state === 'undoing' || (job.state === 'running' && job.origin !== undefined))) refuseUndo(job)
    await using lock = await takeImportLock(libretto.store)
    if (lock === undefined) throw new Error('Another import is running; wait for its end, or stop it')
    const progress = createProgress('Undoing')
    const done = await undoImport(libretto.parts, job, {
      onProgress: now => progress.show(job.handled - now.handled)
    })
    progress.end()
    await libretto.audit.record({ by: 'operator', act: 'import.undo', subject: id })
    const kept = done.counts.kept - job.counts.kept
    const { retained = [] } = done
    if (options.json) console.log(JSON.stringify({ id, state: done.state, kept, retained }))
    else
      console.log(
        [
          `The import of ${job.name} was undone.${kept > 0 ? ` ${kept} records were not deleted: they were edited here or other records refer to them.` : ''}`,
          ...retained.map(each => `  ${each.id}: ${each.reason}`)
        ].join('\n')
      )
    return 0
  }
}
