import type { GraphView, ReadName } from './graph-view.ts'

/*
 * Publications in a graph, with their contents. BIBFRAME and LRM draw the line between a work and
 * its texts differently: a BIBFRAME work is an expression of LRM, and a hub is a work.
 */

/** One text of a publication, and the work that it realises, if the graph has a node for it. */
export interface Content {
  readonly expression: string
  readonly work: string | undefined
}

const embodies: readonly ReadName[] = ['bf:instanceOf', 'lrmoo:R4_embodies']
const embodiedIn: readonly ReadName[] = ['bf:hasInstance', 'lrmoo:R4i_is_embodied_in']
const realises: readonly ReadName[] = ['bf:expressionOf', 'lrmoo:R3i_realises', 'lrmoo:R3i_is_realisation_of']
const realisedIn: readonly ReadName[] = ['bf:hasExpression', 'lrmoo:R3_is_realised_in']

/** Relations to a publication that is only named, not described. */
const toOthers: readonly ReadName[] = [
  'bf:partOf',
  'bf:hasPart',
  'bf:precededBy',
  'bf:succeededBy',
  'bf:hasSeries',
  'bf:otherPhysicalFormat',
  'bf:otherEdition',
  'bf:relatedTo',
  'bf:associatedResource',
  'bf:reproductionOf',
  'bf:hasReproduction'
]

/** The nodes of publications, in the order of the file. */
export function findPublications(view: GraphView): string[] {
  const found: string[] = []
  for (const node of view.statements.nodes.keys()) {
    const isLinked = view.nodes(node, ...embodies).length > 0 || view.referring(node, ...embodiedIn).length > 0
    if (isLinked) found.push(node)
    else if (
      view.is(node, 'bf:Instance', 'lrmoo:F3_Manifestation') &&
      !view.is(node, 'bf:Series') &&
      view.referring(node, ...toOthers).length === 0
    )
      found.push(node)
  }
  return found
}

/** Works and texts that no publication of the file contains, and that no other node refers to. */
export function findUnpublished(view: GraphView, publications: readonly string[]): string[] {
  const known = new Set(
    publications.flatMap(each => contentsOf(view, each).flatMap(({ expression, work }) => [expression, work]))
  )
  return [...view.statements.nodes.keys()].filter(
    node =>
      !known.has(node) &&
      view.is(node, 'bf:Work', 'lrmoo:F1_Work', 'lrmoo:F2_Expression') &&
      view.referring(node, ...toOthers, ...realises, ...realisedIn, 'bf:subject', 'bf:translationOf').length === 0
  )
}

/** The contents of a publication; several in an aggregate. */
export function contentsOf(view: GraphView, publication: string): Content[] {
  const expressions = new Set([...view.nodes(publication, ...embodies), ...view.referring(publication, ...embodiedIn)])
  return [...expressions].map(expression => ({ expression, work: workOf(view, expression) }))
}

function workOf(view: GraphView, expression: string): string | undefined {
  const [work] = [...view.nodes(expression, ...realises), ...view.referring(expression, ...realisedIn)]
  return work === expression ? undefined : work
}

/** The node of the original of a translation, where no hub is named. */
export const originalOf = (view: GraphView, expression: string): string | undefined =>
  [...view.nodes(expression, 'bf:translationOf'), ...relatedBy(view, expression, 'translationof')].find(
    each => each !== expression
  )

/** The nodes that a node is related to by a `bf:Relation` of a kind (`partof`, `series`). */
export function relatedBy(view: GraphView, node: string, ...kinds: readonly string[]): string[] {
  return view.nodes(node, 'bf:relation').flatMap(relation => {
    const given = view.nodes(relation, 'bf:relationship').flatMap(each => [each, view.label(each) ?? ''])
    const words = [...given, ...view.texts(relation, 'bf:relationship')].map(each =>
      each
        .replace(/^.*[/#]/s, '')
        .replaceAll(/[^A-Za-z]/g, '')
        .toLowerCase()
    )
    return words.some(each => kinds.includes(each)) ? view.nodes(relation, 'bf:associatedResource') : []
  })
}
