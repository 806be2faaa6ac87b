/** An OpenID Connect issuer whose access tokens are accepted. */
export interface TrustedIssuer {
  readonly issuer: string
  readonly audience: string
  /** The claim that contains the scopes: a list, or a text with spaces. */
  readonly scopesClaim: string
  /** Whether its ID tokens are accepted too; they are meant for a client, not for this service. */
  readonly acceptsIdTokens: boolean
  /**
   * The client for sign-in at the web page; undefined when people do not sign in with this issuer.
   */
  readonly page?: PageClient | undefined
}

/** The OAuth client of the web page at an issuer. */
export interface PageClient {
  readonly clientId: string
  /** Undefined for a public client, which has no secret. */
  readonly clientSecret: string | undefined
  /** The name of the issuer on the sign-in page. */
  readonly name: string
  /** The requested scopes, separated by spaces; `openid` is among them. */
  readonly scope: string
  /** Further parameters of every request to the issuer, such as `resource`. */
  readonly parameters: Readonly<Record<string, string>>
}
