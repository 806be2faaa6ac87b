import { join } from 'node:path'

import { createModel } from '#domain/record-types/model.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { openStore } from '#store/open-store.ts'
import { temporaryFolder } from '../support/services/start.ts'
import { webhookStoreContract } from './webhook-store-contract.ts'

webhookStoreContract('sqlite', async t => {
  const url = `sqlite:${join(temporaryFolder(t), 'catalogue.db')}`
  const store = await openStore(url, createModel(builtInRecordTypes), { queryDeadline: 2000, readers: 1 })
  t.after(async () => {
    await store[Symbol.asyncDispose]()
  })
  return store
})
