import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'

import { readIso2709 } from '#formats/marc/iso2709.ts'
import { decodeIso5426 } from '#formats/marc/iso5426.ts'
import { decodeMarc8 } from '#formats/marc/marc8.ts'
import { isDataField } from '#formats/marc/record.ts'
import { all, type Field, iso, recordOf } from './marc-files.ts'
import marc8Tables from '../../../src/formats/marc/marc8-tables.json' with { type: 'json' }

const esc = '\u001b'
const decode = (latin1: string) => decodeMarc8(Buffer.from(latin1, 'latin1')).text.normalize('NFC')

describe('MARC-8', () => {
  const cases: readonly [what: string, latin1: string, text: string][] = [
    ['a mark before its letter', 'caf\xe2e', 'café'],
    ['several marks before one letter', 'Vi\xf2\xe3et Nam', 'Việt Nam'],
    ['letters of the extended Latin set', '\xa1\xb1\xa2\xb2\xa5\xb5\xa6\xb6\xa3\xb3\xba\xc7\xc8', 'ŁłØøÆæŒœĐđðß€'],
    ['a ligature over two letters', 'S\xebi\xeca', 'Si͡a'],
    ['a mark over a blank', 'a \xe2 b', 'a  \u0301b'],
    ['a mark with nothing behind it', 'a\xe2', 'á'.normalize('NFC')],
    ['Greek symbols of old', `${esc}gabc${esc}s abc`, 'αβγ abc'],
    ['subscripts', `H${esc}b2${esc}sO`, 'H₂O'],
    ['superscripts', `E=mc${esc}p2${esc}s`, 'E=mc²'],
    ['Hebrew', `${esc}(2ylem${esc}(B!`, 'שלום!'],
    ['Cyrillic', `${esc}(NrOSSIQ${esc}(B`, 'Россия'],
    ['extended Cyrillic in the upper half', `${esc}(N${esc})Qn\xc6`, 'Ні'],
    ['Arabic', `${esc}(3GdHGa${esc}(B`, 'الباف'],
    ['Greek with marks', `${esc}(S"aEL${esc}(B`, 'άΔΙ'],
    ['Chinese', `${esc}$1!Hw!Q6${esc}(B.`, '潦絢.'],
    ['character references', 'a &#x4E00;&#x1F600; b &#xZZ; &amp;', 'a 一😀 b &#xZZ; &amp;'],
    ['what sorting leaves out', '\x88The \x89title', '\u0098The \u009ctitle'],
    ['joiners', 'a\x8db\x8ec', 'a\u200db\u200cc']
  ]
  for (const [what, latin1, text] of cases) {
    it(`reads ${what}`, () => {
      assert.equal(decode(latin1), text.normalize('NFC'))
    })
  }

  it('reads each character of every set by an escape sequence of its own', () => {
    let count = 0
    for (const { call, text, character } of everyCode()) {
      assert.equal(
        decodeMarc8(Buffer.from(call + text, 'latin1')).text,
        character,
        Buffer.from(text, 'latin1').toString('hex')
      )
      count++
    }
    // As many as the Library of Congress lists: 15,739 East Asian ones, and those of eleven smaller
    // sets.
    assert.equal(count, 16_387)
  })

  it('replaces bytes that stand for nothing, and says how many', () => {
    assert.deepEqual(decodeMarc8(Buffer.from('a\xd0\xd1b\xffc', 'latin1')), { text: 'a\ufffdb\ufffdc', strayBytes: 3 })
    assert.equal(decodeMarc8(Buffer.from(`${esc}$1!!`, 'latin1')).strayBytes, 2)
    assert.equal(decodeMarc8(Buffer.from(`a${esc}`, 'latin1')).text, 'a\ufffd')
    assert.equal(decodeMarc8(Buffer.from(`a${esc}(zb`, 'latin1')).strayBytes, 1)
  })

  // yaz-marcdump comes with Debian's package yaz. It reads the same standard with tables and code
  // of its own.
  const hasYaz = spawnSync('yaz-marcdump', ['-V']).error === undefined
  if (hasYaz)
    it('reads every code of every set as yaz-marcdump does', async t => {
      const folder = mkdtempSync(join(tmpdir(), 'marc8-'))
      t.after(() => rmSync(folder, { recursive: true }))
      const texts = [...everyCode()].map(({ call, back, text }) => `${call}${text}${back}x`)
      const fields = texts.map((text): Field => ['500', Buffer.from(`  \u001fa${text}`, 'latin1')])
      const records: Buffer[] = []
      for (let from = 0; from < fields.length; from += 100)
        records.push(
          iso([['001', String(from)], ...fields.slice(from, from + 100)], { leader: '00000nam  2200000 a 4500' })
        )
      writeFileSync(join(folder, 'all.mrc'), Buffer.concat(records))
      const { stdout } = spawnSync(
        'yaz-marcdump',
        ['-f', 'marc-8', '-t', 'utf-8', '-l', '9=97', '-o', 'marc', join(folder, 'all.mrc')],
        {
          maxBuffer: 1e8
        }
      )
      const theirs = (await all(readIso2709([stdout]))).flatMap(reading => recordOf(reading)?.fields.slice(1) ?? [])
      const different = texts.flatMap((text, index) => {
        const field = theirs[index]
        const other = field !== undefined && isDataField(field) ? field.subfields[0]?.value.normalize('NFC') : undefined
        const ours = decodeMarc8(Buffer.from(text, 'latin1')).text.normalize('NFC')
        return ours === other ? [] : [`${Buffer.from(text, 'latin1').toString('hex')}: ${ours} ${other}`]
      })
      assert.equal(theirs.length, texts.length)
      assert.deepEqual(different, [])
    })
})

/** Each code with the escape sequences around it. */
function* everyCode(): Generator<{ call: string; back: string; text: string; character: string }> {
  for (const [final, { runs }] of Object.entries(marc8Tables)) {
    const width = final === '1' ? 6 : 2
    const isOld = 'gbp'.includes(final)
    const call = final === '1' ? `${esc}$1` : isOld ? `${esc}${final}` : `${esc}(${final === 'E' ? '!E' : final}`
    for (const run of runs.split('\n')) {
      let code = Number.parseInt(run.slice(0, width), 16)
      for (const character of run.slice(width)) {
        const text = Buffer.from(code.toString(16).padStart(width, '0'), 'hex').toString('latin1')
        // Halves of marks that span two letters mean something only together.
        if (character !== ' ' && !/[\ufe20-\ufe2f]/.test(character))
          yield { call, back: isOld ? `${esc}s` : `${esc}(B`, text, character }
        code++
      }
    }
  }
}

describe('ISO 5426', () => {
  it('reads marks before their letters, and its own special letters', () => {
    const text = (latin1: string) => decodeIso5426(Buffer.from(latin1, 'latin1')).text.normalize('NFC')
    assert.equal(text('\xc2Ecole des \xc2etudes'), 'École des études')
    assert.equal(text('\xf1\xf9\xfa\xfb \xe1\xe9\xea'), 'æøœß ÆØŒ')
    assert.equal(text('\xa7\xabx\xbb\xbf'), '§«x»¿')
    assert.equal(decodeIso5426(Buffer.from([0x61, 0xff])).strayBytes, 1)
  })
})
