import { join } from 'node:path'

import react from '@vitejs/plugin-react'
import { defineConfig, type HtmlTagDescriptor, type Plugin } from 'vite'

import { labelsOf } from '../src/domain/labels/labels-of.ts'

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
  '/duplicates',
  '/mediafiles',
  '/tickets',
  '/imports',
  '/export',
  '/health',
  '/openapi.json'
]

/** The small first script, which the pages for readers have too. */
const first = /preload-helper|\/(?:base-path|early-answers|has-credentials|i18n\/languages)\.ts$/

/** The modules that all pages of the application share. */
const frame =
  /node_modules\/(?:react|react-dom|react-router|scheduler|@tanstack)\/|\/client\/|src\/(?:parts|session|data|shell)\//

/**
 * Names the scripts and styles of the page in its document. The first script imports the page while
 * it runs, so Vite would leave them to be found then.
 */
const namePageFiles: Plugin = {
  name: 'name-page-files',
  transformIndexHtml: {
    order: 'post',
    handler(_, { bundle = {}, filename }) {
      if (!filename.endsWith('index.html')) return []
      const chunks = Object.values(bundle).filter(each => each.type === 'chunk')
      const named = new Set<(typeof chunks)[number]>()
      const name = (chunk: (typeof chunks)[number] | undefined) => {
        if (!chunk || named.has(chunk)) return
        // Styles of a script come after those of the scripts that it imports.
        for (const file of chunk.imports) name(chunks.find(({ fileName }) => fileName === file))
        named.add(chunk)
      }
      name(chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith('src/page.tsx')))
      const tag = (attrs: Record<string, string>): HtmlTagDescriptor => ({ tag: 'link', attrs, injectTo: 'head' })
      return [...named].flatMap(({ fileName, viteMetadata }) => [
        tag({ rel: 'modulepreload', crossorigin: '', href: `./${fileName}` }),
        ...[...(viteMetadata?.importedCss ?? [])].map(file =>
          tag({ rel: 'stylesheet', crossorigin: '', href: `./${file}` })
        )
      ])
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

export default defineConfig({
  root: import.meta.dirname,
  // Files find each other by where they are, so that the page works under any path of a host.
  base: './',
  plugins: [react(), namePageFiles, separateLabels],
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
            { name: 'first', test: first, priority: 1 },
            { name: 'frame', test: frame }
          ]
        }
      },
      input: ['index.html', 'public.html', 'reference.html'].map(file => join(import.meta.dirname, file))
    }
  },
  server: { proxy: Object.fromEntries(servicePaths.map(path => [path, service])) }
})
