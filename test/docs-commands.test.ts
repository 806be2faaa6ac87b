import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import {
  type Block,
  blocksOf,
  failingCurl,
  readBlocks,
  tutorial,
  tutorialResults
} from './support/documents/shell-blocks.ts'
import { findProgram, needDebian } from './support/machines/debian.ts'
import { hangLimit } from './support/machines/hang-limit.ts'
import { createDatabase, whyNoServer } from './support/databases/postgres-server.ts'
import { compileCache } from './support/services/server-process.ts'
import { program } from './support/services/program.ts'
import { runCli, serve } from './support/services/run-cli.ts'
import { secretKey } from './support/services/start.ts'
import { temporaryFolder } from './support/machines/temporary-folder.ts'

/*
 * Runs the shell blocks of the README and the how-tos, in the order in which they are printed, on
 * one service with the sample catalogue in a temporary folder. A block fails when a command of it
 * fails, or when an answer is not 2xx.
 */

const root = join(import.meta.dirname, '..')
const documents = ['README.md', tutorial, ...globSync('docs/how-to/*.md', { cwd: root }).toSorted()]

/** Blocks that cannot run here: the document, the beginning of the block, and the reason. */
const notRun: readonly (readonly [document: string, beginning: string, reason: string])[] = [
  ['README.md', 'npm ci && npm start', 'installs packages; .ci/run runs both commands in a fresh clone'],
  [
    'docs/how-to/import-programmes.md',
    'npx libretto import examples/programmes/tour.csv --m',
    'import-mapping.test.ts imports these files'
  ],
  [
    'docs/how-to/import-programmes.md',
    'npx libretto import examples/programmes/tour.csv --p',
    'needs a file of the repository'
  ],
  ['docs/tutorial.md', 'npm install ./libretto-1', 'needs a packed file; test/installed-package.test.ts installs it'],
  ['docs/tutorial.md', 'npm install ./libretto-client', 'needs a packed file; test/installed-package.test.ts does'],
  ['docs/how-to/install.md', 'mkdir -p /opt', 'needs a packed file; test/built-package.test.ts installs it'],
  ['docs/how-to/media-files.md', "MEDIA_URL='s3://", 'needs a bucket; test/contract/bucket-store.test.ts uses one'],
  ['docs/how-to/media-files.md', 'npm install sharp', 'changes the installed packages'],
  ['docs/how-to/run-in-a-container.md', 'docker compose up', 'needs a container engine'],
  ['docs/how-to/run-in-a-container.md', 'docker compose exec libretto cat', 'needs a container engine'],
  ['docs/how-to/run-in-a-container.md', 'docker compose exec libretto libretto', 'needs a container engine'],
  ['docs/how-to/run-in-a-container.md', 'secret()', 'needs a container engine'],
  [
    'docs/how-to/run-the-service.md',
    'cd /opt/libretto/node_modules',
    'writes into /etc; test/deployment.test.ts reads the files'
  ],
  ['docs/how-to/run-the-service.md', 'systemctl', 'needs systemd as the first process'],
  ['docs/how-to/run-the-service.md', 'install -m 600', 'needs the user of the service'],
  ['docs/how-to/run-the-service.md', 'libretto()', 'needs systemd as the first process'],
  ['docs/how-to/run-on-postgresql.md', 'pg_dump', 'needs programs of the version of the server'],
  ['docs/how-to/public-catalogue.md', 'ANONYMOUS_ACCESS=read PUBLIC', 'starts a service; public-pages.test.ts does'],
  ['docs/how-to/public-catalogue.md', 'ANONYMOUS_ACCESS=read:', 'starts a service; public-pages.test.ts does'],
  ['docs/how-to/public-catalogue.md', 'SITE=', 'starts a service; site.test.ts does']
]

/**
 * Additions to blocks: Debian packages and a server that they need, settings, commands after the
 * block, and what the output must show.
 */
