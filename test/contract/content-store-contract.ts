import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { describe, it } from 'node:test'

import { CatalogueError } from '#domain/errors.ts'
import type { ContentStore } from '#media/content-store.ts'
import { sha256 } from '../support/records/media.ts'
import type { Teardown } from '../support/machines/temporary-folder.ts'

/**
 * The promises of every content store. Called once for each adapter, so each promise is written
 * once and tested for all.
 */
export function contentStoreContract(name: string, openStore: (t: Teardown) => Promise<ContentStore>) {
  describe(`${name} keeps content`, () => {
    it('and gives all of it, or a part', async t => {
      const store = await openStore(t)
      const hash = await put(t, store, Buffer.from('0123456789'))

      assert.equal(await textOf(await store.read(hash, 0, 9)), '0123456789')
      assert.equal(await textOf(await store.read(hash, 3, 5)), '345')
      assert.equal(await textOf(await store.read(hash, 9, 9)), '9')
      assert.equal((await store.find(hash))?.size, 10)
    })

    it('also when there are no bytes in it', async t => {
      const store = await openStore(t)
      const hash = await put(t, store, Buffer.alloc(0))
      assert.equal((await store.find(hash))?.size, 0)
    })

    it('once, and counts it as put there now when it comes again', async t => {
      const store = await openStore(t)
      const hash = await put(t, store, Buffer.from('twice'))
      const first = await store.find(hash)
      await new Promise(resolve => setTimeout(resolve, 1100))
      await put(t, store, Buffer.from('twice'))
      const second = await store.find(hash)

      assert.ok((second?.storedAt ?? 0) > (first?.storedAt ?? 0))
      assert.deepEqual(
        (await Array.fromAsync(store.list())).map(each => each.hash),
        [hash]
      )
    })

    it('in pieces, where it is large', async t => {
      const store = await openStore(t)
      const bytes = Buffer.alloc(20_000_001, 'a longer text, again and again. ')
      const hash = await put(t, store, bytes)

      assert.equal((await store.find(hash))?.size, bytes.length)
      assert.equal(await textOf(await store.read(hash, 19_999_990, 20_000_000)), bytes.toString('utf8', 19_999_990))
    })

    it('until it is removed', async t => {
      const store = await openStore(t)
      const hash = await put(t, store, Buffer.from('gone'))
      const other = await put(t, store, Buffer.from('stays'))
      await store.remove(hash)
      await store.remove(hash)

      assert.equal(await store.find(hash), undefined)
      await assert.rejects(
        store.read(hash, 0, 1),
        (error: unknown) => error instanceof CatalogueError && error.code === 'not_found'
      )
      assert.deepEqual(
        (await Array.fromAsync(store.list())).map(each => each.hash),
        [other]
      )
    })

    it('and lists all of it', async t => {
      const store = await openStore(t)
      const hashes: string[] = []
      for (let index = 0; index < 25; index++) hashes.push(await put(t, store, Buffer.from(`content ${index}`)))
      const listed = await Array.fromAsync(store.list())

      assert.deepEqual(listed.map(each => each.hash).sort(), hashes.sort())
      for (const { size, storedAt } of listed) {
        assert.ok(size >= 9)
        assert.ok(Math.abs(storedAt - Date.now()) < 600_000)
      }
    })

    it('under hashes only', async t => {
      const store = await openStore(t)
      for (const name of ['../x', '', 'x'.repeat(64), '0'.repeat(63)]) await assert.rejects(store.find(name))
    })
  })
}

async function put(t: Teardown, store: ContentStore, bytes: Buffer): Promise<string> {
  const folder = join(tmpdir(), `libretto-put-${process.pid}-${Math.random().toString(36).slice(2)}`)
  await mkdir(folder)
  t.after(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'bytes')
  await writeFile(path, bytes)
  const hash = sha256(bytes)
  await store.put(hash, path, bytes.length)
  return hash
}

async function textOf(stream: Readable): Promise<string> {
  return Buffer.concat(await stream.toArray()).toString('utf8')
}
