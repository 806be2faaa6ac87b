import Type from 'typebox'

const Issuer = Type.String({ maxLength: 2048, description: 'One of `GET /sign-in/issuers`' })
const RedirectUri = Type.String({ maxLength: 2048, description: 'Where the issuer sends the browser back to' })
const Secret = (description: string) => Type.String({ minLength: 1, maxLength: 16_384, description })
/** Made up by the browser for one sign-in. */
const Chance = (description: string) => Type.String({ pattern: '^[A-Za-z0-9._~-]{16,256}$', description })

const State = Chance('Comes back in the address')
const Nonce = Chance('Comes back in the ID token')

export const SignInIssuers = Type.Object(
  {
    issuers: Type.Array(
      Type.Object(
        { issuer: Type.String(), name: Type.String({ description: 'What people know it by' }) },
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
  { address: Type.Optional(Type.String({ description: 'Where to send the browser' })) },
  { $id: 'SignInAddress', additionalProperties: false }
)

export const SignInReturn = Type.Object(
  {
    issuer: Issuer,
    redirect_uri: RedirectUri,
    query: Secret('The query of the address that the browser was sent back to'),
    state: State,
    nonce: Nonce,
    code_verifier: Type.String({ pattern: '^[A-Za-z0-9._~-]{43,128}$' })
  },
  { $id: 'SignInReturn', additionalProperties: false }
)

export const SignInRefresh = Type.Object(
  { issuer: Issuer, refresh_token: Secret('As it was given last') },
  { $id: 'SignInRefresh', additionalProperties: false }
)

export const SignInEnd = Type.Object(
  {
    issuer: Issuer,
    redirect_uri: RedirectUri,
    refresh_token: Type.Optional(Secret('Is taken back')),
    id_token: Type.Optional(Secret('Tells the issuer whose session ends'))
  },
  { $id: 'SignInEnd', additionalProperties: false }
)

export const SignedIn = Type.Object(
  {
    access_token: Type.String({ description: 'The bearer' }),
    expires_in: Type.Integer({ description: 'Seconds' }),
    refresh_token: Type.Optional(Type.String()),
    id_token: Type.Optional(Type.String()),
    name: Type.Optional(Type.String({ description: 'What the person is called there' }))
  },
  { $id: 'SignedIn', additionalProperties: false }
)