const additions: readonly {
  readonly document: string
  readonly beginning: string
  readonly packages?: readonly string[]
  readonly needsPostgres?: true
  readonly settings?: Readonly<Record<string, string>>
  readonly afterwards?: string
  readonly shows?: readonly RegExp[]
}[] = [
  { document: 'README.md', beginning: 'curl -H', shows: [/"work":.*Reineke Fuchs/] },
  {
    document: 'README.md',
    beginning: 'export TOKEN',
    shows: [
      /"count":/,
      /Max Havelaar/,
      /@prefix/,
      /@book\{/,
      /BEGIN:VCALENDAR/,
      /event: ?entity\.created|entity\.created/
    ]
  },
  { document: 'README.md', beginning: 'npx libretto import', shows: [/done/] },
  ...tutorialResults.map(each => ({ ...each, document: tutorial })),
  {
    document: 'docs/how-to/run-beside-elody.md',
    beginning: 'skip=0',
    packages: ['jq'],
    afterwards: `grep -q '"type":"production"' entities.ndjson`
  },
  {
    document: 'docs/how-to/run-beside-elody.md',
    beginning: 'npx libretto import',
    packages: ['jq'],
    settings: { DATABASE_URL: 'sqlite:moved/from-elody.db', MODEL: join(root, 'docs/models/existing-data.json') },
    shows: [/would be: \d+ created, .* 0 refused/, /^\d+ created, .* 0 refused/m, /records, no problems/]
  },
  ...['cat > libraries', 'npx libretto import biblios', 'npx libretto check'].map(beginning => ({
    document: 'docs/how-to/move-from-koha.md',
    beginning,
    shows: beginning.endsWith('biblios') ? [/Related +3 item, 1 person/, /authorities\.mrc: done/, /1 changed/] : [],
    afterwards: beginning.endsWith('check') ? 'grep -q "^3000000000012,DIJK PEET,Library of the port" items.csv' : ''
  })),
  {
    document: 'docs/how-to/leave-for-koha.md',
    beginning: 'curl -s -H "Authorization: Bearer $TOKEN" "$BASE/export',
    packages: ['yaz'],
    shows: [/^\d{2,}$/m],
    afterwards:
      'test "$(grep -c "<record" biblios-for-koha.xml)" -gt 50 && grep -q Hamlet biblios-for-koha.mrc && ' +
      'test "$(yaz-marcdump -i marcxml -o line authorities-for-koha.xml | grep -c "^100 .*Shakespeare, William")" -eq 1'
  },
  {
    document: 'docs/how-to/leave-for-koha.md',
    beginning: 'curl -s -H "Authorization: Bearer $TOKEN" "$BASE/oai',
    shows: [/<ListRecords>/]
  },
  { document: 'docs/how-to/harvest.md', beginning: 'curl', shows: [/<Identify>/] },
  {
    document: 'docs/how-to/harvest.md',
    beginning: 'oai_pmh',
    packages: ['libhttp-oai-perl'],
    shows: [/oai:libretto\.invalid:W-HAMLET/]
  },
  {
    document: 'docs/how-to/harvest.md',
    beginning: 'catmandu',
    packages: ['libcatmandu-oai-perl', 'libcatmandu-marc-perl'],
    shows: [/Hamlet/]
  },
  {
    document: 'docs/how-to/run-on-postgresql.md',
    beginning: 'MOVE_TO=postgres:',
    needsPostgres: true,
    afterwards: 'cp -r data/media moved/ && npx libretto check',
    settings: { DATABASE_URL: 'sqlite:moved/libretto.db' }
  },
  { document: 'docs/how-to/run-on-postgresql.md', beginning: 'DATABASE_URL=postgres://…', needsPostgres: true },
  { document: 'docs/how-to/public-catalogue.md', beginning: 'ANONYMOUS_ACCESS=read PUBLIC', shows: [/listens at/] },
  { document: 'docs/how-to/search-by-sru.md', beginning: 'zoomsh', packages: ['yaz'], shows: [/Hamlet/] },
  { document: 'docs/how-to/import-records.md', beginning: 'curl', shows: [/"id":/] },
  { document: 'docs/how-to/webhooks.md', beginning: 'curl', shows: [/whsec_/] },
  {
    document: 'docs/how-to/run-the-service.md',
    beginning: 'npx libretto token create --name admin',
    shows: [/revoked/i]
  },
  // The restore needs a database that is not in use.
  {
    document: 'docs/how-to/run-the-service.md',
    beginning: 'npx libretto restore',
    settings: { DATABASE_URL: 'sqlite:restored/libretto.db' },
    afterwards: 'cp -r data/media restored/ && npx libretto check'
  },
  // A fault in the setting would end the command.
  { document: 'docs/how-to/sign-in-with-an-issuer.md', beginning: 'export', afterwards: 'npx libretto token list' }
]

const isOf =
  ({ document, commands }: Block) =>
  (each: { readonly document: string; readonly beginning: string }) =>
    each.document === document && commands.startsWith(each.beginning)
const blocks = documents.flatMap(readBlocks)
const reasonOf = (block: Block) => notRun.find(([document, beginning]) => isOf(block)({ document, beginning }))?.[2]
const missing = ['curl', 'bash'].filter(program => findProgram(program) === undefined)

/** Starts a service on another database, and stops it when it listens. */
const startProgram = `
[ "$1" = start ] || exit 1
log=$(mktemp)
PORT=0 DATABASE_URL="sqlite:started/$$.db" "$NODE" '${join(root, 'src/cli/libretto.ts')}' serve > "$log" 2>&1 &
service=$!
while kill -0 $service 2> /dev/null && ! grep -q 'listens at' "$log"; do sleep 0.1; done
cat "$log"
kill $service 2> /dev/null && wait $service 2> /dev/null && grep -q 'listens at' "$log"`

const idOfToken = 'JSON.parse(require("fs").readFileSync(0)).find(({ name }) => name === "admin").id'

describe('the shell commands of documents', {
  skip: missing.length > 0 && `needs ${missing.join(' and ')}`
}, async () => {
  const folder = temporaryFolder({ after })
  const { url } = await serve({ after }, { cwd: folder, env: { ANONYMOUS_ACCESS: 'read' } })
  for (const name of ['programs', 'backups/libretto', 'restored', 'moved', 'started'])
    mkdirSync(join(folder, name), { recursive: true })
  writeProgram(
    'npx',
    `[ "$1 $2" != 'libretto serve' ] || exec npm start
[ "$1" = libretto ] && shift && exec '${process.execPath}' '${program}' "$@"`
  )
  // The service of this test has its key by a setting; a reader has a file.
  writeFileSync(join(folder, 'data/secret-key'), `${secretKey}\n`)
  writeProgram('node', `exec "$NODE" "$@"`)
  // As npm would install the client.
  mkdirSync(join(folder, 'node_modules/libretto-client'), { recursive: true })
  writeFileSync(
    join(folder, 'node_modules/libretto-client/index.js'),
    `export * from ${JSON.stringify(join(root, 'client/index.ts'))}\n`
  )
  writeFileSync(
    join(folder, 'node_modules/libretto-client/package.json'),
    '{"name":"libretto-client","type":"module","exports":"./index.js"}'
  )
  for (const name of ['biblios.mrc', 'authorities.mrc'])
    cpSync(join(root, 'test/fixtures/koha', name), join(folder, name))
  // A reader has started a service on the database before.
  writeFileSync(join(folder, 'empty.ndjson'), '')
  const ofElody = { cwd: folder, env: { DATABASE_URL: 'sqlite:moved/from-elody.db' } }
  assert.equal((await runCli(['import', 'empty.ndjson', '--create-database'], ofElody)).code, 0)
  writeProgram('npm', startProgram)
  writeProgram('curl', failingCurl(hangLimit / 1000))
  const options = { cwd: folder, env: { DATABASE_URL: 'sqlite:data/libretto.db' } }
  assert.equal((await runCli(['export', 'records.mrc', '--format', 'marc21'], options)).code, 0)

  /** Places and names in documents, and what stands for them here. */
  const replacements: readonly (readonly [printed: string, real: string])[] = [
    ['http://127.0.0.1:8080', url],
    ['--to sqlite:data/libretto.db', '--to sqlite:moved/libretto.db'],
    ['postgres://libretto:…@host/libretto', '$POSTGRES_URL'],
    ['postgres://…/libretto_restored', '$POSTGRES_URL'],
    ['/var/backups/', `${folder}/backups/`],
    ['$ELODY/', `${url}/v2/`],
    ['$ELODY_TOKEN', '$TOKEN'],
    ['2026-11-14.db', '$(date +%F).db'],
    // The second admin token.
    ['<id>', `$(npx libretto token list --json | "$NODE" -p '${idOfToken}')`]
  ]

  for (const block of blocks) {
    if (reasonOf(block) !== undefined) continue
    it(`run: ${block.document}, line ${block.line}`, async t => {
      const addition = additions.find(isOf(block))
      if (addition?.packages && !needDebian(t, addition.packages)) return
      if (addition?.needsPostgres && whyNoServer() !== false) return t.skip(String(whyNoServer()))
      const settings = {
        ...addition?.settings,
        ...(addition?.needsPostgres && { POSTGRES_URL: await createDatabase(t) })
      }
      const { code, output } = await run(`${block.commands}\n${addition?.afterwards ?? ''}`, settings)
      assert.equal(code, 0, output)
      for (const pattern of addition?.shows ?? []) assert.match(output, pattern)
    })
  }

  it('print an import as the how-to shows it', async () => {
    const example = /^\$ npx libretto import.*\n([\s\S]*?)^```/m.exec(
      readFileSync(join(root, 'docs/how-to/import-records.md'), 'utf8')
    )?.[1]
    // There are no questions about the records of the sample.
    const labels = [...(example ?? '').matchAll(/^ {2}(\S+) {2,}/gm)].map(([, label]) => label)
    assert.deepEqual(labels, ['Records', 'Works', 'Expressions', 'Undo'])
    const { output } = await run('npx libretto import records.mrc --agency another')
    for (const label of labels) assert.match(output, new RegExp(`^  ${label} {2,}\\d|^  ${label} {2,}npx`, 'm'))
    assert.match(output, /^records\.mrc: done \(\d+ in the file, [\d.]+ s, [\d,]+ a second\)$/m)
    assert.match(example ?? '', /^records\.mrc: done \([\d,]+ in the file, [\d.]+ s, [\d,]+ a second\)$/m)
  })

  it('are noticed when they fail', async () => {
    assert.notEqual((await run('curl -s -H "Authorization: Bearer $TOKEN" $BASE/entities/no-such-record')).code, 0)
    assert.notEqual((await run('npx libretto no-such-command\ntrue')).code, 0)
    assert.notEqual((await run('npx another-program')).code, 0)
    assert.notEqual((await run('ANONYMOUS_ACCESS=no-such-scope npm start')).code, 0)
    assert.notEqual((await run('echo $NO_SUCH_VARIABLE')).code, 0)
    assert.equal((await run('curl -s -H "Authorization: Bearer $TOKEN" $BASE/entities/PR-HAMLET')).code, 0)
  })

  it('are all run, but for those that are listed with a reason', () => {
    const listed = [...notRun.map(([document, beginning]) => ({ document, beginning })), ...additions]
    for (const entry of listed) {
      const matches = blocks.filter(block => isOf(block)(entry))
      assert.equal(matches.length, 1, `${entry.document}: ${matches.length} blocks begin with "${entry.beginning}"`)
    }
    assert.equal(blocksOf('planted.md', '1. Do:\n\n   ```sh\n   one\n   two\n   ```\n\n```js\n3\n```\n').length, 1)
    assert.ok(blocks.length - notRun.length >= 12, `Only ${blocks.length - notRun.length} blocks are run`)
  })

  /** Runs commands in bash as a reader would, with a token and the address of the service. */
  async function run(commands: string, settings: Readonly<Record<string, string>> = {}) {
    const text = replacements.reduce((result, [printed, real]) => result.replaceAll(printed, () => real), commands)
    const child = spawn('bash', ['-euo', 'pipefail', '-c', text], {
      cwd: folder,
      env: {
        TMPDIR: folder,
        PATH: `${join(folder, 'programs')}:${process.env.PATH}`,
        HOME: folder,
        NODE: process.execPath,
        TZ: 'UTC',
        NODE_COMPILE_CACHE: compileCache,
        SECRET_KEY: secretKey,
        TOKEN: readFileSync(join(folder, 'data', 'admin-token'), 'utf8').trim(),
        BASE: url,
        ...settings
      },
      stdio: ['ignore', 'pipe', 'pipe']
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', data => {
        output += data
      })
    }
    const timer = setTimeout(() => child.kill('SIGKILL'), hangLimit)
    const [code] = (await once(child, 'close')) as [number | null]
    clearTimeout(timer)
    return { code, output }
  }

  function writeProgram(name: string, script: string) {
    const file = join(folder, 'programs', name)
    writeFileSync(file, `#!/bin/bash\n${script}\n`)
    chmodSync(file, 0o755)
  }
})
