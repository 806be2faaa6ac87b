import assert from 'node:assert/strict'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, it, mock } from 'node:test'

import { createModel } from '#domain/record-types/model.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { openStore } from '#store/open-store.ts'
import { temporaryFolder } from '../support/machines/temporary-folder.ts'

/*
 * A folder lasts through a loss of power when the folder that has its name was flushed. The
 * power-loss test replays what a process did to its disk; this one only looks which folders are
 * flushed, and needs no tools.
 */

describe('a database in folders that are not there yet', () => {
  it('flushes each folder in which it made another', async t => {
    const root = temporaryFolder(t)
    const file = join(root, 'one', 'two', 'three', 'catalogue.db')
    const flushed: string[] = []
    const opened = new Map<number, string>()
    const open = fs.openSync
    const flush = fs.fsyncSync
    mock.method(fs, 'openSync', (path: string, ...rest: [string]) => {
      const descriptor = open(path, ...rest)
      opened.set(descriptor, path)
      return descriptor
    })
    mock.method(fs, 'fsyncSync', (descriptor: number) => {
      flushed.push(opened.get(descriptor) ?? '')
      flush(descriptor)
    })
    syncBuiltinESMExports()
    t.after(() => {
      mock.restoreAll()
      syncBuiltinESMExports()
    })
    const store = await openStore(`sqlite:${file}`, createModel(builtInRecordTypes))
    await store[Symbol.asyncDispose]()
    const above = dirname(dirname(file))
    assert.deepEqual(flushed, [above, dirname(above), root])
    // Nothing to flush where everything is there.
    flushed.length = 0
    const again = await openStore(`sqlite:${file}`, createModel(builtInRecordTypes))
    await again[Symbol.asyncDispose]()
    assert.deepEqual(flushed, [])
  })
})
