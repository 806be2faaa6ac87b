import { useLocale } from '../i18n/locale.tsx'

interface ShowMoreProps {
  /** The list of which the next page is shown. */
  readonly pages: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => unknown
  }
  readonly shown: number
  /** The number of all items, where known. */
  readonly count?: number | undefined
  /** The name of the list, for pages with several. */
  readonly label?: string
}

/** The end of a list with further pages: how many are shown, and a button for more. */
export function ShowMore({ pages, shown, count, label }: ShowMoreProps) {
  const { words, number } = useLocale()
  if (!pages.hasNextPage) return null
  return (
    <p className="show-more-line">
      {count !== undefined && <span className="soft">{words.shownOf(number(shown), number(count))}</span>}
      <button
        type="button"
        className="button show-more"
        disabled={pages.isFetchingNextPage}
        aria-label={label === undefined ? undefined : `${words.showMore}: ${label}`}
        onClick={() => pages.fetchNextPage()}
      >
        {words.showMore}
      </button>
    </p>
  )
}
