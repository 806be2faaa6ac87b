import { writers } from '#formats/marc/write-marc.ts'
import type { Form, MarcRecord } from '#formats/marc/record.ts'
import { marcFrom, type Shelf } from './marc-lines.ts'

/** A file of records that are written as lines. */
export function marcFile(shelf: Shelf, form: Form = 'iso2709'): Buffer {
  const records = Object.entries(shelf).map(([name, given]) =>
    typeof given === 'string' ? marcFrom(name, given) : marcFrom(name, given[0], given[1])
  )
  return writeAll(
    records.map(each => ({ ...each, fields: [...each.fields].sort(byTag) })),
    form
  )
}

const byTag = (one: { tag: string }, other: { tag: string }) => (one.tag < other.tag ? -1 : one.tag > other.tag ? 1 : 0)

function writeAll(records: readonly MarcRecord[], form: Form): Buffer {
  const { head, tail, write } = writers[form]
  return Buffer.concat([head, ...records.map(write), tail].map(each => Buffer.from(each as string)))
}

/** Says of records that they were deleted where they came from. */
export const deletionFile = (...names: string[]): Buffer =>
  writeAll(
    names.map(name => {
      const record = marcFrom(name, '245 10 $aGone')
      return { ...record, leader: record.leader.replace('00000n', '00000d') }
    }),
    'iso2709'
  )

/**
 * The salt road in two editions and a translation that says so; a novel that only its title could
 * join; and something else.
 */
export const saltRoad = {
  original:
    '020 ## $a9789025701017\n100 1# $aVerhoeven, Mila,$d1911-1984\n245 14 $aThe salt road :$ba novel /$cMila Verhoeven.\n264 #1 $aGent :$bDe Kade,$c1951.\n650 #0 $aSalt',
  reprint:
    '100 1# $aVerhoeven, Mila,$d1911-1984\n245 14 $aThe salt road /$cMila Verhoeven.\n250 ## $a2nd ed.\n264 #1 $aGent :$bDe Kade,$c1963.',
  translation: [
    '041 1# $adut$heng\n100 1# $aVerhoeven, Mila\n240 10 $aSalt road.$lDutch\n245 13 $aDe zoutweg /$cMila Verhoeven ; vertaald door Eva Lind.\n700 1# $aLind, Eva$4trl\n264 #1 $aGent :$bDe Kade,$c1955.',
    'dut'
  ],
  other: '100 1# $aOkafor, Ben\n245 14 $aThe ferry house /$cBen Okafor.\n264 #1 $aLagos :$bQuay,$c1999.'
} as const satisfies Shelf
