import { BookPlus, FileUp } from 'lucide-react'
import { Link } from '../parts/router.tsx'

import { mayImport } from '../import/may-import.ts'
import { FamilyIcon } from '../parts/family-icon.tsx'
import { useTitle } from '../parts/use-title.ts'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { levelsOf } from './three-levels.ts'
import './change.css'

/** The kinds of records that can be added; publications have a form of their own. */
export default function NewPage() {
  const { model } = useSession()
  const { words, typeName } = useLocale()
  useTitle(words.addRecord)
  const families = [...model.families].filter(([, rows]) => rows.some(row => row.may.includes('write')))
  return (
    <>
      <h1>{words.addWhat}</h1>
      <ul className="kinds section-title">
        {levelsOf(model) && (
          <li className="special">
            <Link to="/new/publication">
              <BookPlus size={22} aria-hidden="true" />
              <span>
                <strong>{words.addBook}</strong>
                <small>{words.addBookHint}</small>
              </span>
            </Link>
          </li>
        )}
        {mayImport(model) && (
          <li className="special">
            <Link to="/manage/imports/new">
              <FileUp size={22} aria-hidden="true" />
              <span>
                <strong>{words.importFile}</strong>
                <small>{words.importFileHint}</small>
              </span>
            </Link>
          </li>
        )}
        {families.map(([family, rows]) => (
          <li key={family}>
            <Link to={`/new/${rows[0]?.type ?? family}`}>
              <FamilyIcon family={family} />
              {typeName(family)}
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
