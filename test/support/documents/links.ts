import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

import { anchorOf } from '#http/help/documents.ts'

export interface Link {
  readonly from: string
  readonly file: string
  readonly heading: string | undefined
}

/** Returns the links and pictures of a document that lead to files beside it. */
export function linksOf(document: string, text: string): Link[] {
  const withoutCode = text.replace(/^```[\s\S]*?^```/gm, '')
  return [...withoutCode.matchAll(/\]\((?!https?:|\/)([^)#]*)(?:#([^)]*))?\)/g)].map(([, target = '', heading]) => ({
    from: document,
    file: target === '' ? document : normalize(join(dirname(document), target)),
    heading
  }))
}

/** Whether a link leads to no file of a folder, or to no heading of that file. */
export function isBroken({ file, heading }: Link, folder: string): boolean {
  if (!existsSync(join(folder, file))) return true
  return heading !== undefined && !anchorsOf(readFileSync(join(folder, file), 'utf8')).has(heading)
}

/** Returns the anchors that GitHub gives to the headings of a document. */
function anchorsOf(text: string): Set<string> {
  const headings = text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)
  return new Set([...headings].map(([, heading = '']) => anchorOf(heading)))
}
