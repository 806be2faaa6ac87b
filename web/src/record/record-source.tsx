import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { TableHead } from '../parts/table-head.tsx'
import { Link } from '../parts/router.tsx'

import { type Entity, isProblem } from '../../../client/index.ts'
import { toExpression } from '../change/three-levels.ts'
import { useRecords } from '../data/use-names.ts'
import { recordKey } from '../data/use-record.ts'
import { LikeCases } from '../import/like-cases.tsx'
import { mayImport } from '../import/may-import.ts'
import { useReasonText } from '../import/reason-text.ts'
import { useLocale } from '../i18n/locale.tsx'
import { useToasts } from '../parts/toasts.tsx'
import { fieldsOf, indicatorsOf, type MarcDataField, type MarcJson, subfieldsOf } from '../marc/marc-lines.ts'
import { QueryNote } from '../parts/query-note.tsx'
import { useSession } from '../session/session.tsx'
import { RecordName } from '../parts/record-name.tsx'

/** The MARC record of an edition, and the import that it came from. Fetched when it is opened. */
export function RecordSource({ entity }: { readonly entity: Entity }) {
  const { model } = useSession()
  const { words } = useLocale()
  const [isOpen, setOpen] = useState(false)
  const isEdition = model.find(entity.type)?.relations.some(({ type }) => type === toExpression) === true
  const isAuthority = model.fieldOf(entity.type, 'source') !== undefined && model.find(entity.type)?.umbrella == null
  if (!isEdition && !isAuthority) return null
  return (
    <details className="record-source" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{words.marcAndOrigin}</summary>
      {isOpen && (
        <>
          {isEdition ? <OriginOf id={entity.id} /> : <EditMarc id={entity.id} />}
          <MarcRecord id={entity.id} isEdition={isEdition} />
        </>
      )}
    </details>
  )
}

function EditMarc({ id }: { readonly id: string }) {
  const { model } = useSession()
  const { words } = useLocale()
  if (!mayImport(model)) return null
  return (
    <p>
      <Link to={`/record/${encodeURIComponent(id)}/marc`}>{words.editMarc}</Link>
    </p>
  )
}

interface MarcRecordProps {
  readonly id: string
  readonly isEdition: boolean
}

function MarcRecord({ id, isEdition }: MarcRecordProps) {
  const { client } = useSession()
  const { words } = useLocale()
  const marc = useQuery({
    queryKey: [...recordKey(id), 'marc'],
    retry: false,
    // An edition without a record in MARC is shown as it is exported.
    queryFn: async ({ signal }) =>
      isEdition
        ? ((await (await client.exports.one(id, 'marcjson', { signal })).json()) as MarcJson)
        : ((await client.send('GET /entities/{id}/source', { path: { id }, signal })).data as MarcJson)
  })
  if (isProblem(marc.error, 'not_found')) return <p className="soft">{words.noOrigin}</p>
  if (!marc.data) return <QueryNote query={marc} />
  const lines = fieldsOf(marc.data)
  return (
    <div className="marc-scroll">
      <table className="marc">
        <caption className="visually-hidden">{words.marcRecord}</caption>
        <TableHead names={[words.marcTag, words.marcIndicators, words.marcContent]} isHidden />
        <tbody>
          {lines.map(({ tag, field }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: fields may repeat, and never move
            <tr key={index}>
              <th scope="row">{tag}</th>
              <td>{typeof field === 'string' ? '' : indicatorsOf(field)}</td>
              <td dir="auto">{typeof field === 'string' ? field : <Subfields field={field} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const Subfields = ({ field }: { readonly field: MarcDataField }) =>
  subfieldsOf(field).map(([code, text], index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: subfields may repeat, and never move
    <span key={index}>
      <b>${code}</b> {text}{' '}
    </span>
  ))

function OriginOf({ id }: { readonly id: string }) {
  const { client } = useSession()
  const { words, number } = useLocale()
  const reasonText = useReasonText()
  const origin = useQuery({
    queryKey: [...recordKey(id), 'origin'],
    retry: false,
    // A record that somebody described by hand has none, and not everybody may read it.
    queryFn: async ({ signal }) => {
      try {
        return (await client.send('GET /entities/{id}/origin', { path: { id }, signal })).data
      } catch (error) {
        if (isProblem(error, 'not_found') || isProblem(error, 'forbidden')) return null
        throw error
      }
    }
  })
  const links = origin.data?.links ?? []
  const decisions = origin.data?.decisions ?? []
  const records = useRecords([
    ...links.flatMap(({ work_id, joined_to }) => [work_id, ...(joined_to ? [joined_to] : [])]),
    ...decisions.map(({ other_id }) => other_id)
  ])
  const named = (key: string) => {
    const record = records.get(key)
    return <Link to={`/record/${encodeURIComponent(key)}`}>{record ? <RecordName record={record} /> : key}</Link>
  }
  if (origin.data === null) return <p className="soft">{words.noOrigin}</p>
  if (!origin.data) return <QueryNote query={origin} />
  const { import_id, record } = origin.data
  return (
    <div className="origin">
      <p>
        {words.originOf(record)} <Link to={`/manage/imports/${encodeURIComponent(import_id)}`}>{words.toImport}</Link>
      </p>
      <EditMarc id={id} />
      <ul className="plain-list">
        {links.map(({ work_id, joined_to, explanation, reason, confidence }) => (
          <li key={work_id}>
            {words.work}: {named(work_id)}
            {joined_to !== null && (
              <span className="soft">
                {' '}
                · {words.joinedWith} {named(joined_to)}
              </span>
            )}
            {explanation !== null && <span className="soft"> · {reasonText(explanation, reason ?? undefined)}</span>}
            {confidence !== null && <span className="soft"> · {number(Math.round(confidence * 100))} %</span>}
          </li>
        ))}
        {decisions.map(({ level, verdict, other_id, made_by, by }) => (
          <li key={`${level} ${other_id}`}>
            {verdict === 'same' ? words.joinedByHand : words.keptApartByHand}: {named(other_id)}
            {made_by !== 'merge' && by !== null && <span className="soft"> · {by}</span>}
          </li>
        ))}
      </ul>
      <SplitWork
        id={id}
        isJoined={links.some(({ joined_to, reason }) => joined_to !== null || reason !== null)}
        isSplit={decisions.some(({ made_by }) => made_by === 'split')}
      />
      <LikeCases id={id} />
    </div>
  )
}

interface SplitWorkProps {
  readonly id: string
  readonly isJoined: boolean
  readonly isSplit: boolean
}

/** Separates an edition from the others of its work, or withdraws that. */
function SplitWork({ id, isJoined, isSplit }: SplitWorkProps) {
  const { client, model } = useSession()
  const { words, problemText } = useLocale()
  const { say } = useToasts()
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: async (isUndo: boolean) =>
      isUndo
        ? client.send('POST /entities/{id}/unsplit', { path: { id } })
        : client.send('POST /entities/{id}/split', { path: { id }, body: {} }),
    onSuccess: () => queries.invalidateQueries(),
    onError: error => say(problemText(error))
  })
  if (!mayImport(model) || !(isJoined || isSplit)) return null
  return (
    <p>
      <button type="button" className="button" disabled={change.isPending} onClick={() => change.mutate(isSplit)}>
        {isSplit ? words.joinAgain : words.isOtherWork}
      </button>
    </p>
  )
}
