/*
 * The integrity conditions of SKOS (https://www.w3.org/TR/skos-reference/), for a graph as lines:
 * S9, S13, S14, S27 and S46, and that relations hold in both directions where both concepts are in
 * the graph.
 */

const skos = (name: string) => `<http://www.w3.org/2004/02/skos/core#${name}>`
const type = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>'

interface Statement {
  readonly subject: string
  readonly predicate: string
  readonly object: string
}

/** Reports every condition that a graph breaks. */
export function skosFaults(lines: readonly string[]): string[] {
  const statements = [...new Set(lines)].map((line): Statement => {
    const [, subject = '', predicate = '', object = ''] = /^(\S+) (\S+) (.*)$/.exec(line) ?? []
    return { subject, predicate, object }
  })
  const objects = Map.groupBy(statements, ({ subject, predicate }) => `${subject} ${predicate}`)
  const of = (subject: string, name: string) => (objects.get(`${subject} ${skos(name)}`) ?? []).map(each => each.object)
  const typed = (name: string) =>
    new Set(statements.flatMap(each => (each.predicate === type && each.object === skos(name) ? each.subject : [])))
  const concepts = typed('Concept')
  const schemes = typed('ConceptScheme')
  return [...concepts].flatMap(concept => {
    const preferred = of(concept, 'prefLabel')
    const others = [...of(concept, 'altLabel'), ...of(concept, 'hiddenLabel')]
    const languages = preferred.map(languageOf)
    const above = broaderTransitive(concept, of)
    const inverse: readonly (readonly [string, string])[] = [
      ['broader', 'narrower'],
      ['narrower', 'broader'],
      ['related', 'related']
    ]
    return [
      ...(schemes.has(concept) ? ['S9: a concept is a scheme'] : []),
      ...preferred.filter(each => others.includes(each)).map(each => `S13: ${each} is a preferred and another label`),
      ...(new Set(languages).size < languages.length ? ['S14: two preferred labels in a language'] : []),
      ...(preferred.length === 0 ? ['no preferred label'] : []),
      ...of(concept, 'related')
        .filter(each => above.has(each))
        .map(each => `S27: ${each} is related and broader`),
      ...of(concept, 'exactMatch')
        .filter(each => [...of(concept, 'broadMatch'), ...of(concept, 'relatedMatch')].includes(each))
        .map(each => `S46: ${each} is an exact match and another one`),
      ...inverse.flatMap(([name, back]) =>
        of(concept, name)
          .filter(each => concepts.has(each) && !of(each, back).includes(concept))
          .map(each => `${name} ${each} has no ${back}`)
      )
    ].map(fault => `${concept}: ${fault}`)
  })
}

function broaderTransitive(concept: string, of: (subject: string, name: string) => string[]): Set<string> {
  const found = new Set<string>()
  const open = [concept]
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const each of of(next, 'broader'))
      if (!found.has(each)) {
        found.add(each)
        open.push(each)
      }
  return found
}

/** A label is a JSON list of its text and its language or datatype. */
const languageOf = (label: string) => String((JSON.parse(label) as unknown[])[1])
