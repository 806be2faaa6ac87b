import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, existsSync, globSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { after, describe, it } from 'node:test'
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'

import { findWebPage } from '#http/web-page.ts'
import { buildPage } from '../web/build.ts'
import { pageGroups } from '../web/src/page-groups.ts'
import { adminToken, start } from './support/services/start.ts'
import { temporaryFolder } from './support/machines/temporary-folder.ts'

/** Kilobytes of script, compressed, that the start page may load before it shows something. */
const maxScript = 120

/** Scripts of the whole page: pages that are used together share one. */
const maxScripts = 20

/** Scripts and styles of the start page, each a request, with the words of one language. */
const maxFirstFiles = 6

await buildPage()
const dist = join(import.meta.dirname, '..', 'web', 'dist')
const service = await start({ after })
const html = { accept: 'text/html' }
const document = readFileSync(join(dist, 'index.html'), 'utf8')
const [, firstScript = ''] = /<script>(.*?)<\/script>/s.exec(document) ?? []
const firstFiles = [...document.matchAll(/(?:src|href)="\/assets\/([^"]+)"/g)].map(([, name = '']) => name)

describe('the built page', () => {
  it('is not built again while nothing changed', async () => {
    assert.equal(await buildPage(), 'up to date')
  })

  it(`loads at most ${maxScript} kB of script at first, in ${maxFirstFiles} files with its styles`, t => {
    const [, english = ''] = /"en":"\/assets\/([^"]+)"/.exec(document) ?? []
    const files = [...firstFiles.filter(name => /\.(?:js|css)$/.test(name)), english]
    const sizes = files
      .filter(name => name.endsWith('.js'))
      .map(name => readFileSync(join(dist, 'assets', `${name}.br`)).length)
    const kilobytes = (sizes.reduce((sum, size) => sum + size, 0) + brotliCompressSync(firstScript).length) / 1000
    t.diagnostic(`${kilobytes.toFixed(1)} kB of script, compressed`)
    assert.ok(sizes.length >= 2 && kilobytes <= maxScript, `${kilobytes} kB`)
    assert.ok(files.length <= maxFirstFiles, files.join(' '))
  })

  it('names every file of the pages and languages that its first script chooses from', () => {
    const [, list = '{}'] = /<script id="files" type="application\/json">([^<]*)</.exec(document) ?? []
    const { texts, pages } = JSON.parse(list) as Record<'texts' | 'pages', Record<string, string | string[]>>
    const named = [...Object.values(texts ?? {}), ...Object.values(pages ?? {})].flat()
    assert.ok(named.length > 6)
    for (const file of named) assert.ok(existsSync(join(dist, file)), file)
    assert.equal(new Set(Object.values(texts ?? {})).size, 3)
    for (const group of pageGroups)
      assert.ok(
        [pages?.[group]].flat().some(file => file?.includes(`/${group}-`)),
        group
      )
  })

  it('is made of few scripts: each is a request of its own', () => {
    const scripts = readdirSync(join(dist, 'assets')).filter(name => name.endsWith('.js'))
    assert.ok(scripts.length <= maxScripts, scripts.join(' '))
  })

  it('names nothing of another host, and holds one script and no style of its own', () => {
    assert.doesNotMatch(document, /https?:/)
    const others = document.replace(`<script>${firstScript}</script>`, '').replace('type="application/json"', 'src=')
    assert.doesNotMatch(others, /<style|<script(?![^>]*\ssrc=)|\son\w+=/)
  })
})

describe('the styles of the page', () => {
  it('are loaded with every page that uses them, whatever page was open before', () => {
    const source = join(import.meta.dirname, '..', 'web', 'src')
    // Pages for readers without an account have one style of their own.
    const styles = globSync(join(source, '**/*.css')).filter(file => !file.startsWith(join(source, 'public')))
    const known = new Set(styles.flatMap(classesOf))
    const missing = pageGroups.flatMap(group => {
      const files = [...loadedBy([join(source, 'page.tsx'), join(source, `${group}.ts`)])]
      const loaded = new Set(files.filter(file => file.endsWith('.css')).flatMap(classesOf))
      const isMissing = (name: string) => known.has(name) && !loaded.has(name)
      return files
        .filter(file => file.endsWith('.tsx'))
        .flatMap(file =>
          usedClasses(readFileSync(file, 'utf8'))
            .filter(isMissing)
            .map(name => `${relative(source, file)}: ${name}`)
        )
    })
    assert.ok(known.size > 200 && missing.length === 0, missing.join('\n'))
  })

  it('are found where a component names them', () => {
    const component = '<p className="soft note" /><p className={isBad ? `fault $' + "{kind}` : 'hint'} />"
    assert.deepEqual(usedClasses(component), ['soft', 'note', 'fault', 'kind', 'hint'])
  })
})

/** The files that a script loads at once: those imported later are not among them. */
function loadedBy(starts: readonly string[], known = new Set<string>()): ReadonlySet<string> {
  for (const file of starts) {
    if (known.has(file)) continue
    known.add(file)
    if (file.endsWith('.css')) continue
    const imports = readFileSync(file, 'utf8').matchAll(/(?:from|^import) '(\.[^']+\.(?:tsx?|css))'/gm)
    loadedBy(
      [...imports].map(([, path = '']) => resolve(dirname(file), path)),
      known
    )
  }
  return known
}

