import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'

import { createProgress } from '../../src/cli/progress.ts'
import { openLibretto } from '../../src/main.ts'
import { readConfig, settings } from '../../src/config.ts'
import { version } from '../../src/version.ts'
import { createTestDatabase } from '../support/databases/database.ts'
import { howMany } from '../support/records/chance.ts'
import { aVenue } from '../support/records/entities.ts'
import { runCli } from '../support/services/run-cli.ts'
import { secretKey, start, temporaryFolder } from '../support/services/start.ts'

/** Each command line with the beginning of what it is answered. */
const wrongLines: readonly (readonly [line: string, answer: RegExp])[] = [
  ['serv', /^Unknown command "serv"\. Did you mean "serve"\?/],
  ['constructor', /^Unknown command "constructor"\./],
  ['--colour', /^Unknown command "--colour"\./],
  ['help imprt', /^Unknown command "imprt"\. Did you mean "import"\?/],
  ['serve now', /^Unexpected argument "now"/],
  ['serve --workers', /^--workers needs a value/],
  ['serve --workers many', /^--workers must be a whole number from 1 to 999, got "many"/],
  ['serve --workers=', /^--workers needs a value/],
  ['serve --port 80', /^Unknown option "--port"/],
  ['check all', /^Unexpected argument "all"/],
  ['check --colour', /^Unknown option "--colour"/],
  ['check --repiar', /^Unknown option "--repiar"; did you mean "--repair"\?/],
  ['check --json=yes', /^--json takes no value/],
  ['check -x', /^Unknown option "-x"/],
  ['token', /^Give an action: create, list, or revoke/],
  ['token make', /^Give an action: create, list, or revoke/],
  ['token revoke', /^Give an action: create, list, or revoke/],
  ['token create --name x', /^A token needs --name and at least one --scope/],
  ['token create --scope read', /^A token needs --name and at least one --scope/],
  ['token create --name --scope read', /^--name needs a value/],
  ['token create --name a --name b --scope read', /^--name was given twice/],
  ['import', /^Give the name of a file/],
  ['import a.mrc b.mrc', /^Unexpected argument "b\.mrc"/],
  ['import file.mrc --format marcxm', /^Unknown format "marcxm"; did you mean "marcxml"\?/],
  ['import file.mrc --batch 0', /^"--batch" must be from 1 to 1000, not "0"/],
  ['import file.mrc --prview', /^Unknown option "--prview"; did you mean "--preview"\?/],
  ['export x.xyz', /^The name of "x\.xyz" does not say its format; add --format with one of /],
  ['export --format pdf', /^Unknown format "pdf"; use one of /],
  ['export --type manifestatoin', /^Unknown type "manifestatoin"; did you mean "manifestation"\?/],
  ['backup', /^Give the name of a new file/],
  ['backup a.db b.db', /^Unexpected argument "b\.db"/],
  ['restore', /^Give the name of a backup/],
  ['move', /^Give the target: set MOVE_TO/],
  ['undo', /^Give the id of an import/],
  ['purge', /^Give the ids of records/],
  ['purge W-1 --detatch', /^Unknown option "--detatch"; did you mean "--detach"\?/]
]

/** Each starts a process: `npm test` tries every fourth. */
const step = howMany({ quick: 4, short: 1, long: 1, onPostgres: 4 })

/** A folder with the database of an empty catalogue, and a file. */
async function aFolder(t: TestContext) {
  const folder = temporaryFolder(t)
  const env = { DATABASE_URL: await createTestDatabase(t) }
  await (await openLibretto(readConfig({ ...env, SECRET_KEY: secretKey })))[Symbol.asyncDispose]()
  writeFileSync(join(folder, 'file.mrc'), '')
  return { folder, env }
}

