import type { Import } from '../../../client/index.ts'
import { useLocale } from '../i18n/locale.tsx'
import { durationText } from './duration.ts'

export function ImportState({ job }: { readonly job: Import }) {
  const { words } = useLocale()
  return (
    <span className="import-states">
      {job.is_preview && <span className="tag">{words.isPreview}</span>}
      <span className={`tag import-${job.state}`}>{words.importStates[job.state]}</span>
    </span>
  )
}

/** The progress, speed and remaining time of an import. */
export function ImportProgress({ job }: { readonly job: Import }) {
  const { words, number } = useLocale()
  const { state, size, bytes, records, records_per_second: rate, seconds_left: left } = job
  const isCounted = state === 'running' && size !== null && size > 0
  const told = [
    state === 'running' || state === 'undoing' ? words.recordsDone(records, number(records)) : undefined,
    state === 'running' && rate !== null ? words.perSecond(number(Math.round(rate))) : undefined,
    left === null ? undefined : words.timeLeft(durationText(words, left))
  ].filter(each => each !== undefined)
  return (
    <div className="import-progress">
      <progress aria-label={words.importStates[state]} {...(isCounted ? { value: bytes, max: size } : {})} />
      {told.length > 0 && <p className="soft">{told.join(' · ')}</p>}
    </div>
  )
}
