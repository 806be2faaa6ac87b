import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'

import { createModel } from '#domain/record-types/model.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { openStore } from '#store/open-store.ts'
import { createDatabase, whyNoServer } from '../support/databases/postgres-server.ts'
import { type Teardown, temporaryFolder } from '../support/machines/temporary-folder.ts'

/*
 * A client may name any place to go on from, such as one with a NUL, which PostgreSQL has in no
 * text.
 */

const databases = {
  SQLite: { skip: false, url: async (t: Teardown) => `sqlite:${join(temporaryFolder(t), 'catalogue.db')}` },
  PostgreSQL: { skip: whyNoServer(), url: createDatabase }
} as const

for (const [name, { skip, url }] of Object.entries(databases))
  describe(`import state on ${name}`, { skip }, () => {
    it('is read on from any place, also one that no key can have', async t => {
      await using store = await openStore(await url(t), createModel(builtInRecordTypes))
      const keys = ['a', 'ab', 'abc', 'b', 'é'].map(each => `job\n${each}`)
      const papers = keys.map(key => ({ kind: 'test', key, value: 'x' }))
      await store.write({ writes: [], by: 'test', state: papers })
      const after = async (place: string) => {
        const found = await store.readState('test', { prefix: 'job', after: `job\n${place}`, limit: 10 })
        return found.map(({ key }) => key.slice(4))
      }
      assert.deepEqual(await after('ab'), ['abc', 'b', 'é'])
      assert.deepEqual(await after('ab\0'), ['abc', 'b', 'é'])
      assert.deepEqual(await after('ab\0zzz\0'), ['abc', 'b', 'é'])
      assert.deepEqual(await after('\0'), ['a', 'ab', 'abc', 'b', 'é'])
      assert.deepEqual(await after('aa\0'), ['ab', 'abc', 'b', 'é'])
      assert.deepEqual(await after("';--\0"), ['a', 'ab', 'abc', 'b', 'é'])
    })
  })
