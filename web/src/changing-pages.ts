/* The pages for adding and changing records, loaded as one script. */

export { default as DuplicatesPage } from './change/duplicates-page.tsx'
export { default as EditPage } from './change/edit-page.tsx'
export { default as MarcPage, NewMarcPage } from './marc/marc-page.tsx'
export { default as MergePage } from './change/merge-page.tsx'
export { default as NewPage } from './change/new-page.tsx'
export { default as NewPublicationPage } from './change/new-publication-page.tsx'
export { default as NewPerformancesPage } from './change/new-performances-page.tsx'
export { default as NewRecordPage } from './change/new-record-page.tsx'
export { default as BulkEditPage } from './bulk-edit/bulk-edit-page.tsx'
