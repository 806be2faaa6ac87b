import { table } from '../table.ts'

/*
 * Identifiers of authority files as web addresses, so that they resolve, match in reconciliation
 * and become links of linked data.
 */

/** The address of a number in a file, by the code of the file in MARC. */
const addresses: Readonly<Record<string, (number: string) => string>> = table({
  viaf: number => `http://viaf.org/viaf/${number}`,
  isni: number => `https://isni.org/isni/${number.replaceAll(/[\s-]/g, '')}`,
  wikidata: number => `http://www.wikidata.org/entity/${number}`,
  'wikidata.org': number => `http://www.wikidata.org/entity/${number}`,
  orcid: number => `https://orcid.org/${number}`,
  gnd: number => `https://d-nb.info/gnd/${number}`,
  'de-588': number => `https://d-nb.info/gnd/${number}`,
  dlc: loc,
  lc: loc,
  naf: loc,
  lcnaf: loc,
  lcsh: loc,
  bnf: number => `https://catalogue.bnf.fr/ark:/12148/${number}`,
  geonames: number => `https://sws.geonames.org/${number}/`
})

/** Names begin with n, subjects with sh, genres with gf. */
function loc(number: string): string {
  const bare = number.replaceAll(/\s/g, '')
  const file =
    bare.startsWith('sh') || bare.startsWith('sj') ? 'subjects' : bare.startsWith('gf') ? 'genreForms' : 'names'
  return `http://id.loc.gov/authorities/${file}/${bare}`
}

/**
 * The address of an identifier of an authority file: an address as it is, `(viaf)123` as that of
 * VIAF. Undefined for a number without a known file.
 */
export function authorityAddress(identifier: string): string | undefined {
  const [, file, rest = ''] = /^\(([^)]+)\)\s*(\S.*)$/.exec(identifier.trim()) ?? []
  if (file === undefined) return webAddress(identifier.trim())
  return webAddress(rest) ?? addressIn(file, rest)
}

/** The address of a number in the file with this code. */
export function addressIn(file: string, number: string): string | undefined {
  const make = Object.hasOwn(addresses, file.toLowerCase()) ? addresses[file.toLowerCase()] : undefined
  const bare = number.trim()
  return webAddress(bare) ?? (bare === '' || /[^\w\s./-]/.test(bare) ? undefined : make?.(bare))
}

const webAddress = (text: string) => (/^https?:\/\/[^\s<>"{}|\\^`]+$/i.test(text) ? text : undefined)