describe('libretto', () => {
  it('explains a command line that cannot be understood, and exits with 2', async t => {
    const { folder, env } = await aFolder(t)
    const lines = wrongLines.filter((_, at) => at % step === 0)
    const work = async () => {
      for (let next = lines.pop(); next !== undefined; next = lines.pop()) {
        const [line, answer] = next
        const { code, out, err } = await runCli(line.split(' '), { env, cwd: folder })
        assert.deepEqual([line, code, out], [line, 2, ''])
        assert.match(err, answer)
        assert.match(err, /npx libretto/)
        assert.doesNotMatch(err, /\n\s+at |positional/)
      }
    }
    await Promise.all([work(), work()])
  })

  it('prints the version and the help of a command in each way that people try', async () => {
    const answers = await Promise.all(['version', '--version', '-v', '-V'].map(each => runCli([each])))
    assert.deepEqual(new Set(answers.map(({ code, out }) => `${code} ${out}`)), new Set([`0 ${version}\n`]))
    const [one, other] = await Promise.all([runCli(['help', 'import']), runCli(['import', '-h'])])
    assert.deepEqual(one, other)
    assert.match(one.out, /\nExamples:\n {2}# .+\n {2}npx libretto import /)
  })

  it('lists every setting with its default', async () => {
    const { code, out } = await runCli(['settings', '--json'])
    assert.equal(code, 0)
    assert.deepEqual(
      JSON.parse(out).map((each: { name: string }) => each.name),
      Object.values(settings).map(({ name }) => name)
    )
  })
})

/** Runs the doctor. */
async function examine(env: Readonly<Record<string, string>>, cwd: string) {
  const { code, out, err } = await runCli(['doctor', '--json'], { env, cwd })
  assert.equal(err, '')
  const found = JSON.parse(out) as { about: string; state: string; message: string }[]
  const of = (about: string) => found.filter(each => each.about === about).map(({ state }) => state)
  return { code, of, found }
}

describe('libretto doctor', { concurrency: 2 }, () => {
  it('finds nothing wrong in a folder without a catalogue, and creates nothing', async t => {
    const folder = temporaryFolder(t)
    const { code, of } = await examine({ PORT: '1' }, folder)
    assert.equal(code, 0)
    assert.deepEqual(of('database'), ['warning'])
    assert.ok(!existsSync(join(folder, 'data')))
  })

  it('finds a sound catalogue, its service, and the key that it was used with', async t => {
    const { folder, env } = await aFolder(t)
    const { app } = await start(t, env)
    const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
    const sound = await examine({ ...env, PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` }, folder)
    assert.equal(sound.code, 0, JSON.stringify(sound.found))
    for (const about of ['database', 'secret key', 'service', 'proxy', 'clock'])
      assert.deepEqual(sound.of(about), ['ok'])

    const unreached = await examine({ ...env, PORT: port, PUBLIC_URL: 'https://127.0.0.1:1' }, folder)
    assert.equal(unreached.code, 1)
    assert.deepEqual(unreached.of('proxy'), ['warning', 'problem'])
  })

  it('finds another secret key, and media that cannot be stored', async t => {
    const { folder, env } = await aFolder(t)
    await start(t, env)
    const file = join(folder, 'file.mrc')
    const found = await examine({ ...env, PORT: '1', SECRET_KEY: 'x'.repeat(40), MEDIA_URL: `file:${file}` }, folder)
    assert.equal(found.code, 1)
    assert.deepEqual(found.of('secret key'), ['problem'])
    assert.deepEqual(found.of('media'), ['problem'])
  })

  it('finds a database that cannot be read, and a clock behind the last change', async t => {
    const folder = temporaryFolder(t)
    const [broken, file] = [join(folder, 'broken.db'), join(folder, 'catalogue.db')]
    writeFileSync(broken, 'no database'.repeat(1000))
    assert.deepEqual((await examine({ DATABASE_URL: `sqlite:${broken}`, PORT: '1' }, folder)).of('database'), [
      'problem'
    ])
    const { create } = await start(t, { DATABASE_URL: `sqlite:${file}` })
    await create(aVenue('x', { id: 'VE-1' }))
    {
      using db = new DatabaseSync(file)
      db.exec(`UPDATE changes SET at = '2999-01-01T00:00:00.000Z'`)
    }
    assert.deepEqual((await examine({ DATABASE_URL: `sqlite:${file}`, PORT: '1' }, folder)).of('clock'), ['problem'])
  })
})

describe('progress', () => {
  const shown = (isTTY: boolean) => {
    const texts: string[] = []
    let now = 0
    const progress = createProgress('Importing', 1000, { isTTY, write: text => texts.push(text) }, () => now)
    for (let second = 1; second <= 25; second++) {
      now = second * 1000
      progress.show(second * 10, second * 40)
    }
    progress.step('comparing too early for a file')
    now = 31_000
    progress.step('comparing')
    progress.end()
    return texts
  }

  it('is a line now and then where the output is stored', () => {
    assert.deepEqual(shown(false), [
      'Importing: 40 %, 100 records, 10/s, 15 s left\n',
      'Importing: 80 %, 200 records, 10/s, 5 s left\n',
      'Importing: comparing\n'
    ])
  })

  it('is one line that changes on a terminal, and is gone at the end', () => {
    const texts = shown(true)
    assert.equal(texts.length, 28)
    assert.equal(texts[9], `\r\u001b[KImporting [${'█'.repeat(10)}${'·'.repeat(14)}] 40 % 100 records, 10/s, 15 s left`)
    assert.equal(texts.at(-1), '\r\u001b[K')
  })
})
