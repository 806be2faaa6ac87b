import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { marcAuthorityFields } from '#domain/labels/marc-authority-fields.ts'
import { unimarcAuthorityFields, unimarcFields } from '#domain/labels/unimarc-fields.ts'
import { checkRecord } from '#formats/marc/check-record.ts'
import { authorityTables } from '#formats/marc/mapping/authority-tables.ts'
import { mappingTables } from '#formats/marc/mapping/reader.ts'
import type { MarcRecord } from '#formats/marc/record.ts'

/** A record from lines such as `245 10 $aTitle`, the first of which is its leader. */
function recordFrom(lines: string): MarcRecord {
  const [leader = '', ...rest] = lines.split('\n')
  const fields = rest.map(line => {
    const [tag, text] = [line.slice(0, 3), line.slice(4)]
    if (tag.startsWith('00')) return { tag, value: text }
    const subfields = text.split('$').slice(1)
    return {
      tag,
      indicators: text.slice(0, 2).replaceAll('#', ' '),
      subfields: subfields.map(each => ({ code: each.slice(0, 1), value: each.slice(1) }))
    }
  })
  return { leader, fields }
}

const said = (lines: string) => checkRecord(recordFrom(lines)).map(({ pointer, message }) => `${pointer} ${message}`)

describe('The rules of MARC', () => {
  it('have every field that is read from UNIMARC, and every heading', () => {
    const missing: string[] = []
    const { metadata, relations, titles, contained } = mappingTables.unimarc
    for (const { tags, from } of [...metadata, ...relations, ...titles, ...contained])
      for (const tag of tags) {
        const rule = unimarcFields.get(tag)
        // Rows with several tags read what any of the fields may have.
        const isWide = tag.startsWith('53') || tag === '602'
        const letters = isWide || /^\d+(?:-|$)/.test(from) ? [] : from.replaceAll(/\d/g, '')
        if (rule === undefined) missing.push(tag)
        for (const code of letters)
          if (rule?.subfields !== undefined && !rule.subfields.includes(code)) missing.push(`${tag} $${code}`)
      }
    for (const [dialect, rules] of [
      ['marc21', marcAuthorityFields],
      ['unimarc', unimarcAuthorityFields]
    ] as const)
      for (const { heading, tracing, seeAlso, from } of authorityTables[dialect])
        for (const tag of [heading, tracing, seeAlso])
          for (const code of from)
            if (rules.get(tag)?.subfields?.includes(code) !== true) missing.push(`authority ${dialect} ${tag} $${code}`)
    assert.deepEqual(missing, [])
  })
})

describe('A record of UNIMARC', () => {
  const leader = '00000nam0 2200000   450 '
  const coded = '100 ## $a20260101d1951    u  y0frey50      ba'

  it('is checked by the rules of UNIMARC: fields, indicators, subfields, repetitions, coded fields', () => {
    assert.deepEqual(
      said(
        `${leader}\n010 ## $a9789025701018$b9$b\n011 ## $a2049-3631\n${coded.replace('d1951', 'q1951')}\n` +
          '101 0# $afre\n105 ## $aa   z   00qyy\n200 3# $aLa digue$kx\n210 ## $aGand\n' +
          '238 ## $aTitle\n700 #1 $aVerhoeven\n700 #1 $aOdell\n710 02 $aKade\n995 ## $xlocal'
      ),
      [
        '/fields/9 A record has one main entry (700, 710 or 720)',
        '/fields/10 A record has one main entry (700, 710 or 720)',
        '/fields/0 Subfield $b of 010 is empty',
        '/fields/0 "9789025701018" is not a valid ISBN',
        '/fields/1 "2049-3631" has a wrong check digit',
        '/fields/2 Position 8 of 100 (Type of date) cannot be "q"',
        '/fields/4 Position 10 of 105 (Index) cannot be "q"',
        '/fields/5 Indicator 1 of 200 cannot be "3"',
        '/fields/5 Field 200 has no subfield $k',
        '/fields/7 There is no field 238 in UNIMARC',
        '/fields/9 Field 700 may not be repeated'
      ]
    )
  })

  it('has nothing wrong when it follows them', () => {
    assert.deepEqual(
      said(
        `${leader}\n001 1\n010 ## $a978-90-257-0101-7$bbr.$d12 EUR\n${coded}\n101 1# $afre$cdut\n102 ## $aFR\n` +
          '105 ## $aa   z   001yy\n106 ## $ar\n200 1# $aLa digue$eroman$fMila Verhoeven$gtraduit par Ada Moreau\n' +
          '210 ## $aGand$cDe Kade$d1951\n215 ## $a211 p.$d20 cm\n225 2# $aLa route$v3\n410 #0 $tLa route$v3\n' +
          '454 #1 $tDe dijk\n606 ## $aDigues$2rameau\n676 ## $a843$v23\n700 #1 $aVerhoeven$bMila$f1911-1984$4070\n' +
          '702 #| $aMoreau$bAda$4730\n801 #0 $aFR$bBnF$c20260101$gAFNOR'
      ),
      []
    )
  })

  it('of an authority is checked by the rules of authorities', () => {
    const lines =
      '00000nx  a2200000   45  \n001 a1\n100 ## $a20260101afrey50      ba0\n152 ## $aAFNOR\n' +
      '200 #1 $aVerhoeven$bMila$f1911-1984\n400 #1 $aVan Hoeven$bMila'
    assert.deepEqual(said(lines), [])
    assert.deepEqual(said(`${lines}\n408 ## $ax\n200 31 $aVerhoeven$ix`), [
      '/fields/5 There is no field 408 in authority records of UNIMARC',
      '/fields/6 Indicator 1 of 200 cannot be "3"',
      '/fields/6 Field 200 has no subfield $i'
    ])
  })
})
