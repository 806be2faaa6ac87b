import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it, mock } from 'node:test'

import type { Page } from 'playwright-core'
import sharp from 'sharp'

import { loadSamplePictures } from '../../src/cli/sample-pictures.ts'
import { openStage, type Visit } from './stage.ts'

/*
 * Pages of readers and of the staff beside the pictures of them in the folder `pictures`, and the
 * trees of five pages for screen readers. `PICTURES=new npm test -- test/browser/pictures.test.ts`
 * writes them again after a change that is meant (decision 56).
 */

/** The moment at which every picture is taken, for the service and for the browser. */
const moment = Date.UTC(2026, 10, 18, 12)
mock.timers.enable({ apis: ['Date'], now: moment })

const stage = await openStage(
  { after },
  {
    ANONYMOUS_ACCESS: 'read',
    TIME_ZONE: 'Europe/Brussels',
    SITE: join(import.meta.dirname, '../../deploy/sites/theatre.json')
  }
)
if (stage.skip === false) await loadSamplePictures(stage.service.libretto)

interface Pictured {
  readonly path: string
  /** The page of the staff; else that of readers. */
  readonly isStaff?: boolean
  readonly isDark?: boolean
  readonly isPhone?: boolean
}

const pictured: Readonly<Record<string, Pictured>> = {
  start: { path: '/en/' },
  'start-phone': { path: '/nl/', isPhone: true },
  find: { path: '/en/find?q=hamlet' },
  'find-dark': { path: '/de/find?q=hamlet', isDark: true },
  work: { path: '/en/record/W-HAMLET' },
  edition: { path: '/fr/record/M-HAMLETEN2016' },
  person: { path: '/en/record/PERS-SHAKESPEARE' },
  production: { path: '/en/record/PR-HAMLET' },
  'production-phone': { path: '/nl/record/PR-HAMLET', isPhone: true, isDark: true },
  season: { path: '/en/record/SEA-20262027' },
  programme: { path: '/en/programme?when=week&date=2027-01-18' },
  'staff-start': { path: '/', isStaff: true },
  'staff-find-dark': { path: '/find?q=hamlet', isStaff: true, isDark: true },
  'staff-work': { path: '/record/W-HAMLET', isStaff: true },
  'staff-production-phone': { path: '/record/PR-HAMLET', isStaff: true, isPhone: true },
  'staff-form': { path: '/record/PR-HAMLET/edit', isStaff: true }
}

/** Pages whose trees for screen readers are compared too. */
const withTree: ReadonlySet<string> = new Set(['start', 'find', 'work', 'production', 'person'])

/** Pixels of a page that become one of its picture, in each direction. */
const scale = 8

/**
 * The difference of a colour, of 255, up to which it is the edge of a letter or a block that is a
 * pixel off; the share of a picture that may differ by more; and the mean difference of all
 * colours.
 */
const [maxShade, maxShare, maxMean] = [40, 0.006, 2]

const isNew = process.env.PICTURES === 'new'
const folder = join(import.meta.dirname, 'pictures')
mkdirSync(folder, { recursive: true })

/** Says by how much a picture differs from another; undefined where it is only a little. */
async function differenceOf(one: Buffer, other: Buffer): Promise<string | undefined> {
  const [a, b] = await Promise.all(
    [one, other].map(each => sharp(each).removeAlpha().raw().toBuffer({ resolveWithObject: true }))
  )
  assert.ok(a && b)
  if (a.info.width !== b.info.width || a.info.height !== b.info.height) return 'It has another size'
  let [differing, sum] = [0, 0]
  for (let at = 0; at < a.data.length; at += 3) {
    const shades = [0, 1, 2].map(of => Math.abs((a.data[at + of] ?? 0) - (b.data[at + of] ?? 0)))
    sum += Math.max(...shades)
    if (shades.some(shade => shade > maxShade)) differing++
  }
  const [share, mean] = [differing, sum].map(each => each / (a.data.length / 3)) as [number, number]
  const words = `${(share * 100).toFixed(2)} % of it differs, and its colours by ${mean.toFixed(2)} of 255`
  return share > maxShare || mean > maxMean ? words : undefined
}

