import { field, part } from '../marc/make-field.ts'
import type { DataField } from '../marc/record.ts'
import { codeIn, type GraphView, type ReadName } from './graph-view.ts'
import { agentField, linksOf } from './rdf-agents.ts'

/** Fields of subjects by the class of the node. Others are topics. */
const subjectTags: readonly (readonly [tag: string, ...classes: readonly ReadName[]])[] = [
  ['651', 'bf:Place', 'madsrdf:Geographic', 'schema:Place'],
  ['648', 'bf:Temporal', 'madsrdf:Temporal'],
  ['655', 'bf:GenreForm', 'madsrdf:GenreForm'],
  ['630', 'bf:Work', 'bf:Hub', 'bf:Instance', 'lrmoo:F1_Work', 'madsrdf:Title']
]

const agents: readonly ReadName[] = [
  'bf:Person',
  'bf:Family',
  'bf:Organization',
  'bf:Jurisdiction',
  'bf:Meeting',
  'bf:Agent',
  'schema:Person',
  'schema:Organization'
]

/** Properties to subjects, with the field of a node without one of the classes. */
const subjectProperties: readonly (readonly [name: ReadName, tag: string])[] = [
  ['bf:subject', '650'],
  ['bf:geographicCoverage', '651'],
  ['bf:temporalCoverage', '648'],
  ['bf:genreForm', '655'],
  ['dcterms:subject', '650']
]

/** The subjects of a publication, its texts and its works. */
export function subjectFields(view: GraphView, nodes: readonly string[]): DataField[] {
  const seen = new Set<string>()
  return subjectProperties.flatMap(([name, usual]) =>
    nodes.flatMap(node => [
      ...view
        .nodes(node, name)
        .filter(each => !seen.has(`${name} ${each}`) && seen.add(`${name} ${each}`))
        .flatMap(each => subjectField(view, each, usual)),
      ...view.texts(node, name).flatMap(text => topic(usual, text))
    ])
  )
}

function subjectField(view: GraphView, node: string, usual: string): DataField[] {
  const links = linksOf(view, node)
  const label = view.label(node)
  const tag = subjectTags.find(([, ...classes]) => view.is(node, ...classes))?.[0]
  if (tag === undefined && view.is(node, ...agents)) return agentField(view, node, '6')
  if (label === undefined) return []
  const found = tag ?? usual
  // A heading with subdivisions: `Salt--Trade--Gent`.
  return topic(found, label).map(each => ({
    ...each,
    subfields: [...each.subfields, ...links.filter(link => link !== undefined)]
  }))
}

function topic(tag: string, label: string): DataField[] {
  const [first, ...divisions] = label.split('--')
  return field(tag, tag === '630' ? '07' : ' 7', [
    part('a', first?.trim()),
    ...divisions.map(each => part(/^\d{4}\b|century/i.test(each.trim()) ? 'y' : 'x', each.trim()))
  ])
}

const classTags: readonly (readonly [name: ReadName, tag: string, indicators: string])[] = [
  ['bf:ClassificationDdc', '082', '04'],
  ['bf:ClassificationLcc', '050', ' 4'],
  ['bf:ClassificationUdc', '080', '  '],
  ['bf:ClassificationNlm', '060', ' 4']
]

export function classFields(view: GraphView, nodes: readonly string[]): DataField[] {
  const classes = new Set(nodes.flatMap(node => view.nodes(node, 'bf:classification')))
  return [...classes].flatMap(node => {
    const code = view.text(node, 'bf:classificationPortion', 'skos:notation') ?? view.label(node)
    if (code === undefined) return []
    const row = classTags.find(([name]) => view.is(node, name))
    if (row !== undefined) return field(row[1], row[2], [part('a', code), part('b', view.text(node, 'bf:itemPortion'))])
    const [source] = view.nodes(node, 'bf:source')
    const scheme = source && (view.text(source, 'bf:code') ?? codeIn(source))
    return field('084', '  ', [part('a', code), part('2', scheme)])
  })
}
