import type { ImportJob } from '#domain/imports/job.ts'
import type { Principal } from '#domain/permissions.ts'
import type { ImportQueue } from '#imports/import-queue.ts'
import type { RouteNeed } from '../../access/route-needs.ts'
import type { App } from '../../openapi/typebox-provider.ts'
import { importJson } from '../../reply/import-job.ts'
import { Import, ImportParams, importScopes } from '../../schemas/import.ts'
import { route } from '../../openapi/route.ts'

interface Action {
  readonly name: string
  readonly needs: RouteNeed
  readonly summary: string
  readonly description: string
  readonly act: (id: string, by: Principal) => Promise<ImportJob>
}

/** Undoing, stopping and resuming an import. */
export function importActionRoutes(app: App, imports: ImportQueue) {
  actionRoute(app, {
    name: 'undo',
    needs: 'read, write and delete everything',
    summary: 'Undo an import',
    description:
      'Records that it created are deleted, records that it changed get their former content; later edits by people or other imports remain. Also needs the scope `delete`.',
    act: imports.undo
  })
  actionRoute(app, {
    name: 'stop',
    needs: 'read and write everything',
    summary: 'Stop an import',
    description: 'Its changes remain and can be undone.',
    act: imports.stop
  })
  actionRoute(app, {
    name: 'resume',
    needs: 'read and write everything',
    summary: 'Resume an import that was stopped or failed',
    description: 'It continues at the position it had reached.',
    act: imports.resume
  })
}

function actionRoute(app: App, { name, needs, summary, description, act }: Action) {
  app.post(
    `/imports/:id/${name}`,
    route(
      { params: ImportParams, response: { 202: Import } },
      {
        tag: 'Imports',
        needs,
        act: { name: `import.${name}` },
        summary,
        description: `${description} ${importScopes}`,
        problems: ['invalid', 'not_found', 'too_many_imports', 'unavailable', 'storage_full']
      }
    ),
    async (request, reply) => reply.code(202).send(importJson(await act(request.params.id, request.principal)))
  )
}
