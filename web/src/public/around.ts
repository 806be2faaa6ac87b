import './around.css'

/*
 * Links around a record: to the other results of the search, and to the list that a reader keeps.
 * Both are in this browser only. The list becomes an address, which can be printed, exported and
 * sent.
 */

/** The words for it, and the path of searches in the reader's language. */
interface Words {
  readonly find: string
  readonly around: string
  readonly previous: string
  readonly next: string
  readonly results: string
  readonly list: string
  readonly keep: string
  readonly kept: string
  readonly full: string
}

/** The results that were shown last: their addresses, and that of the page after them. */
interface Results {
  readonly from: string
  readonly paths: readonly string[]
  readonly after?: string | undefined
}

const listKey = 'libretto-list'
const resultsKey = 'libretto-results'

/** Maximum number of records that are kept: with more of them the address is too long for some. */
const maxKept = 100

export function showAround() {
  const given = document.getElementById('page')?.dataset.around
  if (given === undefined) return
  const words = JSON.parse(given) as Words
  rememberResults()
  const bar = Object.assign(document.createElement('nav'), { className: 'around' })
  bar.setAttribute('aria-label', words.around)
  const list = Object.assign(document.createElement('a'), { className: 'button button-small' })
  const links = linksAround(words)
  const show = () => {
    const kept = readKept()
    const ids = kept.map(each => encodeURIComponent(each.replaceAll('%', '%25').replaceAll(',', '%2C'))).join(',')
    list.href = `${words.find}?ids=${ids}&view=records`
    list.textContent = `${words.list} (${kept.length})`
    list.hidden = kept.length === 0
    bar.hidden = list.hidden && links.length === 0
    for (const button of document.querySelectorAll<HTMLButtonElement>('[data-keep]')) showButton(button, kept, words)
  }
  bar.append(...links, list)
  document.getElementById('page')?.append(bar)
  document.addEventListener('click', event => {
    const button = (event.target as Element).closest<HTMLButtonElement>('[data-keep]')
    const { keep: id } = button?.dataset ?? {}
    if (id === undefined) return
    const kept = readKept()
    store(localStorage, listKey, kept.includes(id) ? kept.filter(each => each !== id) : [...kept, id])
    show()
  })
  // Another tab of the same browser.
  addEventListener('storage', show)
  show()
}

function showButton(button: HTMLButtonElement, kept: readonly string[], words: Words) {
  const isKept = kept.includes(button.dataset.keep ?? '')
  const isFull = !isKept && kept.length >= maxKept
  button.classList.add('ready')
  button.disabled = isFull
  button.setAttribute('aria-pressed', String(isKept))
  button.textContent = isFull ? words.full : isKept ? `✓ ${words.kept}` : words.keep
}

/** Links to the results before and after this record, and back to their list. */
function linksAround(words: Words): HTMLElement[] {
  const { from, paths, after } = read<Results>(sessionStorage, resultsKey) ?? { from: '', paths: [] }
  const at = paths.indexOf(location.pathname)
  if (at === -1) return []
  const link = (text: string, href: string | undefined, rel?: string) =>
    href === undefined ? [] : [Object.assign(document.createElement('a'), { textContent: text, href, rel: rel ?? '' })]
  return [
    ...link(`‹ ${words.previous}`, paths[at - 1], 'prev'),
    ...link(words.results, from),
    ...link(`${words.next} ›`, paths[at + 1] ?? after, 'next')
  ]
}

function rememberResults() {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.found-page .results > li > div > a')]
  if (links.length === 0) return
  const after = document.querySelector<HTMLAnchorElement>('.found-page .paging a[rel="next"]')?.href
  store(sessionStorage, resultsKey, {
    from: location.href,
    paths: links.map(({ pathname }) => pathname),
    ...(after === undefined ? {} : { after })
  } satisfies Results)
}

function readKept(): string[] {
  const kept = read<unknown>(localStorage, listKey)
  return Array.isArray(kept) ? kept.filter(each => typeof each === 'string') : []
}

function read<T>(storage: Storage, key: string): T | undefined {
  try {
    return JSON.parse(storage.getItem(key) ?? '') as T
  } catch {
    return undefined
  }
}

function store(storage: Storage, key: string, value: unknown) {
  try {
    storage.setItem(key, JSON.stringify(value))
  } catch {
    // A browser that keeps nothing, or has no space left.
  }
}
