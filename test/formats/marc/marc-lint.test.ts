import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

import { marcFields } from '#domain/labels/marc-fields.ts'
import { checkRecord } from '#formats/marc/check-record.ts'
import { writeIso2709 } from '#formats/marc/iso2709.ts'
import type { MarcRecord } from '#formats/marc/record.ts'
import { needDebian, runTool } from '../../support/machines/debian.ts'
import { temporaryFolder } from '../../support/services/start.ts'

/* The checks of the MARC editor, compared with those of MARC::Lint. */

const packages = ['libmarc-lint-perl', 'libmarc-record-perl', 'libbusiness-isbn-perl']

/** Subfields of the format, by tag, that MARC::Lint 1.53 does not know yet. */
const newer: Readonly<Record<string, string>> = {
  '046': 'xz',
  '340': 'lpq',
  '344': 'ij',
  '345': 'cd',
  '348': 'cd',
  '366': 'h',
  '490': 'yz',
  '533': 'y',
  '688': 'z',
  '856': 'eg'
}
/** Fields that it has, and the format does not: obsolete ones, and 777 with subfields of 776. */
const older = ['002', '400', '410', '411']

const sound = [
  '020 ## $a9789025701017',
  '041 1# $aeng$hdut',
  '043 ## $ae-be---',
  '100 1# $aVerhoeven, Mila',
  '245 14 $aThe dyke.$nPart 1,$pSpring :$ba novel /$cMila Verhoeven.'
]

/** A sound record but for one field, what MARC::Lint says of it, and what the editor says. */
const cases: readonly (readonly [line: string, theirs: RegExp, ours: RegExp])[] = [
  ['020 ## $a9789025701018', /020: Subfield a has bad checksum/, /"9789025701018" is not a valid ISBN/],
  ['020 ## $a97890257', /020: Subfield a has the wrong number of digits/, /"97890257" is not a valid ISBN/],
  ['020 ## $aISBN 9789025701017', /020: Subfield a may have invalid characters/, /"ISBN" is not a valid ISBN/],
  ['041 1# $aen$hdut', /041: Subfield _a must be evenly divisible by 3/, /\$a of 041 must have codes of three letters/],
  ['043 ## $ae-be', /043: Subfield _a must be exactly 7 characters/, /\$a of 043 must have seven characters/],
  ['110 2# $aDe Kade', /1XX: Only one 1XX tag is allowed/, /one main entry/],
  ['245 94 $aThe dyke.', /245: Indicator 1 must be 0 or 1/, /Indicator 1 of 245 cannot be "9"/],
  ['245 14 $aThe dyke$bnovel.', /245: Subfield _b should be preceded by/, /Before \$b of 245/],
  ['245 14 $aThe dyke$cMila.', /245: Subfield _c must be preceded by/, /Before \$c of 245/],
  ['245 14 $aThe dyke$nPart 1.', /245: Subfield _n must be preceded by/, /Before \$n of 245/],
  ['245 14 $aThe dyke.$nPart 1.$pSpring.', /245: Subfield _p must be preceded by , /, /Before \$p of 245/],
  ['245 14 $aThe dyke$pSpring.', /245: Subfield _p must be preceded by \. /, /Before \$p of 245/],
  ['245 14 $bnovel$aThe dyke.', /245: First subfield must be _a/, /The first subfield of 245 is \$a/],
  ['245 14 $aThe dyke.$aTwice.', /245: Subfield _a is not repeatable/, /\$a of 245 may not be repeated/],
  ['245 14 $aThe dyke.$zx.', /245: Subfield _z is not allowed/, /Field 245 has no subfield \$z/],
  ['300 ## $a1\t2', /300: Subfield _a has an invalid control character/, /\$a of 300 has a tab or a line break/],
  ['880 1# $aДамба', /880: No subfield 6/, /Field 880 does not name its field in \$6/]
]

function recordWith(line: string | undefined): MarcRecord {
  const tag = line?.slice(0, 3)
  const lines = line === undefined ? sound : [...sound.filter(each => !each.startsWith(tag ?? '')), line]
  return {
    leader: '00000nam a2200000 i 4500',
    fields: lines.toSorted().map(each => ({
      tag: each.slice(0, 3),
      indicators: each.slice(4, 6).replaceAll('#', ' '),
      subfields: each
        .slice(7)
        .split('$')
        .slice(1)
        .map(part => ({ code: part.slice(0, 1), value: part.slice(1) }))
    }))
  }
}

