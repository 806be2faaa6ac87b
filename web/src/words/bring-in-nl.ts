import type { bringInEn } from './bring-in-en.ts'

export const bringInNl: typeof bringInEn = {
  imports: 'Importen',
  importsIntro:
    'Bestanden met records die werken, expressies en uitgaven werden. Elk kan in zijn geheel teruggenomen worden.',
  importFile: 'Een bestand importeren',
  importFileHint: 'MARC 21, ONIX, een tabel of NDJSON; kijk eerst wat er zou gebeuren',
  noImports: 'Er werd nog niets geïmporteerd',
  noImportsHint: 'Breng een bestand met records in: er wordt niets geschreven voor je gezien hebt wat er zou gebeuren.',
  mayNotImport: 'Een import raakt records van elke soort. Je token mag die niet allemaal lezen en schrijven.',
  importedBy: (who, when) => `${who}, ${when}`,
  importStates: {
    uploading: 'wordt verstuurd',
    waiting: 'wacht op zijn beurt',
    running: 'bezig',
    done: 'klaar',
    failed: 'mislukt',
    stopped: 'gestopt',
    undoing: 'wordt teruggenomen',
    undone: 'teruggenomen'
  },
  isPreview: 'voorbeeld',

  dropFile: 'Sleep een bestand hierheen',
  chooseFile: 'Kies een bestand',
  otherFile: 'Ander bestand',
  importFormats: 'MARC 21 of UNIMARC (.mrc, .xml, .mrk, .json), ONIX, CSV of NDJSON',
  fileFormat: 'Formaat',
  formatFound: 'Uit het bestand afleiden',
  formatNames: {
    iso2709: 'MARC (ISO 2709, .mrc)',
    marcxml: 'MARCXML',
    mrk: 'MARC in regels (.mrk)',
    json: 'MARC-in-JSON',
    onix: 'ONIX',
    csv: 'Een tabel (CSV)',
    ndjson: 'Records van deze catalogus (NDJSON)'
  },
  agency: 'Van wie zijn de recordnummers?',
  agencyHint:
    'De code van de bibliotheek of leverancier, zoals BE-GnUNI. Alleen als de records het zelf niet zeggen; bij twijfel leeg laten.',
  columnsTitle: 'Wat de kolommen betekenen',
  columnsHint: 'Kolommen met een gangbare naam worden vanzelf begrepen. Zeg hier wat de andere zijn.',
  column: 'Kolom',
  firstRow: 'Eerste rij',
  meaning: 'Betekenis',
  byItsName: 'Zoals de naam zegt',
  recordNumber: 'Recordnummer',
  leaveOut: 'Weglaten',
  columnRoles: {
    aut: 'Auteur',
    trl: 'Vertaler',
    ill: 'Illustrator',
    edt: 'Redacteur',
    nrt: 'Voorlezer'
  },
  materialOfRows: 'Soort materiaal',
  noHeader: 'De eerste rij van deze tabel is niet te lezen.',
  preview: 'Voorbeeld',
  previewHint: 'Zegt wat er gemaakt, herkend of gewijzigd zou worden. Er wordt niets geschreven.',
  importNow: 'Nu importeren',
  importWithoutPreview: 'Importeren zonder voorbeeld',
  sendingFile: 'Het bestand wordt verstuurd …',

  recordsDone: (count, text) => `${text} ${count === 1 ? 'record' : 'records'}`,
  perSecond: text => `${text} per seconde`,
  timeLeft: text => `nog ongeveer ${text}`,
  seconds: count => `${count} ${count === 1 ? 'seconde' : 'seconden'}`,
  minutesLong: count => `${count} ${count === 1 ? 'minuut' : 'minuten'}`,
  hours: count => `${count} uur`,
  waitingHint: 'Importen gebeuren één voor één. Deze begint als de andere klaar zijn.',
  mayLeave: 'Je mag deze pagina verlaten: het gaat door, en je vindt het terug onder Importen.',
  undoingHint: 'Records verdwijnen, en wat gewijzigd werd wordt weer wat het was.',
  stop: 'Stoppen',
  goOn: 'Verdergaan',
  stoppedHint: 'Wat tot dan gedaan was, blijft. Ga verder waar het was, of neem het terug.',
  importFailed: 'De import is mislukt',
  took: text => `in ${text}`,

  countNames: {
    created: 'nieuw',
    updated: 'gewijzigd',
    unchanged: 'zoals ze waren',
    deleted: 'verwijderd',
    kept: 'gelaten zoals mensen ze maakten',
    unreadable: 'niet te lezen'
  },
  wouldBe: 'Wat er zou gebeuren',
  whatHappened: 'Wat er gebeurde',
  joinedWorks: (count, text) =>
    count === 1 ? 'Eén werk werd herkend tussen wat er al is.' : `${text} werken werden herkend tussen wat er al is.`,
  wouldJoinWorks: (count, text) =>
    count === 1
      ? 'Eén werk zou herkend worden tussen wat er al is.'
      : `${text} werken zouden herkend worden tussen wat er al is.`,
  kindOfRecord: 'Soort',
  madeRecords: 'Nieuw',
  changedRecords: 'Gewijzigd',
  deletedRecords: 'Verwijderd',
  showRecords: 'De nieuwe records tonen',
  allAsItWas: 'Elk record was er al, zoals het is.',
  nothingRead: 'In dit bestand staat geen record dat te lezen is.',

  previewLines: 'Record per record',
  previewOutcomes: {
    created: 'nieuw',
    updated: 'gewijzigd',
    unchanged: 'zoals het was',
    deleted: 'verwijderd',
    kept: 'gelaten zoals het is'
  },
  newWorkMade: 'Nieuw werk',
  newWorkShared: 'Nieuw werk, samen met andere uit dit bestand',
  foundWork: 'Werk dat er al is',
  inFile: number => `Nr. ${number}`,
  chooseAgain: 'Kies het bestand opnieuw om het te importeren: een voorbeeld bewaart het niet.',
  previewWroteNothing: 'Er werd niets geschreven. Als het er goed uitziet, importeer het.',

  remarks: 'Opmerkingen',
  remarksIntro: 'Wat vreemd was of niet te lezen, en waar in het bestand het staat.',
  remarkPlace: (number, offset) => `Nr. ${number} in het bestand, bij byte ${offset}`,
  remarkOutcomes: { unreadable: 'weggelaten', kept: 'gelaten zoals het is', noticed: 'opgemerkt' },

  takeBack: 'Terugnemen',
  confirmTakeBack: name => `${name} terugnemen?`,
  confirmTakeBackHint: (count, text) =>
    `${count === 1 ? 'Het record dat hij maakte, verdwijnt' : `De ${text} records die hij maakte, verdwijnen`}, en wat hij wijzigde wordt weer wat het was.`,
  takeBackStays:
    'Records die mensen sindsdien wijzigden, waar iets anders naar verwijst of die een latere import schreef, blijven.',
  takingBack: 'De import wordt teruggenomen',
  takenBack: 'Deze import werd teruggenomen.',
  keptBack: (count, text) =>
    count === 1
      ? 'Eén record bleef: iemand wijzigde het, of verwijst ernaar.'
      : `${text} records bleven: iemand wijzigde ze, of verwijst ernaar.`,
  importAgain: 'Stuur het bestand opnieuw om het weer te importeren.',

  review: 'Nakijken',
  reviewOf: name => `${name} nakijken`,
  reviewIntro:
    'Hier was de catalogus niet zeker. Wat je zegt gebeurt meteen, en geldt wat er later ook geïmporteerd wordt.',
  toReview: (count, text) => `${text} ${count === 1 ? 'vraag' : 'vragen'} te beslissen`,
  nothingToReview: 'Niets te beslissen',
  nothingToReviewHint:
    'De catalogus was zeker van elk werk en elke expressie van deze import, of iemand heeft beslist.',
  isOneWork: 'Is dit hetzelfde werk?',
  isOneExpression: 'Is dit dezelfde expressie van een werk?',
  isJoined: 'Voorlopig samen',
  isApart: 'Voorlopig apart',
  howSure: percent => `${percent} % zeker dat ze hetzelfde zijn`,
  same: 'Hetzelfde',
  different: 'Verschillend',
  sameKey: 'h',
  differentKey: 'v',
  reviewKeys: 'Met het toetsenbord: pijltjes gaan van de ene naar de volgende,',
  decidedSame: 'hetzelfde',
  decidedDifferent: 'verschillend',
  decided: 'Beslist',
  decidedBy: (who, when) => `${who}, ${when}`,
  nowSame: title => `${title}: hetzelfde`,
  nowDifferent: title => `${title}: verschillend`,
  changeVerdict: { same: 'Toch hetzelfde', different: 'Toch verschillend' },
  sourceRecord: 'Record',
  importRuns: 'Er loopt een import. Beslis als die klaar is.',
  reasons: {
    reviewed: 'iemand zei dat ze hetzelfde zijn',
    'work identifier': 'hetzelfde nummer van het werk',
    'uniform title': 'zelfde auteur en uniforme titel',
    'title proper': 'zelfde auteur en titel',
    'title is uniform title': 'zelfde auteur; de titel is de uniforme titel van het andere',
    'learned title': 'zelfde auteur; een ander record heeft beide titels',
    'learned uniform title': 'zelfde auteur; een record heeft de uniforme titel van het ene als titel',
    'alternative title': 'zelfde auteur; de ene titel is een deel of de volledige vorm van de andere',
    'variant title': 'zelfde auteur; de ene titel is een variant van de andere',
    'related title': 'zelfde auteur; het ene noemt de titel van het andere als verwante titel',
    subtitle: 'zelfde auteur; de titel van het ene is de ondertitel van het andere',
    contents: 'in beide staan dezelfde werken',
    spelling: 'zelfde auteur, en titels die een letter of twee verschillen',
    publication: 'dezelfde titel en hetzelfde ISBN of ISSN',
    people: 'dezelfde titel, en gemeenschappelijke personen',
    'title alone': 'dezelfde titel; niemand wordt genoemd die iets anders laat blijken',
    'several possible': 'dezelfde titel, maar het kan ook een ander werk met die titel zijn',
    'other form': 'dezelfde titel, maar een andere vorm, of er staan andere werken in',
    version: 'zelfde taal, vorm, vertaler en voorlezers',
    'only version': 'de enige bekende versie in deze taal en vorm',
    'unknown version': 'zelfde taal en vorm; van de andere is bekend wie ze maakte, van deze niet'
  },

  madeInImport: 'Uit één import',
  madeBy: who => `Toegevoegd door ${who}`
}
