import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** `npm run dev -w web` shows changes as they are typed; what it asks goes to the service that `npm start` started. */
const service = 'http://127.0.0.1:8080'
const servicePaths = [
  '/entities',
  '/record-types',
  '/me',
  '/tokens',
  '/sign-in/',
  '/webhooks',
  '/changes',
  '/suggest',
  '/growth',
  '/mediafiles',
  '/tickets',
  '/imports',
  '/export',
  '/health',
  '/openapi.json'
]

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    target: 'es2024',
    // Files that hold their content in their name are kept by browsers for ever.
    assetsDir: 'assets',
    // A script or picture inside another file would have no name of its own, and needs an exception in the policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false
  },
  server: { proxy: Object.fromEntries(servicePaths.map(path => [path, service])) }
})
