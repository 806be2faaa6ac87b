import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { textKey } from '#domain/clustering/title-key.ts'
import { authorityKeyOf, cleanName } from '#domain/imports/authority-names.ts'
import { deriveWork, type FindAuthority, type FindField } from '#domain/imports/derive.ts'
import { asDerived, carryEdits, retainEdits, type ExistingContent } from '#domain/imports/retain-edits.ts'
import { idPattern, idsInOrder } from '#domain/entity/ids.ts'
import { joinAuthorities, type StoredAuthority, type UnplacedMention } from '#domain/imports/stored.ts'

const person = (id: string, name: string, birthYear?: string): StoredAuthority => ({
  id,
  type: 'person',
  metadata: [{ key: 'name', value: name }],
  identifiers: [],
  ...(birthYear === undefined ? {} : { birthYear })
})
const targets: Readonly<Record<string, StoredAuthority>> = {
  dated: person('PERS-1', 'Verhoeven, Mila', '1911'),
  plain: person('PERS-2', 'Verhoeven, Mila'),
  other: person('PERS-3', 'Verhoeven, Maria', '1950'),
  muller: person('PERS-4', 'Muller, Anna'),
  müller: person('PERS-5', 'Müller, Anna'),
  dutch: { id: 'LANG-1', type: 'language', metadata: [{ key: 'name', value: 'Dutch' }], identifiers: [] },
  english: { id: 'LANG-2', type: 'language', metadata: [{ key: 'name', value: 'English' }], identifiers: [] }
}
const find: FindAuthority = key => targets[key]
const findField: FindField = (_, key) => (key === 'identifier' ? undefined : { repeatable: key === 'scale' })

const mention = (title: string, titleRank: number, ...relations: string[]): UnplacedMention => ({
  evidence: {} as UnplacedMention['evidence'],
  work: {
    type: 'work_word',
    metadata: [{ key: 'title', value: title }],
    relations: relations.map(target => ({
      relation: target === 'dutch' || target === 'english' ? 'refLanguages' : 'refAuthors',
      target,
      ...(target === 'dutch' || target === 'english' ? {} : { role: { code: 'aut', wording: 'author' } })
    })),
    identifiers: []
  },
  expression: { type: 'expression_word', metadata: [], relations: [], identifiers: [] },
  titleRank
})
const titleOf = (...mentions: UnplacedMention[]) => deriveWork(mentions, find, findField).metadata[0]?.value
const keysOf = (...mentions: UnplacedMention[]) => deriveWork(mentions, find, findField).relations.map(each => each.key)

describe('a work made from its records', () => {
  it('has the title that cataloguers gave it, else the one on most publications, else the first by its letters', () => {
    assert.equal(
      titleOf(mention('De zoutweg', 3), mention('De zoutweg', 3), mention('The salt road', 0)),
      'The salt road'
    )
    assert.equal(titleOf(mention('B', 3), mention('A', 3), mention('B', 3)), 'B')
    assert.equal(titleOf(mention('B', 3), mention('A', 3)), 'A')
    assert.equal(
      titleOf(mention('THE SALT ROAD', 3), mention('The salt road', 3), mention('The salt road', 3)),
      'The salt road'
    )
  })

  it('has all values of a field that may be repeated, as most records give them', () => {
    const withScales = (...values: string[]) => {
      const given = mention('A', 0)
      const metadata = [...given.work.metadata, ...values.map(value => ({ key: 'scale', value }))]
      return { ...given, work: { ...given.work, metadata } }
    }
    const scalesOf = (...mentions: UnplacedMention[]) =>
      deriveWork(mentions, find, findField).metadata.flatMap(({ key, value }) => (key === 'scale' ? value : []))
    assert.deepEqual(scalesOf(withScales('1:2', '1:1')), ['1:2', '1:1'])
    assert.deepEqual(scalesOf(withScales('1:2', '1:1'), withScales('1:1'), withScales('1:1')), ['1:1'])
    assert.deepEqual(scalesOf(withScales('1:1'), withScales('1:1', '1:2')), ['1:1', '1:2'])
    const [base, former, next] = [['1:1', '1:2'], ['1:1'], ['1:3', '1:2']].map(values => ({
      relations: [],
      metadata: values.map(value => ({ key: 'scale', value }))
    }))
    assert.ok(base && former && next)
    // One value of two, which a program before gave, is no edit; a person's is.
    assert.deepEqual(retainEdits(former, asDerived(former, base, former), next), next)
    const edited = { ...base, metadata: [{ key: 'scale', value: '1:9' }] }
    assert.deepEqual(retainEdits(edited, asDerived(edited, base, former), next), edited)
  })

  it('has each person once, by the fullest name that another record gives', () => {
    assert.deepEqual(keysOf(mention('A', 0, 'plain'), mention('A', 0, 'dated')), ['PERS-1'])
    assert.deepEqual(keysOf(mention('A', 0, 'plain')), ['PERS-2'])
    assert.deepEqual(keysOf(mention('A', 0, 'dated'), mention('A', 0, 'other')), ['PERS-1', 'PERS-3'])
  })

  it('has a person of two spellings once, by the most frequent one', () => {
    assert.deepEqual(keysOf(mention('A', 0, 'muller'), mention('A', 0, 'müller')), ['PERS-5'])
    assert.deepEqual(keysOf(mention('A', 0, 'muller'), mention('A', 0, 'müller'), mention('A', 0, 'muller')), [
      'PERS-4'
    ])
  })

  it('has the language that most records say, not every one that some say', () => {
    assert.deepEqual(keysOf(mention('A', 0, 'english'), mention('A', 0, 'dutch'), mention('A', 0, 'english')), [
      'LANG-2'
    ])
  })
})

