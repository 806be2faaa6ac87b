import { settings } from '../config.ts'
import { type Command, jsonOption } from './command.ts'
import { printTable } from './print-table.ts'

export const listSettings: Command = {
  summary: 'Lists the settings, which are environment variables, with their defaults.',
  usage: 'npx libretto settings [--json]',
  examples: [['npx libretto settings | grep MEDIA', 'the settings of media files']],
  options: { json: jsonOption },
  async run({ options }) {
    const all = Object.values(settings).map(({ name, defaultText, meaning }) => ({
      name,
      default: defaultText ?? '',
      meaning
    }))
    if (options.json) console.log(JSON.stringify(all))
    else
      printTable(
        ['setting', 'default', 'meaning'],
        all.map(each => [each.name, each.default, each.meaning])
      )
    return 0
  }
}
