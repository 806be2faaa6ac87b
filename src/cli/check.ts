import { openLibretto } from '../main.ts'
import { type Command, onDatabase } from './command.ts'

export const check: Command = {
  summary: 'Checks the database for damage, and the index rows against the records.',
  usage: 'npx libretto check [--json]',
  ...onDatabase,
  async run({ config, options }) {
    await using libretto = await openLibretto(config)
    const report = await libretto.store.check()
    if (options.json) console.log(JSON.stringify(report))
    else if (report.ok) console.log(`${report.entities} records, no problems.`)
    else
      console.error(
        [`${report.problems.length} problems in ${report.entities} records:`, ...report.problems].join('\n  ')
      )
    return report.ok ? 0 : 1
  }
}
