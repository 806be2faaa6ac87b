/** What is said about imports and their reviews, in English. */
export const bringInEn = {
  imports: 'Imports',
  importsIntro: 'Files of records that became works, expressions and editions. Each can be taken back as a whole.',
  importFile: 'Import a file',
  importFileHint: 'MARC 21, ONIX, a table or NDJSON; look at what would happen first',
  noImports: 'Nothing was imported yet',
  noImportsHint: 'Bring in a file of records: nothing is written before you have seen what would happen.',
  mayNotImport: 'An import touches records of every kind. Your token may not read and write all of them.',
  importedBy: (who: string, when: string) => `${who}, ${when}`,
  importStates: {
    uploading: 'being sent',
    waiting: 'waiting its turn',
    running: 'under way',
    done: 'done',
    failed: 'failed',
    stopped: 'stopped',
    undoing: 'being taken back',
    undone: 'taken back'
  },
  isPreview: 'preview',

  dropFile: 'Drop a file here',
  chooseFile: 'Choose a file',
  otherFile: 'Another file',
  importFormats: 'MARC 21 or UNIMARC (.mrc, .xml, .mrk, .json), ONIX, CSV or NDJSON',
  fileFormat: 'Format',
  formatFound: 'Find it out from the file',
  formatNames: {
    iso2709: 'MARC (ISO 2709, .mrc)',
    marcxml: 'MARCXML',
    mrk: 'MARC in lines (.mrk)',
    json: 'MARC-in-JSON',
    onix: 'ONIX',
    csv: 'A table (CSV)',
    ndjson: 'Records of this catalogue (NDJSON)'
  },
  agency: 'Whose record numbers are these?',
  agencyHint:
    'The code of the library or supplier, such as BE-GnUNI. Only where the records do not say it themselves; when unsure, leave it empty.',
  columnsTitle: 'What the columns mean',
  columnsHint: 'Columns with a common name are understood by themselves. Say here what the others are.',
  column: 'Column',
  firstRow: 'First row',
  meaning: 'Meaning',
  byItsName: 'As its name says',
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
  previewHint: 'Says what would be made, matched or changed. Nothing is written.',
  importNow: 'Import now',
  importWithoutPreview: 'Import without preview',
  sendingFile: 'The file is being sent …',

  recordsDone: (count: number, text: string) => `${text} ${count === 1 ? 'record' : 'records'}`,
  perSecond: (text: string) => `${text} a second`,
  timeLeft: (text: string) => `about ${text} left`,
  seconds: (count: number) => `${count} ${count === 1 ? 'second' : 'seconds'}`,
  minutesLong: (count: number) => `${count} ${count === 1 ? 'minute' : 'minutes'}`,
  hours: (count: number) => `${count} ${count === 1 ? 'hour' : 'hours'}`,
  waitingHint: 'Imports are done one at a time. This one begins when the others are done.',
  mayLeave: 'You may leave this page: it goes on, and you find it again under Imports.',
  undoingHint: 'Records go, and those that were changed become again what they were.',
  stop: 'Stop',
  goOn: 'Go on',
  stoppedHint: 'What it did until then stays. Go on where it was, or take it back.',
  importFailed: 'The import failed',
  took: (text: string) => `in ${text}`,

  countNames: {
    created: 'new',
    updated: 'changed',
    unchanged: 'as they were',
    deleted: 'deleted',
    kept: 'left as people made them',
    unreadable: 'could not be read'
  },
  wouldBe: 'What would happen',
  whatHappened: 'What happened',
  joinedWorks: (count: number, text: string) =>
    count === 1
      ? 'One work was recognised among those there are.'
      : `${text} works were recognised among those there are.`,
  wouldJoinWorks: (count: number, text: string) =>
    count === 1
      ? 'One work would be recognised among those there are.'
      : `${text} works would be recognised among those there are.`,
  kindOfRecord: 'Kind',
  madeRecords: 'New',
  changedRecords: 'Changed',
  deletedRecords: 'Deleted',
  showRecords: 'Show the new records',
  allAsItWas: 'Every record was there already, as it is.',
  nothingRead: 'There is no record in this file that could be read.',

  previewLines: 'Record by record',
  previewOutcomes: {
    created: 'new',
    updated: 'changed',
    unchanged: 'as it was',
    deleted: 'deleted',
    kept: 'left as it is'
  },
  newWorkMade: 'New work',
  newWorkShared: 'New work, with others of this file',
  foundWork: 'Work that is here',
  inFile: (number: string) => `No. ${number}`,
  chooseAgain: 'To import this file, choose it once more: a preview does not keep it.',
  previewWroteNothing: 'Nothing was written. When it looks right, import it.',

  remarks: 'Remarks',
  remarksIntro: 'What was odd or could not be read, and where in the file it stands.',
  remarkPlace: (number: string, offset: string) => `No. ${number} in the file, at byte ${offset}`,
  remarkOutcomes: { unreadable: 'left out', kept: 'left as it is', noticed: 'noticed' },

  takeBack: 'Take back',
  confirmTakeBack: (name: string) => `Take back ${name}?`,
  confirmTakeBackHint: (count: number, text: string) =>
    `${count === 1 ? 'The record that it made goes' : `The ${text} records that it made go`}, and those it changed become again what they were.`,
  takeBackStays:
    'Records that people have changed since, that something else points to, or that a later import wrote, stay.',
  takingBack: 'The import is being taken back',
  takenBack: 'This import was taken back.',
  keptBack: (count: number, text: string) =>
    count === 1
      ? 'One record stayed: somebody has changed it, or points to it.'
      : `${text} records stayed: somebody has changed them, or points to them.`,
  importAgain: 'To import the file again, send it again.',

  review: 'Review',
  reviewOf: (name: string) => `Review of ${name}`,
  reviewIntro:
    'Here the catalogue was not sure. What you say is carried out at once, and holds whatever is imported later.',
  toReview: (count: number, text: string) => `${text} ${count === 1 ? 'question' : 'questions'} to decide`,
  nothingToReview: 'Nothing to decide',
  nothingToReviewHint: 'The catalogue was sure of every work and expression of this import, or somebody has decided.',
  isOneWork: 'Are these the same work?',
  isOneExpression: 'Are these the same expression of a work?',
  isJoined: 'Joined for now',
  isApart: 'Kept apart for now',
  howSure: (percent: number) => `${percent} % sure that they are the same`,
  same: 'The same',
  different: 'Different',
  sameKey: 's',
  differentKey: 'd',
  reviewKeys: 'With the keyboard: arrows go from one to the next,',
  decidedSame: 'the same',
  decidedDifferent: 'different',
  decided: 'Decided',
  decidedBy: (who: string, when: string) => `${who}, ${when}`,
  nowSame: (title: string) => `${title}: the same`,
  nowDifferent: (title: string) => `${title}: different`,
  changeVerdict: { same: 'No, the same', different: 'No, different' },
  sourceRecord: 'Record',
  importRuns: 'An import is running. Decide when it is done.',
  /** Why two may be one, by the code of the reason. English is what the service says. */
  reasons: {} as Readonly<Record<string, string>>,

  madeInImport: 'From one import',
  madeBy: (who: string) => `Added by ${who}`
}
