import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { marcAuthorityFields } from '#domain/labels/marc-authority-fields.ts'
import { marcFields } from '#domain/labels/marc-fields.ts'
import { positionNames, positionsOf, unknownCodes } from '#domain/labels/marc-positions.ts'
import { unimarcAuthorityFields, unimarcFields } from '#domain/labels/unimarc-fields.ts'
import { fieldNameIn } from '../web/src/marc/field-names.ts'
import { commandFor, pairOf } from '../web/src/marc/marc-keys.ts'
import { linesOfKind, templatesOf, withTemplate } from '../web/src/marc/marc-templates.ts'
import { positionNamesIn } from '../web/src/marc/position-names.ts'

describe('The names of MARC fields', () => {
  for (const language of ['nl', 'fr'])
    it(`are in the language of the page: ${language}`, () => {
      const tables = [marcFields, marcAuthorityFields, unimarcFields, unimarcAuthorityFields]
      const all = tables.flatMap(table => [...table.values()].map(each => each.name))
      const same = ['CODEN', 'Gender', 'Location', 'PRECIS', 'Supplement', 'Frequency']
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

describe('The positions of fixed fields', () => {
  it('have names in the languages of the page', () => {
    // Names of formats and sizes, and those of systems, are the same everywhere.
    const isSame = (name: string) => /\d|^[A-Z][A-Za-z-]*[A-Z]|^[A-Z]$/.test(name) && !/^(?:sub|Date )/.test(name)
    const same =
      /^(?:Unicode|Art & Architecture Thesaurus|Sears|U-matic|dbx|Beta|Type C|Quadruplex|Laserdisc|Betacam|Blu-ray|Dolby-.|kanji|kana)/
    for (const names of Object.values(positionNamesIn)) {
      const missing = positionNames().filter(name => !names.has(name) && !isSame(name) && !same.test(name))
      assert.deepEqual(missing, [])
      const known = new Set(positionNames())
      assert.deepEqual(
        [...names].filter(([name, text]) => !known.has(name) || text === ''),
        []
      )
    }
  })

  it('follow the kind of record: 008 by the leader, 006 and 007 by their first position', () => {
    const book = '00000nam a2200000 i 4500'
    const named = (tag: string, value: string, leader: string, start: number) =>
      positionsOf(tag, value, leader, 'publication').find(each => each.start === start)?.name
    assert.equal(named('008', '', book, 33), 'Literary form')
    assert.equal(named('008', '', book.replace('nam', 'nas'), 33), 'Script of the title')
    assert.equal(named('008', '', book.replace('nam', 'ncm'), 20), 'Format of music')
    assert.equal(named('008', '', book.replace('nam', 'nem'), 25), 'Type of map')
    assert.equal(named('008', '', book.replace('nam', 'ngm'), 34), 'Technique')
    assert.equal(named('006', 'a', book, 16), 'Literary form')
    assert.equal(named('006', 's', book, 16), 'Script of the title')
    assert.equal(named('007', 'vd', book, 4), 'Format')
    assert.equal(named('LDR', book, book, 17), 'Encoding level')
    assert.deepEqual(positionsOf('245', '', book, 'publication'), [])
    assert.deepEqual(positionsOf('100', '', book, 'publication'), [])
    assert.equal(positionsOf('100', '', '', 'unimarc')[2]?.name, 'Date 1')
  })

  it('do not overlap, and each code has the length of its position', () => {
    const leaders = [...'acdefgijkmoprt'].flatMap(type =>
      [...'ms'].map(level => `00000n${type}${level} a2200000 i 4500`)
    )
    const fields = [
      ...leaders.map(leader => positionsOf('008', '', leader, 'publication')),
      ...leaders.map(leader => positionsOf('006', leader[6] ?? '', leader, 'publication')),
      ...[...'acdfghkmoqrstvz'].map(code => positionsOf('007', code, '', 'publication')),
      ...(['publication', 'authority', 'unimarc', 'unimarcAuthority'] as const).map(rules =>
        positionsOf('LDR', '', '', rules)
      ),
      positionsOf('008', '', '', 'authority'),
      ...['100', '105', '106', '110'].map(tag => positionsOf(tag, '', '', 'unimarc'))
    ]
    for (const positions of fields) {
      assert.ok(positions.length > 0)
      let end = 0
      for (const { start, length, count, name, codes } of positions) {
        assert.ok(start >= end, `${name} begins at ${start}, before ${end}`)
        end = start + length * count
        for (const code of codes?.keys() ?? []) assert.equal(code.length, length, `${name}: "${code}"`)
      }
      assert.ok(end <= 40)
    }
  })

  it('are those of the templates, which have no unknown code', () => {
    for (const rules of ['publication', 'authority', 'unimarc', 'unimarcAuthority'] as const)
      for (const kind of templatesOf(rules)) {
        const lines = linesOfKind(kind, new Date(2026, 10, 9)).split('\n')
        const leader = lines[0]?.slice(4) ?? ''
        assert.equal(leader.length, 24, kind)
        assert.deepEqual(
          lines.map(line => line.slice(0, 3)),
          [
            'LDR',
            ...lines
              .slice(1)
              .map(line => line.slice(0, 3))
              .toSorted()
          ],
          kind
        )
        for (const line of lines) {
          const tag = line.slice(0, 3)
          const value = rules.startsWith('unimarc') && tag !== 'LDR' ? line.slice(9) : line.slice(4)
          const positions = positionsOf(tag, value, leader, rules)
          for (const position of positions) assert.deepEqual(unknownCodes(value, position), [], `${kind} ${line}`)
          if (tag === '008') assert.deepEqual([value.length, value.slice(0, 6)], [40, '261109'])
          const last = positions.at(-1)
          if (rules === 'unimarc' && tag !== 'LDR' && last !== undefined)
            assert.ok(value.length >= last.start + last.length * last.count, line)
        }
      }
    assert.equal(withTemplate('245 10 $aHere', 'LDR x\n008 y\n245 10 $a'), 'LDR x\n008 y\n245 10 $aHere')
  })
})
