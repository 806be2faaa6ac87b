import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'

import { DialogFoot } from '../parts/dialog-foot.tsx'
import { Choices } from '../parts/choices.tsx'
import type { Filter } from '../../../client/index.ts'
import { toExpression } from '../change/three-levels.ts'
import { Dialog } from '../parts/dialog.tsx'
import { sizeText } from '../parts/size-text.ts'
import { useToasts } from '../parts/toasts.tsx'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { exportGroups, type Format, formatLabel } from './export-formats.ts'
import { saveFile } from './save-file.ts'
import './export.css'

interface ExportDialogProps {
  readonly title: string
  /** The records to export. */
  readonly filters: readonly Filter[]
  readonly count: number
  /** The name of the file, without its extension. */
  readonly name: string
  readonly onClose: () => void
}

const ofMarc = ['authorities', 'holdings'] as const
/** Parts that a file has if they are asked for, by format. */
const includable = {
  ndjson: ['media', 'history'],
  marc21: ofMarc,
  marcxml: ofMarc,
  marcjson: ofMarc,
  mrk: ofMarc
} as const satisfies Partial<Readonly<Record<Format['name'], readonly string[]>>>
type Included = (typeof includable)[keyof typeof includable][number]
const partsOf = (format: Format['name']): readonly Included[] =>
  format in includable ? includable[format as keyof typeof includable] : []

/** Number of records from which a file is streamed to the disk. */
const largeFrom = 20_000

/** Exports records as a file. */
export function ExportDialog({ title, filters, count, name, onClose }: ExportDialogProps) {
  const { client } = useSession()
  const { words, number, language } = useLocale()
  const { say } = useToasts()
  const editions = useEditionCount(filters)
  const [chosen, setChosen] = useState<Format['name']>('csv')
  const [included, setIncluded] = useState<readonly Included[]>([])
  const [bytes, setBytes] = useState(0)
  const [call] = useState(() => new AbortController())
  const legend = useId()
  const all = Object.values(exportGroups).flat()
  const take = useMutation({
    mutationFn: async () => {
      const format = all.find(each => each.name === chosen)
      if (format === undefined) return 'called off' as const
      // Spreadsheets recognise UTF-8 by the mark.
      const options = {
        hasBom: format.name === 'csv',
        include: included.filter(each => partsOf(format.name).includes(each)),
        signal: call.signal
      }
      const ask = () => client.exports.matching(filters, format.name, options)
      return saveFile(`${name}.${format.extension}`, count >= largeFrom, ask, setBytes)
    },
    onSuccess: outcome => {
      if (outcome === 'saved') {
        say(words.exported(`${name}.${all.find(each => each.name === chosen)?.extension ?? ''}`))
        onClose()
      }
    }
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    take.mutate()
  }
  const close = () => {
    call.abort()
    onClose()
  }
  return (
    <Dialog title={title} onClose={close} wide>
      <form className="export" onSubmit={submit}>
        <p className="soft">
          {words.results(count, number(count))}
          {editions !== undefined && editions < count && ` · ${words.editionsAmong(editions, number(editions))}`}
        </p>
        <div className="export-groups">
          {(Object.keys(exportGroups) as (keyof typeof exportGroups)[]).map(group => (
            <fieldset key={group} className="filter-group" aria-labelledby={`${legend}-${group}`}>
              <legend id={`${legend}-${group}`}>{words.exportGroups[group]}</legend>
              {exportGroups[group].map(format => {
                const isNone = format.isOfManifestations && editions === 0
                return (
                  <label key={format.name} className={isNone ? 'check soft' : 'check'}>
                    <input
                      type="radio"
                      name="format"
                      value={format.name}
                      disabled={isNone}
                      checked={chosen === format.name}
                      onChange={() => setChosen(format.name)}
                    />
                    <span>
                      {formatLabel(format, words)}
                      {format.isOfManifestations && <small className="soft"> {words.editionsOnly}</small>}
                    </span>
                  </label>
                )
              })}
            </fieldset>
          ))}
        </div>
        {partsOf(chosen).length > 0 && (
          <fieldset className="filter-group">
            <legend>{words.exportInclude}</legend>
            <Choices
              of={partsOf(chosen)}
              chosen={included}
              onChoose={setIncluded}
              name={each => words.exportIncludes[each]}
            />
          </fieldset>
        )}
        {take.isPending && (
          <p role="status" className="soft">
            {words.exporting(sizeText(bytes, language))}
          </p>
        )}
        <DialogFoot
          does={words.download}
          isDisabled={take.isPending || count === 0}
          error={take.error}
          onCancel={close}
        />
      </form>
    </Dialog>
  )
}

/** The number of editions among them: some formats support nothing else. */
function useEditionCount(filters: readonly Filter[]): number | undefined {
  const { client, model } = useSession()
  const types = model.types
    .filter(({ relations }) => relations.some(({ type }) => type === toExpression))
    .map(({ type }) => type)
  const { data } = useQuery({
    queryKey: ['editions among', filters],
    queryFn: async ({ signal }) =>
      types.length === 0
        ? 0
        : (await client.entities.find([...filters, { type: 'type', value: types }], { limit: 0, signal })).count
  })
  return data
}
