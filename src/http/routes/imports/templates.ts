import Type from 'typebox'

import type { RecordTemplate } from '#domain/imports/record-template.ts'
import { route } from '../../openapi/route.ts'
import type { App } from '../../openapi/typebox-provider.ts'
import { importScopes } from '../../schemas/import.ts'

const Template = Type.Object(
  {
    name: Type.String(),
    lines: Type.String({ description: 'Fields, one on each line: `245 10 $a :$b /$c`. `#` stands for a blank' })
  },
  { $id: 'RecordTemplate', additionalProperties: false }
)

/** The templates that a house begins its MARC records with. */
export function templateRoutes(app: App, templates: () => readonly RecordTemplate[]) {
  app.get(
    '/templates',
    route(
      { response: { 200: Type.Array(Template) } },
      {
        tag: 'Imports',
        needs: 'read and write everything',
        summary: 'List the templates of MARC records',
        description: `An administrator writes them in the settings of the site; the MARC editor offers them. ${importScopes}`
      }
    ),
    () => templates().map(({ name, lines }) => ({ name, lines }))
  )
}
