import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { parse } from 'csv-parse/sync'
import ICAL from 'ical.js'
import type { Page } from 'playwright-core'

import { importPayload } from '../support/services/import-file.ts'
import { chromiumEngine, openStage, settled } from './stage.ts'

/*
 * A season in the hands of a marketing employee: a table of 30 productions with 400 performances is
 * imported; then five nights are moved, one is cancelled and one is sold out, in the page. Each is
 * right at every address as soon as it is saved, in Brussels and in New York.
 */

const stage = await openStage(
  { after },
  { ANONYMOUS_ACCESS: ['production:published', 'performance', 'venue', 'season'].map(each => `read:${each}`).join(',') }
)
const { service, url } = stage
const zones = ['Europe/Brussels', 'America/New_York'] as const

const mapping = {
  dates: 'DMY',
  zone: { from: 'Zone' },
  records: [
    {
      type: 'performance',
      id: 'night-{Night}',
      fields: { start: { from: ['Date', 'Time'] } },
      relations: { refProduction: 'production', refVenues: 'venue' }
    },
    {
      type: 'production',
      id: 'show-{Show}',
      fields: { title: 'Title', status: 'Status', description_short: 'Short' },
      relations: { refSeasons: 'season', refVenues: 'venue' }
    },
    { type: 'venue', find: ['name', 'city'], fields: { name: 'Venue', city: 'City', country: 'Country' } },
    { type: 'season', id: 'season-{Season}', fields: { name: 'Season' } }
  ]
}

/** 400 nights of 30 productions, in winter and in summer. */
const nights = Array.from({ length: 400 }, (_, index) => {
  const show = index % 30
  const date = new Date(Date.UTC(2027, 8, 1 + Math.floor(index * 0.9))).toISOString().slice(0, 10)
  return { night: index, show, date }
})
const table = [
  'Night,Show,Title,Status,Short,Season,Date,Time,Venue,City,Country,Zone',
  ...nights.map(({ night, show, date }) =>
    [
      ...[night, show, `Show number ${show}`, 'published', 'Come and see', '2027-2028', date, '20:00'],
      ...['Great Hall', 'Gent', 'BE', 'Europe/Brussels']
    ].join(',')
  )
].join('\n')

interface Found {
  readonly id: string
  readonly relations: readonly { readonly type: string; readonly key: string }[]
}
let season = ''
let found: readonly Found[] = []
const browser = stage.skip === false ? await chromiumEngine.launch() : undefined
after(() => browser?.close())
/** Pages of visitors, one in each zone. */
const visitors: Page[] = []
for (const timezoneId of zones) {
  const context = await browser?.newContext({ timezoneId, locale: 'en-GB' })
  if (context) visitors.push(await context.newPage())
}

before(async () => {
  await importPayload(service, table, {
    query: `?mapping=${encodeURIComponent(JSON.stringify(mapping))}`,
    type: 'text/csv'
  })
  const idsOf = async (name: string) => (await service.get(`/entities/${name}`)).body as Found
  season = (await idsOf('season-2027-2028')).id
  found = await Promise.all(nights.slice(0, 7).map(({ night }) => idsOf(`night-${night}`)))
})

const productionOf = ({ relations }: Found) => relations.find(({ type }) => type === 'refProduction')?.key ?? ''

/** Reads the nights of a production as a visitor does, in both zones; they are the same. */
async function readBySite(production: string): Promise<string> {
  const texts: string[] = []
  for (const page of visitors) {
    await page.goto(`${url}/record/${production}`)
    texts.push(await page.locator('main').innerText())
  }
  assert.equal(texts[0], texts[1])
  return texts[0] ?? ''
}

/** The night in the calendar of the season, as a calendar program reads it. */
async function readByCalendar(production: string) {
  const { text } = await service.get(`/entities/${season}/calendar.ics`, { token: undefined })
  const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
  assert.equal(events.length, nights.length)
  const title = `Show number ${Number(production)}`
  return events
    .filter(each => String(each.getFirstPropertyValue('summary')).includes(`${title}`))
    .map(each => ({
      start: new ICAL.Event(each).startDate.toJSDate().toISOString(),
      status: String(each.getFirstPropertyValue('status'))
    }))
}

describe('a season of 30 productions and 400 performances', { skip: stage.skip }, () => {
  it('is imported from a table, at the clock of the venue', async () => {
    const { text } = await service.get(`/entities/${season}/programme.csv`, { token: undefined })
    const rows = parse(text, { columns: true }) as Record<string, string>[]
    assert.equal(rows.length, 400)
    assert.equal(new Set(rows.map(row => row.title ?? row.production)).size, 30)
  })

  it('is right at once after each change, seen from Brussels and from New York', async t => {
    const { page, go, complaints } = await stage.visit(t)
    const changes = [
      ...[0, 1, 2, 3, 4].map(
        index =>
          ({
            index,
            start: `2028-0${1 + index}-1${index}T19:30`,
            Status: 'moved',
            says: '19:30',
            status: 'CONFIRMED'
          }) as const
      ),
      { index: 5, start: undefined, Status: 'cancelled', says: 'Cancelled', status: 'CANCELLED' } as const,
      { index: 6, start: undefined, Tickets: 'sold_out', says: 'Sold out', status: 'CONFIRMED' } as const
    ]
    for (const { index, start, says, status, ...choices } of changes) {
      const night = found[index] as Found
      await go(`/record/${night.id}/edit`)
      if (start !== undefined) {
        await page.getByLabel('Former date').fill(`${nights[index]?.date}T20:00`)
        await page.getByLabel('Start').fill(start)
      }
      for (const [label, value] of Object.entries(choices))
        await page.getByLabel(label, { exact: true }).selectOption(value)
      await page.keyboard.press('Control+s')
      await page.getByText('was saved').waitFor()

      const site = await readBySite(productionOf(night))
      assert.ok(site.includes(says), `${says}: ${site}`)
      const inCalendar = await readByCalendar(String(nights[index]?.show))
      const localTime = start ?? `${nights[index]?.date}T20:00`
      // By the clock of the venue, in summer and in winter.
      const wanted = new Date(`${localTime}:00${isSummer(localTime) ? '+02:00' : '+01:00'}`).toISOString()
      assert.ok(
        inCalendar.some(each => each.start === wanted && each.status === status),
        JSON.stringify({ wanted, status, inCalendar })
      )
      const { body } = await service.get(`/entities/${night.id}?include=local`, { token: undefined })
      assert.equal(body.local.start, `${localTime}:00`)
      const { text } = await service.get(`/export?format=ndjson&ids=${night.id}`, { token: undefined })
      assert.ok(text.includes(Object.values(choices)[0] ?? ''), text)
    }
    await settled(page)
    assert.deepEqual(complaints, [])
  })
})

/** Whether the clocks of Brussels show summer time on a day of this season. */
const isSummer = (local: string) =>
  (local > '2027-03-28' && local < '2027-10-31') || (local > '2028-03-26' && local < '2028-10-29')
