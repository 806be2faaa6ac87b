import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { openStage } from './stage.ts'

const stage = await openStage({ after }, { PUBLIC_URL: 'https://example.org/catalogue' })

describe('the page under a path of a host', { skip: stage.skip }, () => {
  it('finds and opens a record, changes it and stays under the path', async t => {
    const { page, go, complaints } = await stage.visit(t)
    const asked: string[] = []
    page.on('request', request => asked.push(new URL(request.url()).pathname))
    await go('/catalogue/find?q=reineke')
    await page.getByRole('link', { name: 'Reineke Fuchs' }).first().click()
    await page.waitForURL(({ pathname }) => pathname.startsWith('/catalogue/record/'))
    await page.reload()
    await page.getByRole('heading', { name: 'Reineke Fuchs' }).first().waitFor()
    await page.getByRole('link', { name: 'Browse' }).first().click()
    await page.waitForURL(({ pathname }) => pathname.startsWith('/catalogue/browse/'))
    assert.ok(asked.length > 5)
    assert.deepEqual(
      asked.filter(path => !path.startsWith('/catalogue/')),
      []
    )
    assert.deepEqual(complaints, [])
  })

  it('asks for a token there too', async t => {
    const { page, go } = await stage.visit(t, { token: undefined })
    await go('/catalogue/')
    await page.getByLabel(/token/i).first().waitFor()
  })
})
