import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { dateText, daysOf, readDates } from '../web/src/change/typed-dates.ts'

const usual = { from: '2026-11-18', time: '20:00' }
const momentsOf = (text: string) => readDates(text, usual).map(({ moment, fault }) => fault ?? moment)

/** Notations of one evening, Saturday 3 April 2027 at half past eight. */
const notations = {
  'of programs': ['2027-04-03 20:30', '2027-04-03T20:30', '2027-04-03T20:30:00', '03/04/2027\t20:30', '3-4-27 20:30'],
  English: [
    '3 April 2027 20:30',
    'Sat 3rd of April 2027, 8.30pm',
    'April 3, 2027 at 8:30 p.m.',
    'Saturday 3 Apr 20.30'
  ],
  Dutch: ['za 3 april 2027 om 20.30 uur', 'zaterdag 3 apr. 2027 20u30', '3/4/2027 20 u 30', '3 april – 20:30'],
  French: ['samedi 3 avril 2027 à 20h30', 'sam. 3 avr. 2027 20 h 30', 'Le 3 avril 20:30'],
  German: ['Sa., 3. April 2027, 20:30 Uhr', 'Samstag, den 3.4.2027 um 20.30 Uhr', 'Sa 3.4. 20.30', 'am 03.04.27, 20:30']
}

describe('A list of dates', () => {
  for (const [language, lines] of Object.entries(notations))
    for (const line of lines)
      it(`is read in the notation ${language}: ${line}`, () => assert.deepEqual(momentsOf(line), ['2027-04-03T20:30']))

  it('knows every month by its name and its abbreviation', () => {
    for (const locale of ['en-GB', 'nl-BE', 'fr-BE', 'de-DE'])
      for (const month of ['long', 'short'] as const)
        for (let number = 0; number < 12; number++) {
          const date = new Date(Date.UTC(2027, number, 17))
          const line = new Intl.DateTimeFormat(locale, {
            ...({ day: 'numeric', month, year: 'numeric', timeZone: 'UTC' } as const)
          }).format(date)
          assert.deepEqual(momentsOf(line), [`${date.toISOString().slice(0, 10)}T20:00`], line)
        }
  })

  it('reads what the page writes in each language, on every day of the week', () => {
    for (const locale of ['en-GB', 'nl-BE', 'fr-BE', 'de-DE'])
      for (const day of daysOf('2027-02-25', '2027-03-05', [])) {
        const line = dateText(`${day}T19:05`, locale)
        assert.deepEqual(momentsOf(line), [`${day}T19:05`], line)
      }
  })

  it('goes on from the date before where a year is missing', () =>
    assert.deepEqual(momentsOf('30/12 20:00\n31 december\n2 januari 15u'), [
      '2026-12-30T20:00',
      '2026-12-31T20:00',
      '2027-01-02T15:00'
    ]))

  it('takes several times of a day, and 12 o’clock at noon and at midnight', () => {
    assert.deepEqual(momentsOf('zo 4 april 2027 15:00 en 20:00'), ['2027-04-04T15:00', '2027-04-04T20:00'])
    assert.deepEqual(momentsOf('4/4/2027 12pm; 5/4/2027 12am'), ['2027-04-04T12:00', '2027-04-05T00:00'])
  })

  it('says of each line that is no date, on another day of the week, or there already', () =>
    assert.deepEqual(
      momentsOf(
        [
          ...['Hamlet', '31 april 2027', '3/4/2027 25:00', '3/4/2027 20', '3/4/2027 20:00–22:00'],
          ...[
            '3 april 2027 uitverkocht',
            '20:30',
            'vr 3 april 2027',
            '3 jui 2027',
            '3/4/2027 20:30',
            '2027-04-03 20:30'
          ]
        ].join('\n')
      ),
      [...Array.from({ length: 7 }, () => 'unread'), 'otherDay', 'unread', '2027-04-03T20:30', 'twice']
    ))

  it('is made of the days of a week in a period', () => {
    assert.deepEqual(daysOf('2027-04-01', '2027-04-11', [4, 6]), [
      '2027-04-01',
      '2027-04-03',
      '2027-04-08',
      '2027-04-10'
    ])
    assert.deepEqual(daysOf('2027-04-01', '', []), ['2027-04-01'])
    assert.deepEqual(daysOf('2027-04-02', '2027-04-01', []), [])
    assert.equal(daysOf('2027-01-01', '9999-12-31', []).length, 366)
  })
})
