import { tryForm } from './try-form.ts'
import { element } from './element.ts'

/*
 * Adds search, the choice of a language, branches of schemas and trying out to the reference of the
 * interface (`/docs`). The page itself is made by the service and has everything else without this
 * script.
 */

const articles = [...document.querySelectorAll<HTMLElement>('main article')]
const texts = new Map(articles.map(each => [each, (each.textContent ?? '').toLowerCase()]))

const box = element('input', { type: 'search', placeholder: 'filter, /entities, refVenues …' })
const token = element('input', { type: 'password', autocomplete: 'off' })
const language = element('select')
for (const [value, textContent] of [
  ['shell', 'Shell'],
  ['typescript', 'TypeScript'],
  ['python', 'Python']
])
  language.append(element('option', { value, textContent }))
const count = element('output', { ariaLive: 'polite' })

function search() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean)
  let found = 0
  for (const [article, text] of texts) {
    article.hidden = !words.every(word => text.includes(word))
    if (!article.hidden) found++
  }
  for (const section of document.querySelectorAll<HTMLElement>('main section'))
    section.hidden = words.length > 0 && section.querySelector('article:not([hidden])') === null
  for (const group of document.querySelectorAll<HTMLDetailsElement>('nav details')) {
    let isFound = false
    for (const link of group.querySelectorAll<HTMLAnchorElement>('a')) {
      const item = link.parentElement as HTMLElement
      item.hidden = words.length > 0 && targetOf(link.hash)?.matches('article:not([hidden])') !== true
      isFound ||= !item.hidden
    }
    group.hidden = !isFound
    group.open = words.length > 0
  }
  count.value = words.length === 0 ? '' : found === 1 ? '1 found' : `${found} found`
}

/** Shows the code of one language. */
function showCode() {
  for (const each of document.querySelectorAll<HTMLElement>('.code'))
    each.hidden = !each.classList.contains(language.value)
}

/** Fills a branch that refers to a schema with the tree of that schema. */
function grow(branch: HTMLDetailsElement) {
  const tree = document.querySelector(`article[data-schema="${branch.dataset.of}"] > .tree`)
  if (!branch.open || tree === null || branch.querySelector('ul') !== null) return
  const copy = tree.cloneNode(true) as HTMLElement
  // Branches that were opened in the original are closed in the copy.
  for (const each of copy.querySelectorAll('details')) each.open = false
  branch.append(copy)
}

box.addEventListener('input', search)
language.addEventListener('change', showCode)
addEventListener('toggle', event => event.target instanceof HTMLDetailsElement && grow(event.target), true)
addEventListener('keydown', event => {
  const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  box.focus()
})
const targetOf = (hash: string) => document.getElementById(hash.slice(1))

// A link to a part that the search has hidden shows everything again.
addEventListener('hashchange', () => {
  const target = targetOf(location.hash)
  if (target?.closest('[hidden]') == null) return
  box.value = ''
  search()
  target.scrollIntoView()
})

for (const article of articles) {
  const { method, path } = article.dataset
  if (method === undefined || path === undefined) continue
  const button = element('button', { type: 'button', textContent: 'Try it', ariaExpanded: 'false' })
  button.setAttribute('aria-label', `Try it: ${method} ${path}`)
  let form: HTMLElement | undefined
  button.addEventListener('click', async () => {
    if (form === undefined) {
      form = await tryForm(method, path, () => token.value.trim())
      button.after(form)
    } else form.hidden = !form.hidden
    button.ariaExpanded = String(!form.hidden)
  })
  article.append(button)
}

const tools = element('search', { className: 'tools' })
const labelled = (text: string, input: HTMLElement) => {
  const label = element('label', { textContent: text })
  label.append(input)
  return label
}
tools.append(
  labelled('Search the reference', box),
  labelled('Token for trying out; it stays in this tab', token),
  labelled('Code', language),
  count
)
showCode()
document.querySelector('header')?.after(tools)
