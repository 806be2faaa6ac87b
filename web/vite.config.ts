import { join } from 'node:path'

import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

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

export default defineConfig({
  root: import.meta.dirname,
  // Files find each other by where they are, so that the page works under any path of a host.
  base: './',
  plugins: [react()],
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
      input: ['index.html', 'public.html', 'reference.html'].map(file => join(import.meta.dirname, file))
    }
  },
  server: { proxy: Object.fromEntries(servicePaths.map(path => [path, service])) }
})
