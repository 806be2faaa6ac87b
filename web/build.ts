import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/*
 * Builds the page into `web/dist`, unless it was built from the same files. `npm start`, `npm run
 * build` and the tests call it (decision 19).
 */

const root = join(import.meta.dirname, '..')
const dist = join(import.meta.dirname, 'dist')
const sources = [
  'web/**/*.{ts,tsx,css,html,svg,json,woff2}',
  'client/**/*.ts',
  'src/domain/{find,labels}/*.ts',
  'src/domain/table.ts',
  'package-lock.json'
]

/** The digest of the source files of a build, stored beside it. */
const digestFile = 'built-from.txt'

/** Builds the page if needed. Returns what was done. */
export async function buildPage(): Promise<'built' | 'up to date' | 'cannot build'> {
  const digest = digestOfSources()
  if (isBuiltFrom(digest)) return 'up to date'
  const vite = await import('vite').catch(() => undefined)
  // Installed without development dependencies: a built page is supplied, as in the image.
  if (vite === undefined) return 'cannot build'
  // Built in another folder and then moved, so that no half of a build is ever served.
  const made = `${dist}-${process.pid}`
  try {
    await vite.build({
      configFile: join(import.meta.dirname, 'vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: made, emptyOutDir: true }
    })
    nameFilesByPath(made)
    putStyleInDocument(made)
    compileAhead(made)
    compressAll(made)
    writeFileSync(join(made, digestFile), digest)
    putInPlace(made, digest)
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
  return 'built'
}

/** The document is sent for addresses of any depth, so it names its files by a whole path. */
function nameFilesByPath(folder: string) {
  for (const name of ['index.html', 'public.html', 'reference.html']) {
    const file = join(folder, name)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"./assets/', '"/assets/'))
  }
}

/**
 * Puts the style of the pages for readers into their document: on a slow line they would wait for
 * another file before anything is shown.
 */
function putStyleInDocument(folder: string) {
  const file = join(folder, 'public.html')
  const document = readFileSync(file, 'utf8')
  const [link, path] = /<link rel="stylesheet"[^<>]*href="\/([^"]*)">/.exec(document) ?? []
  if (link === undefined || path === undefined) throw new Error('public.html names no style')
  const style = readFileSync(join(folder, path), 'utf8').replaceAll(/url\(\.\/([^()]*)\)/g, 'url("/assets/$1")')
  writeFileSync(
    file,
    document.replace(link, () => `<style>${style.trim()}</style>`)
  )
  rmSync(join(folder, path))
}

/**
 * Has the functions of some scripts compiled while they arrive, beside the main thread, by browsers
 * that know this comment (Chromium); otherwise each is compiled when it is first called.
 */
function compileAhead(folder: string) {
  for (const name of globSync('assets/{frame,common}-*.js', { cwd: folder })) {
    const file = join(folder, name)
    writeFileSync(file, `//# allFunctionsCalledOnLoad\n${readFileSync(file, 'utf8')}`)
  }
}

const isBuiltFrom = (digest: string) =>
  existsSync(join(dist, digestFile)) && readFileSync(join(dist, digestFile), 'utf8') === digest

/** Maximum number of attempts to replace the old build while other processes do the same. */
const maxAttempts = 20

/** Replaces the old build, unless another process has put the same build there meanwhile. */
function putInPlace(made: string, digest: string) {
  for (let attempt = 1; !isBuiltFrom(digest); attempt++) {
    rmSync(dist, { recursive: true, force: true })
    try {
      renameSync(made, dist)
      return
    } catch (error) {
      const isRace = ['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')
      if (!isRace || attempt >= maxAttempts) throw error
      // The other process is still removing or moving its files.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
    }
  }
}

function digestOfSources(): string {
  const hash = createHash('sha256')
  const files = globSync(sources, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**', '**/dist-*/**'] })
  for (const file of files.toSorted())
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  return hash.digest('hex')
}

/**
 * Compresses files once instead of for every visitor. Pictures and fonts are compressed already.
 */
function compressAll(folder: string) {
  mkdirSync(folder, { recursive: true })
  for (const file of globSync('**/*.{html,js,css,svg}', { cwd: folder })) {
    const bytes = readFileSync(join(folder, file))
    const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
    writeFileSync(join(folder, `${file}.br`), brotli)
    writeFileSync(join(folder, `${file}.gz`), gzipSync(bytes, { level: 9 }))
  }
}

if (import.meta.main) {
  const outcome = await buildPage()
  if (outcome === 'built') console.log('The page was built.')
  if (outcome === 'cannot build') console.log('The page cannot be built here: Vite is not installed.')
}
