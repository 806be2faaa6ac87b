import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

import type { Teardown } from '../machines/temporary-folder.ts'

const types: Readonly<Record<string, string>> = { '.html': 'html', '.css': 'css', '.js': 'javascript' }

/**
 * Serves the files of an example from an origin of its own, as a house does. The address of a
 * catalogue in them becomes the given one, which may be known later only. Returns the origin.
 */
export async function startExampleSite(t: Teardown, folder: string, catalogue: () => string): Promise<string> {
  const site = createServer((request, response) => {
    const name = request.url === '/' ? 'index.html' : (request.url ?? '').slice(1)
    const type = types[extname(name)]
    if (!/^[\w-]+\.\w+$/.test(name) || type === undefined) return response.writeHead(404).end()
    const text = readFileSync(join(folder, name), 'utf8').replace('http://127.0.0.1:8080', catalogue())
    return response.writeHead(200, { 'content-type': `text/${type}; charset=utf-8` }).end(text)
  })
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  t.after(() => void site.close())
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`
}
