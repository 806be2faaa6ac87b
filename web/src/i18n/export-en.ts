/** The messages about exports and bulk changes, in English. */
export const exportEn = {
  export: 'Export',
  exportResults: 'Export these results',
  exportRecord: (name: string) => `Export ${name}`,
  exportSelected: 'Export the selected records',
  exportInclude: 'Include',
  exportIncludes: { media: 'Files of posters, scans and other media', history: 'All earlier versions' },
  exportGroups: { people: 'For people', catalogues: 'For other catalogues', programs: 'For programs' },
  formatKinds: {
    table: 'Table for a spreadsheet',
    citations: 'Citations',
    'whole records': 'Whole records',
    'linked data': 'Linked data'
  },
  editionsOnly: 'editions only',
  editionsAmong: (count: number, text: string) =>
    count === 0 ? 'none of them is an edition' : `${text} of them ${count === 1 ? 'is an edition' : 'are editions'}`,
  exporting: (size: string) => `${size} so far …`,
  exported: (name: string) => `${name} was saved`,

  select: 'Select',
  selectRecords: 'Select records',
  selectThis: (name: string) => `Select ${name}`,
  selected: (text: string) => `${text} selected`,
  selectAll: (text: string) => `Select all ${text}`,
  changeThese: 'Edit',

  changeMany: 'Edit several records',
  changeManyOf: (count: number, text: string) => `Edit ${text} ${count === 1 ? 'record' : 'records'}`,
  backToResults: 'Back to the results',
  readingRecords: (done: string, all: string) => `Reading ${done} of ${all} …`,
  tooMany: (most: string) => `At most ${most} records can be changed at once. Narrow the search.`,
  nothingSelected: 'No records are selected',
  nothingSelectedHint: 'Search for records first, then select some or all of them.',
  whichField: 'Which field?',
  fieldsGroup: 'Fields',
  relationsGroup: 'Relations',
  doWhat: 'What should happen?',
  actions: {
    set: 'Set the value (replaces the current one)',
    add: 'Add a value',
    remove: 'Remove a value',
    replace: 'Replace one value by another',
    empty: 'Clear the field'
  },
  relationActions: {
    set: 'Set the relation (replaces all current ones)',
    add: 'Add a relation',
    remove: 'Remove a relation',
    replace: 'Replace one record by another',
    empty: 'Clear the relation'
  },
  oldValue: 'Replace or remove',
  newValue: 'New value',
  oldTarget: 'Current record',
  newTarget: 'New record',
  chooseFieldFirst: 'Choose a field and a value first.',
  showPreview: 'Preview',
  checking: (done: string, all: string) => `Checking ${done} of ${all} …`,
  wouldChange: (count: number, text: string) => (count === 1 ? 'One record changes' : `${text} records change`),
  wouldStay: (count: number, text: string) => (count === 1 ? 'one stays as it is' : `${text} stay as they are`),
  wouldRefuse: (count: number, text: string) => (count === 1 ? 'one is refused' : `${text} are refused`),
  nothingWouldChange: 'Nothing would change: every record already has this value, or lacks the field.',
  refusedRecords: 'Refused',
  refusedHint: 'These stay as they are; everything else is changed.',
  changesPreview: 'What would change',
  carryOut: (count: number, text: string) => `Change ${text} ${count === 1 ? 'record' : 'records'}`,
  changingMany: (done: string, all: string) => `${done} of ${all} changed …`,
  stayHere: 'Stay on this page until it is done. You can undo it afterwards.',
  manyChanged: (count: number, text: string) =>
    count === 1 ? 'One record was changed' : `${text} records were changed`,
  stoppedAt: 'Stopped. The remaining records are unchanged.',
  undoMany: 'Undo all',
  undoingMany: (done: string, all: string) => `${done} of ${all} undone …`,
  manyUndone: (count: number, text: string) =>
    count === 1 ? 'One record was restored' : `${text} records were restored`,
  notUndone: 'Not undone',
  lastMany: (what: string, n: number, count: string, when: string) =>
    `Your last bulk change: ${what}, ${n === 1 ? '1 record' : `${count} records`}, ${when}.`
}
