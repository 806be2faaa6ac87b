import { FileUp } from 'lucide-react'
import { Link, useNavigate } from '../parts/router.tsx'

import { type Import, isProblem } from '../../../client/index.ts'
import { FullPageNote } from '../parts/full-page-note.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { useTitle } from '../parts/use-title.ts'
import { useLocale } from '../i18n/locale.tsx'
import { ImportProgress, ImportState } from './import-state.tsx'
import { isUnderWay, useImports } from './use-imports.ts'
import { useSiteWords } from '../manage/use-site-words.ts'
import './import.css'

/** All imports, newest first. */
export default function ImportsPage() {
  const { words } = useLocale()
  const siteWords = useSiteWords()
  const imports = useImports()
  const navigate = useNavigate()
  useTitle(words.imports)
  if (isProblem(imports.error, 'forbidden')) return <FullPageNote isWhole title={words.mayNotImport} />
  return (
    <section>
      <header className="manage-head">
        <div>
          <h1>{words.imports}</h1>
          <p className="soft">{words.importsIntro}</p>
        </div>
        <div className="record-actions">
          <Link className="button" to="/manage/imports/copy">
            {siteWords.copyRecords}
          </Link>
          <Link className="button primary" to="/manage/imports/new">
            <FileUp size={16} aria-hidden="true" /> {words.importFile}
          </Link>
        </div>
      </header>
      {!imports.data && <QueryNote query={imports} />}
      {imports.data?.length === 0 && (
        <FullPageNote
          title={words.noImports}
          action={words.importFile}
          onAction={() => navigate('/manage/imports/new')}
        >
          {words.noImportsHint}
        </FullPageNote>
      )}
      {imports.data && imports.data.length > 0 && (
        <ul className="imports">
          {imports.data.map(each => (
            <ImportLine key={each.id} job={each} />
          ))}
        </ul>
      )}
    </section>
  )
}

function ImportLine({ job }: { readonly job: Import }) {
  const { words, number, ago, whoName } = useLocale()
  const told = (['created', 'updated', 'unreadable'] as const).filter(key => job.counts[key] > 0)
  return (
    <li className="import-line">
      <Link to={`/manage/imports/${job.id}`}>
        <span className="import-name">{job.name}</span>
        <span className="soft">{words.importedBy(whoName(job.created_by), ago(job.created_at))}</span>
      </Link>
      <span className="import-told">
        {told.map(key => (
          <span key={key} className={key === 'unreadable' ? 'fault' : 'soft'}>
            {number(job.counts[key])} {words.countNames[key]}
          </span>
        ))}
      </span>
      <ImportState job={job} />
      {isUnderWay(job) && <ImportProgress job={job} />}
    </li>
  )
}
