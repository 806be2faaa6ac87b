import { siteEn, type SiteWords } from '../i18n/site-en.ts'
import { siteFr } from '../i18n/site-fr.ts'
import { siteNl } from '../i18n/site-nl.ts'
import { useLocale } from '../i18n/locale.tsx'

const all = { en: siteEn, nl: siteNl, fr: siteFr }

/** The words of pages that few people open: they are loaded with these pages, not at first. */
export function useSiteWords(): SiteWords {
  return all[useLocale().language]
}
