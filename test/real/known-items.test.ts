import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

import { describeRecord } from '#formats/marc/mapping/describe-record.ts'
import { readMarc } from '#formats/marc/read-marc.ts'
import { amongFirstThree, askedFor, DescribedCatalogue, rankItems } from '../support/records/known-items.ts'
import { realFolder } from './real-folder.ts'

const file = join(realFolder(), 'marc21/bibs.mrc')
const wanted = 200
const enough = 190

describe('A publication that somebody knows', () => {
  it('is among the first three publications for author and title, with the year, and "title by author"', async () => {
    const catalogue = new DescribedCatalogue()
    for await (const reading of readMarc(createReadStream(file)))
      if (reading.outcome === 'record') catalogue.add(describeRecord(reading.record))
    const index = catalogue.done()
    const step = Math.floor(catalogue.items.length / wanted)
    const items = catalogue.items.filter((_, at) => at % step === 0).slice(0, wanted)
    for (const [form, ask] of Object.entries(askedFor)) {
      const ranks = rankItems(index, items, ask)
      const found = amongFirstThree(ranks)
      console.log(`${form}: ${found} of ${items.length} among the first three`)
      for (const { item, rank } of ranks.filter(({ rank }) => rank === 0 || rank > 3))
        console.log(`  ${rank === 0 ? 'not in 20' : rank}: ${ask(item)}`)
      assert.ok(found >= enough, `${form}: ${found}`)
    }
  })
})
