import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import { aVenue } from '../support/records/entities.ts'
import { start, temporaryFolder, type TestService } from '../support/services/start.ts'

/* One name of the house: every page, feed and protocol tells the one that holds now. */

const nobody = { token: undefined }
const folder = temporaryFolder({ after })

/** A file of the site with a name. */
function siteCalled(name: string): string {
  const path = join(folder, 'site.json')
  writeFileSync(path, JSON.stringify({ name }))
  return path
}

const ofPage = [
  ['title', /<title>(?:[^<]* · )?([^<·]*)<\/title>/],
  ['header', /<a class="brand"[^>]*><span>([^<]*)<\/span><\/a>/],
  ['footer', /<div class="house"><strong>([^<]*)<\/strong>/],
  ['Open Graph', /og:site_name" content="([^"]*)"/],
  ['OpenSearch link', /<link rel="search"[^>]* title="([^"]*)"/]
] as const

/** Where a name is told: a path, and the places in its answer. */
const doorsWith = (
  id: string
): readonly (readonly [path: string, places: readonly (readonly [string, RegExp])[]])[] => [
  ...['/', '/find', `/record/${id}`, '/record/NO-SUCH', '/nl/programme'].map(path => [path, ofPage] as const),
  ['/', [['heading', /<h1[^>]*>([^<]*)<\/h1>/]]],
  [
    '/feed.atom',
    [
      ['title', /<title>([^<]*): [^<]*<\/title>/],
      ['author', /<author>\s*<name>([^<]*)<\/name>/]
    ]
  ],
  [
    '/opensearch.xml',
    [
      ['short name', /<ShortName>([^<]*)<\/ShortName>/],
      ['long name', /<LongName>([^<]*)<\/LongName>/]
    ]
  ],
  ['/oai?verb=Identify', [['repository', /<repositoryName>([^<]*)<\/repositoryName>/]]],
  ['/sru', [['database', /<databaseInfo>\s*<title[^>]*>([^<]*)<\/title>/]]],
  ['/reconcile', [['service', /"name":"([^"]*)"/]]]
]

/** Returns the names that are told at some door in place of the expected one, with the door. */
async function othersThan(expected: string, { get, create }: TestService): Promise<string[]> {
  const { id } = await create(aVenue('A hall'))
  const others: string[] = []
  for (const [path, places] of doorsWith(id)) {
    const { text } = await get(path, nobody)
    for (const [place, pattern] of places) {
      const told = pattern.exec(text)?.[1]?.replaceAll('&lt;', '<').replaceAll('&gt;', '>')
      if (told !== expected) others.push(`${path}, ${place}: ${told}`)
    }
  }
  return others
}

const cases = [
  { settings: 'neither', environment: () => ({}), name: 'Libretto' },
  { settings: 'REPOSITORY_NAME', environment: () => ({ REPOSITORY_NAME: 'De <Linde>' }), name: 'De <Linde>' },
  { settings: 'SITE', environment: () => ({ SITE: siteCalled('De Zaal') }), name: 'De Zaal' },
  {
    settings: 'REPOSITORY_NAME and SITE',
    environment: () => ({ REPOSITORY_NAME: 'De <Linde>', SITE: siteCalled('De Zaal') }),
    name: 'De Zaal'
  }
] as const

describe('The name of the house', () => {
  for (const { settings, environment, name } of cases)
    it(`is ${name} at every door with ${settings}`, async t => {
      const house = await start(t, {
        ...{ ANONYMOUS_ACCESS: 'read', PUBLIC_URL: 'https://catalogue.example.org' },
        ...environment()
      })
      assert.deepEqual(await othersThan(name, house), [])
      const { text } = await house.get('/', nobody)
      const told = text.replaceAll(/Catalogue by Libretto|<style>.*<\/style>/gs, '').includes('Libretto')
      assert.equal(told, name === 'Libretto')
    })

  it('is another at every door as soon as an administrator stores one', async t => {
    const house = await start(t, {
      ...{ ANONYMOUS_ACCESS: 'read', PUBLIC_URL: 'https://catalogue.example.org' },
      REPOSITORY_NAME: 'De <Linde>'
    })
    const stored = await house.put('/site', { name: 'Het Huis' })
    assert.equal(stored.status, 200, stored.text)
    assert.deepEqual(await othersThan('Het Huis', house), [])
    await house.delete('/site')
    assert.deepEqual(await othersThan('De <Linde>', house), [])
  })
})
