import fc from 'fast-check'

import type { Shelf } from './marc-lines.ts'

/*
 * Shelves of random records: few people and few titles, so that records meet by every rule there
 * is.
 */

const people = [
  'Verhoeven, Mila,$d1911-1984',
  'Verhoeven, Mila',
  'Verhoeven, M.',
  'Verhoeven, Maria$d1950-',
  'Okafor, Ben'
]
const titles = [
  'The salt road',
  'De zoutweg',
  'La route du sel',
  'The ferry house',
  'The ferry houses',
  'Salt road, or, The dunes',
  'The dunes',
  'Selected poems',
  'The coast.$n1,$pThe salt road',
  'The watch-tower',
  'The watchtower'
]
const subjects = ['Salt', 'SALT', 'Roads.', 'Ferries$xHistory$zGent']
const title = fc.constantFrom(...titles)
const line = (before: string) => title.map(each => `${before}${each}`)
const sometimes = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 })

const linked = fc.constantFrom('$wr01', '$wr03', '$x1234-5679', '$x2049-3630', '$tThe dunes', '$tThe ferry house')
/** A serial, or an article, with what it names. */
const links: fc.Arbitrary<string> = fc
  .record({
    level: fc.constantFrom('LDR/07 s', 'LDR/07 s', 'LDR/07 b'),
    issn: sometimes(fc.constantFrom('022 ## $a1234-5679', '022 ## $a2049-3630')),
    named: fc.array(
      fc.tuple(fc.constantFrom('773 0# $g3', '780 00 ', '785 00 '), linked).map(each => each.join('')),
      { maxLength: 3 }
    )
  })
  .map(({ level, issn, named }) => [level, issn, ...named].filter(each => each !== undefined).join('\n'))

/** A record as lines. */
export const recordLines: fc.Arbitrary<string> = fc
  .record({
    type: fc.constantFrom('LDR/06 a', 'LDR/06 a', 'LDR/06 a', 'LDR/06 i', 'LDR/06 g'),
    author: sometimes(fc.constantFrom(...people).map(each => `100 1# $a${each}`)),
    uniform: sometimes(line('240 10 $a')),
    proper: line('245 10 $a'),
    subtitle: sometimes(title.map(each => `$b${each}`)),
    variant: sometimes(line('246 3# $a')),
    published: sometimes(fc.constantFrom('1950', '1951', '1972').map(each => `264 #1 $c${each}.`)),
    note: sometimes(line('500 ## $aTranslation of: ')),
    subject: sometimes(fc.constantFrom(...subjects).map(each => `650 #0 $a${each}`)),
    links: sometimes(links),
    related: sometimes(line('740 0# $a')),
    translator: sometimes(
      fc.constantFrom('700 1# $aLind, Eva$4trl', '700 1# $aLind, E.$4trl', '700 1# $aMoreau, Ada$4trl')
    ),
    entries: fc.array(
      fc.tuple(fc.constantFrom(...people), title).map(([who, what]) => `700 12 $a${who}.$t${what}`),
      { maxLength: 3 }
    )
  })
  .map(({ type, author, uniform, proper, subtitle, entries, ...others }) =>
    [type, author, uniform, `${proper}${subtitle ?? ''}`, ...Object.values(others), ...entries]
      .filter(each => each !== undefined)
      .join('\n')
  )

export const shelves: fc.Arbitrary<Shelf> = fc
  .array(fc.tuple(recordLines, fc.constantFrom('eng', 'dut', 'fre')), { minLength: 2, maxLength: 14 })
  .map(list => Object.fromEntries(list.map((each, index) => [`r${String(index).padStart(2, '0')}`, each])))
