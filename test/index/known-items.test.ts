import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { describeRecord } from '#formats/marc/mapping/describe-record.ts'
import { amongFirstThree, askedFor, DescribedCatalogue, rankItems } from '../support/records/known-items.ts'
import { marcFrom } from '../support/records/marc-lines.ts'

/* test/real/known-items.test.ts does the same with real records. */

/** Six hundred books: few words and authors, each in many of them. */
function madeBooks(): DescribedCatalogue {
  const nouns = ['storm', 'garden', 'window', 'river', 'letter', 'winter', 'house', 'road', 'mirror', 'bridge']
  const others = ['glass', 'summer', 'father', 'island', 'silence', 'harbour']
  const names = ['Berg, Anna', 'Storm, Willem', 'Winter, Jan van', 'House, Mary', 'Dijk, Els', 'Roads, Peter']
  const catalogue = new DescribedCatalogue()
  for (let number = 0; number < 600; number++) {
    const noun = nouns[number % nouns.length]
    const other = others[Math.floor(number / nouns.length) % others.length]
    const name = names[Math.floor(number / 7) % names.length]
    const part = Math.floor(number / 60)
    catalogue.add(
      describeRecord(
        marcFrom(
          `made-${number}`,
          `100 1# $a${name}
           245 14 $aThe ${noun} of the ${other} ${part} /$c${name}.
           260 ## $aGent :$bUitgeverij,$c${1900 + (number % 100)}.
           500 ## $aA note on ${others[number % others.length]} by ${names[number % names.length]}.`
        )
      )
    )
  }
  return catalogue
}

describe('A made publication that somebody knows', () => {
  it('is among the first three publications for author and title, with the year, and "title by author"', () => {
    const catalogue = madeBooks()
    const index = catalogue.done()
    const items = catalogue.items.filter((_, at) => at % 30 === 0)
    assert.equal(items.length, 20)
    for (const [form, ask] of Object.entries(askedFor))
      assert.ok(amongFirstThree(rankItems(index, items, ask)) >= 19, form)
  })
})
