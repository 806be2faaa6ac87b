import { findRole } from '../description/roles.ts'
import { field, part, parts } from '../marc/make-field.ts'
import type { DataField, Subfield } from '../marc/record.ts'
import { codeIn, type GraphView, type ReadName } from './graph-view.ts'
import { isBlank } from './statements.ts'

/** A person or corporation with the roles that it has. */
export interface Contribution {
  readonly agent: string
  readonly roles: readonly string[]
  /** Whether the source says that it is the main entry. */
  readonly isPrimary: boolean
  /** Whether it belongs to the work, not to one of its texts or publications. */
  readonly isOfWork: boolean
}

/** Properties from a node to its agents, for graphs without contributions. */
const direct: readonly (readonly [name: ReadName, role: string | undefined])[] = [
  ['schema:author', 'aut'],
  ['dcterms:creator', undefined],
  ['dc:creator', undefined],
  ['schema:creator', 'cre'],
  ['schema:composer', 'cmp'],
  ['schema:lyricist', 'lyr'],
  ['schema:translator', 'trl'],
  ['schema:editor', 'edt'],
  ['schema:illustrator', 'ill'],
  ['schema:readBy', 'nrt'],
  ['schema:director', 'drt'],
  ['schema:actor', 'act'],
  ['dcterms:contributor', 'ctb'],
  ['dc:contributor', 'ctb'],
  ['schema:contributor', 'ctb']
]

/** Events of LRMoo by which a work, a text or a publication comes into being. */
const creations: readonly ReadName[] = ['lrmoo:R16_created', 'lrmoo:R17_created']

/** The contributions to some nodes: a work, its text, its publication. */
export function contributionsTo(view: GraphView, nodes: readonly (readonly [node: string, isOfWork: boolean])[]) {
  const found: Contribution[] = []
  const seen = new Set<string>()
  const add = (given: Contribution) => {
    const key = `${given.agent} ${given.roles.map(each => findRole(each)?.code ?? each).join(' ')}`
    if (!seen.has(key)) found.push(given)
    seen.add(key)
  }
  for (const [node, isOfWork] of nodes) {
    const contributions = view.nodes(node, 'bf:contribution')
    for (const each of contributions) {
      const isPrimary = view.is(each, 'bf:PrimaryContribution', 'bflc:PrimaryContribution')
      const roles = rolesOf(view, each)
      for (const agent of view.nodes(each, 'bf:agent')) add({ agent, roles, isPrimary, isOfWork })
    }
    const events = view.referring(node, ...creations)
    for (const event of events)
      for (const agent of view.nodes(event, 'crm:P14_carried_out_by'))
        add({ agent, roles: rolesOf(view, event), isPrimary: false, isOfWork })
    if (contributions.length > 0 || events.length > 0) continue
    for (const [name, role] of direct)
      for (const agent of view.nodes(node, name))
        add({ agent, roles: role === undefined ? [] : [role], isPrimary: false, isOfWork })
  }
  return found
}

/** The roles of a contribution: codes of MARC relators, or words. */
function rolesOf(view: GraphView, contribution: string): string[] {
  const nodes = view.nodes(contribution, 'bf:role').flatMap(role => {
    const code = /\/relators\/([a-z]{3})$/.exec(role)?.[1]
    const given = [code, view.text(role, 'bf:code'), view.label(role), codeIn(role)].filter(each => each !== undefined)
    return given.find(each => findRole(each)?.isKnown) ?? view.label(role) ?? given[0] ?? []
  })
  return [...nodes, ...view.texts(contribution, 'bf:role', 'rdfs:label')]
}

/** The main entry: the primary contribution, or the first creator of the work. */
export function mainOf(contributions: readonly Contribution[]): Contribution | undefined {
  const isCreator = ({ roles, isOfWork }: Contribution) =>
    roles.length === 0 ? isOfWork : roles.some(each => findRole(each)?.level === 'work')
  return contributions.find(each => each.isPrimary) ?? contributions.find(isCreator)
}

/**
 * The field of an agent: 100 to 111, 600 to 611, 700 to 711 by the first digit. None without a
 * name.
 */
