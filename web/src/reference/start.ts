import { tryForm } from './try-form.ts'
import { element } from './element.ts'

/*
 * Adds search and trying out to the reference of the interface (`/docs`). The page itself is made
 * by the service and has everything else without this script.
 */

const articles = [...document.querySelectorAll<HTMLElement>('main article')]
const texts = new Map(articles.map(each => [each, (each.textContent ?? '').toLowerCase()]))

const box = element('input', { type: 'search', placeholder: 'filter, /entities, refVenues …' })
const token = element('input', { type: 'password', autocomplete: 'off' })
const count = element('output', { ariaLive: 'polite' })

function search() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean)
  let found = 0
  for (const [article, text] of texts) {
    article.hidden = !words.every(word => text.includes(word))
    if (!article.hidden) found++
  }
  for (const section of document.querySelectorAll<HTMLElement>('main section'))
    section.hidden = section.querySelector('article:not([hidden])') === null
  count.value = words.length === 0 ? '' : found === 1 ? '1 found' : `${found} found`
}

box.addEventListener('input', search)
addEventListener('keydown', event => {
  const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  box.focus()
})
// A link to a part that the search has hidden shows everything again.
addEventListener('hashchange', () => {
  const target = document.getElementById(location.hash.slice(1))
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
  count
)
document.querySelector('header')?.after(tools)
