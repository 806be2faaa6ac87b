/*
 * The relation by which a person says that two records are different, although they look alike. Any
 * record may have it to records of its own kind, and it holds in both directions.
 */
export const differentRelation = 'refDifferentFrom'
