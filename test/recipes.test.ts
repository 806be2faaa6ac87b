import assert from 'node:assert/strict'
import { cpSync, globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'

import { temporaryFolder } from './support/machines/temporary-folder.ts'

/*
 * Follows the recipes of CONTRIBUTING.md in a copy of the sources, with the lines printed there,
 * and looks for the new field and the new format wherever they should be.
 */

const root = join(import.meta.dirname, '..')
const copy = temporaryFolder({ after })

/** A numbered step of a recipe: the file and the lines for it. */
interface Step {
  readonly file: string
  readonly lines: string
}

function readRecipe(title: string): Step[] {
  const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  const [, recipe = ''] = new RegExp(`\\n### ${title}\\n([\\s\\S]*?)\\n##`).exec(contributing) ?? []
  const steps = recipe.matchAll(/^\d\. `(src\/[^`]*)`(?:, in a new file `([^`]*)`)?[\s\S]*?```ts\n([\s\S]*?) *```/gm)
  return [...steps].map(([, path = '', name = '', lines = '']) => ({
    file: path + name,
    lines: lines.replaceAll(/^ {3}/gm, '')
  }))
}

/** Writes the lines of a step into the copy: a new file, or above the only line with an anchor. */
function follow({ file, lines }: Step, anchor: RegExp) {
  const path = join(copy, file)
  if (!globSync(path).length) return writeFileSync(path, lines)
  const before = readFileSync(path, 'utf8').split('\n')
  const at = before.findIndex(line => anchor.test(line))
  assert.ok(at > 0, `${file} has no line like ${anchor}`)
  writeFileSync(path, before.toSpliced(at, 0, lines).join('\n'))
}

const field = readRecipe('Add a field')
const format = readRecipe('Add an export format')

