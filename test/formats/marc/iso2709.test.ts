import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { readIso2709, writeIso2709 } from '#formats/marc/iso2709.ts'
import { CatalogueError } from '#domain/errors.ts'
import { aBook, all, between, type Field, inChunks, iso, recordOf, textOf, told } from './marc-files.ts'

const read = (bytes: Buffer, size?: number) => all(readIso2709(inChunks(bytes, size)))

describe('Reading ISO 2709', () => {
  it('gives each record with its leader, its fields in order, its place and its bytes', async () => {
    const one = iso(aBook('one', 'Zee'))
    const two = iso(aBook('two', 'Zand'))
    const readings = await read(Buffer.concat([one, two]))

    assert.deepEqual(readings.map(told), ['record one', 'record two'])
    assert.deepEqual(readings[1]?.position, { number: 2, offset: one.length, length: two.length })
    assert.deepEqual(Buffer.from(readings[1]?.source ?? []), two)
    const record = recordOf(readings[1])
    assert.equal(record?.leader, two.toString('latin1', 0, 24))
    assert.deepEqual(
      record?.fields.map(each => each.tag),
      ['001', '008', '100', '245']
    )
    assert.deepEqual(record?.fields[3], {
      tag: '245',
      indicators: '10',
      subfields: [
        { code: 'a', value: 'Zand /' },
        { code: 'c', value: 'An Janssens.' }
      ]
    })
  })

  it('reads the same whatever the size of the chunks', async () => {
    const file = between(iso([...aBook('odd'), ['500', 'no subfield']], { length: '99998' }))
    const whole = await read(file)
    for (const size of [1, 2, 23, 24, 25, 100, 1000]) assert.deepEqual(await read(file, size), whole, String(size))
  })

  it('reads UTF-8, by bytes and not by characters', async () => {
    const [reading] = await read(iso(aBook('x', 'Crème brûlée, 日本語 𝒳')))
    assert.equal(textOf(recordOf(reading), '245'), '10$aCrème brûlée, 日本語 𝒳 /$cAn Janssens.')
    assert.equal(textOf(recordOf(reading), '001'), 'x')
  })

  it('takes line ends and fill between records for nothing', async () => {
    const file = Buffer.concat([iso(aBook('a')), Buffer.from('\r\n'), iso(aBook('b')), Buffer.from('\n\0\u001a')])
    assert.deepEqual((await read(file)).map(told), ['record a', 'record b'])
  })

  it('reads fields whose data stand in another order than the directory has', async () => {
    const [reading] = await read(iso(aBook('x'), { directory: entries => entries.toReversed() }))
    assert.deepEqual(
      recordOf(reading)?.fields.map(each => each.tag),
      ['245', '100', '008', '001']
    )
    assert.deepEqual(reading?.defects, [])
  })

  it('says of a record with status d that it was deleted', async () => {
    const [reading] = await read(iso(aBook('gone'), { leader: '00000dam a2200000 a 4500' }))
    assert.equal(reading?.outcome, 'deletion')
    assert.equal(reading?.controlNumber, 'gone')
  })

  it('reads nothing from an empty file', async () => {
    assert.deepEqual(await read(Buffer.alloc(0)), [])
  })
})

