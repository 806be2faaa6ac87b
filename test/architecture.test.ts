import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { describe, it } from 'node:test'

import { LanguageVariant, SyntaxKind } from 'typescript/unstable/ast'
import { createScanner } from 'typescript/unstable/ast/scanner'

import { builtInRecordTypes } from '#domain/record-types/built-in.ts'

/*
 * The house (ARCHITECTURE.md) as data, and a checker that reads the source as text. When the work
 * shows a better house, change the table here and there in one commit.
 */

/**
 * The rooms and files that each room may import. `store/ports` and their sum `store/store.ts` are
 * the promises of the store, without a database.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  formats: ['domain'],
  index: ['domain'],
  threads: ['domain'],
  // The store brings a database to finding, which defines its queries and the records it reads.
  finding: ['domain', 'index', 'threads'],
  store: ['domain', 'index', 'threads', 'finding'],
  catalogue: ['domain', 'store/ports', 'store/store.ts'],
  auth: ['domain', 'store/ports', 'store/store.ts'],
  events: ['domain', 'store/ports', 'store/store.ts'],
  media: ['domain', 'store/ports', 'store/store.ts'],
  protocols: ['domain', 'catalogue', 'formats'],
  pages: ['domain', 'catalogue', 'formats'],
  imports: ['domain', 'catalogue', 'formats', 'store', 'events', 'threads', 'media'],
  http: ['domain', 'catalogue', 'auth', 'events', 'media', 'formats', 'protocols', 'pages', 'imports'],
  compat: ['domain', 'catalogue', 'imports', 'http'],
  cli: ['domain', 'catalogue', 'auth', 'events', 'media', 'formats', 'protocols', 'http', 'imports', 'store', 'wiring'],
  // src/main.ts, src/config.ts and src/version.ts join the rooms.
  wiring: [
    'domain',
    'catalogue',
    'auth',
    'events',
    'media',
    'formats',
    'protocols',
    'pages',
    'http',
    'compat',
    'imports',
    'store'
  ],
  client: [],
  // A front door to the formats, for other programs.
  packages: ['domain', 'formats'],
  // The page is built from the repository, so it needs no copy of the labels, nor of the grammar of
  // addresses.
  web: ['client', 'domain/labels', 'domain/find']
}

/** Packages and built-ins that only some rooms may name. */
const onlyIn: Readonly<Record<string, readonly string[]>> = {
  'node:sqlite': ['store'],
  pg: ['store'],
  postgres: ['store'],
  fastify: ['http', 'compat']
}

/** The packages and built-ins that the rooms without a store and without HTTP may name. */
const mayName: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  formats: ['node:buffer', 'node:crypto', 'node:zlib', 'ical.js', 'parse5', 'typebox'],
  packages: []
}

/** The one file of the domain that names a package and loads it, on first use. */
const namedInDomain: Readonly<Record<string, readonly string[]>> = {
  'src/domain/filter/regular-expression.ts': ['re2js', 'node:module']
}

const wiringFiles = ['src/main.ts', 'src/config.ts', 'src/service-secrets.ts', 'src/version.ts']
const readersOfEnvironment = ['src/config.ts', 'src/cli/libretto.ts']
const refusedFolders = ['utils', 'lib', 'helpers', 'common', 'services']

