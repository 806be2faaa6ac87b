import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, it } from 'node:test'

import { Marked } from 'marked'
import { openDocuments } from '#http/help/documents.ts'

import { start } from '../support/services/start.ts'

/* The documents of the package, as pages of the service. */

const root = new URL('../../', import.meta.url)
const service = await start({ after })

const read = (path: string) => service.get(path, { token: undefined, headers: { accept: 'text/html,*/*;q=0.8' } })

describe('GET /help', () => {
  it('leads to the index of the documents', async () => {
    const answer = await read('/help')
    assert.equal(answer.status, 302)
    assert.equal(answer.headers.location, 'help/docs/README.md')
    assert.match((await read('/help/docs/README.md')).text, /<h1 id="documentation">Documentation<\/h1>/)
  })

  it('has a page for each document, whose links lead to documents and headings', async () => {
    const paths = [
      ...new Set(
        openDocuments(root.pathname)
          .sections()
          .map(({ path }) => path)
      )
    ]
    assert.ok(paths.length > 80, String(paths.length))
    const anchors = new Map<string, Set<string>>()
    const links: { from: string; path: string; anchor: string }[] = []
    for (const path of paths) {
      const { status, text, headers } = await read(`/help/${path}`)
      assert.equal(status, 200, path)
      assert.match(String(headers['content-security-policy']), /default-src 'none'.*img-src 'self'.*form-action 'self'/)
      assert.doesNotMatch(text, /<script|<iframe|<[^>]* (?:on\w+|style)=|<!--/i, path)
      anchors.set(path, new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)))
      for (const [, link = ''] of text.matchAll(/ (?:href|src)="([^"]+)"/g)) {
        const url = new URL(link, `http://service.invalid/help/${path}`)
        if (url.hostname !== 'service.invalid') continue
        links.push({ from: path, path: decodeURI(url.pathname), anchor: decodeURIComponent(url.hash.slice(1)) })
      }
    }
    const answers = new Map<string, number>()
    for (const { path } of links) if (!answers.has(path)) answers.set(path, (await read(path)).status)
    const broken = links.filter(
      ({ path, anchor }) =>
        answers.get(path) !== 200 || (anchor !== '' && !anchors.get(path.replace('/help/', ''))?.has(anchor))
    )
    assert.deepEqual(broken, [])
  })

  it('loses no word of a document: their only markup are comments', () => {
    const markup: string[] = []
    const markdown = new Marked({
      walkTokens(token) {
        if (token.type === 'html') markup.push(token.raw.trim())
      }
    })
    for (const { text } of openDocuments(root.pathname).sections()) markdown.parse(text, { async: false })
    assert.ok(markup.length > 10)
    assert.deepEqual(
      markup.filter(each => !/^<!-- [^<>]+ -->$/.test(each)),
      []
    )
  })

  it('shows pictures, and other files as text', async () => {
    const picture = await read('/help/docs/images/work.png')
    assert.equal(picture.headers['content-type'], 'image/png')
    for (const path of ['deploy/libretto.service', 'examples/season/index.html', 'LICENSE']) {
      const answer = await read(`/help/${path}`)
      assert.match(String(answer.headers['content-type']), /^text\/plain/)
      assert.equal(answer.text, readFileSync(new URL(path, root), 'utf8'))
    }
  })

  it('has no other file of the folder', async () => {
    for (const path of ['package.json', 'src/main.ts', '..%2fpackage.json', 'docs%2f..%2fpackage.json', 'docs'])
      assert.equal((await read(`/help/${path}`)).status, 404, path)
  })

  it('finds sections that have all words, those with the words in their headings first', async () => {
    const { text } = await read('/help?q=proxy+REVERSE')
    const first = /<ol><li><a href="([^"]+)"/.exec(text)?.[1]
    assert.match(first ?? '', /^help\/docs\/how-to\/reverse-proxy\.md#/)
    assert.match((await read('/help?q=zyxwv+backup')).text, /No document has all these words/)
    assert.match((await read('/help?q=%3Cscript%3Ealert')).text, /value="&lt;script&gt;alert"/)
    assert.equal((await read(`/help?q=${'a'.repeat(201)}`)).status, 400)
  })
})
