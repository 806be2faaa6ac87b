import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { readBucketUrl } from '#media/s3/bucket-client.ts'
import { openBucketStore } from '#media/s3/bucket-store.ts'
import { needDebian } from '../support/machines/debian.ts'
import { sha256 } from '../support/records/media.ts'
import { startSwift, swiftPackages } from '../support/services/swift-server.ts'
import { contentStoreContract } from './content-store-contract.ts'

/*
 * The same promises on a server that checks every signature by itself, which the one of the other
 * tests does not. It takes some fifty packages of Debian and four processes, so it is tried in the
 * long tier only (test/run.ts).
 */

let why: string | undefined
const skip = (reason?: string) => {
  why = reason
}
const swift = needDebian({ skip }, swiftPackages) ? await startSwift({ after }) : undefined

describe('With OpenStack Swift', { skip: why ?? false }, () => {
  let folders = 0
  const urlFor = (...wrong: { secret: string }[]) => swift?.urlFor(`a folder's é/${folders++}`, ...wrong) ?? ''

  contentStoreContract('a bucket that checks signatures', async () => openBucketStore(readBucketUrl(urlFor())))

  it('is refused with a wrong secret, by every kind of request', async () => {
    const store = openBucketStore(readBucketUrl(urlFor({ secret: 'another' })))
    const hash = sha256(Buffer.alloc(0))
    await assert.rejects(store.find(hash), /refused HEAD: 403/)
    await assert.rejects(store.read(hash, 0, 1), /refused GET: 403 SignatureDoesNotMatch/)
    await assert.rejects(store.remove(hash), /refused DELETE: 403 SignatureDoesNotMatch/)
    await assert.rejects(store.put(hash, '/dev/null', 0), /refused PUT: 403 SignatureDoesNotMatch/)
    await assert.rejects(store.put(hash, '/dev/null', 2 ** 30), /refused POST: 403 SignatureDoesNotMatch/)
    await assert.rejects(Array.fromAsync(store.list()), /refused GET: 403 SignatureDoesNotMatch/)
  })
})
