import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { adminToken } from '../support/services/start.ts'
import { openStage, settled } from './stage.ts'
import { openWebKit, whyNoWebKit } from './webdriver.ts'

const stage = await openStage({ after })

describe('a browser without the newest interfaces', { skip: stage.skip }, () => {
  it('shows the sign-in page and the start page without requestIdleCallback, as in Safari', async t => {
    const { page, go, complaints } = await stage.visit(t)
    await page.addInitScript(() => {
      Reflect.deleteProperty(globalThis, 'requestIdleCallback')
      Reflect.deleteProperty(globalThis, 'cancelIdleCallback')
    })
    t.after(() => page.close())
    await go('/')
    assert.equal(await page.evaluate(() => typeof globalThis.requestIdleCallback), 'undefined')
    await page.getByRole('heading', { name: 'In the catalogue' }).waitFor()
    assert.deepEqual(complaints, [])
  })
})

describe('errors of the page', { skip: stage.skip }, () => {
  it('says that a part cannot be loaded after it has loaded the page again once', async t => {
    const { page, go } = await stage.visit(t)
    t.after(() => page.close())
    await go('/')
    let loads = 0
    page.on('load', () => loads++)
    await page.route(/assets\/changing-pages-.*\.js$/, route => route.fulfill({ status: 404, body: '' }))
    await page.getByRole('link', { name: 'Add' }).click()
    await page.getByRole('alert').getByText('A part of this page cannot be loaded').waitFor()
    assert.equal(loads, 1, 'the page is loaded again once')

    await page.unrouteAll()
    await page.getByRole('button', { name: 'Load again' }).click()
    await page.getByText('What do you want to add?').waitFor()
    await settled(page)
  })

  it('loads a part that a new version has renamed by loading the page again', async t => {
    const { page, go } = await stage.visit(t)
    t.after(() => page.close())
    await go('/')
    // The route stays: requests that are under way while one is taken away are never answered.
    let isFirst = true
    await page.route(/assets\/changing-pages-.*\.js$/, route => {
      if (!isFirst) return route.continue()
      isFirst = false
      return route.fulfill({ status: 404, body: '' })
    })
    await page.getByRole('link', { name: 'Add' }).click()
    await page.getByText('What do you want to add?').waitFor()
  })

  it('says that one is offline, and goes on by itself when one is not any more', async t => {
    const { page, go } = await stage.visit(t)
    t.after(() => page.close())
    await go('/')
    await page.context().setOffline(true)
    t.after(() => page.context().setOffline(false))
    await page.getByRole('link', { name: 'Manage' }).click()
    await page.getByRole('alert').getByText('You are offline').waitFor()
    // The rest of the page still works.
    await page.getByRole('link', { name: 'Libretto' }).click()
    await page.getByRole('heading', { name: 'In the catalogue' }).waitFor()
    await page.getByRole('link', { name: 'Manage' }).click()
    await page.getByRole('alert').getByText('You are offline').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('navigation', { name: 'Manage' }).waitFor()
  })

  it('shows an error of a page in its place, and the way to other pages stays', async t => {
    const { page } = await stage.visit(t)
    t.after(() => page.close())
    await page.route('**/entities/W-HAMLET?resolve=1', route =>
      route.fulfill({ json: { id: 'W-HAMLET', type: 'work', metadata: 'not a list' } })
    )
    await page.goto(`${stage.url}/record/W-HAMLET`)
    await page.getByRole('alert').getByText('This page cannot be shown').waitFor()
    await page.getByRole('link', { name: 'Browse' }).click()
    await page.getByText('From the broadest class down').waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
  })
})

const whyNot = whyNoWebKit()
const webkit = whyNot === false ? await openWebKit({ after }) : undefined

describe('WebKit, the engine of Safari', { skip: whyNot }, () => {
  const shows = (text: string) => webkit?.until(`document.body.innerText.includes(${JSON.stringify(text)})`)

  it('shows the sign-in page to somebody without a token', async () => {
    await webkit?.go(`${stage.url}/`)
    await shows('Sign in')
    await webkit?.until('document.querySelector(".sign-in form")')
  })

  for (const [path, text] of [
    ['/', 'In the catalogue'],
    ['/find?q=hamlet', 'Hamlet'],
    ['/record/W-HAMLET', 'Shakespeare, William'],
    ['/record/M-REINEKE1999', '90-9758-078-1'],
    ['/record/W-HAMLET/edit', 'Save'],
    ['/record/W-HAMLET/history', 'Version 1'],
    ['/browse', 'From the broadest class down'],
    ['/new', 'A publication with its work'],
    ['/manage/imports', 'Import']
  ] as const)
    it(`shows ${path}`, async () => {
      await webkit?.go(`${stage.url}/`)
      await webkit?.run('sessionStorage.setItem("libretto-token", arguments[0])', adminToken)
      await webkit?.go(stage.url + path)
      await webkit?.until(
        'document.querySelector(\'main[data-fetching="0"]\') && !document.querySelector("main .late")'
      )
      await shows(text)
      assert.equal(await webkit?.run('return document.querySelectorAll(".error-note").length'), 0)
    })
})
