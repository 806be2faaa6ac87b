import Type from 'typebox'

import { notFound } from '#domain/errors.ts'
import type { Cards, CardTypefaces } from '#media/cards/cards.ts'
import { cardOf } from '#pages/card.ts'
import type { PageParts } from '#pages/page.ts'
import type { App } from '../openapi/typebox-provider.ts'
import { isKnownToClient } from '../reply/conditions.ts'
import { localeFor } from '../reply/public-page.ts'
import type { WebPage } from '../web-page.ts'

/** Our own typefaces among the files of the page, by the beginnings of their names. */
const ownFaces = {
  titles: ['serif-600-', 'source-serif-4-latin-ext-', 'source-serif-4-greek-wght-', 'source-serif-4-cyrillic-wght-'],
  text: ['sans-400-', 'sans-600-', 'inter-latin-ext-', 'inter-greek-wght-', 'inter-cyrillic-wght-']
} as const

/** The picture of a record for previews of links, with its title and the name of the house. */
export function cardRoute(app: App, parts: PageParts, cards: Cards, page: WebPage | undefined) {
  const files = [...(page?.assets ?? [])]
  const ownOf = (names: readonly string[]) =>
    names.flatMap(each => files.find(([file]) => file.startsWith(each))?.[1].bytes ?? [])
  const own: CardTypefaces = { titles: ownOf(ownFaces.titles), text: ownOf(ownFaces.text) }
  app.get(
    '/record/:id/card.jpg',
    {
      schema: {
        params: Type.Object({ id: Type.String({ maxLength: 400 }) }),
        querystring: Type.Object({})
      },
      config: {
        doc: {
          tag: 'Service',
          summary: 'The picture of a record for previews of links',
          needs: 'read',
          mayBeAnonymous: true,
          isPage: true,
          produces: 'image/jpeg'
        }
      }
    },
    async (request, reply) => {
      const { id } = request.params
      const { site } = parts
      const locale = localeFor(request, site)
      const typefaces = (name: keyof CardTypefaces) => [
        ...(site.typefaces[name] ? [site.typefaces[name].bytes] : []),
        ...own[name]
      ]
      const content = await cardOf(parts, id, locale)
      const card = await cards.find({ ...content, typefaces: { titles: typefaces('titles'), text: typefaces('text') } })
      if (!card) throw notFound('card', id)
      reply.header('etag', card.etag).header('cache-control', 'no-cache')
      if (locale.prefix === '') reply.header('vary', 'Accept-Language')
      if (isKnownToClient(request.headers, card.etag)) return reply.code(304).send()
      return reply.type('image/jpeg').send(card.bytes)
    }
  )
}
