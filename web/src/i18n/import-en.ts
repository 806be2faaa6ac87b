/** The messages about imports and their reviews, in English. */
export const importEn = {
  imports: 'Imports',
  importsIntro: 'Files of records that became works, expressions and editions. Each import can be undone as a whole.',
  importFile: 'Import a file',
  importFileHint: 'MARC 21, ONIX, a table or NDJSON; preview it first',
  noImports: 'Nothing was imported yet',
  noImportsHint: 'Import a file of records: a preview shows what would happen before anything is written.',
  mayNotImport: 'An import touches records of every kind. Your token may not read and write all of them.',
  importedBy: (who: string, when: string) => `${who}, ${when}`,
  importStates: {
    uploading: 'uploading',
    waiting: 'queued',
    running: 'running',
    done: 'done',
    failed: 'failed',
    stopped: 'stopped',
    undoing: 'being undone',
    undone: 'undone'
  },
  isPreview: 'preview',

  dropFile: 'Drop a file here',
  chooseFile: 'Choose a file',
  otherFile: 'Another file',
  importFormats:
    'MARC 21 or UNIMARC (.mrc, .xml, .mrk, .json), Aleph sequential, PICA, MODS, Dublin Core, RDF (BIBFRAME), ONIX, CSV or NDJSON',
  fileFormat: 'Format',
  formatFound: 'Detect from the file',
  /** Names of formats that are not the same in every language. */
  formatNames: { csv: 'A table (CSV)', ndjson: 'Records of this catalogue (NDJSON)' },
  agency: 'Whose record numbers are these?',
  agencyHint:
    'The code of the library or supplier, such as BE-GnUNI. Only needed if the records do not contain it; leave it empty if you are unsure.',
  rowsAre: 'What are the rows?',
  rowsUnclear: 'Choose: the columns do not tell',
  rowsArePublications: 'Publications',
  rowsAreRecords: 'Shows, performances, venues or other records',
  recordColumnsHint: 'Choose which field of which record a column fills. Columns with a usual name are recognised.',
  noRecordMade: 'No record can be made yet: choose a column for its title or name.',
  mappingAsText: 'The mapping as JSON',
  mappingHint: 'Write it here for anything that the table above cannot express.',
  mappingNotJson: 'The mapping is not JSON. Correct it, or choose the meanings of columns again.',
  columnsTitle: 'What the columns mean',
  columnsHint: 'Columns with a common name are recognised. Choose a meaning for the others.',
  column: 'Column',
  firstRow: 'First row',
  meaning: 'Meaning',
  byItsName: 'By its name',
  recordNumber: 'Record number',
  leaveOut: 'Leave out',
  columnRoles: {
    aut: 'Author',
    trl: 'Translator',
    ill: 'Illustrator',
    edt: 'Editor',
    nrt: 'Narrator'
  },
  materialOfRows: 'Kind of material',
  noHeader: 'The first row of this table cannot be read.',
  preview: 'Preview',
  previewHint: 'Shows what would be created, matched or changed. Nothing is written.',
  importNow: 'Import now',
  importWithoutPreview: 'Import without preview',
  sendingFile: 'Uploading the file …',

  recordsDone: (count: number, text: string) => `${text} ${count === 1 ? 'record' : 'records'}`,
  perSecond: (text: string) => `${text} a second`,
  timeLeft: (text: string) => `about ${text} left`,
  seconds: (count: number) => `${count} ${count === 1 ? 'second' : 'seconds'}`,
  minutesLong: (count: number) => `${count} ${count === 1 ? 'minute' : 'minutes'}`,
  hours: (count: number) => `${count} ${count === 1 ? 'hour' : 'hours'}`,
  waitingHint: 'Imports run one at a time. This one starts when its turn comes.',
  mayLeave: 'You can leave this page: the import continues, and you find it under Imports.',
  undoingHint: 'New records are deleted, and changed records get their earlier content back.',
  stop: 'Stop',
  goOn: 'Continue',
  stoppedHint: 'Records imported so far remain. Continue, or undo the import.',
  importFailed: 'The import failed',
  took: (text: string) => `in ${text}`,

  countNames: {
    created: 'new',
    updated: 'changed',
    unchanged: 'unchanged',
    deleted: 'deleted',
    kept: 'not overwritten (edited here)',
    unreadable: 'unreadable'
  },
  wouldBe: 'What would happen',
  whatHappened: 'What happened',
  joinedWorks: (count: number, text: string) =>
    count === 1 ? 'One existing work was recognised.' : `${text} existing works were recognised.`,
  wouldJoinWorks: (count: number, text: string) =>
    count === 1 ? 'One existing work would be recognised.' : `${text} existing works would be recognised.`,
  kindOfRecord: 'Kind',
  madeRecords: 'New',
  changedRecords: 'Changed',
  deletedRecords: 'Deleted',
  showRecords: 'Show the new records',
  allAsItWas: 'Every record is already in the catalogue, unchanged.',
  nothingRead: 'No record in this file could be read.',
  notMapped: (count: string) => `Fields that have no place here and are in the source records only: ${count}`,

  previewLines: 'Record by record',
  previewOutcomes: {
    created: 'new',
    updated: 'changed',
    unchanged: 'unchanged',
    deleted: 'deleted',
    kept: 'not overwritten',
    refused: 'left out'
  },
  newWorkMade: 'New work',
  newWorkShared: 'New work, shared with other records of this file',
  foundWork: 'Existing work',
  inFile: (number: string) => `No. ${number}`,
  chooseAgain: 'To import this file, choose it again: a preview does not store it.',
  previewWroteNothing: 'Nothing was written. When it looks right, import it.',

  remarks: 'Remarks',
  remarksIntro: 'Records with problems, and where they are in the file.',
  remarkPlace: (number: string, offset: string) => `No. ${number} in the file, at byte ${offset}`,
  remarkOutcomes: { unreadable: 'left out', kept: 'not overwritten', noticed: 'noticed' },

  undoImport: 'Undo import',
  confirmUndoImport: (name: string) => `Undo the import ${name}?`,
  confirmUndoImportHint: (count: number, text: string) =>
    `${count === 1 ? 'The record that it created is deleted' : `The ${text} records that it created are deleted`}, and changed records get their earlier content back.`,
  undoImportStays:
    'Records that were edited since, that other records refer to, or that a later import wrote, are not undone.',
  undoingImport: 'The import is being undone',
  importUndone: 'This import was undone.',
  notUndoneRecords: (count: number, text: string) =>
    count === 1
      ? 'One record was not undone: it was edited, or another record refers to it.'
      : `${text} records were not undone: they were edited, or other records refer to them.`,
  importAgain: 'To import the file again, upload it again.',

  review: 'Review',
  reviewOf: (name: string) => `Review of ${name}`,
  reviewIntro:
    'The import was not sure about these. Your answer takes effect at once, and holds for later imports too.',
  toReview: (count: number, text: string) => `${text} ${count === 1 ? 'question' : 'questions'} to decide`,
  nothingToReview: 'Nothing to decide',
  nothingToReviewHint: 'The import was sure of every work and expression, or all questions are answered.',
  isOneWork: 'Are these the same work?',
  isOneExpression: 'Are these the same expression of a work?',
  isJoined: 'Joined for now',
  isApart: 'Separate for now',
  answerEffects: {
    work: {
      joined: '“The same” leaves them in one work. “Different” divides it in two.',
      apart: '“The same” merges their works. “Different” leaves them apart, and they are not asked about again.'
    },
    expression: {
      joined: '“The same” leaves them in one expression. “Different” divides it in two.',
      apart: '“The same” merges their expressions. “Different” leaves them apart, and they are not asked about again.'
    }
  },
  answerSettles: (text: string) => `The answer counts for ${text} records.`,
  howSure: (percent: number) => `${percent} % sure that they are the same`,
  same: 'The same',
  different: 'Different',
  sameKey: 's',
  differentKey: 'd',
  reviewKeys: 'Keyboard: arrow keys move between questions,',
  decidedSame: 'the same',
  decidedDifferent: 'different',
  decided: 'Decided',
  decidedBy: (who: string, when: string) => `${who}, ${when}`,
  nowSame: (title: string) => `${title}: the same`,
  nowDifferent: (title: string) => `${title}: different`,
  changeVerdict: { same: 'No, the same', different: 'No, different' },
  likeCases: 'Like cases',
  likeCasesIntro: 'The same decision may hold for these. Nothing changes until you decide.',
  likeCaseWhy: {
    titles: (one: string, other: string) => `The same two titles as ${one} and ${other}`,
    authors: (one: string, other: string) => `One title, by the same two authors as ${one} and ${other}`,
    pattern: (one: string, other: string) => `The same author and the same reason as ${one} and ${other}`
  },
  acceptLikeCases: 'Decide all of them so',
  likeCasesDecided: (count: number, text: string) => `${text} ${count === 1 ? 'case' : 'cases'} decided`,
  sourceRecord: 'Record',
  importRuns: 'An import is running. Decide when it is done.',
  /** Reasons by code. The English text comes from the service. */
  reasons: {} as Readonly<Record<string, string>>,

  anImport: 'an import',
  madeInImport: 'From one import',
  madeBy: (who: string) => `Added by ${who}`
}
