import type { takeOutEn } from './take-out-en.ts'

const plural = (count: number, one: string, many: string) => (count < 2 ? one : many)

/** Ce qui est dit de l’export et de la modification par lot, en français. */
export const takeOutFr: typeof takeOutEn = {
  takeOut: 'Exporter',
  takeOutResults: 'Exporter ces résultats',
  takeOutRecord: name => `Exporter ${name}`,
  takeOutChosen: 'Exporter les notices choisies',
  exportGroups: {
    people: 'Pour les personnes',
    catalogues: 'Pour d’autres catalogues',
    programs: 'Pour les programmes'
  },
  exportFormats: {
    csv: 'Tableau pour un tableur (CSV)',
    bibtex: 'Références, BibTeX',
    ris: 'Références, RIS',
    csl: 'Références, CSL-JSON',
    marc21: 'MARC 21 (ISO 2709)',
    marcxml: 'MARCXML',
    mods: 'MODS',
    ndjson: 'Notices entières, NDJSON',
    jsonld: 'Données liées, JSON-LD',
    turtle: 'Données liées, Turtle',
    ntriples: 'Données liées, N-Triples',
    rdfxml: 'Données liées, RDF/XML',
    marcjson: 'MARC-in-JSON'
  },
  editionsOnly: 'éditions seulement',
  editionsAmong: (count, text) =>
    count === 0 ? 'il n’y a pas d’édition parmi elles' : `dont ${text} ${plural(count, 'édition', 'éditions')}`,
  takingOut: size => `${size} pour l’instant …`,
  tookOut: name => `${name} : enregistré`,

  choose: 'Choisir',
  chooseRecords: 'Choisir des notices',
  chooseThis: name => `Choisir ${name}`,
  chosen: text => `${text} choisies`,
  chooseAll: text => `Toutes (${text})`,
  changeThese: 'Modifier',

  changeMany: 'Modifier des notices par lot',
  changeManyOf: (count, text) => `Modifier ${text} ${plural(count, 'notice', 'notices')}`,
  backToResults: 'Retour aux résultats',
  readingRecords: (done, all) => `Lecture : ${done} sur ${all} …`,
  tooMany: most => `On peut modifier au plus ${most} notices à la fois. Restreignez la recherche.`,
  nothingChosen: 'Aucune notice n’a été choisie',
  nothingChosenHint: 'Cherchez d’abord des notices, puis choisissez-en quelques-unes ou toutes.',
  whichField: 'Quel champ ?',
  fieldsGroup: 'Champs',
  relationsGroup: 'Relations',
  doWhat: 'Que faut-il faire ?',
  actions: {
    set: 'Donner une valeur, à la place de ce qui s’y trouve',
    add: 'Ajouter une valeur',
    remove: 'Retirer une valeur',
    replace: 'Remplacer une valeur par une autre',
    empty: 'Vider le champ'
  },
  relationActions: {
    add: 'Ajouter une relation',
    remove: 'Retirer une relation',
    replace: 'Remplacer une notice par une autre'
  },
  oldValue: 'Cette valeur',
  newValue: 'Nouvelle valeur',
  oldTarget: 'Cette notice',
  newTarget: 'La notice',
  sayWhat: 'Choisissez d’abord un champ et une valeur.',
  showPreview: 'Aperçu',
  checking: (done, all) => `Vérification : ${done} sur ${all} …`,
  wouldChange: (count, text) => (count === 1 ? 'Une notice change' : `${text} notices changent`),
  wouldStay: (count, text) => (count === 1 ? 'une reste telle quelle' : `${text} restent telles quelles`),
  wouldRefuse: (count, text) => (count === 1 ? 'une est refusée' : `${text} sont refusées`),
  nothingWouldChange: 'Rien ne changerait : toutes les notices sont déjà ainsi, ou n’ont pas ce champ.',
  refusedRecords: 'Refusées',
  refusedHint: 'Celles-ci restent telles quelles ; toutes les autres sont modifiées.',
  changesPreview: 'Ce qui changerait',
  carryOut: (count, text) => `Modifier ${text} ${plural(count, 'notice', 'notices')}`,
  changingMany: (done, all) => `${done} sur ${all} modifiées …`,
  stayHere: 'Restez sur cette page jusqu’à la fin. Ce qui est fait pourra de toute façon être annulé.',
  manyChanged: (count, text) => (count === 1 ? 'Une notice a été modifiée' : `${text} notices ont été modifiées`),
  stoppedAt: 'Arrêté. Les autres sont restées telles quelles.',
  undoMany: 'Tout annuler',
  undoingMany: (done, all) => `${done} sur ${all} annulées …`,
  manyUndone: (count, text) =>
    count === 1 ? 'Une notice est redevenue ce qu’elle était' : `${text} notices sont redevenues ce qu’elles étaient`,
  notUndone: 'Non annulées',
  lastMany: (what, count, when) => `Votre dernière modification par lot : ${what}, ${count} notices, ${when}.`
}
