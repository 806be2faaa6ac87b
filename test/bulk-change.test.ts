import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { MetadataEntry, RecordTypeRow } from '../client/index.ts'
import { changed, type ManyChange, replacementOf } from '../web/src/bulk-edit/bulk-change.ts'

const row = {
  type: 'production',
  fields: [
    { key: 'title', kind: 'text' },
    { key: 'text', kind: 'html' }
  ],
  relations: []
} as unknown as RecordTypeRow

type Change = Partial<ManyChange & { of: 'field' }>

/** The values of a record after a change of its titles; undefined if nothing changes. */
async function after(metadata: readonly MetadataEntry[], given: Change) {
  const change = { of: 'field', key: 'title', from: '', to: '', ...given } as ManyChange
  const entity = { metadata: [...metadata], relations: [] }
  return changed(row, entity, change, await replacementOf(change))?.metadata
}

const title = (value: string, lang?: string): MetadataEntry => ({
  ...{ key: 'title', value },
  ...(lang === undefined ? {} : { lang })
})
const both = [title('De kersentuin', 'nl'), title('The cherry orchard', 'en')]

describe('A bulk change of texts', () => {
  it('finds a part of a text, and keeps its language', async () => {
    assert.deepEqual(await after(both, { action: 'find', from: 'kersen', to: 'appel' }), [
      title('De appeltuin', 'nl'),
      both[1]
    ])
    assert.equal(await after(both, { action: 'find', from: 'Kersen', to: 'appel' }), undefined)
  })

  it('takes a text literally unless it is a pattern, and a replacement literally too', async () => {
    assert.deepEqual(await after([title('a.b (1)')], { action: 'find', from: '.b (', to: '$1$&' }), [title('a$1$&1)')])
    assert.deepEqual(
      await after([title('Act 2, scene 1')], {
        action: 'find',
        from: '(\\d+), scene',
        to: '$1; tafereel',
        isPattern: true
      }),
      [title('Act 2; tafereel 1')]
    )
  })

  it('refuses a pattern that cannot be read, and is quick with one that would be slow', async () => {
    await assert.rejects(after(both, { action: 'find', from: '(', to: '', isPattern: true }))
    const text = 'a'.repeat(5_000)
    assert.equal(await after([title(text)], { action: 'find', from: '(a*)*b', to: '', isPattern: true }), undefined)
  })

  it('leaves markup alone, and removes a value of which nothing is left', async () => {
    const html = { key: 'text', value: '<p class="p">A p <em>p</em></p>' }
    assert.deepEqual(await after([html], { key: 'text', action: 'find', from: 'p', to: 'q' }), [
      { key: 'text', value: '<p class="p">A q <em>q</em></p>' }
    ])
    assert.deepEqual(await after([title('x'), title('y')], { action: 'find', from: 'x', to: '' }), [title('y')])
  })

  it('sets a value in its language and leaves the others', async () => {
    assert.deepEqual(await after(both, { action: 'set', to: 'Kirschgarten', lang: 'de' }), [
      ...both,
      title('Kirschgarten', 'de')
    ])
    assert.deepEqual(await after(both, { action: 'set', to: 'Nieuw', lang: 'nl' }), [title('Nieuw', 'nl'), both[1]])
    assert.deepEqual(await after([title('Oud', 'nl')], { action: 'set', to: 'Nieuw' }), [title('Nieuw', 'nl')])
    assert.deepEqual(await after([title('a'), title('b')], { action: 'set', to: 'c' }), [title('c')])
    assert.equal(await after(both, { action: 'set', to: 'De kersentuin', lang: 'nl' }), undefined)
  })

  it('adds a value in its language', async () =>
    assert.deepEqual(await after(both, { action: 'add', to: 'La cerisaie', lang: 'fr' }), [
      ...both,
      title('La cerisaie', 'fr')
    ]))
})
