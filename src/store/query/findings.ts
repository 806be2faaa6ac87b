import type { CheckOptions, IntegrityReport } from '../ports/administration.ts'
import type { Session } from './dialect.ts'

/** Maximum number of problems that a report lists of each kind; further ones are counted. */
export const maxListedOfKind = 20

export const restoreAdvice = 'Restore a backup that has no such problem'
/** For rows that are made again from the documents. */
export const moveAdvice =
  'Move the catalogue to a new database with "npx libretto move": these rows are written again from the records'

/** The result of a check, so far. Its size does not depend on that of the catalogue. */
export class Findings {
  entities = 0
  readonly #problems = new Map<string, { readonly listed: string[]; count: number }>()
  readonly #notices: string[] = []

  /** Adds a problem of a kind: what is wrong, where, and what to do. */
  add(kind: string, problem: string, count = 1) {
    const known = this.#problems.get(kind) ?? { listed: [], count: 0 }
    known.count += count
    if (known.listed.length < maxListedOfKind) known.listed.push(problem)
    this.#problems.set(kind, known)
  }

  /** Adds a fact that is legal, but that the operator may not expect. */
  notice(text: string) {
    this.#notices.push(text)
  }

  get report(): IntegrityReport {
    const problems = [...this.#problems].flatMap(([kind, { listed, count }]) => [
      ...listed,
      ...(count > listed.length ? [`… and ${count - listed.length} more of this kind (${kind})`] : [])
    ])
    return { ok: problems.length === 0, entities: this.entities, problems, notices: this.#notices }
  }
}

/** A check while it runs. The session sees one moment. */
export interface Checking {
  readonly session: Session
  readonly findings: Findings
  readonly options: CheckOptions
  /** Types whose lookups follow another model: they are not compared with the documents. */
  readonly otherTypes: ReadonlySet<string>
}
