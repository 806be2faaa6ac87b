import type { Language } from '../i18n/first-language.ts'
import type { MarcKeyName } from './marc-keys.ts'
import type { KindTemplate } from './marc-templates.ts'

/* Words of the MARC editor, which are loaded with it. */

export interface MarcWords {
  readonly noRecord: string
  readonly keys: string
  readonly keyNames: Readonly<Record<MarcKeyName | 'nextMessage' | 'previousMessage' | 'save', string>>
  readonly pair: string
  readonly toPair: string
  readonly indicator: (place: number, values: string) => string
  readonly repeats: Readonly<Record<'yes' | 'no', string>>
  readonly messages: (count: number) => string
  readonly addFields: string
  readonly kinds: Readonly<Record<KindTemplate, string>>
  readonly own: string
  readonly keepLines: string
  readonly templateName: string
  readonly drop: (name: string) => string
}

const en: MarcWords = {
  noRecord: 'No MARC record describes this.',
  keys: 'Keys',
  keyNames: {
    save: 'Check; then save',
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
  pair: 'In another script',
  toPair: 'Go to it',
  indicator: (place, values) => `indicator ${place}: ${values}`,
  repeats: { yes: 'repeatable', no: 'not repeatable' },
  messages: count => (count === 1 ? '1 message' : `${count} messages`),
  addFields: 'Add fields for',
  kinds: { book: 'a book', serial: 'a serial', score: 'a score', recording: 'a recording', ebook: 'an e-book' },
  own: 'Your templates',
  keepLines: 'Store the selected lines as a template',
  templateName: 'Name of the template',
  drop: name => `Delete the template ${name}`
}

const nl: MarcWords = {
  noRecord: 'Geen MARC-record beschrijft dit.',
  keys: 'Toetsen',
  keyNames: {
    save: 'Controleren; daarna opslaan',
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
  pair: 'In ander schrift',
  toPair: 'Ernaartoe',
  indicator: (place, values) => `indicator ${place}: ${values}`,
  repeats: { yes: 'herhaalbaar', no: 'niet herhaalbaar' },
  messages: count => (count === 1 ? '1 melding' : `${count} meldingen`),
  addFields: 'Velden toevoegen voor',
  kinds: {
    book: 'een boek',
    serial: 'een tijdschrift',
    score: 'bladmuziek',
    recording: 'een opname',
    ebook: 'een e-boek'
  },
  own: 'Uw sjablonen',
  keepLines: 'De gekozen regels als sjabloon bewaren',
  templateName: 'Naam van het sjabloon',
  drop: name => `Het sjabloon ${name} verwijderen`
}

const fr: MarcWords = {
  noRecord: 'Aucune notice MARC ne décrit ceci.',
  keys: 'Touches',
  keyNames: {
    save: 'Vérifier ; puis enregistrer',
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
  pair: 'Dans une autre écriture',
  toPair: 'Y aller',
  indicator: (place, values) => `indicateur ${place} : ${values}`,
  repeats: { yes: 'répétable', no: 'non répétable' },
  messages: count => (count === 1 ? '1 message' : `${count} messages`),
  addFields: 'Ajouter les zones pour',
  kinds: {
    book: 'un livre',
    serial: 'un périodique',
    score: 'une partition',
    recording: 'un enregistrement',
    ebook: 'un livre numérique'
  },
  own: 'Vos modèles',
  keepLines: 'Garder les lignes sélectionnées comme modèle',
  templateName: 'Nom du modèle',
  drop: name => `Supprimer le modèle ${name}`
}

export const marcWords: Readonly<Record<Language, MarcWords>> = { en, nl, fr }
