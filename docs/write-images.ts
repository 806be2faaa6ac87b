import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { chromium, type Page } from 'playwright-core'
import sharp from 'sharp'

import { loadSample } from '../src/cli/sample.ts'
import { loadSamplePictures } from '../src/cli/sample-pictures.ts'
import { readConfig } from '../src/config.ts'
import { buildService, type Libretto, openLibretto } from '../src/main.ts'
import { readSite } from '../src/pages/read-site.ts'
import { createSiteSettings } from '../src/pages/site-settings.ts'
import { findProgram } from '../test/support/machines/debian.ts'
import { buildPage } from '../web/build.ts'
import { pictureImport } from './picture-import.ts'

/*
 * `npm run images` takes pictures of the web page with the sample catalogue, for the README and the
 * docs; `npm run images -- work` takes one. It needs Chromium. `test/docs.test.ts` refuses pictures
 * that no document shows.
 */

const locales = { en: 'en-GB', nl: 'nl-BE', fr: 'fr-BE' } as const

interface Picture {
  readonly name: string
  readonly path: string
  readonly theme?: 'light' | 'dark'
  readonly language?: keyof typeof locales
  readonly width?: number
  readonly height?: number
  /** The example in `deploy/sites` whose pages a visitor sees; else the page of the staff. */
  readonly site?: 'theatre' | 'library'
  /** Steps before the picture is taken. */
  readonly act?: (page: Page) => Promise<void>
}

const phone = { width: 390, height: 844 }
/** Drops a file and opens its preview. */
const preview = async (page: Page) => {
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: 'new books.mrk', mimeType: 'text/plain', buffer: pictureImport })
  await page.locator('.form-foot .primary').click()
  await page.locator('.preview-lines').waitFor()
}
/** Runs the import and opens its review questions. */
const review = async (page: Page) => {
  await preview(page)
  await page.locator('.import-actions .primary').click()
  await page.locator('.import-actions a.primary').click()
  await page.locator('.question').waitFor()
}
const pictures: readonly Picture[] = [
  { name: 'work', path: '/record/W-HAMLET', height: 580 },
  { name: 'find-dark', path: '/find?q=hamlet', theme: 'dark' },
  { name: 'production', path: '/record/PR-HAMLET' },
  { name: 'history', path: '/record/VE-GRAANSILO/history' },
  { name: 'import', path: '/manage/imports/new', act: preview },
  { name: 'phone-work', path: '/record/W-HAMLET', ...phone },
  { name: 'site-theatre', path: '/en/', site: 'theatre', height: 1450 },
  { name: 'site-library', path: '/en/', site: 'library', height: 1000 },
  { name: 'site-phone', path: '/en/', site: 'theatre', ...phone },
  { name: 'site-season', path: '/en/record/SEA-20262027', site: 'theatre', height: 1000 },
  { name: 'site-production', path: '/en/record/PR-HAMLET', site: 'theatre', height: 1200 },
  { name: 'site-production-phone', path: '/nl/record/PR-HAMLET', site: 'theatre', theme: 'dark', ...phone },
  { name: 'site-programme', path: '/en/record/VE-LINDE', site: 'theatre', theme: 'dark', height: 1000 },
  { name: 'site-work', path: '/en/record/W-HAMLET', site: 'library', height: 1200 },
  { name: 'site-work-dark', path: '/de/record/W-HAMLET', site: 'library', theme: 'dark', ...phone },
  { name: 'site-edition', path: '/en/record/M-HAMLETEN2016', site: 'library', height: 1000 },
  { name: 'site-person', path: '/en/record/PERS-SHAKESPEARE', site: 'library', height: 1000 },
  { name: 'site-find', path: '/en/find?q=hamlet', site: 'library', height: 1000 },
  // The last one: it imports the file.
  { name: 'review', path: '/manage/imports/new', act: review }
]

