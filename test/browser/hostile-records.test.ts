import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { openStage, settled } from './stage.ts'

/*
 * Records in which every text tries to run something. The page shows all of them, in every place
 * where it shows anything; nothing runs, and not even the browser's policies are called upon.
 */

const stage = await openStage({ after })

/** The script that every attack tries to run. */
const run = 'globalThis.hasRun=1'

const elements = [
  'img',
  'svg',
  'video',
  'audio',
  'body',
  'iframe',
  'input',
  'details',
  'marquee',
  'object',
  'embed',
  'math',
  'a',
  'p'
]
const events = [
  'onerror',
  'onload',
  'onfocus',
  'ontoggle',
  'onmouseover',
  'onanimationstart',
  'onpointerenter',
  'onbegin'
]
const addresses = [
  `javascript:${run}`,
  `JaVaScRiPt:${run}`,
  `java\tscript:${run}`,
  `\u0001javascript:${run}`,
  `data:text/html,<script>${run}</script>`,
  `vbscript:${run}`,
  `&#106;avascript:${run}`
]
const payloads: readonly string[] = [
  `<script>${run}</script>`,
  `<script src="data:text/javascript,${run}"></script>`,
  `</title><script>${run}</script>`,
  `</script><script>${run}</script>`,
  `"><script>${run}</script>`,
  `'-${run}-'`,
  `\${${run}}`,
  `{{constructor.constructor('${run}')()}}`,
  `<svg><script>${run}</script></svg>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${run}>`,
  `<noscript><p title="</noscript><img src=x onerror=${run}>">`,
  `<style>*{background:url("javascript:${run}")}</style>`,
  `<link rel=stylesheet href="data:text/css,*{}">`,
  `<base href="https://example.org/">`,
  `<meta http-equiv=refresh content="0;url=javascript:${run}">`,
  `<form action="javascript:${run}"><button>x</button></form>`,
  `<iframe srcdoc="<script>parent.hasRun=1</script>"></iframe>`,
  `<template><script>${run}</script></template>`,
  `<img src=x onerror=${run}//`,
  `<<img src=x onerror=${run}>>`,
  `<p style="animation-name:x" onanimationstart="${run}">`,
  ...elements.flatMap(element =>
    events.map(event => `<${element} src=x href=x ${event}="${run}" autofocus open>text</${element}>`)
  ),
  ...elements.flatMap(element => events.slice(0, 4).map(event => `"'><${element}/${event}=${run}>`)),
  ...elements.flatMap(element =>
    addresses.map(address => `<${element} href="${address}" src="${address}">text</${element}>`)
  ),
  ...addresses,
  ...elements.flatMap(element =>
    addresses.map(address => `<${element} xlink:href='${address}'><a href='${address}'>x</a>`)
  ),
  ...Array.from({ length: 120 }, (_, at) => `${'<b>'.repeat(at % 7)}<img ${' '.repeat(at)}src=${at} onerror=${run}>`)
]

describe('records in which every text tries to run something', { skip: stage.skip }, () => {
  it(`runs none of ${payloads.length} payloads, wherever the page shows them`, async t => {
    assert.ok(payloads.length >= 500)
    const { service } = stage
    const perRecord = 260
    const ids: string[] = []
    for (let from = 0; from < payloads.length; from += perRecord) {
      const some = payloads.slice(from, from + perRecord)
      const many = (key: string) => some.map(value => ({ key, value }))
      // A text has one value in each language.
      const manyLanguages = (key: string) => some.map((value, at) => ({ key, value, lang: `x-${at}` }))
      const [first = '', second = ''] = some
      const venue = await service.create({
        type: 'venue',
        metadata: [...['name', 'address', 'city'].flatMap(manyLanguages), ...['homepage', 'email'].flatMap(many)],
        identifiers: some.slice(0, 5).map(each => `${from} ${each.replace(/\p{Cc}/gu, '')}`.slice(0, 500))
      })
      const production = await service.create({
        type: 'production',
        metadata: [
          { key: 'title', value: first, lang: 'x"><img src=x onerror=hasRun=1>' },
          ...['subtitle', 'description', 'credits'].flatMap(manyLanguages),
          { key: 'language_icon', value: first },
          ...many('shelf_mark'),
          ...some.slice(0, 10).map((value, at) => ({ key: `${value.slice(0, 100)} ${at}`, value }))
        ],
        relations: [{ key: venue.id, type: 'refVenues', metadata: [{ key: 'role', value: second }] }]
      })
      await service.patch(`/entities/${production.id}`, { metadata: [{ key: 'title', value: second }] })
      ids.push(venue.id, production.id)
    }
    const { page, go, walk, complaints } = await stage.visit(t)
    // One page for all of them: what runs late is noticed with the next, and what runs last at the
    // end.
    await go('/')
    const hasRun = () => page.evaluate(() => 'hasRun' in globalThis)
    /** Links that would lead into a script. */
    const strangeLinks = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLAnchorElement>('a[href]')]
          .filter(link => !['http:', 'https:', 'mailto:', 'tel:'].includes(link.protocol))
          .map(link => link.href)
      )
    for (const id of ids) {
      for (const view of id.startsWith('PR-') ? ['', '/history'] : ['', '/edit']) {
        await walk(`/record/${id}${view}`)
        await page.locator('h1').waitFor()
        assert.equal(await hasRun(), false, `${id}${view}`)
        assert.deepEqual(await strangeLinks(), [], `${id}${view}`)
      }
    }
    for (const text of ['onerror', payloads[0] ?? '', `javascript:${run}`]) {
      await walk(`/find?q=${encodeURIComponent(text)}&related=${encodeURIComponent(text)}`)
      assert.equal(await hasRun(), false, text)
    }
    await walk('/')
    await page.getByRole('combobox', { name: 'Search the catalogue' }).fill('onerror')
    await page.locator('.suggestions[data-of="onerror"]').getByRole('option').nth(1).waitFor()
    await settled(page)
    assert.equal(await hasRun(), false)
    assert.deepEqual(complaints, [])
  })
})
