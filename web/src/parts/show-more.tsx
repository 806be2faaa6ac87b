import type { Ref } from 'react'

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
      <NextButton pages={pages} {...(label === undefined ? {} : { label })} />
    </p>
  )
}

interface NextButtonProps extends Pick<ShowMoreProps, 'pages' | 'label'> {
  readonly ref?: Ref<HTMLButtonElement>
}

/** The button that shows the next page of a list; nothing after the last one. */
export function NextButton({ pages, label, ref }: NextButtonProps) {
  const { words } = useLocale()
  if (!pages.hasNextPage) return null
  return (
    <button
      ref={ref}
      type="button"
      className="button show-more"
      disabled={pages.isFetchingNextPage}
      aria-label={label === undefined ? undefined : `${words.showMore}: ${label}`}
      onClick={() => pages.fetchNextPage()}
    >
      {words.showMore}
    </button>
  )
}
