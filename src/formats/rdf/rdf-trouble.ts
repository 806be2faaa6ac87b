/** The reason why a file of RDF cannot be read. The message begins with the line, if known. */
export class RdfTrouble extends Error {
  readonly kind: 'not_well_formed' | 'refused' | 'over_limit'
  constructor(kind: RdfTrouble['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}
