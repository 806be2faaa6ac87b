import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import { type DragEvent, type FormEvent, useId, useState } from 'react'
import { useNavigate } from 'react-router'

import type { ImportSettings } from '../../../client/index.ts'
import { useStoredState } from '../change/use-stored-state.ts'
import { sizeText } from '../parts/size-text.ts'
import { useTitle } from '../parts/use-title.ts'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { keepChosenFile } from './chosen-files.ts'
import { type ColumnChoices, ColumnMeanings, mappingOf, usualMaterial } from './column-meanings.tsx'
import { readTableHead } from './table-head.ts'
import { importKey, importsKey } from './use-imports.ts'
import '../change/change.css'
import './import.css'

const looksLikeTable = (name: string) => /\.(csv|tsv)$/i.test(name)

/** Takes a file, asks for settings that the file lacks, and previews the import. */
export default function NewImportPage() {
  const { client } = useSession()
  const { words, language, problemText } = useLocale()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const id = useId()
  const [file, setFile] = useState<File>()
  const [format, setFormat] = useState('')
  const [agency, setAgency, forgetAgency] = useStoredState('import agency', '')
  const [choices, setChoices] = useState<ColumnChoices>({})
  const [material, setMaterial] = useState(usualMaterial)
  useTitle(words.importFile)

  const isTable = file !== undefined && (format === 'csv' || (format === '' && looksLikeTable(file.name)))
  const head = useQuery({
    queryKey: ['table head', file?.name, file?.size, file?.lastModified],
    enabled: isTable,
    queryFn: async () => (file && (await readTableHead(file))) ?? null
  })
  const send = useMutation({
    mutationFn: async (isPreview: boolean) => {
      if (file === undefined) return undefined
      const mapping = isTable ? mappingOf(choices, material) : undefined
      const settings: ImportSettings = {
        name: file.name,
        ...(format === '' ? {} : { format }),
        ...(agency.trim() === '' ? {} : { agency: agency.trim() }),
        ...(mapping === undefined ? {} : { mapping })
      }
      const made = await client.imports.add(file, { ...settings, isPreview })
      if (isPreview) keepChosenFile(made.id, { file, settings })
      return made
    },
    onSuccess: async made => {
      if (made === undefined) return
      forgetAgency()
      queries.setQueryData(importKey(made.id), made)
      await queries.invalidateQueries({ queryKey: [...importsKey, 'list'] })
    }
  })
  // Only if the user is still on this page: uploading a large file takes a while.
  const sendFile = (isPreview: boolean) =>
    send.mutate(isPreview, { onSuccess: made => made && navigate(`/manage/imports/${made.id}`) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    sendFile(true)
  }
  const choose = (chosen: File | undefined) => {
    if (chosen === undefined) return
    send.reset()
    setChoices({})
    setFile(chosen)
  }
  return (
    <form className="change" onSubmit={submit}>
      <h1>{words.importFile}</h1>
      <FilePlace file={file} sizeOf={given => sizeText(given.size, language)} onChoose={choose} />
      {file !== undefined && (
        <>
          <div className="field">
            <label htmlFor={`${id}-format`}>{words.fileFormat}</label>
            <select id={`${id}-format`} value={format} onChange={event => setFormat(event.target.value)}>
              <option value="">{words.formatFound}</option>
              {Object.entries(words.formatNames).map(([name, called]) => (
                <option key={name} value={name}>
                  {called}
                </option>
              ))}
            </select>
          </div>
          <div className="field">
            <label htmlFor={`${id}-agency`}>{words.agency}</label>
            <input
              id={`${id}-agency`}
              value={agency}
              maxLength={100}
              aria-describedby={`${id}-agency-hint`}
              onChange={event => setAgency(event.target.value)}
            />
            <p id={`${id}-agency-hint`} className="hint">
              {words.agencyHint}
            </p>
          </div>
          {isTable && head.data === null && <p className="note note-warn">{words.noHeader}</p>}
          {isTable && head.data && (
            <ColumnMeanings
              head={head.data}
              choices={choices}
              onChoose={setChoices}
              material={material}
              onMaterial={setMaterial}
            />
          )}
        </>
      )}
      <footer className="form-foot import-foot">
        <div className="form-foot-says" role="alert">
          {send.error && <p className="fault">{problemText(send.error)}</p>}
          {send.isPending && <p className="soft">{words.sendingFile}</p>}
        </div>
        <button
          type="button"
          className="button"
          disabled={file === undefined || send.isPending}
          onClick={() => sendFile(false)}
        >
          {words.importWithoutPreview}
        </button>
        <button
          type="submit"
          className="button primary"
          disabled={file === undefined || send.isPending}
          title={words.previewHint}
        >
          {words.preview}
        </button>
      </footer>
    </form>
  )
}

interface FilePlaceProps {
  readonly file: File | undefined
  readonly sizeOf: (file: File) => string
  readonly onChoose: (file: File | undefined) => void
}

/** The place to drop or choose a file. */
function FilePlace({ file, sizeOf, onChoose }: FilePlaceProps) {
  const { words } = useLocale()
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    onChoose(event.dataTransfer.files[0])
  }
  return (
    <section
      aria-label={words.chooseFile}
      className={isOver ? 'file-place over' : 'file-place'}
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <FileUp size={30} strokeWidth={1.4} aria-hidden="true" />
      {file === undefined ? (
        <p className="file-name">{words.dropFile}</p>
      ) : (
        <p className="file-name">
          {file.name} <span className="soft">{sizeOf(file)}</span>
        </p>
      )}
      <label className={file === undefined ? 'button primary' : 'button'}>
        {file === undefined ? words.chooseFile : words.otherFile}
        <input
          type="file"
          className="visually-hidden"
          onChange={event => {
            onChoose(event.target.files?.[0])
            event.target.value = ''
          }}
        />
      </label>
      {file === undefined && <p className="hint">{words.importFormats}</p>}
    </section>
  )
}
