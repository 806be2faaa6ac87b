import { ArrowUp, Plus, X } from 'lucide-react'
import type { ReactNode } from 'react'

import { useSiteWords } from './use-site-words.ts'

interface ItemListProps<Item> {
  readonly title: string
  readonly hint?: string
  readonly items: readonly Item[]
  readonly blank: Item
  readonly onChange: (items: readonly Item[]) => void
  /** The place to choose what is added; the button adds `blank`. */
  readonly choice?: ReactNode
  readonly children: (item: Item, change: (next: Item) => void) => ReactNode
}

/** A list of settings that can be added, removed and moved. */
export function ItemList<Item>({ title, hint, items, blank, onChange, choice, children }: ItemListProps<Item>) {
  const words = useSiteWords()
  return (
    <fieldset className="item-list">
      <legend>{title}</legend>
      {hint !== undefined && <p className="hint">{hint}</p>}
      <ol>
        {items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the items have no other identity
          <li key={index}>
            <fieldset>
              <legend className="visually-hidden">{words.itemOf(title, index + 1)}</legend>
              {children(item, next => onChange(items.with(index, next)))}
            </fieldset>
            <span className="item-actions">
              <button
                type="button"
                className="icon-button"
                disabled={index === 0}
                aria-label={`${words.up}: ${words.itemOf(title, index + 1)}`}
                onClick={() => onChange(items.toSpliced(index - 1, 2, item, items[index - 1] ?? item))}
              >
                <ArrowUp size={16} aria-hidden="true" />
              </button>
              <button
                type="button"
                className="icon-button"
                aria-label={`${words.remove}: ${words.itemOf(title, index + 1)}`}
                onClick={() => onChange(items.toSpliced(index, 1))}
              >
                <X size={16} aria-hidden="true" />
              </button>
            </span>
          </li>
        ))}
      </ol>
      <div className="item-add">
        {choice}
        <button type="button" className="button" onClick={() => onChange([...items, blank])}>
          <Plus size={16} aria-hidden="true" /> {words.add}
          <span className="visually-hidden">: {title}</span>
        </button>
      </div>
    </fieldset>
  )
}
