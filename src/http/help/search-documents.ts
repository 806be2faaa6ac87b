import { foldText } from '#domain/values/fold.ts'

import type { Section } from './documents.ts'

export const maxHelpQueryLength = 200
const maxResults = 30
const excerptLength = 200

export interface FoundSection extends Section {
  readonly excerpt: string
}

/**
 * Returns the sections that have every word of a query in their text, their heading or the title of
 * their document. Those with more words in headings come first.
 */
export function searchDocuments(sections: readonly Section[], query: string): FoundSection[] {
  const words = [...new Set(foldText(query).match(/[\p{L}\p{N}_]+/gu) ?? [])]
  if (words.length === 0) return []
  return sections
    .map(section => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, maxResults)
    .map(({ section }) => ({ ...section, excerpt: excerptOf(section.text, words) }))
}

function scoreOf({ folded, path }: Section, words: readonly string[]): number {
  let score = 0
  for (const word of words) {
    const { title, heading, text } = folded
    const found = (title.includes(word) ? 3 : 0) + (heading.includes(word) ? 4 : 0) + (text.includes(word) ? 1 : 0)
    if (found === 0) return 0
    score += found
  }
  // Decisions and measurements are for people who work on the program.
  return /^(docs\/(?!decisions)|README)/.test(path) ? score + 2 : score
}

/** The plain text around the first word that is found. */
function excerptOf(markdown: string, words: readonly string[]): string {
  const plain = markdown
    .replace(/<!--[^<>]{0,100}-->|[`*|]|\]\([^()]{0,200}\)/g, ' ')
    .replaceAll('[', '')
    .replace(/\s+/g, ' ')
    .trim()
  const folded = plain.toLowerCase()
  const places = words.map(word => folded.indexOf(word)).filter(place => place >= 0)
  const start = Math.max(0, Math.min(...(places.length > 0 ? places : [0])) - excerptLength / 4)
  return `${start > 0 ? '…' : ''}${plain.slice(start, start + excerptLength)}${plain.length > start + excerptLength ? '…' : ''}`
}
