import { Readable } from 'node:stream'
import Type from 'typebox'

import type { Catalogue } from '#catalogue/catalogue.ts'
import { always } from '#catalogue/productions/read-programme.ts'
import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import { invalidWith } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import { distinctPaths, fileNameOf, pressFileTable, pressTexts, withEnding } from '#formats/press-kit.ts'
import { programmeTable } from '#formats/programme.ts'
import { maxZipBytes, writeZip, type ZipEntry } from '#formats/zip/write-zip.ts'
import type { MediaManager } from '#media/media-manager.ts'
import { endWithRights, rightsOf } from '../../access/lasting-rights.ts'
import type { App } from '../../openapi/typebox-provider.ts'
import { contentHeaders } from '../../reply/content-headers.ts'
import { EntityParams } from '../../schemas/common.ts'
import { route } from '../../openapi/route.ts'

const Bytes = Type.Unsafe<Readable>({ type: 'string', contentEncoding: 'binary' })

/** Maximum number of media files in a press kit, and bytes that are left for its directory. */
const maxFiles = 1000
const directoryBytes = 1_048_576

/** The press kit of a production: its texts, performances and media files as one archive. */
export function pressKitRoutes(app: App, catalogue: Catalogue, media: MediaManager, timeZone: string) {
  app.get(
    '/entities/:id/press-kit.zip',
    route(
      { params: EntityParams, response: { 200: Bytes } },
      {
        tag: 'Media',
        summary: 'Read the texts, performances and media files of a production as a ZIP archive',
        description: `At most ${maxFiles} media files and 4 GiB. Files elsewhere are listed with their addresses in \`files.csv\`.`,
        problems: ['not_found', 'invalid'],
        produces: 'application/zip'
      }
    ),
    async (request, reply) => {
      const { principal, params } = request
      // Throws for anything but a production.
      const { id } = await catalogue.productions.readiness(principal, params.id, Date.now())
      const { owner, entries } = await catalogue.productions.programme(principal, id, always)
      const files = await readFiles(catalogue, principal, id)
      const stored = files.filter(file => first(file, 'sha256') !== undefined)
      const bytes = stored.reduce((sum, file) => sum + Number(first(file, 'size') ?? 0), 0)
      if (bytes > maxZipBytes - directoryBytes)
        throw invalidWith([
          { pointer: 'id', message: 'Its media files have more than 4 GiB; download them one by one' }
        ])
      const folder = fileNameOf(first(owner, 'title') ?? '', id)
      const paths = distinctPaths(
        stored.map(file => {
          const category = fileNameOf(first(file, 'mediafile_type') ?? '', 'other')
          const name = fileNameOf(first(file, 'filename') ?? first(file, 'title') ?? '', file.id)
          return `${folder}/${category}/${withEnding(name, first(file, 'mimetype') ?? '')}`
        })
      )
      const pathOf = (file: Entity) => paths[stored.indexOf(file)]
      const text = (name: string, content: string, modified: string): ZipEntry => ({
        name: `${folder}/${name}`,
        modified: Date.parse(modified),
        open: () => [Buffer.from(content, 'utf8')]
      })
      const changed = owner.audit.updated.at
      const archive = writeZip([
        text('texts.txt', pressTexts(owner), changed),
        text('performances.csv', programmeTable(entries, { catalogue: timeZone }), changed),
        text('files.csv', pressFileTable(files.map(file => ({ file, path: pathOf(file) }))), changed),
        ...stored.map(
          (file, index): ZipEntry => ({
            name: paths[index] ?? file.id,
            modified: Date.parse(file.audit.updated.at),
            open: () => openContent(media, first(file, 'sha256') ?? '')
          })
        )
      ])
      reply.headers(contentHeaders('application/zip', `${folder}.zip`))
      return reply.send(endWithRights(Readable.from(archive, { objectMode: false }), rightsOf(request, reply)))
    }
  )
}

async function openContent(media: MediaManager, hash: string): Promise<AsyncIterable<Uint8Array>> {
  const { size } = await media.find(hash)
  return size === 0 ? Readable.from([]) : media.read(hash, 0, size - 1)
}

async function readFiles(catalogue: Catalogue, principal: Principal, id: string): Promise<Entity[]> {
  const page = await catalogue.media.list(principal, id, undefined, { skip: 0, limit: maxFiles, cursor: undefined })
  return page.entities.map(({ json }) => JSON.parse(json) as Entity)
}

function first(entity: Entity, key: string): string | undefined {
  const [value] = valuesOf(entity, key)
  return value === undefined || value === null || value === '' ? undefined : String(value)
}
