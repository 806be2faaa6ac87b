import type { exportEn } from './export-en.ts'

const plural = (count: number, one: string, many: string) => (count < 2 ? one : many)

/** Les messages sur l’export et la modification par lot, en français. */
export const exportFr: typeof exportEn = {
  export: 'Exporter',
  exportResults: 'Exporter ces résultats',
  exportRecord: name => `Exporter ${name}`,
  exportSelected: 'Exporter les notices sélectionnées',
  exportInclude: 'Ajouter',
  exportIncludes: {
    media: 'Fichiers des affiches, numérisations et autres médias',
    history: 'Toutes les versions antérieures',
    authorities: 'Notices d’autorité',
    holdings: 'Exemplaires en notices de fonds'
  },
  exportGroups: {
    people: 'Pour les personnes',
    catalogues: 'Pour d’autres catalogues',
    programs: 'Pour les programmes'
  },
  formatKinds: {
    table: 'Tableau pour un tableur',
    citations: 'Références',
    'whole records': 'Notices entières',
    'linked data': 'Données liées'
  },
  editionsOnly: 'éditions seulement',
  editionsAmong: (count, text) =>
    count === 0 ? 'il n’y a pas d’édition parmi elles' : `dont ${text} ${plural(count, 'édition', 'éditions')}`,
  exporting: size => `${size} pour l’instant …`,
  exported: name => `${name} : enregistré`,

  select: 'Sélectionner',
  selectRecords: 'Sélectionner des notices',
  selectThis: name => `Sélectionner ${name}`,
  selected: text => `${text} sélectionnées`,
  selectAll: text => `Tout sélectionner (${text})`,
  changeThese: 'Modifier',

  changeMany: 'Modifier des notices par lot',
  changeManyOf: (count, text) => `Modifier ${text} ${plural(count, 'notice', 'notices')}`,
  backToResults: 'Retour aux résultats',
  readingRecords: (done, all) => `Lecture : ${done} sur ${all} …`,
  tooMany: most => `On peut modifier au plus ${most} notices à la fois. Restreignez la recherche.`,
  nothingSelected: 'Aucune notice n’est sélectionnée',
  nothingSelectedHint: 'Cherchez d’abord des notices, puis sélectionnez-en quelques-unes ou toutes.',
  whichField: 'Quel champ ?',
  fieldsGroup: 'Champs',
  relationsGroup: 'Relations',
  doWhat: 'Que faut-il faire ?',
  actions: {
    set: 'Définir la valeur (remplace l’actuelle)',
    add: 'Ajouter une valeur',
    remove: 'Retirer une valeur',
    replace: 'Remplacer une valeur par une autre',
    find: 'Rechercher et remplacer dans le texte',
    empty: 'Vider le champ'
  },
  relationActions: {
    set: 'Définir la relation (remplace toutes les actuelles)',
    add: 'Ajouter une relation',
    remove: 'Retirer une relation',
    replace: 'Remplacer une notice par une autre',
    empty: 'Vider la relation'
  },
  findText: 'Rechercher',
  replaceBy: 'Remplacer par',
  asPattern: 'Expression régulière (RE2 ; $1 est le premier groupe)',
  oldValue: 'À remplacer ou à retirer',
  newValue: 'Nouvelle valeur',
  oldTarget: 'Notice actuelle',
  newTarget: 'Nouvelle notice',
  chooseFieldFirst: 'Choisissez d’abord un champ et une valeur.',
  showPreview: 'Aperçu',
  checking: (done, all) => `Vérification : ${done} sur ${all} …`,
  wouldChange: (count, text) => (count === 1 ? 'Une notice change' : `${text} notices changent`),
  wouldStay: (count, text) => (count === 1 ? 'une reste telle quelle' : `${text} restent telles quelles`),
  wouldRefuse: (count, text) => (count === 1 ? 'une est refusée' : `${text} sont refusées`),
  nothingWouldChange: 'Rien ne changerait : toutes les notices ont déjà cette valeur, ou n’ont pas ce champ.',
  refusedRecords: 'Refusées',
  refusedHint: 'Celles-ci restent telles quelles ; toutes les autres sont modifiées.',
  columnsShown: 'Colonnes de l’aperçu',
  recordColumn: 'Notice',
  changesPreview: 'Ce qui changerait',
  carryOut: (count, text) => `Modifier ${text} ${plural(count, 'notice', 'notices')}`,
  changingMany: (done, all) => `${done} sur ${all} modifiées …`,
  stayHere: 'Restez sur cette page jusqu’à la fin. Vous pourrez ensuite l’annuler.',
  manyChanged: (count, text) => (count === 1 ? 'Une notice a été modifiée' : `${text} notices ont été modifiées`),
  mergeDuplicates: 'Fusionner les doublons',
  leastScore: 'Score d’au moins',
  staysHere: id => `${id} reste, les autres y sont fusionnées`,
  carryOutMerges: (count, text) => `Fusionner ${text} ${plural(count, 'notice', 'notices')}`,
  manyMerged: (count, text) => (count === 1 ? 'Une notice a été fusionnée' : `${text} notices ont été fusionnées`),
  stoppedAt: 'Arrêté. Les notices restantes sont inchangées.',
  undoMany: 'Tout annuler',
  undoingMany: (done, all) => `${done} sur ${all} annulées …`,
  manyUndone: (count, text) => (count === 1 ? 'Une notice a été rétablie' : `${text} notices ont été rétablies`),
  notUndone: 'Non annulées',
  lastMany: (what, n, count, when) =>
    `Votre dernière modification par lot : ${what}, ${n === 1 ? '1 notice' : `${count} notices`}, ${when}.`
}