/** Names of record types that may stand in code outside their tables, and why. */
const namedOutside: readonly { readonly file: string; readonly names: readonly string[]; readonly because: string }[] =
  [
    {
      file: 'src/catalogue/publications/read-wem.ts',
      names: ['work', 'expression', 'manifestation'],
      because: 'the three levels of a WEM are the specification’s own words'
    },
    {
      file: 'src/catalogue/publications/identify-manifestation.ts',
      names: ['manifestation'],
      because: 'it finds the level that a WEM starts from'
    },
    {
      file: 'src/cli/import-summary.ts',
      names: ['work', 'expression'],
      because: 'its summary counts what was made at each level'
    },
    {
      file: 'src/formats/mods/read-mods.ts',
      names: ['subject', 'language', 'series'],
      because: 'these are elements of MODS, and one of its kinds of related items'
    },
    {
      file: 'src/formats/dublin-core/read-dublin-core.ts',
      names: ['language', 'publisher', 'subject'],
      because: 'these are elements of Dublin Core'
    },
    {
      file: 'src/formats/programme-documents.ts',
      names: ['item', 'language'],
      because: 'these are elements of RSS'
    },
    {
      file: 'src/formats/events/uitdatabank.ts',
      names: ['publisher'],
      because: 'it is a member of events of UiTdatabank'
    },
    {
      file: 'src/protocols/sru/indexes.ts',
      names: ['item'],
      because: 'it is the name of a context set'
    },
    {
      file: 'src/formats/rdf/rdf-agents.ts',
      names: ['work'],
      because: 'a main entry has a role at this level'
    },
    {
      file: 'src/formats/rdf/rdf-to-marc.ts',
      names: ['series'],
      because: 'it is a kind of relation of BIBFRAME'
    },
    {
      file: 'web/src/i18n/locale.tsx',
      names: ['language'],
      because: 'it is an option of Intl.DisplayNames'
    },
    {
      file: 'web/src/change/new-performances-page.tsx',
      names: ['time'],
      because: 'it is the name of a control of the browser'
    },
    {
      file: 'client/api.ts',
      names: ['work', 'expression'],
      because: 'questions of an import are about one level or the other; the file is written from the document'
    },
    {
      file: 'src/compat/extension.ts',
      names: ['language'],
      because: 'it is also a parameter that existing clients send'
    },
    {
      file: 'src/formats/marc/mapping/evidence.ts',
      names: ['work_word'],
      because: 'volumes are counted apart from the title of texts only, as the mapping names them'
    },
    { file: 'src/pages/record-page.ts', names: ['work'], because: 'the page of a work lists its editions' },
    {
      file: 'src/catalogue/publications/read-tree.ts',
      names: ['work'],
      because: 'a tree starts at the first of the three levels'
    },
    {
      file: 'src/formats/marc/mapping/authority-tables.ts',
      names: ['person', 'corporation', 'time', 'subject', 'place', 'genre'],
      because: 'an authority record becomes a record of the type that its row names'
    },
    ...['marc21-table.ts', 'unimarc-table.ts'].map(file => ({
      file: `src/formats/marc/mapping/${file}`,
      names: [
        ...[
          'work',
          'expression',
          'manifestation',
          'person',
          'corporation',
          'publisher',
          'place',
          'language',
          'subject'
        ],
        ...['time', 'genre', 'siso', 'zizo', 'target_audience', 'series']
      ],
      because: 'the table tells cataloguers what a field becomes'
    })),
    {
      file: 'src/domain/clustering/cluster-block.ts',
      names: ['work', 'expression'],
      because: 'clusters are made at these two of the three levels'
    },
    {
      file: 'src/formats/dublin-core/describe.ts',
      names: ['subject', 'publisher', 'language'],
      because: 'they are elements of Dublin Core'
    },
    {
      file: 'src/formats/mods/write-mods.ts',
      names: ['genre', 'place', 'publisher', 'language', 'subject', 'series'],
      because: 'they are elements and types of related items of MODS'
    },
    {
      file: 'src/domain/entity/publication.ts',
      names: ['work', 'expression', 'manifestation'],
      because: 'the three levels are the specification’s own words'
    },
    ...['compose-record.ts', 'compose/agents.ts', 'compose/languages.ts', 'compose/titles.ts', 'compose/topics.ts'].map(
      file => ({
        file: `src/formats/marc/${file}`,
        names: ['work', 'expression', 'manifestation'],
        because: 'a field of a composed record knows the level it speaks of'
      })
    ),
    {
      file: 'src/formats/onix/describe-product.ts',
      names: ['work', 'expression', 'manifestation'],
      because: 'it says at which of the three levels an element speaks'
    },
    {
      file: 'src/formats/tables/describe-publication.ts',
      names: ['work'],
      because: 'whoever made the work is its author'
    },
    {
      file: 'src/formats/description/describe-drafts.ts',
      names: ['language'],
      because: 'it is the word of Intl.DisplayNames'
    },
    {
      file: 'src/catalogue/publications/read-publications.ts',
      names: ['work', 'expression', 'manifestation'],
      because: 'a publication is the three levels together'
    },
    {
      file: 'src/formats/description/roles.ts',
      names: ['work', 'expression', 'manifestation', 'publisher'],
      because: 'a role is at home at one of the three levels; publisher is a role too'
    },
    {
      file: 'src/formats/description/series.ts',
      names: ['series'],
      because: 'it is a title that many series have'
    },
    {
      file: 'src/formats/description/languages.ts',
      names: ['language'],
      because: 'it is the word of Intl.DisplayNames'
    },
    {
      file: 'web/src/start/counts.tsx',
      names: [
        ...['work', 'expression', 'manifestation', 'person'],
        ...['production', 'performance', 'venue', 'company']
      ],
      because: 'it orders the counts that the start page shows first'
    },
    {
      file: 'web/src/browse/hierarchy.tsx',
      names: ['work'],
      because: 'subjects are counted by their works'
    },
    {
      file: 'web/src/record/editions.tsx',
      names: ['manifestation'],
      because: 'editions are the lowest of the three levels'
    },
    ...['programme.tsx', 'record-page.tsx'].map(file => ({
      file: `web/src/record/${file}`,
      names: ['performance'],
      because: 'a programme lists performances'
    })),
    {
      file: 'web/src/record/work-tree.tsx',
      names: ['work', 'expression', 'manifestation'],
      because: 'the tree draws the three levels, each in its colour'
    },
    {
      file: 'web/src/record/level-card.tsx',
      names: ['work', 'expression', 'manifestation'],
      because: 'a card of the tree has the colour of its level'
    },
    {
      file: 'web/src/record/wem-ladder.tsx',
      names: ['work', 'expression', 'manifestation'],
      because: 'so does the page of a publication'
    },
    {
      file: 'web/src/import/column-meanings.tsx',
      names: ['work', 'expression', 'manifestation'],
      because: 'a column of a table speaks of one of the three levels'
    },
    {
      file: 'web/src/import/review-question.tsx',
      names: ['work'],
      because: 'a question is about one level or the other'
    },
    {
      file: 'web/src/import/evidence-text.ts',
      names: ['language'],
      because: 'it is the word of Intl.DisplayNames'
    },
    {
      file: 'src/domain/search/search-fields.ts',
      names: ['subject', 'genre', 'publisher', 'language', 'series'],
      because: 'they are words of the search language'
    },
    { file: 'client/entities.ts', names: ['work'], because: 'results are grouped by this level' },
    {
      file: 'client/checked-names.ts',
      names: ['production', 'work'],
      because: 'scopes by status are of productions, and filters together are of a work'
    },
    { file: 'client/media.ts', names: ['mediafile'], because: 'the fields of a media file are those of its type' },
    {
      file: 'web/src/i18n/en.ts',
      names: ['expression', 'production', 'performance'],
      because: 'they are words of English there'
    }
  ]

