import type { exportEn } from './export-en.ts'

export const exportNl: typeof exportEn = {
  export: 'Exporteren',
  exportResults: 'Deze resultaten exporteren',
  exportRecord: name => `${name} exporteren`,
  exportSelected: 'De geselecteerde records exporteren',
  exportGroups: { people: 'Voor mensen', catalogues: 'Voor andere catalogi', programs: 'Voor programma’s' },
  formatKinds: {
    table: 'Tabel voor een rekenblad',
    citations: 'Verwijzingen',
    'whole records': 'Volledige records',
    'linked data': 'Linked data'
  },
  editionsOnly: 'alleen uitgaven',
  editionsAmong: (count, text) =>
    count === 0 ? 'geen daarvan is een uitgave' : `${text} daarvan ${count === 1 ? 'is een uitgave' : 'zijn uitgaven'}`,
  exporting: size => `${size} tot nu toe …`,
  exported: name => `${name} werd bewaard`,

  select: 'Selecteren',
  selectRecords: 'Records selecteren',
  selectThis: name => `${name} selecteren`,
  selected: text => `${text} geselecteerd`,
  selectAll: text => `Alle ${text} selecteren`,
  changeThese: 'Bewerken',

  changeMany: 'Meerdere records bewerken',
  changeManyOf: (count, text) => `${text} ${count === 1 ? 'record' : 'records'} wijzigen`,
  backToResults: 'Terug naar de resultaten',
  readingRecords: (done, all) => `${done} van ${all} gelezen …`,
  tooMany: most => `Hoogstens ${most} records kunnen in één keer gewijzigd worden. Verfijn de zoekopdracht.`,
  nothingSelected: 'Er zijn geen records geselecteerd',
  nothingSelectedHint: 'Zoek eerst records, en selecteer er dan enkele of allemaal.',
  whichField: 'Welk veld?',
  fieldsGroup: 'Velden',
  relationsGroup: 'Relaties',
  doWhat: 'Wat moet er gebeuren?',
  actions: {
    set: 'De waarde instellen (vervangt de huidige)',
    add: 'Een waarde toevoegen',
    remove: 'Een waarde verwijderen',
    replace: 'Een waarde door een andere vervangen',
    empty: 'Het veld leegmaken'
  },
  relationActions: {
    set: 'De relatie instellen (vervangt alle huidige)',
    add: 'Een relatie toevoegen',
    remove: 'Een relatie verwijderen',
    replace: 'Een record door een ander vervangen',
    empty: 'De relatie leegmaken'
  },
  oldValue: 'Te vervangen of te verwijderen',
  newValue: 'Nieuwe waarde',
  oldTarget: 'Huidig record',
  newTarget: 'Nieuw record',
  chooseFieldFirst: 'Kies eerst een veld en een waarde.',
  showPreview: 'Voorbeeld',
  checking: (done, all) => `${done} van ${all} nagekeken …`,
  wouldChange: (count, text) => (count === 1 ? 'Eén record wijzigt' : `${text} records wijzigen`),
  wouldStay: (count, text) => (count === 1 ? 'één blijft zoals het is' : `${text} blijven zoals ze zijn`),
  wouldRefuse: (count, text) => (count === 1 ? 'één wordt geweigerd' : `${text} worden geweigerd`),
  nothingWouldChange: 'Er zou niets wijzigen: elk record heeft deze waarde al, of mist het veld.',
  refusedRecords: 'Geweigerd',
  refusedHint: 'Deze blijven zoals ze zijn; al het andere wordt gewijzigd.',
  changesPreview: 'Wat er zou wijzigen',
  carryOut: (count, text) => `${text} ${count === 1 ? 'record' : 'records'} wijzigen`,
  changingMany: (done, all) => `${done} van ${all} gewijzigd …`,
  stayHere: 'Blijf op deze pagina tot het klaar is. Daarna kun je het ongedaan maken.',
  manyChanged: (count, text) => (count === 1 ? 'Eén record werd gewijzigd' : `${text} records werden gewijzigd`),
  stoppedAt: 'Gestopt. De overige records zijn niet gewijzigd.',
  undoMany: 'Alles ongedaan maken',
  undoingMany: (done, all) => `${done} van ${all} ongedaan gemaakt …`,
  manyUndone: (count, text) => (count === 1 ? 'Eén record is hersteld' : `${text} records zijn hersteld`),
  notUndone: 'Niet ongedaan gemaakt',
  lastMany: (what, n, count, when) =>
    `Je laatste bulkwijziging: ${what}, ${n === 1 ? '1 record' : `${count} records`}, ${when}.`
}
