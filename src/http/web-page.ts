import { memoize } from '#domain/memoize.ts'
import { table } from '#domain/table.ts'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

import { html } from '#pages/markup.ts'
import { readTemplate, type Template } from '#pages/page.ts'
import { sourceOf } from './reply/public-page.ts'

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
  /** The document, with the name of the catalogue for a title. */
  readonly documentFor: (name: string) => PageFile
  /** The source in the content security policy that allows the first script of the document. */
  readonly scriptSource: string
  readonly assets: ReadonlyMap<string, PageFile>
  /** The document that the pages for readers without an account are made with. */
  readonly publicTemplate: Template | undefined
  /** The markup that loads the script of the reference of the interface. */
  readonly referenceScript: string | undefined
}

const mediaTypes: Readonly<Record<string, string>> = table({
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2'
})

/**
 * Reads the built page into memory: it is small, and a path cannot then lead outside the folder.
 * Returns undefined when it was not built.
 *
 * The document alone refers to its files by a whole path, which begins with `basePath`; the files
 * refer to each other relatively.
 */
export function findWebPage(folder: string, basePath = ''): WebPage | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined
  const assets = globSync('assets/*', { cwd: folder }).filter(file => extname(file) in mediaTypes)
  const document = readPageFile(join(folder, 'index.html'))
  return {
    documentFor: memoize(2, name => adapted(document, basePath, name)),
    scriptSource: sourceOfScript(document.bytes.toString()),
    assets: new Map(assets.map(file => [basename(file), readPageFile(join(folder, file))])),
    publicTemplate: readPublicTemplate(join(folder, 'public.html'), basePath),
    referenceScript: readScripts(join(folder, 'reference.html'), basePath)
  }
}

/** The first script stands in the document (`web/src/first.ts`); it is known by its digest. */
function sourceOfScript(document: string): string {
  const script = document.split('<script>', 2)[1]?.split('</script>', 1)[0]
  if (script === undefined) throw new Error('The document of the web page has no first script')
  return sourceOf(script)
}

/** The elements of a built document that load its scripts. */
function readScripts(path: string, basePath: string): string | undefined {
  if (!existsSync(path)) return undefined
  const document = withPrefixedAssets(readFileSync(path, 'utf8'), basePath)
  return (document.match(/<script [^<>]*><\/script>|<link rel="modulepreload"[^<>]*>/g) ?? []).join('')
}

const readPublicTemplate = (path: string, basePath: string) =>
  existsSync(path) ? readTemplate(withPrefixedAssets(readFileSync(path, 'utf8'), basePath)) : undefined

function adapted(document: PageFile, basePath: string, name: string): PageFile {
  const built = document.bytes.toString()
  const made = withPrefixedAssets(built, basePath).replace(/<title>[^<]*/, () => `<title>${html`${name}`}`)
  if (made === built) return document
  const bytes = Buffer.from(made)
  return {
    type: document.type,
    etag: etagOf(bytes),
    bytes,
    brotli: brotliCompressSync(bytes),
    gzip: gzipSync(bytes)
  }
}

const withPrefixedAssets = (html: string, basePath: string) => html.replaceAll('"/assets/', `"${basePath}/assets/`)

const etagOf = (bytes: Buffer) => `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`

function readPageFile(path: string): PageFile {
  const bytes = readFileSync(path)
  const compressed = (ending: string) => (existsSync(path + ending) ? readFileSync(path + ending) : undefined)
  let etag: string | undefined
  return {
    type: mediaTypes[extname(path)] ?? 'application/octet-stream',
    // Found when it is asked for: that of every file would take half of the time of reading them.
    get etag() {
      etag ??= etagOf(bytes)
      return etag
    },
    bytes,
    brotli: compressed('.br'),
    gzip: compressed('.gz')
  }
}
