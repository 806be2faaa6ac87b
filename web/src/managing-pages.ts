/* The pages for imports, tokens, webhooks and the site, loaded as one script. */

export { default as ManagePage } from './manage/manage-page.tsx'
export { default as ImportPage } from './import/import-page.tsx'
export { default as ImportsPage } from './import/imports-page.tsx'
export { default as NewImportPage } from './import/new-import-page.tsx'
export { default as CopyPage } from './import/copy-page.tsx'
export { default as ReviewPage } from './import/review-page.tsx'
export { default as SitePage } from './manage/site-page.tsx'
export { default as TokensPage } from './manage/tokens-page.tsx'
export { default as WebhooksPage } from './manage/webhooks-page.tsx'
