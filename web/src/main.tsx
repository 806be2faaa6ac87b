import { basePath } from './base-path.ts'
import { askEarly } from './session/early-answers.ts'
import { preloadLanguage } from './i18n/languages.ts'

/*
 * The first script of the page. It is small, so that the first requests are sent while the larger
 * scripts are still loading; the document names those too.
 */

askEarly()
// A failure is reported by the page, which loads the same.
preloadLanguage().catch(() => {})
// First, since the styles of pages come after the common ones.
const page = import('./page.tsx')
if (/^\/(?:find|record|browse)\b/.test(location.pathname.slice(basePath.length)))
  import('./reading-pages.ts').catch(() => {})
await page
