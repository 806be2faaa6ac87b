import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import type { Entity } from '#domain/entity/entity.ts'
import { maxRelationTypeLength } from '#domain/editing/read-draft.ts'
import { readTables } from '../support/databases/database.ts'
import { howMany } from '../support/records/chance.ts'
import { evaluate, type FilterObject, type Kept } from '../support/oracles/naive-evaluator.ts'
import { type Answer, start } from '../support/services/start.ts'
import { constantPieces } from './constant-pieces.ts'
import { payloads as allPayloads } from './injection-payloads.ts'

/**
 * All of them in the long tier, some in the short one: each is sent in so many places that all
 * would take minutes.
 */
const step = howMany({ quick: 20, short: 6, long: 1, onPostgres: 15 })
const payloads = allPayloads.filter((_, index) => index % step === 0)

/*
 * Texts that are code elsewhere, in every place of the interface that takes text. They are only
 * ever text: found as what they are, by nothing else, and reading with them changes no byte of the
 * database.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const control = /[\u0000-\u001f\u007f-\u009f]/
/** Dots are no identifiers: every client resolves them in a path before it sends it. */
const isOfDots = (text: string) => text === '.' || text === '..'
const canIdentify = (text: string) => !control.test(text) && !isOfDots(text)
const hasNul = (text: string) => text.includes('\0')
const inUrl = encodeURIComponent
/** As much of a text as a relation type may have. */
const relationType = (text: string) => [...text].slice(0, maxRelationTypeLength).join('')

