/* The forms of records, loaded as one script. */

export { default as EditPage } from './change/edit-page.tsx'
export { default as NewPage } from './change/new-page.tsx'
export { default as NewPublicationPage } from './change/new-publication-page.tsx'
export { default as NewPerformancesPage } from './change/new-performances-page.tsx'
export { default as NewRecordPage } from './change/new-record-page.tsx'
