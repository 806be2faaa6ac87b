import { TableHead } from '../parts/table-head.tsx'
import type { Import } from '../../../client/index.ts'
import { FamilyIcon } from '../parts/family-icon.tsx'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'

interface EntityCounts {
  readonly created: number
  readonly updated: number
  readonly deleted: number
}

/** The counts of an import or a preview: records of the file, then records of the catalogue. */
export function ImportCounts({ job }: { readonly job: Import }) {
  const { words, number } = useLocale()
  const { joined_works: joined, ...counts } = job.counts
  const keys = Object.keys(words.countNames) as (keyof typeof words.countNames)[]
  const shown = keys.filter(key => key === 'created' || counts[key] > 0)
  const isEmpty = keys.every(key => counts[key] === 0)
  const isAllThere = counts.unchanged > 0 && keys.every(key => key === 'unchanged' || counts[key] === 0)
  if (isEmpty && job.state !== 'done') return null
  return (
    <section>
      <h2 className="section-title">{job.is_preview ? words.wouldBe : words.whatHappened}</h2>
      {isEmpty && <p>{words.nothingRead}</p>}
      {isAllThere && <p>{words.allAsItWas}</p>}
      {!isEmpty && (
        <dl className="import-counts">
          {shown.map(key => (
            <div key={key} className={`count-${key}`}>
              <dt>{words.countNames[key]}</dt>
              <dd>{number(counts[key])}</dd>
            </div>
          ))}
        </dl>
      )}
      {joined > 0 && (
        <p className="import-joined">
          {(job.is_preview ? words.wouldJoinWorks : words.joinedWorks)(joined, number(joined))}
        </p>
      )}
      <NotMapped kinds={job.not_mapped.kinds} />
      <ByKind entities={job.entities as Readonly<Record<string, EntityCounts>>} />
    </section>
  )
}

/** Fields of the file that are in the source records only. */
function NotMapped({ kinds }: { readonly kinds: Import['not_mapped']['kinds'] }) {
  const { words, number } = useLocale()
  if (kinds.length === 0) return null
  return (
    <details className="import-not-mapped">
      <summary>{words.notMapped(number(kinds.length))}</summary>
      <ul>
        {kinds.map(({ name, count }) => (
          <li key={name}>
            {name} ({number(count)})
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Types of one kind are counted together. */
function ByKind({ entities }: { readonly entities: Readonly<Record<string, EntityCounts>> }) {
  const { model } = useSession()
  const { words, number, familyName } = useLocale()
  const rows = [...model.families].flatMap(([family, types]) => {
    const counts = types.flatMap(({ type }) => entities[type] ?? [])
    const sum = (key: keyof EntityCounts) => counts.reduce((all, each) => all + each[key], 0)
    return counts.length === 0
      ? []
      : [{ family, created: sum('created'), updated: sum('updated'), deleted: sum('deleted') }]
  })
  if (rows.length === 0) return null
  const shown = (count: number) => (count === 0 ? '' : number(count))
  const names = { created: words.madeRecords, updated: words.changedRecords, deleted: words.deletedRecords }
  const keys = (['created', 'updated', 'deleted'] as const).filter(key => rows.some(row => row[key] > 0))
  return (
    <table className="import-kinds">
      <TableHead names={[words.kindOfRecord, ...keys.map(key => names[key])]} />
      <tbody>
        {rows.map(({ family, ...counts }) => (
          <tr key={family}>
            <th scope="row">
              <FamilyIcon family={family} size={16} /> {familyName(family)}
            </th>
            {keys.map(key => (
              <td key={key}>{shown(counts[key])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