/** Every name that stands for record types: types and umbrellas. */
const typeNames: ReadonlySet<string> = new Set(
  builtInRecordTypes.flatMap(({ type, umbrella }) => (umbrella === undefined ? [type] : [type, umbrella]))
)
/** Some are the names of fields too; as a text they say nothing of types. */
const fieldNames: ReadonlySet<string> = new Set(builtInRecordTypes.flatMap(({ fields }) => Object.keys(fields)))

/** Source text by its path in the repository. */
type Tree = Readonly<Record<string, string>>

describe('the house', () => {
  const tree = readTree()

  it('keeps to its table of imports, its one way of writing them, and its absences', () => {
    assert.deepEqual(findFaults(tree), [])
  })

  it('has no cycle of imports', () => {
    assert.deepEqual(findCycles(tree), [])
  })

  it('has a table in which imports go in one direction', () => {
    const above = (room: string): string[] =>
      Object.keys(mayImport).filter(each => mayImport[each]?.some(target => target.split('/')[0] === room))
    // Rooms that nothing left imports are taken away, floor by floor; a circle would remain.
    let left = Object.keys(mayImport)
    for (let count = Number.POSITIVE_INFINITY; left.length < count; ) {
      count = left.length
      left = left.filter(room => above(room).some(each => left.includes(each)))
    }
    assert.deepEqual(left, [])
  })

  it('has one file outside compat that imports it, so that it can be deleted', () => {
    const importers = Object.entries(tree).filter(([file, text]) =>
      importsOf(file, readSource(text)).some(({ target }) => target !== undefined && roomOf(target) === 'compat')
    )
    assert.deepEqual(
      importers.map(([file]) => file).filter(file => roomOf(file) !== 'compat'),
      ['src/main.ts']
    )
  })

  it('has no second path through the index: few files know which records changed since the base', () => {
    const knowing = Object.keys(tree).filter(
      file =>
        /^src\/(?:index|finding)\//.test(file) && /delta|\.hidden\b|unchangedOf|index\.base\b/i.test(tree[file] ?? '')
    )
    assert.deepEqual(
      knowing.sort(),
      ['current-documents', 'delta', 'facts', 'occurrences', 'owners', 'relatives', 'values'].map(
        name => `src/index/${name}.ts`
      )
    )
  })

  it('was read: its rooms and their imports are there', () => {
    const rooms = new Set(Object.keys(tree).map(roomOf))
    for (const room of ['domain', 'store', 'catalogue', 'auth', 'http', 'cli', 'wiring'])
      assert.ok(rooms.has(room), room)
    const imports = Object.entries(tree).flatMap(([file, text]) => importsOf(file, readSource(text)))
    assert.ok(imports.filter(each => each.target !== undefined).length > 100)
    for (const { target } of imports)
      if (target !== undefined && !target.endsWith('.json')) assert.ok(target in tree, `there is no ${target}`)
  })

  it('needs every exception that its checker allows', () => {
    for (const { file, names } of namedOutside) {
      const strings = readSource(tree[file] ?? '').strings.map(each => each.value)
      for (const name of names) assert.ok(strings.includes(name), `${file} no longer says '${name}'`)
    }
  })
})

