import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { before, describe, it } from 'node:test'

import { clientFormats } from '../docs/client-formats.ts'
import { clientTypes } from '../docs/client-types.ts'
import { printShort } from '../docs/first-answer.ts'
import { marcTables } from '../docs/marc-tables.ts'
import { rdfTables } from '../docs/rdf-tables.ts'
import { readServiceFacts, type ServiceFacts } from '../docs/service-facts.ts'
import { sourceTables } from '../docs/source-tables.ts'
import { tables, withTables } from '../docs/tables.ts'
import { settings } from '../src/config.ts'

const root = new URL('../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'bench/README.md',
  'client/README.md',
  'examples/season/README.md',
  'packages/records/README.md',
  'sample/README.md',
  ...readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.md'))
    .map(path => `docs/${path}`)
]

describe('The docs', () => {
  const readme = read('README.md')
  const firstPath = /127\.0\.0\.1:8080(\/entities\/wem\/\S+)/.exec(readme)?.[1] ?? ''
  let facts: ServiceFacts

  before(async () => {
    facts = await readServiceFacts(firstPath)
  })

  it('have up-to-date tables of routes, record types, problems and settings (npm run docs writes them)', () => {
    const text = read('docs/interface.md')
    const current = tables(facts.operations, facts.firstAnswer)
    for (const name of Object.keys(current))
      assert.match(text, new RegExp(`<!-- table: ${name} -->`), `no table of ${name}`)
    assert.equal(text, withTables(text, current))
  })

  it('have up-to-date tables of the MARC mapping (npm run docs writes them)', () => {
    const text = read('docs/reference/marc-mapping.md')
    const current = marcTables()
    for (const name of Object.keys(current))
      assert.match(text, new RegExp(`<!-- table: ${name} -->`), `no table of ${name}`)
    assert.equal(text, withTables(text, current))
    const stale = text.replace('`subtitle`', '`subtitles`')
    assert.notEqual(stale, withTables(stale, current))
  })

  it('have an up-to-date table of defects (npm run docs writes it)', () => {
    const text = read('docs/reference/sources.md')
    assert.match(text, /`broken_quote`/)
    assert.equal(text, withTables(text, sourceTables()))
  })

  it('have the client types of the OpenAPI document (npm run docs writes them)', () => {
    assert.equal(read('client/api.ts'), clientTypes(facts.openApi))
  })

  it('have the formats of the client as the registry has them (npm run docs writes them)', () => {
    assert.equal(read('client/formats.ts'), clientFormats())
  })

  it('have up-to-date tables of linked data (npm run docs writes them)', () => {
    const text = read('docs/reference/linked-data.md')
    const current = rdfTables()
    for (const name of Object.keys(current))
      assert.match(text, new RegExp(`<!-- table: ${name} -->`), `no table of ${name}`)
    assert.equal(text, withTables(text, current))
  })

  it('notice an outdated table', () => {
    const current = tables(facts.operations, facts.firstAnswer)
    const stale = read('docs/interface.md').replace('`PORT`', '`PORTS`')
    assert.notEqual(stale, withTables(stale, current))
  })

  it('show the real answer to the first curl of the README, in at most ten lines', () => {
    const shown = /```js\n([\s\S]*?)\n```/.exec(readme)?.[1] ?? ''
    assert.equal(shown, printShort(facts.firstAnswer))
    const lines = shown.split('\n')
    assert.ok(lines.length <= 10, `The answer has ${lines.length} lines`)
  })

  it('use the same id in the README and in the message of a start', () => {
    assert.match(read('src/cli/first-start.ts'), new RegExp(firstPath.replace('/entities/wem/', '')))
  })

  it('link only to files and headings that exist', () => {
    const links = documents.flatMap(document => linksOf(document, read(document)))
    assert.ok(links.some(({ heading }) => heading !== undefined))
    assert.deepEqual(
      links.filter(isBroken).map(({ from, file, heading }) => `${from} → ${file}#${heading ?? ''}`),
      []
    )
  })

  it('notice a link that leads nowhere', () => {
    const planted = (text: string) => linksOf('docs/planted.md', text).filter(isBroken).length
    assert.equal(planted('[a](interface.md#wem) [b](../README.md) [c](https://example.org)'), 0)
    assert.equal(planted('[a](interface.md#no-such-heading)'), 1)
    assert.equal(planted('[a](no-such-file.md)'), 1)
  })

  it('have an index that links every document, by reader', () => {
    const index = read('docs/README.md')
    for (const reader of ['readers', 'cataloguers', 'operators', 'developers'])
      assert.match(index, new RegExp(`^## For ${reader}$`, 'm'))
    const linked = new Set(linksOf('docs/README.md', index).map(({ file }) => file))
    assert.deepEqual(
      documents.filter(
        document => document.startsWith('docs/') && document !== 'docs/README.md' && !linked.has(document)
      ),
      []
    )
    const titles = new Map(
      [...index.matchAll(/^\d+\. \[(.+)\]\((decisions\/.+)\)$/gm)].map(([, title, file]) => [file, title])
    )
    for (const file of documents.filter(document => document.startsWith('docs/decisions/')))
      assert.equal(
        read(file)
          .split('\n')[0]
          ?.replace(/^# \d+\. /, ''),
        titles.get(file.slice('docs/'.length)),
        file
      )
  })

  it('show every picture of docs/images', () => {
    const shown = new Set(documents.flatMap(document => linksOf(document, read(document)).map(({ file }) => file)))
    const pictures = readdirSync(new URL('docs/images/', root)).map(name => `docs/images/${name}`)
    assert.deepEqual(
      pictures.filter(picture => !shown.has(picture)),
      []
    )
  })

  it('list every folder of src/ in the README and in ARCHITECTURE.md', () => {
    const folders = readdirSync(new URL('src/', root), { withFileTypes: true }).filter(entry => entry.isDirectory())
    for (const folder of folders) {
      assert.match(readme, new RegExp(`\`${folder.name}/\``), `${folder.name} is not in the README`)
      assert.match(
        read('ARCHITECTURE.md'),
        new RegExp(`\\| ${folder.name} \\|`),
        `${folder.name} is not in ARCHITECTURE.md`
      )
    }
  })

  it('name only files and folders of the source that exist', () => {
    assert.deepEqual(
      documents.flatMap(document => missingFiles(read(document)).map(path => `${document}: ${path}`)),
      []
    )
    assert.deepEqual(missingFiles('`domain/errors.ts`, `domain/errands.ts`, `store/oracle`, `oracle.ts`'), [
      'domain/errands.ts',
      'store/oracle',
      'oracle.ts'
    ])
  })

  it('state the time limit of waiting for PostgreSQL as in the code', () => {
    const howTo = read('docs/how-to/run-on-postgresql.md')
    const said = [...howTo.matchAll(/(?:for|after) (\d+(?:\.\d+)?) s\b(?=[^|]{0,3}(?:while|\||\(and|, in every))/g)]
    assert.ok(said.length >= 4, `only ${said.length} places say it`)
    for (const [, seconds] of said) assert.equal(Number(seconds) * 1000, Number(settings.databaseWait.defaultText))
  })

  it('mention no setting that does not exist', () => {
    // The tests and benchmarks have one of their own.
    const known = new Set([...Object.values(settings).map(each => each.name), 'TEST_DATA'])
    const mentioned = documents.flatMap(document =>
      [...read(document).matchAll(/`([A-Z][A-Z]+_[A-Z_]+)`/g)].map(([, name = '']) => name)
    )
    assert.deepEqual(
      mentioned.filter(name => !known.has(name)),
      []
    )
  })
})

const sourceFiles = globSync('{src,web,client,packages,docs,test,bench,scripts}/**', {
  cwd: root,
  exclude: path => path.includes('node_modules')
})
const sourceFolders = readdirSync(new URL('src/', root))

/** Returns the files and folders that a text names in code spans, and that do not exist. */
function missingFiles(text: string): string[] {
  const named = [...text.matchAll(/`([\w-][\w.-]*(?:\/[\w.-]+)*)`/g)].map(([, path = '']) => path)
  return named
    .filter(path => path.endsWith('.ts') || (path.includes('/') && sourceFolders.includes(path.split('/')[0] ?? '')))
    .filter(path => !sourceFiles.some(file => file === path || file.endsWith(`/${path}`)))
}

interface Link {
  readonly from: string
  readonly file: string
  readonly heading: string | undefined
}

/** Returns the links and pictures of a document that lead to files of the repository. */
function linksOf(document: string, text: string): Link[] {
  const withoutCode = text.replace(/^```[\s\S]*?^```/gm, '')
  return [...withoutCode.matchAll(/\]\((?!https?:|\/)([^)#]*)(?:#([^)]*))?\)/g)].map(([, target = '', heading]) => ({
    from: document,
    file: target === '' ? document : normalize(join(dirname(document), target)),
    heading
  }))
}

function isBroken({ file, heading }: Link): boolean {
  if (!existsSync(new URL(file, root))) return true
  return heading !== undefined && !anchorsOf(read(file)).has(heading)
}

/** Returns the anchors that GitHub gives to the headings of a document. */
function anchorsOf(text: string): Set<string> {
  const headings = text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-')
    )
  )
}