const said = (record: MarcRecord) => checkRecord(record).map(each => each.message)

describe('MARC::Lint and the checks of the editor', () => {
  it('say the same of records with one fault, and nothing of a sound one', async t => {
    if (!needDebian(t, packages)) return
    const file = join(temporaryFolder(t), 'made.mrc')
    const records = [undefined, ...cases.map(([line]) => line), '040 ## $aTEST'].map(recordWith)
    const [twice] = records.splice(-1)
    assert.ok(twice)
    const repeated = {
      ...twice,
      fields: [...twice.fields, ...structuredClone(twice.fields.filter(({ tag }) => tag === '040'))]
    }
    writeFileSync(file, Buffer.concat([...records, repeated].map(each => Buffer.from(writeIso2709(each)))))
    const program = `use MARC::Batch; use MARC::Lint; my $lint = MARC::Lint->new;
      my $batch = MARC::Batch->new('USMARC', $ARGV[0]);
      while (my $record = $batch->next) { $lint->check_record($record); print join('|', $lint->warnings), "\\n" }`
    const theirs = (await runTool('perl', ['-e', program, file])).split('\n')
    assert.deepEqual([theirs.shift(), said(recordWith(undefined))], ['', []])
    for (const [line, wanted, ours] of cases) {
      const told = theirs.shift() ?? ''
      assert.match(told, wanted, line)
      assert.match(said(recordWith(line)).join('|'), ours, line)
    }
    assert.match(theirs.shift() ?? '', /040: Field is not repeatable/)
    assert.deepEqual(said(repeated), ['Field 040 may not be repeated'])
  })

  it('have the same rules: fields, indicators, subfields, and which may be repeated', async t => {
    if (!needDebian(t, packages)) return
    const program = `use MARC::Lint; my $rules = MARC::Lint->new->{_rules};
      for my $tag (sort keys %$rules) { my %rule = %{$rules->{$tag}};
        my @inds = map { my $ind = $_; join '', grep { $_ =~ $rule{"ind\${ind}_regex"} } (' ', 0..9) } 1, 2;
        my @codes = map { $_ . ($rule{$_} eq 'NR' ? '!' : '') } grep { /^[a-z]$/ } sort keys %rule;
        print join("\\t", $tag, $rule{repeatable}, @inds, join(',', @codes)), "\\n" }`
    const lines = (await runTool('perl', ['-e', program])).trimEnd().split('\n')
    const differences: string[] = []
    let compared = 0
    for (const line of lines) {
      const [tag = '', repeats, first, second, list = ''] = line.split('\t')
      const rule = marcFields.get(tag)
      if (!/^\d{3}$/.test(tag) || older.includes(tag)) continue
      if (rule === undefined) {
        differences.push(`${tag} is missing`)
        continue
      }
      compared++
      if (rule.isRepeatable !== (repeats === 'R') && tag !== '310') differences.push(`${tag} ${repeats}`)
      if (rule.subfields === undefined) continue
      const codes = list.split(',').filter(Boolean)
      const known = new Set(codes.map(each => each.slice(0, 1)))
      const added = [...rule.subfields].filter(each => !known.has(each)).join('')
      const gone = [...known].filter(each => rule.subfields?.includes(each) !== true).join('')
      if (added !== (newer[tag] ?? '')) differences.push(`${tag} has $${added} more`)
      if (gone !== '' && tag !== '777') differences.push(`${tag} lacks $${gone}`)
      const once = codes.filter(each => each.endsWith('!') && rule.subfields?.includes(each.slice(0, 1)))
      if (once.map(each => each.slice(0, 1)).join('') !== [...rule.once].sort().join(''))
        differences.push(`${tag} may repeat others than ${once.join('')}`)
      for (const [place, theirs] of [first, second].entries()) {
        const lacking = [...(theirs ?? '')].filter(each => rule.indicators[place]?.includes(each) === false)
        if (lacking.length > 0) differences.push(`${tag} indicator ${place + 1} lacks "${lacking.join('')}"`)
      }
    }
    assert.ok(compared > 200, `${compared} fields`)
    assert.deepEqual(differences, [])
  })
})