async function open({ page, go }: Visit, { path, isStaff, isDark, isPhone }: Pictured) {
  await page.clock.setFixedTime(moment)
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' })
  await page.setViewportSize(isPhone ? { width: 390, height: 1600 } : { width: 1280, height: 1600 })
  // The typefaces are shown from the second time on.
  for (let visit = 1; visit <= 2; visit++) {
    if (isStaff) await go(path)
    else await page.goto(stage.url + path)
    await page.waitForLoadState('networkidle')
  }
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
}

/** The page as it is now, as a small picture: where its blocks are, and their colours. */
async function take(page: Page): Promise<Buffer> {
  const width = Math.round((page.viewportSize()?.width ?? 0) / scale)
  const png = await page.screenshot({ animations: 'disabled' })
  return sharp(png).resize({ width, kernel: 'linear' }).removeAlpha().png({ palette: true }).toBuffer()
}

/** Compares a file with what was made now; writes it where that is asked for. */
async function compare(name: string, made: Buffer | string, check: (expected: Buffer) => Promise<void>) {
  const path = join(folder, name)
  if (isNew) return writeFileSync(path, made)
  assert.ok(existsSync(path), `There is no ${path}. PICTURES=new writes it`)
  await check(readFileSync(path))
}

describe('a page', { skip: stage.skip }, () => {
  for (const [name, each] of Object.entries(pictured))
    it(`looks as it did${withTree.has(name) ? ', and is the same to a screen reader' : ''}: ${name}`, async t => {
      const visit = await stage.visit(t, each.isStaff ? {} : { token: undefined })
      t.after(() => visit.page.close())
      await open(visit, each)
      const made = await take(visit.page)
      await compare(`${name}.png`, made, async expected => {
        const difference = await differenceOf(made, expected)
        if (difference === undefined) return
        const seen = join(tmpdir(), `libretto-${name}.png`)
        writeFileSync(seen, await visit.page.screenshot())
        assert.fail(`${difference}: see ${seen}. PICTURES=new writes the picture again if that is meant`)
      })
      if (!withTree.has(name)) return
      const tree = `${await visit.page.locator('body').ariaSnapshot()}\n`
      await compare(`${name}.yml`, tree, async expected => assert.equal(tree, expected.toString()))
    })
})

describe('the comparison of pictures', { skip: stage.skip }, () => {
  it('passes letters that are a pixel off, and fails for a margin and for a colour', async t => {
    for (const isStaff of [false, true]) {
      const visit = await stage.visit(t, isStaff ? {} : { token: undefined })
      const { page } = visit
      t.after(() => page.close())
      await open(visit, { path: isStaff ? '/record/PR-HAMLET' : '/en/record/PR-HAMLET', isStaff })
      const before = await take(page)
      /** Sets a property of the first element, and says by how much that changes the page. */
      const changeBy = async (selector: string, property: string, value: string) => {
        const set = (to: string) =>
          page.evaluate(([of, key, given]) => document.querySelector<HTMLElement>(of)?.style.setProperty(key, given), [
            selector,
            property,
            to
          ] as const)
        await set(value)
        const difference = await differenceOf(before, await take(page))
        await set('')
        return difference
      }
      assert.equal(await changeBy('main', 'translate', '0 1px'), undefined)
      assert.ok(await changeBy('main', 'padding-block-start', '64px'))
      assert.ok(await changeBy(':root', '--paper', '#eeeeff'))
      if (!isStaff) {
        assert.ok(await changeBy('h1', 'margin-block-end', '24px'))
        assert.ok(await changeBy(':root', '--accent', '#1f5a54'))
      }
      assert.equal(await differenceOf(before, await take(page)), undefined)
    }
  })
})
