import { openLibretto } from '../main.ts'
import { type Command, jsonOption } from './command.ts'

export const check: Command = {
  summary: 'Looks for damage: of the database file, and of the index rows against the records.',
  usage: 'npx libretto check [--json]',
  mostWords: 0,
  needsDatabase: true,
  options: { json: jsonOption },
  async run({ config, options }) {
    await using libretto = await openLibretto(config)
    const report = await libretto.store.check()
    if (options.json) console.log(JSON.stringify(report))
    else if (report.ok) console.log(`${report.entities} records, all sound.`)
    else
      console.error(
        [`${report.problems.length} problems in ${report.entities} records:`, ...report.problems].join('\n  ')
      )
    return report.ok ? 0 : 1
  }
}
