import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { parseSync } from 'rolldown/utils'

/*
 * Regular expressions that are made while the program runs. The engine of the language backtracks:
 * a pattern made from the text of a request could take for ever, so none is. Masks and expressions
 * of requests have matchers of their own (domain/filter/masks.ts, regular-expression.ts).
 */

const root = join(import.meta.dirname, '..')

/** The pieces of patterns, by file and source, with the reason that each is safe. */
const known: Readonly<Record<string, string>> = {
  'src/catalogue/guarded/unsigned-store.ts: text': 'constants of the same file',
  'src/domain/permissions.ts: actions': 'the four actions of scopes',
  'src/domain/clustering/agreement.ts: partNumber': 'a pattern of the same file',
  'src/domain/clustering/title-forms.ts: forms': 'patterns that the same file lists',
  'src/domain/clustering/work-numbers.ts: catalogues': 'patterns that the same file lists',
  'src/domain/clustering/work-numbers.ts: name': 'names of catalogues that the same file lists',
  'src/domain/clustering/work-numbers.ts: written': 'patterns that the same file lists',
  'src/domain/search/search-words.ts: isAscii(folded) ? plainPattern : wordPattern': 'patterns of the same file',
  'src/domain/search/word-text.ts: betweenWords': 'ranges of characters, listed in the same file',
  'src/formats/description/persons.ts: pattern': 'words of the same file',
  'src/formats/source/detect-source.ts: dublinCoreRoots': 'names of elements that a constant lists',
  'src/formats/description/scripts.ts: name': 'names of scripts that the same file lists',
  'src/formats/marc/iso2709-record.ts: refusedCharacters': 'a pattern of the same file',
  'src/formats/marc/mapping/notes.ts: introductions': 'words that the same file lists',
  'src/formats/source/read-source.ts: names': 'names of elements in the same file',
  'src/formats/xml/cut-elements.ts: names.header': 'names of elements that the formats list',
  'src/formats/xml/cut-elements.ts: names.record': 'names of elements that the formats list',
  'src/formats/xml/cut-elements.ts: tag':
    'the name of an element of an imported file: letters, digits, points and hyphens, which repeat nothing',
  'src/formats/xml/xml-tokens.ts: nameRule': 'a constant of the same file',
  'src/imports/place/authorities.ts: ownAgency': 'a constant, the name of this program as an agency',
  'src/media/s3/bucket-store.ts: name': 'names of elements in the same file',
  'src/protocols/sru/parse-cql.ts: tokenPattern': 'a pattern of the same file'
}

describe('Patterns that are made while the program runs', () => {
  it('are made of known pieces, none of which comes from a request', () => {
    const files = globSync('src/**/*.ts', { cwd: root })
    assert.ok(files.length > 300)
    const found = new Set(files.flatMap(file => piecesIn(file, readFileSync(join(root, file), 'utf8'))))
    assert.deepEqual([...found].sort(), Object.keys(known).sort())
  })

  it('are found in every form', () => {
    const forms = {
      'new RegExp(given)': ['given'],
      'RegExp(given, "u")': ['given'],
      'new globalThis.RegExp(given)': ['given'],
      'new RegExp(`^${given}${other.of(1)}$`)': ['given', 'other'],
      'new RegExp("^" + given)': ['"^" + given'],
      'text.match(given)': ['given'],
      'text.matchAll(given.source)': ['given.source'],
      'new RegExp("^a")': [],
      'new RegExp(/a/, "g")': [],
      'text.match(/a/)': []
    }
    for (const [source, pieces] of Object.entries(forms))
      assert.deepEqual(
        piecesIn('a.ts', source),
        pieces.map(piece => `a.ts: ${piece}`),
        source
      )
  })
})

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly callee?: Node
  readonly object?: Node
  readonly property?: Node
  readonly name?: string
  readonly arguments?: readonly Node[]
  readonly expressions?: readonly Node[]
  readonly quasi?: Node
}

/** The pieces of the patterns of a source that are no literals, with the name of the file. */
function piecesIn(file: string, source: string): string[] {
  const found: string[] = []
  const textOf = ({ start, end }: Node) => source.slice(start, end)
  const isMade = ({ type, callee }: Node) => {
    if (!callee || !/^(?:New|Call)Expression$/.test(type)) return false
    const name = callee.name ?? callee.property?.name ?? ''
    return name === 'RegExp' || (callee.property !== undefined && (name === 'match' || name === 'matchAll'))
  }
  const add = (piece: Node) => {
    if (piece.type === 'TemplateLiteral') for (const each of piece.expressions ?? []) add(each)
    else if (piece.type === 'TaggedTemplateExpression' && piece.quasi) add(piece.quasi)
    else if (piece.type === 'CallExpression' && piece.callee?.object) add(piece.callee.object)
    else if (piece.type !== 'Literal') found.push(`${file}: ${textOf(piece)}`)
  }
  const visit = (node: Node) => {
    const [pattern] = node.arguments ?? []
    if (isMade(node) && pattern) add(pattern)
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child)
  }
  visit(parseSync(file, source).program as unknown as Node)
  return found
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'start' in value
