import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import { aProduction, aRecord } from '../support/records/entities.ts'
import { aForm, aPng, createMediafile, fieldOf, getBytes, putBytes, sha256 } from '../support/records/media.ts'
import { start, temporaryFolder } from '../support/services/start.ts'

/*
 * File names that want to be paths, headers or markup, and files that want to be run. None escapes,
 * none executes.
 */

const folder = temporaryFolder({ after })
const service = await start({ after }, { MEDIA_URL: `file:${join(folder, 'media')}` })

const hostileNames: readonly string[] = [
  '../../../etc/passwd',
  '..\\..\\windows\\system32\\cmd.exe',
  '/etc/passwd',
  'C:\\boot.ini',
  '....//....//etc/passwd',
  '%2e%2e%2fetc%2fpasswd',
  '..%c0%af..%c0%afetc',
  'file:///etc/passwd',
  '\\\\server\\share\\x',
  '.htaccess',
  '.',
  '..',
  '-rf',
  '$(touch pwned)',
  '`touch pwned`',
  '; rm -rf /',
  '| cat /etc/passwd',
  'a.png\u0000.html',
  'poster.png\r\nSet-Cookie: a=b',
  'poster.png\nContent-Type: text/html',
  'a"; filename="evil.html',
  "a'; filename*=utf-8''evil.html",
  '<script>alert(1)</script>.png',
  '"><img src=x onerror=alert(1)>.png',
  'javascript:alert(1)',
  'CON',
  'NUL.txt',
  'aux.png',
  'poster.png:stream',
  'poster.png.',
  ' poster.png ',
  'ex\u202egnp.js',
  '\ufeffposter.png',
  'é́́́.png',
  '🎭.png',
  'x'.repeat(1000),
  `${'../'.repeat(100)}tmp/pwned`
]

/** Files that a browser would run or follow, and files that pretend to have another type. */
const hostileContents: readonly (readonly [what: string, bytes: string | Buffer])[] = [
  ['a page', '<!doctype html><script>alert(1)</script>'],
  ['a page behind white space', `${' \n\t'.repeat(500)}<html><body onload=alert(1)>`],
  ['a page behind a comment', `<!--${'x'.repeat(5000)}--><html><script>alert(1)</script>`],
  ['a script tag alone', 'hello <script>alert(1)</script>'],
  ['an image tag alone', '<img src=x onerror=alert(1)>'],
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
  ['SVG behind a prologue', '<?xml version="1.0"?><!DOCTYPE svg><svg><script>alert(1)</script></svg>'],
  ['SVG in UTF-16', Buffer.from('\ufeff<svg onload="alert(1)"></svg>', 'utf16le')],
  ['a page in UTF-16', Buffer.from('\ufeff<html><script>alert(1)</script></html>', 'utf16le')],
  ['a page in UTF-7', '+ADw-script+AD4-alert(1)+ADw-/script+AD4-'],
  ['XHTML', '<html xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></html>'],
  ['XML with a style sheet', '<?xml version="1.0"?><?xml-stylesheet href="x.xsl" type="text/xsl"?><a/>'],
  ['XML with an entity', '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'],
  ['a script', 'alert(document.cookie)'],
  ['a shell script', '#!/bin/sh\nrm -rf /'],
  ['a GIF that is a script', 'GIF89a/*\u0001\u0000*/=1;alert(1)//'],
  ['a PNG with a page behind it', Buffer.concat([aPng(), Buffer.from('<script>alert(1)</script>')])],
  [
    'a JPEG header before a page',
    Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from('<script>alert(1)</script>')])
  ],
  ['a PDF with a script', '%PDF-1.4 /OpenAction << /S /JavaScript /JS (app.alert(1)) >>'],
  ['a program', Buffer.from('MZ\x90\0\x03', 'latin1')],
  ['an ELF program', Buffer.from('\x7fELF\x02\x01', 'latin1')],
  ['a Flash movie', 'CWS\t'],
  ['a Java archive', Buffer.from('PK\x03\x04META-INF/MANIFEST.MF', 'latin1')],
  ['a PNG that says it is enormous', hugePng()],
  ['a cut PNG', aPng().subarray(0, 18)],
  ['nothing but zeros', Buffer.alloc(10_000)]
]

