import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { shiftOf } from './layout-shift.ts'
import { openStage } from './stage.ts'

/** A slow mobile line: 1.6 Mbit/s, with 150 ms to the service and back. Each part arrives alone. */
const line = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }

/** A phone has a processor that is this many times slower. */
const slowness = 4

/** Layout shift of a page while it opens, which Web Vitals call good up to 0.1. */
const maxShift = 0.05

/** Requests of a page when it is opened first; a season also asks for its board and its dates. */
const maxRequests = 25
const season = '/record/SEA-20262027'

const paths = [
  '/',
  '/find?q=hamlet',
  '/record/W-HAMLET',
  '/record/M-HAMLETEN2016',
  '/record/PR-HAMLET',
  '/record/PERS-SHAKESPEARE',
  '/record/VE-LINDE',
  season,
  '/record/PR-HAMLET/edit',
  '/manage/imports'
]

const name = 'Schouwburg <De Linde> & Co'
const stage = await openStage({ after }, { REPOSITORY_NAME: name })

describe('a page on a slow line and a slow processor', { skip: stage.skip }, () => {
  for (const path of paths)
    it(`stays where it is while it opens, with few requests and none twice: ${path}`, async t => {
      const { page, go } = await stage.visit(t)
      await page.setViewportSize({ width: 390, height: 844 })
      const session = await page.context().newCDPSession(page)
      t.after(() => session.detach())
      await session.send('Network.enable')
      await session.send('Network.clearBrowserCache')
      await session.send('Network.emulateNetworkConditions', line)
      await session.send('Emulation.setCPUThrottlingRate', { rate: slowness })
      const asked: string[] = []
      page.on('request', request => {
        if (request.url().startsWith('http'))
          asked.push(`${request.method()} ${request.url()} ${request.postData() ?? ''}`)
      })
      await go(path)
      const { shift, moved } = await shiftOf(page)
      assert.ok(shift < maxShift, `${shift.toFixed(3)}: ${moved.join('; ')}`)
      assert.deepEqual(asked, [...new Set(asked)])
      if (path !== season) assert.ok(asked.length < maxRequests, `${asked.length} requests\n${asked.join('\n')}`)
    })
})

describe('the application', { skip: stage.skip }, () => {
  it('has the name of the house in its title and its header', async t => {
    const { page, go } = await stage.visit(t)
    await go('/')
    assert.equal(await page.title(), name)
    assert.equal(await page.locator('.home').innerText(), name)
    await go('/record/W-HAMLET')
    assert.equal(await page.title(), `Hamlet · ${name}`)
  })

  it('opens the start page with few requests, and none that another repeats', async t => {
    const { page, go } = await stage.visit(t)
    const asked: string[] = []
    page.on('request', request => asked.push(`${request.method()} ${request.url()} ${request.postData() ?? ''}`))
    // The scripts of the pages that people open next are loaded last.
    const isLast = page.waitForResponse(response => /\/assets\/reading-pages-[^/]*\.js$/.test(response.url()))
    await go('/')
    await page.locator('.recent li').first().waitFor()
    await page.locator('.season-states').waitFor()
    await isLast
    assert.ok(asked.length < maxRequests, `${asked.length} requests\n${asked.join('\n')}`)
    assert.deepEqual(asked, [...new Set(asked)])
  })

  for (const [address, ...first] of [
    ['/', '/recent'],
    [
      '/record/W-HAMLET',
      '/entities/W-HAMLET?resolve=1',
      '/entities/W-HAMLET/references?limit=0',
      '/entities/W-HAMLET/tree?limit=200'
    ],
    [
      '/record/PR-HAMLET',
      '/entities/PR-HAMLET?resolve=1',
      '/entities/PR-HAMLET/mediafiles?limit=60',
      // Finds its poster.
      '/entities/filter?limit=200&order_by=date_created'
    ],
    ['/record/PR-HAMLET/edit', '/entities/PR-HAMLET'],
    ['/find?q=hamlet', '/entities/filter?limit=30&order_by=&asc=1&group_by=work']
  ] as const)
    it(`sends each of the first requests of ${address} once, and draws their answers at once`, async t => {
      const { page, go } = await stage.visit(t)
      const asked: string[] = []
      page.on('request', request => asked.push(request.url().slice(stage.url.length)))
      // The scripts that draw the page arrive only after its first requests were answered.
      const early = ['/me', '/record-types', ...first]
      const answered = Promise.all(early.map(path => page.waitForResponse(`${stage.url}${path}`)))
      let kept = 0
      await page.route(/\/assets\/(?:page|frame)-[^/]*\.js$/, async route => {
        kept++
        await answered
        await route.continue()
      })
      await page.addInitScript(noteFirstPicture)
      await go(address)
      await page.unroute(/\/assets\/(?:page|frame)-[^/]*\.js$/)
      assert.ok(kept > 0, 'scripts were kept back')
      for (const path of early) assert.equal(asked.filter(each => each === path).length, 1, asked.join(' '))
      const drawn = await page.evaluate(() => Reflect.get(globalThis, 'firstPicture') as string)
      assert.match(drawn, firstPictures[address])
    })

  it('does not load the editor of texts for a form without such texts', async t => {
    const { page, go } = await stage.visit(t)
    const asked: string[] = []
    page.on('request', request => asked.push(request.url()))
    await go('/record/VE-LINDE/edit')
    assert.deepEqual(
      asked.filter(each => each.includes('html-editor')),
      []
    )
  })
})

/** A part of the first picture of each page; the editor of a form is on its way. */
const firstPictures = {
  '/': /class="recent"/,
  '/record/W-HAMLET': /<h1[^>]*>Hamlet.*levels-tree/,
  '/record/PR-HAMLET': /zonder geest/,
  '/record/PR-HAMLET/edit': /data-field="title".*href="[^"]*html-editor/s,
  '/find?q=hamlet': /class="results entries"/
} as const

/** Runs in the page: keeps the first picture. */
function noteFirstPicture() {
  new MutationObserver((_, observer) => {
    const place = document.getElementById('page')
    if (!place?.hasChildNodes()) return
    observer.disconnect()
    Reflect.set(globalThis, 'firstPicture', place.innerHTML + document.head.innerHTML)
  }).observe(document, { childList: true, subtree: true })
}
