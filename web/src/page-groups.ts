/** Pages that are used together are one script: a file for each would be dozens of requests. */
export const pageGroups = ['reading-pages', 'changing-pages', 'marc-pages', 'bulk-pages', 'managing-pages'] as const
export type PageGroup = (typeof pageGroups)[number]

const groups: readonly (readonly [PageGroup, RegExp])[] = [
  ['managing-pages', /^\/manage(?:\/|$)/],
  ['marc-pages', /^\/(?:new|record\/[^/]+)\/marc(?:\/|$)/],
  ['bulk-pages', /^\/(?:find\/(?:change|duplicates)|record\/[^/]+\/merge)(?:\/|$)/],
  ['changing-pages', /^\/(?:new|record\/[^/]+\/edit)(?:\/|$)/],
  ['reading-pages', /^\/(?:find|record|browse)(?:\/|$)/]
]

/** The group of the page at an address; none for the start page, which is in the first script. */
export const pageGroupAt = (path: string): PageGroup | undefined =>
  groups.find(([, pattern]) => pattern.test(path))?.[0]