const switchWithDefault = `import type { Filter } from '#domain/filter/filter.ts'\nswitch (filter.kind) { case 'all': { break }\ndefault: }`

const sound: Tree = {
  'src/main.ts': `import { serve } from '#http/app.ts'\nimport { openStore } from '#store/open-store.ts'\nimport './config.ts'`,
  'src/config.ts': 'export const port = process.env.PORT',
  'src/domain/entity/entity.ts': `import type { Field } from './field.ts' // not from 'node:fs'`,
  'src/domain/field.ts': 'export type Field = string',
  'src/store/store.ts': `import type { Entity } from '#domain/entity/entity.ts'`,
  'src/store/open-store.ts': `import { open } from './sqlite/open.ts'`,
  'src/store/sqlite/open.ts': `import { DatabaseSync } from 'node:sqlite'\nimport type { Store } from '../store.ts'\nconst all = 'SELECT 1'`,
  'src/store/ports/tokens.ts': '',
  'src/catalogue/read.ts': `import type { Store } from '#store/store.ts'\nimport type { T } from '#store/ports/tokens.ts'`,
  'src/http/app.ts': `import Fastify from 'fastify'\nimport { read } from '#catalogue/read.ts'\nconst schema = { enum: [1] }`,
  'src/cli/libretto.ts': `import { serve } from '../main.ts'\nserve(process.env)`
}

