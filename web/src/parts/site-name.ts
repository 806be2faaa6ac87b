/**
 * The name of the catalogue: the title of the document as the service sends it, or what a page for
 * readers says, which the application has replaced.
 */
export const siteName =
  document.querySelector<HTMLMetaElement>('meta[property="og:site_name"]')?.content ?? document.title
