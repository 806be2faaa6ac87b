/* The pages that change many records at once, or join some, loaded as one script. */

export { default as BulkEditPage } from './bulk-edit/bulk-edit-page.tsx'
export { default as DuplicatesPage } from './change/duplicates-page.tsx'
export { default as MergePage } from './change/merge-page.tsx'
