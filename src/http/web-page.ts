import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'

/** A file of the page, with the encodings it is sent in. */
export interface PageFile {
  readonly type: string
  readonly etag: string
  readonly bytes: Buffer
  readonly brotli: Buffer | undefined
  readonly gzip: Buffer | undefined
}

/** The built page: the document for every address, and the assets by file name. */
export interface WebPage {
  readonly document: PageFile
  readonly assets: ReadonlyMap<string, PageFile>
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2'
}

/**
 * Reads the built page into memory: it is small, and a path cannot then lead outside the folder.
 * Returns undefined when it was not built.
 */
export function findWebPage(folder: string): WebPage | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined
  const assets = globSync('assets/*', { cwd: folder }).filter(file => extname(file) in mediaTypes)
  return {
    document: readPageFile(join(folder, 'index.html')),
    assets: new Map(assets.map(file => [basename(file), readPageFile(join(folder, file))]))
  }
}

function readPageFile(path: string): PageFile {
  const bytes = readFileSync(path)
  const compressed = (ending: string) => (existsSync(path + ending) ? readFileSync(path + ending) : undefined)
  return {
    type: mediaTypes[extname(path)] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    bytes,
    brotli: compressed('.br'),
    gzip: compressed('.gz')
  }
}
