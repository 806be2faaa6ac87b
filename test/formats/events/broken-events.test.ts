import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { readSource } from '#formats/source/read-source.ts'

/* Files of events that are broken or hostile: each fault is a remark, and the others are read. */

const calendar = (...lines: readonly string[]) => ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR', ''].join('\r\n')
const event = (...lines: readonly string[]) => ['BEGIN:VEVENT', 'UID:1', 'SUMMARY:A', ...lines, 'END:VEVENT']
const inSchema = (members: string) => `{"@context":"https://schema.org","@type":"TheaterEvent",${members}}`

const outcomes = async (text: string) => {
  const items = await Array.fromAsync(readSource([Buffer.from(text)]))
  return items.map(item => {
    const remarks = item.defects.map(({ tag = '', message }) => `${tag} ${message}`.trim().slice(0, 60))
    const records = item.outcome === 'row' ? item.records : []
    const starts = records.flatMap(each => each.metadata.flatMap(({ key, value }) => (key === 'start' ? [value] : [])))
    return [item.outcome, ...(starts.length > 3 ? [`${starts.length} dates`] : starts), ...remarks].join(' | ')
  })
}

describe('A calendar with faults', () => {
  const cases: Readonly<Record<string, readonly [text: string, ...expected: string[]]>> = {
    'a value that is no date': [
      calendar(...event('DTSTART:99999999T999999', 'EXDATE:x', 'RDATE:y'), ...event('DTSTART:20270101T200000Z')),
      'row | 2027-01-01T20:00:00Z',
      'unreadable | Not an event: Could not extract integer from "y--"'
    ],
    'a zone that nothing defines': [
      calendar(...event('DTSTART;TZID=Nowhere:20270101T200000')),
      'row | 2027-01-01T20:00:00 | DTSTART "Nowhere" is not a known time zone'
    ],
    'a rule whose dates never come': [
      calendar(...event('DTSTART:20270101T200000Z', 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30')),
      'row | 2027-01-01T20:00:00Z | RRULE Only daily and weekly dates are read; the event has it'
    ],
    'a rule without an end': [
      calendar(...event('DTSTART:20270101T200000Z', 'RRULE:FREQ=DAILY')),
      'row | 400 dates | RRULE Only the first 400 dates are read'
    ],
    'a zone whose clocks never change': [
      calendar(
        ...['BEGIN:VTIMEZONE', 'TZID:Odd', 'BEGIN:STANDARD', 'DTSTART:19700101T000000', 'TZOFFSETFROM:+0100'],
        ...['TZOFFSETTO:+0100', 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', 'END:STANDARD', 'END:VTIMEZONE'],
        ...event('DTSTART;TZID=Odd:20270101T200000')
      ),
      'row | 2027-01-01T20:00:00 | DTSTART "Odd" is not a known time zone'
    ],
    'an event without an end': [
      `BEGIN:VCALENDAR\r\n${event('DTSTART:20270101T200000Z').slice(0, -1).join('\r\n')}`,
      'unreadable | The file ends within an event'
    ]
  }
  for (const [name, [text, ...expected]] of Object.entries(cases))
    it(`is read around ${name}`, async () => assert.deepEqual(await outcomes(text), expected))
})

describe('JSON and XML of events with faults', () => {
  const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`
  const cases: Readonly<Record<string, readonly [text: string, ...expected: string[]]>> = {
    'too many levels': [inSchema(`"name":"A","x":${deep}`), `unreadable | /x${'/a'.repeat(29)}`],
    'an event that is part of itself': [
      '{"@context":"https://schema.org","@graph":[{"@type":"TheaterEvent","@id":"a","name":"A","superEvent":{"@id":"a"},"subEvent":{"@id":"a"},"startDate":"x"}]}',
      'row | nights.start "x" is not a date'
    ],
    'values of other kinds': [
      '{"calendarType":"single","name":5,"subEvent":[null,5,{"startDate":7}],"priceInfo":"x","location":[],"terms":[{"label":{}}]}',
      'row | nights.start "7" is not a date'
    ],
    'no event': [
      '{"@context":"https://schema.org","@type":"EventSeries","name":"A"}',
      'unreadable | The file has no event'
    ],
    'an element without an end': [
      '<cdbxml><event><eventdetails><eventdetail lang="nl"><title>T</title></eventdetail></eventdetails></event><event><a></b></event></cdbxml>',
      'row',
      'unreadable | Line 1, column 11: "</b>" where "</a>" should be'
    ]
  }
  for (const [name, [text, ...expected]] of Object.entries(cases))
    it(`are read around ${name}`, async () => assert.deepEqual(await outcomes(text), expected))
})
