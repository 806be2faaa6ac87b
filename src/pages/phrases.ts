import type { Sort } from '#domain/find/find-state.ts'

export const languages = ['en', 'nl', 'fr', 'de'] as const
export type Language = (typeof languages)[number]
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  nl: 'Nederlands',
  fr: 'Français',
  de: 'Deutsch'
}

/** The phrases of the public pages in English; every language has the same. */
const english = {
  catalogue: 'Catalogue',
  search: 'Search',
  searchHint: 'Title, author, subject or ISBN',
  /** In the narrow form of the header. */
  shortSearchHint: 'Title, name …',
  suggestions: 'Suggestions',
  signIn: 'Sign in',
  everything: 'All records',
  newTitles: 'New titles',
  onStage: 'This week',
  noResults: 'No records found. Check the spelling or use fewer words.',
  notUnderstood: (what: string) => `Not understood, and not used: ${what}`,
  instead: 'Try instead',
  withoutWords: (words: string) => `Without “${words}”`,
  withoutFilter: (name: string) => `Without the filter “${name}”`,
  years: 'years',
  yearFrom: 'From year',
  yearTo: 'to',
  sort: 'Order',
  sortBy: {
    relevance: 'Best match',
    title: 'Title',
    year: 'Year, newest first',
    newest: 'Last changed',
    created: 'First added',
    next: 'Next performance',
    shelf: 'Shelf order'
  } satisfies Readonly<Record<Sort, string>>,
  apply: 'Apply',
  isbnFaults: {
    length: 'This looks like an ISBN, but an ISBN has 10 or 13 digits.',
    check_digit: 'This looks like an ISBN, but one of its digits is wrong.'
  },
  results: (count: number, written: string) => (count === 1 ? '1 result' : `${written} results`),
  next: 'Next page',
  previous: 'Previous page',
  first: 'First page',
  editions: 'Editions',
  noEditions: 'No edition in this catalogue.',
  classes: 'Shelf',
  editionsOfWork: (count: number, written: string) => (count === 1 ? '1 edition' : `${written} editions`),
  nextPerformance: (when: string) => `next: ${when}`,
  work: 'Work',
  performances: 'Performances',
  calendar: 'Subscribe to the calendar (iCal)',
  cite: 'Cite',
  formats: 'Other formats',
  feed: 'New titles (Atom feed)',
  feedOfSearch: 'Follow this search (Atom feed)',
  minutes: (minutes: string) => `${minutes} minutes`,
  localTime: (city: string) => `local time in ${city}`,
  yes: 'yes',
  no: 'no',
  more: (count: string) => `Show all ${count}`,
  gone: 'Record deleted',
  goneDetail: 'This record was removed from the catalogue.',
  missing: 'Record not found',
  missingDetail: 'The catalogue has no record at this address.',
  errors: {
    noPage: { title: 'Page not found', detail: 'There is no page at this address. Search for the record instead.' },
    badAddress: {
      title: 'The address is not valid',
      detail: 'A part of the address is too long, out of date or not complete. Search again.'
    },
    notAllowed: { title: 'Not public', detail: 'This page can be read by people who sign in.' },
    tooMany: { title: 'Too many requests', detail: 'Too many requests came from your network. Wait a moment.' },
    indexing: { title: 'The catalogue is being prepared', detail: 'Searching works again in a few minutes.' },
    unavailable: { title: 'The catalogue is not available', detail: 'Its database does not answer at the moment.' },
    slow: { title: 'This took too long', detail: 'Many people are searching, or the search is very wide.' },
    fault: { title: 'Something went wrong', detail: 'The page could not be made. The fault has been recorded.' }
  },
  reloads: 'This page reloads by itself.',
  tryAgain: 'Try again',
  toFirstPage: 'Go to the first page',
  requestId: (id: string) => `Number of this request: ${id}`,
  languages: 'Language of this page',
  skipToContent: 'Skip to content',
  // Labels of groups of links.
  kinds: 'Kinds of records',
  narrow: 'Narrow the search',
  pages: 'Pages',
  mainMenu: 'Main menu',
  tickets: 'Tickets',
  showAll: 'Show all',
  aboutShow: 'About the show',
  byLibretto: 'Catalogue by Libretto',
  // The words around a result, and of the list that a reader keeps.
  around: {
    around: 'Around this record',
    previous: 'Previous',
    next: 'Next',
    results: 'Results',
    list: 'My list',
    keep: 'Add to my list',
    kept: 'On my list',
    full: 'My list is full'
  },
  download: 'Download'
}

