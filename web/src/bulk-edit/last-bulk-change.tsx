import { useState } from 'react'

import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { findLastChange } from './last-change.ts'
import { RefusedList } from './refused-list.tsx'
import { useUndoMany } from './use-undo-bulk.ts'

/** The last bulk change, with Undo. */
export function LastMany() {
  const { me } = useSession()
  const { words, number, ago } = useLocale()
  const [last] = useState(() => findLastChange(me.name))
  const { undo, handled } = useUndoMany()
  if (last === undefined || last.done.length === 0) return null
  const count = number(last.done.length)
  return (
    <div className="note last-many">
      <p role="status">
        {undo.data
          ? words.manyUndone(undo.data.done.length, number(undo.data.done.length))
          : undo.isPending
            ? words.undoingMany(number(handled), count)
            : words.lastMany(last.what, last.done.length, count, ago(last.at))}
      </p>
      {!undo.data && (
        <button type="button" className="button" disabled={undo.isPending} onClick={() => undo.mutate(last.done)}>
          {words.undoMany}
        </button>
      )}
      {undo.data && <RefusedList title={words.notUndone} refused={undo.data.refused} entities={[]} />}
    </div>
  )
}
