import { openArchive, restore as restoreDatabase } from '#store/open-store.ts'
import { modelOf } from '../main.ts'
import { findSecretKey, placeOfKey } from '../service-secrets.ts'
import { adviceOnMedia, countMedia, fingerprintIn, type MediaCount } from './belongings.ts'
import { type Command, jsonOption, onlyWord } from './command.ts'
import { createProgress } from './progress.ts'
import { giveNewEpoch } from './renew-feed.ts'

export const restore: Command = {
  summary: 'Replaces the database with a backup; the old database is renamed. Stop the service first.',
  usage: 'npx libretto restore <file> [--json]',
  examples: [['npx libretto restore backup-2027-01-31.db', 'the database of DATABASE_URL becomes that of the backup']],
  maxWords: 1,
  options: { json: jsonOption },
  async run({ config, positionals, options }) {
    const file = onlyWord(positionals, 'Give the name of a backup: npx libretto restore <file>')
    const model = modelOf(config)
    let [isKeyMissing, media] = [false, undefined as MediaCount | undefined]
    const progress = createProgress('Restoring')
    const previous = await restoreDatabase(config.databaseUrl, file, progress.step, async copy => {
      await giveNewEpoch(copy, model, 'database.restore')
      await using archive = await openArchive(copy, model)
      const fingerprint = await fingerprintIn(archive)
      isKeyMissing = fingerprint !== undefined && findSecretKey(config)?.fingerprint !== fingerprint
      progress.step('looking for the media files of the records')
      media = await countMedia(archive, config)
    })
    progress.end()
    if (options.json)
      console.log(
        JSON.stringify({
          file,
          ...(previous === undefined ? {} : { kept: previous }),
          is_key_missing: isKeyMissing,
          media
        })
      )
    else
      console.log(
        `Restored ${file}.${previous === undefined ? '' : ` The previous database is ${previous}.`}\nReaders of the feed must start again. Tokens that were revoked after the backup are valid again: check "npx libretto token list".`
      )
    if (isKeyMissing)
      console.error(
        `The secret key of this backup is not in ${placeOfKey(config)}. Before you start the service, copy the file "secret-key" of the service that made the backup, or set SECRET_KEY to the key; if it is lost, start once with SECRET_KEY_PREVIOUS=none.`
      )
    const advice = media && adviceOnMedia(media)
    if (advice !== undefined) console.error(advice)
    return 0
  }
}
