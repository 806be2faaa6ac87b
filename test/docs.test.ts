import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { before, describe, it } from 'node:test'

import { allTables } from '../docs/all-tables.ts'
import { clientFormats } from '../docs/client-formats.ts'
import { clientTypes } from '../docs/client-types.ts'
import { printShort } from '../docs/first-answer.ts'
import { readServiceFacts, type ServiceFacts } from '../docs/service-facts.ts'
import { documents, tablesIn, withTables } from '../docs/tables.ts'
import { maxAtomicBatch } from '../src/catalogue/batches/write-atomic-batch.ts'
import { settings } from '../src/config.ts'
import { maxOpenImports } from '../src/imports/import-queue.ts'
import { maxInPreview } from '../src/imports/run-import.ts'
import { isBroken, type Link, linksOf } from './support/documents/links.ts'

const root = new URL('../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const isBrokenHere = (link: Link) => isBroken(link, fileURLToPath(root))
/** Maximum number of lines of a document, without tables. */
const maxLines = 350

/** A test as documents name it: its file, and its sentence. */
const namedTest = /`(test\/[\w./-]+\.test\.ts)`: \*([^*]+)\*/g

const namedTests = (text: string) =>
  [...text.matchAll(namedTest)].map(([, file = '', sentence = '']) => ({ file, sentence }))

const isTest = ({ file, sentence }: ReturnType<typeof namedTests>[number]) =>
  existsSync(new URL(file, root)) && read(file).includes(`it('${sentence}'`)

describe('The docs', () => {
  const readme = read('README.md')
  const firstPath = /127\.0\.0\.1:8080(\/entities\/wem\/\S+)/.exec(readme)?.[1] ?? ''
  let facts: ServiceFacts

  before(async () => {
    facts = await readServiceFacts(firstPath)
  })

  it('have up-to-date tables, and all of them (npm run docs writes them)', () => {
    const current = allTables(facts)
    const texts = documents.map(document => [document, read(document)] as const)
    assert.deepEqual(
      Object.keys(current).filter(name => !texts.some(([, text]) => tablesIn(text).includes(name))),
      []
    )
    for (const [document, text] of texts) assert.equal(text, withTables(text, current), document)
  })

  it('have the client types of the OpenAPI document (npm run docs writes them)', () => {
    assert.equal(read('client/api.ts'), clientTypes(facts.openApi))
  })

  it('have the formats of the client as the registry has them (npm run docs writes them)', () => {
    assert.equal(read('client/formats.ts'), clientFormats())
  })

  it('notice an outdated table', () => {
    const current = allTables(facts)
    for (const [word, other] of [
      ['`PORT`', '`PORTS`'],
      ['`broken_quote`', '`broken_quotes`']
    ] as const) {
      const stale = documents
        .map(read)
        .filter(text => tablesIn(text).length > 0)
        .map(text => text.replace(`| ${word}`, `| ${other}`))
      assert.ok(
        stale.some(text => text !== withTables(text, current)),
        word
      )
    }
  })

  it('have the addresses of package.json, which those of the other packages repeat', () => {
    const { homepage, repository, bugs } = JSON.parse(read('package.json'))
    for (const folder of ['client', 'packages/records']) {
      const theirs = JSON.parse(read(`${folder}/package.json`))
      assert.deepEqual(theirs.repository, { ...repository, directory: folder })
      assert.deepEqual([theirs.homepage, theirs.bugs], [homepage, bugs])
    }
    for (const document of ['README.md', 'SECURITY.md', 'docs/README.md'])
      assert.ok(tablesIn(read(document)).includes('addresses'), document)
    const { host } = new URL(homepage)
    const domain = host.split('.').slice(1).join('.')
    for (const url of [bugs.url, repository.url.replace('git+', '')]) assert.ok(new URL(url).host.endsWith(domain), url)
  })

  it('name the versions of our packages, of which the client has its own', () => {
    const versionOf = (folder: string): string => JSON.parse(read(`${folder}package.json`)).version
    for (const folder of ['packages/records/', 'web/']) assert.equal(versionOf(folder), versionOf(''), folder)
    const named = documents
      .filter(document => !document.endsWith('CHANGELOG.md'))
      .flatMap(document => [...read(document).matchAll(/\blibretto(-client|-records)?-(\d+\.\d+\.\d+)/g)])
    assert.ok(named.length > 5)
    for (const [text, name, version] of named)
      assert.equal(version, versionOf(name === '-client' ? 'client/' : ''), text)
    assert.match(read('client/CHANGELOG.md'), new RegExp(`^## ${versionOf('client/')} \\(`, 'm'))
  })

  it('have a changelog of versions with at most ten lines each, the newest of which is that of package.json', () => {
    const versions = read('CHANGELOG.md').split(/^## /m).slice(1)
    assert.match(versions[0] ?? '', /^Unreleased\n/)
    assert.ok(versions[1]?.startsWith(`${JSON.parse(read('package.json')).version} (`), 'another version is the newest')
    for (const text of versions) {
      const lines = text.split('### Upgrade')[0]?.match(/^- /gm) ?? []
      assert.ok(lines.length <= 10, `${text.slice(0, 12)} has ${lines.length} lines`)
    }
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
      links.filter(isBrokenHere).map(({ from, file, heading }) => `${from} → ${file}#${heading ?? ''}`),
      []
    )
  })

  it('notice a link that leads nowhere', () => {
    const planted = (text: string) => linksOf('docs/planted.md', text).filter(isBrokenHere).length
    assert.equal(planted('[a](interface/records.md#wem) [b](../README.md) [c](https://example.org)'), 0)
    assert.equal(planted('[a](interface.md#no-such-heading)'), 1)
    assert.equal(planted('[a](no-such-file.md)'), 1)
  })

  it('are short enough to be read at once, without their tables', () => {
    const lengths = documents.map(document => {
      const text = read(document).replace(/<!-- table: [\s\S]*?<!-- end -->/g, '')
      return [document, text.split('\n').filter(line => !line.startsWith('|')).length] as const
    })
    assert.deepEqual(
      lengths.filter(([, lines]) => lines > maxLines),
      []
    )
    assert.ok(lengths.some(([, lines]) => lines > maxLines / 2))
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

  it('answer each expectation of a library with its test, or with the reason why not', () => {
    const rows = read('docs/explanation/library-expectations.md')
      .split('\n')
      .filter(line => /^\| (?!Expectation)/.test(line))
    assert.ok(rows.length > 20)
    for (const row of rows) {
      const [, , answer = '', tests = ''] = row.split('|').map(cell => cell.trim())
      assert.ok(answer.startsWith('no: ') || (answer !== '' && tests !== ''), row)
      assert.deepEqual(
        namedTests(tests).filter(each => !isTest(each)),
        [],
        row
      )
      // Nothing but tests, so that none is overlooked that is named in another way.
      assert.equal(tests.replaceAll(namedTest, ''), '; '.repeat(Math.max(0, namedTests(tests).length - 1)), row)
    }
    assert.ok(!isTest({ file: 'test/docs.test.ts', sentence: 'is no such sentence' }))
    assert.ok(!isTest({ file: 'test/no-such-file.test.ts', sentence: 'is no such sentence' }))
  })

  it('state the time limit of waiting for PostgreSQL as in the code', () => {
    const howTo = read('docs/how-to/run-on-postgresql.md')
    const said = [...howTo.matchAll(/(?:for|after) (\d+(?:\.\d+)?) s\b(?=[^|]{0,3}(?:while|\||\(and|, in every))/g)]
    assert.ok(said.length >= 4, `only ${said.length} places say it`)
    for (const [, seconds] of said) assert.equal(Number(seconds) * 1000, Number(settings.databaseWait.defaultText))
  })

  it('state directives of systemd as the unit has them', () => {
    const unit = read('deploy/libretto.service')
    const stated = [...read('docs/how-to/run-the-service.md').matchAll(/`([A-Z]\w+)=([^`\s]+)`/g)].filter(([, name]) =>
      new RegExp(`^${name}=`, 'm').test(unit)
    )
    assert.ok(stated.length > 0)
    for (const [, name, value] of stated) assert.ok(unit.split('\n').includes(`${name}=${value}`), `${name}=${value}`)
  })

  it('state limits as the program has them', () => {
    const stated: readonly (readonly [document: string, sentence: RegExp, limit: number])[] = [
      ['how-to/import-records.md', /A preview reads at most the first ([\d,]+) records/g, maxInPreview],
      ['how-to/import-records.md', /at most ([\d,]+) imports of a token wait/g, maxOpenImports],
      ['how-to/change-many-records.md', /[Aa]t most ([\d,]+) (?:records|rows)/g, maxAtomicBatch],
      ['interface/writes.md', /one transaction of at most ([\d,]+) operations/g, maxAtomicBatch],
      ['interface/access.md', /rows of a table; ids in `POST \/entities\/wem` \| ([\d,]+);/g, maxAtomicBatch],
      ['how-to/run-the-service.md', /`CACHE_MEGABYTES` \(([\d,]+)\)/g, Number(settings.cacheMegabytes.defaultText)]
    ]
    for (const [document, sentence, limit] of stated) {
      const found = [...read(`docs/${document}`).matchAll(sentence)].map(([, number = '']) => number)
      assert.deepEqual([...new Set(found)], [limit.toLocaleString('en')], `${document}: ${sentence}`)
    }
  })

  it('tell the measurements of today in at most 250 lines', () => {
    assert.ok(read('bench/README.md').split('\n').length <= 251)
  })

  it('state measured sizes as the measurements do', () => {
    const measured = read('bench/README.md') + read('docs/explanation/scale.md')
    const stated = [...read('docs/how-to/consortium.md').matchAll(/([\d.,]+)[^|*\d]{0,20}\*/g)]
    assert.ok(stated.length >= 10, `only ${stated.length}`)
    for (const [text, number = ''] of stated) assert.ok(measured.includes(number), text)
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
  return (
    named
      // A protocol of OpenTelemetry.
      .filter(path => path !== 'http/json')
      .filter(path => path.endsWith('.ts') || (path.includes('/') && sourceFolders.includes(path.split('/')[0] ?? '')))
      .filter(path => !sourceFiles.some(file => file === path || file.endsWith(`/${path}`)))
  )
}
