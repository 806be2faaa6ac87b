import { readFileSync } from 'node:fs'

/*
 * The labels of the client, copied from the domain: the client is published without the service.
 * `npm run docs` writes them, and `test/docs.test.ts` fails when they differ.
 */

const languages = ['en', 'nl', 'fr'] as const

/** The files of `client/labels/` by their paths. */
export function clientLabels(): Readonly<Record<string, string>> {
  const note = '/* Written by `npm run docs` from src/domain/labels. Change it there. */\n\n'
  return Object.fromEntries(
    ['labels', 'roles', 'zone-of-country', ...languages].map(name => {
      const text = readFileSync(new URL(`../src/domain/labels/${name}.ts`, import.meta.url), 'utf8')
      return [`client/labels/${name}.ts`, note + text]
    })
  )
}
