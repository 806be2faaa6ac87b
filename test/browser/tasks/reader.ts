import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'

import type { Page } from 'playwright-core'

import { aPerson, metadata, relations } from '../../support/records/entities.ts'
import type { Teardown, TestService } from '../../support/services/start.ts'
import { accessibilityFaults } from '../stage.ts'
import { countingUser, type User } from '../user.ts'
import type { TaskEngine } from './engines.ts'

/*
 * The tasks of readers without an account, in any browser, with the scripts of the pages and
 * without them.
 */

interface ReaderTask {
  readonly name: string
  readonly clicks: number
  readonly keys: number
  /** It is about something that the browser remembers, so it needs the script. */
  readonly needsScript?: true
  run(place: ReaderPlace): Promise<void>
}

interface ReaderPlace extends Prepared {
  readonly page: Page
  readonly user: User
  /** Opens a page of the site. */
  go(path: string): Promise<void>
  /** Reads what an address of a page answers. */
  fetchText(path: string): Promise<string>
}

/** Records that the tasks need beside the sample catalogue. */
interface Prepared {
  readonly author: string
}

async function prepare(service: TestService): Promise<Prepared> {
  const library = await service.create({ type: 'library', metadata: metadata({ name: 'Branch West' }) })
  await service.create({
    type: 'item',
    metadata: metadata({ shelf_mark: 'D 854.1 SHAK', location: 'First floor', status: 'available' }),
    relations: relations({ refManifestation: 'M-HAMLETEN2016', refLibrary: library.id })
  })
  await service.create({
    type: 'performance',
    metadata: metadata({ start: new Date(Date.now() + 86_400_000).toISOString(), url: 'https://tickets.example/1' }),
    relations: relations({ refProduction: 'PR-HAMLET' })
  })
  const author = await service.create(aPerson('Veel, Anna'))
  for (let number = 100; number < 160; number++)
    await service.create({
      type: 'work_word',
      metadata: metadata({ title: `Part ${number}` }),
      relations: relations({ refAuthors: author.id })
    })
  return { author: author.id }
}

const results = (page: Page) => page.locator('.results > li > div > a')
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

async function search({ page, user, go }: ReaderPlace, text: string) {
  await go('/en/')
  await user.click(page.locator('input[name="q"]'))
  await user.type(text)
  await user.press('Enter')
  await page.waitForURL(/\/en\/find\?q=/)
}

