import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'

import { version } from '../../src/version.ts'
import { hangLimit } from '../support/machines/hang-limit.ts'
import { temporaryFolder } from '../support/machines/temporary-folder.ts'

/*
 * The package that `npm pack` makes of packages/records: its contents, and its examples in a folder
 * that holds nothing else. Its dependency comes from npm's cache, or else from the registry.
 */

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..')
const home = join(root, 'packages', 'records')

describe('the package of the formats', { timeout: hangLimit }, () => {
  const folder = temporaryFolder({ after })
  const empty = join(folder, 'empty')
  let paths: string[] = []

  before(async () => {
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: home })
    const [packed] = JSON.parse(stdout.slice(stdout.indexOf('[')))
    paths = packed.files.map(({ path }: { path: string }) => path)
    mkdirSync(empty)
    writeFileSync(join(empty, 'package.json'), '{ "type": "module" }')
    const options = ['--prefer-offline', '--no-audit', '--no-fund']
    await run('npm', ['install', ...options, join(folder, packed.filename)], { cwd: empty })
    cpSync(join(empty, 'node_modules', 'libretto-records', 'examples'), empty, { recursive: true })
  })

  const runExample = (...args: string[]) => run(process.execPath, args, { cwd: empty })

  it('has the version of the service, no source, and no script that runs when it is installed', () => {
    const declared = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
    assert.equal(declared.version, version)
    assert.deepEqual(
      Object.keys(declared.scripts).filter(name => /install|prepare/.test(name)),
      []
    )
    assert.ok(paths.includes('dist/index.js') && paths.includes('README.md'), paths.join())
    assert.deepEqual(
      paths.filter(path => path.endsWith('.ts') && !/\.d\.ts$|^examples\//.test(path)),
      []
    )
  })

  it('imports its dependency and two modules of Node only: nothing for HTTP and databases', () => {
    const text = readFileSync(join(empty, 'node_modules/libretto-records/dist/index.js'), 'utf8')
    const imported = [...text.matchAll(/^(?:import|export) .*?["']([^"']+)["'];$/gm)].map(([, name]) => name)
    const { dependencies } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
    assert.deepEqual(imported.toSorted(), ['node:buffer', 'node:crypto', ...Object.keys(dependencies)].toSorted())
    assert.doesNotMatch(text, /\brequire\(|\bimport\(/)
  })

  it('has a README with its examples', () => {
    const readme = readFileSync(join(home, 'README.md'), 'utf8')
    const examples = globSync('examples/*.ts', { cwd: home })
    assert.equal(examples.length, 3)
    for (const file of examples)
      assert.ok(readme.includes(`\`\`\`ts\n${readFileSync(join(home, file), 'utf8')}\`\`\``), file)
  })

  it('has types that programs elsewhere are checked by, without those of the service', async () => {
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'nodenext', '--target', 'esnext']
    const check = async (name: string, text: string) => {
      writeFileSync(join(empty, name), text)
      const compiler = join(root, 'node_modules', '.bin', 'tsc')
      return run(compiler, [...options, '--types', '', '--lib', 'esnext', name], { cwd: empty }).then(
        () => '',
        ({ stdout }: { stdout: string }) => stdout
      )
    }
    const program = (format: string) => `
      import { describeRecord, readRecords, writeRecord } from 'libretto-records'
      for await (const read of readRecords('=LDR  x'))
        if (read.outcome === 'record') {
          const text: string = writeRecord(read.record, '${format}')
          const title: string | undefined = describeRecord(read.record).works[0]?.keys.titles[0]?.text
        }
      export {}
    `
    assert.equal(await check('good.ts', program('mods')), '')
    assert.match(await check('bad.ts', program('word')), /'"word"' is not assignable to parameter of type/)
  })

  it('checks a file, and says what is wrong and where', async () => {
    const { stdout } = await runExample('check.ts')
    assert.equal(
      stdout,
      [
        'MARC in lines (.mrk)',
        'Record 3 at byte 624, field 245: A field 245 does not have two indicators before its first subfield',
        'Record 3 at byte 624: There is no field 001',
        '{ record: 3, deletion: 0, unreadable: 0 }\n'
      ].join('\n')
    )
  })

  it('describes works', async () => {
    const { stdout } = await runExample('works.ts')
    const [faust, hamlet, other] = stdout.split('\n')
    assert.equal(faust, 'Faust by goethe johann wolfgang von, in nld, translated')
    assert.equal(hamlet, 'Hamlet by shakespeare william, in eng')
    assert.match(other ?? '', /^A record with one indicator .* by nobody/)
  })

  it('writes a file in every format, and reads each format that it reads back as the same titles', async () => {
    writeFileSync(
      join(empty, 'every.js'),
      `
      import { readFileSync } from 'node:fs'
      import { describeRecord, readRecords, writeRecords, writtenFormats } from 'libretto-records'
      const titles = async source => {
        const found = []
        for await (const read of readRecords(source))
          found.push(read.outcome === 'record' ? describeRecord(read.record).works[0].keys.titles[0].text : read.outcome)
        return found
      }
      const records = []
      for await (const read of readRecords(readFileSync('books.mrk'))) records.push(read.record)
      for (const format of writtenFormats) {
        let text = ''
        for await (const piece of writeRecords(records, format, { baseUrl: 'https://example.org/' })) text += piece
        console.log(format, JSON.stringify([...new Set(await titles(text))].sort()))
      }
      const csv = 'title;author;year\\nFaust;Goethe, Johann Wolfgang von;1808\\n'
      for await (const read of readRecords(csv)) console.log('csv', read.record.fields.find(({ tag }) => tag === '245').subfields[0].value)
    `
    )
    const { stdout } = await runExample('every.js')
    const all = '["A record with one indicator and without a number","Faust","Hamlet"]'
    const lines = new Map(stdout.split('\n').map(line => [line.split(' ', 1)[0], line.slice(line.indexOf(' ') + 1)]))
    for (const format of ['iso2709', 'marcxml', 'json', 'mrk', 'mods', 'jsonld', 'turtle', 'ntriples', 'rdfxml'])
      assert.equal(lines.get(format), all, format)
    assert.match(lines.get('dc') ?? '', /Faust.*Hamlet/)
    // Citations are not read, and the message says so.
    for (const format of ['bibtex', 'ris', 'csl']) assert.equal(lines.get(format), '["unreadable"]', format)
    assert.equal(lines.get('csv'), 'Faust.')
  })

  it('converts a file, and refuses a record that the format cannot contain', async () => {
    const { stdout, stderr } = await runExample('convert.ts', 'books.mrk', 'bibtex')
    assert.match(stdout, /@book\{10042,\n {2}author = \{Goethe, Johann Wolfgang von\}/)
    assert.match(stderr, /^Record 3 at byte 624/)
    writeFileSync(join(empty, 'long.mrk'), `=LDR  00000nam a2200000 a 4500\n=001  1\n=245  10$a${'x'.repeat(10_000)}\n`)
    const failed = await runExample('convert.ts', 'long.mrk', 'iso2709').catch(error => error)
    assert.match(failed.stderr, /CatalogueError: .*245/)
  })
})