const shownInPlace = new Set(['image/png', 'image/jpeg', 'image/gif'])

describe('Hostile file names', () => {
  for (const name of hostileNames) {
    it(`are a name and no more: ${JSON.stringify(name).slice(0, 50)}`, async () => {
      const mediafile = await service.create(
        aRecord('mediafile', { mediafile_type: 'posters', filename: name.replaceAll('\0', '') })
      )
      assert.equal((await putBytes(service, `/mediafiles/${mediafile.id}/content`, aPng())).status, 200)

      const { status, headers, bytes } = await getBytes(service, `/mediafiles/${mediafile.id}/content`)

      assert.equal(status, 200)
      assert.deepEqual(bytes, aPng())
      assert.equal(headers['content-type'], 'image/png')
      assert.equal(headers['set-cookie'], undefined)
      assert.match(
        String(headers['content-disposition']),
        /^inline; filename="[A-Za-z0-9 ._-]+"; filename\*=UTF-8''[A-Za-z0-9%._~!-]+$/
      )
      assert.doesNotMatch(String(headers['content-disposition']), /%2f|%5c|%0d|%0a|%00|"\.\.?"/i)
    })
  }

  it('in a form are a name and no more', async () => {
    const production = await service.create(aProduction())
    for (const name of hostileNames.filter(each => !/["\r\n\0]/.test(each))) {
      const { body, headers } = aForm({ mediafile_type: 'posters' }, { filename: name, bytes: aPng() })
      const answer = await service.call('POST', `/entities/${production.id}/mediafiles`, { body, headers })
      assert.ok([201, 400].includes(answer.status), answer.text)
    }
  })

  it('left nothing outside its folder, and there only what our own names are', async () => {
    assert.deepEqual(await readdir(folder), ['media'])
    const files = await readdir(join(folder, 'media'), { recursive: true })
    for (const file of files) assert.match(file, /^(?:content(?:\/[0-9a-f]{2}(?:\/[0-9a-f]{62})?)?|uploads)$/)
    assert.ok(files.includes(join('content', sha256(aPng()).slice(0, 2), sha256(aPng()).slice(2))))
  })
})

describe('Hostile contents', () => {
  for (const [what, content] of hostileContents) {
    it(`are a download, or a picture and no more: ${what}`, async () => {
      const { mediafile } = await createMediafile(service, Buffer.from(content))
      const { headers, bytes } = await getBytes(service, `/mediafiles/${mediafile}/content`)
      const type = String(headers['content-type'])

      assert.deepEqual(bytes, Buffer.from(content))
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.match(String(headers['content-security-policy']), /default-src 'none'.*sandbox/)
      assert.match(String(headers['content-disposition']), shownInPlace.has(type) ? /^inline;/ : /^attachment;/)
      assert.equal(type.split(';')[0], fieldOf((await service.get(`/mediafiles/${mediafile}`)).body, 'mimetype'))
    })
  }

  it('are told for what they are', async () => {
    const typeOf = async (content: string | Buffer) => {
      const { mediafile } = await createMediafile(service, Buffer.from(content))
      return fieldOf((await service.get(`/mediafiles/${mediafile}`)).body, 'mimetype')
    }
    const contents = new Map(hostileContents)
    const get = (what: string) => contents.get(what) ?? assert.fail(what)
    assert.equal(await typeOf(get('a page behind a comment')), 'text/html')
    assert.equal(await typeOf(get('SVG in UTF-16')), 'image/svg+xml')
    assert.equal(await typeOf(get('SVG behind a prologue')), 'image/svg+xml')
    assert.equal(await typeOf(get('a script')), 'text/plain')
    assert.equal(await typeOf(get('nothing but zeros')), 'application/octet-stream')
  })
})

/** Says that it has 4 billion by 4 billion pixels. */
function hugePng(): Buffer {
  const bytes = aPng()
  bytes.writeUInt32BE(0xffff_ffff, 16)
  bytes.writeUInt32BE(0xffff_ffff, 20)
  return bytes
}
