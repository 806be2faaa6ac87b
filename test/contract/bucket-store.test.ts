import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, it } from 'node:test'

import { AwsV4Signer } from 'aws4fetch'

import { CatalogueError } from '#domain/errors.ts'
import { readBucketUrl } from '#media/s3/bucket-client.ts'
import { openBucketStore } from '#media/s3/bucket-store.ts'
import { encodeUri, queryText, signRequest } from '#media/s3/sign-request.ts'
import { sha256 } from '../support/records/media.ts'
import { startS3 } from '../support/services/s3-server.ts'
import { temporaryFolder } from '../support/machines/temporary-folder.ts'
import { contentStoreContract } from './content-store-contract.ts'

contentStoreContract('A bucket', async t => openBucketStore(readBucketUrl(await startS3(t))))
contentStoreContract('A folder of a bucket', async t =>
  openBucketStore(readBucketUrl(await startS3(t, "/some/folder's")))
)

describe('A request to a bucket', () => {
  it('has the signature of the example that Amazon publishes', () => {
    const headers = signRequest(
      {
        method: 'GET',
        path: '/test.txt',
        query: {},
        headers: { host: 'examplebucket.s3.amazonaws.com', range: 'bytes=0-9' },
        bodyHash: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
      },
      { key: 'AKIAIOSFODNN7EXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', region: 'us-east-1' },
      new Date('2013-05-24T00:00:00Z')
    )
    assert.match(
      headers.authorization ?? '',
      /Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41$/
    )
  })

  it('has the signature that another implementation gives it', async () => {
    const credentials = { key: 'AKIDEXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY', region: 'eu-west-3' }
    const hash = sha256(Buffer.from('a body'))
    const queries: readonly Readonly<Record<string, string>>[] = [
      {},
      { uploads: '' },
      { partNumber: '12', uploadId: "a/b+c=d e~f!*'()" },
      { 'list-type': '2', prefix: 'some folder/content/', 'continuation-token': 'ünï/+==' }
    ]
    const requests = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'].flatMap(method =>
      queries.flatMap(query =>
        [`/media/content/${hash}`, `/media/${encodeUri("folder's é (1)")}/content/${hash}`, '/media'].map(path => ({
          method,
          query,
          path
        }))
      )
    )
    for (const { method, query, path } of requests) {
      const headers = { host: '127.0.0.1:9000', range: 'bytes=0-9', 'content-length': '6' }
      const now = new Date(1_794_000_000_000 + path.length * 86_400_000)
      const ours = signRequest({ method, path, query, headers, bodyHash: hash }, credentials, now)
      const text = queryText(query)
      const signer = new AwsV4Signer({
        method,
        url: `http://127.0.0.1:9000${path}${text === '' ? '' : `?${text}`}`,
        headers: { range: headers.range, 'content-length': '6', 'x-amz-content-sha256': hash },
        accessKeyId: credentials.key,
        secretAccessKey: credentials.secret,
        service: 's3',
        region: credentials.region,
        datetime: ours['x-amz-date'] ?? '',
        allHeaders: true
      })
      const theirs = (await signer.sign()).headers.get('authorization')
      const signatureOf = (authorization: string | null | undefined) => /Signature=(\w+)/.exec(authorization ?? '')?.[1]
      assert.equal(signatureOf(ours.authorization), signatureOf(theirs), `${method} ${path}?${text}`)
    }
    assert.equal(requests.length, 60)
  })

  it('is refused with a key that is not known, in words without the secret', async t => {
    const bucket = { ...readBucketUrl(await startS3(t)), key: 'another', secret: 'not-to-be-told' }
    await assert.rejects(openBucketStore(bucket).remove('0'.repeat(64)), (error: Error) => {
      assert.match(error.message, /refused DELETE: 403 InvalidAccessKeyId/)
      assert.doesNotMatch(error.message, /not-to-be-told/)
      return true
    })
  })

  it('to a server that is away says so', async () => {
    const store = openBucketStore(readBucketUrl('s3://k:s@127.0.0.1:9/media?tls=0'))
    await assert.rejects(
      store.find('0'.repeat(64)),
      (error: unknown) => error instanceof CatalogueError && error.code === 'unavailable'
    )
  })

  it('that joins pieces has succeeded also when its answer is lost', async t => {
    const behind = new URL(`http${(await startS3(t)).slice('s3'.length)}`)
    let lost = 0
    const proxy = createServer((asked, answer) => {
      const { method, url, headers } = asked
      const passed = request({ host: behind.hostname, port: behind.port, method, path: url, headers }, answered => {
        // Everything happens; of the first request that joins, nothing is heard.
        if (method === 'POST' && url?.includes('uploadId') && lost++ === 0) {
          answered.resume().on('end', () => asked.socket.destroy())
          return
        }
        answer.writeHead(answered.statusCode ?? 500, answered.headers)
        answered.pipe(answer)
      })
      asked.pipe(passed)
    })
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    t.after(() => void proxy.close())
    const { port } = proxy.address() as AddressInfo
    const store = openBucketStore(readBucketUrl(`s3://S3RVER:S3RVER@127.0.0.1:${port}/media?tls=0`))
    const bytes = Buffer.alloc(17 * 1_048_576, 'piece by piece ')
    const path = join(temporaryFolder(t), 'large')
    writeFileSync(path, bytes)

    await store.put(sha256(bytes), path, bytes.length)

    assert.ok(lost > 1)
    assert.equal((await store.find(sha256(bytes)))?.size, bytes.length)
  })

  it('is not made from an address without a key, a secret or a bucket', () => {
    for (const url of ['s3://127.0.0.1/media', 's3://k@127.0.0.1/media', 's3://k:s@127.0.0.1/'])
      assert.throws(() => readBucketUrl(url), /MEDIA_URL has no/)
  })
})