/** The classes that a style has rules for. */
const classesOf = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/\.([a-z][a-z0-9-]*)(?=[^{};]*\{)/g)].map(([, name = '']) => name)

/** The words in the class names of a component; some are no classes. */
const usedClasses = (text: string) =>
  [...text.matchAll(/className=(?:"([^"]*)"|\{((?:[^{}]|\$\{[^}]*\})*)\})/g)].flatMap(([, plain, expression = '']) =>
    plain === undefined
      ? [...expression.matchAll(/['`]([^'`]*)['`]/g)].flatMap(([, words = '']) =>
          words.split(/[\s${}]+/).filter(Boolean)
        )
      : plain.split(/\s+/)
  )

describe('the addresses of the page', () => {
  it('all answer the document, to anybody, with a policy that lets nothing else run', async () => {
    for (const address of [
      '/',
      '/find?q=x',
      '/record/W-1',
      '/record/urn%3Ax/history',
      '/new',
      '/new/work_word',
      '/manage/tokens',
      '/sign-in?code=x&state=y'
    ]) {
      const answer = await service.get(address, { token: undefined, headers: html })
      assert.equal(answer.status, 200, address)
      assert.match(String(answer.headers['content-type']), /^text\/html/)
      assert.equal(answer.text, document)
      const policy = String(answer.headers['content-security-policy'])
      const digest = createHash('sha256').update(firstScript).digest('base64')
      assert.match(policy, /^default-src 'none';.*require-trusted-types-for 'script'/)
      assert.ok(policy.includes(`script-src 'self' 'sha256-${digest}';`), policy)
      assert.doesNotMatch(policy, /unsafe|\*|https?:/)
      assert.equal(answer.headers['cache-control'], 'private, no-cache')
    }
  })

  it('answer 304 to who has it', async () => {
    const { headers } = await service.get('/', { token: undefined })
    const again = await service.get('/', { token: undefined, headers: { 'if-none-match': String(headers.etag) } })
    assert.equal(again.status, 304)
  })

  it('leave every other path as it was', async () => {
    assert.equal((await service.get('/nowhere', { token: undefined, headers: html })).status, 404)
    assert.equal((await service.get('/entities', { token: undefined, headers: { accept: '*/*' } })).status, 401)
  })
})

describe('the files of the page', () => {
  it('may be kept for ever, and come compressed to who takes that', async () => {
    for (const name of firstFiles) {
      const plain = await service.app.inject({ url: `/assets/${name}` })
      assert.equal(plain.statusCode, 200, name)
      assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
      assert.equal(plain.headers['x-content-type-options'], 'nosniff')
      for (const [encoding, read] of [
        ['br', brotliDecompressSync],
        ['gzip', gunzipSync]
      ] as const) {
        const answer = await service.app.inject({ url: `/assets/${name}`, headers: { 'accept-encoding': encoding } })
        assert.equal(answer.headers['content-encoding'], encoding, name)
        assert.equal(answer.headers.vary, 'accept-encoding')
        assert.deepEqual(read(answer.rawPayload), plain.rawPayload)
      }
    }
  })

  it('have the icon at the address that browsers guess', async () => {
    const icon = await service.get('/favicon.ico', { token: undefined })
    assert.deepEqual([icon.status, icon.headers['content-type']], [200, 'image/svg+xml'])
  })

  it('are those that were built, and nothing beside them', async () => {
    assert.ok(existsSync(join(dist, 'built-from.txt')))
    for (const name of [
      'built-from.txt',
      '..%2Findex.html',
      '..%2Fbuilt-from.txt',
      '..%2F..%2F..%2Fpackage.json',
      'none.js'
    ]) {
      const answer = await service.get(`/assets/${name}`, { token: undefined })
      assert.equal(answer.status, 404, name)
      assert.equal(answer.body.code, 'no_such_path')
    }
  })
})

describe('a page that was not built', () => {
  it('is not there', t => {
    assert.equal(findWebPage(temporaryFolder(t)), undefined)
  })

  it('is told at the start and on the pages for visitors, with what to do', async t => {
    const clone = temporaryFolder(t)
    const root = join(import.meta.dirname, '..')
    for (const name of ['src', 'package.json', 'sample'])
      cpSync(join(root, name), join(clone, name), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
    const child = spawn(process.execPath, ['src/cli/libretto.ts', 'serve'], {
      cwd: clone,
      env: { PATH: process.env.PATH, PORT: '0', SAMPLE_DATA: '0', ANONYMOUS_ACCESS: 'read', ADMIN_TOKEN: adminToken },
      stdio: ['ignore', 'pipe', 'inherit']
    })
    const ended = once(child, 'close')
    t.after(async () => {
      child.kill('SIGKILL')
      await ended
    })
    let said = ''
    for await (const chunk of child.stdout) {
      said += chunk
      if (said.includes('Reference of the interface')) break
    }
    assert.match(
      said,
      /^The web page was not built: stop, run "npm run build", and start again, or use "npm start"\.$/m
    )
    const url = /listens at (\S+)/.exec(said)?.[1]
    for (const path of ['/', '/nothing'])
      assert.match(
        await (await fetch(url + path, { headers: html })).text(),
        /were not built here: <code>npm run build/
      )
    assert.match(await (await fetch(`${url}/sign-in`, { headers: html })).text(), /was not built here/)
  })
})
