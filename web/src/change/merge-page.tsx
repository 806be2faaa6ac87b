import { useMutation, useQuery } from '@tanstack/react-query'
import { ArrowLeftRight } from 'lucide-react'
import { useState } from 'react'
import { useNavigate, useParams, useSearchParams } from '../parts/router.tsx'

import type { Entity, MetadataEntry, Relation } from '../../../client/index.ts'
import { textOf } from '../data/record-model.ts'
import { useNameOf } from '../data/use-name-of.ts'
import { useRecords } from '../data/use-names.ts'
import { useRecord } from '../data/use-record.ts'
import { QueryNote } from '../parts/query-note.tsx'
import { useToasts } from '../parts/toasts.tsx'
import { useTitle } from '../parts/use-title.ts'
import { FieldValue } from '../record/field-value.tsx'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { isSame } from './form-content.ts'
import { RecordPicker } from './record-picker.tsx'
import { useChanges } from './use-changes.ts'
import './change.css'
import './merge.css'
import { RecordName } from '../parts/record-name.tsx'

const choices = ['survivor', 'victim', 'both'] as const
type Choice = (typeof choices)[number]

/** Merges two records: side by side, chosen field by field, with a preview. */
export default function MergePage() {
  const { id = '' } = useParams()
  const [query, setQuery] = useSearchParams()
  const victimId = query.get('with') ?? ''
  const { model } = useSession()
  const { words } = useLocale()
  const nameOf = useNameOf()
  const survivor = useRecord(id)
  const victim = useRecord(victimId)
  useTitle(words.mergeWith)
  if (!survivor.data) return <QueryNote isWhole query={survivor} />
  const family = model.families.get(model.familyOf(survivor.data.type)) ?? []
  return (
    <div className="merge">
      <h1>{words.mergeWith}</h1>
      <p className="soft">{words.mergeIntro}</p>
      <div className="merge-pick">
        <h2>{words.mergePick}</h2>
        <RecordPicker
          label={words.chooseRecord(nameOf(survivor.data))}
          types={family.map(({ type }) => type)}
          without={[survivor.data.id]}
          onPick={entity => setQuery({ with: entity.id }, { replace: true })}
        />
      </div>
      {victim.data && <MergeForm key={`${id} ${victimId}`} survivor={bare(survivor.data)} victim={bare(victim.data)} />}
    </div>
  )
}

/** Without the resolved summaries: relations are sent as they are stored. */
const bare = (entity: Entity): Entity => ({
  ...entity,
  relations: entity.relations.map(({ key, type, metadata }) => ({ key, type, ...(metadata ? { metadata } : {}) }))
})

interface MergeFormProps {
  readonly survivor: Entity
  readonly victim: Entity
}

interface Row {
  readonly part: 'metadata' | 'relations'
  readonly name: string
  readonly ofSurvivor: readonly (MetadataEntry | Relation)[]
  readonly ofVictim: readonly (MetadataEntry | Relation)[]
}