describe('texts that are code elsewhere', async () => {
  const service = await start({ after })
  const { databaseUrl } = service.libretto.config
  const catalogue: Kept[] = []
  const idByPayload = new Map<string, string>()

  for (const [index, payload] of payloads.entries()) {
    const answer = await service.post('/entities?allow_dangling=1', {
      id: `VE-${index}`,
      type: 'venue',
      metadata: [
        { key: 'name', value: payload },
        { key: payload, value: payload, lang: payload.slice(0, 64) }
      ],
      relations: !canIdentify(payload)
        ? []
        : [{ type: relationType(payload), key: payload, metadata: [{ key: payload, value: payload }] }],
      identifiers: canIdentify(payload) ? [payload] : []
    })
    if (answer.status !== 201) continue
    catalogue.push({ entity: answer.body as Entity, created: index, changed: index })
    idByPayload.set(payload, `VE-${index}`)
  }

  it('are at least 400, and all can be stored but those that hold NUL or are blanks', () => {
    assert.ok(allPayloads.length >= 400, String(allPayloads.length))
    assert.deepEqual(
      payloads.filter(payload => !idByPayload.has(payload)),
      payloads.filter(payload => hasNul(payload) || (payload !== '' && payload.trim() === ''))
    )
  })

  it('are given back as they were sent', async () => {
    for (const [payload, id] of idByPayload) {
      const { body } = await service.get(`/entities/${id}`)
      assert.deepEqual(
        body.metadata.map((entry: { value: string }) => entry.value),
        [payload, payload]
      )
      assert.equal(body.metadata[1].key, payload)
      if (canIdentify(payload)) assert.equal(body.relations[0].type, relationType(payload))
    }
  })

  it('are found as what they are, and by nothing else', async () => {
    await unchanged(databaseUrl, async () => {
      await severalAtOnce([...idByPayload], async ([payload, id]) => {
        const exact: FilterObject = { type: 'selection', value: [payload], match_exact: true }
        const isWord = payload !== '*' && payload !== ''
        if (isWord) assert.deepEqual(await idsOf([{ ...exact, key: 'properties.name.value' }]), [id], payload)
        const questions: FilterObject[] = [
          { type: 'text', key: 'properties.name.value', value: payload },
          { type: 'text', key: 'metadata.name.value', value: `${payload.slice(0, 300)}*` },
          { type: 'text', key: 'metadata.name.value', value: `*${payload.slice(0, 300)}` },
          { type: 'selection', key: 'properties.name.value', value: payload },
          { type: 'selection', key: ['identifiers'], value: [payload, 'x'], match_exact: true },
          { type: 'text', key: 'identifiers', value: payload },
          { type: 'id', value: [payload] },
          { type: 'type', value: payload }
        ]
        // A text that looks like the prefix of a catalogue is one, anywhere in a path.
        if (payload.length < 480 && !/:\d+\|/.test(payload)) {
          questions.push(
            { ...exact, key: `metadata.${payload}.value` },
            { ...exact, key: [`relations.${payload}.key`] },
            { type: 'text', key: `relations.${payload}.key`, value: payload },
            { type: 'text', key: `metadata.${payload}.value`, value: '*' }
          )
        }
        for (const question of questions) {
          if (isTooMuch(question)) continue
          assert.deepEqual(await idsOf([question]), evaluate(catalogue, [question]), JSON.stringify(question))
        }
      })
    })
  })

  it('name an entity in a path as its other identifiers do', async () => {
    await unchanged(databaseUrl, () =>
      severalAtOnce(payloads, async payload => {
        const id = control.test(payload) ? undefined : idByPayload.get(payload)
        if (payload === '' || isOfDots(payload)) return
        for (const rest of ['', '?resolve=1', '/metadata', '/relations', '/references', '/tree', '/parts']) {
          const answer = await service.get(`/entities/${inUrl(payload)}${rest}`)
          isAnswered(answer, `GET /entities/${payload}${rest}`)
          if (rest === '' && id !== undefined) assert.equal(answer.body.id, id)
          if (rest === '' && id === undefined) assert.ok(answer.status === 404 || answer.status === 400, answer.text)
        }
        isAnswered(await service.get(`/entities/wem/${inUrl(payload)}`), payload)
        isAnswered(await service.get(`/problems/${inUrl(payload)}`), payload)
      })
    )
  })

  it('are only text in every query parameter', async () => {
    await unchanged(databaseUrl, () =>
      severalAtOnce(payloads, async payload => {
        const text = inUrl(payload)
        const listed = await service.get(`/entities?ids=${text}&envelope=1&limit=1000`)
        isAnswered(listed, `ids=${payload}`)
        if (listed.status === 200) {
          const ids = payload.split(',').filter(each => each !== '')
          assert.deepEqual(idsIn(listed), evaluate(catalogue, [{ type: 'id', value: ids }]), `ids=${payload}`)
        }
        for (const name of ['type', 'order_by', 'cursor', 'limit', 'skip', 'asc', 'envelope', payload]) {
          isAnswered(await service.get(`/entities?${inUrl(name)}=${text}&limit=1`), `${name}=${payload}`)
        }
        const ordered = await service.call('POST', `/entities/filter?order_by=${text}&limit=1000`, { body: [] })
        isAnswered(ordered, `order_by=${payload}`)
        if (ordered.status === 200) assert.equal(idsIn(ordered).length, catalogue.length, `order_by=${payload}`)
        // A cursor is text in base64; within it are values that are compared with those of records.
        const cursor = Buffer.from(JSON.stringify([[payload], 1, 0, 0])).toString('base64url')
        for (const order of ['name', 'id', 'type', 'name,id']) {
          isAnswered(await service.get(`/entities?order_by=${order}&cursor=${cursor}`), `cursor ${payload}`)
        }
        isAnswered(await service.get(`/entities/VE-0/references?type=${text}`), `references?type=${payload}`)
      })
    )
  })

  it('are only text in every member of a filter, and in every header', async () => {
    await unchanged(databaseUrl, () =>
      severalAtOnce(payloads, async payload => {
        const filters: unknown[] = [
          { type: payload, key: 'properties.name.value', value: 'x' },
          { type: 'text', key: payload, value: 'x' },
          { type: 'text', key: `${payload}:1|properties.name.value`, value: 'x' },
          { type: 'text', key: `properties.${payload}.value`, value: payload },
          { type: 'text', key: `properties.${payload}.name`, value: payload },
          { type: 'date', key: 'date_created', value: payload },
          { type: 'date', key: 'date_created', value: { min: payload } },
          { type: 'number', key: 'properties.capacity.value', value: payload },
          { type: 'boolean', key: 'properties.name.value', value: payload },
          { type: 'text', key: 'id', value: 'x', operator: payload },
          { type: 'text', key: 'id', value: 'x', [payload]: payload }
        ]
        for (const filter of filters)
          isAnswered(await service.post('/entities/filter', [filter]), JSON.stringify(filter))
        isAnswered(await service.post('/entities/wem', { ids: [payload] }), payload)
        const headerText = payload.replace(/[^\x20-\x7e]/g, '?')
        for (const name of ['if-match', 'if-none-match', 'authorization', 'accept', 'x-tenant-id']) {
          const headers = { [name]: name === 'authorization' ? `Bearer ${headerText}` : headerText }
          isAnswered(await service.get('/entities/VE-0', { headers }), `${name}: ${payload}`)
        }
      })
    )
  })

  it('are only text in writes that are tried or refused', async () => {
    await unchanged(databaseUrl, () =>
      severalAtOnce(payloads, async payload => {
        const bodies: unknown[] = [
          { type: payload },
          { type: 'venue', id: payload, metadata: [{ key: 'name', value: 'x' }] },
          { type: 'venue', _id: payload, metadata: [{ key: 'name', value: 'x' }] },
          { type: 'venue', metadata: [{ key: 'name', value: payload, lang: payload }], [payload]: payload },
          {
            type: 'production',
            metadata: [
              { key: 'title', value: payload },
              { key: 'status', value: payload }
            ]
          },
          {
            type: 'production',
            metadata: [
              { key: 'title', value: payload },
              { key: 'credits', value: payload }
            ]
          },
          {
            type: 'production',
            metadata: [{ key: 'title', value: payload }],
            relations: [{ type: 'refVenues', key: payload }]
          }
        ]
        for (const body of bodies) isAnswered(await service.post('/entities?dry_run=1', body), JSON.stringify(body))
        const patch = [
          { op: 'copy', from: payload, path: `/metadata/${payload}` },
          { op: 'test', path: payload, value: payload }
        ]
        const headers = { 'content-type': 'application/json-patch+json' }
        for (const operation of patch) {
          isAnswered(await service.call('PATCH', '/entities/VE-0?dry_run=1', { body: [operation], headers }), payload)
        }
        isAnswered(
          await service.call('DELETE', '/entities/VE-0/metadata?dry_run=1', { body: [{ key: payload }] }),
          payload
        )
        isAnswered(
          await service.call('DELETE', '/entities/VE-0/relations?dry_run=1', {
            body: [{ key: payload, type: payload }]
          }),
          payload
        )
        isAnswered(await service.delete(`/tokens/${inUrl(payload)}`), payload)
        isAnswered(await service.post('/tokens', { name: 'x', scopes: [payload] }), payload)
      })
    )
  })

  it('name a token, or are refused', async () => {
    for (const payload of payloads) {
      const made = await service.post('/tokens', { name: payload, scopes: ['read'] })
      isAnswered(made, payload)
      if (made.status !== 201) continue
      const list = (await service.get('/tokens')).body as { id: string; name: string }[]
      assert.equal(list.find(token => token.id === made.body.id)?.name, payload)
      assert.equal((await service.delete(`/tokens/${made.body.id}`)).status, 204)
    }
  })

  it('leave the database whole', async () => {
    assert.deepEqual((await service.libretto.store.check()).problems, [])
  })

  const idsIn = (answer: Answer) => (answer.body.results as Entity[]).map(entity => entity.id)

  async function idsOf(filters: readonly FilterObject[]): Promise<string[]> {
    const answer = await service.post('/entities/filter?limit=1000', filters)
    assert.equal(answer.status, 200, `${JSON.stringify(filters)} ${answer.text}`)
    return idsIn(answer)
  }
})