/** The poster of the tutorial, which is uploaded there. */
const poster = `<svg xmlns="http://www.w3.org/2000/svg" width="420" height="594" viewBox="0 0 420 594">
<rect width="420" height="594" fill="#f3ead7"/><path d="M0 430 Q210 330 420 430 V594 H0Z" fill="#b8562f"/>
<path d="M205 594 L214 380 L222 594Z" fill="#f3ead7"/><circle cx="214" cy="300" r="62" fill="#f7c873"/>
<g font-family="serif" fill="#2b2420"><text x="36" y="96" font-size="52">The Salt</text>
<text x="36" y="152" font-size="52">Road</text><text x="36" y="196" font-size="20">after Mila Verhoeven</text></g>
<text x="36" y="560" font-family="serif" font-size="20" fill="#fff">The Mill, 12 and 13 February</text></svg>`

const names = process.argv.slice(2)
const wanted = pictures.filter(({ name }) => names.length === 0 || names.includes(name))

const token = 'images-token-0123456789'
const folder = mkdtempSync(join(tmpdir(), 'libretto-images-'))
const images = join(import.meta.dirname, 'images')
mkdirSync(images, { recursive: true })
if (names.length === 0 || names.includes('poster'))
  await sharp(Buffer.from(poster)).png({ palette: true, colours: 32, effort: 10 }).toFile(join(images, 'poster.png'))
await buildPage()
try {
  const environment = {
    DATABASE_URL: `sqlite:${join(folder, 'images.db')}`,
    ADMIN_TOKEN: token,
    LOG_LEVEL: 'silent',
    TIME_ZONE: 'Europe/Brussels'
  }
  await using libretto = await openLibretto(readConfig(environment))
  await loadSample(libretto)
  await loadSamplePictures(libretto)
  await liveThroughAYear(libretto)
  await playThisWeek(libretto)
  await holdCopies(libretto)
  const app = await buildService(libretto)
  libretto.imports.start(error => {
    throw error
  })
  const ofStaff = await listenAt(app)
  await using services = new AsyncDisposableStack()
  const sites = new Map<string, Awaited<ReturnType<typeof buildService>>>()
  for (const site of new Set(wanted.flatMap(each => each.site ?? []))) {
    // Each with pages of its own in memory: they are cached by their paths.
    const own = services.use(await openLibretto(readConfig(environment)))
    sites.set(
      site,
      await buildService({
        ...own,
        config: { ...own.config, anonymousAccess: ['read'] },
        site: createSiteSettings(
          own.catalogue,
          own.operator,
          readSite(join(import.meta.dirname, `../deploy/sites/${site}.json`), site)
        )
      })
    )
  }
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] })
  for (const { name, path, act, site, theme = 'light', language = 'en', width = 1280, height = 860 } of wanted) {
    const house = site && sites.get(site)
    const url = house ? await listenAt(house) : ofStaff
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: theme,
      locale: locales[language],
      timezoneId: 'Europe/Brussels'
    })
    if (!house) await context.addInitScript(`sessionStorage.setItem('libretto-token', '${token}')`)
    const page = await context.newPage()
    // The typefaces are shown from the second time on.
    await page.goto(url + path, { waitUntil: 'networkidle' })
    await page.goto(url + path)
    await act?.(page)
    // Every request of the page has been answered, and every request that followed from it.
    if (!house) await page.locator('main[data-fetching="0"]:not(:has(.late)):has(h1)').waitFor()
    await page.waitForLoadState('networkidle')
    if (!house) await page.locator('main[data-fetching="0"]').waitFor()
    await sharp(await page.screenshot())
      .png({ palette: true, colours: 128, effort: 10 })
      .toFile(join(images, `${name}.png`))
    await context.close()
    console.log(`docs/images/${name}.png`)
  }
  await browser.close()
  for (const each of [app, ...sites.values()]) await each.close()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** The address of a service, which begins to listen where it does not yet. */
async function listenAt(app: Awaited<ReturnType<typeof buildService>>): Promise<string> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}

