import { useLocale } from '../i18n/locale.tsx'

/** How far a bulk change is: records that were handled, of all. */
export interface Progress {
  readonly handled: number
  readonly all: number
}

interface BulkProgressProps {
  readonly progress: Progress | undefined
  readonly label: string
  /** Stops the change while it is carried out; a preview cannot be stopped. */
  readonly onStop: (() => void) | undefined
}

/** The progress of a preview or of a bulk change, with a button that stops the change. */
export function BulkProgress({ progress, label, onStop }: BulkProgressProps) {
  const { words, number } = useLocale()
  return (
    <>
      {progress && (
        <div className="import-progress" role="status">
          <progress aria-label={label} value={progress.handled} max={Math.max(1, progress.all)} />
          <p className="soft">
            {(onStop ? words.changingMany : words.checking)(number(progress.handled), number(progress.all))}
          </p>
        </div>
      )}
      {onStop && (
        <div className="many-actions">
          <button type="button" className="button" onClick={onStop}>
            {words.stop}
          </button>
          <span className="soft">{words.stayHere}</span>
        </div>
      )}
    </>
  )
}
