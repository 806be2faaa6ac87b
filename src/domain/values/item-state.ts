import { foldText } from './fold.ts'

/* Where a copy is, by its status, which each library words in its own way. */

/** The words by which library systems say it, folded, in the languages of the pages. */
const words = {
  shelf: [
    ...['available', 'on shelf', 'on the shelf', 'in library', 'in stock', 'checked in', 'not checked out', 'present'],
    ...['beschikbaar', 'aanwezig', 'op de plank', 'in de bibliotheek', 'niet uitgeleend'],
    ...['disponible', 'en rayon', 'present', 'en magasin', 'non emprunte'],
    ...['verfugbar', 'vorhanden', 'im regal', 'ausleihbar', 'entleihbar', 'nicht ausgeliehen']
  ],
  away: [
    ...[
      'on loan',
      'loaned',
      'checked out',
      'charged',
      'borrowed',
      'due',
      'overdue',
      'in transit',
      'on order',
      'ordered'
    ],
    ...['on hold', 'reserved', 'requested', 'missing', 'lost', 'withdrawn', 'damaged', 'in repair', 'in process'],
    ...['in binding', 'not available', 'unavailable', 'recalled', 'claimed returned'],
    ...['uitgeleend', 'gereserveerd', 'in bestelling', 'besteld', 'vermist', 'verloren', 'afgevoerd', 'onderweg'],
    ...['in herstel', 'in bewerking', 'niet beschikbaar', 'beschadigd', 'te laat'],
    ...['emprunte', 'en pret', 'reserve', 'en commande', 'commande', 'perdu', 'manquant', 'indisponible', 'en transit'],
    ...['en reparation', 'en traitement', 'non disponible', 'sorti'],
    ...['ausgeliehen', 'entliehen', 'verliehen', 'vorgemerkt', 'bestellt', 'vermisst', 'verloren', 'unterwegs'],
    ...['in reparatur', 'in bearbeitung', 'nicht verfugbar', 'nicht vorhanden', 'ausgesondert']
  ]
} as const satisfies Readonly<Record<string, readonly string[]>>

/** On the shelf, or away from it. */
export type ItemState = keyof typeof words

/** "Available from 3 May" and "available on request" are not on the shelf now. */
const notNow =
  /^available (?:from|after|on|soon)\b|^(?:beschikbaar|verfugbar|disponible) (?:vanaf|op|ab|auf|a|des|sur)\b/

/**
 * Reads the state of a copy from a status that begins with known words, such as "On loan until 3
 * May". Undefined for others: nobody knows where that copy is.
 */
export function readItemState(status: string): ItemState | undefined {
  const folded = foldText(status).trim()
  if (notNow.test(folded)) return undefined
  const states = Object.keys(words) as ItemState[]
  return states.find(state => words[state].some(each => isBeginning(folded, each)))
}

/** Whether a text begins with whole words. */
const isBeginning = (text: string, beginning: string) =>
  text.startsWith(beginning) && !/^[\p{L}\p{N}]/u.test(text.slice(beginning.length))
