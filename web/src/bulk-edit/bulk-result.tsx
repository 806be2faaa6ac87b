import type { Entity } from '../../../client/index.ts'
import { useLocale } from '../i18n/locale.tsx'
import { RefusedList } from './refused-list.tsx'
import type { ManyOutcome } from './send-bulk-change.ts'
import { useUndoMany } from './use-undo-bulk.ts'

interface ManyOutcomeProps {
  readonly outcome: ManyOutcome
  readonly entities: readonly Entity[]
  readonly wasStopped: boolean
  /** Says how many records were changed. */
  readonly title: (count: number, text: string) => string
  /** The name of the button that begins the next change. */
  readonly more: string
  readonly onMore: () => void
}

/** The result of a bulk change, with Undo. */
export function ManyOutcomeView({ outcome, entities, wasStopped, title, more, onMore }: ManyOutcomeProps) {
  const { words, number } = useLocale()
  const { undo, handled } = useUndoMany()
  const count = outcome.done.length
  return (
    <section className="many-preview">
      <div role="status">
        <h2 className="section-title">
          {undo.data
            ? words.manyUndone(undo.data.done.length, number(undo.data.done.length))
            : title(count, number(count))}
        </h2>
      </div>
      {wasStopped && <p className="note">{words.stoppedAt}</p>}
      {undo.isPending && (
        <div className="import-progress" role="status">
          <progress aria-label={words.undoMany} value={handled} max={Math.max(1, count)} />
          <p className="soft">{words.undoingMany(number(handled), number(count))}</p>
        </div>
      )}
      <div className="many-actions">
        {count > 0 && !undo.data && (
          <button type="button" className="button" disabled={undo.isPending} onClick={() => undo.mutate(outcome.done)}>
            {words.undoMany}
          </button>
        )}
        <button type="button" className="button" disabled={undo.isPending} onClick={onMore}>
          {more}
        </button>
      </div>
      <RefusedList title={words.refusedRecords} refused={outcome.refused} entities={entities} />
      {undo.data && <RefusedList title={words.notUndone} refused={undo.data.refused} entities={entities} />}
    </section>
  )
}
