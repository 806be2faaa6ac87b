import { useLocale } from '../i18n/locale.tsx'

/** Tells that unsaved input was restored, and discards it on request. */
export function DraftNote({ onDiscard }: { readonly onDiscard: () => void }) {
  const { words } = useLocale()
  return (
    <p className="note">
      {words.draftRestored}{' '}
      <button type="button" className="link-button" onClick={onDiscard}>
        {words.draftDiscard}
      </button>
    </p>
  )
}