/** Adds performances of the next days, with tickets: those of the sample may be over. */
async function playThisWeek({ catalogue, operator }: Libretto) {
  const shows = ['PR-HAMLET', 'PR-MEEUW', 'PR-KRUIMELS', 'PR-AS', 'PR-HAMLET']
  const prices = ['28.00 EUR Standard', '14.00 EUR Student'].map(value => ({ key: 'price', value }))
  for (const [index, show] of shows.entries()) {
    const day = new Date(Date.now() + (index + 1) * 86_400_000).toISOString().slice(0, 10)
    await catalogue.entities.create(operator, {
      type: 'performance',
      metadata: [
        { key: 'start', value: `${day}T20:00:00+01:00` },
        { key: 'url', value: 'https://tickets.example.org/' },
        ...prices,
        ...(index === 3 ? [{ key: 'status', value: 'sold_out' }] : [])
      ],
      relations: [
        { type: 'refProduction', key: show },
        { type: 'refVenues', key: 'VE-GRAANSILO' }
      ]
    })
  }
}

/** Adds libraries with copies: the sample has none. */
async function holdCopies({ catalogue, operator }: Libretto) {
  const libraries = [
    ['LIB-CENTRE', 'Tweebronnen', 'Rijschoolstraat 4', '3000', 'Leuven'],
    ['LIB-KESSEL', 'Bibliotheek Kessel-Lo', 'Diestsesteenweg 104', '3010', 'Kessel-Lo'],
    ['LIB-HEVERLEE', 'Bibliotheek Heverlee', 'Waversebaan 66', '3001', 'Heverlee']
  ] as const
  const metadataOf = (fields: Readonly<Record<string, string>>) =>
    Object.entries(fields).map(([key, value]) => ({ key, value }))
  for (const [id, name, address, postal_code, city] of libraries)
    await catalogue.entities.create(operator, {
      id,
      type: 'library',
      metadata: metadataOf({ name, address, postal_code, city, country: 'BE' })
    })
  const copies = [
    ['M-HAMLETEN2016', 'LIB-CENTRE', 'Literature, first floor', 'ENG 854.1 SHAK', 'Available'],
    ['M-HAMLETEN2016', 'LIB-CENTRE', 'Literature, first floor', 'ENG 854.1 SHAK', 'On loan'],
    ['M-HAMLETEN2016', 'LIB-KESSEL', 'Plays', 'T SHAK', 'Available'],
    ['M-HAMLETNL2019', 'LIB-CENTRE', 'Literature, first floor', '854.1 SHAK', 'Available'],
    ['M-HAMLETNL2019', 'LIB-KESSEL', 'Plays', 'T SHAK', 'Available'],
    ['M-HAMLETNL2019', 'LIB-HEVERLEE', 'Plays', 'T SHAK', 'On loan'],
    ['M-HAMLETNL2022GL', 'LIB-HEVERLEE', 'Large print', 'GL SHAK', 'On loan']
  ] as const
  for (const [edition, library, location, shelf_mark, status] of copies)
    await catalogue.entities.create(operator, {
      type: 'item',
      metadata: metadataOf({ location, shelf_mark, status }),
      relations: [
        { type: 'refManifestation', key: edition },
        { type: 'refLibrary', key: library }
      ]
    })
}

function findChromium(): string {
  const found = ['chromium', 'chromium-headless-shell'].map(findProgram).find(path => path !== undefined)
  if (found === undefined) throw new Error('There is no Chromium: install the package chromium')
  return found
}

/** Makes the sample look used: records were created over the last year, and some were changed. */
async function liveThroughAYear({ catalogue, operator }: Libretto) {
  using db = new DatabaseSync(join(folder, 'images.db'))
  const first = (back: number) => {
    const now = new Date()
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 2)).toISOString()
  }
  // The same share of every type in each month, and the same in each run.
  const shares = [4, 3, 6, 5, 8, 4, 3, 2, 7, 9, 6, 5]
  const sum = shares.reduce((one, other) => one + other, 0)
  const move = db.prepare('UPDATE entities SET created_at = ? WHERE (pk * 37) % ? BETWEEN ? AND ?')
  let from = 0
  for (const [month, share] of shares.entries()) {
    move.run(first(shares.length - 1 - month), sum, from, from + share - 1)
    from += share
  }
  const change = (id: string, key: string, value: unknown) =>
    catalogue.entities.patch(operator, id, { form: 'lists', body: { metadata: [{ key, value }] } }, {})
  await change('VE-GRAANSILO', 'capacity', 420)
  await change('VE-GRAANSILO', 'phone', '+32 9 000 00 00')
  await change('PERS-AUSTEN', 'life_dates', '1775-1817')
}
