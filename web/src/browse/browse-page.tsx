import { Navigate, NavLink, useParams } from '../parts/router.tsx'

import { FullPageNote } from '../parts/full-page-note.tsx'
import { useTitle } from '../parts/use-title.ts'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { Hierarchy } from './hierarchy.tsx'
import './browse.css'

/** The classifications, each from its broadest classes down. */
export default function BrowsePage() {
  const { model } = useSession()
  const { words, familyName } = useLocale()
  const { type } = useParams()
  useTitle(words.browse)
  const [first] = model.classifications
  if (type === undefined && first) return <Navigate to={`/browse/${first.type}`} />
  const row = model.classifications.find(each => each.type === type)
  if (!row) return <FullPageNote isWhole title={words.pageNotFound} />
  return (
    <div className="browse">
      <h1>{words.browse}</h1>
      <p className="soft">{words.browseIntro}</p>
      {model.classifications.length > 1 && (
        <nav className="tabs" aria-label={words.browse}>
          {model.classifications.map(each => (
            <NavLink key={each.type} to={`/browse/${each.type}`}>
              {familyName(each.type)}
            </NavLink>
          ))}
        </nav>
      )}
      <section>
        <h2 className="section-title">{familyName(row.type)}</h2>
        <Hierarchy key={row.type} type={row.type} climbsBy={row.climbs_by} />
      </section>
    </div>
  )
}
