/* The part of `pg` that the comparison of drivers uses; the package brings no types. */
declare module 'pg' {
  export interface QueryConfig {
    readonly name?: string
    readonly text: string
    readonly values?: readonly unknown[]
  }
  export interface PoolOptions {
    readonly connectionString: string
    readonly max: number
    readonly pipeline?: boolean
    readonly query_timeout?: number
    readonly connectionTimeoutMillis?: number
  }
  export class Client {
    constructor(options: { readonly connectionString: string; readonly pipeline?: boolean })
    connect(): Promise<void>
    query(query: QueryConfig | string): Promise<{ readonly rows: Record<string, unknown>[] }>
    on(event: 'error', listener: (error: Error) => void): void
    end(): Promise<void>
  }
  export interface PoolClient extends Client {
    release(destroy?: boolean): void
  }
  export class Pool {
    constructor(options: PoolOptions)
    connect(): Promise<PoolClient>
    query(query: QueryConfig | string): Promise<{ readonly rows: Record<string, unknown>[] }>
    on(event: 'error', listener: (error: Error) => void): void
    end(): Promise<void>
  }
}