describe('the checker of the house', () => {
  it('finds nothing wrong with a sound tree', () => {
    assert.deepEqual(findFaults(sound), [])
    assert.deepEqual(findCycles(sound), [])
  })

  const unsound: readonly [what: string, file: string, text: string, fault: RegExp][] = [
    [
      'a crossing that is not in the table',
      'src/store/x.ts',
      `import { r } from '#catalogue/read.ts'`,
      /store may not import catalogue/
    ],
    [
      'a crossing for a type only',
      'src/finding/x.ts',
      `import type { T } from '#store/ports/tokens.ts'`,
      /finding may not import store/
    ],
    ['a crossing by export', 'src/formats/x.ts', `export * from '#store/store.ts'`, /formats may not import store/],
    ['a crossing by import()', 'src/auth/x.ts', `await import('#http/app.ts')`, /auth may not import http/],
    [
      'a type that is imported in place',
      'src/domain/x.ts',
      `let s: import('#store/store.ts').Store`,
      /domain may not import store/
    ],
    [
      'the store behind its port',
      'src/catalogue/x.ts',
      `import { o } from '#store/open-store.ts'`,
      /catalogue may not import store\/open-store/
    ],
    ['the wiring', 'src/http/x.ts', `import { main } from '../main.ts'`, /http may not import wiring/],
    [
      'a built-in in the domain',
      'src/domain/x.ts',
      `import { hash } from 'node:crypto'`,
      /domain may not name "node:crypto"/
    ],
    ['HTTP in a format', 'src/formats/x.ts', `import http from 'node:http'`, /formats may not name "node:http"/],
    ['a store in a package', 'packages/x.ts', `export * from '../src/store/store.ts'`, /may not import store/],
    ['a package in the domain', 'src/domain/x.ts', `import Type from 'typebox'`, /domain may not name "typebox"/],
    [
      'a database engine elsewhere',
      'src/cli/x.ts',
      `import { DatabaseSync } from 'node:sqlite'`,
      /"node:sqlite" is for store/
    ],
    ['Fastify elsewhere', 'src/auth/x.ts', `import type { F } from 'fastify'`, /"fastify" is for http/],
    [
      'a part of Fastify elsewhere',
      'src/cli/x.ts',
      `import type { F } from 'fastify/types/x.js'`,
      /"fastify" is for http/
    ],
    ['the environment', 'src/http/x.ts', 'const level = process.env.LOG_LEVEL', /reads the environment/],
    ['the environment, taken apart', 'src/http/x.ts', 'const { env } = process', /reads the environment/],
    ['the environment, by its name', 'src/http/x.ts', `const e = process['env']`, /reads the environment/],
    ['the environment, imported', 'src/http/x.ts', `import { env } from 'node:process'`, /reads the environment/],
    ['a clock in the domain', 'src/domain/x.ts', 'const now = Date.now()', /reads a clock/],
    ['chance in the domain', 'src/domain/x.ts', 'const r = Math.random()', /reads a clock/],
    [
      'a table that has the keys of every object',
      'src/formats/x.ts',
      'const words: Readonly<Record<string, string>> = {',
      /has a table with the keys of every object/
    ],
    ['an enum', 'src/domain/x.ts', 'export enum Status { concept }', /has an enum/],
    ['a folder for anything', 'src/http/utils/x.ts', '', /folder "utils"/],
    ['a room that is not in the table', 'src/things/x.ts', '', /no room "things"/],
    ['a file beside the rooms', 'src/other.ts', '', /no room/],
    [
      'a type name outside its table',
      'src/catalogue/x.ts',
      `if (type === 'production') return`,
      /names the record type "production"/
    ],
    ['an umbrella outside the tables', 'src/http/x.ts', `switch (t) { case "work": }`, /names the record type "work"/],
    ['a subtype in backticks', 'src/http/x.ts', 'if (t === `work_word`) x()', /names the record type "work_word"/],
    ['a default branch for kinds of filters', 'src/http/x.ts', switchWithDefault, /has a default branch/],
    ['SQL above the store', 'src/catalogue/x.ts', 'db.all(`\n  SELECT * FROM entities`)', /has SQL/],
    [
      'a crossing by a relative path',
      'src/catalogue/x.ts',
      `import type { S } from '../store/store.ts'`,
      /write "#store\/store.ts"/
    ],
    ['its own room by its name', 'src/http/x.ts', `import { a } from '#http/app.ts'`, /write "\.\/app.ts"/],
    ['an import without its ending', 'src/http/x.ts', `import { a } from './app'`, /is not a \.ts file or data/],
    [
      'the client using the service',
      'client/x.ts',
      `import { a } from '../src/http/app.ts'`,
      /client may not import http/
    ],
    [
      'the page using more than the labels',
      'web/x.ts',
      `import { a } from '../src/domain/errors.ts'`,
      /web may not import domain\/errors/
    ]
  ]
  for (const [what, file, text, fault] of unsound) {
    it(`finds ${what}`, () => {
      const faults = findFaults({ ...sound, [file]: text })
      assert.equal(faults.length, 1, faults.join('\n'))
      assert.match(faults[0] ?? '', fault)
      assert.ok(faults[0]?.startsWith(`${file}: `))
    })
  }

  it('finds a cycle of imports, through types too', () => {
    const tree: Tree = {
      'src/domain/a.ts': `import type { B } from './b.ts'`,
      'src/domain/b.ts': `import { c } from './c.ts'`,
      'src/domain/c.ts': `import { a } from './a.ts'`,
      'src/domain/d.ts': `import { a } from './a.ts'`
    }
    assert.deepEqual(findCycles(tree), ['src/domain/a.ts → src/domain/b.ts → src/domain/c.ts → src/domain/a.ts'])
  })

  it('is not led astray by comments, texts and patterns', () => {
    const text = [
      `// import 'node:fs' and process.env`,
      `/* enum Status {} from '#http/app.ts' */`,
      `const words = "import x from 'fastify'"`,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source to be read
      "const more = `${words} process.env ${`enum X ${1}`} it's`",
      `const pattern = /['"\`]process.env/.test(words) // "`,
      'const share = 4 / 2 / 1',
      `export const last = 'said'`
    ].join('\n')
    assert.deepEqual(findFaults({ ...sound, 'src/domain/x.ts': text }), [])
    assert.equal(readSource(text).strings.at(-1)?.value, 'said')
  })
})

