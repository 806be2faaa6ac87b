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
  const environment = { DATABASE_URL: `sqlite:${join(folder, 'images.db')}`, ADMIN_TOKEN: token, LOG_LEVEL: 'silent' }
  await using libretto = await openLibretto(readConfig(environment))
  await loadSample(libretto)
  await loadSamplePictures(libretto)
  await liveThroughAYear(libretto)
  const app = await buildService(libretto)
  libretto.imports.start(error => {
    throw error
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] })
  for (const { name, path, act, theme = 'light', language = 'en', width = 1280, height = 860 } of wanted) {
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: theme,
      locale: locales[language],
      timezoneId: 'Europe/Brussels'
    })
    await context.addInitScript(`sessionStorage.setItem('libretto-token', '${token}')`)
    const page = await context.newPage()
    await page.goto(url + path)
    await act?.(page)
    // Every request of the page has been answered, and every request that followed from it.
    await page.locator('main[data-fetching="0"]:not(:has(.late)):has(h1)').waitFor()
    await page.waitForLoadState('networkidle')
    await page.locator('main[data-fetching="0"]').waitFor()
    await sharp(await page.screenshot())
      .png({ palette: true, colours: 128, effort: 10 })
      .toFile(join(images, `${name}.png`))
    await context.close()
    console.log(`docs/images/${name}.png`)
  }
  await browser.close()
  await app.close()
} finally {
  rmSync(folder, { recursive: true, force: true })
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
