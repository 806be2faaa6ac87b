import { NavLink, Outlet } from 'react-router'

import { FullPageNote } from '../parts/full-page-note.tsx'
import { useSession } from '../session/session.tsx'
import { useSpeech } from '../words/words.tsx'
import './manage.css'

/** What only those see who look after the catalogue. */
export default function ManagePage() {
  const { me } = useSession()
  const { words } = useSpeech()
  if (!me.is_admin) return <FullPageNote isWhole title={words.adminOnly} />
  return (
    <div className="manage">
      <nav className="tabs" aria-label={words.manage}>
        <NavLink to="/manage/tokens">{words.tokens}</NavLink>
        <NavLink to="/manage/webhooks">{words.webhooks}</NavLink>
      </nav>
      <Outlet />
    </div>
  )
}
