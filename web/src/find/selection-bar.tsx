import { CheckCheck, Download, Link2, PencilLine, X } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from '../parts/router.tsx'

import type { Filter } from '../../../client/index.ts'
import { basePath } from '../base-path.ts'
import { useToasts } from '../parts/toasts.tsx'
import { useSession } from '../session/session.tsx'
import { ExportDialog } from '../export/export-dialog.tsx'
import { useLocale } from '../i18n/locale.tsx'
import { filtersOf } from '../../../src/domain/find/find-filters.ts'
import { emptySearch, type FindState, findAddress, maxIds } from '../../../src/domain/find/find-state.ts'
import '../bulk-edit/bulk-edit.css'

/** The selected results: all of them, or those with these ids. */
export type Chosen = 'all' | ReadonlySet<string>

/** Maximum length of an address: longer ones are refused, or cut off in messages. */
const maxAddress = 4000

interface ChoosingProps {
  readonly state: FindState
  readonly count: number
  readonly chosen: Chosen
  readonly onChoose: (chosen: Chosen | undefined) => void
}

/** The actions for the selected records. */
export function SelectionBar({ state, count, chosen, onChoose }: ChoosingProps) {
  const { model } = useSession()
  const { words, number } = useLocale()
  const navigate = useNavigate()
  const { say } = useToasts()
  const [isExporting, setExporting] = useState(false)
  const size = chosen === 'all' ? count : chosen.size
  const ids = chosen === 'all' ? undefined : [...chosen]
  const isTooMany = ids !== undefined && ids.length > maxIds
  const filters: Filter[] = ids === undefined ? filtersOf(state, model) : [{ type: 'id', value: ids }]
  /** The address of the selected records; one that is too long is only for this tab. */
  const address = findAddress(ids === undefined ? state : { ...emptySearch, ids, view: 'records' })
  const isTooLong = address.length > maxAddress
  const change = () =>
    isTooLong
      ? navigate('/find/change?chosen=1', { state: { ids, isFromResults: true } })
      : navigate(address.replace(/^\/find/, '/find/change'), { state: { isFromResults: true } })
  const copy = () =>
    navigator.clipboard.writeText(`${location.origin}${basePath}${address}`).then(
      () => say(words.linkCopied),
      () => say(words.linkNotCopied)
    )
  return (
    <section className="selection-bar" aria-label={words.selectRecords}>
      <p className="selection-bar-text" role="status">
        {words.selected(number(size))}
        {isTooMany && ` ${words.tooMany(number(maxIds))}`}
      </p>
      <button type="button" className="button" disabled={chosen === 'all'} onClick={() => onChoose('all')}>
        <CheckCheck size={16} aria-hidden="true" /> {words.selectAll(number(count))}
      </button>
      <button type="button" className="button" disabled={size === 0 || isTooMany} onClick={() => setExporting(true)}>
        <Download size={16} aria-hidden="true" /> {words.export}
      </button>
      <button type="button" className="button" disabled={size === 0 || isTooLong} onClick={copy}>
        <Link2 size={16} aria-hidden="true" /> {words.copyLink}
      </button>
      {model.types.some(({ may }) => may.includes('write')) && (
        <button type="button" className="button primary" disabled={size === 0 || isTooMany} onClick={change}>
          <PencilLine size={16} aria-hidden="true" /> {words.changeThese}
        </button>
      )}
      <button type="button" className="icon-button" aria-label={words.close} onClick={() => onChoose(undefined)}>
        <X size={18} aria-hidden="true" />
      </button>
      {isExporting && (
        <ExportDialog
          title={chosen === 'all' ? words.exportResults : words.exportSelected}
          filters={filters}
          count={size}
          name="libretto"
          onClose={() => setExporting(false)}
        />
      )}
    </section>
  )
}
