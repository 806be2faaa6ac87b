import type { Language } from '../i18n/first-language.ts'
import type { MarcKeyName } from './marc-keys.ts'
import type { KindTemplate } from './marc-templates.ts'

/* Words of the MARC editor, which are loaded with it. */

export interface MarcWords {
  readonly newRecord: string
  readonly isHere: string
  readonly editThat: string
  readonly noRecord: string
  readonly keys: string
  readonly keyNames: Readonly<Record<MarcKeyName | 'nextMessage' | 'previousMessage' | 'save' | 'positions', string>>
  readonly pair: string
  readonly positionsOf: (tag: string) => string
  readonly toPair: string
  readonly indicator: (place: number, values: string) => string
  readonly repeats: Readonly<Record<'yes' | 'no', string>>
  readonly messages: (count: number) => string
  readonly notChecked: (reason: string) => string
  readonly isBusy: string
  readonly addFields: string
  readonly kinds: Readonly<Record<KindTemplate, string>>
  readonly own: string
  readonly house: string
  readonly keepLines: string
  readonly templateName: string
  readonly notStored: string
  readonly drop: (name: string) => string
}

const en: MarcWords = {
  newRecord: 'New MARC record',
  isHere: 'This record is in the catalogue already.',
  editThat: 'Edit that record',
  noRecord: 'No MARC record describes this.',
  keys: 'Keys',
  keyNames: {
    save: 'Check; then save',
    positions: 'Values of the field by choice (Esc: back)',
    nextMessage: 'Next message',
    previousMessage: 'Previous message',
    newField: 'New field',
    copyField: 'Copy the field',
    deleteField: 'Delete the field, and its pair',
    moveUp: 'Move the field up',
    moveDown: 'Move the field down',
    nextSubfield: 'Next subfield',
    previousSubfield: 'Previous subfield',
    pair: 'Field in another script (880): add, or go to'
  },
  positionsOf: tag => `Positions of ${tag}`,
  pair: 'In another script',
  toPair: 'Go to it',
  indicator: (place, values) => `indicator ${place}: ${values}`,
  repeats: { yes: 'repeatable', no: 'not repeatable' },
  messages: count => (count === 1 ? '1 message' : `${count} messages`),
  notChecked: reason => `The text was not checked. ${reason}`,
  isBusy: 'The record cannot be saved just now: an import may be running. The text is kept; save it again in a moment.',
  addFields: 'Add fields for',
  kinds: {
    book: 'a book',
    serial: 'a serial',
    score: 'a score',
    recording: 'a recording',
    ebook: 'an e-book',
    person: 'a person (authority)',
    organisation: 'an organisation (authority)',
    subject: 'a subject (authority)',
    unimarcBook: 'a book (UNIMARC)',
    unimarcSerial: 'a serial (UNIMARC)',
    unimarcPerson: 'a person (UNIMARC authority)'
  },
  own: 'Your templates',
  house: 'Templates of the house',
  keepLines: 'Store the selected lines as a template',
  templateName: 'Name of the template',
  notStored: 'This browser did not store the template: its store is full, or not allowed.',
  drop: name => `Delete the template ${name}`
}

