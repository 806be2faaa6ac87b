/* The relations by which the works of a person are found under every name. */

/** The relation from a pseudonym to the person: a search for either finds the works of both. */
export const pseudonymRelation = 'refPseudonymOf'

/** The relation to authors and other contributors. */
export const makers = 'refAuthors'