export function agentField(
  view: GraphView,
  agent: string,
  hundred: string,
  { roles = [], second = ' ', rest = [] }: AgentOptions = {}
): DataField[] {
  const name = nameOf(view, agent)
  if (name === undefined) return []
  const named = roles.map(each => ({ word: each, code: codeOf(each) }))
  return field(hundred + name.tag, `${name.tag === '00' ? '1' : '2'}${second}`, [
    ...name.subfields,
    ...parts(
      'e',
      named.flatMap(({ word, code }) => (code === undefined ? [word] : []))
    ),
    ...rest,
    ...parts(
      '4',
      named.flatMap(({ code }) => code ?? [])
    ),
    ...linksOf(view, agent)
  ])
}

/** The code of a role; undefined for a word that stands for none. */
function codeOf(role: string): string | undefined {
  const found = findRole(role)
  return found?.isKnown || found?.code === role ? found.code : undefined
}

export interface AgentOptions {
  readonly roles?: readonly string[]
  /** The second indicator. */
  readonly second?: string
  /** Further subfields: the title of a work, subdivisions of a subject. */
  readonly rest?: readonly (Subfield | undefined)[]
}

/** The addresses of an authority: its own, and those that it is the same as. */
export const linksOf = (view: GraphView, node: string): (Subfield | undefined)[] => [
  ...(isAddress(node) ? [part('0', node)] : []),
  ...parts('1', view.nodes(node, 'owl:sameAs', 'schema:sameAs', 'madsrdf:hasExactExternalAuthority').filter(isAddress))
]

export const isAddress = (node: string) =>
  !isBlank(node) && /^https?:\/\/[^/]/.test(node) && !/\/entities\/[^/]*#/.test(node)

interface AgentName {
  /** The last two digits of the field. */
  readonly tag: string
  readonly subfields: readonly (Subfield | undefined)[]
}

function nameOf(view: GraphView, agent: string): AgentName | undefined {
  const key = /^\d(\d\d)..(\$.*)$/s.exec(view.text(agent, 'bflc:marcKey') ?? '')
  if (key !== null && /^(?:00|10|11)$/.test(key[1] ?? '')) {
    const subfields = (key[2] ?? '')
      .split('$')
      .filter(each => /^[abcdqn]./.test(each))
      .map(each => part(each.slice(0, 1), each.slice(1)))
    return { tag: key[1] ?? '00', subfields }
  }
  const label = view.label(agent) ?? fromParts(view, agent)
  if (label === undefined) return undefined
  if (view.is(agent, 'bf:Meeting')) return { tag: '11', subfields: [part('a', label)] }
  const isCorporate = view.is(agent, 'bf:Organization', 'bf:Jurisdiction', 'schema:Organization', 'schema:TheaterGroup')
  if (isCorporate) return { tag: '10', subfields: [part('a', label)] }
  const [name, dates] = nameAndDates(label)
  const life = view.text(agent, 'bf:date') ?? lifeIn(view, agent) ?? dates
  return { tag: '00', subfields: [part('a', name), part('d', life)] }
}

/** `Verhoeven, Mila, 1911-1984.` */
function nameAndDates(label: string): readonly [name: string, dates?: string] {
  const [name = '', dates] = label.split(/,?(?<!\s)\s+\(?((?:ca\. |born |active )?\d{3,4}\??-(?:\d{3,4}\??)?)\)?\.?$/)
  return /^\D{1,200}$/.test(name) ? [name, dates] : [label]
}

const fromParts = (view: GraphView, agent: string): string | undefined => {
  const names = [
    view.text(agent, 'schema:familyName', 'foaf:familyName'),
    view.text(agent, 'schema:givenName', 'foaf:givenName')
  ]
  const joined = names.filter(Boolean).join(', ')
  return joined === '' ? undefined : joined
}

function lifeIn(view: GraphView, agent: string): string | undefined {
  const year = (name: ReadName) => view.text(agent, name)?.slice(0, 4)
  const [born, died] = [year('schema:birthDate'), year('schema:deathDate')]
  return born === undefined && died === undefined ? undefined : `${born ?? ''}-${died ?? ''}`
}
