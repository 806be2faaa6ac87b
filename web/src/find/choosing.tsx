import { CheckCheck, Download, PencilLine, X } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'

import type { Filter } from '../../../client/index.ts'
import { useSession } from '../session/session.tsx'
import { ExportDialog } from '../take-out/export-dialog.tsx'
import { useSpeech } from '../words/words.tsx'
import { type FindState, filtersOf, findAddress } from './find-state.ts'
import '../change-many/change-many.css'

/** Which of the results were chosen: all of them, however many, or those with these ids. */
export type Chosen = 'all' | ReadonlySet<string>

/** So many ids go into one question. With more, nothing is done: some of them would be left out. */
const mostChosen = 1000

interface ChoosingProps {
  readonly state: FindState
  readonly count: number
  readonly chosen: Chosen
  readonly onChoose: (chosen: Chosen | undefined) => void
}

/** What can be done with the records that were chosen. */
export function Choosing({ state, count, chosen, onChoose }: ChoosingProps) {
  const { model } = useSession()
  const { words, number } = useSpeech()
  const navigate = useNavigate()
  const [isTakingOut, setTakingOut] = useState(false)
  const size = chosen === 'all' ? count : chosen.size
  const ids = chosen === 'all' ? undefined : [...chosen]
  const isTooMany = ids !== undefined && ids.length > mostChosen
  const filters: Filter[] = ids === undefined ? filtersOf(state, model.climbsBy) : [{ type: 'id', value: ids }]
  const change = () => {
    const address = findAddress(state).replace(/^\/find/, '/find/change')
    navigate(address, ids === undefined ? {} : { state: { ids } })
  }
  return (
    <section className="choosing" aria-label={words.chooseRecords}>
      <p className="choosing-says" role="status">
        {words.chosen(number(size))}
        {isTooMany && ` ${words.tooMany(number(mostChosen))}`}
      </p>
      <button type="button" className="button" disabled={chosen === 'all'} onClick={() => onChoose('all')}>
        <CheckCheck size={16} aria-hidden="true" /> {words.chooseAll(number(count))}
      </button>
      <button type="button" className="button" disabled={size === 0 || isTooMany} onClick={() => setTakingOut(true)}>
        <Download size={16} aria-hidden="true" /> {words.takeOut}
      </button>
      {model.types.some(({ may }) => may.includes('write')) && (
        <button type="button" className="button primary" disabled={size === 0 || isTooMany} onClick={change}>
          <PencilLine size={16} aria-hidden="true" /> {words.changeThese}
        </button>
      )}
      <button type="button" className="icon-button" aria-label={words.close} onClick={() => onChoose(undefined)}>
        <X size={18} aria-hidden="true" />
      </button>
      {isTakingOut && (
        <ExportDialog
          title={chosen === 'all' ? words.takeOutResults : words.takeOutChosen}
          filters={filters}
          count={size}
          name="libretto"
          onClose={() => setTakingOut(false)}
        />
      )}
    </section>
  )
}
