import type { MaybePromise } from '#domain/maybe-promise.ts'
import type { Row } from '../query/dialect.ts'
import type { Sql } from '../query/sql.ts'

/*
 * Transactions that write no entity, written once for both databases: a generator gives statements,
 * one after the other, and gets the rows of each. SQLite runs them at once, in the thread that
 * writes; PostgreSQL waits for each answer.
 */

export type Steps<T> = Generator<Sql, T, readonly Row[]>

export function runSteps<T>(steps: Steps<T>, run: (statement: Sql) => readonly Row[]): T {
  let next = steps.next()
  while (!next.done) next = steps.next(run(next.value))
  return next.value
}

export async function runStepsLater<T>(steps: Steps<T>, run: (statement: Sql) => Promise<readonly Row[]>): Promise<T> {
  let next = steps.next()
  while (!next.done) next = steps.next(await run(next.value))
  return next.value
}

/** Reads with one statement; finds nothing by a text that the database cannot store. */
export type Read = (text: string, ...parameters: (string | number)[]) => MaybePromise<readonly Row[]>

type Transactions = Readonly<Record<string, (...given: never[]) => Steps<unknown>>>

/** The same methods, of a store: each resolves to the result of its transaction. */
export type Promised<All> = {
  readonly [Name in keyof All]: All[Name] extends (...given: infer Given) => Steps<infer Result>
    ? (...given: Given) => Promise<Result>
    : never
}

export function promise<All extends Transactions>(
  transactions: All,
  run: (name: keyof All, given: readonly unknown[]) => Promise<unknown>
): Promised<All> {
  const methods = Object.keys(transactions).map(name => [name, (...given: readonly unknown[]) => run(name, given)])
  return Object.fromEntries(methods) as Promised<All>
}
