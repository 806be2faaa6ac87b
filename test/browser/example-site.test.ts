import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import { aPng } from '../support/records/media.ts'
import { startExampleSite } from '../support/services/example-site.ts'
import { adminToken } from '../support/services/start.ts'
import { accessibilityFaults, openStage } from './stage.ts'

/* The example site, from an origin of its own, in a browser. */

const folder = join(import.meta.dirname, '../../examples/season')

let catalogue = ''
const address = await startExampleSite({ after }, folder, () => catalogue)

const stage = await openStage(
  { after },
  {
    ANONYMOUS_ACCESS: 'read:production:published,read:season,read:venue,read:mediafile',
    CORS_ORIGINS: address
  }
)
catalogue = stage.url

describe('the example site', { skip: stage.skip }, () => {
  it('shows the published productions of a season in order, with venues and posters', async t => {
    const wanted = (
      await stage.service.filter(
        [
          { type: 'type', value: 'production' },
          { type: 'selection', key: 'properties.ref_seasons.value', value: ['SEA-20262027'], match_exact: true },
          { type: 'selection', key: 'properties.status.value', value: ['published'], match_exact: true }
        ],
        '?order_by=premiere_date&limit=100'
      )
    ).body.results as { id: string }[]
    assert.ok(wanted.length > 3)
    const first = wanted[0]?.id ?? ''
    const { body: poster } = await stage.service.post('/mediafiles', {
      metadata: [
        { key: 'mediafile_type', value: 'posters' },
        { key: 'title', value: 'Affiche' }
      ],
      relations: [{ type: 'refProductions', key: first }]
    })
    const uploaded = await fetch(`${stage.url}/mediafiles/${poster.id}/content`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'image/png' },
      body: new Blob([new Uint8Array(aPng(50, 70))])
    })
    assert.ok(uploaded.ok, await uploaded.text())

    const { page, complaints } = await stage.visit(t, { token: undefined })
    t.after(() => page.close())
    const requests: string[] = []
    page.on('request', request => {
      const url = request.url()
      if (url.startsWith(catalogue) && request.method() !== 'OPTIONS' && !url.endsWith('/content')) requests.push(url)
    })
    await page.goto(address)
    await page.locator('#shows[aria-busy="false"]').waitFor()
    const shown = await page.locator('article').evaluateAll(all => all.map(each => each.id))
    assert.deepEqual(
      shown,
      wanted.map(each => each.id)
    )
    assert.equal(await page.title(), 'Season 2026-2027')
    assert.equal(requests.length, 3)
    assert.ok((await page.locator('article p').allTextContents()).some(text => text.includes('De Graansilo')))
    const picture = page.locator(`article[id="${first}"] img`)
    await picture.scrollIntoViewIfNeeded()
    await page.waitForFunction(
      id => document.querySelector<HTMLImageElement>(`article[id="${id}"] img`)?.naturalWidth === 50,
      first
    )
    assert.deepEqual(await accessibilityFaults(page), [])
    assert.deepEqual(
      complaints.filter(each => !each.startsWith(`asked ${address}`)),
      []
    )
  })

  it('says so where the catalogue has no such season', async t => {
    const { page } = await stage.visit(t, { token: undefined })
    t.after(() => page.close())
    await page.route(`${address}/`, async route => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, body: (await answer.text()).replace('SEA-20262027', 'SEA-NO') })
    })
    await page.goto(address)
    await page.getByRole('alert').filter({ hasText: 'The season cannot be shown' }).waitFor()
  })
})
