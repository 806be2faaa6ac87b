import Type from 'typebox'

const Issuer = Type.String({ maxLength: 2048, description: 'One of `GET /sign-in/issuers`' })
const RedirectUri = Type.String({ maxLength: 2048, description: 'Address that the issuer returns the browser to' })
const Secret = (description: string) => Type.String({ minLength: 1, maxLength: 16_384, description })
/** A random value that the browser makes for one sign-in. */
const Chance = (description: string) => Type.String({ pattern: '^[A-Za-z0-9._~-]{16,256}$', description })

const State = Chance('Returned in the address')
const Nonce = Chance('Returned in the ID token')

export const SignInIssuers = Type.Object(
  {
    issuers: Type.Array(
      Type.Object(
        { issuer: Type.String(), name: Type.String({ description: 'Name for people' }) },
        { additionalProperties: false }
      )
    )
  },
  { $id: 'SignInIssuers', additionalProperties: false }
)

export const SignInStart = Type.Object(
  {
    issuer: Issuer,
    redirect_uri: RedirectUri,
    state: State,
    nonce: Nonce,
    code_challenge: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$', description: 'S256 of the verifier (RFC 7636)' })
  },
  { $id: 'SignInStart', additionalProperties: false }
)

export const SignInAddress = Type.Object(
  { address: Type.Optional(Type.String({ description: 'Address to open in the browser' })) },
  { $id: 'SignInAddress', additionalProperties: false }
)

export const SignInReturn = Type.Object(
  {
    issuer: Issuer,
    redirect_uri: RedirectUri,
    query: Secret('Query of the address that the browser returned to'),
    state: State,
    nonce: Nonce,
    code_verifier: Type.String({ pattern: '^[A-Za-z0-9._~-]{43,128}$' })
  },
  { $id: 'SignInReturn', additionalProperties: false }
)

export const SignInRefresh = Type.Object(
  { issuer: Issuer, refresh_token: Secret('The last refresh token received') },
  { $id: 'SignInRefresh', additionalProperties: false }
)

export const SignInEnd = Type.Object(
  {
    issuer: Issuer,
    redirect_uri: RedirectUri,
    refresh_token: Type.Optional(Secret('Is revoked')),
    id_token: Type.Optional(Secret('Identifies the session to the issuer'))
  },
  { $id: 'SignInEnd', additionalProperties: false }
)

export const SignedIn = Type.Object(
  {
    access_token: Type.String({ description: 'The bearer' }),
    expires_in: Type.Integer({ description: 'Seconds' }),
    refresh_token: Type.Optional(Type.String()),
    id_token: Type.Optional(Type.String()),
    name: Type.Optional(Type.String({ description: 'Name of the person at the issuer' }))
  },
  { $id: 'SignedIn', additionalProperties: false }
)
