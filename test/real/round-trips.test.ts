import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { after, it } from 'node:test'

import type { Entity } from '#domain/entity/entity.ts'
import type { Level, Publication } from '#domain/entity/publication.ts'
import { composeRecord } from '#formats/marc/compose-record.ts'
import { describeRecord } from '#formats/marc/mapping/describe-record.ts'
import { patchSource } from '#formats/marc/patch-source.ts'
import { readMarc } from '#formats/marc/read-marc.ts'
import { readItems } from '#imports/read-items.ts'
import { runImport } from '#imports/run-import.ts'
import { createChance, isLong, seed } from '../support/records/chance.ts'
import { newJob } from '../support/records/import-jobs.ts'
import { publicationFrom } from '../support/records/publications.ts'
import { start } from '../support/services/start.ts'
import { changedValue, editAndCompare, editOf, isEditable, unexplained } from '../support/oracles/round-trips.ts'
import { realFolder } from './real-folder.ts'

/*
 * Edits of real records: one field in the model and one in the source record. The records come out
 * in every way, and only those fields differ.
 */

/** Every so many records of the file take part; all of them in the long tier. */
const every = (short: number) => Number(process.env.EVERY ?? (isLong ? 1 : short))
/** `EVERY=4 FROM=1` takes the second of each four; `MOVED=0` moves no catalogue. */
const from = Number(process.env.FROM ?? 0)
const file = () => createReadStream(join(realFolder(), 'marc21/bibs.mrc'))

it('Real records differ by the edited fields only, at every way out', async () => {
  const service = await start({ after })
  const { libretto } = service
  async function* some() {
    let count = 0
    for await (const item of readItems(file(), libretto.model, {})) if (count++ % every(20) === from) yield item
  }
  await runImport(libretto.parts, newJob(), some())
  const isMoved = process.env.MOVED !== '0'
  console.log(`${await editAndCompare(service, { chance: createChance(seed), isMoved })} edits`)
})

/** The entities of a publication that it has as a whole, and what it is with another one. */
function wholeEntities(publication: Publication): [Level, Entity, (entity: Entity) => Publication][] {
  const { manifestation, expressions } = publication
  const [first, ...rest] = expressions
  const { work } = first ?? {}
  return [
    [
      'manifestation',
      manifestation.entity,
      entity => ({ ...publication, manifestation: { ...manifestation, entity } })
    ],
    ...(first === undefined
      ? []
      : ([
          ['expression', first.entity, entity => ({ ...publication, expressions: [{ ...first, entity }, ...rest] })]
        ] satisfies ReturnType<typeof wholeEntities>)),
    ...(work === undefined
      ? []
      : ([
          [
            'work',
            work.entity,
            entity => ({
              ...publication,
              expressions: expressions.map(each => (each.work === work ? { ...each, work: { ...work, entity } } : each))
            })
          ]
        ] satisfies ReturnType<typeof wholeEntities>))
  ]
}

it('Every value of real records can be changed without changing another field', async () => {
  const found: string[] = []
  let [records, edits] = [0, 0]
  for await (const reading of readMarc(file())) {
    if (reading.outcome !== 'record' || records++ % every(40) !== from) continue
    const { record } = reading
    for (const [level, entity, withEntity] of wholeEntities(publicationFrom(describeRecord(record))))
      for (const entry of entity.metadata.filter(isEditable)) {
        const value = changedValue(entry, 4711)
        const metadata = entity.metadata.map(each => (each === entry ? { ...each, value } : each))
        const composed = composeRecord(withEntity({ ...entity, metadata }))
        const patched = patchSource(record, composed, new Map([[level, new Set([entry.key])]]))
        const edit = editOf(entry, value, entity)
        const left = patched === record ? ['not written'] : unexplained(record, patched, edit)
        if (left.length > 0) found.push([`record ${records}: ${edit.says}`, ...left].join('\n  '))
        edits++
      }
  }
  console.log(`${edits} edits of every ${every(40)}th of ${records} records`)
  assert.equal(found.slice(0, 60).join('\n'), '', `${found.length} differences`)
})
