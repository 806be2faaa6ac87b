import { join } from 'node:path'

import react from '@vitejs/plugin-react'
import { rolldown } from 'rolldown'
import { defineConfig, type Plugin, type Rolldown } from 'vite'

import { labelsOf } from '../src/domain/labels/labels-of.ts'
import type { FilesOfPage } from './src/first.ts'
import { languages } from './src/i18n/first-language.ts'
import { pageGroups } from './src/page-groups.ts'

/**
 * `npm run dev -w web` shows changes at once; its requests go to the service started by `npm
 * start`.
 */
const service = 'http://127.0.0.1:8080'
const servicePaths = [
  '/entities',
  '/record-types',
  '/me',
  '/tokens',
  '/sign-in/',
  '/webhooks',
  '/site',
  '/catalogues',
  '/changes',
  '/saved_searches',
  '/suggest',
  '/growth',
  '/recent',
  '/duplicates',
  '/mediafiles',
  '/tickets',
  '/imports',
  '/export',
  '/health',
  '/openapi.json'
]

/** Modules that the pages for readers share with the application. */
const shared = /preload-helper|rolldown\/runtime|\/(?:base-path|has-credentials)\.ts$/

/** The styles of the pages that are loaded later: one small file instead of one for each group. */
const styleOfPages = (id: string) => /\/web\/src\/(?!public\/|reference\/).*\.css$/.test(id) && !ofEveryPage.has(id)

/** The modules that every page of the application needs: those that `page.tsx` imports. */
const ofEveryPage = new Set<string>()

const findModulesOfEveryPage: Plugin = {
  name: 'find-modules-of-every-page',
  buildEnd() {
    const add = (id: string) => {
      if (ofEveryPage.has(id)) return
      ofEveryPage.add(id)
      this.getModuleInfo(id)?.importedIds.forEach(add)
    }
    add(join(import.meta.dirname, 'src/page.tsx'))
  }
}

/**
 * Writes the first script into the document, with the names of the files that it chooses from by
 * language and address (`src/first.ts`).
 */
const writeFirstScript: Plugin = {
  name: 'write-first-script',
  transformIndexHtml: {
    order: 'post',
    async handler(html, { bundle = {}, filename }) {
      if (!filename.endsWith('index.html')) return html
      const chunks = Object.values(bundle).filter(each => each.type === 'chunk')
      const chunkOf = (module: string) =>
        chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/web/src/${module}`)) ??
        fail(`The build has no chunk for ${module}`)
      const withImports = (chunk: Chunk, known = new Set<Chunk>()): ReadonlySet<Chunk> => {
        if (known.has(chunk)) return known
        for (const file of chunk.imports)
          for (const each of chunks) if (each.fileName === file) withImports(each, known)
        return known.add(chunk)
      }
      const atFirst = withImports(chunkOf('page.tsx'))
      const filesOf = (chunk: Chunk) => [chunk.fileName, ...(chunk.viteMetadata?.importedCss ?? [])]
      const laterOf = (module: string) => {
        const chunksOf = [...withImports(chunkOf(module))].filter(each => !atFirst.has(each))
        return [...new Set(chunksOf.flatMap(filesOf))].map(file => `./${file}`)
      }
      const files: FilesOfPage = {
        texts: eachOf(languages, language => laterOf(`i18n/texts-${language}.ts`)[0] ?? ''),
        pages: eachOf(pageGroups, group => laterOf(`${group}.ts`)),
        frame: `./${chunks.find(({ name }) => name === 'frame')?.fileName ?? fail('The build has no frame')}`,
        editor: laterOf('change/html-editor.tsx'),
        typefaces: Object.keys(bundle)
          .filter(file => /-latin-wght-normal-[^/]*\.woff2$/.test(file))
          .map(file => `./${file}`)
      }
      const script = await compile(join(import.meta.dirname, 'src/first.ts'))
      return html.replace(
        '</title>',
        title =>
          `${title}<script id="files" type="application/json">${JSON.stringify(files)}</script><script>${script}</script>`
      )
    }
  }
}

/**
 * Shows the next typeface where the first has not arrived in time, on a first visit by a slow line,
 * instead of moving lines later (`look.css`).
 */
const neverMoveLines = {
  postcssPlugin: 'never-move-lines',
  Declaration: {
    'font-display': (declaration: { value: string }) => {
      declaration.value = 'optional'
    }
  }
}

/** Gives each language its own labels alone, not the table of all languages. */
const separateLabels: Plugin = {
  name: 'separate-labels',
  load(id) {
    const [, language] = /\/domain\/labels\/(en|nl|fr)\.ts$/.exec(id) ?? []
    return language && `export const labels = ${JSON.stringify(labelsOf[language as keyof typeof labelsOf])}`
  }
}

type Chunk = Rolldown.OutputChunk

const eachOf = <Key extends string, Value>(keys: readonly Key[], of: (key: Key) => Value) =>
  Object.fromEntries(keys.map(key => [key, of(key)])) as Record<Key, Value>

function fail(message: string): never {
  throw new Error(message)
}

/** A module with all that it imports, as a script that is no module. */
async function compile(input: string): Promise<string> {
  await using build = await rolldown({ input })
  const { output } = await build.generate({ format: 'iife', minify: true })
  const [{ code }] = output
  if (code.includes('</')) throw new Error(`${input} would end its element in the document`)
  return code.trim()
}

export default defineConfig({
  root: import.meta.dirname,
  // Files find each other by where they are, so that the page works under any path of a host.
  base: './',
  plugins: [react(), findModulesOfEveryPage, writeFirstScript, separateLabels],
  css: { postcss: { plugins: [neverMoveLines] } },
  build: {
    target: 'es2024',
    // Files with a content hash in their name are cached for ever.
    assetsDir: 'assets',
    // Inlined scripts or pictures would need an exception in the content security policy.
    assetsInlineLimit: 0,
    // Read by scripts/build.ts.
    license: { fileName: 'licences.json' },
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Otherwise what several pages share would be a dozen small files, each a request of its own.
      output: {
        codeSplitting: {
          groups: [
            { name: 'shared', test: shared, priority: 1 },
            { name: 'frame', test: id => ofEveryPage.has(id) },
            { name: 'common', test: styleOfPages },
            { name: 'common', test: /\/web\/src\/|lucide-react/, minShareCount: 2 }
          ]
        }
      },
      input: ['index.html', 'public.html', 'reference.html'].map(file => join(import.meta.dirname, file))
    }
  },
  server: { proxy: Object.fromEntries(servicePaths.map(path => [path, service])) }
})