export const readerTasks: readonly ReaderTask[] = [
  {
    name: 'finds a play by a title with a typo, and opens it',
    clicks: 2,
    keys: 8,
    async run(place) {
      const { page, user } = place
      await search(place, 'hamlett')
      await user.click(results(page).first())
      await heading(page, 'Hamlet').waitFor()
    }
  },
  {
    name: 'finds a book by its ISBN',
    clicks: 2,
    keys: 14,
    async run(place) {
      const { page, user } = place
      await search(place, '9789097581609')
      await user.click(page.locator('.results a[href$="/record/M-HAMLETEN2016"]').first())
      await page.getByText('978-90-9758-160-9').first().waitFor()
    }
  },
  {
    name: 'narrows results by language and year',
    clicks: 4,
    keys: 4,
    async run({ page, user, go }) {
      await go('/en/find?q=hamlet')
      await user.click(page.locator('.narrow summary', { hasText: 'Languages' }))
      await user.click(page.locator('.narrow a', { hasText: 'Dutch' }))
      await page.waitForURL(/languages=LANG-NLD/)
      await user.click(page.locator('input[name="from"]'))
      await user.type('2019')
      await user.click(page.getByRole('button', { name: 'Apply' }))
      await page.waitForURL(/from=2019/)
      assert.equal(new URL(page.url()).searchParams.get('languages'), 'LANG-NLD')
      await page.getByText('1 result').waitFor()
    }
  },
  {
    name: 'sees all translations of a play into one language, with their translators',
    clicks: 1,
    keys: 0,
    async run({ page, user, go }) {
      await go('/en/record/W-HAMLET')
      await user.click(page.locator('.editions .chips a', { hasText: 'Dutch' }))
      await page.waitForURL(/in=LANG-NLD/)
      const titles = await page.locator('.expression h3').evaluateAll(all => all.map(each => each.textContent))
      assert.equal(titles.length, 3)
      for (const title of titles) assert.match(title ?? '', /^Dutch — translated by (?:L\.A\.J\.|Marit) /)
    }
  },
  {
    name: 'learns in which library a book stands, and where there',
    clicks: 1,
    keys: 0,
    async run({ page, user, go }) {
      await go('/en/record/W-HAMLET')
      await user.click(
        page.locator('.edition', { hasText: '1 library, 1 on the shelf' }).locator('a[href*="M-HAMLETEN2016"]')
      )
      await heading(page, 'Hamlet').waitFor()
      const copies = await page.locator('.copies').innerText()
      for (const words of ['Branch West', 'First floor', 'D 854.1 SHAK']) assert.ok(copies.includes(words), copies)
    }
  },
  {
    name: 'cites a book, for people and for a reference manager',
    clicks: 1,
    keys: 0,
    async run({ page, user, go, fetchText }) {
      await go('/en/record/M-HAMLETEN2016')
      await user.click(page.getByRole('link', { name: 'Cite', exact: true }))
      await page.waitForURL(/#cite$/)
      assert.match(await page.locator('.cite').innerText(), /Shakespeare, W\. \(2016\)\. Hamlet/)
      const files = await page
        .locator('.cite a[download]')
        .evaluateAll(all => all.map(each => each.getAttribute('href')))
      assert.equal(files.length, 3)
      assert.match(await fetchText(files[1] ?? ''), /^TY {2}- BOOK/)
    }
  },
  {
    name: 'sees the next performance of a show with its tickets, shares it and takes all dates into a calendar',
    clicks: 0,
    keys: 0,
    async run({ page, go, fetchText }) {
      await go('/en/record/PR-HAMLET')
      const next = page.locator('.next-night')
      assert.match(await next.innerText(), /Next performance/)
      const hrefs = (selector: string) =>
        page.locator(selector).evaluateAll(all => all.map(each => each.getAttribute('href') ?? ''))
      assert.deepEqual(await hrefs('.next-night .button'), ['https://tickets.example/1'])
      assert.match((await hrefs('[data-share]'))[0] ?? '', /^mailto:\?subject=Hamlet&body=.*PR-HAMLET$/)
      const [calendar = ''] = await hrefs('.nights a[href$="/calendar.ics"]')
      assert.match(await fetchText(calendar), /^BEGIN:VCALENDAR\r\n/)
    }
  },
  {
    name: 'sees what is on in a week in one city',
    clicks: 1,
    keys: 0,
    async run({ page, user, go }) {
      await go('/en/programme?when=week&date=2027-01-18')
      await page.getByText('Haarlem').first().waitFor()
      await user.click(page.locator('.chips a', { hasText: 'Arnhem' }))
      await page.waitForURL(/city=Arnhem/)
      assert.equal(await page.locator('.night').count(), 1)
      await page.getByText('De meeuw').first().waitFor()
    }
  },
  {
    name: 'reads in a language of choice, which lasts',
    clicks: 2,
    keys: 0,
    async run({ page, user, go }) {
      await go('/en/record/W-HAMLET')
      await user.click(page.getByRole('link', { name: 'DE', exact: true }))
      await page.waitForURL(/\/de\/record\/W-HAMLET$/)
      await user.click(page.getByRole('link', { name: 'William Shakespeare', exact: true }))
      await page.waitForURL(/\/de\/record\/PERS-SHAKESPEARE$/)
      assert.equal(await page.evaluate(() => document.documentElement.lang), 'de')
    }
  },
  {
    name: 'sees every work of an author who wrote many, by page, and comes back',
    clicks: 2,
    keys: 0,
    async run({ page, user, go, author }) {
      await go(`/en/record/${author}`)
      const names = () => page.locator('.referring .results > li').count()
      assert.equal(await names(), 50)
      await user.click(page.locator('.paging a[rel="next"]'))
      await page.waitForURL(/=50/)
      assert.equal(await names(), 10)
      await user.click(page.locator('.paging a[rel="prev"]'))
      await page.waitForURL(url => !url.search.includes('50'))
      await page.getByText('Part 100').first().waitFor()
    }
  },
  {
    name: 'keeps a record on a list, goes on to the next result and opens the list by its address',
    clicks: 4,
    keys: 0,
    needsScript: true,
    async run({ page, user, go }) {
      await go('/en/find?q=hamlet')
      const paths = await results(page).evaluateAll(all => all.map(each => each.getAttribute('href') ?? ''))
      await user.click(results(page).first())
      await page.waitForURL(url => url.pathname === paths[0])
      await user.click(page.locator('.record-head [data-keep].ready'))
      await user.click(page.locator('.around a[rel="next"]'))
      await page.waitForURL(url => url.pathname === paths[1])
      await page.locator('.record-head [data-keep].ready').waitFor()
      await user.click(page.locator('.around .button'))
      await page.waitForURL(/\/en\/find\?ids=/)
      assert.equal(await results(page).count(), 1)
    }
  }
]

/** Passes requests on to a service, but answers none for a script. Returns its address. */
async function startWithoutScripts(t: Teardown, url: string): Promise<string> {
  const server = createServer(async ({ url: path = '/', headers }, reply) => {
    if (path.endsWith('.js')) return reply.writeHead(404).end()
    const answer = await fetch(url + path, { redirect: 'manual', headers: { accept: headers.accept ?? '*/*' } })
    const passed = ['content-type', 'content-security-policy', 'location']
    for (const name of passed) if (answer.headers.has(name)) reply.setHeader(name, answer.headers.get(name) ?? '')
    return reply.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const [withScripts, without] = ['with', 'without'] as const

/**
 * Describes the tasks of readers in one browser, with scripts and without. The accessibility of the
 * page after each is checked in the forms named.
 */
export function describeReaders(name: string, engine: TaskEngine, checked: readonly string[] = [withScripts, without]) {
  describe(`a reader in ${name}`, { skip: engine.whyNot() }, () => {
    const ends: (() => void | Promise<void>)[] = []
    const t = { after: (end: () => void | Promise<void>) => ends.unshift(end) }
    let page: Page
    let prepared: Prepared
    const urls = { with: '', without: '' }
    before(async () => {
      const place = await engine.open(t, { ANONYMOUS_ACCESS: 'read' })
      prepared = await prepare(place.service)
      Object.assign(urls, { with: place.url, without: await startWithoutScripts(t, place.url) })
      page = await place.read(t)
    })
    after(async () => {
      // A browser that died must not keep the service from ending.
      for (const end of ends) await Promise.resolve(end()).catch(() => {})
    })
    for (const how of [withScripts, without])
      for (const { name: task, run, clicks, keys, needsScript } of readerTasks) {
        if (needsScript && how === 'without') continue
        it(`${task}, ${how} scripts`, async () => {
          const user = countingUser(page)
          await run({
            ...{ page, user, ...prepared },
            go: async path => {
              await page.goto(urls[how] + path)
            },
            fetchText: async path => (await fetch(new URL(path, urls[how]))).text()
          })
          if (how === 'with') await page.waitForFunction(() => document.querySelector('.around') !== null)
          else assert.equal(await page.evaluate(() => document.querySelector('.around')), null)
          assert.deepEqual(user.cost(), { clicks, keys })
          if (checked.includes(how)) assert.deepEqual(await accessibilityFaults(page), [])
        })
      }
  })
}
