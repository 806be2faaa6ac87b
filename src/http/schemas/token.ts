import Type from 'typebox'

const tokenMembers = {
  id: Type.String(),
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  created_at: Type.String({ format: 'date-time' }),
  created_by: Type.String(),
  expires_at: Type.Unsafe<string | null>({ type: ['string', 'null'] })
}

export const Token = Type.Object(tokenMembers, { $id: 'Token', additionalProperties: false })

export const NewToken = Type.Object(
  { ...tokenMembers, token: Type.String({ description: 'Shown only in this answer; the service stores a hash' }) },
  { $id: 'NewToken', additionalProperties: false }
)

export const TokenInput = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    scopes: Type.Array(Type.String({ maxLength: 200 }), {
      minItems: 1,
      maxItems: 100,
      description: 'read, write, delete, admin; each alone or narrowed to a type, as in `read:manifestation`'
    }),
    expires_at: Type.Optional(
      Type.String({ maxLength: 40, description: 'ISO 8601; a token without it does not expire' })
    )
  },
  { $id: 'TokenInput', additionalProperties: false }
)
