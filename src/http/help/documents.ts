import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { foldText } from '#domain/values/fold.ts'

/** The files that belong to the documentation, in a clone and in the package alike. */
export const documentFiles: readonly string[] = [
  '*.md',
  'LICENSE',
  '{bench,client,sample,packages/records}/README.md',
  'client/CHANGELOG.md',
  'docs/**/*.{md,png,svg,json,csv,ndjson,mjs}',
  'deploy/{Caddyfile,*.*,sites/*}',
  'examples/**/*.*'
]

/** A part of a document below one heading. */
export interface Section {
  readonly path: string
  readonly title: string
  readonly heading: string
  readonly anchor: string
  readonly text: string
  /** The same, folded once: everybody may search at any rate. */
  readonly folded: Readonly<Record<'title' | 'heading' | 'text', string>>
}

/** The documents of a folder. Only its files can be read, so no path leads outside. */
export interface Documents {
  /** Returns the bytes of a file, or undefined when there is no such document. */
  read(path: string): Buffer | undefined
  sections(): readonly Section[]
}

/** Lists the documents when they are first asked for: most services are never asked. */
export function openDocuments(folder: string): Documents {
  let paths: ReadonlySet<string> | undefined
  let sections: readonly Section[] | undefined
  const list = () => {
    paths ??= new Set(globSync([...documentFiles], { cwd: folder }).map(path => path.replaceAll('\\', '/')))
    return paths
  }
  const read = (path: string) => (list().has(path) ? readFileSync(join(folder, path)) : undefined)
  return {
    read,
    sections() {
      sections ??= [...list()]
        .filter(path => path.endsWith('.md'))
        .toSorted()
        .flatMap(path => sectionsOf(path, String(read(path))))
      return sections
    }
  }
}

/** The anchor that GitHub gives to a heading. */
export const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')

/** Cuts a document at its headings; a line that begins with "#" in a code block is none. */
function sectionsOf(path: string, markdown: string): Section[] {
  const sections: { heading: string; lines: string[] }[] = [{ heading: '', lines: [] }]
  let isCode = false
  for (const line of markdown.split('\n')) {
    if (/^ *```/.test(line)) isCode = !isCode
    const heading = isCode ? undefined : /^#{1,6} (.+)$/.exec(line)?.[1]
    if (heading !== undefined) sections.push({ heading, lines: [] })
    else sections.at(-1)?.lines.push(line)
  }
  const title = sections[1]?.heading ?? path
  return sections
    .filter(({ heading, lines }) => heading !== '' || lines.some(line => line !== ''))
    .map(({ heading, lines }) => {
      const text = lines.join('\n')
      const folded = { title: foldText(title), heading: foldText(heading), text: foldText(text) }
      return { path, title, heading, anchor: anchorOf(heading), text, folded }
    })
}
