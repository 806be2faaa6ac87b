import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { SelectField } from '../parts/select-field.tsx'
import { useNavigate } from '../parts/router.tsx'

import { importFormats } from '../../../client/formats.ts'
import type { ImportFormat, ImportSettings } from '../../../client/index.ts'
import { useStoredState } from '../change/use-stored-state.ts'
import { sizeText } from '../parts/size-text.ts'
import { useTitle } from '../parts/use-title.ts'
import { useSession } from '../session/session.tsx'
import { DropPlace } from '../parts/drop-place.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { keepChosenFile } from './chosen-files.ts'
import { type ColumnChoices, ColumnMeanings, mappingOf, usualMaterial } from './column-meanings.tsx'
import { type Meanings, RecordColumns } from './record-columns.tsx'
import { readTableHead } from './table-head.ts'
import { importKey, importsKey } from './use-imports.ts'
import '../change/change.css'
import './import.css'

const looksLikeTable = (name: string) => /\.(csv|tsv)$/i.test(name)
const mayHaveRows = (name: string) => /\.(csv|tsv|txt|json|ndjson|jsonl)$/i.test(name)
/** Bytes of a file that are enough to propose a mapping. */
const enoughToPropose = 8_000_000

/** The subject of the rows as a person states it; by default the names of the columns tell it. */
type RowsAre = '' | 'publications' | 'records'

/** Takes a file, asks for settings that the file lacks, and previews the import. */
export default function NewImportPage() {
  const { client } = useSession()
  const { words, language, problemText } = useLocale()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const id = useId()
  const [file, setFile] = useState<File>()
  const [format, setFormat] = useState<ImportFormat | ''>('')
  const [agency, setAgency, forgetAgency] = useStoredState('import agency', '')
  const [choices, setChoices] = useState<ColumnChoices>({})
  const [material, setMaterial] = useState(usualMaterial)
  const [said, setSaid] = useState<RowsAre>('')
  const [meanings, setMeanings] = useState<Meanings>({})
  const [written, setWritten] = useState<string>()
  useTitle(words.importFile)

  const asksForRows = file !== undefined && (format === '' || format === 'csv') && mayHaveRows(file.name)
  const proposal = useQuery({
    queryKey: ['mapping', file?.name, file?.size, file?.lastModified, meanings],
    enabled: asksForRows,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      file === undefined
        ? null
        : client.imports.proposeMapping(file.slice(0, enoughToPropose), { name: file.name, meanings }, { signal })
  })
  const hasRows = asksForRows && ['publications', 'records', 'unclear'].includes(proposal.data?.subject ?? '')
  const told = proposal.data?.subject === 'unclear' ? '' : ((proposal.data?.subject ?? '') as RowsAre)
  const rowsAre = !hasRows ? '' : said !== '' ? said : format === 'csv' ? 'publications' : told
  const isOfRecords = rowsAre === 'records'
  const isTable =
    file !== undefined &&
    (hasRows ? rowsAre === 'publications' : format === 'csv' || (format === '' && looksLikeTable(file.name)))
  /** Nothing is sent before it is known what the rows are. */
  const isUnclear =
    (asksForRows && proposal.isPending) ||
    (hasRows && rowsAre === '') ||
    (isOfRecords && written === undefined && !proposal.data?.mapping)
  const head = useQuery({
    queryKey: ['table head', file?.name, file?.size, file?.lastModified],
    enabled: isTable,
    queryFn: async () => (file && (await readTableHead(file))) ?? null
  })
  const send = useMutation({
    mutationFn: async (isPreview: boolean) => {
      if (file === undefined) return undefined
      const mapping = isOfRecords
        ? written === undefined
          ? proposal.data?.mapping
          : readWritten(written, words.mappingNotJson)
        : isTable
          ? mappingOf(choices, material)
          : undefined
      const settings: ImportSettings = {
        name: file.name,
        ...(isTable ? { format: 'csv' } : format === '' || isOfRecords ? {} : { format }),
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
    setMeanings({})
    setWritten(undefined)
    setSaid('')
    setFile(chosen)
  }
  return (
    <form className="change" onSubmit={submit}>
      <h1>{words.importFile}</h1>
      <FilePlace file={file} sizeOf={given => sizeText(given.size, language)} onChoose={choose} />
      {file !== undefined && (
        <>
          <SelectField
            label={words.fileFormat}
            value={format}
            onChoose={chosen => setFormat(chosen as ImportFormat | '')}
          >
            <option value="">{words.formatFound}</option>
            {importFormats.map(({ name, title }) => (
              <option key={name} value={name}>
                {name in words.formatNames ? words.formatNames[name as keyof typeof words.formatNames] : title}
              </option>
            ))}
          </SelectField>
          {hasRows && (
            <SelectField label={words.rowsAre} value={rowsAre} onChoose={chosen => setSaid(chosen as RowsAre)}>
              {rowsAre === '' && <option value="">{words.rowsUnclear}</option>}
              <option value="publications">{words.rowsArePublications}</option>
              <option value="records">{words.rowsAreRecords}</option>
            </SelectField>
          )}
          {isOfRecords && proposal.data && (
            <RecordColumns
              proposal={proposal.data}
              meanings={meanings}
              onMeanings={setMeanings}
              written={written}
              onWritten={setWritten}
            />
          )}
          <div className="field" hidden={isOfRecords}>
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
          {asksForRows && proposal.error && <p className="fault">{problemText(proposal.error)}</p>}
          {send.isPending && <p className="soft">{words.sendingFile}</p>}
        </div>
        <button
          type="button"
          className="button"
          disabled={file === undefined || isUnclear || send.isPending}
          onClick={() => sendFile(false)}
        >
          {words.importWithoutPreview}
        </button>
        <button
          type="submit"
          className="button primary"
          disabled={file === undefined || isUnclear || send.isPending}
          title={words.previewHint}
        >
          {words.preview}
        </button>
      </footer>
    </form>
  )
}

/** Reads a mapping that was written by hand. Throws a message for people. */
function readWritten(text: string, message: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(message)
  }
}

interface FilePlaceProps {
  readonly file: File | undefined
  readonly sizeOf: (file: File) => string
  readonly onChoose: (file: File | undefined) => void
}

/** The place to drop or choose a file. */
function FilePlace({ file, sizeOf, onChoose }: FilePlaceProps) {
  const { words } = useLocale()
  return (
    <DropPlace label={words.chooseFile} className="file-place" onFiles={([first]) => onChoose(first)}>
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
    </DropPlace>
  )
}
