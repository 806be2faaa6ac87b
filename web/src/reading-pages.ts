/* The pages for finding and reading records, loaded as one script. */

export { default as FindPage } from './find/find-page.tsx'
export { default as RecordPage } from './record/record-page.tsx'
export { default as BrowsePage } from './browse/browse-page.tsx'
export { default as HistoryPage } from './record/history-page.tsx'