function readTree(): Tree {
  const root = join(import.meta.dirname, '..')
  const files = globSync(['src/**/*.ts', 'client/**/*.ts', 'packages/**/*.ts', 'web/**/*.{ts,tsx}'], {
    cwd: root,
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.test.ts', 'packages/*/examples/**']
  })
  return Object.fromEntries(files.map(file => [file.replaceAll('\\', '/'), readFileSync(join(root, file), 'utf8')]))
}

/** Everything in the tree that the house does not allow, each with its file. */
function findFaults(tree: Tree): string[] {
  return Object.entries(tree).flatMap(([file, text]) => {
    const source = readSource(text)
    const faults = [...findPlaceFaults(file), ...findImportFaults(file, source), ...findContentFaults(file, source)]
    return faults.map(fault => `${file}: ${fault}`)
  })
}

function findPlaceFaults(file: string): string[] {
  const folders = dirname(file).split('/')
  const refused = folders.filter(folder => refusedFolders.includes(folder))
  if (refused.length > 0) return refused.map(folder => `a folder "${folder}" says nothing of what is in it`)
  return Object.hasOwn(mayImport, roomOf(file)) ? [] : [`there is no room "${roomOf(file)}"`]
}

function findImportFaults(file: string, source: Source): string[] {
  const room = roomOf(file)
  const allowed = mayImport[room] ?? []
  return importsOf(file, source).flatMap(({ specifier, target }) => {
    if (target === undefined) {
      const names = mayName[room] && [...mayName[room], ...(namedInDomain[file] ?? [])]
      if (names && !names.some(each => specifier === each || specifier.startsWith(`${each}/`)))
        return [`${room} may not name "${specifier}"`]
      const name = Object.keys(onlyIn).find(each => specifier === each || specifier.startsWith(`${each}/`))
      const rooms = name === undefined ? [room] : (onlyIn[name] ?? [])
      return rooms.includes(room) ? [] : [`"${name}" is for ${rooms.join(' and ')}, not ${room}`]
    }
    const to = roomOf(target)
    const inside = target.replace(/^src\//, '')
    if (to !== room && !allowed.includes(to) && !allowed.includes(inside) && !allowed.includes(dirname(inside))) {
      return [`${room} may not import ${allowed.some(each => each.startsWith(`${to}/`)) ? inside : to}`]
    }
    if (!/\.(?:tsx?|json)$/.test(specifier)) return [`"${specifier}" is not a .ts file or data`]
    const relative = posix.relative(dirname(file), target)
    const near = relative.startsWith('.') ? relative : `./${relative}`
    // `#` is for files of src, which has the package.json that it is resolved by.
    const isNear = to === room || to === 'wiring' || !target.startsWith('src/') || room === 'web' || room === 'packages'
    const wanted = isNear ? near : `#${inside}`
    return specifier === wanted ? [] : [`write "${wanted}", not "${specifier}"`]
  })
}

function findContentFaults(file: string, { code, strings }: Source): string[] {
  const room = roomOf(file)
  const faults: string[] = []
  const readsEnvironment =
    /\bprocess\s*(?:\?\.|\.)\s*env\b|\bprocess\s*\[|\benv\b[^=;]*\}\s*=\s*process\b/.test(code) ||
    strings.some(each => each.isImport && /^(?:node:)?process$/.test(each.value))
  if (readsEnvironment && !readersOfEnvironment.includes(file)) faults.push('reads the environment')
  if (room === 'domain' && /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b|\bMath\.random\b/.test(code))
    faults.push('reads a clock, or chance')
  if (/\benum\s+[A-Za-z_$]/.test(code)) faults.push('has an enum; write a list, and a type from it')
  // Examples of the interface are looked up by its own names; labels are copied to the client.
  if (
    !/^(?:src\/http\/openapi|src\/domain\/labels|client)\//.test(file) &&
    /^(?:export )?const \w+: (?:Readonly<)?Record<string,.*= \{/m.test(code)
  )
    faults.push('has a table with the keys of every object, such as "constructor"; write table({ … })')
  if (importsOf(file, { code, strings }).some(each => each.target === filterFile) && hasDefaultKind(code))
    faults.push('has a default branch for kinds of filters; list them, so that a new one is a type error')
  if (room !== 'store' && strings.some(each => sqlPattern.test(each.value))) faults.push('has SQL')
  // The types of the client are generated from the tables.
  if (!file.startsWith('src/domain/record-types/') && file !== 'client/api.ts') {
    const allowed = namedOutside.find(each => each.file === file)?.names ?? []
    const named = strings.map(each => each.value).filter(each => typeNames.has(each) && !fieldNames.has(each))
    for (const name of new Set(named)) {
      if (!allowed.includes(name)) faults.push(`names the record type "${name}"; that belongs in its table`)
    }
  }
  return faults
}

const filterFile = 'src/domain/filter/filter.ts'

/** Whether a switch over kinds has a default branch. */
function hasDefaultKind(code: string): boolean {
  const [, ...switches] = code.split(/\bswitch (?=\([\w.]+\.kind\))/)
  return switches.some(text => {
    let depth = 0
    for (const [token] of text.matchAll(/[{}]|\bdefault ?:/g)) {
      if (token !== '{' && token !== '}') return true
      depth += token === '{' ? 1 : -1
      if (depth === 0) break
    }
    return false
  })
}

const sqlPattern = /^\s*(?:SELECT|INSERT|UPDATE|DELETE FROM|CREATE (?:TABLE|INDEX)|PRAGMA|BEGIN IMMEDIATE)\s/

/** Circles of imports, each told once, from its first file. */
function findCycles(tree: Tree): string[] {
  const imports = new Map(
    Object.entries(tree).map(([file, text]) => [
      file,
      importsOf(file, readSource(text)).flatMap(each => each.target ?? [])
    ])
  )
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, path: readonly string[]) => {
    const at = path.indexOf(file)
    if (at >= 0) cycles.push([...path.slice(at), file].join(' → '))
    if (at >= 0 || done.has(file)) return
    for (const next of imports.get(file) ?? []) visit(next, [...path, file])
    done.add(file)
  }
  for (const file of [...imports.keys()].sort()) visit(file, [])
  return cycles
}

function roomOf(file: string): string {
  if (wiringFiles.includes(file)) return 'wiring'
  const [first = '', second = ''] = file.split('/')
  return first === 'src' ? second : first
}

interface Import {
  readonly specifier: string
  /** The file of the repository that is meant; undefined for a package or a built-in. */
  readonly target: string | undefined
}

function importsOf(file: string, { strings }: Source): Import[] {
  return strings.flatMap(({ isImport, value }) => {
    // Styles and pictures of the page are no rooms.
    if (!isImport || (file.startsWith('web/') && /\.(?:css|svg)$/.test(value))) return []
    if (value.startsWith('#')) return [{ specifier: value, target: `src/${value.slice(1)}` }]
    const target = value.startsWith('.') ? posix.join(dirname(file), value) : undefined
    return [{ specifier: value, target }]
  })
}

interface Source {
  /** The code without comments, patterns and the contents of strings. */
  readonly code: string
  readonly strings: readonly { readonly value: string; readonly isImport: boolean }[]
}

const { StringLiteral, NoSubstitutionTemplateLiteral, TemplateHead, TemplateMiddle, TemplateTail } = SyntaxKind
const { Identifier, ImportKeyword, FromKeyword, OpenParenToken, OpenBraceToken, CloseBraceToken } = SyntaxKind
const texts = new Set([StringLiteral, NoSubstitutionTemplateLiteral, TemplateHead, TemplateMiddle, TemplateTail])
const slashes = new Set([SyntaxKind.SlashToken, SyntaxKind.SlashEqualsToken])
/** Tokens that end a value: a slash after one of them divides, any other begins a pattern. */
const valueEnds = new Set([
  ...[StringLiteral, NoSubstitutionTemplateLiteral, TemplateTail, Identifier, CloseBraceToken],
  ...[SyntaxKind.NumericLiteral, SyntaxKind.CloseParenToken, SyntaxKind.CloseBracketToken, SyntaxKind.ThisKeyword]
])

/**
 * Separates code and strings with the scanner of TypeScript. The value of a template is its pieces,
 * joined, without the expressions between them.
 */
function readSource(text: string): Source {
  const strings: { value: string; isImport: boolean }[] = []
  /** Open templates, each with the number of open braces in its expression. */
  const templates: { value: string; depth: number }[] = []
  let code = ''
  let [previous, before] = [SyntaxKind.Unknown, SyntaxKind.Unknown]
  const scanner = createScanner(true, LanguageVariant.JSX, text)
  for (let kind = scanner.scan(); kind !== SyntaxKind.EndOfFile; kind = scanner.scan()) {
    const template = templates.at(-1)
    if (slashes.has(kind) && !valueEnds.has(previous)) kind = scanner.reScanSlashToken()
    if (template && kind === OpenBraceToken) template.depth++
    if (template && kind === CloseBraceToken && template.depth-- === 0) kind = scanner.reScanTemplateToken(false)
    const value = scanner.getTokenValue()
    const isEnd = kind === TemplateTail
    if (kind === TemplateHead) templates.push({ value, depth: 0 })
    else if (kind === TemplateMiddle && template) Object.assign(template, { value: template.value + value, depth: 0 })
    else if (texts.has(kind)) {
      const isCalled = previous === OpenParenToken && before === ImportKeyword
      const isImport = !isEnd && (previous === FromKeyword || previous === ImportKeyword || isCalled)
      strings.push({ value: isEnd ? `${templates.pop()?.value}${value}` : value, isImport })
    }
    if (scanner.getTokenFullStart() < scanner.getTokenStart()) code += ' '
    code += texts.has(kind) || kind === SyntaxKind.RegularExpressionLiteral ? "''" : scanner.getTokenText()
    ;[previous, before] = [kind, previous]
  }
  return { code, strings }
}
