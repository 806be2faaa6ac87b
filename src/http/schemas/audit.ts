import Type from 'typebox'

export const Act = Type.Object(
  {
    number: Type.Integer({ description: 'Acts are numbered in the order in which they were logged' }),
    at: Type.String({ format: 'date-time' }),
    by: Type.String({ description: 'Name of the token or person; `operator` for a command or the service' }),
    act: Type.String({ description: 'Such as `token.create` or `webhook.delete`' }),
    subject: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Id of the token, webhook, import or record'
    }),
    address: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Network address that the request came from; null for a command'
    }),
    details: Type.Unknown({ description: 'Facts about the act; never a secret' })
  },
  { $id: 'Act', additionalProperties: false }
)

export const Acts = Type.Object(
  {
    acts: Type.Array(Act),
    next: Type.Optional(Type.String({ description: 'Address of the next page; absent on the last one' }))
  },
  { $id: 'Acts', additionalProperties: false }
)
