import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'

import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

import type { CodeSample } from '#http/openapi/code-samples.ts'
import { exampleFile, type Examples } from '#http/openapi/examples.ts'
import { comparable, recordExamples } from '../../docs/record-examples.ts'
import { temporaryFolder } from '../support/services/start.ts'

/* The examples of the OpenAPI document: each of them is sent to a real service. */

interface Operation {
  readonly responses: Record<string, { readonly content?: Record<string, { readonly schema: object }> }>
  readonly 'x-codeSamples': readonly CodeSample[]
}

const root = resolve(import.meta.dirname, '../..')
const stored = JSON.parse(readFileSync(join(root, exampleFile), 'utf8')) as Examples
const { examples, answers, service } = await recordExamples({ after })
const document = (await service.get('/openapi.json')).body as {
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: object
}
const operations = new Map<string, Operation>(
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const)
  )
)

describe('An example', () => {
  it('is there for every operation, and for no other', () => {
    assert.deepEqual(Object.keys(stored).sort(), [...operations.keys()].sort())
  })

  it('is the request that is sent here, with an answer of the same members (npm run docs records it)', () => {
    for (const [name, example] of Object.entries(examples))
      assert.deepEqual(comparable(stored[name] ?? { status: 0 }), comparable(example), name)
  })

  it('has an answer of a documented status, media type and schema', () => {
    const ajv = new Ajv2020.Ajv2020({ strict: false, allErrors: true })
    addFormats.default(ajv)
    ajv.addSchema({ $id: 'doc', components: document.components })
    for (const [name, { status, headers, body, text }] of answers) {
      const response = operations.get(name)?.responses[String(status)]
      assert.ok(response, `${name} does not document ${status}`)
      if (text === '') continue
      const [mediaType = ''] = String(headers['content-type']).split(';')
      const content = response.content?.[mediaType] ?? response.content?.['*/*']
      assert.ok(content, `${name} does not document ${mediaType}`)
      if (!mediaType.endsWith('json')) continue
      const schema = JSON.parse(JSON.stringify(content.schema).replaceAll('"#/components', '"doc#/components'))
      const validate = ajv.compile(schema)
      assert.ok(validate(body), `${name}: ${JSON.stringify(validate.errors?.slice(0, 3))}`)
    }
  })
})

describe('The code of an example', () => {
  const samples = (lang: string) =>
    [...operations].map(([name, operation]) => {
      const sample = operation['x-codeSamples'].find(each => each.lang === lang)
      assert.ok(sample, name)
      return { name, source: sample.source }
    })

  it('is TypeScript that compiles with our client', async t => {
    const folder = temporaryFolder(t)
    const functions = samples('typescript').map(
      ({ name, source }, index) => `// ${name}\nexport const call${index} = async () => {\n${source}\n}`
    )
    writeFileSync(
      join(folder, 'samples.mts'),
      [
        "import { openAsBlob } from 'node:fs'",
        "import { createClient } from 'libretto-client'",
        "const [baseUrl, token] = ['', '']",
        'const libretto = createClient({ baseUrl, token })',
        'void openAsBlob',
        ...functions
      ].join('\n')
    )
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions: {
          ...{ noEmit: true, types: ['node'], rootDir: '/', noUnusedLocals: false },
          paths: { 'libretto-client': [join(root, 'client/index.ts')] }
        },
        include: ['samples.mts']
      })
    )
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(join(root, 'node_modules/@types'), join(folder, 'node_modules/@types'))
    const { stdout } = await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), ['-p', folder]).catch(
      (error: { stdout: string }) => error
    )
    assert.deepEqual(stdout.split('\n').slice(0, 10), [''])
  })

  it('is a command that a shell reads', () => {
    const { status, stderr } = spawnSync('sh', ['-n'], {
      input: samples('shell')
        .map(({ source }) => source)
        .join('\n'),
      encoding: 'utf8'
    })
    assert.equal(status, 0, stderr)
  })

  it('is Python that can be parsed', t => {
    const text = samples('python')
      .map(({ source }) => source)
      .join('\n')
    const { status, stderr, error } = spawnSync('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], {
      input: text,
      encoding: 'utf8'
    })
    if (error) return t.skip('needs python3: apt-get install python3')
    assert.equal(status, 0, stderr)
  })
})
