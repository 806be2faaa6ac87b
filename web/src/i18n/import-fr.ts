import type { importEn } from './import-en.ts'

const plural = (count: number, one: string, many: string) => (count < 2 ? one : many)

/** Les messages sur les imports et leur révision, en français. */
export const importFr: typeof importEn = {
  imports: 'Imports',
  importsIntro:
    'Des fichiers de notices devenus œuvres, expressions et éditions. Chaque import peut être annulé en entier.',
  importFile: 'Importer un fichier',
  importFileHint: 'MARC 21, ONIX, un tableau ou NDJSON ; avec un aperçu d’abord',
  noImports: 'Rien n’a encore été importé',
  noImportsHint: 'Importez un fichier de notices : un aperçu montre ce qui se passerait avant que rien ne soit écrit.',
  mayNotImport:
    'Un import touche des notices de tous les types. Votre jeton ne permet pas de les lire et de les écrire toutes.',
  importedBy: (who, when) => `${who}, ${when}`,
  importStates: {
    uploading: 'en cours d’envoi',
    waiting: 'en attente',
    running: 'en cours',
    done: 'terminé',
    failed: 'échoué',
    stopped: 'arrêté',
    undoing: 'en cours d’annulation',
    undone: 'annulé'
  },
  isPreview: 'aperçu',

  dropFile: 'Déposez un fichier ici',
  chooseFile: 'Choisir un fichier',
  otherFile: 'Un autre fichier',
  importFormats:
    'MARC 21 ou UNIMARC (.mrc, .xml, .mrk, .json), Aleph sequential, PICA, MODS, Dublin Core, RDF (BIBFRAME), ONIX, CSV ou NDJSON',
  fileFormat: 'Format',
  formatFound: 'Le déduire du fichier',
  /** Names of formats that are not the same in every language. */
  formatNames: { csv: 'Un tableau (CSV)', ndjson: 'Notices de ce catalogue (NDJSON)' },
  agency: 'À qui sont ces numéros de notice ?',
  agencyHint:
    'Le code de la bibliothèque ou du fournisseur, comme BE-GnUNI. Seulement si les notices ne le disent pas elles-mêmes ; en cas de doute, laissez vide.',
  rowsAre: 'Que sont les lignes ?',
  rowsUnclear: 'Choisissez : les colonnes ne le disent pas',
  rowsArePublications: 'Des publications',
  rowsAreRecords: 'Des spectacles, représentations, salles ou autres notices',
  recordColumnsHint:
    'Choisissez quel champ de quelle notice une colonne remplit. Les colonnes au nom courant sont reconnues.',
  noRecordMade: 'Aucune notice ne peut encore être créée : choisissez une colonne pour son titre ou son nom.',
  mappingAsText: 'La correspondance en JSON',
  mappingHint: 'Écrivez-la ici pour tout ce que le tableau ci-dessus ne peut exprimer.',
  mappingNotJson: 'La correspondance n’est pas du JSON. Corrigez-la, ou choisissez de nouveau le sens des colonnes.',
  columnsTitle: 'Ce que signifient les colonnes',
  columnsHint: 'Les colonnes au nom courant sont reconnues. Choisissez une signification pour les autres.',
  column: 'Colonne',
  firstRow: 'Première ligne',
  meaning: 'Signification',
  byItsName: 'Comme le dit son nom',
  recordNumber: 'Numéro de notice',
  leaveOut: 'Laisser de côté',
  columnRoles: {
    aut: 'Auteur',
    trl: 'Traducteur',
    ill: 'Illustrateur',
    edt: 'Éditeur scientifique',
    nrt: 'Narrateur'
  },
  materialOfRows: 'Type de document',
  noHeader: 'La première ligne de ce tableau est illisible.',
  preview: 'Aperçu',
  previewHint: 'Montre ce qui serait créé, reconnu ou modifié. Rien n’est écrit.',
  importNow: 'Importer',
  importWithoutPreview: 'Importer sans aperçu',
  sendingFile: 'Envoi du fichier …',

  recordsDone: (count, text) => `${text} ${plural(count, 'notice', 'notices')}`,
  perSecond: text => `${text} par seconde`,
  timeLeft: text => `encore ${text} environ`,
  seconds: count => `${count} ${plural(count, 'seconde', 'secondes')}`,
  minutesLong: count => `${count} ${plural(count, 'minute', 'minutes')}`,
  hours: count => `${count} ${plural(count, 'heure', 'heures')}`,
  waitingHint: 'Les imports se font un à la fois. Celui-ci commencera à son tour.',
  mayLeave: 'Vous pouvez quitter cette page : l’import continue, et vous le retrouverez sous Imports.',
  undoingHint: 'Les notices créées sont supprimées, et les notices modifiées retrouvent leur contenu antérieur.',
  stop: 'Arrêter',
  goOn: 'Continuer',
  stoppedHint: 'Les notices déjà importées restent. Continuez, ou annulez l’import.',
  importFailed: 'L’import a échoué',
  took: text => `en ${text}`,

  countNames: {
    created: 'nouvelles',
    updated: 'modifiées',
    unchanged: 'inchangées',
    deleted: 'supprimées',
    kept: 'non remplacées (modifiées ici)',
    unreadable: 'illisibles'
  },
  wouldBe: 'Ce qui se passerait',
  whatHappened: 'Ce qui s’est passé',
  joinedWorks: (count, text) =>
    count === 1
      ? 'Une œuvre a été reconnue parmi celles du catalogue.'
      : `${text} œuvres ont été reconnues parmi celles du catalogue.`,
  wouldJoinWorks: (count, text) =>
    count === 1
      ? 'Une œuvre serait reconnue parmi celles du catalogue.'
      : `${text} œuvres seraient reconnues parmi celles du catalogue.`,
  kindOfRecord: 'Type',
  madeRecords: 'Nouvelles',
  changedRecords: 'Modifiées',
  deletedRecords: 'Supprimées',
  showRecords: 'Afficher les nouvelles notices',
  allAsItWas: 'Toutes les notices étaient déjà là, telles quelles.',
  nothingRead: 'Aucune notice de ce fichier n’a pu être lue.',
  notMapped: count => `Zones sans place ici, présentes seulement dans les notices d’origine : ${count}`,

  previewLines: 'Notice par notice',
  previewOutcomes: {
    created: 'nouvelle',
    updated: 'modifiée',
    unchanged: 'inchangée',
    deleted: 'supprimée',
    kept: 'non remplacée',
    refused: 'omis'
  },
  newWorkMade: 'Nouvelle œuvre',
  newWorkShared: 'Nouvelle œuvre, avec d’autres notices de ce fichier',
  foundWork: 'Œuvre du catalogue',
  inFile: number => `N° ${number}`,
  chooseAgain: 'Pour importer ce fichier, choisissez-le à nouveau : un aperçu ne le garde pas.',
  previewWroteNothing: 'Rien n’a été écrit. Si tout est bien, importez-le.',

  remarks: 'Remarques',
  remarksIntro: 'Les notices qui posent problème, et où elles se trouvent dans le fichier.',
  remarkPlace: (number, offset) => `N° ${number} du fichier, à l’octet ${offset}`,
  remarkOutcomes: { unreadable: 'laissée de côté', kept: 'non remplacée', noticed: 'à noter' },

  undoImport: 'Annuler l’import',
  confirmUndoImport: name => `Annuler l’import ${name} ?`,
  confirmUndoImportHint: (count, text) =>
    `${count === 1 ? 'La notice créée est supprimée' : `Les ${text} notices créées sont supprimées`}, et les notices modifiées retrouvent leur contenu antérieur.`,
  undoImportStays:
    'Restent les notices modifiées depuis, auxquelles d’autres notices renvoient, ou écrites par un import ultérieur.',
  undoingImport: 'L’import est en cours d’annulation',
  importUndone: 'Cet import a été annulé.',
  notUndoneRecords: (count, text) =>
    count === 1
      ? 'Une notice est restée : quelqu’un l’a modifiée, ou y renvoie.'
      : `${text} notices sont restées : quelqu’un les a modifiées, ou y renvoie.`,
  importAgain: 'Pour importer à nouveau le fichier, envoyez-le à nouveau.',

  review: 'Révision',
  reviewOf: name => `Révision de ${name}`,
  reviewIntro:
    'L’import n’était pas sûr ici. Votre réponse s’applique aussitôt, et vaut aussi pour les imports suivants.',
  toReview: (count, text) => `${text} ${plural(count, 'question à trancher', 'questions à trancher')}`,
  nothingToReview: 'Rien à trancher',
  nothingToReviewHint:
    'Le catalogue était sûr de chaque œuvre et de chaque expression de cet import, ou quelqu’un a déjà tranché.',
  isOneWork: 'Est-ce la même œuvre ?',
  isOneExpression: 'Est-ce la même expression d’une œuvre ?',
  isJoined: 'Réunies pour l’instant',
  isApart: 'Séparées pour l’instant',
  answerEffects: {
    work: {
      joined: '« Les mêmes » les laisse dans une œuvre. « Différentes » en fait deux œuvres.',
      apart: '« Les mêmes » fusionne leurs œuvres. « Différentes » les laisse séparées, et la question ne revient pas.'
    },
    expression: {
      joined: '« Les mêmes » les laisse dans une expression. « Différentes » en fait deux expressions.',
      apart:
        '« Les mêmes » fusionne leurs expressions. « Différentes » les laisse séparées, et la question ne revient pas.'
    }
  },
  answerSettles: text => `La réponse vaut pour ${text} notices.`,
  howSure: percent => `sûr à ${percent} % que ce sont les mêmes`,
  same: 'Les mêmes',
  different: 'Différentes',
  sameKey: 'm',
  differentKey: 'd',
  reviewKeys: 'Au clavier : les flèches passent de l’une à la suivante,',
  decidedSame: 'les mêmes',
  decidedDifferent: 'différentes',
  decided: 'Tranché',
  decidedBy: (who, when) => `${who}, ${when}`,
  nowSame: title => `${title} : les mêmes`,
  nowDifferent: title => `${title} : différentes`,
  changeVerdict: { same: 'Non, les mêmes', different: 'Non, différentes' },
  likeCases: 'Cas semblables',
  likeCasesIntro: 'La même décision vaut peut-être aussi ici. Rien ne change avant votre décision.',
  likeCaseWhy: {
    titles: (one, other) => `Les deux mêmes titres que ${one} et ${other}`,
    authors: (one, other) => `Un seul titre, des deux mêmes auteurs que ${one} et ${other}`,
    pattern: (one, other) => `Même auteur et même raison que ${one} et ${other}`
  },
  acceptLikeCases: 'Décider ainsi pour tous',
  likeCasesDecided: (count, text) => `${text} cas ${count === 1 ? 'décidé' : 'décidés'}`,
  sourceRecord: 'Notice',
  importRuns: 'Un import est en cours. Tranchez quand il sera terminé.',
  reasons: {
    reviewed: 'quelqu’un a dit que ce sont les mêmes',
    'work identifier': 'le même numéro d’œuvre',
    'uniform title': 'même auteur et même titre uniforme',
    'title proper': 'même auteur et même titre propre',
    'title is uniform title': 'même auteur ; le titre est le titre uniforme de l’autre',
    'learned title': 'même auteur ; une autre notice a les deux titres',
    'learned uniform title': 'même auteur ; une notice a pour titre le titre uniforme de l’une',
    'alternative title': 'même auteur ; l’un des titres est une partie ou la forme complète de l’autre',
    'title and subtitle': 'même auteur, titre et sous-titre',
    'title and date': 'même auteur et titre, et même année ou numéro dans une collection',
    'variant title': 'même auteur ; l’un des titres est une variante de l’autre',
    'related title': 'même auteur ; l’une cite le titre de l’autre comme titre en relation',
    subtitle: 'même auteur ; le titre de l’une est le sous-titre de l’autre',
    contents: 'les deux contiennent les mêmes œuvres',
    spelling: 'même auteur, et des titres qui diffèrent d’une lettre ou deux',
    publication: 'le même titre et le même ISBN ou ISSN',
    people: 'le même titre, et des personnes en commun',
    'title alone': 'le même titre ; personne n’est nommé qui indique autre chose',
    romanisation: 'des auteurs et des titres qui peuvent être les mêmes en deux romanisations',
    translation: 'même auteur ; une traduction dont la notice ne nomme pas l’original',
    'several possible': 'le même titre, mais ce peut être une autre œuvre de ce titre',
    'other form': 'le même titre, mais une autre forme (roman, pièce, scénario …)',
    'other contents': 'le même titre, mais d’autres œuvres à l’intérieur',
    'other number': 'le même titre, mais un autre numéro dans la collection ou de la partie',
    version: 'mêmes langue, forme, traducteur et lecteurs',
    'only version': 'la seule version connue dans cette langue et cette forme',
    'unknown version': 'même langue et même forme ; on sait qui a fait l’autre, pas celle-ci'
  },

  anImport: 'un import',
  madeInImport: 'D’un même import',
  madeBy: who => `Ajouté par ${who}`
}
