import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import * as fc from 'fast-check'

import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { createModel } from '#domain/record-types/model.ts'
import { stateWrite } from '#imports/state/import-state.ts'
import { createStaging } from '#imports/state/staging.ts'
import { openStore } from '#store/open-store.ts'
import { temporaryFolder } from '../support/machines/temporary-folder.ts'

const file = join(temporaryFolder({ after }), 'staging.db')
const store = await openStore(`sqlite:${file}`, createModel(builtInRecordTypes), { queryDeadline: 10_000, readers: 1 })
after(() => store[Symbol.asyncDispose]())

/** Targets are cached, origins are not. */
const kinds = ['origin', 'target'] as const
const keys = ['a\n1', 'a\n2', 'b\n1', 'b\n2']

const step = fc.oneof(
  fc.record({
    step: fc.constant('put' as const),
    kind: fc.constantFrom(...kinds),
    key: fc.constantFrom(...keys),
    value: fc.option(fc.nat(99).map(String))
  }),
  fc.record({ step: fc.constantFrom('read' as const, 'flush' as const, 'clear' as const) })
)

for (const isPreview of [false, true])
  describe(isPreview ? 'The staging area of a preview' : 'The staging area of an import', () => {
    it('reads what is pending as if it were written', () =>
      fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 20 }), async steps => {
          await store.write({
            writes: [],
            by: 'test',
            state: kinds.flatMap(kind => keys.map((key, at) => stateWrite(kind, key, at % 2 ? null : ('0' as never))))
          })
          const staging = createStaging(store, { isPreview })
          const startValues = keys.filter((_, at) => at % 2 === 0).map(key => [key, '0'] as const)
          let flushed = new Map(kinds.map(kind => [kind, new Map<string, string>(startValues)]))
          const copy = () => new Map([...flushed].map(([kind, values]) => [kind, new Map(values)]))
          let expected = copy()
          for (const each of [...steps, { step: 'read' } as const]) {
            if (each.step === 'put') {
              staging.put(each.kind, each.key, each.value as never)
              if (each.value === null) expected.get(each.kind)?.delete(each.key)
              else expected.get(each.kind)?.set(each.key, each.value)
            } else if (each.step === 'flush') {
              const { state } = staging.flush()
              if (!isPreview) await store.write({ writes: [], by: 'test', state })
              flushed = expected
              expected = copy()
            } else if (each.step === 'clear') {
              staging.clear()
              expected = copy()
            } else
              for (const kind of kinds) {
                const values = expected.get(kind) as Map<string, string>
                const found = await staging.find(kind, keys)
                assert.deepEqual(Object.fromEntries(found), Object.fromEntries(values))
                const listed = await staging.listKeys(kind, ['a'])
                assert.deepEqual(listed.sort(), [...values.keys()].filter(key => key.startsWith('a')).sort())
              }
          }
        }),
        { numRuns: 300 }
      ))
  })
