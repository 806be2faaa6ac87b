import { BookPlus, FilePlus, FileUp, type LucideIcon } from 'lucide-react'
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
          <Special to="/new/publication" icon={BookPlus} name={words.addBook} hint={words.addBookHint} />
        )}
        {mayImport(model) && <Special to="/new/marc" icon={FilePlus} name={words.addMarc} hint={words.addMarcHint} />}
        {mayImport(model) && (
          <Special to="/manage/imports/new" icon={FileUp} name={words.importFile} hint={words.importFileHint} />
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

interface SpecialProps {
  readonly to: string
  readonly icon: LucideIcon
  readonly name: string
  readonly hint: string
}

/** A form that adds more than one record. */
const Special = ({ to, icon: Icon, name, hint }: SpecialProps) => (
  <li className="special">
    <Link to={to}>
      <Icon size={22} aria-hidden="true" />
      <span>
        <strong>{name}</strong>
        <small>{hint}</small>
      </span>
    </Link>
  </li>
)