describe('A broken record in ISO 2709', () => {
  const book = aBook('bad')
  const good = iso(book)
  const long = 'x'.repeat(5_000)
  const wide: Field[] = [...book, ...Array.from({ length: 30 }, (): Field => ['500', `  $a${long}`])]

  /**
   * The bytes in the middle of the file, and the expected reports on them. The records around them
   * must be read without a defect.
   */
  const cases: readonly [what: string, middle: Buffer, middleTold: readonly string[]][] = [
    ['a length that is too large', iso(book, { length: '00300' }), ['record bad wrong_length']],
    ['a length that is too small', iso(book, { length: '00100' }), ['record bad wrong_length']],
    ['a length of zero', iso(book, { length: '00000' }), ['record bad wrong_length']],
    ['a length that is no number', iso(book, { length: '  a  ' }), ['record bad wrong_length']],
    [
      'a length that goes over the next record',
      iso(book, { length: String(good.length + iso(aBook('after')).length).padStart(5, '0') }),
      ['record bad wrong_length']
    ],
    ['a base address beyond the end', iso(book, { base: '99999' }), ['record bad wrong_base_address']],
    ['a base address that is no number', iso(book, { base: 'abcde' }), ['record bad wrong_base_address']],
    ['an indicator count of zero', iso(book, { leader: '00000nam a0200000 a 4500' }), ['record bad bad_leader']],
    [
      'a leader with other than ASCII',
      iso(book, { leader: '00000nam a2200000\u00ff a 4500'.slice(0, 24) }),
      ['record bad bad_leader']
    ],
    ['no record terminator', iso(book, { terminator: '' }), ['record bad no_terminator']],
    [
      'no field terminator at all',
      Buffer.from(`${good.toString('latin1', 0, 24)}001000500000\u001d`),
      ['unreadable - wrong_length no_directory']
    ],
    [
      'a directory entry of letters',
      iso(book, { directory: ([first = '', ...rest]) => [`${first.slice(0, 3)}ABCD00000`, ...rest] }),
      ['record bad bad_directory']
    ],
    [
      'a field place out of bounds',
      iso(book, { directory: ([first = '', ...rest]) => [`${first.slice(0, 7)}99999`, ...rest] }),
      ['record bad bad_directory']
    ],
    [
      'a directory entry too few',
      iso(book, { directory: entries => entries.slice(0, -1) }),
      ['record bad bad_directory field_lost']
    ],
    [
      'two entries for one field',
      iso(book, {
        directory: ([first = '', second = '', ...rest]) =>
          [first, first.replace('001', '002'), ...rest, second.slice(0, 0)].filter(Boolean)
      }),
      ['record bad bad_directory bad_directory']
    ],
    [
      'a directory that is cut through',
      iso(book, { directory: entries => [...entries, '900'] }),
      ['record bad bad_directory']
    ],
    [
      'a record terminator within a field',
      iso([...book, ['500', '  $aone\u001dtwo']]),
      ['record bad control_characters']
    ],
    [
      'a field terminator within a field',
      iso([...book, ['500', '  $aone\u001etwo']]),
      ['record bad control_characters']
    ],
    [
      'control characters within a field',
      iso([...book, ['500', '  $aone\u0000\u0007two']]),
      ['record bad control_characters']
    ],
    ['a byte order mark within a field', iso([...book, ['500', '  $a\ufeffone']]), ['record bad control_characters']],
    ['a field without indicators', iso([...book, ['500', '$aone']]), ['record bad bad_field']],
    ['a field without subfields', iso([...book, ['500', 'one']]), ['record bad bad_field']],
    ['text before the first subfield', iso([...book, ['500', '  one$atwo']]), ['record bad bad_field']],
    ['a control field with subfields', iso([...book, ['009', 'one$atwo']]), ['record bad bad_field']],
    ['an empty field', iso([...book, ['500', '']]), ['record bad empty_field']],
    ['an empty subfield', iso([...book, ['500', '  $aone$']]), ['record bad bad_subfield']],
    [
      'a tag that is none',
      iso([...book, ['5 \u00ff', '  $aone']].map(([tag, text]) => [tag as string, text as string])),
      ['record bad bad_directory']
    ],
    ['no control number', iso(book.slice(1)), ['record - no_control_number']],
    ['two control numbers', iso([['001', 'bad'], ...book]), ['record bad repeated_control_number']],
    ['garbage before it', Buffer.concat([Buffer.from('<html>Not found</html>'), good]), ['record bad garbage']],
    ['garbage with a terminator', Buffer.from('hello there, this is no record at all\u001d'), ['unreadable - garbage']],
    [
      'more than 99,999 bytes',
      iso(wide),
      ['record bad too_long bad_directory bad_directory bad_directory bad_directory bad_directory']
    ],
    [
      'a field of more than 9,999 bytes',
      iso([...book, ['500', `  $a${long}${long}${long}`]]),
      ['record bad bad_directory']
    ]
  ]
  for (const [what, middle, middleTold] of cases) {
    it(`with ${what} is told, and the records around it are read`, async () => {
      const readings = await read(between(middle))
      assert.deepEqual(readings.map(told), ['record before', ...middleTold, 'record after'])
      const position = readings[1]?.position
      assert.equal(position?.number, 2)
      const start = iso(aBook('before')).length
      assert.equal(position?.offset, what === 'garbage before it' ? start + 22 : start)
    })
  }

  it('keeps every field that can be told: those around a wrong entry, and all of a record that is too long', async () => {
    const [, wrong] = await read(
      between(iso(book, { directory: ([first = '', ...rest]) => [`${first.slice(0, 7)}99999`, ...rest] }))
    )
    assert.equal(textOf(recordOf(wrong), '001'), 'bad')
    assert.equal(textOf(recordOf(wrong), '245'), '10$aEen titel /$cAn Janssens.')
    const [, tooLong] = await read(between(iso(wide)))
    assert.equal(recordOf(tooLong)?.fields.length, wide.length)
    assert.equal(textOf(recordOf(tooLong), '500'), `  $a${long}`)
  })

  it('that the file ends within is told, with its control number where that can be read', async () => {
    const cut = good.subarray(0, good.length - 10)
    assert.deepEqual((await read(Buffer.concat([good, cut]))).map(told), ['record bad', 'unreadable bad truncated'])
    assert.deepEqual((await read(Buffer.concat([good, good.subarray(0, 10)]))).map(told), [
      'record bad',
      'unreadable - truncated'
    ])
  })

  it('that is longer than the limit is left out without being held in memory', async () => {
    const endless = Buffer.concat([good.subarray(0, 24), Buffer.alloc(300_000, 'x')])
    const readings = await all(
      readIso2709(inChunks(Buffer.concat([endless, Buffer.from('\u001d'), iso(aBook('after'))]), 1000), {
        maxRecordBytes: 50_000
      })
    )
    assert.deepEqual(readings.map(told), ['unreadable - over_limit', 'record after'])
    assert.equal(readings[0]?.position.length, endless.length + 1)
    assert.ok((readings[0]?.source.length ?? 0) <= 100_000)
  })

  it('and many of them take a time that grows with the file, not with its square', async () => {
    // Leaders without end, digits that all look like leaders, records that say they are longer than
    // they are.
    const files = [
      Buffer.alloc(4_000_000, '0'),
      Buffer.alloc(4_000_000, '00100nam a2200025 a 4500'),
      Buffer.alloc(4_000_000, iso(book, { length: '99999', terminator: '' })),
      Buffer.alloc(4_000_000, '\u001d'),
      Buffer.alloc(4_000_000, '\u001e'),
      Buffer.alloc(4_000_000, ' ')
    ]
    for (const file of files) {
      const started = process.cpuUsage().user
      for await (const _ of readIso2709(inChunks(file, 1000)));
      const seconds = (process.cpuUsage().user - started) / 1e6
      assert.ok(seconds < 10, `${seconds} s for ${JSON.stringify(file.toString('latin1', 0, 30))}`)
    }
  })
})

