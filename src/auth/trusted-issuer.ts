/** An OpenID Connect issuer whose access tokens are accepted. */
export interface TrustedIssuer {
  readonly issuer: string
  readonly audience: string
  /** The claim that holds the scopes: a list, or a text with spaces. */
  readonly scopesClaim: string
  /** How people sign in with it at the web page; undefined where they do not. */
  readonly page?: PageClient | undefined
}

/** How the page signs people in with an issuer. */
export interface PageClient {
  readonly clientId: string
  /** Undefined for a public client, which has none. */
  readonly clientSecret: string | undefined
  /** What people know the issuer by. */
  readonly name: string
  /** What is asked for, with spaces; `openid` is among it. */
  readonly scope: string
  /** Further parameters of every request to the issuer, such as `resource`. */
  readonly parameters: Readonly<Record<string, string>>
}
