import { type Citation, type CitedName, makersOf } from './citation.ts'

/**
 * The text of a `Z3988` span (COinS): a publication as an OpenURL context object (ANSI/NISO
 * Z39.88-2004, format book). Reference managers read it from pages.
 */
export function writeCoins(citation: Citation, address: string): string {
  const [first, ...others] = makersOf(citation)
  const fields: (readonly [string, string | undefined])[] = [
    ['ctx_ver', 'Z39.88-2004'],
    ['rft_val_fmt', 'info:ofi/fmt:kev:mtx:book'],
    ['rft.genre', citation.kind.csl === 'book' ? 'book' : 'unknown'],
    ['rft.btitle', citation.title],
    ['rft.title', citation.title],
    ...firstAuthor(first),
    ...others.map(name => ['rft.au', nameText(name)] as const),
    // The format has no role for them; reference managers take them as contributors.
    ...[...citation.names.editor, ...citation.names.translator].map(
      name => ['rft.contributor', nameText(name)] as const
    ),
    ['rft.pub', citation.publisher],
    ['rft.place', citation.place],
    ['rft.date', citation.year],
    ['rft.edition', citation.edition],
    ['rft.series', citation.series?.title],
    ['rft.tpages', citation.pages],
    ['rft.language', citation.language],
    ...citation.isbns.map(isbn => ['rft.isbn', isbn] as const),
    ['rft.issn', citation.issn],
    ['rft_id', address]
  ]
  const parameters = new URLSearchParams()
  for (const [key, value] of fields) if (value !== undefined && value !== '') parameters.append(key, value)
  return parameters.toString()
}

function firstAuthor(name: CitedName | undefined): (readonly [string, string | undefined])[] {
  if (name === undefined) return []
  if ('literal' in name) return [['rft.aucorp', name.literal]]
  return [
    ['rft.aulast', name.family],
    ['rft.aufirst', name.given],
    ['rft.ausuffix', name.suffix]
  ]
}

const nameText = (name: CitedName) => ('literal' in name ? name.literal : `${name.family}, ${name.given}`)