/** Does the work for each, a few of them at a time. */
async function severalAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>) {
  const waiting = items.values()
  const worker = async () => {
    for (const item of waiting) await work(item)
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}

/** More characters or stars than a filter takes. */
const isTooMuch = ({ value }: FilterObject) =>
  [value].flat().some(text => [...String(text)].length > 512 || String(text).split('*').length > 33)

function isAnswered({ status, text }: Answer, what: string) {
  assert.ok(status >= 200 && status < 500, `${what} → ${status} ${text}`)
  if (status >= 400)
    assert.doesNotMatch(
      text,
      /SQLITE_|SQL logic|near .{1,20}: syntax|no such (?:table|column)|fts5:|PostgresError|syntax error at|(?:relation|column) "[^"]*" does not|\n\s+at /,
      what
    )
}

/** Runs something that must not change a byte of any table. */
async function unchanged(databaseUrl: string, work: () => Promise<void>) {
  const before = await digest(databaseUrl)
  await work()
  assert.deepEqual(await digest(databaseUrl), before)
}

/** Returns the content of every table, including the schema. */
async function digest(databaseUrl: string): Promise<Record<string, string>> {
  const tables = Object.entries(await readTables(databaseUrl))
  return Object.fromEntries(
    tables.map(([name, rows]) => [name, `${rows.length} ${hash('sha256', rows.sort().join('\n'))}`])
  )
}

