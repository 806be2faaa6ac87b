import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { accessibilityFaults, openStage } from './stage.ts'

const stage = await openStage({ after })

/** An address of each kind of page. */
const addresses = [
  '/',
  '/find?q=hamlet&type=work,manifestation',
  '/find?q=xyzzyplugh',
  '/record/W-HAMLET',
  '/record/M-REINEKE1999',
  '/record/PERS-SHAKESPEARE',
  '/record/ZIZO-TONEELTEKST',
  '/record/PR-HAMLET',
  '/record/PR-HAMLET/history',
  '/record/PR-HAMLET/edit',
  '/record/PERS-GOETHE/merge?with=PERS-AUSTEN',
  '/new',
  '/new/performance',
  '/new/publication',
  '/manage/tokens',
  '/manage/webhooks',
  '/record/W-NOWHERE',
  '/manage/nowhere'
]

describe('every page', { skip: stage.skip }, () => {
  for (const theme of ['light', 'dark'] as const) {
    it(`has no fault that axe finds, and breaks no policy, in the ${theme} theme`, async t => {
      const { page, go, complaints } = await stage.visit(t, { theme })
      // In the other theme only the colours differ.
      const rules = theme === 'light' ? [] : ['color-contrast']
      const faults: string[] = []
      for (const address of addresses) {
        await go(address)
        faults.push(...(await accessibilityFaults(page, ...rules)).map(fault => `${address}: ${fault}`))
      }
      const stranger = await stage.visit(t, { theme, token: undefined })
      await stranger.go('/')
      faults.push(...(await accessibilityFaults(stranger.page, ...rules)).map(fault => `signing in: ${fault}`))
      assert.deepEqual(faults, [])
      assert.deepEqual([...complaints, ...stranger.complaints], [])
    })
  }

  it('fits a phone: nothing is wider than the window', async t => {
    const { page, go } = await stage.visit(t, { width: 360 })
    for (const address of addresses) {
      await go(address)
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      assert.ok(wider <= 0, `${address} is ${wider} pixels too wide`)
    }
  })

  it('is found faulty when it is: a picture without a text, a script inside', async t => {
    const { page, go, complaints } = await stage.visit(t)
    await go('/')
    await page.evaluate(() => document.querySelector('main')?.append(document.createElement('img')))
    assert.ok((await accessibilityFaults(page)).some(fault => fault.startsWith('image-alt')))
    await page.evaluate(() => {
      const script = document.createElement('script')
      try {
        script.text = 'globalThis.broken = true'
      } catch {
        // The policy of Trusted Types refuses already to say it.
      }
      document.body.append(script)
    })
    assert.equal(await page.evaluate(() => 'broken' in globalThis), false)
    assert.ok(
      complaints.some(each => /TrustedScript|Content Security Policy/i.test(each)),
      complaints.join('\n')
    )
  })
})