describe('Writing ISO 2709', () => {
  it('gives the bytes that were read, of a sound record', async () => {
    for (const fields of [aBook('a'), aBook('b', 'Crème 日本語'), [...aBook('c'), ['500', '  $a']] as Field[]]) {
      const bytes = iso(fields)
      const record = recordOf((await read(bytes))[0])
      assert.ok(record)
      assert.deepEqual(writeIso2709(record), bytes)
    }
  })

  it('says UTF-8 in the leader when the text needs it, and leaves the leader of UNIMARC alone', async () => {
    const leader = '00000nam  2200000 a 4500'
    const flagOf = async (fields: readonly Field[]) => {
      const record = recordOf((await read(iso(fields, { leader })))[0])
      assert.ok(record)
      return writeIso2709(record).toString('latin1', 9, 10)
    }
    assert.equal(await flagOf(aBook('a', 'Zee')), ' ')
    assert.equal(await flagOf(aBook('a', 'Crème')), 'a')
    assert.equal(
      await flagOf([
        ['001', 'u'],
        ['200', '1 $aCrème']
      ]),
      ' '
    )
  })

  it('refuses what the form cannot hold, with a sentence that says why', () => {
    const leader = '00000nam a2200000 a 4500'
    const long = (length: number) => ({
      tag: '500',
      indicators: '  ',
      subfields: [{ code: 'a', value: 'x'.repeat(length) }]
    })
    const refused = (fields: Parameters<typeof writeIso2709>[0]['fields'], pattern: RegExp) =>
      assert.throws(
        () => writeIso2709({ leader, fields }),
        error => error instanceof CatalogueError && error.code === 'invalid' && pattern.test(error.message)
      )
    refused([long(10_000)], /field 500 has 10005 bytes; ISO 2709 allows 9999/)
    refused(
      Array.from({ length: 11 }, () => long(9_900)),
      /record has \d+ bytes; ISO 2709 allows 99999/
    )
    refused([{ tag: '50', value: 'x' }], /tag "50"/)
    for (const divider of ['\u001d', '\u001e', '\u001f'])
      refused([{ tag: '001', value: `a${divider}b` }], /divides fields/)
    assert.equal(writeIso2709({ leader, fields: [long(9_990)] }).length, 24 + 12 + 1 + 9_995 + 1)
  })
})
