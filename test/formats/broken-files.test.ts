import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'

import { readSource } from '#formats/source/read-source.ts'
import type { SourceItem, SourceRecord } from '#formats/source/source-item.ts'
import { aBook, all, between, type Field, inChunks, iso } from './marc/marc-files.ts'

/* Files that are broken in one way each, and the items that are read from them. */

interface Case {
  readonly file: Buffer
  /** Outcome, and kinds of defects and problems, of each item. */
  readonly gives: readonly string[]
  /** A further check of the item in the middle, or of the only one. */
  readonly holds?: (item: SourceRecord, all: readonly SourceItem[]) => void
}

const sound = ['record', 'record']
const withMiddle = (middle: string) => [sound[0] ?? '', middle, sound[1] ?? '']
const book = aBook('bad')
const titleIs = (pattern: RegExp) => (item: SourceRecord) => assert.match(titleOf(item), pattern)
const titleOf = ({ description }: SourceRecord) =>
  String(description.manifestation.metadata.find(each => each.key === 'title')?.value)
const has = (item: SourceRecord, key: string) => item.description.manifestation.metadata.some(each => each.key === key)
const replaced = (tag: string, content: string | Buffer): Field[] =>
  book.map(each => (each[0] === tag ? [tag, content] : each))

const xml = (body: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<collection xmlns="http://www.loc.gov/MARC21/slim">${body}</collection>`
const leader = '<leader>00000nam a2200000 a 4500</leader>'
const record = (title = 'Een titel', head = leader) =>
  `<record>${head}<controlfield tag="001">x1</controlfield><datafield tag="245" ind1="0" ind2="0"><subfield code="a">${title}</subfield></datafield></record>`

const cases: Readonly<Record<string, Case>> = {
  'leader_length_too_long.mrc': {
    file: between(iso(book, { length: '00300' })),
    gives: withMiddle('record wrong_length')
  },
  'leader_length_zero.mrc': { file: between(iso(book, { length: '00000' })), gives: withMiddle('record wrong_length') },
  'leader_base_beyond_end.mrc': {
    file: between(iso(book, { base: '99999' })),
    gives: withMiddle('record wrong_base_address')
  },
  'leader_base_off_by_one.mrc': {
    file: between(iso(book, { base: String(24 + 12 * book.length + 2).padStart(5, '0') })),
    gives: withMiddle('record wrong_base_address')
  },
  'leader_indicator_count_zero.mrc': {
    file: between(iso(book, { leader: '00000nam a0200000 a 4500' })),
    gives: withMiddle('record bad_leader')
  },
  'leader_unknown_type.mrc': {
    file: between(iso(book, { leader: '00000n?m a2200000 a 4500' })),
    gives: withMiddle('record unknown_type'),
    holds: item => assert.equal(item.description.manifestation.type, 'manifestation_word')
  },
  'leader_status_deleted.mrc': {
    file: between(iso(book, { leader: '00000dam a2200000 a 4500' })),
    gives: withMiddle('deletion')
  },
  'encoding_flag_blank_but_utf8.mrc': {
    file: between(iso(aBook('bad', 'Één titel'), { leader: '00000nam  2200000 a 4500' })),
    gives: withMiddle('record wrong_encoding'),
    holds: item => assert.ok(!titleOf(item).includes('\ufffd') && !/[ÃÂ]/.test(titleOf(item)))
  },
  'encoding_flag_a_but_cp1252.mrc': {
    file: between(iso(replaced('245', Buffer.from('10\u001fa\u0093caf\u00e9\u0094 is open', 'latin1')))),
    gives: withMiddle('record wrong_encoding'),
    holds: item => assert.ok(!titleOf(item).includes('\ufffd'))
  },
  'utf8_surrogate.mrc': {
    file: between(iso(replaced('245', Buffer.from('10\u001faEen \u00ed\u00a0\u0080 titel', 'latin1')))),
    gives: withMiddle('record undecodable'),
    holds: item => assert.match(JSON.stringify(item.description), /\ufffd/)
  },
  'utf8_bom_inside_field.mrc': {
    file: between(iso(aBook('bad', '\ufeffEen titel'))),
    gives: withMiddle('record control_characters')
  },
  'nul_bytes_in_field.mrc': {
    file: between(iso(aBook('bad', 'Een\u0000 titel\u0000'))),
    gives: withMiddle('record control_characters'),
    holds: item => assert.ok(!titleOf(item).includes('\u0000'))
  },
  'control_chars_in_field.mrc': {
    file: between(iso(aBook('bad', 'Een\u0007 titel'))),
    gives: withMiddle('record control_characters')
  },
  'directory_nonnumeric.mrc': {
    file: between(iso(book, { directory: ([first = '', ...rest]) => [`${first.slice(0, 3)}ABCD00000`, ...rest] })),
    gives: withMiddle('record bad_directory')
  },
  'directory_offset_out_of_bounds.mrc': {
    file: between(iso(book, { directory: ([first = '', ...rest]) => [`${first.slice(0, 7)}99999`, ...rest] })),
    gives: withMiddle('record bad_directory')
  },
  'directory_unordered.mrc': {
    file: between(iso(book, { directory: entries => entries.toReversed() })),
    gives: withMiddle('record'),
    holds: item => assert.ok(has(item, 'title'))
  },
  'directory_duplicate_001.mrc': {
    file: between(iso([['001', 'bad'], ['001', 'worse'], ...book.slice(1)])),
    gives: withMiddle('record repeated_control_number')
  },
  'missing_001.mrc': {
    file: between(iso(book.slice(1))),
    gives: withMiddle('record no_control_number'),
    holds: item => assert.match(item.name, /^sha256:/)
  },
  'missing_245.mrc': {
    file: between(iso(book.filter(([tag]) => tag !== '245'))),
    gives: withMiddle('record no_title')
  },
  'field_without_indicators.mrc': {
    file: between(iso(replaced('245', '$aEen titel'))),
    gives: withMiddle('record bad_field')
  },
  'embedded_record_terminator.mrc': {
    file: between(iso(aBook('bad', 'Een\u001d titel'))),
    gives: withMiddle('record control_characters')
  },
  'garbage_between_records.mrc': {
    file: between(Buffer.concat([Buffer.from('<html>Not found</html>'), iso(book)])),
    gives: withMiddle('record garbage')
  },
  'truncated_in_leader.mrc': {
    file: Buffer.concat([iso(aBook('a')), iso(book).subarray(0, 10)]),
    gives: ['record', 'unreadable truncated']
  },
  'truncated_in_data.mrc': {
    file: Buffer.concat([iso(aBook('a')), iso(book).subarray(0, -20)]),
    gives: ['record', 'unreadable truncated']
  },
  'empty_file.mrc': { file: Buffer.alloc(0), gives: [] },
  'not_marc_json.mrc': { file: Buffer.from('{"fields": "none"}'), gives: ['unreadable not_marc'] },
  'record_over_99999_bytes.mrc': {
    file: between(iso([...book, ...Array.from({ length: 30 }, (): Field => ['500', `  $a${'x'.repeat(5_000)}`])])),
    gives: withMiddle('record too_long bad_directory')
  },
  'isbn_in_020z_only.mrc': {
    file: between(iso([...book.slice(0, 2), ['020', '  $z9789097114081'], ...book.slice(2)])),
    gives: withMiddle('record'),
    holds: item => assert.ok(!has(item, 'isbn'))
  },
  'year_odd_values.mrc': {
    file: between(iso(replaced('008', '970513s19uu    be a     b    000 0 dut  '))),
    gives: withMiddle('record'),
    holds: item => assert.ok(!item.description.manifestation.metadata.some(each => /19uu/.test(String(each.value))))
  },
  'xml_not_wellformed.xml': {
    file: Buffer.from(xml(record().replace('</subfield>', ''))),
    gives: ['unreadable not_well_formed']
  },
  'xml_latin1_declared_utf8.xml': {
    file: Buffer.from(xml(record('Één titel')), 'latin1'),
    gives: ['record undecodable'],
    holds: titleIs(/\ufffd/)
  },
  'xml_utf16.xml': {
    file: Buffer.from(`\ufeff${xml(record('Één titel')).replace('UTF-8', 'UTF-16')}`, 'utf16le'),
    gives: ['record'],
    holds: item => assert.ok(!titleOf(item).includes('\ufffd'))
  },
  'xml_missing_leader.xml': { file: Buffer.from(xml(record('x', ''))), gives: ['record bad_leader'] },
  'xml_short_leader.xml': { file: Buffer.from(xml(record('x', '<leader>000</leader>'))), gives: ['record bad_leader'] },
  'xml_subfield_without_code.xml': {
    file: Buffer.from(xml(record().replace(' code="a"', ''))),
    gives: ['record bad_subfield no_title']
  },
  'xml_entity_bomb.xml': {
    file: Buffer.from(`<?xml version="1.0"?><!DOCTYPE c [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>${record('&b;')}`),
    gives: ['unreadable refused']
  },
  'xml_cdata.xml': {
    file: Buffer.from(xml(record('<![CDATA[Een <titel> & meer]]>'))),
    gives: ['record'],
    holds: titleIs(/[<&]/)
  },
  'xml_illegal_char_ref.xml': {
    file: Buffer.from(xml(record('Een&#0; titel'))),
    gives: ['unreadable not_well_formed']
  },
  'xml_oai_wrapped.xml': {
    file: Buffer.from(
      `<?xml version="1.0"?><OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords><record><header><identifier>oai:a:1</identifier></header><metadata>${record()}</metadata></record><record><header status="deleted"><identifier>oai:a:2</identifier></header></record></ListRecords></OAI-PMH>`
    ),
    gives: ['record', 'deletion'],
    holds: (_, items) => assert.ok(items[1]?.outcome === 'deletion' && items[1].name !== undefined)
  }
}

/** An item in a few words; a kind that comes several times is told once. */
const told = (item: SourceItem) =>
  [
    item.outcome,
    ...new Set([
      ...item.defects.map(each => each.kind),
      ...(item.outcome === 'record' ? item.description.problems.map(each => each.kind) : [])
    ])
  ].join(' ')

async function check(file: Buffer, { gives, holds }: Case) {
  for (const size of [65_536, 997]) {
    const items = await all(readSource(inChunks(file, size)))
    assert.deepEqual(items.map(told), gives)
    const item = items[items.length === 3 ? 1 : 0]
    if (holds !== undefined) {
      assert.ok(item?.outcome === 'record')
      holds(item, items)
    }
    for (const { position } of items) assert.ok(position.offset + position.length <= file.length + 2)
  }
}

describe('A file that is broken', () => {
  for (const [name, each] of Object.entries(cases))
    it(`as ${name} is gives what can be read of it`, () => check(each.file, each))
})

describe('A file with a text that is a member of every object', () => {
  const members = ['constructor', '__proto__', 'toString']
  for (const name of ['onix/three.xml', 'onix/two-short.xml', 'marc/made-unimarc.mrk'])
    it(`is read like any other: ${name}`, async () => {
      const text = readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8')
      const words = [...text.matchAll(/(?<=[>"=$\s])[\p{L}\p{N}_-]+(?=[<"$\s,.])/gu)]
      assert.ok(words.length > 40)
      for (const { 0: word, index } of words)
        for (const member of members) {
          const changed = `${text.slice(0, index)}${member}${text.slice(index + word.length)}`
          const items = await all(readSource(inChunks(Buffer.from(changed), 65_536)))
          const written = JSON.stringify(items, (_, value) => (typeof value === 'function' ? 'a function' : value))
          assert.ok(!/a function|native code/.test(written), changed.slice(index - 60, index + 20))
        }
    })
})