describe('the statements of the store', () => {
  const folder = join(import.meta.dirname, '../../src/store')

  /**
   * Arguments of a database that are not written out there: each is composed of the pieces above.
   */
  const knownArguments = [
    ...['text', 'statement', 'statement.text', 'insert', 'beginning', "insertRows(dialect, 'relations')"],
    ...["insertRows(dialect, 'identifiers', 'ON CONFLICT (identifier) DO UPDATE SET entity_pk = EXCLUDED.entity_pk')"],
    ...['addLookups(dialect)', 'dialect.lockChanges', "insertRows(dialect, 'versions')"],
    ...["insertRows(dialect, 'names', 'ON CONFLICT DO NOTHING')"],
    ...['timeLeft', 'insertLookups', 'lockChanges', 'storeChange', 'setProperty'],
    ...['beginSnapshot', 'deleteOutcomesBefore', 'insertOutcome', 'selectStateRange']
  ]

  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'))

  it('are made of constants: every piece put into one is on the list', () => {
    assert.ok(files.includes('query/history.ts'))
    const used = new Set<string>()
    const unknown: string[] = []
    for (const file of files) {
      const source = readFileSync(join(folder, file), 'utf8')
      for (const template of templatesOf(source)) {
        if (!isSql(template.text)) continue
        for (const piece of template.pieces) {
          used.add(`${file} ${piece}`)
          if (!constantPieces[file]?.includes(piece)) unknown.push(`${file}: \${${piece}} in ${template.text}`)
        }
      }
    }
    assert.deepEqual(unknown, [], 'not on the list')
    const unused = Object.entries(constantPieces).flatMap(([file, pieces]) =>
      pieces.map(piece => `${file} ${piece}`).filter(each => !used.has(each))
    )
    assert.deepEqual(unused, [], 'on the list, but nowhere used')
  })

  it('are handed over as they are written: no other text reaches prepare, exec or run', () => {
    let calls = 0
    for (const file of files) {
      const source = readFileSync(join(folder, file), 'utf8')
      for (const [, given = ''] of source.matchAll(
        /(?:(?<!\.)\bprepare\(|\b(?:db\.prepare|db\.exec|link\.run|yield sql)\(|prepareWriting\(\s*db,)\s*((?:[^()]|\([^()]*\))*?)\s*[,)]/g
      )) {
        calls++
        const isWrittenOut = /^['"`]/.test(given)
        // The one place that declares a parameter of this kind says its type instead.
        const isDeclaration = /^(?:text|db): /.test(given)
        assert.ok(isWrittenOut || isDeclaration || knownArguments.includes(given), `${file}: ${given}`)
      }
      assert.doesNotMatch(source, /(?:prepare|exec)\([^)]*['"`]\s*\+/, `${file} adds texts up to a statement`)
    }
    assert.ok(calls > 20, `only ${calls} calls were seen`)
  })
})

/**
 * Template literals of a source text, each with the pieces put into it; those within a piece come
 * by themselves too.
 */
function templatesOf(source: string): { text: string; pieces: string[] }[] {
  const found: { text: string; pieces: string[] }[] = []
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  const readTemplate = (from: number): number => {
    const template = { text: '', pieces: [] as string[] }
    found.push(template)
    for (let at = from; at < code.length; at++) {
      if (code[at] === '\\') template.text += code.slice(at, ++at + 1)
      else if (code[at] === '`') return at
      else if (code.startsWith('${', at)) {
        const end = readPiece(at + 2)
        template.pieces.push(
          code
            .slice(at + 2, end)
            .replaceAll('${', '{')
            .replace(/\s+/g, ' ')
            .trim()
        )
        template.text += '{…}'
        at = end
      } else template.text += code[at]
    }
    throw new Error('A template literal does not end')
  }
  const readPiece = (from: number): number => {
    let depth = 0
    for (let at = from; at < code.length; at++) {
      const letter = code[at]
      if (letter === '`') at = readTemplate(at + 1)
      else if (letter === "'" || letter === '"') at = skipText(at)
      else if (letter === '{') depth++
      else if (letter === '}' && depth-- === 0) return at
    }
    throw new Error('A piece does not end')
  }
  const skipText = (from: number): number => {
    for (let at = from + 1; at < code.length; at++) {
      if (code[at] === '\\') at++
      else if (code[at] === code[from] || code[at] === '\n') return at
    }
    return code.length
  }
  for (let at = 0; at < code.length; at++) {
    if (code[at] === '`') at = readTemplate(at + 1)
    else if (code[at] === "'" || code[at] === '"') at = skipText(at)
  }
  return found
}

/** SQL is written in capitals here, and has placeholders; sentences are not. */
const isSql = (text: string) =>
  /\b(?:SELECT|FROM|WHERE|AND|OR|NOT|IN|LIKE|BETWEEN|JOIN|PRAGMA|INSERT|UPDATE|DELETE|VALUES|SET|NULL|LIMIT)\b|\?/.test(
    text
  )