for (const each of ['src', 'docs', 'client', 'web', 'test/support', 'package.json', 'README.md'])
  cpSync(join(root, each), join(copy, each), {
    recursive: true,
    filter: path => !/\/(?:dist|node_modules)\b/.test(path)
  })
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
for (const step of field) follow(step, /^ *reading_level:|gives: 'reading_level'/)
for (const step of format) follow(step, /^ {2}bibtex: \{/)

// Threads are started from the sources of the copy, not from the program that was built for tests.
delete process.env.TEST_PROGRAM
const load = <Module>(path: string): Promise<Module> => import(join(copy, path))
const { start } = await load<typeof import('./support/services/start.ts')>('test/support/services/start.ts')
const { createBook } = await load<typeof import('./support/records/entities.ts')>('test/support/records/entities.ts')
const { importPayload } = await load<typeof import('./support/services/import-file.ts')>(
  'test/support/services/import-file.ts'
)
const service = await start({ after }, { ANONYMOUS_ACCESS: 'read' })

/** Two publications of works for different ages, in MARC as a librarian writes it. */
const marc = ['Storm, 9-12', 'Stilte, 4-6']
  .map((each, at) => {
    const [title, ages] = each.split(', ')
    return [
      '=LDR  00000nam a2200000 a 4500',
      `=001  age-${at}`,
      '=008  200101s2020    be            000 0 dut d',
      `=100  1\\$aZwanenburg, Ada ${at}`,
      `=245  10$a${title}`,
      `=521  1\\$a${ages}`
    ].join('\n')
  })
  .join('\n\n')

interface Found {
  readonly id: string
  readonly metadata: readonly { readonly key: string; readonly value: unknown }[]
}
const find = async (type: string, key: string, value: string): Promise<Found | undefined> =>
  (
    await service.filter([
      { type: 'type', value: type },
      { type: 'text', key: `properties.${key}.value`, value }
    ])
  ).body.results[0]
const findWork = () => find('work_word', 'interest_age', '9-12')

before(() => importPayload(service, marc, { query: '?format=mrk', type: 'text/plain' }))

describe('The recipe for a field', () => {
  it('names at most six files, and all that the field must stand in', () => {
    const standing = globSync(['src/**/*.ts', 'web/src/**/*.{ts,tsx}'], { cwd: copy }).filter(path =>
      /\binterest_age\b/.test(readFileSync(join(copy, path), 'utf8'))
    )
    assert.deepEqual(standing.toSorted(), field.map(({ file }) => file).toSorted())
    assert.ok(field.length <= 6)
  })

  it('brings the field in from MARC, and back out', async () => {
    const work = await findWork()
    assert.deepEqual(
      work?.metadata.filter(({ key }) => key === 'interest_age').map(({ value }) => value),
      ['9-12']
    )
    // One that was not imported is composed, by the row that reads the field.
    const {
      work: other,
      expression,
      manifestation
    } = await createBook(service, {
      work: { fields: { title: 'Made here', interest_age: '7-8' } }
    })
    const { text } = await service.get('/export?format=mrk')
    for (const ages of ['9-12', '7-8']) assert.match(text, new RegExp(`^=521 {2}1\\\\\\$a${ages}`, 'm'))
    for (const id of [manifestation, expression, other]) await service.delete(`/entities/${id}`)
  })

  it('makes it a filter, an order and a facet, checked as any other', async () => {
    const { body } = await service.filter(
      [{ type: 'type', value: 'work_word' }],
      '?order_by=interest_age&asc=1&facets=properties.interest_age.value'
    )
    const titles = body.results.map((each: Found) => each.metadata.find(({ key }) => key === 'title')?.value)
    assert.deepEqual(titles, ['Stilte', 'Storm'])
    assert.deepEqual(
      body.facets['properties.interest_age.value'].map((each: { value: string }) => each.value).toSorted(),
      ['4-6', '9-12']
    )
    const wrong = {
      type: 'work_word',
      metadata: [
        ['title', 'x'],
        ['interest_age', 9]
      ].map(([key, value]) => ({ key, value }))
    }
    assert.equal((await service.post('/entities', wrong)).status, 400)
  })

  it('shows it in linked data, in schema.org and to readers, in their language', async () => {
    const work = await findWork()
    for (const form of ['jsonld', 'schema', 'turtle'])
      assert.match((await service.get(`/entities/${work?.id}?format=${form}`)).text, /typicalAgeRange"?:? *"9-12/, form)
    for (const [language, label] of [
      ['en', 'Interest age'],
      ['nl', 'Interesseleeftijd'],
      ['fr', 'Âge d’intérêt'],
      ['de', 'Interessenalter']
    ] as const) {
      for (const path of ['/find?type=work', `/record/${work?.id}`]) {
        const { text } = await service.get(`/${language}${path}`, {
          token: undefined,
          headers: { accept: 'text/html' }
        })
        assert.ok(text.includes(label), `${language}${path} has no "${label}"`)
      }
    }
  })

  it('tells the page, the client and the documents', async () => {
    const { body } = await service.get('/record-types', { headers: { 'accept-language': 'nl' } })
    assert.match(JSON.stringify(body), /"Interesseleeftijd"/)
    const { clientTypes } = await load<typeof import('../docs/client-types.ts')>('docs/client-types.ts')
    assert.match(clientTypes((await service.get('/openapi.json')).body), /interest_age/)
  })
})

describe('The recipe for a format', () => {
  it('names two files', () => assert.equal(format.length, 2))

  it('offers it for a record, by name and by Accept, in exports and in searches', async () => {
    const edition = await find('manifestation_word', 'title', 'Storm')
    const path = `/entities/${edition?.id}`
    assert.equal((await service.get(`${path}?format=titles`)).text, 'Storm\n')
    assert.equal((await service.get(path, { headers: { accept: 'text/plain' } })).text, 'Storm\n')
    assert.deepEqual((await service.get('/export?format=titles')).text.trim().split('\n').toSorted(), [
      'Stilte',
      'Storm'
    ])
    assert.match((await service.get('/sru')).text, /<schema name="titles"/)
    assert.match((await service.get('/sru?query=Storm&recordSchema=titles')).text, />Storm&#10;</)
  })

  it('tells the interface and the client, whose list makes the menus of the page', async () => {
    const { clientFormats } = await load<typeof import('../docs/client-formats.ts')>('docs/client-formats.ts')
    assert.match(clientFormats(), /name: 'titles', title: 'Titles', extension: 'txt'/)
    const { paths } = (await service.get('/openapi.json')).body
    const named = paths['/export'].get.parameters.find((each: { name: string }) => each.name === 'format').schema.enum
    assert.ok(named.includes('titles'))
  })
})
