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
