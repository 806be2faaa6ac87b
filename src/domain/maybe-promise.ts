/** A value now, or later: an embedded store has its point reads at hand, a server does not. */
export type MaybePromise<T> = T | Promise<T>
