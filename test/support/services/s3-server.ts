import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import S3rver from 's3rver'

import { type Teardown, temporaryFolder } from '../machines/temporary-folder.ts'

/**
 * A real S3-compatible server with one bucket. Gives the setting `MEDIA_URL` for it. It looks at
 * the access key but does not check signatures of version 4; test/contract/bucket-store.test.ts
 * holds those against another implementation.
 */
export async function startS3(t: Teardown, prefix = ''): Promise<string> {
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: temporaryFolder(t),
    configureBuckets: [{ name: 'media', configs: [] }]
  })
  // It listens with an object of its own, so the port is asked of what is inside.
  const address = (await server.run()) as AddressInfo
  const { httpServer } = server as unknown as { httpServer: Server }
  t.after(async () => {
    httpServer.closeAllConnections()
    await server.close()
  })
  return `s3://S3RVER:S3RVER@127.0.0.1:${address.port}/media${prefix}?tls=0`
}
