import { createClient, localTime, related, value } from 'libretto-client'

/*
 * Writes the page of a season: node season.mjs > season.html. Days and times are those on the
 * clocks of the venues, wherever this program and the reader are.
 */

const [language = 'nl', from = '2026-09-01', to = '2027-08-31'] = process.argv.slice(2)
const libretto = createClient({
  baseUrl: process.env.LIBRETTO_URL ?? 'http://127.0.0.1:8080',
  token: process.env.LIBRETTO_TOKEN
})

const performances = libretto.entities.findAll(
  [
    { type: 'type', value: 'performance' },
    { type: 'date', key: 'properties.start.value', value: { min: from, max: to } }
  ],
  { include: ['relations', 'local'], relatedFields: ['city'], lang: language, orderBy: 'start' }
)

/** Words for the state of a performance; those that go without saying are absent. */
const states = {
  nl: { cancelled: 'geannuleerd', moved: 'verplaatst', postponed: 'uitgesteld', sold_out: 'uitverkocht' },
  fr: { cancelled: 'annulé', moved: 'déplacé', postponed: 'reporté', sold_out: 'complet' },
  en: { cancelled: 'cancelled', moved: 'moved', postponed: 'postponed', sold_out: 'sold out' }
}[language]

const escape = text => String(text ?? '').replace(/[&<>"]/g, each => `&#${each.charCodeAt(0)};`)

// A day of the venue is a date without a time: it is formatted as if it were in UTC.
const dayText = day =>
  new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))

const days = new Map()
for await (const performance of performances) {
  const { day, time, zone } = localTime(performance) ?? { day: '', time: '', zone: '' }
  const [show] = related(performance, 'refProduction')
  const [venue] = related(performance, 'refVenues')
  const state = states?.[value(performance, 'status')] ?? states?.[value(performance, 'availability')]
  const line = [
    `<time datetime="${escape(value(performance, 'start'))}" title="${escape(zone)}">${escape(time)}</time>`,
    `<strong>${escape(show?.value)}</strong>`,
    escape([venue?.value, venue?.fields?.city].filter(Boolean).join(', ')),
    ...(state === undefined ? [] : [`<em>${escape(state)}</em>`])
  ].join(' ')
  days.set(day, [...(days.get(day) ?? []), `<li id="${escape(performance.id)}">${line}</li>`])
}

const sections = [...days].sort(([one], [other]) => (one < other ? -1 : 1))
console.log(`<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<title>${escape(from)} – ${escape(to)}</title>
${sections.map(([day, lines]) => `<h2>${escape(dayText(day))}</h2>\n<ul>\n${lines.join('\n')}\n</ul>`).join('\n')}
</html>`)
