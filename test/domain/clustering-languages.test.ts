import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { scriptOf } from '#formats/description/scripts.ts'
import { CollectionMeasure } from '../support/oracles/measure-collection.ts'
import type { MadeRecord } from '../support/records/made-collection.ts'
import { recordsInManyLanguages } from '../support/records/many-languages.ts'

describe('a catalogue in many languages and scripts', () => {
  const records = recordsInManyLanguages()
  const originals = /^(?:240|500|765) .*\n?/gm
  const measured = (linesOf?: (record: MadeRecord) => string) => {
    const wrong: string[] = []
    const measure = new CollectionMeasure((what, mentions) => wrong.push(`${what}: ${mentions.join(' ')}`))
    measure.add(records, linesOf)
    return { ...measure, wrong }
  }

  it('is large enough to tell', () => {
    assert.ok(records.length >= 400)
    assert.ok(new Set(records.map(each => each.language)).size >= 12)
    const scripts = new Set(records.flatMap(({ lines }) => lines.split('\n').map(scriptOf)))
    assert.ok(scripts.size >= 8, [...scripts].join(' '))
  })

  it('has only right joins among the certain ones, nearly all of them, and few questions', () => {
    const { sure, pairs, questions, wrong } = measured()
    assert.deepEqual(wrong, [])
    assert.equal(sure.right, sure.count)
    assert.ok(pairs.work.right >= 0.99 * pairs.work.found && pairs.work.right >= 0.98 * pairs.work.wanted)
    assert.ok(pairs.expression.right >= 0.95 * pairs.expression.found)
    assert.ok(pairs.expression.right >= 0.95 * pairs.expression.wanted)
    assert.ok(questions <= 0.05 * records.length, `${questions} questions`)
  })

  it('has only right joins among the certain ones where half of the translations do not name their originals', () => {
    // Every second translation, in the order of the records.
    const translations = records.filter(({ lines }) => lines.search(originals) >= 0)
    const bare = new Set(translations.filter((_, place) => place % 2 === 0))
    const { sure, pairs, questions } = measured(record =>
      bare.has(record) ? record.lines.replaceAll(originals, '') : record.lines
    )
    assert.equal(sure.right, sure.count)
    // Nothing joins a translation of which no record names the original.
    assert.ok(pairs.work.right >= 0.98 * pairs.work.found && pairs.work.right >= 0.65 * pairs.work.wanted)
    assert.ok(questions <= 0.05 * records.length, `${questions} questions`)
  })
})
