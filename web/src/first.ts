import { firstLanguage, type Language, locales } from './i18n/first-language.ts'
import { type PageGroup, pageGroupAt } from './page-groups.ts'
import { isSlow, slowLine } from './parts/slow-line.ts'
import { askEarly } from './session/early-answers.ts'

/*
 * The first script, which stands in the document (decision 19): it needs no request of its own, so
 * the first requests are sent, and the scripts for this language and address are named, before any
 * other file has arrived.
 */

/** The files that are not needed for every address, as the build knows them. */
export interface FilesOfPage {
  readonly texts: Readonly<Record<Language, string>>
  readonly pages: Readonly<Record<PageGroup, readonly string[]>>
  /** The script that every page needs. */
  readonly frame: string
  /** The editor of texts with markup. */
  readonly editor: readonly string[]
  /** The typefaces of the three languages. */
  readonly typefaces: readonly string[]
}

const files = JSON.parse(document.getElementById('files')?.textContent ?? '') as FilesOfPage
const language = firstLanguage()
const basePath = files.texts[language].slice(0, files.texts[language].lastIndexOf('/assets/'))
const group = pageGroupAt(location.pathname.slice(basePath.length))

const needsEditor = askEarly(basePath)
const parts = loadParts([files.texts[language], ...(group === undefined ? [] : files.pages[group])])
const frame = load(files.frame, 'modulepreload', 'script')
frame.addEventListener('load', () => {
  if (isSlow(frame.href)) document.documentElement.classList.add(slowLine)
  else for (const file of files.typefaces) load(file, 'preload', 'font')
})
// The editor comes while the other scripts are being read, when the line has nothing else to do.
Promise.all([needsEditor, ...[frame, ...parts].map(loaded)]).then(([isNeeded]) => isNeeded && loadParts(files.editor))
// The first number that a browser formats takes it 50 ms or more, since it reads what it knows of
// all languages, and the first date 10 ms. That is done while the scripts are loading.
setTimeout(() => {
  const locale = locales[language]
  new Intl.NumberFormat(locale).format(1000)
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(0)
  new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(1, 'day')
})

function loadParts(names: readonly string[]) {
  return names.map(file =>
    file.endsWith('.css') ? load(file, 'preload', 'style') : load(file, 'modulepreload', 'script')
  )
}

function load(file: string, rel: 'preload' | 'modulepreload', as: 'script' | 'style' | 'font') {
  const link = Object.assign(document.createElement('link'), { rel, as, crossOrigin: '', href: file })
  document.head.append(link)
  return link
}

/** Resolves when a file is there, or cannot be loaded. */
function loaded(link: HTMLLinkElement) {
  return new Promise<void>(resolve => {
    link.onload = link.onerror = () => resolve()
  })
}
