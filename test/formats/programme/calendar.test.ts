import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import fc from 'fast-check'
import ICAL from 'ical.js'

import { type CalendarEvent, writeCalendar } from '#formats/icalendar/write-calendar.ts'
import { momentIn } from '#domain/values/time-zone.ts'
import { howMany } from '../../support/records/chance.ts'

const address = 'https://catalogue.example.org/entities/VE-1/calendar.ics'

const anEvent = (given: Partial<CalendarEvent> = {}): CalendarEvent => ({
  uid: '0192f0c1-0000-7000-8000-000000000000',
  changed: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
  created: Date.UTC(2026, 0, 1),
  sequence: 3,
  status: 'CONFIRMED',
  start: { at: Date.UTC(2026, 0, 16, 19), isDay: false },
  summary: 'Hamlet',
  ...given
})

const read = (text: string) => {
  const calendar = new ICAL.Component(ICAL.parse(text))
  return { calendar, events: calendar.getAllSubcomponents('vevent').map(each => new ICAL.Event(each)) }
}

describe('A calendar', () => {
  it('is read back by a program that is not ours', () => {
    const event = anEvent({
      end: { at: Date.UTC(2026, 0, 16, 21, 25), isDay: false },
      status: 'CANCELLED',
      description: 'Een lege stoel;\neen bruiloft, en een zoon \\ vader',
      location: 'De Linde, Lindekade 5',
      latitude: 52.3812,
      longitude: 4.6372,
      url: 'https://tickets.example.org/a,b;c',
      categories: ['toneel, klassiek', 'tragedie']
    })
    const { calendar, events } = read(writeCalendar({ name: 'De Linde in Haarlem', address, events: [event] }))
    const [found] = events

    assert.equal(calendar.getFirstPropertyValue('version'), '2.0')
    assert.equal(calendar.getFirstPropertyValue('name'), 'De Linde in Haarlem')
    assert.equal(found?.uid, event.uid)
    assert.equal(found?.sequence, 3)
    assert.equal(found?.startDate.toJSDate().toISOString(), '2026-01-16T19:00:00.000Z')
    assert.equal(found?.endDate.toJSDate().toISOString(), '2026-01-16T21:25:00.000Z')
    assert.equal(found?.description, event.description)
    assert.equal(found?.location, event.location)
    const component = found?.component
    assert.equal(component?.getFirstPropertyValue('status'), 'CANCELLED')
    assert.equal(String(component?.getFirstPropertyValue('dtstamp')), '2026-01-02T03:04:05Z')
    assert.equal(component?.getFirstPropertyValue('url'), event.url)
    assert.deepEqual(component?.getFirstProperty('categories')?.getValues(), event.categories)
  })

  it('has lines of at most 75 bytes, whatever its texts hold, and they are read back whole', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 300, size: 'max' })
    fc.assert(
      fc.property(text, text, (summary, description) => {
        const written = writeCalendar({ name: summary, address, events: [anEvent({ summary, description })] })
        assert.ok(written.endsWith('END:VCALENDAR\r\n'))
        for (const line of written.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line)
        assert.doesNotMatch(written.replaceAll('\r\n', ''), /[\r\n]/)
        const [found] = read(written).events
        assert.equal(found?.summary ?? '', withoutControls(summary))
        assert.equal(found?.description ?? '', withoutControls(description))
      }),
      { numRuns: howMany({ short: 50, long: 5000, onPostgres: 50 }) }
    )
  })

  it('cannot be made to say more than it should by a text with line ends', () => {
    const { events } = read(
      writeCalendar({ name: 'x', address, events: [anEvent({ summary: 'a\r\nEND:VEVENT\r\nBEGIN:VEVENT\nUID:2\rb' })] })
    )

    assert.equal(events.length, 1)
    assert.equal(events[0]?.summary, 'a\nEND:VEVENT\nBEGIN:VEVENT\nUID:2\nb')
  })

  it('has times by the clocks of their zones, which it describes on both sides of each clock change', () => {
    const hours = Array.from({ length: 6 }, (_, hour) => hour)
    const instants = [
      // Brussels and New York change clocks in March and autumn; Lord Howe by half an hour.
      ...[Date.UTC(2026, 2, 28, 23), Date.UTC(2026, 9, 24, 23), Date.UTC(2026, 2, 8, 5), Date.UTC(2026, 10, 1, 4)],
      ...[Date.UTC(2026, 3, 4, 13), Date.UTC(2026, 11, 31, 20), Date.UTC(2031, 6, 1, 18), Date.UTC(1999, 0, 1)]
    ].flatMap(first => hours.map(hour => first + hour * 3_600_000))
    const zones = ['Europe/Brussels', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca', 'Asia/Kolkata']
    for (const zone of zones) {
      const text = writeCalendar({
        ...{ name: 'x', address },
        events: instants.map(at => anEvent({ uid: String(at), start: { at, isDay: false, zone } }))
      })
      const { calendar, events } = read(text)
      assert.equal(calendar.getAllSubcomponents('vtimezone').length, 1)
      for (const { uid, startDate } of events) {
        const at = Number(uid)
        const wall = momentIn(zone, at).slice(0, 19)
        assert.equal(startDate.toJSDate().getTime(), at, `${zone} ${wall}`)
        // A time that clocks show twice is in UTC.
        const isTwice = [-60, -30, 30, 60].some(minutes => momentIn(zone, at + minutes * 60_000).startsWith(wall))
        assert.equal(startDate.zone?.tzid, isTwice ? 'UTC' : zone, `${zone} ${wall}`)
        if (!isTwice) assert.equal(startDate.toString(), wall)
      }
    }
  })

  it('has days as days, and a part also when it has no events', () => {
    const day = { at: Date.UTC(2026, 0, 16), isDay: true }
    assert.match(
      writeCalendar({ name: 'x', address, events: [anEvent({ start: day })] }),
      /\r\nDTSTART;VALUE=DATE:20260116\r\n/
    )
    const empty = read(writeCalendar({ name: 'x', address, events: [] }))
    assert.equal(empty.events.length, 0)
    assert.equal(empty.calendar.getAllSubcomponents('vtimezone').length, 1)
  })
})

const withoutControls = (text: string) => text.replaceAll(/\r\n?/g, '\n').replaceAll(/(?![\t\n])\p{Cc}/gu, '')
