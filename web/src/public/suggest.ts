import './suggest.css'
import { basePath } from '../base-path.ts'

/*
 * Suggestions in the search form of the pages for readers: a combobox with a list, as the ARIA
 * practices describe it. Without this script the form works as a plain one.
 */

interface Suggestion {
  readonly id: string
  readonly label: string
  readonly type_label?: string
}

/** Milliseconds of rest before suggestions are asked for. */
const pause = 150
const minLength = 2

export function suggestIn(form: HTMLFormElement) {
  const input = form.querySelector<HTMLInputElement>('input[name="q"]')
  const title = form.dataset.suggestions
  if (!input || title === undefined) return
  const list = Object.assign(document.createElement('ul'), { id: `${input.name}-list`, hidden: true })
  list.className = 'suggested'
  const status = Object.assign(document.createElement('p'), { className: 'visually-hidden' })
  for (const [name, value] of Object.entries({ role: 'listbox', 'aria-label': title })) list.setAttribute(name, value)
  status.setAttribute('aria-live', 'polite')
  form.append(list, status)
  // A search field has no role of a combobox.
  Object.assign(input, { type: 'text', inputMode: 'search', enterKeyHint: 'search', autocomplete: 'off' })
  const attributes = {
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-controls': list.id,
    'aria-expanded': 'false'
  }
  for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value)

  let active = -1
  let timer: number | undefined
  let asking: AbortController | undefined
  const options = () => [...list.children] as HTMLElement[]
  const activate = (index: number) => {
    active = index
    for (const [at, option] of options().entries()) {
      option.setAttribute('aria-selected', String(at === index))
      if (at === index) option.scrollIntoView({ block: 'nearest' })
    }
    if (index < 0) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', `${list.id}-${index}`)
  }
  const show = (suggestions: readonly Suggestion[]) => {
    list.replaceChildren(...suggestions.map(optionOf))
    list.hidden = suggestions.length === 0
    input.setAttribute('aria-expanded', String(!list.hidden))
    status.textContent = list.hidden ? '' : `${title}: ${suggestions.length}`
    activate(-1)
  }
  const close = () => {
    clearTimeout(timer)
    asking?.abort()
    show([])
  }
  const optionOf = ({ id, label, type_label = '' }: Suggestion, index: number) => {
    const option = Object.assign(document.createElement('li'), { id: `${list.id}-${index}` })
    option.setAttribute('role', 'option')
    option.dataset.record = id
    const name = Object.assign(document.createElement('span'), { textContent: label, dir: 'auto' })
    const kind = Object.assign(document.createElement('span'), { textContent: type_label, className: 'details' })
    option.append(name, ' ', kind)
    return option
  }
  const open = (option: HTMLElement | undefined) => {
    if (option?.dataset.record === undefined) return
    // The form is sent to the pages in the language of the reader.
    location.assign(new URL(`record/${encodeURIComponent(option.dataset.record)}`, form.action))
  }
  const ask = async () => {
    const text = input.value.trim()
    asking?.abort()
    if (text.length < minLength) return show([])
    asking = new AbortController()
    const { signal } = asking
    const query = new URLSearchParams({ q: text.slice(0, 200), limit: '7', lang: document.documentElement.lang })
    try {
      const answer = await fetch(`${basePath}/suggest?${query}`, { signal, credentials: 'omit' })
      const { suggestions = [] } = (answer.ok ? await answer.json() : {}) as { suggestions?: readonly Suggestion[] }
      if (!signal.aborted && document.activeElement === input) show(suggestions)
    } catch {
      // The form finds without suggestions.
      if (!signal.aborted) show([])
    }
  }

  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = window.setTimeout(ask, pause)
  })
  input.addEventListener('blur', close)
  form.addEventListener('submit', close)
  input.addEventListener('keydown', event => {
    // Keys of an input method belong to it until it is done.
    if (event.isComposing || list.hidden) return
    const { length } = list.children
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) activate((Math.max(active, step < 0 ? 0 : -1) + step + length) % length)
    else if (event.key === 'Escape') close()
    else if (event.key === 'Enter' && active >= 0) open(options()[active])
    else return
    event.preventDefault()
  })
  // The field keeps the focus, so that the list is still there when the button is released.
  list.addEventListener('mousedown', event => event.preventDefault())
  list.addEventListener('click', event => open((event.target as Element).closest('li') ?? undefined))
}
