/** The identifiers of clusters after clustering again. */
export interface RetainedIdentifiers {
  /** The identifier of each cluster, in their order; undefined where a new one is needed. */
  readonly names: readonly (string | undefined)[]
  /**
   * Identifiers that no cluster has any more, each with the cluster that most of its members went
   * to.
   */
  readonly dropped: readonly { readonly name: string; readonly into: number | undefined }[]
}

/**
 * Gives clusters the identifiers (of works, of expressions) that their members had before: a
 * cluster gets the identifier that most of its members had, and an identifier goes to one cluster
 * only. So a work keeps its id when records join it, and two works that become one get the id of
 * the larger. Mentions that yield count only where there are no others.
 */
export function retainIdentifiers(
  clusters: readonly { readonly members: readonly { readonly mention: string }[] }[],
  before: ReadonlyMap<string, string>,
  yields: (mention: string) => boolean = () => false
): RetainedIdentifiers {
  const claims = new Map<string, { readonly name: string; readonly cluster: number; count: number; yielding: number }>()
  for (const [cluster, { members }] of clusters.entries())
    for (const { mention } of members) {
      const name = before.get(mention)
      if (name === undefined) continue
      const key = `${cluster} ${name}`
      const claim = claims.get(key) ?? { name, cluster, count: 0, yielding: 0 }
      if (yields(mention)) claim.yielding++
      else claim.count++
      claims.set(key, claim)
    }
  const strongest = [...claims.values()].sort(
    (one, other) =>
      other.count - one.count ||
      other.yielding - one.yielding ||
      (one.name < other.name ? -1 : one.name > other.name ? 1 : one.cluster - other.cluster)
  )
  const names: (string | undefined)[] = clusters.map(() => undefined)
  const used = new Set<string>()
  for (const { name, cluster } of strongest) {
    if (used.has(name) || names[cluster] !== undefined) continue
    names[cluster] = name
    used.add(name)
  }
  const dropped = new Map<string, number | undefined>()
  for (const name of before.values()) if (!used.has(name)) dropped.set(name, undefined)
  for (const { name, cluster } of strongest)
    if (dropped.has(name) && dropped.get(name) === undefined) dropped.set(name, cluster)
  return { names, dropped: [...dropped].sort().map(([name, into]) => ({ name, into })) }
}
