import type { Language } from './phrases.ts'

/** The phrases of the pages of records in one language. */
export interface RecordPhrases {
  readonly nextNight: string
  readonly tickets: string
  readonly ticketsFor: (when: string) => string
  readonly subscribe: string
  readonly allNights: string
  readonly earlierNights: string
  readonly comingNights: string
  readonly noNights: string
  readonly allCities: string
  readonly cities: string
  readonly about: string
  readonly castAndTeam: string
  readonly pictures: string
  readonly watch: string
  readonly thePlay: string
  readonly readIt: string
  readonly alsoBy: (name: string) => string
  readonly pressKit: string
  readonly premiere: string
  readonly lastNight: string
  readonly hours: (hours: number, minutes: number) => string
  readonly more: string
  readonly onStage: string
  readonly original: string
  readonly by: Readonly<Record<'trl' | 'adp' | 'nrt', (names: string) => string>>
  readonly allLanguages: (count: string) => string
  readonly languagesOfEditions: string
  readonly whereToFind: string
  readonly libraries: (count: number) => string
  readonly copies: (count: number) => string
  readonly onShelf: (count: number) => string
  readonly noneOnShelf: string
  readonly readOnline: string
  readonly map: string
  readonly allEditions: string
  readonly shows: string
  readonly today: string
  readonly weekend: string
  readonly week: string
  readonly programme: string
  readonly nothingThen: string
  readonly tooManyNights: (shown: string) => string
  readonly nextWeek: string
  readonly previousWeek: string
  readonly everyAge: string
  readonly ages: string
  readonly orderBy: string
  readonly byTitle: string
  readonly byYear: string
  readonly shown: (first: string, last: string, count: string) => string
  readonly share: string
  readonly shareByMail: string
  readonly permalink: string
  readonly copy: string
  readonly copied: string
  readonly citationFiles: string
}

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`
const twoParts = (hours: number, minutes: number, hour: string, minute: string) =>
  [hours > 0 ? `${hours} ${hour}` : '', minutes > 0 || hours === 0 ? `${minutes}${hours > 0 ? '' : ` ${minute}`}` : '']
    .filter(each => each !== '')
    .join(' ')

export const recordPhrases: Readonly<Record<Language, RecordPhrases>> = {
  en: {
    nextNight: 'Next performance',
    tickets: 'Tickets',
    ticketsFor: when => `Tickets for ${when}`,
    subscribe: 'Subscribe to all dates',
    allNights: 'All dates',
    earlierNights: 'Earlier dates',
    comingNights: 'Coming dates',
    noNights: 'No dates are planned at the moment.',
    allCities: 'All cities',
    cities: 'Dates by city',
    about: 'About the show',
    castAndTeam: 'Cast and team',
    pictures: 'Pictures and trailer',
    watch: 'Watch the trailer',
    thePlay: 'The play',
    readIt: 'Read it',
    alsoBy: name => `Also by ${name}`,
    pressKit: 'Press kit (ZIP)',
    premiere: 'premiere',
    lastNight: 'last night',
    hours: (hours, minutes) => twoParts(hours, minutes, 'h', 'min'),
    more: 'More',
    onStage: 'On stage',
    original: 'original',
    by: {
      trl: names => `translated by ${names}`,
      adp: names => `adapted by ${names}`,
      nrt: names => `read by ${names}`
    },
    allLanguages: count => `All ${count}`,
    languagesOfEditions: 'Editions by language',
    whereToFind: 'Where to find it',
    libraries: count => `${count} ${count === 1 ? 'library ' : 'libraries'}`.trim(),
    copies: count => plural(count, 'copy', 'copies'),
    onShelf: count => `${count} on the shelf`,
    noneOnShelf: 'none on the shelf',
    readOnline: 'online',
    map: 'Map',
    allEditions: 'All editions of this work',
    shows: 'Shows',
    today: 'Today',
    weekend: 'This weekend',
    week: 'This week',
    programme: 'Programme',
    nothingThen: 'Nothing is planned for these days.',
    tooManyNights: shown => `Only the first ${shown} performances are shown. Choose a day to see others.`,
    nextWeek: 'Next week',
    previousWeek: 'Previous week',
    everyAge: 'Every age',
    ages: 'Dates by age',
    orderBy: 'Order',
    byTitle: 'by title',
    byYear: 'by year',
    shown: (first, last, count) => `${first} to ${last} of ${count}`,
    share: 'Share',
    shareByMail: 'Send by e-mail',
    permalink: 'Permanent address',
    copy: 'Copy',
    copied: 'Copied',
    citationFiles: 'For reference managers'
  },
  nl: {
    nextNight: 'Eerstvolgende voorstelling',
    tickets: 'Tickets',
    ticketsFor: when => `Tickets voor ${when}`,
    subscribe: 'Abonneren op alle data',
    allNights: 'Alle data',
    earlierNights: 'Eerdere data',
    comingNights: 'Komende data',
    noNights: 'Er zijn op dit ogenblik geen data gepland.',
    allCities: 'Alle steden',
    cities: 'Data per stad',
    about: 'Over de voorstelling',
    castAndTeam: 'Spelers en ploeg',
    pictures: 'Beelden en trailer',
    watch: 'Bekijk de trailer',
    thePlay: 'Het stuk',
    readIt: 'Lees het',
    alsoBy: name => `Ook van ${name}`,
    pressKit: 'Persmap (ZIP)',
    premiere: 'première',
    lastNight: 'laatste voorstelling',
    hours: (hours, minutes) => twoParts(hours, minutes, 'u', 'min'),
    more: 'Meer',
    onStage: 'Op de planken',
    original: 'origineel',
    by: {
      trl: names => `vertaald door ${names}`,
      adp: names => `bewerkt door ${names}`,
      nrt: names => `voorgelezen door ${names}`
    },
    allLanguages: count => `Alle ${count}`,
    languagesOfEditions: 'Uitgaven per taal',
    whereToFind: 'Waar te vinden',
    libraries: count => plural(count, 'bibliotheek', 'bibliotheken'),
    copies: count => plural(count, 'exemplaar', 'exemplaren'),
    onShelf: count => `${count} op de plank`,
    noneOnShelf: 'geen op de plank',
    readOnline: 'online',
    map: 'Kaart',
    allEditions: 'Alle uitgaven van dit werk',
    shows: 'Voorstellingen',
    today: 'Vandaag',
    weekend: 'Dit weekend',
    week: 'Deze week',
    programme: 'Programma',
    nothingThen: 'Voor deze dagen is niets gepland.',
    tooManyNights: shown => `Alleen de eerste ${shown} voorstellingen worden getoond. Kies een dag om andere te zien.`,
    nextWeek: 'Volgende week',
    previousWeek: 'Vorige week',
    everyAge: 'Elke leeftijd',
    ages: 'Data per leeftijd',
    orderBy: 'Volgorde',
    byTitle: 'op titel',
    byYear: 'op jaar',
    shown: (first, last, count) => `${first} tot ${last} van ${count}`,
    share: 'Delen',
    shareByMail: 'Versturen per e-mail',
    permalink: 'Vast adres',
    copy: 'Kopiëren',
    copied: 'Gekopieerd',
    citationFiles: 'Voor referentieprogramma’s'
  },
  fr: {
    nextNight: 'Prochaine représentation',
    tickets: 'Billets',
    ticketsFor: when => `Billets pour ${when}`,
    subscribe: 'S’abonner à toutes les dates',
    allNights: 'Toutes les dates',
    earlierNights: 'Dates passées',
    comingNights: 'Dates à venir',
    noNights: 'Aucune date n’est prévue pour le moment.',
    allCities: 'Toutes les villes',
    cities: 'Dates par ville',
    about: 'À propos du spectacle',
    castAndTeam: 'Distribution et équipe',
    pictures: 'Images et bande-annonce',
    watch: 'Voir la bande-annonce',
    thePlay: 'La pièce',
    readIt: 'La lire',
    alsoBy: name => `Également par ${name}`,
    pressKit: 'Dossier de presse (ZIP)',
    premiere: 'première',
    lastNight: 'dernière',
    hours: (hours, minutes) => twoParts(hours, minutes, 'h', 'min'),
    more: 'En savoir plus',
    onStage: 'Sur scène',
    original: 'original',
    by: {
      trl: names => `traduit par ${names}`,
      adp: names => `adapté par ${names}`,
      nrt: names => `lu par ${names}`
    },
    allLanguages: count => `Toutes ${count}`,
    languagesOfEditions: 'Éditions par langue',
    whereToFind: 'Où le trouver',
    libraries: count => plural(count, 'bibliothèque', 'bibliothèques'),
    copies: count => plural(count, 'exemplaire', 'exemplaires'),
    onShelf: count => `${count} en rayon`,
    noneOnShelf: 'aucun en rayon',
    readOnline: 'en ligne',
    map: 'Plan',
    allEditions: 'Toutes les éditions de cette œuvre',
    shows: 'Spectacles',
    today: 'Aujourd’hui',
    weekend: 'Ce week-end',
    week: 'Cette semaine',
    programme: 'Programme',
    nothingThen: 'Rien n’est prévu ces jours-là.',
    tooManyNights: shown =>
      `Seules les ${shown} premières représentations sont affichées. Choisissez un jour pour en voir d’autres.`,
    nextWeek: 'Semaine suivante',
    previousWeek: 'Semaine précédente',
    everyAge: 'Tout âge',
    ages: 'Dates par âge',
    orderBy: 'Tri',
    byTitle: 'par titre',
    byYear: 'par année',
    shown: (first, last, count) => `${first} à ${last} sur ${count}`,
    share: 'Partager',
    shareByMail: 'Envoyer par courriel',
    permalink: 'Adresse permanente',
    copy: 'Copier',
    copied: 'Copié',
    citationFiles: 'Pour les logiciels de bibliographie'
  },
  de: {
    nextNight: 'Nächste Vorstellung',
    tickets: 'Karten',
    ticketsFor: when => `Karten für ${when}`,
    subscribe: 'Alle Termine abonnieren',
    allNights: 'Alle Termine',
    earlierNights: 'Frühere Termine',
    comingNights: 'Kommende Termine',
    noNights: 'Zurzeit sind keine Termine geplant.',
    allCities: 'Alle Städte',
    cities: 'Termine nach Stadt',
    about: 'Über die Inszenierung',
    castAndTeam: 'Besetzung und Team',
    pictures: 'Bilder und Trailer',
    watch: 'Trailer ansehen',
    thePlay: 'Das Stück',
    readIt: 'Lesen',
    alsoBy: name => `Auch von ${name}`,
    pressKit: 'Pressemappe (ZIP)',
    premiere: 'Premiere',
    lastNight: 'Derniere',
    hours: (hours, minutes) => twoParts(hours, minutes, 'Std.', 'Min.'),
    more: 'Mehr',
    onStage: 'Auf der Bühne',
    original: 'Original',
    by: {
      trl: names => `übersetzt von ${names}`,
      adp: names => `bearbeitet von ${names}`,
      nrt: names => `gelesen von ${names}`
    },
    allLanguages: count => `Alle ${count}`,
    languagesOfEditions: 'Ausgaben nach Sprache',
    whereToFind: 'Wo es zu finden ist',
    libraries: count => plural(count, 'Bibliothek', 'Bibliotheken'),
    copies: count => plural(count, 'Exemplar', 'Exemplare'),
    onShelf: count => `${count} im Regal`,
    noneOnShelf: 'keines im Regal',
    readOnline: 'online',
    map: 'Karte',
    allEditions: 'Alle Ausgaben dieses Werks',
    shows: 'Inszenierungen',
    today: 'Heute',
    weekend: 'Dieses Wochenende',
    week: 'Diese Woche',
    programme: 'Programm',
    nothingThen: 'Für diese Tage ist nichts geplant.',
    tooManyNights: shown =>
      `Nur die ersten ${shown} Vorstellungen werden gezeigt. Wählen Sie einen Tag, um andere zu sehen.`,
    nextWeek: 'Nächste Woche',
    previousWeek: 'Vorige Woche',
    everyAge: 'Jedes Alter',
    ages: 'Termine nach Alter',
    orderBy: 'Reihenfolge',
    byTitle: 'nach Titel',
    byYear: 'nach Jahr',
    shown: (first, last, count) => `${first} bis ${last} von ${count}`,
    share: 'Teilen',
    shareByMail: 'Per E-Mail senden',
    permalink: 'Dauerhafte Adresse',
    copy: 'Kopieren',
    copied: 'Kopiert',
    citationFiles: 'Für Literaturverwaltungen'
  }
}