export type Phrases = typeof english

/** Reasons why a page cannot be shown, each with its own words. */
export type ErrorReason = keyof Phrases['errors']

export const phrases: Readonly<Record<Language, Phrases>> = {
  en: english,
  nl: {
    catalogue: 'Catalogus',
    search: 'Zoeken',
    searchHint: 'Titel, auteur, onderwerp of ISBN',
    shortSearchHint: 'Titel, naam …',
    suggestions: 'Suggesties',
    signIn: 'Aanmelden',
    everything: 'Alle records',
    newTitles: 'Nieuwe titels',
    onStage: 'Deze week',
    noResults: 'Niets gevonden. Controleer de spelling of gebruik minder woorden.',
    notUnderstood: what => `Niet begrepen, en niet gebruikt: ${what}`,
    instead: 'Probeer liever',
    withoutWords: words => `Zonder “${words}”`,
    withoutFilter: name => `Zonder het filter “${name}”`,
    years: 'jaren',
    yearFrom: 'Van jaar',
    yearTo: 'tot',
    sort: 'Volgorde',
    sortBy: {
      relevance: 'Beste resultaat',
      title: 'Titel',
      year: 'Jaar, nieuwste eerst',
      newest: 'Laatst gewijzigd',
      created: 'Eerst toegevoegd',
      next: 'Volgende voorstelling',
      shelf: 'Plaatsing op het rek'
    },
    apply: 'Toepassen',
    isbnFaults: {
      length: 'Dit lijkt een ISBN, maar een ISBN heeft 10 of 13 cijfers.',
      check_digit: 'Dit lijkt een ISBN, maar een van de cijfers klopt niet.'
    },
    results: (count, written) => (count === 1 ? '1 resultaat' : `${written} resultaten`),
    next: 'Volgende pagina',
    previous: 'Vorige pagina',
    first: 'Eerste pagina',
    editions: 'Uitgaven',
    noEditions: 'Geen uitgave in deze catalogus.',
    classes: 'Plaats in de kast',
    editionsOfWork: (count, written) => (count === 1 ? '1 uitgave' : `${written} uitgaven`),
    nextPerformance: when => `eerstvolgende: ${when}`,
    work: 'Werk',
    performances: 'Voorstellingen',
    calendar: 'Abonneren op de kalender (iCal)',
    cite: 'Citeren',
    formats: 'Andere formaten',
    feed: 'Nieuwe titels (Atom-feed)',
    feedOfSearch: 'Deze zoekopdracht volgen (Atom-feed)',
    minutes: minutes => `${minutes} minuten`,
    localTime: city => `plaatselijke tijd in ${city}`,
    yes: 'ja',
    no: 'nee',
    more: count => `Toon alle ${count}`,
    gone: 'Record verwijderd',
    goneDetail: 'Dit record is uit de catalogus verwijderd.',
    missing: 'Record niet gevonden',
    missingDetail: 'De catalogus heeft geen record op dit adres.',
    errors: {
      noPage: { title: 'Pagina niet gevonden', detail: 'Er is geen pagina op dit adres. Zoek het record op.' },
      badAddress: {
        title: 'Het adres is niet geldig',
        detail: 'Een deel van het adres is te lang, verouderd of onvolledig. Zoek opnieuw.'
      },
      notAllowed: { title: 'Niet openbaar', detail: 'Deze pagina is te lezen voor wie zich aanmeldt.' },
      tooMany: { title: 'Te veel verzoeken', detail: 'Er kwamen te veel verzoeken van uw netwerk. Wacht even.' },
      indexing: { title: 'De catalogus wordt voorbereid', detail: 'Over enkele minuten kunt u weer zoeken.' },
      unavailable: {
        title: 'De catalogus is niet beschikbaar',
        detail: 'De databank antwoordt op dit ogenblik niet.'
      },
      slow: { title: 'Dit duurde te lang', detail: 'Er wordt veel gezocht, of de zoekopdracht is erg ruim.' },
      fault: { title: 'Er ging iets mis', detail: 'De pagina kon niet worden gemaakt. De fout is vastgelegd.' }
    },
    reloads: 'Deze pagina wordt vanzelf opnieuw geladen.',
    tryAgain: 'Opnieuw proberen',
    toFirstPage: 'Naar de eerste pagina',
    requestId: id => `Nummer van dit verzoek: ${id}`,
    languages: 'Taal van deze pagina',
    skipToContent: 'Naar de inhoud',
    kinds: 'Soorten records',
    narrow: 'Zoekresultaten beperken',
    pages: 'Pagina’s',
    mainMenu: 'Hoofdmenu',
    tickets: 'Tickets',
    showAll: 'Toon alles',
    aboutShow: 'Over de voorstelling',
    byLibretto: 'Catalogus met Libretto',
    around: {
      around: 'Rond dit record',
      previous: 'Vorige',
      next: 'Volgende',
      results: 'Resultaten',
      list: 'Mijn lijst',
      keep: 'Zet op mijn lijst',
      kept: 'Op mijn lijst',
      full: 'Mijn lijst is vol'
    },
    download: 'Downloaden'
  },
  fr: {
    catalogue: 'Catalogue',
    search: 'Rechercher',
    searchHint: 'Titre, auteur, sujet ou ISBN',
    shortSearchHint: 'Titre, nom …',
    suggestions: 'Suggestions',
    signIn: 'Se connecter',
    everything: 'Toutes les notices',
    newTitles: 'Nouveautés',
    onStage: 'Cette semaine',
    noResults: 'Aucun résultat. Vérifiez l’orthographe ou utilisez moins de mots.',
    notUnderstood: what => `Non compris, et non utilisé : ${what}`,
    instead: 'Essayez plutôt',
    withoutWords: words => `Sans « ${words} »`,
    withoutFilter: name => `Sans le filtre « ${name} »`,
    years: 'années',
    yearFrom: 'De l’année',
    yearTo: 'à',
    sort: 'Tri',
    sortBy: {
      relevance: 'Pertinence',
      title: 'Titre',
      year: 'Année, les plus récentes d’abord',
      newest: 'Dernière modification',
      created: 'Premiers ajouts',
      next: 'Prochaine représentation',
      shelf: 'Ordre des rayons'
    },
    apply: 'Appliquer',
    isbnFaults: {
      length: 'Cela ressemble à un ISBN, mais un ISBN a 10 ou 13 chiffres.',
      check_digit: 'Cela ressemble à un ISBN, mais un de ses chiffres est faux.'
    },
    results: (count, written) => (count === 1 ? '1 résultat' : `${written} résultats`),
    next: 'Page suivante',
    previous: 'Page précédente',
    first: 'Première page',
    editions: 'Éditions',
    noEditions: 'Aucune édition dans ce catalogue.',
    classes: 'Rayon',
    editionsOfWork: (count, written) => (count === 1 ? '1 édition' : `${written} éditions`),
    nextPerformance: when => `prochaine : ${when}`,
    work: 'Œuvre',
    performances: 'Représentations',
    calendar: 'S’abonner au calendrier (iCal)',
    cite: 'Citer',
    formats: 'Autres formats',
    feed: 'Nouveautés (flux Atom)',
    feedOfSearch: 'Suivre cette recherche (flux Atom)',
    minutes: minutes => `${minutes} minutes`,
    localTime: city => `heure locale de ${city}`,
    yes: 'oui',
    no: 'non',
    more: count => `Afficher les ${count}`,
    gone: 'Notice supprimée',
    goneDetail: 'Cette notice a été retirée du catalogue.',
    missing: 'Notice introuvable',
    missingDetail: 'Le catalogue n’a pas de notice à cette adresse.',
    errors: {
      noPage: { title: 'Page introuvable', detail: 'Il n’y a pas de page à cette adresse. Recherchez la notice.' },
      badAddress: {
        title: 'L’adresse n’est pas valable',
        detail: 'Une partie de l’adresse est trop longue, périmée ou incomplète. Recommencez la recherche.'
      },
      notAllowed: { title: 'Non public', detail: 'Cette page est réservée aux personnes qui se connectent.' },
      tooMany: {
        title: 'Trop de demandes',
        detail: 'Trop de demandes sont venues de votre réseau. Patientez un instant.'
      },
      indexing: {
        title: 'Le catalogue est en préparation',
        detail: 'La recherche fonctionnera dans quelques minutes.'
      },
      unavailable: {
        title: 'Le catalogue n’est pas disponible',
        detail: 'Sa base de données ne répond pas pour le moment.'
      },
      slow: {
        title: 'Cela a pris trop de temps',
        detail: 'Beaucoup de recherches sont en cours, ou celle-ci est très large.'
      },
      fault: {
        title: 'Une erreur s’est produite',
        detail: 'La page n’a pas pu être créée. L’erreur a été enregistrée.'
      }
    },
    reloads: 'Cette page se recharge d’elle-même.',
    tryAgain: 'Réessayer',
    toFirstPage: 'Aller à la première page',
    requestId: id => `Numéro de cette demande : ${id}`,
    languages: 'Langue de cette page',
    skipToContent: 'Aller au contenu',
    kinds: 'Types de notices',
    narrow: 'Affiner la recherche',
    pages: 'Pages',
    mainMenu: 'Menu principal',
    tickets: 'Billets',
    showAll: 'Tout afficher',
    aboutShow: 'À propos du spectacle',
    byLibretto: 'Catalogue par Libretto',
    around: {
      around: 'Autour de cette notice',
      previous: 'Précédent',
      next: 'Suivant',
      results: 'Résultats',
      list: 'Ma liste',
      keep: 'Ajouter à ma liste',
      kept: 'Dans ma liste',
      full: 'Ma liste est pleine'
    },
    download: 'Télécharger'
  },
  de: {
    catalogue: 'Katalog',
    search: 'Suchen',
    suggestions: 'Vorschläge',
    searchHint: 'Titel, Autor, Thema oder ISBN',
    shortSearchHint: 'Titel, Name …',
    signIn: 'Anmelden',
    everything: 'Alle Datensätze',
    newTitles: 'Neue Titel',
    onStage: 'Diese Woche',
    noResults: 'Nichts gefunden. Prüfen Sie die Schreibweise oder verwenden Sie weniger Wörter.',
    notUnderstood: what => `Nicht verstanden und nicht verwendet: ${what}`,
    instead: 'Versuchen Sie stattdessen',
    withoutWords: words => `Ohne „${words}“`,
    withoutFilter: name => `Ohne den Filter „${name}“`,
    years: 'Jahre',
    yearFrom: 'Von Jahr',
    yearTo: 'bis',
    sort: 'Reihenfolge',
    sortBy: {
      relevance: 'Beste Treffer',
      title: 'Titel',
      year: 'Jahr, neueste zuerst',
      newest: 'Zuletzt geändert',
      created: 'Zuerst hinzugefügt',
      next: 'Nächste Vorstellung',
      shelf: 'Aufstellung im Regal'
    },
    apply: 'Anwenden',
    isbnFaults: {
      length: 'Das sieht aus wie eine ISBN, aber eine ISBN hat 10 oder 13 Ziffern.',
      check_digit: 'Das sieht aus wie eine ISBN, aber eine ihrer Ziffern ist falsch.'
    },
    results: (count, written) => (count === 1 ? '1 Treffer' : `${written} Treffer`),
    next: 'Nächste Seite',
    previous: 'Vorige Seite',
    first: 'Erste Seite',
    editions: 'Ausgaben',
    noEditions: 'Keine Ausgabe in diesem Katalog.',
    classes: 'Systematik',
    editionsOfWork: (count, written) => (count === 1 ? '1 Ausgabe' : `${written} Ausgaben`),
    nextPerformance: when => `nächste: ${when}`,
    work: 'Werk',
    performances: 'Vorstellungen',
    calendar: 'Kalender abonnieren (iCal)',
    cite: 'Zitieren',
    formats: 'Andere Formate',
    feed: 'Neue Titel (Atom-Feed)',
    feedOfSearch: 'Dieser Suche folgen (Atom-Feed)',
    minutes: minutes => `${minutes} Minuten`,
    localTime: city => `Ortszeit in ${city}`,
    yes: 'ja',
    no: 'nein',
    more: count => `Alle ${count} zeigen`,
    gone: 'Datensatz gelöscht',
    goneDetail: 'Dieser Datensatz wurde aus dem Katalog entfernt.',
    missing: 'Datensatz nicht gefunden',
    missingDetail: 'Der Katalog hat keinen Datensatz an dieser Adresse.',
    errors: {
      noPage: {
        title: 'Seite nicht gefunden',
        detail: 'An dieser Adresse gibt es keine Seite. Suchen Sie stattdessen nach dem Titel.'
      },
      badAddress: {
        title: 'Die Adresse ist ungültig',
        detail: 'Ein Teil der Adresse ist zu lang, veraltet oder unvollständig. Suchen Sie noch einmal.'
      },
      notAllowed: { title: 'Nicht öffentlich', detail: 'Diese Seite ist nur nach der Anmeldung lesbar.' },
      tooMany: {
        title: 'Zu viele Anfragen',
        detail: 'Aus Ihrem Netz kamen zu viele Anfragen. Warten Sie einen Augenblick.'
      },
      indexing: { title: 'Der Katalog wird vorbereitet', detail: 'In wenigen Minuten können Sie wieder suchen.' },
      unavailable: {
        title: 'Der Katalog ist nicht erreichbar',
        detail: 'Seine Datenbank antwortet im Augenblick nicht.'
      },
      slow: { title: 'Das hat zu lange gedauert', detail: 'Es wird viel gesucht, oder die Suche ist sehr weit.' },
      fault: {
        title: 'Etwas ist schiefgegangen',
        detail: 'Die Seite konnte nicht erstellt werden. Der Fehler wurde aufgezeichnet.'
      }
    },
    reloads: 'Diese Seite lädt sich von selbst neu.',
    tryAgain: 'Noch einmal versuchen',
    toFirstPage: 'Zur Startseite',
    requestId: id => `Nummer dieser Anfrage: ${id}`,
    languages: 'Sprache dieser Seite',
    skipToContent: 'Zum Inhalt springen',
    kinds: 'Arten von Datensätzen',
    narrow: 'Suche eingrenzen',
    pages: 'Seiten',
    mainMenu: 'Hauptmenü',
    tickets: 'Karten',
    showAll: 'Alle zeigen',
    aboutShow: 'Zur Produktion',
    byLibretto: 'Katalog mit Libretto',
    around: {
      around: 'Rund um diesen Eintrag',
      previous: 'Zurück',
      next: 'Weiter',
      results: 'Treffer',
      list: 'Meine Liste',
      keep: 'Auf meine Liste',
      kept: 'Auf meiner Liste',
      full: 'Meine Liste ist voll'
    },
    download: 'Herunterladen'
  }
}
