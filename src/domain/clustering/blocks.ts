import type { Answer } from './cluster-block.ts'
import { isFilm, isPrincipal, type Mention, type WorkEvidence } from './evidence.ts'
import { personBlocks } from './persons.ts'

/**
 * The keys by which a mention is found. Mentions with a key in common are in one block, and so are
 * those that share a key with them, and so on: with the keys stored, a whole block can be loaded
 * from any of its mentions.
 */
export function blockKeysOf(work: WorkEvidence): string[] {
  const identifiers = work.identifiers.map(each => `work ${each}`)
  const [author] = work.creators
  if (author !== undefined && !isFilm(work))
    return [
      ...identifiers,
      ...personBlocks(author).map(each => `author ${each}`),
      ...(author.identifiers ?? []).map(each => `author ${each}`),
      ...(work.sound === undefined ? [] : [`sound ${work.sound}`])
    ]
  const titles = new Set(work.names.filter(isPrincipal).map(each => `title ${work.kind} ${each.key}`))
  return [...identifiers, ...titles]
}

/** Puts mentions into blocks. An answer joins the blocks of its two mentions. */
export function blocksOf(mentions: readonly Mention[], answers: readonly Answer[] = []): Mention[][] {
  const heads = new Map<string, string>()
  const find = (key: string): string => {
    let head = key
    for (let next = heads.get(head); next !== undefined && next !== head; next = heads.get(head)) head = next
    for (let at = key; at !== head; ) {
      const next = heads.get(at) ?? head
      heads.set(at, head)
      at = next
    }
    return head
  }
  const unite = (one: string, other: string) => heads.set(find(one), find(other))
  for (const mention of mentions) for (const key of blockKeysOf(mention)) unite(`mention ${mention.id}`, key)
  for (const { one, other, verdict } of answers) if (verdict === 'same') unite(`mention ${one}`, `mention ${other}`)
  const blocks = new Map<string, Mention[]>()
  for (const mention of mentions) {
    const head = find(`mention ${mention.id}`)
    const block = blocks.get(head)
    if (block === undefined) blocks.set(head, [mention])
    else block.push(mention)
  }
  return [...blocks.values()]
}
