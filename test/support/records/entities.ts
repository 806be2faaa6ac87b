/* Builders: a test shows only what it is about, the rest comes from here. */

export interface EntityGiven {
  readonly id?: string
  readonly type?: string
  readonly metadata?: readonly { readonly key: string; readonly value: unknown; readonly lang?: string }[]
  readonly relations?: readonly {
    readonly key: string
    readonly type: string
    readonly metadata?: readonly unknown[]
  }[]
  readonly identifiers?: readonly string[]
}

/** Metadata entries from an object; a list gives several values of the key. */
export const metadata = (fields: Readonly<Record<string, unknown>>) =>
  Object.entries(fields).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).map(each => ({ key, value: each as unknown }))
  )

/** Values of a key with so many characters together; one value has at most 100,000. */
export const longTexts = (characters: number): string[] =>
  Array.from({ length: Math.ceil(characters / 100_000) }, (_, at) =>
    'x'.repeat(Math.min(100_000, characters - at * 100_000))
  )

/** Relations from an object: relation type → keys. */
export const relations = (targets: Readonly<Record<string, string | readonly string[]>>) =>
  Object.entries(targets).flatMap(([type, keys]) => [keys].flat().map(key => ({ key, type })))

export const aProduction = (fields: Readonly<Record<string, unknown>> = {}, given: EntityGiven = {}) => ({
  type: 'production',
  metadata: metadata({ title: 'Hamlet', ...fields }),
  ...given
})

export const aPerson = (name = 'Shakespeare, William', given: EntityGiven = {}) => ({
  type: 'person',
  metadata: metadata({ name }),
  ...given
})

export const aVenue = (name = 'De Schouwburg', given: EntityGiven = {}) => ({
  type: 'venue',
  metadata: metadata({ name }),
  ...given
})

export const aWork = (title = 'Hamlet', given: EntityGiven = {}) => ({
  type: 'work_word',
  metadata: metadata({ title }),
  ...given
})

export const anExpression = (workId: string, title = 'Hamlet', given: EntityGiven = {}) => ({
  type: 'expression_word',
  metadata: metadata({ title }),
  relations: relations({ refWork: workId }),
  ...given
})

export const aManifestation = (expressionId: string, title = 'Hamlet', given: EntityGiven = {}) => ({
  type: 'manifestation_word',
  metadata: metadata({ title }),
  relations: relations({ refExpressions: expressionId }),
  ...given
})

/** A record of any type, with what it points to by relation type. */
export const aRecord = (
  type: string,
  fields: Readonly<Record<string, unknown>>,
  targets: Readonly<Record<string, string | readonly string[]>> = {},
  given: EntityGiven = {}
) => ({ type, metadata: metadata(fields), relations: relations(targets), ...given })

/** The values that a test gives for one level of a book; the others are those of Hamlet. */
export interface LevelGiven {
  readonly type?: string
  readonly fields?: Readonly<Record<string, unknown>>
  readonly relations?: EntityGiven['relations']
  readonly identifiers?: readonly string[]
}

export interface BookGiven {
  readonly work?: LevelGiven
  readonly expression?: LevelGiven
  readonly manifestation?: LevelGiven
}

interface Creator {
  create(entity: Record<string, unknown>, query?: string): Promise<{ readonly id: string }>
}

/** Creates a work, its expression and its manifestation, and gives their ids. */
export async function createBook(service: Creator, given: BookGiven = {}) {
  const create = async (type: string, level: LevelGiven = {}, links: Readonly<Record<string, string>> = {}) => {
    const { id } = await service.create(
      {
        type: level.type ?? type,
        metadata: metadata({ title: 'Hamlet', ...level.fields }),
        relations: [...relations(links), ...(level.relations ?? [])],
        ...(level.identifiers ? { identifiers: level.identifiers } : {})
      },
      '?allow_dangling=1'
    )
    return id
  }
  const work = await create('work_word', given.work)
  const expression = await create('expression_word', given.expression, { refWork: work })
  const manifestation = await create('manifestation_word', given.manifestation, { refExpressions: expression })
  return { work, expression, manifestation }
}

type Found = readonly { readonly id: string }[] | { readonly results: readonly { readonly id: string }[] }

/** The ids of a list or a page, in its order. */
export const idsOf = (found: Found): string[] => ('results' in found ? found.results : found).map(each => each.id)

interface WithMetadata {
  readonly metadata: readonly { readonly key: string; readonly value: unknown }[]
}

/**
 * The first value of a metadata key of each record in a list or a page, in its order; undefined
 * where it has none.
 */
export const valuesIn = (found: readonly WithMetadata[] | { readonly results: readonly WithMetadata[] }, key: string) =>
  ('results' in found ? found.results : found).map(each => each.metadata.find(entry => entry.key === key)?.value)
