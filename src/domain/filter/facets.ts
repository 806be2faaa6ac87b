import { invalidWith } from '../errors.ts'
import { type FilterPath, pathForms, readFacetPath, splitReferring } from './filter-path.ts'

/** A field to count the values of, with the name that the client used. */
export interface Facet {
  readonly name: string
  readonly path: FilterPath
}

export const maxFacets = 24

/** No database stores such characters or accepts them in a query. */
const isSound = (name: string) => name.isWellFormed() && !name.includes('\0')

/**
 * Reads `facets`: a comma-separated list of field paths. Throws `invalid` with every item that is
 * none.
 */
export function readFacets(names: string): Facet[] {
  const given = [...new Set(names.split(',').filter(name => name !== ''))]
  const facets = given.map(name => ({ name, path: isSound(name) ? readFacetPath(name) : undefined }))
  const faults = facets
    .filter(({ path }) => path === undefined)
    .map(({ name }) => ({
      pointer: 'facets',
      message: splitReferring(name)
        ? `Of referring records, relations can be counted: referring.<relation>.<relation>.value, not "${name}"`
        : `Not a field path: "${name}"; the forms are ${pathForms}`
    }))
  if (given.length > maxFacets) faults.push({ pointer: 'facets', message: `At most ${maxFacets} facets` })
  if (faults.length > 0) throw invalidWith(faults)
  return facets as Facet[]
}
