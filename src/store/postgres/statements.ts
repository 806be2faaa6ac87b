import { runStepsLater, type Steps } from '../administration/steps.ts'
import { isStorable, type Link, type Parameter, type Row, translate } from './connection.ts'
import type { Leased, Shared } from './pool.ts'

/** Short statements of the store, and small transactions that write no entity. */
export interface Statements {
  /** Runs one statement on a shared connection; again on another when that is lost. */
  read(text: string, parameters?: readonly Parameter[]): Promise<Row[]>
  /** The same; finds nothing where a parameter is a text that the database cannot store. */
  find(text: string, ...parameters: Parameter[]): Promise<Row[]>
  /** The first row that `find` finds. */
  first(text: string, ...parameters: Parameter[]): Promise<Row | undefined>
  transact<T>(steps: Steps<T>): Promise<T>
}

export function createStatements(shared: Shared, leased: Leased): Statements {
  const find = async (text: string, ...parameters: Parameter[]) => {
    const isPossible = parameters.every(each => typeof each !== 'string' || isStorable(each))
    return isPossible ? shared.read(text, parameters) : []
  }
  return {
    read: shared.read,
    find,
    first: async (text, ...parameters) => (await find(text, ...parameters))[0],
    transact: steps =>
      leased
        .use(link => transact(link, steps))
        .catch(error => {
          throw translate(error)
        })
  }
}

/** Runs the steps in one transaction. */
export async function transact<T>(link: Link, steps: Steps<T>): Promise<T> {
  await link.run('BEGIN')
  try {
    const result = await runStepsLater(steps, ({ text, parameters }) => link.run(text, parameters))
    await link.run('COMMIT')
    return result
  } catch (error) {
    await link.run('ROLLBACK').catch(() => {})
    throw error
  }
}
