import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { marcAuthorityFields } from '#domain/labels/marc-authority-fields.ts'
import { marcFields } from '#domain/labels/marc-fields.ts'
import { fieldNameIn } from '../web/src/marc/field-names.ts'
import { commandFor, pairOf } from '../web/src/marc/marc-keys.ts'

describe('The names of MARC fields', () => {
  for (const language of ['nl', 'fr'])
    it(`are in the language of the page: ${language}`, () => {
      const all = [...marcFields.values(), ...marcAuthorityFields.values()].map(each => each.name)
      const same = ['CODEN', 'Gender', 'Location']
      const missing = all.filter(name => fieldNameIn(language, name) === name && !same.includes(name))
      assert.deepEqual([...new Set(missing)], [])
      assert.equal(fieldNameIn('en', 'Title statement'), 'Title statement')
    })
})

/** The text after a key, with `|` for the cursor, or around what is selected. */
function pressed(keys: string, marked: string): string | undefined {
  const start = marked.indexOf('|')
  const names = keys.split('+')
  const key = names.at(-1) ?? ''
  const has = (name: string) => names.includes(name)
  const command = commandFor({
    key,
    code: /^\d$/.test(key) ? `Digit${key}` : '',
    ctrlKey: has('Control'),
    metaKey: false,
    altKey: has('Alt'),
    shiftKey: has('Shift')
  })
  const typed = command?.({ text: marked.replace('|', ''), start, end: start })
  if (typed === undefined) return undefined
  const { text, start: from, end } = typed
  return `${text.slice(0, from)}|${from === end ? '' : `${text.slice(from, end)}|`}${text.slice(end)}`
}

describe('The keys of the MARC editor', () => {
  it('add, copy, move and delete fields', () => {
    assert.equal(pressed('Alt+Enter', '245 10 $aTi|de\n500 ## $aA'), '245 10 $aTide\n|___| ## $a\n500 ## $aA')
    assert.equal(pressed('Control+D', '500 ## $a|A'), '500 ## $aA\n500 ## $a|A')
    assert.equal(pressed('Alt+ArrowDown', '50|0 ## $aA\n020 ## $a1'), '020 ## $a1\n50|0 ## $aA')
    assert.equal(pressed('Alt+ArrowUp', '50|0 ## $aA\n020 ## $a1'), undefined)
    assert.equal(pressed('Control+Shift+X', '001 1\n500 ## $a|A\n520 ## $aB'), '001 1\n|520 ## $aB')
    assert.equal(pressed('Control+Shift+Y', '001| 1'), undefined)
  })

  it('go from subfield to subfield', () => {
    assert.equal(pressed('Control+ArrowDown', '245 10 $aTi|de$bB'), '245 10 $aTide$b|B')
    assert.equal(pressed('Control+ArrowUp', '245 10 $aTide$b|B'), '245 10 $a|Tide$bB')
    assert.equal(pressed('Control+ArrowUp', '245 10 $aTide$bB|'), '245 10 $aTide$b|B')
    assert.equal(pressed('Control+ArrowUp', '|'), undefined)
  })

  it('add the field in another script, go to it and back, and delete both', () => {
    const one = '100 1# $aA\n245 10 $aTi|de :$ba novel\n900 ## $aX'
    const two = '100 1# $aA\n245 10 $6880-01$aTide :$ba novel\n880 10 $6245-01$a|$b\n900 ## $aX'
    assert.equal(pressed('Alt+8', one), two)
    assert.equal(pairOf(two.split('\n'), 1), 2)
    const back = pressed('Alt+8', two)
    assert.equal(back, two.replace('|', '').replace('a novel', 'a novel|'))
    assert.equal(pressed('Control+Shift+X', two), '100 1# $aA\n|900 ## $aX')
    assert.equal(pressed('Control+Shift+X', String(back)), '100 1# $aA\n|900 ## $aX')
  })
})
