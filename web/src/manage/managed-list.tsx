import { Plus } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'

import { FullPageNote } from '../parts/full-page-note.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { useTitle } from '../parts/use-title.ts'
import { ShownOnce } from './shown-once.tsx'

export interface MakeProps<Made> {
  readonly onClose: () => void
  readonly onMade: (made: Made) => void
}

interface ManagedListProps<Item, Made> {
  readonly title: string
  readonly intro: string
  /** The label of the button that creates one, and the text shown when there are none. */
  readonly add: string
  readonly none: string
  readonly noneHint: string
  readonly query: ComponentProps<typeof QueryNote>['query'] & { readonly data: readonly Item[] | undefined }
  /** The dialog that creates one. */
  readonly make: (props: MakeProps<Made>) => ReactNode
  /** The text about a new one, which is shown once. */
  readonly secretOf: (made: Made) => { readonly title: string; readonly hint: string; readonly secret: string }
  /** The list, if it is not empty. */
  readonly children: (items: readonly Item[]) => ReactNode
}

/** A list of things that are created with a secret, which is shown once. */
export function ManagedList<Item, Made>({
  title,
  intro,
  add,
  none,
  noneHint,
  query,
  make: Make,
  secretOf,
  children
}: ManagedListProps<Item, Made>) {
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<{ readonly made: Made }>()
  useTitle(title)
  const { data } = query
  return (
    <section>
      <header className="manage-head">
        <div>
          <h1>{title}</h1>
          <p className="soft">{intro}</p>
        </div>
        <button type="button" className="button primary" onClick={() => setMaking(true)}>
          <Plus size={16} aria-hidden="true" /> {add}
        </button>
      </header>
      {!data && <QueryNote query={query} />}
      {data?.length === 0 && <FullPageNote title={none}>{noneHint}</FullPageNote>}
      {data && data.length > 0 && children(data)}
      {isMaking && (
        <Make
          onClose={() => setMaking(false)}
          onMade={another => {
            setMaking(false)
            setMade({ made: another })
          }}
        />
      )}
      {made && <ShownOnce {...secretOf(made.made)} onClose={() => setMade(undefined)} />}
    </section>
  )
}
