import { table } from '#domain/table.ts'
import { roleCodeOf } from '../description/role-codes.ts'
import type { RoleTable } from './mapping-rule.ts'
import { type Iri, toIri } from './triples.ts'
import type { Name } from './vocabularies.ts'

/*
 * Roles in relations to people: their names in schema.org, and their MARC relator codes, which
 * BIBFRAME uses.
 */

/** By code. Roles that schema.org has no name for are `contributor`. */
const names: Readonly<Record<RoleTable, Readonly<Record<string, Name>>>> = {
  ofWork: table({
    aut: 'schema:author',
    cre: 'schema:creator',
    aus: 'schema:author',
    lbt: 'schema:author',
    ctg: 'schema:author',
    pht: 'schema:creator',
    art: 'schema:creator',
    cmp: 'schema:composer',
    lyr: 'schema:lyricist',
    trl: 'schema:translator',
    edt: 'schema:editor',
    com: 'schema:editor',
    ill: 'schema:illustrator',
    nrt: 'schema:readBy',
    drt: 'schema:director',
    fmd: 'schema:director',
    act: 'schema:actor',
    pro: 'schema:producer',
    spn: 'schema:sponsor',
    fnd: 'schema:funder',
    pbl: 'schema:publisher'
  }),
  ofEvent: table({
    cmp: 'schema:composer',
    trl: 'schema:translator',
    drt: 'schema:director',
    fmd: 'schema:director',
    act: 'schema:actor',
    prf: 'schema:performer',
    sng: 'schema:performer',
    mus: 'schema:performer',
    itr: 'schema:performer',
    dnc: 'schema:performer',
    cnd: 'schema:performer',
    nrt: 'schema:performer',
    spn: 'schema:sponsor',
    fnd: 'schema:funder'
  })
}

/** An agent without a role is the author; for an event, a contributor. */
const withoutRole: Readonly<Record<RoleTable, Name>> = { ofWork: 'schema:author', ofEvent: 'schema:contributor' }

export function predicateOfRole(of: RoleTable, role: string | undefined): Name {
  if (role === undefined) return withoutRole[of]
  const code = roleCodeOf(role)
  return (code === undefined ? undefined : names[of][code]) ?? 'schema:contributor'
}

/** The role in the list of the Library of Congress; undefined for a word that it does not have. */
export function relatorOf(role: string): Iri | undefined {
  const code = roleCodeOf(role)
  return code === undefined ? undefined : toIri(`http://id.loc.gov/vocabulary/relators/${code}`)
}
