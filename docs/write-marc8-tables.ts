import { readFileSync, writeFileSync } from 'node:fs'

/*
 * `node docs/write-marc8-tables.ts codetables.xml` writes src/formats/marc/marc8-tables.json.
 *
 * The input is the file in which the Library of Congress publishes the MARC-8 character sets
 * (https://www.loc.gov/marc/specifications/codetables.xml; the same file comes with the sources of
 * Perl's MARC::Charset). Only facts are taken from it: code, code point, whether it combines. Run
 * it again only if the Library of Congress changes the file.
 */

const [path] = process.argv.slice(2)
if (path === undefined) throw new Error('Say where codetables.xml is')

interface Code {
  readonly marc: number
  readonly character: string
  readonly combines: boolean
}

/** Combining marks, private characters and blanks other than the space, which cannot be seen. */
const invisible = /[\p{M}\p{C}]|(?! )\p{Zs}/gu

const escaped = (character: string) =>
  [...character.split('')].map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')

function codesOf(set: string): Code[] {
  return [...set.matchAll(/<code>([\s\S]*?)<\/code>/g)].flatMap(([, code = '']) => {
    const member = (name: string) => new RegExp(`<${name}>\\s*([0-9A-Fa-f]+)\\s*</${name}>`).exec(code)?.[1]
    const marc = member('marc')
    // The second half of a mark that spans two letters has only its alternative.
    const point = member('ucs') ?? member('alt')
    if (marc === undefined || point === undefined) return []
    const character = String.fromCodePoint(Number.parseInt(point, 16))
    return [{ marc: Number.parseInt(marc, 16), character, combines: code.includes('<isCombining>true') }]
  })
}

/**
 * Returns runs of neighbouring codes: the first code in hexadecimal, then the characters, a blank
 * for each code that has none.
 */
function runsOf(codes: readonly Code[], width: number): string[] {
  const runs: string[] = []
  let last = Number.NaN
  for (const { marc, character } of codes.toSorted((one, other) => one.marc - other.marc)) {
    if (marc === last) continue
    const gap = marc - last - 1
    const isNear = gap <= 3 && marc >> 8 === last >> 8
    if (isNear) runs.push(`${runs.pop()}${' '.repeat(gap)}${character}`)
    else runs.push(`${marc.toString(16).padStart(width, '0')}${character}`)
    last = marc
  }
  return runs
}

const tables: string[] = []
const sets = readFileSync(path, 'utf8').split('<characterSet ').slice(1)
for (const set of sets) {
  const name = /name="([^"]*)"/.exec(set)?.[1] ?? ''
  const final = String.fromCharCode(Number.parseInt(/ISOcode="([^"]*)"/.exec(set)?.[1] ?? '', 16))
  const isWide = final === '1'
  // C0 and C1 controls are not part of the graphic sets; a set is the same in both halves of the
  // code.
  const codes = codesOf(set)
    .filter(({ marc }) => isWide || ((marc & 0x7f) > 0x20 && (marc & 0x7f) < 0x7f))
    .map(code => (isWide ? code : { ...code, marc: code.marc & 0x7f }))
  const marks = codes.filter(each => each.combines).map(each => each.marc.toString(16))
  const runs = runsOf(codes, isWide ? 6 : 2)
  const table = { name, marks: marks.join(' '), runs: runs.join('\n') }
  tables.push(`  ${JSON.stringify(final)}: ${JSON.stringify(table).replaceAll(invisible, escaped)}`)
}
writeFileSync(new URL('../src/formats/marc/marc8-tables.json', import.meta.url), `{\n${tables.join(',\n')}\n}\n`)
