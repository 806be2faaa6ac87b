import { dropGoneRelations } from '#catalogue/entities/drop-gone-relations.ts'
import { createStateInspector } from '#imports/check-state.ts'
import { createContentInspector } from '#media/check-contents.ts'
import { findMissingTables } from '#store/open-store.ts'
import type { CheckOptions, Inspector, IntegrityReport } from '#store/ports/administration.ts'
import { type Libretto, openLibretto } from '../main.ts'
import { type Command, jsonOption } from './command.ts'
import { createProgress } from './progress.ts'

export const check: Command = {
  summary: 'Checks the database and the media files for damage.',
  usage: 'npx libretto check [--read-media] [--repair] [--json]',
  examples: [
    ['npx libretto check', 'the database, and whether the media files are there'],
    ['npx libretto check --read-media', 'the bytes of the media files too']
  ],
  needsDatabase: true,
  options: {
    'read-media': { type: 'boolean', describe: 'Read the bytes of all media files and compare their hashes' },
    repair: { type: 'boolean', describe: 'Remove relations to records that were deleted or purged' },
    json: jsonOption
  },
  async run({ config, options }) {
    const missing = await findMissingTables(config.databaseUrl)
    if (missing.length > 0) return print({ ok: false, entities: 0, problems: missing, notices: [] }, [], options)
    await using libretto = await openLibretto(config)
    const progress = createProgress('Checking')
    const onProgress = (records: number) => progress.show(records)
    const readsBytes = options['read-media'] === true
    const repaired: string[] = []
    if (options.repair === true) {
      const ids = new Set<string>()
      await libretto.store.check({ onProgress, onGoneRelation: id => ids.add(id) })
      for (const id of ids)
        for (const { type, key } of await dropGoneRelations(libretto.parts, libretto.operator, id))
          repaired.push(`Entity "${id}": the relation ${type} to "${key}" was removed`)
    }
    const report = await checkCatalogue(libretto, { onProgress, readsBytes })
    progress.end()
    return print(report, repaired, options)
  }
}

/** Checks everything of a catalogue: its database, the state of imports, and the media files. */
export function checkCatalogue(
  { store, model, media }: Pick<Libretto, 'store' | 'model' | 'media'>,
  { readsBytes = false, ...options }: Omit<CheckOptions, 'inspector'> & { readonly readsBytes?: boolean } = {}
): Promise<IntegrityReport> {
  const inspectors = [createStateInspector(), createContentInspector(model, media.contents, { readsBytes })]
  return store.check({ ...options, inspector: joined(inspectors) })
}

function joined(inspectors: readonly Inspector[]): Inspector {
  const all = async (ask: (each: Inspector) => ReturnType<NonNullable<Inspector['entities']>> | undefined) =>
    (await Promise.all(inspectors.map(async each => (await ask(each)) ?? []))).flat()
  return {
    entities: page => all(each => each.entities?.(page)),
    state: (page, find) => all(each => each.state?.(page, find)),
    finish: () => all(each => each.finish?.())
  }
}

function print(report: IntegrityReport, repaired: readonly string[], { json }: Readonly<Record<string, unknown>>) {
  const { ok, entities, problems, notices } = report
  if (json) console.log(JSON.stringify(repaired.length > 0 ? { ...report, repaired } : report))
  else {
    for (const each of repaired) console.log(each)
    for (const each of notices) console.log(each)
    if (ok) console.log(`${entities} records, no problems.`)
    else console.error([`${problems.length} problems in ${entities} records:`, ...problems].join('\n  '))
  }
  return ok ? 0 : 1
}
