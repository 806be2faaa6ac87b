import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { FileText, Film, ImageIcon, Music, UploadCloud } from 'lucide-react'
import { useId, useState } from 'react'
import { Link } from '../parts/router.tsx'

import type { Entity, MediaCategory, WrittenEntity } from '../../../client/index.ts'
import { useChanges } from '../change/use-changes.ts'
import { useStoredState } from '../change/use-stored-state.ts'
import { textOf, valuesOf } from '../data/record-model.ts'
import { altOf, isPicture } from '../data/use-covers.ts'
import { useNameOf } from '../data/use-name-of.ts'
import { usePages } from '../data/use-pages.ts'
import { recordKey } from '../data/use-record.ts'
import { Thumbnail } from '../parts/picture.tsx'
import { categoryField, CropFile } from './crop-file.tsx'
import { SectionNote } from '../parts/section-note.tsx'
import { ShowMore } from '../parts/show-more.tsx'
import { useToasts } from '../parts/toasts.tsx'
import { filesAtOnce } from '../session/early-answers.ts'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { ReadinessStages } from './production-view.tsx'
import { Options } from '../parts/options.tsx'
import { DropPlace } from '../parts/drop-place.tsx'
import './media.css'

/** The readiness of a production, its files, and the place to drop more. */
export function MediaBoard({ entity }: { readonly entity: Entity }) {
  const { client, model } = useSession()
  const { words, valueName, number } = useLocale()
  const readiness = useQuery({
    queryKey: [...recordKey(entity.id), 'readiness'],
    queryFn: async ({ signal }) =>
      (await client.send('GET /entities/{id}/readiness', { path: { id: entity.id }, signal })).data
  })
  const pages = usePages({
    queryKey: [...recordKey(entity.id), 'media'],
    first: signal => client.media.list(entity.id, { limit: filesAtOnce, signal })
  })
  const files = pages.data?.pages.flatMap(page => page.results) ?? []
  const count = pages.data?.pages[0]?.count
  // The table of media files is the one with the category field.
  const row = model.types.find(({ fields }) => fields.some(({ key }) => key === categoryField))
  const mayAdd = row?.may.includes('write') && model.may('write', entity.type)
  const categories = row?.fields.find(({ key }) => key === categoryField)?.of ?? []
  const byCategory = Map.groupBy(files, file => textOf(valuesOf(file, categoryField)[0] ?? ''))
  return (
    <>
      <SectionNote queries={[readiness]} label={words.readiness} />
      {readiness.data && <ReadinessStages readiness={readiness.data} entity={entity} />}
      <section>
        <h2 className="section-title">
          {words.media} <span className="count">{count === undefined ? '' : number(count)}</span>
        </h2>
        {mayAdd && <MediaPlace entity={entity} categories={categories} />}
        <SectionNote queries={[pages]} label={words.media} />
        <div className="media-groups">
          {[...byCategory].map(([category, all]) => (
            <div key={category} className="media-group">
              <h3>{valueName(category)}</h3>
              <ul className="media">
                {all.map(file => (
                  <li key={file.id}>
                    <MediaFile file={file} />
                    {mayAdd && <CropFile entity={entity} file={file} />}
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </div>
        <ShowMore pages={pages} shown={files.length} count={count} label={words.media} />
      </section>
    </>
  )
}

/** The category of pictures of records other than productions. */
const pictureCategory = 'framing'

/** The pictures of a record other than a production, and the place to add some. */
export function Pictures({ entity }: { readonly entity: Entity }) {
  const { client, model } = useSession()
  const { words, number } = useLocale()
  const row = model.types.find(({ fields }) => fields.some(({ key }) => key === categoryField))
  const mayAdd = row?.may.includes('write') && model.may('write', entity.type)
  const hasAny = entity.relations.some(({ type }) => type === 'refMediafiles')
  const pages = usePages({
    queryKey: [...recordKey(entity.id), 'media'],
    enabled: hasAny,
    first: signal => client.media.list(entity.id, { limit: filesAtOnce, signal })
  })
  const files = pages.data?.pages.flatMap(page => page.results) ?? []
  if (!hasAny && !mayAdd) return null
  return (
    <section>
      <h2 className="section-title">
        {words.pictures} <span className="count">{hasAny ? number(files.length) : ''}</span>
      </h2>
      <SectionNote queries={[pages]} label={words.pictures} />
      <ul className="media">
        {files.map(file => (
          <li key={file.id}>
            <MediaFile file={file} />
            {mayAdd && files.length > 1 && <MakePrimary entity={entity} file={file} />}
            {mayAdd && <CropFile entity={entity} file={file} />}
          </li>
        ))}
      </ul>
      <ShowMore pages={pages} shown={files.length} count={pages.data?.pages[0]?.count} label={words.pictures} />
      {mayAdd && <MediaPlace entity={entity} categories={[pictureCategory]} />}
    </section>
  )
}

/** Chooses the picture by which a record is shown in lists. */
function MakePrimary({ entity, file }: { readonly entity: Entity; readonly file: Entity }) {
  const { client } = useSession()
  const { words, problemText } = useLocale()
  const { say } = useToasts()
  const { saved } = useChanges()
  const isPrimary = entity.relations.some(({ type, key }) => type === 'refPrimaryMediafile' && key === file.id)
  const choose = useMutation({
    mutationFn: async () =>
      (
        await client.send('PUT /entities/{id}/set_primary_mediafile/{mediafile_id}', {
          path: { id: entity.id, mediafile_id: file.id }
        })
      ).data as WrittenEntity,
    onSuccess: written => saved(written.version - 1, written),
    onError: error => say(problemText(error))
  })
  return (
    <button
      type="button"
      className="link-button"
      aria-pressed={isPrimary}
      disabled={isPrimary || choose.isPending}
      onClick={() => choose.mutate()}
    >
      {isPrimary ? words.isPrimary : words.makePrimary}
    </button>
  )
}

function MediaFile({ file }: { readonly file: Entity }) {
  const { language } = useLocale()
  const nameOf = useNameOf()
  const kind = textOf(valuesOf(file, 'mimetype')[0] ?? '')
  const name = nameOf(file) === file.id ? textOf(valuesOf(file, 'filename')[0] ?? file.id) : nameOf(file)
  const alt = altOf(file, language)
  const Icon = kind.startsWith('image/')
    ? ImageIcon
    : kind.startsWith('video/')
      ? Film
      : kind.startsWith('audio/')
        ? Music
        : FileText
  return (
    <Link to={`/record/${encodeURIComponent(file.id)}`} className="media-file">
      {isPicture(file) ? (
        <Thumbnail id={file.id} width={320} alt={alt === name ? '' : alt} />
      ) : (
        <Icon size={28} aria-hidden="true" strokeWidth={1.4} />
      )}
      <span>{name}</span>
    </Link>
  )
}

interface MediaPlaceProps {
  readonly entity: Entity
  readonly categories: readonly string[]
}

function MediaPlace({ entity, categories }: MediaPlaceProps) {
  const { client } = useSession()
  const { words, valueName, problemText } = useLocale()
  const { say } = useToasts()
  const { tell } = useChanges()
  const queries = useQueryClient()
  const id = useId()
  const [category, setCategory] = useState(categories[0] ?? '')
  const [description, setDescription] = useStoredState(`picture ${entity.id}`, '')
  const [progress, setProgress] = useState<{ readonly name: string; readonly share: number }>()
  const upload = useMutation({
    mutationFn: async (files: readonly File[]) => {
      for (const file of files) {
        setProgress({ name: file.name, share: 0 })
        const made = await client.media.add(
          entity.id,
          file,
          file.name,
          {
            [categoryField]: category as MediaCategory,
            title: file.name,
            ...(description.trim() === '' ? {} : { description })
          },
          {
            onProgress: (sent, all) => setProgress({ name: file.name, share: all === 0 ? 1 : sent / all })
          }
        )
        tell(words.created(file.name), () => client.entities.delete(made.id, { detach: true }))
      }
    },
    onSuccess: () => setDescription(''),
    onError: error => say(problemText(error)),
    onSettled: () => {
      setProgress(undefined)
      return queries.invalidateQueries()
    }
  })
  return (
    <DropPlace label={words.addMedia} className="drop-place" onFiles={files => upload.mutate(files)}>
      <UploadCloud size={22} aria-hidden="true" />
      {categories.length > 1 && (
        <select aria-label={words.filterType} value={category} onChange={event => setCategory(event.target.value)}>
          <Options of={categories} name={valueName} />
        </select>
      )}
      <input
        id={`${id}-description`}
        className="drop-description"
        aria-label={words.altText}
        placeholder={words.altText}
        maxLength={500}
        value={description}
        onChange={event => setDescription(event.target.value)}
      />
      <label className="button">
        {words.chooseFiles}
        <input
          type="file"
          multiple
          className="visually-hidden"
          disabled={upload.isPending}
          onChange={event => {
            upload.mutate([...(event.target.files ?? [])])
            event.target.value = ''
          }}
        />
      </label>
      <span className="soft">{words.orDrop}</span>
      {progress && (
        <progress aria-label={progress.name} value={progress.share} max={1}>
          {Math.round(progress.share * 100)} %
        </progress>
      )}
    </DropPlace>
  )
}
