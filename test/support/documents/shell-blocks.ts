import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A shell block of a document. */
export interface Block {
  readonly document: string
  readonly line: number
  readonly commands: string
}

const root = join(import.meta.dirname, '../../..')

/** Returns the blocks of a document of the repository in the language `sh`. */
export const readBlocks = (document: string) => blocksOf(document, readFileSync(join(root, document), 'utf8'))

/** Returns the blocks of a text in the language `sh`, also those within a list. */
export function blocksOf(document: string, text: string): Block[] {
  return [...text.matchAll(/^( *)```sh\n([\s\S]*?)^ *```$/gm)].map(({ 1: indent = '', 2: commands = '', index }) => ({
    document,
    line: text.slice(0, index).split('\n').length + 1,
    commands: commands.replaceAll(new RegExp(`^${indent}`, 'gm'), '').trim()
  }))
}

export const tutorial = 'docs/tutorial.md'

/** Blocks of the tutorial by their beginning: the output, and a command that checks the outcome. */
export const tutorialResults: readonly {
  readonly beginning: string
  readonly shows: readonly RegExp[]
  readonly afterwards?: string
}[] = [
  { beginning: 'export TOKEN', shows: [/"ok"/] },
  { beginning: 'curl -s -o books', shows: [/Works +4 new/] },
  { beginning: 'npx libretto import books', shows: [/Works +4 new/, /To review +1 /] },
  { beginning: 'IMPORT=', shows: [/"answered":1/] },
  { beginning: 'curl -s -o season.ndjson', shows: [/8 created, .* 0 refused/] },
  { beginning: 'curl -s -o poster', shows: [/"mediafile_type","value":"posters"/] },
  {
    beginning: 'curl -s -H "Authorization: Bearer $TOKEN" $BASE/entities/SEA',
    shows: [/TZID=Europe\/Brussels:20270212T200000/]
  },
  { beginning: 'curl -s -X POST', shows: [/"restored_references":2/, /"version":3/] },
  { beginning: 'ANONYMOUS', shows: [/listens at/] },
  {
    beginning: 'curl -s -o season.mjs',
    shows: [/season\.html: 2 productions/],
    afterwards: 'grep -q "Poster" season.html'
  },
  {
    beginning: 'npx libretto backup',
    shows: [],
    afterwards: 'ls my-catalogue.db my-catalogue-media my-catalogue-secret-key'
  }
]

/**
 * A program `curl` in bash, for a folder of its own that is the first of PATH. It fails for answers
 * other than 2xx. An event stream has no end, so it is read for some seconds.
 */
export const failingCurl = (maxSeconds: number) => `
real=$(PATH=\${PATH#*:} command -v curl)
case "$*" in
  *text/event-stream*)
    output=$("$real" --fail-with-body --silent --max-time 3 "$@" | head -c 4096) || true
    printf '%s' "$output" && [ -n "$output" ] ;;
  *) exec "$real" --fail-with-body --silent --max-time ${maxSeconds} "$@" ;;
esac`