describe('names of one target', () => {
  const metadataOf = (...names: string[]) =>
    names
      .map(each => person('', each, '1911'))
      .reduce((one, other) => joinAuthorities(one, other))
      .metadata.map(({ key, value }) => `${key}: ${value}`)

  it('join to the best spelling, in whichever order they come; other letters are variants', () => {
    const [short, long] = [person('', 'De Kade'), person('', 'De Kade.')]
    assert.equal(joinAuthorities(short, long).metadata[0]?.value, 'De Kade.')
    assert.equal(joinAuthorities(long, short), long)
    assert.deepEqual(metadataOf('MÜLLER, ANNA', 'Muller, Anna', 'Müller, Anna'), [
      'name: Müller, Anna',
      'non_preferred_name: Muller, Anna'
    ])
    const names = ['Müller, A.', 'Muller, A.', 'MULLER, A', 'Müllèr, A.', 'MÜLLER, A.']
    for (let turn = 0; turn < names.length; turn++) {
      names.push(names.shift() ?? '')
      assert.deepEqual(metadataOf(...names), metadataOf(...names.toReversed()))
      assert.deepEqual(metadataOf(...names, ...names), metadataOf(...names))
    }
  })

  const keyOf = (type: string, name: string, birthYear?: string) =>
    authorityKeyOf({
      type,
      metadata: [{ key: 'name', value: name }],
      key: textKey(name),
      ...(birthYear === undefined ? {} : { birthYear })
    })

  it('keep their letters', () => {
    assert.equal(new Set(['Pêche', 'Péché', 'Peche', 'Pe\u0302che'].map(each => keyOf('subject', each))).size, 3)
    assert.notEqual(keyOf('person', 'Müller, Anna'), keyOf('person', 'Muller, Anna'))
    // The same year of birth says that it is one person.
    assert.equal(keyOf('person', 'Müller, Anna', '1911'), keyOf('person', 'Muller, Anna', '1911'))
    assert.notEqual(keyOf('person', 'Müller, Anna', '1911'), keyOf('person', 'Müller, Anna', '1950'))
    // Hindi vowels are marks; without them two words would be one.
    assert.notEqual(keyOf('subject', 'दिन'), keyOf('subject', 'दान'))
  })

  it('lose invisible characters and punctuation in front', () => {
    assert.equal(keyOf('subject', 'Pê\u00adche\u200b'), keyOf('subject', 'Pêche'))
    assert.equal(cleanName('\ufeff. — Pê\u00adche'), 'Pêche')
    assert.equal(cleanName('-- Fishing'), 'Fishing')
    assert.equal(cleanName('...'), '...')
  })
})

describe('what people have changed', () => {
  const content = (metadata: Record<string, string>, ...relations: string[]): ExistingContent => ({
    metadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
    relations: relations.map(key => ({ type: 'refAuthors', key }))
  })

  it('stays; what they did not touch follows the records', () => {
    const base = content({ title: 'A', year: '1951' }, 'P1', 'P2')
    const edited = content({ title: 'A, corrected', year: '1951', remark: 'seen' }, 'P1', 'P9')
    const next = content({ title: 'B', year: '1952', edition: '2nd' }, 'P1', 'P2', 'P3')
    assert.deepEqual(
      retainEdits(edited, base, next),
      content({ title: 'A, corrected', year: '1952', remark: 'seen', edition: '2nd' }, 'P1', 'P9', 'P3')
    )
    assert.deepEqual(retainEdits(base, base, next), next)
    assert.deepEqual(retainEdits(edited, base, base), edited)
  })

  it('goes along to the entity that theirs goes over into', () => {
    const base = content({ title: 'A' }, 'P1')
    const edited = content({ title: 'A', remark: 'seen' }, 'P1', 'P9')
    assert.deepEqual(
      carryEdits(content({ title: 'B' }, 'P2'), edited, base),
      content({ title: 'B', remark: 'seen' }, 'P2', 'P9')
    )
  })
})

describe('ids of records that are made together', () => {
  it('follow each other in the order of their bytes, each prefix for itself', () => {
    const newIdFor = idsInOrder(bound => Math.floor(bound / 3))
    const ids = Array.from({ length: 2000 }, () => newIdFor('W'))
    assert.deepEqual(ids, [...new Set(ids)].sort())
    for (const id of [...ids, newIdFor('PERS')]) {
      assert.match(id, idPattern)
      assert.match(id, /^(?:W|PERS)-[0-9A-Z]{9}$/)
    }
  })

  it('begin again at the beginning after the last code there is', () => {
    const newIdFor = idsInOrder(bound => bound - 1)
    assert.equal(newIdFor('W'), 'W-000000ZZZ')
    assert.equal(newIdFor('W'), 'W-000001ZZZ')
  })
})