function MergeForm({ survivor, victim }: MergeFormProps) {
  const { client } = useSession()
  const { words, number, fieldName, relationName, problemText } = useLocale()
  const nameOf = useNameOf()
  const navigate = useNavigate()
  const { tell, refresh } = useChanges()
  const { say } = useToasts()
  const rows = rowsOf(survivor, victim)
  const [chosen, setChosen] = useState<Readonly<Record<string, Choice>>>({})
  const choiceOf = ({ part, name, ofSurvivor }: Row): Choice =>
    chosen[`${part} ${name}`] ?? (ofSurvivor.length === 0 ? 'victim' : part === 'relations' ? 'both' : 'survivor')
  const content = contentOf(rows, choiceOf)
  const records = useRecords([...survivor.relations, ...victim.relations].map(({ key }) => key))
  const merge = useMutation({
    mutationFn: () => client.entities.merge(survivor.id, victim.id, content, { ifMatch: survivor.version }),
    onSuccess: async () => {
      await refresh()
      tell(words.mergeDone(nameOf(survivor)), () => client.entities.unmerge(survivor.id, victim.id))
    },
    onError: error => say(problemText(error))
  })
  const preview = useQuery({
    queryKey: ['merge preview', survivor.id, victim.id, content],
    queryFn: ({ signal }) => client.entities.merge(survivor.id, victim.id, content, { dryRun: true, signal }),
    // A merged record cannot be merged again: the page would show that error for a moment.
    enabled: merge.isIdle || merge.isError
  })
  const shown = (entries: Row['ofSurvivor'], { part, name }: Row) =>
    entries.map(entry => {
      if (part === 'metadata') {
        const { value } = entry as MetadataEntry
        return (
          <div key={textOf(value)}>
            <Shown type={survivor.type} name={name} value={value} />
          </div>
        )
      }
      const record = records.get(entry.key)
      return <div key={entry.key}>{record ? <RecordName record={record} /> : entry.key}</div>
    })

  return (
    <>
      <table className="merge-table">
        <thead>
          <tr>
            <td />
            <th scope="col">
              <span className="soft">{words.mergeKeep}</span> <RecordName record={survivor} />{' '}
              <span className="code">{survivor.id}</span>
            </th>
            <th scope="col">
              <span className="soft">{words.mergeGone}</span> <RecordName record={victim} />{' '}
              <span className="code">{victim.id}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(row => {
            const key = `${row.part} ${row.name}`
            const title = row.part === 'metadata' ? fieldName(row.name) : relationName(row.name)
            const choice = choiceOf(row)
            const isEqual = isSame(row.ofSurvivor, row.ofVictim)
            return (
              <tr key={key} className={isEqual ? 'equal' : undefined}>
                <th scope="row">
                  {title}
                  {!isEqual && (
                    <select
                      aria-label={title}
                      value={choice}
                      onChange={event =>
                        setChosen({ ...chosen, [key]: choices.find(each => each === event.target.value) ?? choice })
                      }
                    >
                      <option value="survivor">
                        {nameOf(survivor) === nameOf(victim) ? survivor.id : nameOf(survivor)}
                      </option>
                      <option value="victim">{nameOf(survivor) === nameOf(victim) ? victim.id : nameOf(victim)}</option>
                      <option value="both">{words.mergeBoth}</option>
                    </select>
                  )}
                </th>
                <td className={isEqual || choice === 'victim' ? undefined : 'kept'}>
                  <span className="merge-side">{words.mergeKeep}</span>
                  {shown(row.ofSurvivor, row)}
                </td>
                <td className={isEqual || choice === 'survivor' ? undefined : 'kept'}>
                  <span className="merge-side">{words.mergeGone}</span>
                  {shown(row.ofVictim, row)}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <footer className="form-foot">
        <div className="form-foot-says" role="status">
          {preview.data &&
            words.mergePreview(preview.data.repointed_references, number(preview.data.repointed_references))}
          {preview.error && <p className="fault">{problemText(preview.error)}</p>}
        </div>
        <button
          type="button"
          className="button"
          onClick={() =>
            navigate(`/record/${encodeURIComponent(victim.id)}/merge?with=${encodeURIComponent(survivor.id)}`)
          }
        >
          <ArrowLeftRight size={16} aria-hidden="true" /> {words.mergeSwap}
        </button>
        <button
          type="button"
          className="button primary"
          disabled={!preview.data || merge.isPending}
          // Only if the user is still on this page.
          onClick={() =>
            merge.mutate(undefined, { onSuccess: () => navigate(`/record/${encodeURIComponent(survivor.id)}`) })
          }
        >
          {words.merge}
        </button>
      </footer>
    </>
  )
}

function Shown({ type, name, value }: { readonly type: string; readonly name: string; readonly value: unknown }) {
  const { model } = useSession()
  return <FieldValue name={name} kind={model.fieldOf(type, name)?.kind} value={value} />
}

/** All fields and relations of either record. */
function rowsOf(survivor: Entity, victim: Entity): Row[] {
  const keys = new Set([...survivor.metadata, ...victim.metadata].map(({ key }) => key))
  const types = new Set([...survivor.relations, ...victim.relations].map(({ type }) => type))
  return [
    ...[...keys].map(name => ({
      part: 'metadata' as const,
      name,
      ofSurvivor: survivor.metadata.filter(({ key }) => key === name),
      ofVictim: victim.metadata.filter(({ key }) => key === name)
    })),
    ...[...types].map(name => ({
      part: 'relations' as const,
      name,
      ofSurvivor: survivor.relations.filter(({ type }) => type === name),
      ofVictim: victim.relations.filter(({ type }) => type === name)
    }))
  ]
}

function contentOf(rows: readonly Row[], choiceOf: (row: Row) => Choice) {
  const taken = (part: Row['part']) =>
    rows
      .filter(row => row.part === part)
      .flatMap(row => {
        const choice = choiceOf(row)
        if (choice === 'survivor') return row.ofSurvivor
        if (choice === 'victim') return row.ofVictim
        const more = row.ofVictim.filter(
          each => !row.ofSurvivor.some(other => (part === 'metadata' ? isSame(each, other) : each.key === other.key))
        )
        return [...row.ofSurvivor, ...more]
      })
  return { metadata: taken('metadata') as MetadataEntry[], relations: taken('relations') as Relation[] }
}
