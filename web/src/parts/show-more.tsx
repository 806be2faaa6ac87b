import { useSpeech } from '../words/words.tsx'

interface ShowMoreProps {
  /** The list of which the next page is shown. */
  readonly pages: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => unknown
  }
  readonly shown: number
  /** How many there are in all, where that is known. */
  readonly count?: number | undefined
  /** What is listed, for a page with several lists. */
  readonly label?: string
}

/** The end of a list that goes on: how much of it is shown, and a button for the next page. */
export function ShowMore({ pages, shown, count, label }: ShowMoreProps) {
  const { words, number } = useSpeech()
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
