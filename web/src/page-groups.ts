/** Pages that are used together are one script: a file for each would be dozens of requests. */
export const pageGroups = ['reading-pages', 'changing-pages', 'managing-pages'] as const
export type PageGroup = (typeof pageGroups)[number]

const groups: readonly (readonly [PageGroup, RegExp])[] = [
  ['managing-pages', /^\/manage(?:\/|$)/],
  ['changing-pages', /^\/(?:new|find\/(?:change|duplicates)|record\/[^/]+\/(?:edit|marc|merge))(?:\/|$)/],
  ['reading-pages', /^\/(?:find|record|browse)(?:\/|$)/]
]

/** The group of the page at an address; none for the start page, which is in the first script. */
export const pageGroupAt = (path: string): PageGroup | undefined =>
  groups.find(([, pattern]) => pattern.test(path))?.[0]
