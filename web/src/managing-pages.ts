/* The pages for imports, tokens, webhooks and the site, loaded as one script. */

export { default as ManagePage } from './manage/manage-page.tsx'