const nl: MarcWords = {
  newRecord: 'Nieuw MARC-record',
  isHere: 'Dit record staat al in de catalogus.',
  editThat: 'Dat record bewerken',
  noRecord: 'Geen MARC-record beschrijft dit.',
  keys: 'Toetsen',
  keyNames: {
    save: 'Controleren; daarna opslaan',
    positions: 'Waarden van het veld kiezen (Esc: terug)',
    nextMessage: 'Volgende melding',
    previousMessage: 'Vorige melding',
    newField: 'Nieuw veld',
    copyField: 'Veld kopiëren',
    deleteField: 'Veld verwijderen, met zijn paar',
    moveUp: 'Veld naar boven',
    moveDown: 'Veld naar beneden',
    nextSubfield: 'Volgend subveld',
    previousSubfield: 'Vorig subveld',
    pair: 'Veld in ander schrift (880): toevoegen, of ernaartoe'
  },
  positionsOf: tag => `Posities van ${tag}`,
  pair: 'In ander schrift',
  toPair: 'Ernaartoe',
  indicator: (place, values) => `indicator ${place}: ${values}`,
  repeats: { yes: 'herhaalbaar', no: 'niet herhaalbaar' },
  messages: count => (count === 1 ? '1 melding' : `${count} meldingen`),
  notChecked: reason => `De tekst is niet gecontroleerd. ${reason}`,
  isBusy:
    'Het record kan nu niet worden opgeslagen: misschien loopt er een import. De tekst blijft bewaard; sla hem zo dadelijk opnieuw op.',
  addFields: 'Velden toevoegen voor',
  kinds: {
    book: 'een boek',
    serial: 'een tijdschrift',
    score: 'bladmuziek',
    recording: 'een opname',
    ebook: 'een e-boek',
    person: 'een persoon (authority)',
    organisation: 'een organisatie (authority)',
    subject: 'een onderwerp (authority)',
    unimarcBook: 'een boek (UNIMARC)',
    unimarcSerial: 'een tijdschrift (UNIMARC)',
    unimarcPerson: 'een persoon (authority in UNIMARC)'
  },
  own: 'Uw sjablonen',
  house: 'Sjablonen van het huis',
  keepLines: 'De gekozen regels als sjabloon bewaren',
  templateName: 'Naam van het sjabloon',
  notStored: 'Deze browser bewaarde het sjabloon niet: zijn opslag is vol of niet toegestaan.',
  drop: name => `Het sjabloon ${name} verwijderen`
}

const fr: MarcWords = {
  newRecord: 'Nouvelle notice MARC',
  isHere: 'Cette notice est déjà dans le catalogue.',
  editThat: 'Modifier cette notice',
  noRecord: 'Aucune notice MARC ne décrit ceci.',
  keys: 'Touches',
  keyNames: {
    save: 'Vérifier ; puis enregistrer',
    positions: 'Choisir les valeurs de la zone (Échap : retour)',
    nextMessage: 'Message suivant',
    previousMessage: 'Message précédent',
    newField: 'Nouvelle zone',
    copyField: 'Copier la zone',
    deleteField: 'Supprimer la zone, et sa paire',
    moveUp: 'Monter la zone',
    moveDown: 'Descendre la zone',
    nextSubfield: 'Sous-zone suivante',
    previousSubfield: 'Sous-zone précédente',
    pair: 'Zone dans une autre écriture (880) : ajouter, ou y aller'
  },
  positionsOf: tag => `Positions de ${tag}`,
  pair: 'Dans une autre écriture',
  toPair: 'Y aller',
  indicator: (place, values) => `indicateur ${place} : ${values}`,
  repeats: { yes: 'répétable', no: 'non répétable' },
  messages: count => (count === 1 ? '1 message' : `${count} messages`),
  notChecked: reason => `Le texte n’a pas été vérifié. ${reason}`,
  isBusy:
    'La notice ne peut pas être enregistrée pour le moment : une importation est peut-être en cours. Le texte est gardé ; réessayez dans un instant.',
  addFields: 'Ajouter les zones pour',
  kinds: {
    book: 'un livre',
    serial: 'un périodique',
    score: 'une partition',
    recording: 'un enregistrement',
    ebook: 'un livre numérique',
    person: 'une personne (autorité)',
    organisation: 'une collectivité (autorité)',
    subject: 'un sujet (autorité)',
    unimarcBook: 'un livre (UNIMARC)',
    unimarcSerial: 'un périodique (UNIMARC)',
    unimarcPerson: 'une personne (autorité UNIMARC)'
  },
  own: 'Vos modèles',
  house: 'Modèles de la maison',
  keepLines: 'Garder les lignes sélectionnées comme modèle',
  templateName: 'Nom du modèle',
  notStored: 'Ce navigateur n’a pas gardé le modèle : sa mémoire est pleine ou refusée.',
  drop: name => `Supprimer le modèle ${name}`
}

export const marcWords: Readonly<Record<Language, MarcWords>> = { en, nl, fr }
