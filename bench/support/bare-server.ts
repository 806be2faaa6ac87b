import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

/*
 * A server that no service in this runtime can exceed: every answer is in memory as bytes, by the
 * last part of the path, and is sent with its type and length.
 */

const [, , file] = process.argv
if (file === undefined) throw new Error('bare-server.ts needs the file of answers')

const answers = new Map<string, Buffer>()
for (const line of readFileSync(file, 'utf8').split('\n')) {
  const tab = line.indexOf('\t')
  if (tab > 0) answers.set(line.slice(0, tab), Buffer.from(line.slice(tab + 1)))
}

const server = createServer((request, response) => {
  const url = request.url ?? '/'
  const body = answers.get(url.slice(url.lastIndexOf('/') + 1))
  if (!body) return response.writeHead(url === '/' ? 200 : 404).end()
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length })
  return response.end(body)
})
server.keepAliveTimeout = 65_000
server.listen(Number(process.env.PORT), '127.0.0.1')
