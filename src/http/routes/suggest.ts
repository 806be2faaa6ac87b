import Type from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import { readTypes } from '#catalogue/lists/read-list-query.ts'
import type { Model } from '#domain/record-types/model.ts'
import { filterLimits } from '#domain/filter/filter-members.ts'
import { languageOf, localeOf } from '#pages/locale.ts'
import { languages } from '#pages/phrases.ts'
import type { App } from '../openapi/typebox-provider.ts'
import { route } from '../openapi/route.ts'

/** Suggestions for a search box. */
export function suggestRoutes(app: App, catalogue: Catalogue, model: Model) {
  app.get(
    '/suggest',
    route(
      {
        querystring: Type.Object({
          q: Type.String({ default: '', maxLength: filterLimits.characters, description: 'The typed text' }),
          type: Type.String({
            default: '',
            maxLength: 2000,
            description: 'A type, an umbrella such as `work`, or a comma list'
          }),
          lang: Type.Optional(
            Type.String({ maxLength: 35, description: 'Adds `type_label`, the name of the type in this language' })
          ),
          limit: Type.Integer({ minimum: 1, maximum: 20, default: 8, description: 'Maximum number of suggestions' })
        }),
        response: {
          200: Type.Object(
            {
              suggestions: Type.Array(
                Type.Object(
                  {
                    id: Type.String(),
                    type: Type.String(),
                    label: Type.String(),
                    type_label: Type.Optional(Type.String())
                  },
                  { additionalProperties: false }
                )
              )
            },
            { $id: 'Suggestions', additionalProperties: false }
          )
        }
      },
      {
        tag: 'Entities',
        summary: 'Suggest names for a typed text',
        description:
          'Names that begin with the text come first, then names with all its words; names with typos only where there are neither.',
        problems: ['query_timeout']
      }
    ),
    async request => {
      const { q, type, limit, lang } = request.query
      const types = type === '' ? undefined : readTypes(model, type)
      const suggestions = await catalogue.lists.suggest(request.principal, q, types, limit)
      if (lang === undefined) return { suggestions }
      const { label, labels } = localeOf(languageOf(lang, languages) ?? languages[0])
      return { suggestions: suggestions.map(each => ({ ...each, type_label: label(labels.types, each.type) })) }
    }
  )
}
